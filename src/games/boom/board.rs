//! The rules of BOOM: position, make and unmake of moves, explosions and the end of the game.

use once_cell::sync::Lazy;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::bits::{self, BOARD, BOTTOM};
use crate::game::{Game, Outcome, Side};

/// The game is a draw after this many moves.
pub const MOST_MOVES: u16 = 300;
/// The turn order and the turns with bombs repeat after this many moves.
pub const CYCLE: u16 = 16;

/// Zobrist keys, by side and cell.
struct Keys {
    stone: [[u64; 64]; 2],
    /// In addition to the stone's key.
    bomb: [[u64; 64]; 2],
    /// For the number of the next move.
    number: [u64; MOST_MOVES as usize + 2],
}

static KEYS: Lazy<Box<Keys>> = Lazy::new(|| {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(0x0062_6f6f_6d21);
    let number = [0; MOST_MOVES as usize + 2];
    let mut keys = Box::new(Keys { stone: [[0; 64]; 2], bomb: [[0; 64]; 2], number });
    for side in 0..2 {
        rng.fill(&mut keys.stone[side][..]);
        rng.fill(&mut keys.bomb[side][..]);
    }
    rng.fill(&mut keys.number[..]);
    keys
});

/// The side that makes the move with this number, counted from 1: player 1 the first, then each
/// player two in a row.
pub fn mover_of(number: u16) -> Side {
    if (number / 2).is_multiple_of(2) { Side::P1 } else { Side::P2 }
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Drops a piece into this column, counted from 0.
    Drop(u8),
    /// Explodes the mover's bomb.
    Boom,
}

/// The pieces on the board, as bitboards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pieces {
    /// All pieces of each side, bombs included.
    pub stones: [u64; 2],
    /// The bomb of each side: one cell or none.
    pub bombs: [u64; 2],
}

impl Pieces {
    /// Every filled cell.
    pub fn occupied(&self) -> u64 {
        self.stones[0] | self.stones[1]
    }

    /// The landing cells: one for each column that is not full.
    pub fn landing(&self) -> u64 {
        (self.occupied() + BOTTOM) & BOARD
    }

    /// Removes `side`'s bomb and the enemy pieces in its row; the pieces above them fall.
    pub(super) fn explode(&mut self, side: Side) {
        let bomb = self.bombs[side.index()];
        let row = bits::row(bits::row_of(bomb));
        let gone = bomb | self.stones[(!side).index()] & row;
        let columns = bits::columns_of(gone);
        let above = columns & !(row | (row - BOTTOM));
        let settle = |cells: u64| (cells & !gone & !above) | ((cells & above) >> 1);
        self.stones = self.stones.map(settle);
        self.bombs = self.bombs.map(settle);
    }

    fn key(&self) -> u64 {
        let part = |cells: u64, keys: &[u64; 64]| {
            bits::each(cells).fold(0, |key, cell| key ^ keys[cell.trailing_zeros() as usize])
        };
        (0..2).fold(0, |key, side| {
            key ^ part(self.stones[side], &KEYS.stone[side])
                ^ part(self.bombs[side], &KEYS.bomb[side])
        })
    }
}

/// A position: the pieces, the number of the next move, and the outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    pieces: Pieces,
    /// The number of the next move, from 1. Determines the side to move and what it drops.
    number: u16,
    outcome: Option<Outcome>,
    key: u64,
}

/// What [`Game::undo`] restores.
pub struct UndoInfo {
    pieces: Pieces,
    key: u64,
}

impl Board {
    /// The empty board.
    pub fn new() -> Board {
        Board { pieces: Pieces::default(), number: 1, outcome: None, key: KEYS.number[1] }
    }

    /// A position from its pieces and the number of the next move.
    ///
    /// No piece may float, and `number` is at most [`MOST_MOVES`] + 1.
    pub(super) fn from_pieces(pieces: Pieces, number: u16) -> Board {
        let mut board = Board {
            pieces,
            number,
            outcome: None,
            key: pieces.key() ^ KEYS.number[usize::from(number)],
        };
        board.outcome = board.outcome_after(mover_of(number - 1), true);
        board
    }

    /// The pieces.
    pub fn pieces(&self) -> &Pieces {
        &self.pieces
    }

    /// All pieces of `side`, its bomb included.
    pub fn stones(&self, side: Side) -> u64 {
        self.pieces.stones[side.index()]
    }

