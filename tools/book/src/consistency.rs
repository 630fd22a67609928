//! Do the scores fit together?

use std::path::Path;

use anyhow::{Result, ensure};
use ratlla::games::connect4::solver::{Position, SolverScore, win_leaving};

use crate::journal::{Scores, known, read_journals};
use crate::positions::{Level, children};

/// The scores of all journals of a book and those that follow from them. Fails unless they are
/// complete for `levels` and fit together.
pub fn complete_scores(book: &Path, levels: &[Level]) -> Result<Scores> {
    let mut scores = read_journals(book)?;
    add_derived(levels, &mut scores);
    check_minimax(levels, &scores)?;
    Ok(scores)
}

/// Fails unless every position of `levels` has a score, and one that is the best of its moves
/// wherever all of them have scores.
fn check_minimax(levels: &[Level], scores: &Scores) -> Result<()> {
    for (key, position) in levels.iter().flatten() {
        let score = known(scores, position);
        ensure!(score.is_some(), "no score of position {}", key.0);
        if let Some(best) = best_of_moves(position, scores) {
            ensure!(score == Some(best), "{score:?} of position {} should be {best}", key.0);
        }
    }
    Ok(())
}

/// Adds the scores that follow from those of the next positions, from the last level up.
fn add_derived(levels: &[Level], scores: &mut Scores) {
    for (stones, level) in levels.iter().enumerate().rev() {
        for (&key, position) in level {
            if known(scores, position).is_none()
                && let Some(score) = best_of_moves(position, scores)
            {
                scores.insert((stones as u32, key), score);
            }
        }
    }
}

/// The score of a position by those of the next ones, if they are known.
fn best_of_moves(position: &Position, scores: &Scores) -> Option<SolverScore> {
    let mut best = None;
    for next in children(position) {
        let score = match next.winner() {
            Some(_) => win_leaving(next.empties()),
            None => -known(scores, &next)?,
        };
        best = best.max(Some(score));
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positions::levels;
    use ratlla::games::connect4::book::key::{Key, stones};

    /// Level 2 with one score for all, and what follows from it.
    fn derived() -> (Vec<Level>, Scores) {
        let levels = levels(2);
        let mut scores: Scores =
            levels[2].iter().map(|(&key, position)| ((stones(position), key), -3)).collect();
        add_derived(&levels, &mut scores);
        (levels, scores)
    }

    #[test]
    fn scores_follow_from_those_below() {
        let (levels, scores) = derived();
        assert_eq!(scores.len(), levels.iter().map(Level::len).sum::<usize>());
        assert_eq!(scores.get(&(1, *levels[1].keys().next().expect("some"))), Some(&3));
        assert!(check_minimax(&levels, &scores).is_ok());
    }

    #[test]
    fn contradictions_and_gaps_are_found() {
        let (levels, mut scores) = derived();
        let start: Key = *levels[0].keys().next().expect("one");
        scores.insert((0, start), 5);
        assert!(check_minimax(&levels, &scores).is_err());
        scores.remove(&(0, start));
        assert!(check_minimax(&levels, &scores).is_err());
    }
}
