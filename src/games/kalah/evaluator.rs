//! The evaluation of the playing search: stores, and what the seeds in the houses are worth.
//!
//! Evaluates from scratch: a move changes most of the houses, and there are few of them. Knows
//! nothing of searches or of the exact solver.

use std::sync::Arc;

use super::board::{Board, House};
use super::forecast::Forecast;
use super::house_network::HouseNetwork;
use super::row::Word;
use super::sowing::{Rows, Rules};
use crate::game::{Candidate, Evaluate, Evaluator, Game, NOISY, WeightSet};

/// Points for a seed in a store.
const STORED: i32 = 100;
/// Points for more than half of all seeds in a store, which wins the game.
const DECIDED: i32 = 5000;
/// Move ordering: the score of a move that gives another one. A captured or stored seed scores 2.
const AGAIN: i32 = NOISY + 8;
/// A move that gains this many seeds is noisy.
const NOISY_GAIN: i32 = 4;

/// The history distinguishes moves by house and by its number of seeds, up to this many.
const MANY: u32 = 15;
const HISTORY_PER_HOUSE: usize = MANY as usize + 1;

/// Evaluates each position from scratch.
#[derive(Clone, Debug)]
pub struct SeedEvaluator {
    houses: usize,
    worth: HouseWorth,
}

/// What the seeds in the houses are worth.
#[derive(Clone, Debug)]
enum HouseWorth {
    Fitted(Arc<HouseNetwork>),
    Classic(Box<Forecast>),
}

impl HouseWorth {
    #[inline]
    fn points<W: Word>(&self, rows: Rows<W>) -> i32 {
        match self {
            HouseWorth::Fitted(network) => network.points(rows),
            HouseWorth::Classic(forecast) => forecast.margin(rows),
        }
    }
}

impl SeedEvaluator {
    /// For games with these rules.
    pub fn new(rules: Rules, set: WeightSet) -> SeedEvaluator {
        let houses = rules.houses();
        let worth = match set {
            WeightSet::Fitted => HouseWorth::Fitted(Arc::new(HouseNetwork::new(rules))),
            WeightSet::Classic => HouseWorth::Classic(Box::new(Forecast::new(houses))),
        };
        SeedEvaluator { houses, worth }
    }

    fn is_fitted(&self) -> bool {
        matches!(self.worth, HouseWorth::Fitted(_))
    }

    /// The evaluation where the store of the side to move leads by `lead`, in a game with this many
    /// seeds.
    #[inline]
    fn points<W: Word>(&self, rows: Rows<W>, lead: i32, seeds: i32) -> i32 {
        stores(rows, lead, seeds) + self.worth.points(rows)
    }
}

impl<W: Word> Evaluate<Board<W>> for SeedEvaluator {
    #[inline]
    fn evaluate(&self, board: &Board<W>) -> i32 {
        self.points(board.rows(), board.store_lead(), board.rules().total() as i32)
    }

    fn terms(&self, board: &Board<W>) -> Vec<(&'static str, i32)> {
        let view = |points| board.side_to_move().view(points);
        let rows = board.rows();
        vec![
            ("stores", view(stores(rows, board.store_lead(), board.rules().total() as i32))),
            ("houses", view(self.worth.points(rows))),
        ]
    }
}

/// The term for the stores, for the side to move.
#[inline]
fn stores<W: Word>(rows: Rows<W>, lead: i32, seeds: i32) -> i32 {
    let stored = seeds - rows.in_play() as i32;
    // The fuller store holds (stored + |lead|) / 2 seeds: is that more than half of all?
    let decided = stored + lead.abs() > seeds;
    STORED * lead + i32::from(decided) * lead.signum() * DECIDED
}

impl<W: Word> Evaluator<Board<W>> for SeedEvaluator {
    /// All legal moves. Those that give another move come first, and of these the ones nearest to
    /// the store, as they leave the others available.
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

    /// Scores the moves that end the turn by the seeds they gain.
    #[inline]
    fn score_moves(&self, board: &Board<W>, candidates: &mut [Candidate<House>]) {
        for candidate in candidates.iter_mut().filter(|candidate| candidate.score == 0) {
            let house = usize::from(candidate.mv.0);
            let gain = board.sowing().sow(board.rows(), house).gain as i32;
            candidate.score = 2 * gain + if gain >= NOISY_GAIN { NOISY } else { 0 };
        }
    }

    fn extends_extra_moves(&self) -> bool {
        self.is_fitted()
    }

    fn tt_min_depth(&self) -> i32 {
        3
    }

    fn futility_margin(&self) -> Option<i32> {
        self.is_fitted().then_some(2 * STORED)
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

    fn history_len(&self) -> usize {
        self.houses * HISTORY_PER_HOUSE
    }
}
