//! Move ordering: what the search has learnt about which moves are good.

use crate::game::{Candidate, Game, Side};

use super::score::MAX_PLY;

const KILLER: i32 = 1 << 24;
/// One more line through a cell weighs as much as this much history.
const RANK: i32 = 256;
/// A code that few moves have, if any: a wrong killer does no harm.
const NO_MOVE: u16 = u16::MAX;
const HISTORY_LIMIT: i32 = 1 << 14;

/// Statistics of moves that refuted others.
pub(super) struct History {
    /// The codes of the last two moves at each ply that were too good, or [`NO_MOVE`].
    killers: Vec<[u16; 2]>,
    /// By side and history_index: how often a move there was too good, and how deep.
    history: [Vec<i32>; 2],
}

impl History {
    pub fn new(slots: usize) -> History {
        History {
            killers: vec![[NO_MOVE; 2]; MAX_PLY + 1],
            history: [vec![0; slots], vec![0; slots]],
        }
    }

    /// Adds to the rank of each candidate what is known of it: the history, and whether it is a
    /// killer of this ply.
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
                candidate.score * RANK + history[usize::from(candidate.history_index)];
            if killers.contains(&G::code(candidate.mv)) {
                candidate.score += KILLER;
            }
        }
    }

    /// The last of the moves `tried` was too good for the opponent; those before it were not.
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
        let bonus = (depth * depth).min(400);
        apply_gravity(&mut history[usize::from(best.history_index)], bonus);
        for candidate in others {
            apply_gravity(&mut history[usize::from(candidate.history_index)], -bonus);
        }
    }
}

/// Moves `value` by `bonus`, the less the nearer it is to the limit already.
fn apply_gravity(value: &mut i32, bonus: i32) {
    *value += bonus - *value * bonus.abs() / HISTORY_LIMIT;
}

/// Swaps the candidate with the highest rank to the front: cheaper than sorting, as most nodes
/// never look at their second move.
pub(super) fn bring_best_first<M>(candidates: &mut [Candidate<M>]) {
    let mut best = 0;
    for index in 1..candidates.len() {
        if candidates[index].score > candidates[best].score {
            best = index;
        }
    }
    candidates.swap(0, best);
}
