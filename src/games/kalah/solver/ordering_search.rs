//! The ordering search: a shallow alpha-beta search with the forecast as evaluation, which orders
//! the moves of the proof.
//!
//! Move ordering decides how large a proof gets, most of all far above the endgame table, where a
//! wrong first move can cost a hundred thousand nodes. So ordering may take hundreds of nodes
//! there. Nothing found here is part of the proof.

use super::super::forecast::Forecast;
use super::super::row::Word;
use super::super::sowing::{Rows, Sowing, Sown};
use super::moves::{Child, MOST_HOUSES, OrderedMoves};
use crate::limits::{NodeCounter, Stopped};

/// Slots of its transposition table.
const SLOTS: usize = 1 << 16;
/// Above every margin.
const INFINITE: i32 = 1 << 20;

/// The search and its table. All margins and shares are in hundredths of a seed.
pub struct OrderingSearch<'a, W> {
    sowing: &'a Sowing<W>,
    forecast: &'a Forecast,
    /// Empty until the first search.
    table: Vec<OrderingEntry<W>>,
}

/// Bounds of a position's margin; a free slot has no seeds in its rows.
#[derive(Clone, Copy, Default)]
struct OrderingEntry<W> {
    rows: Rows<W>,
    depth: u32,
    /// The margin at this depth is at least this...
    lower: i32,
    /// ...and at most this.
    upper: i32,
    /// The best house, of any depth.
    best: Option<u8>,
}

/// An alpha-beta window.
#[derive(Clone, Copy)]
pub struct ForecastWindow {
    /// Scores up to this fail low.
    pub low: i32,
    /// Scores from this on fail high.
    pub high: i32,
}

impl ForecastWindow {
    /// The mover's window `self`, converted to the side to move after a move with this gain.
    #[inline]
    fn after(self, gain: i32, again: bool) -> ForecastWindow {
        let ForecastWindow { low, high } = self;
        if again {
            ForecastWindow { low: low - gain, high: high - gain }
        } else {
            ForecastWindow { low: gain - high, high: gain - low }
        }
    }
}

impl<'a, W: Word> OrderingSearch<'a, W> {
    /// With an empty table.
    pub fn new(sowing: &'a Sowing<W>, forecast: &'a Forecast) -> Self {
        OrderingSearch { sowing, forecast, table: Vec::new() }
    }

    /// The mover's share after a move by a search of `depth` turns, at least one. Outside the
    /// window it may be any share on the same side of it.
    pub fn share(
        &mut self,
        child: &Child<W>,
        depth: u32,
        shares: ForecastWindow,
        counter: &mut NodeCounter<'_>,
    ) -> Result<i32, Stopped> {
        self.table.resize(SLOTS, OrderingEntry::default());
        let (gain, seeds) = (100 * child.gain as i32, 100 * child.node.seeds as i32);
        // Both shares add up to the seeds, so a margin is twice a share minus the seeds.
        let doubled =
            ForecastWindow { low: 2 * (shares.low - gain), high: 2 * (shares.high - gain) };
        let margins = doubled.after(seeds, child.again);
        let margin = self.margin(child.node.rows, depth, margins, counter)?;
        Ok(gain + (seeds + if child.again { margin } else { -margin }) / 2)
    }

    /// The forecast margin for the player to move, by a search of `depth` turns, at least one.
    fn margin(
        &mut self,
        rows: Rows<W>,
        depth: u32,
        window: ForecastWindow,
        counter: &mut NodeCounter<'_>,
    ) -> Result<i32, Stopped> {
        counter.tick()?;
        let slot = slot_of(rows);
        let mut entry = self.table[slot];
        if entry.rows != rows {
            entry = OrderingEntry { rows, ..OrderingEntry::default() };
        }
        if entry.depth != depth {
            entry = OrderingEntry { depth, lower: -INFINITE, upper: INFINITE, ..entry };
        }
        if entry.lower >= window.high || entry.lower == entry.upper {
            return Ok(entry.lower);
        }
        if entry.upper <= window.low {
            return Ok(entry.upper);
        }
        let mut best = -INFINITE;
        let (moves, order) = self.moves(rows, entry.best);
        for house in order.indices() {
            let (Sown { rows, gain, again }, forecast) = moves[house];
            let gain = 100 * gain as i32;
            let margin = if rows.is_over() {
                gain + 100 * rows.owned_margin()
            } else if depth == 1 && !again {
                gain + forecast
            } else {
                let low = window.low.max(best);
                let there = ForecastWindow { low, ..window }.after(gain, again);
                match again {
                    true => gain + self.margin(rows, depth, there, counter)?,
                    false => gain - self.margin(rows.turned(), depth - 1, there, counter)?,
                }
            };
            if margin > best {
                best = margin;
                if best > window.low {
                    entry.best = Some(house as u8);
                }
            }
            if best >= window.high {
                break;
            }
        }
        if best > window.low {
            entry.lower = best;
        }
        if best < window.high {
            entry.upper = best;
        }
        self.table[slot] = entry;
        Ok(best)
    }

