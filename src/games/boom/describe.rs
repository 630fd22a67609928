//! The position for programs: see [`crate::game::state`].

use super::bits::{self, DIRECTIONS, SIZE};
use super::board::{Board, MOST_MOVES, Move};
use crate::game::state::{
    self, Bomb, Cell, Content, Describe, Description, GameEnd, MoveEffect, PerSide,
};
use crate::game::{Game, Outcome, Side};

impl Describe for Board {
    fn describe(&self, moves: &[Move]) -> Description {
        let content = |[row, column]: Cell| {
            let cell = bits::cell(column, SIZE - 1 - row);
            let owner =
                [Side::P1, Side::P2].into_iter().find(|&side| self.stones(side) & cell != 0);
            owner.map_or(Content::Empty, Content::Piece)
        };
        Description {
            board: state::Board {
                column_names: (1..=SIZE).map(|column| column.to_string()).collect(),
                move_number: Some(self.number().into()),
                moves_left: Some(if self.moves_again() { 2 } else { 1 }),
                bombs: Some(PerSide::of(|side| self.described_bomb(side))),
                ..state::Board::grid(SIZE, SIZE, content)
            },
            effects: moves.iter().map(|&mv| self.effect(mv)).collect(),
            ending: self.outcome().map(|outcome| self.ending(outcome)),
        }
    }
}

impl Board {
    fn described_bomb(&self, side: Side) -> Option<Bomb> {
        let removes = cells(self.victims(side));
        cells(self.bomb(side)).first().map(|&cell| Bomb { cell, removes })
    }

    /// The enemy pieces in the row of `side`'s bomb.
    pub(super) fn victims(&self, side: Side) -> u64 {
        match self.bomb(side) {
            0 => 0,
            bomb => bits::row(bits::row_of(bomb)) & self.stones(!side),
        }
    }

    fn effect(&self, mv: Move) -> MoveEffect {
        let side = self.side_to_move();
        match mv {
            Move::Drop(column) => MoveEffect {
                to: cells(self.landing() & bits::column(column.into())).first().copied(),
                bomb: self.drops_bomb(),
                ..MoveEffect::default()
            },
            Move::Boom => {
                let bomb = self.bomb(side);
                let gone = bomb | self.victims(side);
                // Everything in their columns above the bomb's row falls by one.
                let above =
                    (bits::row_of(bomb) + 1..SIZE).fold(0, |rows, row| rows | bits::row(row));
                let falling = self.pieces().occupied() & bits::columns_of(gone) & above;
                let fall = |[row, column]: Cell| [[row, column], [row + 1, column]];
                MoveEffect {
                    from: cells(bomb).first().copied(),
                    removed: cells(gone),
                    falls: Some(cells(falling).into_iter().map(fall).collect()),
                    ..MoveEffect::default()
                }
            }
        }
    }

    fn ending(&self, outcome: Outcome) -> GameEnd {
        let line = match outcome {
            Outcome::Win(winner) => cells(line_cells(self.stones(winner))),
            Outcome::Draw => Vec::new(),
        };
        match outcome {
            _ if !line.is_empty() => GameEnd { reason: "line", cells: line },
            Outcome::Draw if self.number() > MOST_MOVES => GameEnd::because("move limit"),
            _ => GameEnd::because("no move"),
        }
    }
}

/// All stones that belong to a line.
fn line_cells(stones: u64) -> u64 {
    DIRECTIONS.iter().fold(0, |cells, &step| {
        let first = bits::lines_within(stones, step);
        cells | first | first << step | first << (2 * step) | first << (3 * step)
    })
}

/// The cells of a set, column by column.
pub(super) fn cells(set: u64) -> Vec<Cell> {
    bits::each(set).map(|cell| [SIZE - 1 - bits::row_of(cell), bits::column_of(cell)]).collect()
}
