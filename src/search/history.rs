//! Killer moves and history: what earlier cutoffs say about which moves to try first.

use super::params::{
    HISTORY_LIMIT, HISTORY_MAX_BONUS, KILLER_SCORE, MOVE_SCORE_WEIGHT, NOISY_SCORE,
};
use super::score::MAX_PLY;
use crate::game::{Candidate, NOISY, Side};

/// An index that few moves have, if any: a wrong killer does no harm.
const NO_MOVE: u16 = u16::MAX;

/// Killers by ply, history by side. Both know a move by its [`Candidate::history_index`]: the same
/// house with other seeds, or the same column at another height, is another move.
pub(super) struct History {
    /// The last two moves that caused a cutoff at each ply, or [`NO_MOVE`].
    killers: Vec<[u16; 2]>,
    history: [Vec<i32>; 2],
}

impl History {
    pub fn new(history_len: usize) -> History {
        History {
            killers: vec![[NO_MOVE; 2]; MAX_PLY + 1],
            history: [vec![0; history_len], vec![0; history_len]],
        }
    }

    /// Adds history and the bonus of noisy moves and killers to the evaluator's move scores.
    pub fn score_moves<M>(&self, candidates: &mut [Candidate<M>], mover: Side, ply: usize) {
        let killers = self.killers[ply];
        let history = &self.history[mover.index()];
        for candidate in candidates {
            let bonus = if candidate.score >= NOISY {
                NOISY_SCORE
            } else if killers.contains(&candidate.history_index) {
                KILLER_SCORE
            } else {
                0
            };
            candidate.score = candidate.score * MOVE_SCORE_WEIGHT
                + history[usize::from(candidate.history_index)]
                + bonus;
        }
    }

    /// The last of the moves `tried` caused a beta cutoff; those before it did not.
    pub fn update_on_cutoff<M>(
        &mut self,
        mover: Side,
        tried: &[Candidate<M>],
        depth: i32,
        ply: usize,
    ) {
        let Some((best, others)) = tried.split_last() else { return };
        let killers = &mut self.killers[ply];
        if killers[0] != best.history_index {
            *killers = [best.history_index, killers[0]];
        }
        let history = &mut self.history[mover.index()];
        let bonus = (depth * depth).min(HISTORY_MAX_BONUS);
        apply_gravity(&mut history[usize::from(best.history_index)], bonus);
        for candidate in others {
            apply_gravity(&mut history[usize::from(candidate.history_index)], -bonus);
        }
    }
}

/// Moves `value` by `bonus`, the less the nearer it already is to the limit.
fn apply_gravity(value: &mut i32, bonus: i32) {
    *value += bonus - *value * bonus.abs() / HISTORY_LIMIT;
}