    /// All moves by house with the forecast margin after them, and the order to search them in:
    /// the table's move, then by forecast.
    #[inline]
    fn moves(
        &self,
        rows: Rows<W>,
        table_move: Option<u8>,
    ) -> ([(Sown<W>, i32); MOST_HOUSES], OrderedMoves) {
        const TABLE_MOVE: i32 = INFINITE;
        const AGAIN: i32 = 100;
        let unused = Sown { rows, gain: 0, again: false };
        let mut moves = [(unused, 0); MOST_HOUSES];
        let mut order = OrderedMoves::default();
        for house in rows.own.occupied() {
            let sown = self.sowing.sow(rows, house);
            let forecast = match sown.again {
                true => self.forecast.margin(sown.rows),
                false => -self.forecast.margin(sown.rows.turned()),
            };
            let score = TABLE_MOVE * i32::from(table_move == Some(house as u8))
                + AGAIN * i32::from(sown.again)
                + 100 * sown.gain as i32
                + forecast;
            order.insert(score, house);
            moves[house] = (sown, forecast);
        }
        (moves, order)
    }
}

/// The slot of a position.
#[inline]
fn slot_of<W: Word>(rows: Rows<W>) -> usize {
    let mix = |sum: u64, word: W| {
        let sum = (sum ^ word.low()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (sum ^ sum >> 32 ^ word.high()).wrapping_mul(0xd1b5_4a32_d192_ed03)
    };
    let sum = [rows.own.word(), rows.other.word()].into_iter().fold(0, mix);
    (sum >> (u64::BITS - SLOTS.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    use super::super::super::row::Row;
    use super::super::super::sowing::Rules;
    use super::super::moves::KalahNode;
    use super::*;
    use crate::limits::{Limits, SearchControl};

    /// Plain minimax: no window, table or order.
    fn plain_margin(sowing: &Sowing<u64>, forecast: &Forecast, rows: Rows<u64>, depth: u32) -> i32 {
        if depth == 0 {
            return forecast.margin(rows);
        }
        let margin = |house| {
            let Sown { rows, gain, again } = sowing.sow(rows, house);
            let rest = match again {
                _ if rows.is_over() => 100 * rows.owned_margin(),
                true => plain_margin(sowing, forecast, rows, depth),
                false => -plain_margin(sowing, forecast, rows.turned(), depth - 1),
            };
            100 * gain as i32 + rest
        };
        rows.own.occupied().map(margin).max().unwrap()
    }

    fn random_row(random: &mut SmallRng) -> Row<u64> {
        let seeds: Vec<u16> = (0..4).map(|_| random.random_range(0..5)).collect();
        if seeds.iter().sum::<u16>() == 0 { Row::new(&[1]) } else { Row::new(&seeds) }
    }

    #[test]
    fn windows_and_table_do_not_change_the_result() {
        let sowing = Sowing::<u64>::new(Rules::new(4, 6, false).unwrap());
        let forecast = Forecast::new(4);
        let control = SearchControl::new(false, false);
        let mut counter = NodeCounter::new(&control, &Limits::default(), None);
        let mut ordering = OrderingSearch::new(&sowing, &forecast);
        let mut random = SmallRng::seed_from_u64(4);
        for _ in 0..3000 {
            let rows = Rows { own: random_row(&mut random), other: random_row(&mut random) };
            let (gain, again) = (random.random_range(0..3), random.random());
            let seeds = rows.in_play();
            let child = Child { node: KalahNode { rows, seeds, number: 0 }, house: 0, gain, again };
            let depth = random.random_range(1..4);
            let margin = plain_margin(&sowing, &forecast, rows, depth);
            let (gain, seeds) = (100 * gain as i32, 100 * seeds as i32);
            let expected = gain + (seeds + if again { margin } else { -margin }) / 2;
            for _ in 0..5 {
                let low = expected + random.random_range(-600..600);
                let window = ForecastWindow { low, high: low + random.random_range(2..600) };
                let share = ordering.share(&child, depth, window, &mut counter).unwrap();
                // Half a hundredth is lost in the conversion of a margin to a share.
                let correct = match share {
                    _ if share <= low + 1 => expected <= low + 1,
                    _ if share >= window.high - 1 => expected >= window.high - 1,
                    _ => share == expected,
                };
                assert!(correct, "{rows:?} at {depth}: {share} for {expected}");
            }
        }
    }

    #[test]
    fn the_search_stops_at_the_node_limit() {
        let sowing = Sowing::<u64>::new(Rules::new(6, 4, false).unwrap());
        let forecast = Forecast::new(6);
        let control = SearchControl::new(false, false);
        let mut counter = NodeCounter::new(&control, &Limits::default(), Some(1000));
        let row = Row::new(&[4; 6]);
        let node = KalahNode { rows: Rows { own: row, other: row }, seeds: 48, number: 0 };
        let child = Child { node, house: 0, gain: 0, again: false };
        let all = ForecastWindow { low: 0, high: 4800 };
        let stopped = OrderingSearch::new(&sowing, &forecast).share(&child, 30, all, &mut counter);
        assert_eq!(stopped, Err(Stopped));
        assert_eq!(counter.nodes(), 1000);
    }
}
