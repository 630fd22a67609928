//! The endgame tables: exact values of every position of the move phase with at most a certain
//! number of stones a side.
//!
//! The values are those of the game without history: a position that neither side can force to an
//! end is a draw. With the rules' two memories, the third occurrence and the count of quiet plies,
//! they hold as follows. A draw stays one, since the past only ever turns wins into draws. A win
//! in this many plies stays one if [`Game::history_free_plies`] are at least as many: see there.
//!
//! Three stones against three are in a table that the engine builds itself ([`builtin`]); larger ones
//! come from files.

pub mod builtin;
pub mod file;
pub mod index;
pub mod retrograde;
pub(in crate::games::wali) mod symmetry;

use std::path::Path;
use std::sync::Arc;

use super::bits::{AnyShape, Shape};
use super::board::{Board, Phase};
use crate::endgames::EndgameStore;
use crate::game::{ExactValue, Game};
use file::TableHeader;
use index::{Class, PositionIndex};
use retrograde::{Analysis, Stage, TooLong};

/// The table: one byte for each position, 0 for a draw, else the number of plies to the end.
/// The player who moves last wins, so an odd number is a win and an even one a loss.
pub struct Endgames {
    index: PositionIndex,
    values: Values,
    /// By class: the most plies to the end of a game.
    longest: Vec<u8>,
}

/// The values, in memory of their own or behind the header of a file.
type Values = Box<dyn AsRef<[u8]> + Send + Sync>;

impl Endgames {
    fn new(index: PositionIndex, values: Values) -> Endgames {
        let mut table = Endgames { index, values, longest: Vec::new() };
        let longest = |&class: &Class| table.class(class).iter().copied().max().unwrap_or(0);
        table.longest = table.index.classes().iter().map(longest).collect();
        table
    }

    /// Reads a table.
    pub fn load(path: &Path) -> Result<Endgames, String> {
        let file = file::read(path)?;
        let TableHeader { shape, most } = file.header;
        Ok(Endgames::new(PositionIndex::new(shape, most), Box::new(file)))
    }

    /// The table of a board with up to `most` stones a side, built now. Calls `goes_on` again and
    /// again; once that says no, there is none.
    pub fn build(
        shape: AnyShape,
        most: usize,
        mut goes_on: impl FnMut() -> bool,
    ) -> Result<Option<Endgames>, TooLong> {
        /// A millisecond or so: where there is one thread, a stop is heard between two batches.
        const BATCH: u64 = 1 << 12;
        let index = PositionIndex::new(shape, most);
        let mut values = vec![0; index.total() as usize];
        for &class in index.classes().iter().filter(|(own, enemy)| own >= enemy) {
            let numbers = retrograde::numbers(&index, class).unwrap_or(0..0);
            let mut open = vec![0; (numbers.end - numbers.start) as usize];
            let mut analysis =
                Analysis::new(&index, numbers, &mut values, &mut open, Stage::default());
            while !analysis.advance(BATCH)? {
                if !goes_on() {
                    return Ok(None);
                }
            }
        }
        Ok(Some(Endgames::new(index, Box::new(values))))
    }

    /// The numbers of the positions.
    pub fn index(&self) -> &PositionIndex {
        &self.index
    }

    /// The values of all positions, by their numbers.
    pub fn values(&self) -> &[u8] {
        (*self.values).as_ref()
    }

    /// The most plies that a game takes from a position with at most `most` stones a side, if either
    /// side can force its end.
    pub fn longest(&self, most: usize) -> usize {
        let classes = self.index.classes().iter().zip(&self.longest);
        let few = classes.filter(|((own, enemy), _)| *own.max(enemy) <= most);
        few.map(|(_, &plies)| usize::from(plies)).max().unwrap_or(0)
    }

    /// The exact value of the position with these stones, if it is in the table.
    pub fn look_up(&self, own: u32, enemy: u32) -> Option<ExactValue> {
        let number = self.index.number(own, enemy)?;
        Some(exact_value(self.values()[number as usize]))
    }

    /// Whether the table is about boards of this size. How many stones were dropped does not matter.
    fn is_about(&self, shape: AnyShape) -> bool {
        let own = self.index.shape();
        (own.rows(), own.columns()) == (shape.rows(), shape.columns())
    }

    /// The exact value of a position of the move phase, its history ignored. The board has the size
    /// that the table is about.
    pub(super) fn look_up_board<S: Shape>(&self, board: &Board<S>) -> Option<ExactValue> {
        let me = board.side_to_move();
        (board.phase() == Phase::Move)
            .then(|| self.look_up(board.stones(me), board.stones(!me)))
            .flatten()
    }

    /// The values of a class.
    pub fn class(&self, class: Class) -> &[u8] {
        let range = self.index.range(class);
        range.map_or(&[], |range| &self.values()[range.start as usize..range.end as usize])
    }
}

/// What a byte of the table says.
pub fn exact_value(value: u8) -> ExactValue {
    match usize::from(value) {
        0 => ExactValue::Draw,
        plies if plies % 2 == 1 => ExactValue::Win(plies),
        plies => ExactValue::Loss(plies),
    }
}

/// The table loaded from a file, if any.
#[derive(Default)]
struct LoadedTable(Option<Arc<Endgames>>);

/// The loaded table if it is about boards of this size.
pub(super) fn loaded(endgames: &EndgameStore, shape: AnyShape) -> Option<Arc<Endgames>> {
    let LoadedTable(table) = endgames.get()?;
    table.clone().filter(|table| table.is_about(shape))
}

/// Loads the table in this file, or drops the loaded one if the path is empty. If the table cannot
/// be used, the store is unchanged.
pub fn load_table(endgames: &mut EndgameStore, path: &str) -> Result<(), String> {
    let table =
        if path.is_empty() { None } else { Some(Arc::new(Endgames::load(Path::new(path))?)) };
    endgames.get_or_default::<LoadedTable>().0 = table;
    Ok(())
}
