//! Move ordering: what the search has learnt about which moves are good.

use crate::game::{Candidate, Game, Side};

use super::score::MAX_PLY;

const TABLE_MOVE: i32 = 1 << 28;
const KILLER: i32 = 1 << 24;
/// One more line through a cell weighs as much as this much history.
const RANK: i32 = 256;
const HISTORY_LIMIT: i32 = 1 << 14;

/// Statistics of moves that refuted others.
pub(super) struct Ordering {
    /// The codes of the last two moves at each ply that were too good.
    killers: Vec<[Option<u16>; 2]>,
    /// By side and slot: how often a move there was too good, and how deep.
    history: [Vec<i32>; 2],
}

impl Ordering {
    pub fn new(slots: usize) -> Ordering {
        Ordering {
            killers: vec![[None; 2]; MAX_PLY + 1],
            history: [vec![0; slots], vec![0; slots]],
        }
    }

    /// Replaces the static rank of each candidate by one that knows the table's move, the
    /// killers of this ply and the history.
    pub fn rank<G: Game>(
        &self,
        candidates: &mut [Candidate<G::Move>],
        known_best: Option<u16>,
        mover: Side,
        ply: usize,
    ) {
        let killers = self.killers[ply];
        let history = &self.history[mover.index()];
        for candidate in candidates {
            let code = Some(G::code(candidate.mv));
            candidate.rank = candidate.rank * RANK + history[usize::from(candidate.slot)];
            if code == known_best {
                candidate.rank += TABLE_MOVE;
            } else if killers.contains(&code) {
                candidate.rank += KILLER;
            }
        }
    }

    /// `best` refuted the move before it; the `earlier` candidates did not.
    pub fn reward<M>(
        &mut self,
        mover: Side,
        best: Candidate<M>,
        earlier: &[Candidate<M>],
        depth: i32,
        ply: usize,
        code: u16,
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(code) {
            *killers = [Some(code), killers[0]];
        }
        let history = &mut self.history[mover.index()];
        let bonus = (depth * depth).min(400);
        nudge(&mut history[usize::from(best.slot)], bonus);
        for candidate in earlier {
            nudge(&mut history[usize::from(candidate.slot)], -bonus);
        }
    }
}

/// Moves `value` by `bonus`, the less the nearer it is to the limit already.
fn nudge(value: &mut i32, bonus: i32) {
    *value += bonus - *value * bonus.abs() / HISTORY_LIMIT;
}

/// Swaps the candidate with the highest rank to the front: cheaper than sorting, as most nodes
/// never look at their second move.
pub(super) fn bring_best_first<M>(candidates: &mut [Candidate<M>]) {
    let mut best = 0;
    for index in 1..candidates.len() {
        if candidates[index].rank > candidates[best].rank {
            best = index;
        }
    }
    candidates.swap(0, best);
}
