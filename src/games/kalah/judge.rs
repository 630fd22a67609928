//! The opinion that drives the full search.
//!
//! Nothing is kept from move to move: a move changes most of the houses, and looking at twelve
//! numbers is cheap.

use super::board::{Board, House};
use super::row::Word;
use super::sowing::Rows;
use crate::game::{Candidate, Evaluate, Game, Judge};

/// A seed in a store.
const STORED: i32 = 100;
/// A seed in a house: likely, but not sure, to end in its owner's store.
const HOUSED: i32 = 35;
/// The move itself.
const TEMPO: i32 = 60;
/// More than half of all seeds in a store: the game is won, whatever happens.
const DECIDED: i32 = 5000;

/// More in the store is good, and so is more in the houses.
#[derive(Clone, Copy, Debug, Default)]
pub struct SeedJudge {
    houses: usize,
}

/// Numbers of seeds above this are not told apart by the search's statistics.
const MANY: u32 = 15;
const SLOTS_PER_HOUSE: usize = MANY as usize + 1;

impl<W: Word> Evaluate<Board<W>> for SeedJudge {
    #[inline]
    fn evaluate(&self, board: &Board<W>) -> i32 {
        stores(board) + houses(board.rows()) + TEMPO
    }
}

/// What the stores say to the side to move.
#[inline]
fn stores<W: Word>(board: &Board<W>) -> i32 {
    let lead = board.store_lead();
    let stored = board.rules().total() as i32 - board.rows().in_play() as i32;
    // The fuller store holds (stored + |lead|) / 2 seeds: is that more than half of all?
    let decided = stored + lead.abs() > board.rules().total() as i32;
    STORED * lead + i32::from(decided) * lead.signum() * DECIDED
}

/// What the houses say to the side to move.
#[inline]
fn houses<W: Word>(rows: Rows<W>) -> i32 {
    HOUSED * rows.owned_margin()
}

impl<W: Word> Judge<Board<W>> for SeedJudge {
    fn attach(&mut self, board: &Board<W>) {
        self.houses = board.rules().houses();
    }

    #[inline]
    fn play(&mut self, _before: &Board<W>, _mv: House) {}

    #[inline]
    fn undo(&mut self, _before: &Board<W>, _mv: House) {}

    /// All moves: first those that let the mover move again, nearest to the store first as they
    /// spoil nothing for the others, then by what they bring.
    #[inline]
    fn candidates(&self, board: &Board<W>, list: &mut Vec<Candidate<House>>) {
        let rows = board.rows();
        for house in 0..self.houses {
            let seeds = rows.own.get(house);
            if seeds == 0 {
                continue;
            }
            let sown = board.sowing().sow(rows, house);
            let rank = if sown.again {
                AGAIN + house as i32
            } else {
                2 * sown.gain as i32
            };
            list.push(Candidate {
                mv: House(house as u8),
                rank,
                slot: (house * SLOTS_PER_HOUSE + seeds.min(MANY) as usize) as u16,
            });
        }
    }

    fn slots(&self) -> usize {
        self.houses * SLOTS_PER_HOUSE
    }

    fn breakdown(&self, board: &Board<W>) -> Vec<(&'static str, i32)> {
        let view = |points| board.side_to_move().view(points);
        vec![
            ("stores", view(stores(board))),
            ("houses", view(houses(board.rows()))),
            ("tempo", view(TEMPO)),
        ]
    }
}

/// The rank of another move, in seeds and halves of them.
const AGAIN: i32 = 8;
