//! The position for programs: see [`crate::game::state`]. As in the drawing, player 2's houses are
//! the upper row, from right to left.

use super::board::{Board, House};
use super::row::Word;
use super::sowing::{Pit, sowing_path};
use crate::game::state::{
    self, Cell, Content, Describe, Description, GameEnd, MoveEffect, PerSide, Place,
};
use crate::game::{Game, Side};

impl<W: Word> Describe for Board<W> {
    fn describe(&self, moves: &[House]) -> Description {
        let houses = self.rules().houses();
        let content = |[row, column]: Cell| {
            Content::Seeds(match row {
                0 => self.seeds(Side::P2, houses - 1 - column),
                _ => self.seeds(Side::P1, column),
            })
        };
        Description {
            board: state::Board {
                stores: Some(PerSide::of(|side| self.store(side))),
                ..state::Board::grid(2, houses, content)
            },
            effects: moves.iter().map(|&House(house)| self.effect(house.into())).collect(),
            ending: self.outcome().map(|_| GameEnd::because("houses empty")),
        }
    }
}

impl<W: Word> Board<W> {
    fn cell(&self, side: Side, house: usize) -> Cell {
        match side {
            Side::P1 => [1, house],
            Side::P2 => [0, self.rules().houses() - 1 - house],
        }
    }

    fn effect(&self, house: usize) -> MoveEffect {
        let (rules, side) = (self.rules(), self.side_to_move());
        let seeds = self.seeds(side, house) as usize;
        let pits: Vec<Pit> = sowing_path(rules, house).take(seeds).collect();
        let sown = self.sowing().sow(self.rows(), house);
        let stored = pits.iter().filter(|&&pit| pit == Pit::Store).count() as u32;
        // More than was sown into the store is a capture.
        let mut removed = Vec::new();
        if sown.gain > stored
            && let Some(&Pit::Own(last)) = pits.last()
        {
            removed.push(self.cell(side, last));
            if sown.gain > stored + 1 {
                removed.push(self.cell(!side, rules.facing(last)));
            }
        }
        let place = |pit| match pit {
            Pit::Own(house) => Place::Cell(self.cell(side, house)),
            Pit::Store => Place::Store(side),
            Pit::Other(house) => Place::Cell(self.cell(!side, house)),
        };
        MoveEffect {
            from: Some(self.cell(side, house)),
            path: pits.into_iter().map(place).collect(),
            removed,
            gain: Some(sown.gain),
            ..MoveEffect::default()
        }
    }
}
