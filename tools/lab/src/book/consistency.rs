//! Minimax consistency: a score is the best of its children's.

use std::path::Path;

use anyhow::{Result, ensure};
use ratlla::games::connect4::solver::{Position, SolverScore, win_leaving};

use super::positions::{Level, children};
use super::{Scores, known};
use crate::journal::read_journals;

/// The scores in all journals of a book and those derived from them. Fails unless every position
/// of `levels` has a score that agrees with its children's.
pub fn complete_scores(book: &Path, levels: &[Level]) -> Result<Scores> {
    let mut scores = read_journals(book)?;
    add_derived(levels, &mut scores);
    check_minimax(levels, &scores)?;
    Ok(scores)
}

/// Fails unless every position of `levels` has a score, and the best of its children's where all
/// of these are known.
fn check_minimax(levels: &[Level], scores: &Scores) -> Result<()> {
    for (key, position) in levels.iter().flatten() {
        let score = known(scores, position);
        ensure!(score.is_some(), "position {} has no score", key.0);
        if let Some(best) = best_of_moves(position, scores) {
            ensure!(
                score == Some(best),
                "position {} has score {score:?}, its moves give {best}",
                key.0
            );
        }
    }
    Ok(())
}

/// Adds the scores that follow from the children's, from the last level up.
fn add_derived(levels: &[Level], scores: &mut Scores) {
    for (stones, level) in levels.iter().enumerate().rev() {
        for (&key, position) in level {
            if known(scores, position).is_none()
                && let Some(score) = best_of_moves(position, scores)
            {
                scores.insert((stones as u32, key.0), score);
            }
        }
    }
}

/// The score of a position by its children's, if all of these are known.
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
    use crate::book::positions::levels;
    use ratlla::games::connect4::book::key::{Key, stones};

    /// Level 2 with one score for all positions, and the scores derived from it.
    fn derived() -> (Vec<Level>, Scores) {
        let levels = levels(2);
        let mut scores: Scores =
            levels[2].iter().map(|(&key, position)| ((stones(position), key.0), -3)).collect();
        add_derived(&levels, &mut scores);
        (levels, scores)
    }

    #[test]
    fn scores_are_derived_from_the_children() {
        let (levels, scores) = derived();
        assert_eq!(scores.len(), levels.iter().map(Level::len).sum::<usize>());
        assert_eq!(scores.get(&(1, levels[1].keys().next().expect("some").0)), Some(&3));
        assert!(check_minimax(&levels, &scores).is_ok());
    }

    #[test]
    fn wrong_and_missing_scores_are_found() {
        let (levels, mut scores) = derived();
        let Key(start) = *levels[0].keys().next().expect("one");
        scores.insert((0, start), 5);
        assert!(check_minimax(&levels, &scores).is_err());
        scores.remove(&(0, start));
        assert!(check_minimax(&levels, &scores).is_err());
    }
}
