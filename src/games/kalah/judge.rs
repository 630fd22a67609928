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

impl SeedJudge {
    /// The opinion of a position where the store of the player to move leads by `lead`, in a game
    /// of so many seeds.
    #[inline]
    fn points<W: Word>(&self, rows: Rows<W>, lead: i32, seeds: i32) -> i32 {
        stores(rows, lead, seeds) + self.worth.margin(rows)
    }
}

impl<W: Word> Evaluate<Board<W>> for SeedJudge {
    #[inline]
    fn evaluate(&self, board: &Board<W>) -> i32 {
        self.points(board.rows(), board.store_lead(), board.rules().total() as i32)
    }
}

/// What the stores say to the side to move.
#[inline]
fn stores<W: Word>(rows: Rows<W>, lead: i32, seeds: i32) -> i32 {
    let stored = seeds - rows.in_play() as i32;
    // The fuller store holds (stored + |lead|) / 2 seeds: is that more than half of all?
    let decided = stored + lead.abs() > seeds;
    STORED * lead + i32::from(decided) * lead.signum() * DECIDED
}

impl<W: Word> Judge<Board<W>> for SeedJudge {
    fn attach(&mut self, _board: &Board<W>) {}

    #[inline]
    fn play(&mut self, _before: &Board<W>, _mv: House) {}

    #[inline]
    fn undo(&mut self, _before: &Board<W>, _mv: House) {}

    /// All moves: those that let the mover move again before the others, nearest to the store
    /// first as they spoil nothing for the rest.
    #[inline]
    fn candidates(&self, board: &Board<W>, list: &mut Vec<Candidate<House>>) {
        let rows = board.rows();
        list.extend(rows.own.occupied().map(|house| {
            let again = board.sowing().moves_again(rows, house);
            Candidate {
                mv: House(house as u8),
                rank: if again { AGAIN + house as i32 } else { 0 },
                slot: (house * SLOTS_PER_HOUSE + rows.own.get(house).min(MANY) as usize) as u16,
            }
        }));
    }

    /// The moves that do not let the mover move again, by what they bring.
    #[inline]
    fn rank(&self, board: &Board<W>, candidates: &mut [Candidate<House>]) {
        for candidate in candidates.iter_mut().filter(|candidate| candidate.rank == 0) {
            let house = usize::from(candidate.mv.0);
            candidate.rank = 2 * board.sowing().sow(board.rows(), house).gain as i32;
        }
    }

    #[inline]
    fn forced(&self, board: &Board<W>) -> Option<House> {
        let mut houses = board.rows().own.occupied();
        let only = houses.next()?;
        houses.next().is_none().then_some(House(only as u8))
    }

    #[inline]
    fn glance(&self, board: &Board<W>, House(house): House) -> Option<i32> {
        let sown = board.sowing().sow(board.rows(), usize::from(house));
        let rows = if sown.again { sown.rows } else { sown.rows.turned() };
        if rows.is_over() || rows.own.count_occupied() == 1 {
            return None;
        }
        let lead = board.store_lead() + sown.gain as i32;
        let seeds = board.rules().total() as i32;
        Some(if sown.again {
            self.points(rows, lead, seeds)
        } else {
            -self.points(rows, -lead, seeds)
        })
    }

    /// A capture may bring any number of seeds, so no opinion near the horizon is safe.
    fn margin(&self) -> Option<i32> {
        None
    }

    fn slots(&self) -> usize {
        self.houses * SLOTS_PER_HOUSE
    }

    fn breakdown(&self, board: &Board<W>) -> Vec<(&'static str, i32)> {
        let view = |points| board.side_to_move().view(points);
        let Rows { own, other } = board.rows();
        vec![
            (
                "stores",
                view(stores(board.rows(), board.store_lead(), board.rules().total() as i32)),
            ),
            ("mover", view(self.worth.row(own))),
            ("opponent", view(self.worth.opposed(other))),
        ]
    }
}

/// The rank of another move, in seeds and halves of them.
const AGAIN: i32 = 8;
