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

use crate::game::explain::{Claim, Explain, FORK, Importance, ZUGZWANG, legal_moves, winning_turn};
use crate::game::{Game, MoveNotation, Notation, Outcome};
use crate::search::result::{PvLine, ReportedScore, SearchResult};
use crate::search::transposition_table::Bound;

pub use refutation::{Refutation, refutation};

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
}

impl<G: Game> ExplainedMove<'_, G> {
    /// Whether the move is proved to lose.
    fn is_lost(&self) -> bool {
        self.score.and_then(ReportedScore::proved_sign) == Some(-1)
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

/// The score of a line if it says something about the move, and not only that it is better than a
/// loss or worse than a win.
fn known_score<M>(line: &PvLine<M>) -> Option<ReportedScore> {
    let score = line.score?;
    match (line.bound, score) {
        (Bound::Exact, _)
        | (Bound::Lower, ReportedScore::Win(_))
        | (Bound::Upper, ReportedScore::Loss(_))
        | (_, ReportedScore::Points(_)) => Some(score),
        _ => None,
    }
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

/// A position and everything known about its moves.
struct ExplainedPosition<'a, G: Game> {
    game: &'a G,
    explained: Vec<ExplainedMove<'a, G>>,
    /// Whether these are all legal moves.
    covers_all: bool,
    /// How deep the search looked.
    depth: Option<u32>,
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
            let score = match line.and_then(known_score) {
                Some(margin @ ReportedScore::Margin(_)) => Some(margin),
                known => score_by_rules(game, mv).or(known),
            };
            ExplainedMove { mv, line, score }
        };
        ExplainedPosition {
            game,
            explained: moves.iter().map(explained).collect(),
            covers_all: legal_moves(game).iter().all(|mv| moves.contains(mv)),
            depth: found.depth.map(|(depth, _)| depth),
            notation,
        }
    }

    fn reason(&self, index: usize) -> Reason {
        let ExplainedMove { mv, score, .. } = self.explained[index];
        let claims = self.claims(index);
        let (kind, cells) = match claims.first() {
            Some(claim) => (claim.kind, &claim.cells[..]),
            None => (sentences::JUDGED, &[][..]),
        };
        Reason {
            mv: self.game.text_of(mv, self.notation),
            score,
            kind,
            cells: cells.iter().map(|&cell| self.game.cell_text(cell)).collect(),
            sentence: sentences::joined(&claims),
        }
    }

    /// All that is told about a move, the most important first: at least one claim.
    fn claims(&self, index: usize) -> Vec<Claim> {
        let (game, ExplainedMove { mv, line, score }) = (self.game, &self.explained[index]);
        let after = played(game, *mv);
        if let Some(outcome) = after.outcome() {
            return vec![sentences::ends(game, &after, outcome)];
        }
        let mut claims = game.claims(*mv);
        claims.sort_by_key(|claim| claim.importance);
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
        let wins = claims.iter().any(|claim| [FORK, ZUGZWANG].contains(&claim.kind));
        let forced = line.filter(|_| !wins);
        let forced = forced.and_then(|line| forced_line::won_by_force(game, &line.moves));
        let proved = score.filter(|score| score.proved_sign().is_some());
        let value = match proved {
            Some(score) => self.value(score, forced.is_some()),
            None => (!wins && forced.is_none()).then(|| self.judged(index)),
        };
        if let Some(length) = forced {
            let line = line.map_or(&[][..], |line| &line.moves[..length]);
            claims.push(sentences::forces(&self.texts(line)));
        }
        claims.extend(self.only(index));
        claims.extend(self.spoils(index));
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
        let sign = |index: usize| self.explained[index].score.and_then(ReportedScore::proved_sign);
        let best = || self.game.text_of(self.explained[0].mv, self.notation);
        sentences::spoils(sign(index)?, sign(0)?, best)
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

    /// "Every other move loses", if that is proved and this one is not lost too.
    fn only(&self, index: usize) -> Option<Claim> {
        let mut others = self.explained.iter().enumerate().filter(|&(other, _)| other != index);
        if !self.covers_all {
            None
        } else if self.explained.len() == 1 {
            Some(sentences::only_legal())
        } else if !self.explained[index].is_lost() && others.all(|(_, other)| other.is_lost()) {
            Some(sentences::only())
        } else {
            None
        }
    }

    fn every_move_loses(&self) -> Option<Claim> {
        let several = self.explained.len() > 1;
        (several && self.covers_all && self.explained.iter().all(ExplainedMove::is_lost))
            .then(sentences::every_move_loses)
    }

    /// What a proved score says; nothing if a forced win was told already.
    fn value(&self, score: ReportedScore, told: bool) -> Option<Claim> {
        let all_lose = self.every_move_loses().is_some();
        match score {
            ReportedScore::Win(_) if told => None,
            _ => sentences::value(self.game, score, all_lose),
        }
    }

    fn judged(&self, index: usize) -> Claim {
        let best = &self.explained[0];
        let scored = self.explained[index].score.is_some() && best.score.is_some();
        let preferred = (index > 0).then(|| self.game.text_of(best.mv, self.notation));
        sentences::judged(if scored { self.depth } else { None }, preferred)
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

fn played<G: Game>(game: &G, mv: G::Move) -> G {
    let mut after = game.clone();
    after.play(mv);
    after
}
