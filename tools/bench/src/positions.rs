//! Public test positions of Connect Four with their scores, in six sets of 1000.
//!
//! The sets are those of Pascal Pons' tutorial: L1 is the beginning of a game, L2 the middle, L3
//! the end; R1 is easy, R2 medium, R3 hard.

use anyhow::{Context as _, Result};
use ratlla::games::connect4::solver::Position;
use ratlla_timing::Case;

/// Rows and columns of all positions.
pub const BOARD: (u32, u32) = (6, 7);

/// One set of positions.
pub struct Set {
    /// The name of its file.
    pub name: &'static str,
    text: &'static str,
}

/// The end of a game, easy.
pub const END_EASY: Set =
    Set { name: "Test_L3_R1", text: include_str!("../../../tests/data/connect4/Test_L3_R1") };
/// The middle of a game, easy.
pub const MIDDLE_EASY: Set =
    Set { name: "Test_L2_R1", text: include_str!("../../../tests/data/connect4/Test_L2_R1") };
/// The middle of a game, medium.
pub const MIDDLE_MEDIUM: Set =
    Set { name: "Test_L2_R2", text: include_str!("../../../tests/data/connect4/Test_L2_R2") };
/// The beginning of a game, easy.
pub const BEGIN_EASY: Set =
    Set { name: "Test_L1_R1", text: include_str!("../../../tests/data/connect4/Test_L1_R1") };
/// The beginning of a game, medium.
pub const BEGIN_MEDIUM: Set =
    Set { name: "Test_L1_R2", text: include_str!("../../../tests/data/connect4/Test_L1_R2") };
/// The beginning of a game, hard.
pub const BEGIN_HARD: Set =
    Set { name: "Test_L1_R3", text: include_str!("../../../tests/data/connect4/Test_L1_R3") };

impl Set {
    /// The first `count` positions.
    pub fn cases(&self, count: usize) -> Result<Vec<Case<Position>>> {
        let read =
            |line| Case::read(line, position).with_context(|| format!("{}: {line}", self.name));
        self.text.lines().take(count).map(read).collect()
    }
}

fn position(moves: &str) -> Result<Position> {
    let columns = moves.bytes().map(|digit| u32::from(digit).wrapping_sub(u32::from(b'1')));
    Ok(Position::from_moves(BOARD.0, BOARD.1, columns)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_parses() {
        for set in [END_EASY, MIDDLE_EASY, MIDDLE_MEDIUM, BEGIN_EASY, BEGIN_MEDIUM, BEGIN_HARD] {
            assert_eq!(set.cases(usize::MAX).expect(set.name).len(), 1000);
            assert_eq!(set.cases(7).expect(set.name).len(), 7);
        }
    }
}
