//! The move picker: hands out the candidates of one node, best first.
//!
//! Staged, because most nodes end with their first move: the table's move comes first, unscored;
//! the others are scored only when one of them is needed, and selected one at a time.

use crate::game::{Candidate, Game};

/// Where the picker stands in the stack of candidates. The node's own are those from the first
/// one it was made for to the top.
pub(super) struct MovePicker {
    next: usize,
    end: usize,
    /// The first move that is ordered by score: all, or all but the table's move.
    scored_from: usize,
}

impl MovePicker {
    /// A picker of the candidates from `first` on, that begins with `tt_move` if it is one of them.
    pub fn new<G: Game>(
        candidates: &mut [Candidate<G::Move>],
        first: usize,
        tt_move: Option<u16>,
    ) -> MovePicker {
        let own = &mut candidates[first..];
        let place = tt_move.and_then(|code| own.iter().position(|own| G::code(own.mv) == code));
        if let Some(place) = place {
            own.swap(0, place);
        }
        let scored_from = first + usize::from(place.is_some());
        MovePicker { next: first, end: candidates.len(), scored_from }
    }

    /// The next best move. `score` is called at most once, with all moves but the table's, and
    /// only if they need an order.
    pub fn next<M: Copy>(
        &mut self,
        candidates: &mut [Candidate<M>],
        score: impl FnOnce(&mut [Candidate<M>]),
    ) -> Option<Candidate<M>> {
        let index = self.next;
        if index == self.end {
            return None;
        }
        self.next += 1;
        if index == self.scored_from && index + 1 < self.end {
            score(&mut candidates[index..]);
        }
        if index >= self.scored_from {
            select_best(&mut candidates[index..]);
        }
        Some(candidates[index])
    }
}

/// One step of a selection sort: swaps the candidate with the highest score to the front.
fn select_best<M>(candidates: &mut [Candidate<M>]) {
    let mut best = 0;
    for index in 1..candidates.len() {
        if candidates[index].score > candidates[best].score {
            best = index;
        }
    }
    candidates.swap(0, best);
}
