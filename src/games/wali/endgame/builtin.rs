//! The table that the engine builds itself, in a second or less, so that it plays the last stones
//! perfectly without a file.
//!
//! It is built in the background when a search could first use it. A search with a time limit does
//! not wait for it but uses it as soon as it is complete. A search that only its own work ends, by
//! nodes or depth, waits, so that it finds the same every time; so does the solver, which has no answer
//! without it.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::Endgames;
use super::index;
use crate::endgames::EndgameStore;
use crate::game::Side;
use crate::games::wali::bits::{AnyShape, Shape, THREE};
use crate::games::wali::board::{Board, Phase};
use crate::limits::{Limits, SearchControl};
use crate::platform::threads::{pause, spawn_detached};

/// The most positions of such a table.
const MOST_POSITIONS: u64 = 6_000_000;
/// The table is built when no more than this many captures lead to it.
const CAPTURES_AHEAD: usize = 6;
/// The part of its time, if that is limited too, for which a search waits.
const SEARCH_WAITS: f64 = 0.5;

/// A table that may still be under construction.
pub struct BuiltinTable {
    shape: AnyShape,
    most: usize,
    /// Empty during the construction, `None` if it failed.
    table: OnceLock<Option<Endgames>>,
}

impl BuiltinTable {
    /// The most stones of each side.
    pub fn most(&self) -> usize {
        self.most
    }

    /// The table, if it is complete.
    pub fn get(&self) -> Option<&Endgames> {
        self.table.get()?.as_ref()
    }

    /// Waits for the end of the construction, but not beyond a stop or this part of the time.
    pub fn wait(&self, limits: &Limits, control: &SearchControl, part: f64) {
        let time = limits.budget().hard.map(|time| time.mul_f64(part));
        let is_time_up = || time.is_some_and(|time| control.is_time_up(time));
        while self.table.get().is_none() && !control.should_stop() && !is_time_up() {
            pause(Duration::from_millis(1));
        }
    }
}

/// Marks the construction as failed unless it succeeded, also if it panics.
struct Construction(Arc<BuiltinTable>);

impl Construction {
    fn run(&self) {
        let BuiltinTable { shape, most, ref table } = *self.0;
        // A board on which games take too long for the table has none.
        drop(table.set(Endgames::build(shape, most, || true).ok().flatten()));
    }
}

impl Drop for Construction {
    fn drop(&mut self) {
        drop(self.0.table.set(None));
    }
}

/// The most stones of a side in the table of this board.
pub(in crate::games::wali) fn most_stones(shape: AnyShape) -> usize {
    let positions = |most| -> u64 {
        index::classes(shape, most).into_iter().map(|class| index::size(shape, class)).sum()
    };
    let wanted = THREE..=shape.stones() as usize;
    wanted.take_while(|&most| positions(most) <= MOST_POSITIONS).last().unwrap_or(THREE)
}

/// Whether a search from this position may come across positions of the table.
fn is_near<S: Shape>(board: &Board<S>, most: usize) -> bool {
    let stones = board.stones(Side::P1) | board.stones(Side::P2);
    match board.phase() {
        Phase::Drop => board.shape().stones() as usize <= most,
        Phase::Move => stones.count_ones() as usize <= 2 * most + CAPTURES_AHEAD,
    }
}

/// The table for a search from this position, if it is near enough. Whether there is one depends on
/// nothing but the position and, unless the search has a node or depth limit, the time.
pub(in crate::games::wali) fn for_search<S: Shape>(
    endgames: &mut EndgameStore,
    board: &Board<S>,
    limits: &Limits,
    control: &SearchControl,
) -> Option<Arc<BuiltinTable>> {
    let shape = board.shape().any();
    let most = most_stones(shape);
    if !is_near(board, most) {
        return None;
    }
    let slot: &mut Option<Arc<BuiltinTable>> = endgames.get_or_default();
    let same = |table: &&mut Arc<BuiltinTable>| (table.shape, table.most) == (shape, most);
    let table = match slot.as_mut().filter(same) {
        Some(table) => table.clone(),
        None => {
            let table = Arc::new(BuiltinTable { shape, most, table: OnceLock::new() });
            *slot = Some(table.clone());
            let construction = Construction(table.clone());
            // Where there are no threads, there is no such table.
            drop(spawn_detached(move || construction.run()));
            table
        }
    };
    if limits.nodes.is_some() || limits.depth.is_some() {
        table.wait(limits, control, SEARCH_WAITS);
    }
    Some(table)
}
