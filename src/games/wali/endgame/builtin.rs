//! The table that the engine builds itself, in a second or less, so that it plays the last stones
//! perfectly without a file.
//!
//! It is built in the background when a search could first use it. A search with a time limit does
//! not wait for it but uses it as soon as it is complete. A search that only its own work ends, by
//! nodes or depth, waits, so that it finds the same every time; so does the solver, which has no answer
//! without it. Where no thread can be started, as in WebAssembly without shared memory, there is no
//! background: those who would wait build it themselves, and searches with a time limit find it only if
//! one of them has.

use std::io;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::Endgames;
use super::index;
use super::retrograde::TooLong;
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
    construction: Arc<Construction>,
    /// Whether another thread builds it. If not, those who wait do.
    in_background: bool,
}

impl BuiltinTable {
    /// A table that `spawn` is asked to have built on another thread.
    fn new(
        shape: AnyShape,
        most: usize,
        spawn: impl FnOnce(Box<dyn FnOnce() + Send>) -> io::Result<()>,
    ) -> BuiltinTable {
        let construction = Arc::new(Construction { shape, most, table: OnceLock::new() });
        let unfinished = Arc::clone(&construction);
        let build = move || Background(unfinished).0.run(|| true);
        BuiltinTable { construction, in_background: spawn(Box::new(build)).is_ok() }
    }

    /// The most stones of each side.
    pub fn most(&self) -> usize {
        self.construction.most
    }

    /// The table, if it is complete.
    pub fn get(&self) -> Option<&Endgames> {
        self.construction.table.get()?.as_ref()
    }

    /// Waits for the end of the construction, but not beyond a stop or this part of the time.
    pub fn wait(&self, limits: &Limits, control: &SearchControl, part: f64) {
        let time = limits.budget().hard.map(|time| time.mul_f64(part));
        let is_time_up = || time.is_some_and(|time| control.is_time_up(time));
        let goes_on = || !control.should_stop() && !is_time_up();
        while self.construction.table.get().is_none() && goes_on() {
            if self.in_background {
                pause(Duration::from_millis(1));
            } else {
                self.construction.run(goes_on);
            }
        }
    }
}

struct Construction {
    shape: AnyShape,
    most: usize,
    /// Empty before the end, `None` if it failed.
    table: OnceLock<Option<Endgames>>,
}

impl Construction {
    /// Builds the table. If `goes_on` says no, nothing is kept of it.
    fn run(&self, goes_on: impl FnMut() -> bool) {
        match Endgames::build(self.shape, self.most, goes_on) {
            Ok(None) => {}
            Ok(table) => drop(self.table.set(table)),
            // A board on which games take too long for the table has none.
            Err(TooLong) => drop(self.table.set(None)),
        }
    }
}

/// Marks a construction as failed unless it succeeded, also if it panics.
struct Background(Arc<Construction>);

impl Drop for Background {
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
    let is_same = |table: &&Arc<BuiltinTable>| {
        (table.construction.shape, table.construction.most) == (shape, most)
    };
    let known = slot.as_ref().filter(is_same).cloned();
    let table = known.unwrap_or_else(|| Arc::new(BuiltinTable::new(shape, most, spawn_detached)));
    *slot = Some(table.clone());
    if limits.nodes.is_some() || limits.depth.is_some() {
        table.wait(limits, control, SEARCH_WAITS);
    }
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::wali::shape;
    use crate::strategy::Playable;

    fn no_thread(_: Box<dyn FnOnce() + Send>) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    #[test]
    fn without_threads_those_who_wait_build_the_table() {
        let shape = shape(&["3", "3", "4"]).unwrap().any();
        let most = most_stones(shape);
        let table = BuiltinTable::new(shape, most, no_thread);
        let wait = |control: &SearchControl| table.wait(&Limits::default(), control, 1.0);
        let stopped = SearchControl::new(false, false);
        stopped.stop();
        wait(&stopped);
        assert!(table.get().is_none(), "a stop comes first");
        wait(&SearchControl::new(false, false));
        let in_background = BuiltinTable::new(shape, most, spawn_detached);
        in_background.wait(&Limits::default(), &SearchControl::new(false, false), 1.0);
        let values = |table: &BuiltinTable| table.get().unwrap().values().to_vec();
        assert_eq!(values(&table), values(&in_background));
    }

    /// In any order of boards, the one before is not kept.
    #[test]
    fn a_search_gets_the_table_of_its_own_board_and_the_same_again() {
        let mut endgames = EndgameStore::default();
        let mut found = |words: [&str; 3], depth| {
            let board = Board::empty_board(shape(&words).unwrap());
            let limits = Limits { depth, ..Limits::default() };
            let control = SearchControl::new(false, false);
            for_search(&mut endgames, &board, &limits, &control).unwrap()
        };
        let mut last = None;
        for words in [["3", "4", "3"], ["4", "3", "3"], ["3", "3", "3"], ["3", "4", "4"]] {
            let table = found(words, Some(1));
            let built = table.get().expect("a search to a depth waits");
            let board = shape(&words).unwrap().any();
            assert_eq!((built.index().shape(), built.index().most()), (board, most_stones(board)));
            assert!(Arc::ptr_eq(&found(words, None), &table), "it is kept");
            let game = Board::empty_board(board);
            let evaluator = game.evaluator(&EndgameStore::default()).with_builtin(table.clone());
            assert!(evaluator.has_table_of(most_stones(board)));
            assert!(!evaluator.has_table_of(most_stones(board) + 1));
            assert!(last.is_none_or(|last| !Arc::ptr_eq(&last, &table)));
            last = Some(table);
        }
    }

    /// A host that sends a stop during the construction is heard.
    #[test]
    fn an_interrupted_construction_begins_again() {
        let shape = shape(&["4", "4", "6"]).unwrap().any();
        let table = BuiltinTable::new(shape, most_stones(shape), no_thread);
        let mut batches = 0;
        table.construction.run(|| {
            batches += 1;
            batches < 5
        });
        assert_eq!(batches, 5);
        assert!(table.get().is_none());
        table.wait(&Limits::default(), &SearchControl::new(false, false), 1.0);
        assert!(table.get().is_some());
    }
}
