//! The opinion that drives the full search.
//!
//! Nothing is kept from move to move: a move changes most of the houses, and looking at twelve
//! numbers is cheap.

use super::board::{Board, House};
use super::row::Word;
use super::sowing::Rows;
use super::worth::Worth;
use crate::game::{Candidate, Evaluate, Game, Judge};

/// A seed in a store.
const STORED: i32 = 100;
/// More than half of all seeds in a store: the game is won, whatever happens.
const DECIDED: i32 = 5000;

/// What is stored counts, and what is in the houses is forecast.
#[derive(Clone, Copy, Debug)]
pub struct SeedJudge {
    houses: usize,
    worth: Worth,
}

impl SeedJudge {
    /// For games with that many houses.
    pub fn new(houses: usize) -> SeedJudge {
        SeedJudge { houses, worth: Worth::new(houses) }
    }
}

/// Numbers of seeds above this are not told apart by the search's statistics.
const MANY: u32 = 15;
const SLOTS_PER_HOUSE: usize = MANY as usize + 1;

impl<W: Word> Evaluate<Board<W>> for SeedJudge {
    #[inline]
    fn evaluate(&self, board: &Board<W>) -> i32 {
        stores(board) + self.worth.margin(board.rows())
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

impl<W: Word> Judge<Board<W>> for SeedJudge {
    fn attach(&mut self, _board: &Board<W>) {}

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
            let rank = if sown.again { AGAIN + house as i32 } else { 2 * sown.gain as i32 };
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
        let Rows { own, other } = board.rows();
        vec![
            ("stores", view(stores(board))),
            ("mover", view(self.worth.row(own))),
            ("opponent", view(self.worth.opposed(other))),
        ]
    }
}

/// The rank of another move, in seeds and halves of them.
const AGAIN: i32 = 8;
