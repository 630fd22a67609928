//! What is wrong with a move: the reply to `why not`.

use super::{ExplainedPosition, played, sentences};
use crate::game::explain::Explain;
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
    /// What the move costs, the answer to it, and the reason, for people.
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
    // What the move costs is told first, in other words.
    let mut claims = position.claims(index);
    claims.retain(|claim| ![sentences::JUDGED, sentences::SPOILS].contains(&claim.kind));
    let why = Some(sentences::joined(&claims)).filter(|why| !why.is_empty());
    let line = position.texts(asked.line.map_or(&[asked.mv], |line| &line.moves[..]));
    let best_text = game.text_of(best.mv, notation);
    let cost = cost(asked.score, best.score, (index > 0).then_some(&best_text), position.depth);
    let after = played(game, asked.mv);
    let answers = after.outcome().is_none() && after.side_to_move() != game.side_to_move();
    let answer = line.get(1).filter(|_| answers);
    let answer = answer.map(|reply| format!("The opponent answers {reply}."));
    let sentences: Vec<String> = [Some(cost), answer, why].into_iter().flatten().collect();
    Some(Refutation {
        mv: game.text_of(asked.mv, notation),
        score: asked.score,
        best: best_text,
        best_score: best.score,
        line,
        sentence: sentences.join(" "),
    })
}

/// What a move costs, compared with the best one: `better`, if that is another.
fn cost(
    score: Option<ReportedScore>,
    best: Option<ReportedScore>,
    better: Option<&String>,
    depth: Option<u32>,
) -> String {
    let sign = |score: Option<ReportedScore>| score.and_then(ReportedScore::proved_sign);
    let (Some(sign), Some(best_sign)) = (sign(score), sign(best)) else {
        let depth = depth.filter(|_| score.is_some() && best.is_some());
        return sentences::judged(depth, better.cloned()).sentence;
    };
    let text = match (sign, best_sign) {
        (1, _) => "Keeps the win.",
        (0, 1) => "Gives away the win.",
        (0, _) => "Keeps the draw.",
        (_, 1) => "Turns a win into a loss.",
        (_, 0) => "Gives away the draw.",
        _ => "No better move is known.",
    };
    match (best, score) {
        (Some(ReportedScore::Margin(best)), Some(ReportedScore::Margin(margin)))
            if margin < best =>
        {
            format!("{text} Costs {} compared with the best move.", best - margin)
        }
        _ => text.to_owned(),
    }
}
