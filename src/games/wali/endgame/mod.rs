//! The endgame table: exact values of every position of the move phase with at most three stones
//! a side.
//!
//! The values are those of the game without history: a position that neither side can force to an
//! end is a draw. With the rules' two memories, the third occurrence and the count of quiet plies,
//! they hold as follows. A draw stays one, since the past only ever turns wins into draws. A win
//! in so many plies stays one if [`Game::history_free_plies`] are at least as many: see there.

pub mod file;
pub mod index;

use std::path::Path;
use std::sync::Arc;

use super::board::{Board, Phase};
use crate::endgames::EndgameStore;
use crate::game::{ExactValue, Game};
use crate::platform::files::printable;

/// The table: one byte for each position, 0 for a draw, else the number of plies to the end.
/// The player who moves last wins, so an odd number is a win and an even one a loss.
#[derive(Debug)]
pub struct Endgames {
    values: Vec<u8>,
}

impl Endgames {
    /// Reads a complete table.
    pub fn load(path: &Path) -> Result<Endgames, String> {
        let (classes, values) = file::read(path)?;
        if classes < index::CLASSES.len() {
            return Err(format!(
                "{}: incomplete table, only {classes} of {} classes",
                printable(path),
                index::CLASSES.len()
            ));
        }
        Endgames::from_values(values)
    }

    /// The table with these values, one for each position.
    pub fn from_values(values: Vec<u8>) -> Result<Endgames, String> {
        if values.len() == index::TOTAL {
            Ok(Endgames { values })
        } else {
            let (found, wanted) = (values.len(), index::TOTAL);
            Err(format!("expected {wanted} values, got {found}"))
        }
    }

    /// The exact value of the position with these stones, if it is in the table.
    pub fn look_up(&self, own: u32, enemy: u32) -> Option<ExactValue> {
        let value = *self.values.get(index::number(own, enemy)?)?;
        Some(exact_value(value))
    }

    /// The exact value of a position of the move phase, its history ignored.
    pub(super) fn look_up_board(&self, board: &Board) -> Option<ExactValue> {
        let me = board.side_to_move();
        (board.phase() == Phase::Move)
            .then(|| self.look_up(board.stones(me), board.stones(!me)))
            .flatten()
    }

    /// The values of a class.
    pub fn class(&self, class: index::Class) -> &[u8] {
        index::range(class).map_or(&[], |range| &self.values[range])
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

/// The loaded table, if any.
pub(super) fn loaded(endgames: &EndgameStore) -> Option<Arc<Endgames>> {
    endgames.get::<Option<Arc<Endgames>>>().cloned().flatten()
}

/// Loads the table in this file, or drops the loaded one if the path is empty. If the table cannot
/// be used, the store is unchanged.
pub fn load_table(endgames: &mut EndgameStore, path: &str) -> Result<(), String> {
    let table =
        if path.is_empty() { None } else { Some(Arc::new(Endgames::load(Path::new(path))?)) };
    *endgames.get_or_default() = table;
    Ok(())
}
