//! Why a move is good or bad: the replies to `explain` and `why not`.
//!
//! Takes what a search found and says of each move what is **verified**: by the rules (the move is
//! played and the position looked at), by a proved score, or by a line in which every reply is
//! forced. What is not proved is called a judgement.
//!
//! Knows games through their traits, and results; knows nothing of commands and replies.

mod forced_line;
mod refutation;
mod sentences;

use crate::game::explain::{Claim, Explain, Importance, legal_moves, winning_turn};
use crate::game::{Game, MoveNotation, Notation, Outcome};
use crate::search::result::{PvLine, ReportedScore, SearchEnd, SearchResult};

pub use refutation::{Refutation, refutation};
use sentences::Preference;

/// The most moves of one turn that are looked through for a win at once.
const MOST_MOVES_OF_TURN: usize = 2;

/// How many sentences a reason has at most.
const MOST_SENTENCES: usize = 3;

/// Why a move is good or bad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The move.
    pub mv: String,
    /// Its score, if there is one.
    pub score: Option<ReportedScore>,
    /// The most important claim.
    pub kind: &'static str,
    /// The cells that claim is about.
    pub cells: Vec<String>,
    /// That claim and some others, for people.
    pub sentence: String,
}

/// What the search says about a move, and what the rules add to it.
struct ExplainedMove<'a, G: Game> {
    mv: G::Move,
    /// The search's line, if it has one.
    line: Option<&'a PvLine<G::Move>>,
    score: Option<ReportedScore>,
    /// What the game says, the most important first; nothing if the move ends it.
    claims: Vec<Claim>,
    /// The plies of the line after which it has won by force, unless a claim says already that it wins.
    forced: Option<usize>,
}

impl<G: Game> ExplainedMove<'_, G> {
    /// The result of the move, if it is proved.
    fn proved_sign(&self) -> Option<i32> {
        self.score.and_then(ReportedScore::proved_sign)
    }

    /// Whether the move is proved to lose.
    fn is_lost(&self) -> bool {
        self.proved_sign() == Some(-1)
    }
}

/// The reasons for `moves`, in their order, in a position that is not over, given what a search
/// `found`.
pub fn reasons<G: Notation + Explain>(
    game: &G,
    moves: &[G::Move],
    found: &SearchResult<G::Move>,
    notation: MoveNotation,
) -> Vec<Reason> {
    let position = ExplainedPosition::new(game, moves, found, notation);
    (0..moves.len()).map(|index| position.reason(index)).collect()
}

/// The score of a move that ends the game, or that lets the opponent win in the next turn.
fn score_by_rules<G: Game>(game: &G, mv: G::Move) -> Option<ReportedScore> {
    let side = game.side_to_move();
    let after = played(game, mv);
    match after.outcome() {
        Some(Outcome::Win(winner)) if winner == side => Some(ReportedScore::Win(1)),
        Some(Outcome::Win(_)) => Some(ReportedScore::Loss(1)),
        Some(Outcome::Draw) => Some(ReportedScore::Draw),
        None if after.side_to_move() == side => None,
        None => {
            let turn = winning_turn(&after, MOST_MOVES_OF_TURN)?;
            Some(ReportedScore::Loss(1 + turn.len()))
        }
    }
}

/// What the game claims about a move that does not end it, the most important first.
fn claims_about<G: Explain>(game: &G, mv: G::Move) -> Vec<Claim> {
    if played(game, mv).outcome().is_some() {
        return Vec::new();
    }
    let mut claims = game.claims(mv);
    claims.sort_by_key(|claim| claim.importance);
    claims
}

/// The score of a move about which a search knows this much, and which wins within so many plies if
/// they are given.
fn score_with(known: Option<ReportedScore>, wins: Option<usize>) -> Option<ReportedScore> {
    let Some(wins) = wins else {
        return known;
    };
    Some(match known {
        Some(ReportedScore::Win(plies)) => ReportedScore::Win(plies.min(wins)),
        _ => ReportedScore::Win(wins),
    })
}

/// A position and everything known about its moves.
struct ExplainedPosition<'a, G: Game> {
    game: &'a G,
    explained: Vec<ExplainedMove<'a, G>>,
    /// Whether these are all legal moves.
    covers_all: bool,
    /// How deep the search looked.
    depth: Option<u32>,
    /// Whether a longer search would find the same.
    is_exact: bool,
    notation: MoveNotation,
}

