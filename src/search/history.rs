//! Killer moves and history: what earlier cutoffs say about which moves to try first.

use super::params::{HISTORY_LIMIT, HISTORY_MAX_BONUS, KILLER_SCORE, MOVE_SCORE_WEIGHT};
use super::score::MAX_PLY;
use crate::game::{Candidate, Game, Side};

/// A code that few moves have, if any: a wrong killer does no harm.
const NO_MOVE: u16 = u16::MAX;

/// Killers by ply, history by side and [`Candidate::history_index`].
pub(super) struct History {
    /// The codes of the last two moves that caused a cutoff at each ply, or [`NO_MOVE`].
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

    /// Adds history and killer bonus to the evaluator's move scores.
    pub fn score_moves<G: Game>(
        &self,
        candidates: &mut [Candidate<G::Move>],
        mover: Side,
        ply: usize,
    ) {
        let killers = self.killers[ply];
        let history = &self.history[mover.index()];
        for candidate in candidates {
            candidate.score =
                candidate.score * MOVE_SCORE_WEIGHT + history[usize::from(candidate.history_index)];
            if killers.contains(&G::code(candidate.mv)) {
                candidate.score += KILLER_SCORE;
            }
        }
    }

    /// The last of the moves `tried` caused a beta cutoff; those before it did not.
    pub fn update_on_cutoff<G: Game>(
        &mut self,
        mover: Side,
        tried: &[Candidate<G::Move>],
        depth: i32,
        ply: usize,
    ) {
        let Some((best, others)) = tried.split_last() else { return };
        let code = G::code(best.mv);
        let killers = &mut self.killers[ply];
        if killers[0] != code {
            *killers = [code, killers[0]];
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
