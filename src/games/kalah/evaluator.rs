//! The opinion that drives the full search.
//!
//! Nothing is kept from move to move: a move changes most of the houses, and looking at twelve
//! numbers is cheap.

use super::board::{Board, House};
use super::forecast::Forecast;
use super::row::Word;
use super::sowing::Rows;
use crate::game::{Candidate, Evaluate, Evaluator, Game};

/// A seed in a store.
const STORED: i32 = 100;
/// More than half of all seeds in a store: the game is won, whatever happens.
const DECIDED: i32 = 5000;

/// What is stored counts, and what is in the houses is forecast.
#[derive(Clone, Copy, Debug)]
pub struct SeedEvaluator {
    houses: usize,
    worth: Forecast,
}

impl SeedEvaluator {
    /// For games with that many houses.
    pub fn new(houses: usize) -> SeedEvaluator {
        SeedEvaluator { houses, worth: Forecast::new(houses) }
    }
}

/// Numbers of seeds above this are not told apart by the search's statistics.
const MANY: u32 = 15;
const HISTORY_PER_HOUSE: usize = MANY as usize + 1;

impl SeedEvaluator {
    /// The opinion of a position where the store of the player to move leads by `lead`, in a game
    /// of so many seeds.
    #[inline]
    fn points<W: Word>(&self, rows: Rows<W>, lead: i32, seeds: i32) -> i32 {
        stores(rows, lead, seeds) + self.worth.margin(rows)
    }
}

impl<W: Word> Evaluate<Board<W>> for SeedEvaluator {
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

impl<W: Word> Evaluator<Board<W>> for SeedEvaluator {
    fn reset(&mut self, _board: &Board<W>) {}

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
                score: if again { AGAIN + house as i32 } else { 0 },
                history_index: (house * HISTORY_PER_HOUSE + rows.own.get(house).min(MANY) as usize)
                    as u16,
            }
        }));
    }

    /// The moves that do not let the mover move again, by what they bring.
    #[inline]
    fn score_moves(&self, board: &Board<W>, candidates: &mut [Candidate<House>]) {
        for candidate in candidates.iter_mut().filter(|candidate| candidate.score == 0) {
            let house = usize::from(candidate.mv.0);
            candidate.score = 2 * board.sowing().sow(board.rows(), house).gain as i32;
        }
    }

    #[inline]
    fn forced(&self, board: &Board<W>) -> Option<House> {
        let mut houses = board.rows().own.occupied();
        let only = houses.next()?;
        houses.next().is_none().then_some(House(only as u8))
    }

    #[inline]
    fn eval_after(&self, board: &Board<W>, House(house): House) -> Option<i32> {
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
    fn futility_margin(&self) -> Option<i32> {
        None
    }

    fn history_len(&self) -> usize {
        self.houses * HISTORY_PER_HOUSE
    }

    fn terms(&self, board: &Board<W>) -> Vec<(&'static str, i32)> {
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