impl<'a, G: Notation + Explain> ExplainedPosition<'a, G> {
    fn new(
        game: &'a G,
        moves: &[G::Move],
        found: &'a SearchResult<G::Move>,
        notation: MoveNotation,
    ) -> ExplainedPosition<'a, G> {
        let explained = |&mv| {
            let line = found.lines.iter().find(|line| line.moves.first() == Some(&mv));
            let claims = claims_about(game, mv);
            let claimed = claims.iter().filter_map(|claim| claim.wins_within).min();
            let forced = line.filter(|_| claimed.is_none());
            let forced = forced.and_then(|line| forced_line::won_by_force(game, &line.moves));
            let score = match line.and_then(PvLine::known_score) {
                Some(margin @ ReportedScore::Margin(_)) => Some(margin),
                known => score_by_rules(game, mv).or_else(|| score_with(known, claimed.or(forced))),
            };
            ExplainedMove { mv, line, score, claims, forced }
        };
        ExplainedPosition {
            game,
            explained: moves.iter().map(explained).collect(),
            covers_all: legal_moves(game).iter().all(|mv| moves.contains(mv)),
            depth: found.depth.map(|(depth, _)| depth),
            is_exact: found.end == SearchEnd::Exact,
            notation,
        }
    }

    fn reason(&self, index: usize) -> Reason {
        let claims = self.claims(index);
        let (kind, cells) = match claims.first() {
            Some(claim) => (claim.kind, &claim.cells[..]),
            None => (sentences::JUDGED, &[][..]),
        };
        Reason {
            mv: self.text(index),
            score: self.explained[index].score,
            kind,
            cells: cells.iter().map(|&cell| self.game.cell_text(cell)).collect(),
            sentence: sentences::joined(&claims),
        }
    }

    /// All that is said about a move, the most important first: at least one claim.
    fn claims(&self, index: usize) -> Vec<Claim> {
        let (game, ExplainedMove { mv, line, score, claims, forced }) =
            (self.game, &self.explained[index]);
        let after = played(game, *mv);
        if let Some(outcome) = after.outcome() {
            let mut claims = vec![sentences::ends(game, &after, outcome)];
            claims.extend(self.only(index));
            return claims;
        }
        let mut claims = claims.clone();
        let decides = |claim: &Claim| claim.importance == Importance::Decisive;
        if after.side_to_move() != game.side_to_move()
            && !claims.iter().any(decides)
            && let Some(turn) = winning_turn(&after, MOST_MOVES_OF_TURN)
        {
            claims.insert(0, self.allows(after, &turn));
        }
        if claims.iter().any(decides) {
            claims.retain(decides);
            claims.extend(self.every_move_loses());
            claims.extend(self.spoils(index));
            claims.truncate(MOST_SENTENCES);
            return claims;
        }
        let mut from = |least: Importance| {
            claims.split_off(claims.partition_point(|claim| claim.importance < least))
        };
        let facts = from(Importance::Fact);
        let details = from(Importance::Detail);
        let proved = score.filter(|score| score.proved_sign().is_some());
        let value = match proved {
            Some(score) => self.value(score, forced.is_some()),
            None => Some(self.judged(index)),
        };
        // What is always said, whatever else there is to say.
        let mut results = Vec::new();
        if let Some(length) = *forced {
            let line = line.map_or(&[][..], |line| &line.moves[..length]);
            results.push(sentences::forces(&self.texts(line)));
        }
        results.extend(self.only(index).or_else(|| self.only_legal()));
        results.extend(self.spoils(index));
        let told = results.len() + usize::from(value.is_some());
        claims.truncate(MOST_SENTENCES.saturating_sub(told));
        claims.extend(results);
        if self.explained[index].is_lost() {
            claims.extend(value);
            claims.extend(details);
            claims.truncate(MOST_SENTENCES);
        } else {
            claims.extend(details);
            if claims.is_empty() && proved.is_none() {
                claims.extend(facts);
            }
            claims.truncate(MOST_SENTENCES - usize::from(value.is_some()));
            claims.extend(value);
        }
        claims
    }

    /// What the move gives away, if that is proved: a win or a draw that the best move keeps. Nothing
    /// if some moves were left out: the best one may be among them.
    fn spoils(&self, index: usize) -> Option<Claim> {
        if !self.covers_all {
            return None;
        }
        let (sign, best_sign) = (self.proved_sign(index)?, self.proved_sign(0)?);
        sentences::spoils(sign, best_sign, || self.text(0))
    }

    /// The result of a move, if it is proved.
    fn proved_sign(&self, index: usize) -> Option<i32> {
        self.explained[index].proved_sign()
    }

    fn text(&self, index: usize) -> String {
        self.game.text_of(self.explained[index].mv, self.notation)
    }

    fn allows(&self, mut after: G, turn: &[G::Move]) -> Claim {
        let mut texts = Vec::new();
        for &mv in turn {
            texts.push(after.text_of(mv, self.notation));
            after.play(mv);
        }
        let cells = after.describe(&[]).ending.map_or_else(Vec::new, |ending| ending.cells);
        sentences::allows(self.game, cells, &texts)
    }

    /// That every other move is worse, if that is proved: that they lose and this one is not lost too,
    /// or that this one wins and they do not.
    fn only(&self, index: usize) -> Option<Claim> {
        if !self.covers_all || self.explained.len() == 1 {
            return None;
        }
        let others = self.explained.iter().enumerate().filter(|&(other, _)| other != index);
        // One about which nothing is proved may win.
        let best = others.map(|(_, other)| other.proved_sign().unwrap_or(1)).max()?;
        match (best, self.proved_sign(index)) {
            (-1, None | Some(0 | 1)) => Some(sentences::only()),
            (0, Some(1)) => Some(sentences::only_win()),
            _ => None,
        }
    }

    fn only_legal(&self) -> Option<Claim> {
        (self.covers_all && self.explained.len() == 1).then(sentences::only_legal)
    }

    fn every_move_loses(&self) -> Option<Claim> {
        let several = self.explained.len() > 1;
        (several && self.covers_all && self.explained.iter().all(ExplainedMove::is_lost))
            .then(sentences::every_move_loses)
    }

    /// What a proved score says; nothing if a forced win was `shown` already.
    fn value(&self, score: ReportedScore, shown: bool) -> Option<Claim> {
        let all_lose = self.every_move_loses().is_some();
        match score {
            ReportedScore::Win(_) if shown => None,
            _ => sentences::value(self.game, score, all_lose),
        }
    }

    fn judged(&self, index: usize) -> Claim {
        let is_proved = self.proved_sign(index).is_some();
        sentences::judged(self.depth.zip(self.preference(index)), is_proved)
    }

    /// How the search ranks the move; `None` if it has no score, or if the search was so short that it
    /// puts a move first although another is known to be better.
    fn preference(&self, index: usize) -> Option<Preference> {
        let ranks: Vec<Option<i64>> =
            self.explained.iter().map(|explained| explained.score.map(rank)).collect();
        let (own, best) = (ranks[index]?, ranks[0]?);
        if ranks.iter().flatten().any(|&rank| rank > best) {
            return None;
        }
        let first = || self.text(0);
        Some(match (own == best, index) {
            (false, _) => Preference::Below(first()),
            (true, 0) if ranks.iter().filter(|&&rank| rank == Some(best)).count() > 1 => {
                Preference::Shared
            }
            (true, 0) => Preference::Best,
            (true, _) => Preference::Equal(first()),
        })
    }

    /// The texts of moves that follow each other.
    fn texts(&self, line: &[G::Move]) -> Vec<String> {
        let mut game = self.game.clone();
        let text = |&mv: &G::Move| {
            let text = game.text_of(mv, self.notation);
            game.play(mv);
            text
        };
        line.iter().map(text).collect()
    }
}

/// A number that is greater for better scores.
pub fn rank(score: ReportedScore) -> i64 {
    const WIN: i64 = 1 << 32;
    match score {
        ReportedScore::Points(points) => points.into(),
        ReportedScore::Win(plies) => WIN - plies as i64,
        ReportedScore::Loss(plies) => plies as i64 - WIN,
        ReportedScore::Draw => 0,
        // Points are hundredths of what margins count.
        ReportedScore::Margin(margin) => 100 * i64::from(margin),
    }
}

fn played<G: Game>(game: &G, mv: G::Move) -> G {
    let mut after = game.clone();
    after.play(mv);
    after
}
