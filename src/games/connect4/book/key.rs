//! Keys of 6x7 positions, equal for mirror images.

use crate::games::connect4::solver::Position;

/// Rows of the book's board.
pub const ROWS: u32 = 6;
/// Columns of the book's board.
pub const COLUMNS: u32 = 7;
/// Rows, columns and line of the book's board.
const BOARD: (u32, u32, u32) = (ROWS, COLUMNS, 4);
/// Most stones in a position with a key: `3^(29 + 7)` keys fit 58 bits.
pub const MAX_STONES: u32 = 29;

/// The key of a position and its mirror image.
///
/// The columns are written from left to right, each from the bottom up, in ternary digits: 1 for a
/// stone of the side to move, 2 for one of its opponent, 0 for the end of the column. The key is
/// the smaller of this number and that of the mirror image, below `3^(stones + 7)`. Positions with
/// equal left columns have close keys, so the differences of sorted keys are small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub u64);

impl Key {
    /// The key of a position, or `None` if it is not one of 6x7 with lines of four or has more than
    /// [`MAX_STONES`] stones.
    pub fn of(position: &Position) -> Option<Key> {
        let right_board = (position.rows(), position.columns(), position.line()) == BOARD;
        (right_board && stones(position) <= MAX_STONES)
            .then(|| Key(digits(position).min(digits(&position.mirrored()))))
    }

    /// The position with this key, or its mirror image; `None` if no position has it.
    pub fn position(self) -> Option<Position> {
        let Key(mut rest) = self;
        let (mut mover, mut other) = (0, 0);
        for column in (0..COLUMNS).rev() {
            // Backwards: the end of the column, then its stones from the top down.
            let mut stones = Vec::new();
            rest /= 3;
            while !rest.is_multiple_of(3) {
                stones.push(rest % 3);
                rest /= 3;
            }
            if stones.len() > ROWS as usize {
                return None;
            }
            for (row, stone) in (0..).zip(stones.into_iter().rev()) {
                let cell = 1 << (column * (ROWS + 1) + row);
                *if stone == 1 { &mut mover } else { &mut other } |= cell;
            }
        }
        let position = Position::new(ROWS, COLUMNS).ok()?.with_stones(mover, other).ok()?;
        (Key::of(&position) == Some(self)).then_some(position)
    }
}

/// Number of stones on a 6x7 board.
pub fn stones(position: &Position) -> u32 {
    ROWS * COLUMNS - position.empties()
}

fn digits(position: &Position) -> u64 {
    let (mover, other) = position.to_stones();
    let mut number = 0;
    for column in 0..COLUMNS {
        for row in 0..ROWS {
            let cell = 1u128 << (column * (ROWS + 1) + row);
            match (mover & cell != 0, other & cell != 0) {
                (true, _) => number = number * 3 + 1,
                (_, true) => number = number * 3 + 2,
                _ => break,
            }
        }
        number *= 3;
    }
    number
}
