//! Do the scores fit together?

use anyhow::{Result, ensure};
use ratlla::games::connect4::solver::{Position, Score};

use crate::journal::{Scores, known};
use crate::positions::{Level, children};

/// Fails unless every position of `levels` has a score, and one that is the best of its moves
/// wherever all of them have scores.
pub fn check_minimax(levels: &[Level], scores: &Scores) -> Result<()> {
    for (key, position) in levels.iter().flatten() {
        let score = known(scores, position);
        ensure!(score.is_some(), "no score of position {}", key.0);
        if let Some(best) = best_of_moves(position, scores) {
            ensure!(score == Some(best), "{score:?} of position {} should be {best}", key.0);
        }
    }
    Ok(())
}

/// The score of a position by those of the next ones, if they are known.
pub fn best_of_moves(position: &Position, scores: &Scores) -> Option<Score> {
    let mut best = None;
    for next in children(position) {
        let score = match next.winner() {
            // A winning stone is worth 1 and as many as the winner could still place.
            Some(_) => 1 + (next.empties() / 2) as Score,
            None => -known(scores, &next)?,
        };
        best = best.max(Some(score));
    }
    best
}
