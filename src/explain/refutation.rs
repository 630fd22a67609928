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
    let [best, asked] = [0, index].map(|index| &position.explained[index]);
    // What the move costs comes first, in other words.
    let mut claims = position.claims(index);
    claims.retain(|claim| ![sentences::JUDGED, sentences::SPOILS].contains(&claim.kind));
    let why = Some(sentences::joined(&claims)).filter(|why| !why.is_empty());
    let line = position.texts(asked.line.map_or(&[asked.mv], |line| &line.moves[..]));
    let best_text = game.text_of(best.mv, notation);
    let cost = cost(asked.score, best.score).unwrap_or_else(|| position.judged(index).sentence);
    let after = played(game, asked.mv);
    // A reason that decides the game has the answer in it.
    let is_told = claims.iter().any(|claim| claim.importance == Importance::Decisive);
    let answers = after.outcome().is_none() && after.side_to_move() != game.side_to_move();
    let answer = line.get(1).filter(|_| answers && !is_told);
    let answer = answer.map(|reply| format!("The opponent answers {reply}."));
    let sentences: Vec<String> = [Some(cost), why, answer].into_iter().flatten().collect();
    Some(Refutation {
        mv: game.text_of(asked.mv, notation),
        score: asked.score,
        best: best_text,
        best_score: best.score,
        line,
        sentence: sentences.join(" "),
    })
}

/// What a move costs, compared with the best one; `None` if it is not proved.
fn cost(score: Option<ReportedScore>, best: Option<ReportedScore>) -> Option<String> {
    let sign = |score: Option<ReportedScore>| score.and_then(ReportedScore::proved_sign);
    let text = match (sign(score)?, sign(best)?) {
        (1, _) => "Keeps the win.",
        (0, 1) => "Gives away the win.",
        (0, _) => "Keeps the draw.",
        (_, 1) => "Turns a win into a loss.",
        (_, 0) => "Gives away the draw.",
        _ => "No better move is known.",
    };
    Some(match (best, score) {
        (Some(ReportedScore::Margin(best)), Some(ReportedScore::Margin(margin)))
            if margin < best =>
        {
            let worse = best - margin;
            format!("{text} The final result is {worse} worse than with the best move.")
        }
        _ => text.to_owned(),
    })
}
