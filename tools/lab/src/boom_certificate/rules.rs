//! The rules of Conecta-4 BOOM once more, written to be read: arrays, loops and nothing clever.
//!
//! Shares no code with the engine, so that a certificate does not depend on the engine's board.

use std::fmt;

/// Rows and columns.
const SIZE: usize = 7;
/// An empty cell. Players are 1 and 2, and so are their pieces.
const EMPTY: u8 = 0;
/// A bomb is its owner's piece plus this.
const BOMB: u8 = 3;
/// The move that explodes the mover's bomb; the others are the columns from 1 to 7.
pub const BOOM: u8 = 8;

/// A position. The order is that of the entries in a certificate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The number of the next move, from 1.
    pub number: u16,
    /// `cells[column][row]`, the lowest row first.
    cells: [[u8; SIZE]; SIZE],
}

/// The same move in the mirror image of a position.
pub fn mirrored(mv: u8) -> u8 {
    if mv == BOOM { BOOM } else { 8 - mv }
}

/// The player who makes the move with this number: player 1 the first, then each two in a row.
fn mover_of(number: u16) -> u8 {
    if (number / 2).is_multiple_of(2) { 1 } else { 2 }
}

impl Position {
    /// The empty board.
    pub fn start() -> Position {
        Position { number: 1, cells: [[EMPTY; SIZE]; SIZE] }
    }

    /// The player who makes the next move.
    pub fn mover(&self) -> u8 {
        mover_of(self.number)
    }

    /// What is in a cell, both counted from 0: 0 for nothing, 1 and 2 for pieces, 4 and 5 for bombs.
    pub fn cell(&self, column: usize, row: usize) -> u8 {
        self.cells[column][row]
    }

    /// The columns that are not full, then [`BOOM`] if the mover has a bomb.
    pub fn legal_moves(&self) -> Vec<u8> {
        let open = |column: &u8| self.cells[usize::from(*column) - 1][SIZE - 1] == EMPTY;
        let mut moves: Vec<u8> = (1..=SIZE as u8).filter(open).collect();
        if self.bomb(self.mover()).is_some() {
            moves.push(BOOM);
        }
        moves
    }

    /// The position after a legal move.
    pub fn after(&self, mv: u8) -> Position {
        let mut next = self.clone();
        if mv == BOOM {
            next.explode(self.mover());
        } else {
            let column = &mut next.cells[usize::from(mv) - 1];
            let landing = column.iter().position(|&cell| cell == EMPTY);
            column[landing.expect("the column is not full")] = self.dropped_piece();
        }
        next.number += 1;
        next
    }

    /// The winner, if there is one. With lines of both it is the player who just moved; a player who
    /// cannot move loses.
    pub fn winner(&self) -> Option<u8> {
        let last = mover_of(self.number - 1);
        [last, 3 - last]
            .into_iter()
            .find(|&player| self.has_line(player))
            .or_else(|| self.legal_moves().is_empty().then_some(3 - self.mover()))
    }

    /// The lesser of the position and its mirror image, and whether that is the mirror image.
    pub fn canonical(&self) -> (Position, bool) {
        let mut mirror_image = self.clone();
        mirror_image.cells.reverse();
        let is_mirrored = mirror_image < *self;
        (if is_mirrored { mirror_image } else { self.clone() }, is_mirrored)
    }

    /// What the mover drops: in every fourth turn a bomb, unless one of his is on the board.
    fn dropped_piece(&self) -> u8 {
        let turn = self.number / 4 + 1;
        let is_bomb = turn.is_multiple_of(4) && self.bomb(self.mover()).is_none();
        if is_bomb { self.mover() + BOMB } else { self.mover() }
    }

    /// Column and row of the player's bomb, from 0.
    fn bomb(&self, player: u8) -> Option<(usize, usize)> {
        let row_in = |cells: &[u8; SIZE]| cells.iter().position(|&cell| cell == player + BOMB);
        (0..SIZE).find_map(|column| Some((column, row_in(&self.cells[column])?)))
    }

    /// Removes the player's bomb and all enemy pieces in its row; what was above them falls.
    fn explode(&mut self, player: u8) {
        let (bomb_column, row) = self.bomb(player).expect("the player has a bomb");
        let enemy = 3 - player;
        for (column, cells) in self.cells.iter_mut().enumerate() {
            if column == bomb_column || cells[row] == enemy || cells[row] == enemy + BOMB {
                cells.copy_within(row + 1.., row);
                cells[SIZE - 1] = EMPTY;
            }
        }
    }

    /// Whether four of the player's pieces, bombs included, are in a row, column or diagonal.
    fn has_line(&self, player: u8) -> bool {
        let own = |column: usize, row: usize| {
            let cell = self.cells.get(column).and_then(|cells| cells.get(row));
            cell.is_some_and(|&cell| cell == player || cell == player + BOMB)
        };
        (0..SIZE * SIZE).any(|cell| {
            let (column, row) = (cell / SIZE, cell % SIZE);
            own(column, row)
                && ((1..4).all(|i| own(column, row + i))
                    || (1..4).all(|i| own(column + i, row))
                    || (1..4).all(|i| own(column + i, row + i))
                    || (1..4).all(|i| row >= i && own(column + i, row - i)))
        })
    }

    /// Reads what is displayed.
    pub fn parse(number: &str, columns: &str) -> Option<Position> {
        let mut position = Position { number: number.parse().ok()?, ..Position::start() };
        let mut texts = columns.split('/');
        for cells in &mut position.cells {
            let text = texts.next()?;
            for (row, symbol) in text.bytes().enumerate() {
                *cells.get_mut(row)? = b"1245".contains(&symbol).then(|| symbol - b'0')?;
            }
        }
        texts.next().is_none().then_some(position)
    }
}

/// The number of the next move, and the pieces of each column from the bottom.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces = |cells: &[u8; SIZE]| -> String {
            let filled = cells.iter().filter(|&&cell| cell != EMPTY);
            filled.map(|cell| char::from(b'0' + cell)).collect()
        };
        write!(f, "{} {}", self.number, self.cells.each_ref().map(pieces).join("/"))
    }
}