    /// The cell of `side`'s bomb, or 0.
    pub fn bomb(&self, side: Side) -> u64 {
        self.pieces.bombs[side.index()]
    }

    /// The number of the next move, from 1.
    pub fn number(&self) -> u16 {
        self.number
    }

    /// The landing cells: one for each column that is not full.
    pub fn landing(&self) -> u64 {
        self.pieces.landing()
    }

    /// Whether the side to move will also make the move after the next.
    pub fn moves_again(&self) -> bool {
        self.number.is_multiple_of(2) && self.number < MOST_MOVES
    }

    /// Whether a piece dropped now is a bomb.
    pub fn drops_bomb(&self) -> bool {
        let turn = self.number / 4 + 1;
        turn.is_multiple_of(4) && self.bomb(self.side_to_move()) == 0
    }

    /// Whether the side to move has any move.
    fn can_move(&self) -> bool {
        self.landing() != 0 || self.bomb(self.side_to_move()) != 0
    }

    fn set_number(&mut self, number: u16) {
        self.key ^= self.number_key();
        self.number = number;
        self.key ^= self.number_key();
    }

    fn number_key(&self) -> u64 {
        KEYS.number[usize::from(self.number)]
    }

    /// The outcome after a move by `mover`. Only an explosion can complete a line of the other side.
    fn outcome_after(&self, mover: Side, exploded: bool) -> Option<Outcome> {
        if bits::has_line(self.stones(mover)) {
            Some(Outcome::Win(mover))
        } else if exploded && bits::has_line(self.stones(!mover)) {
            Some(Outcome::Win(!mover))
        } else if !self.can_move() {
            Some(Outcome::Win(!self.side_to_move()))
        } else if self.number > MOST_MOVES {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    /// The change of the key when the side to move drops a piece into `cell`.
    fn drop_key(&self, cell: u64) -> u64 {
        let (side, place) = (self.side_to_move().index(), cell.trailing_zeros() as usize);
        let bomb = if self.drops_bomb() { KEYS.bomb[side][place] } else { 0 };
        KEYS.stone[side][place] ^ bomb
    }
}

impl Default for Board {
    fn default() -> Board {
        Board::new()
    }
}

impl Game for Board {
    type Move = Move;
    type Undo = UndoInfo;

    fn side_to_move(&self) -> Side {
        mover_of(self.number)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        if self.outcome.is_some() {
            return;
        }
        let drops = bits::each(self.landing()).map(|cell| Move::Drop(bits::column_of(cell) as u8));
        moves.extend(drops);
        if self.bomb(self.side_to_move()) != 0 {
            moves.push(Move::Boom);
        }
    }

    fn play(&mut self, mv: Move) -> UndoInfo {
        debug_assert!(self.outcome.is_none());
        let before = UndoInfo { pieces: self.pieces, key: self.key };
        let mover = self.side_to_move();
        match mv {
            Move::Drop(column) => {
                let cell = self.landing() & bits::column(usize::from(column));
                debug_assert_ne!(cell, 0, "the column is full");
                self.key ^= self.drop_key(cell);
                if self.drops_bomb() {
                    self.pieces.bombs[mover.index()] = cell;
                }
                self.pieces.stones[mover.index()] |= cell;
            }
            Move::Boom => {
                debug_assert_ne!(self.bomb(mover), 0, "no bomb to explode");
                self.pieces.explode(mover);
                self.key = self.pieces.key() ^ self.number_key();
            }
        }
        self.set_number(self.number + 1);
        self.outcome = self.outcome_after(mover, mv == Move::Boom);
        before
    }

    fn undo(&mut self, _mv: Move, before: UndoInfo) {
        self.pieces = before.pieces;
        self.key = before.key;
        self.number -= 1;
        self.outcome = None;
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn key_after(&self, mv: Move) -> Option<u64> {
        let Move::Drop(column) = mv else { return None };
        let cell = self.landing() & bits::column(usize::from(column));
        let next = KEYS.number[usize::from(self.number + 1)];
        Some(self.key ^ self.drop_key(cell) ^ self.number_key() ^ next)
    }

    fn key_from_scratch(&self) -> u64 {
        self.pieces.key() ^ self.number_key()
    }

    fn code(mv: Move) -> u16 {
        match mv {
            Move::Drop(column) => column.into(),
            Move::Boom => bits::SIZE as u16,
        }
    }
}
