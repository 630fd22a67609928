//! What is wrong with a move: the reply to `why not`.

use super::{ExplainedPosition, played, sentences};
use crate::game::explain::{Explain, Importance};
use crate::game::{MoveNotation, Notation};
use crate::search::result::{ReportedScore, SearchResult};

/// How the opponent refutes a move, and what it costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The move.
    pub mv: String,
    /// Its score, if there is one.
    pub score: Option<ReportedScore>,
    /// The best move.
    pub best: String,
    /// Its score, if there is one.
    pub best_score: Option<ReportedScore>,
    /// The move and what follows, as far as it was searched.
    pub line: Vec<String>,
    /// What the move costs, the reason, and the answer to it, for people.
    pub sentence: String,
}

/// The refutation of `asked`, one of `moves`, which are all legal moves, the best first. `None` if
/// it is not among them.
pub fn refutation<G: Notation + Explain>(
    game: &G,
    asked: G::Move,
    moves: &[G::Move],
    found: &SearchResult<G::Move>,
    notation: MoveNotation,
) -> Option<Refutation> {
    let position = ExplainedPosition::new(game, moves, found, notation);
    let index = moves.iter().position(|&mv| mv == asked)?;
    let asked = &position.explained[index];
    // What the move costs comes first, in other words.
    let mut claims = position.claims(index);
    claims.retain(|claim| ![sentences::JUDGED, sentences::SPOILS].contains(&claim.kind));
    let why = Some(sentences::joined(&claims)).filter(|why| !why.is_empty());
    let line = position.texts(asked.line.map_or(&[asked.mv], |line| &line.moves[..]));
    let after = played(game, asked.mv);
    // A reason that decides the game has the answer in it.
    let is_told = claims.iter().any(|claim| claim.importance == Importance::Decisive);
    let answers = after.outcome().is_none() && after.side_to_move() != game.side_to_move();
    let answer = line.get(1).filter(|_| answers && !is_told);
    let answer = answer.map(|reply| format!("The opponent answers {reply}."));
    let sentences: Vec<String> =
        [cost(&position, index), why, answer].into_iter().flatten().collect();
    Some(Refutation {
        mv: position.text(index),
        score: asked.score,
        best: position.text(0),
        best_score: position.explained[0].score,
        line,
        sentence: sentences.join(" "),
    })
}

/// What a move costs, compared with the best one; what the search thinks where that is not proved.
/// `None` if both lose and it is not known which one sooner.
fn cost<G: Notation + Explain>(
    position: &ExplainedPosition<'_, G>,
    index: usize,
) -> Option<String> {
    let [best, score] = [0, index].map(|index| position.explained[index].score);
    let worse = match (best, score) {
        (Some(ReportedScore::Margin(best)), Some(ReportedScore::Margin(margin))) => best - margin,
        _ => 0,
    };
    let result = match (position.proved_sign(index), position.proved_sign(0)) {
        (Some(1), _) => Some("Keeps the win.".to_owned()),
        (Some(0), Some(1)) => Some("Gives away the win.".to_owned()),
        (Some(0), Some(_)) => Some("Keeps the draw.".to_owned()),
        (Some(_), Some(1)) => Some("Turns a win into a loss.".to_owned()),
        (Some(_), Some(0)) => Some("Gives away the draw.".to_owned()),
        (Some(_), Some(_)) if score == best => Some("No better move is known.".to_owned()),
        (Some(_), Some(_)) if worse > 0 => None,
        (Some(_), Some(_)) => {
            position.is_exact.then(|| format!("Loses sooner than {}.", position.text(0)))
        }
        (None, Some(1)) => {
            let best = position.text(0);
            Some(format!("No win is proved here, but {best} wins."))
        }
        _ => Some(position.judged(index).sentence),
    };
    let margin =
        (worse > 0).then(|| format!("The final result is {worse} worse than with the best move."));
    let cost: Vec<String> = result.into_iter().chain(margin).collect();
    (!cost.is_empty()).then(|| cost.join(" "))
}
