//! A look ahead that trusts the forecast: which of some moves is most likely to bring what is
//! wanted?
//!
//! The order of moves decides how large a proof gets, most of all far above the endgame table,
//! where a wrong choice can cost a hundred thousand nodes. So at these few nodes a choice may take
//! hundreds. Nothing that is found here is part of the proof.

use super::super::forecast::Forecast;
use super::super::row::Word;
use super::super::sowing::{Rows, Sowing, Sown};
use super::moves::{Child, MOST_HOUSES, Open};
use crate::limits::{NodeCounter, Stopped};

/// Slots of its memory.
const SLOTS: usize = 1 << 16;
/// More than any margin.
const INFINITE: i32 = 1 << 20;

/// Looks ahead, and remembers what it saw. All margins and shares are in hundredths of a seed.
pub struct Scout<'a, W> {
    sowing: &'a Sowing<W>,
    worth: &'a Forecast,
    /// Empty until the first look.
    memory: Vec<Seen<W>>,
}

/// What was found out about a position: about none, if there are no seeds in the rows.
#[derive(Clone, Copy, Default)]
struct Seen<W> {
    rows: Rows<W>,
    depth: u32,
    /// The margin at this depth is at least this...
    least: i32,
    /// ...and at most this.
    greatest: i32,
    /// The best house, at this depth or another one.
    best: Option<u8>,
}

/// The numbers that matter: those above `low` and below `high`.
#[derive(Clone, Copy)]
pub struct Window {
    /// This and all below are the same.
    pub low: i32,
    /// This and all above are the same.
    pub high: i32,
}

impl Window {
    /// The window for the margin of who moves after a gain, if it is `self` for the margin of who
    /// made it.
    #[inline]
    fn after(self, gain: i32, again: bool) -> Window {
        let Window { low, high } = self;
        if again {
            Window { low: low - gain, high: high - gain }
        } else {
            Window { low: gain - high, high: gain - low }
        }
    }
}

impl<'a, W: Word> Scout<'a, W> {
    /// Has seen nothing yet.
    pub fn new(sowing: &'a Sowing<W>, worth: &'a Forecast) -> Self {
        Scout { sowing, worth, memory: Vec::new() }
    }

    /// What the mover's share after a move seems to be, looking `depth` turns further, at
    /// least one. Outside of
    /// the window it may be told as any share on the same side of it.
    pub fn share(
        &mut self,
        child: &Child<W>,
        depth: u32,
        shares: Window,
        counter: &mut NodeCounter<'_>,
    ) -> Result<i32, Stopped> {
        self.memory.resize(SLOTS, Seen::default());
        let (gain, seeds) = (100 * child.gain as i32, 100 * child.node.seeds as i32);
        // Two shares add up to the seeds, so a margin is twice a share less the seeds.
        let doubled = Window { low: 2 * (shares.low - gain), high: 2 * (shares.high - gain) };
        let margins = doubled.after(seeds, child.again);
        let margin = self.margin(child.node.rows, depth, margins, counter)?;
        Ok(gain + (seeds + if child.again { margin } else { -margin }) / 2)
    }

    /// By how much the player to move seems to get more of the seeds in play than the other, with
    /// at least one turn to look at.
    fn margin(
        &mut self,
        rows: Rows<W>,
        depth: u32,
        window: Window,
        counter: &mut NodeCounter<'_>,
    ) -> Result<i32, Stopped> {
        counter.tick()?;
        let slot = slot_of(rows);
        let mut seen = self.memory[slot];
        if seen.rows != rows {
            seen = Seen { rows, ..Seen::default() };
        }
        if seen.depth != depth {
            seen = Seen { depth, least: -INFINITE, greatest: INFINITE, ..seen };
        }
        if seen.least >= window.high || seen.least == seen.greatest {
            return Ok(seen.least);
        }
        if seen.greatest <= window.low {
            return Ok(seen.greatest);
        }
        let mut best = -INFINITE;
        let (moves, order) = self.moves(rows, seen.best);
        for house in order.places() {
            let (Sown { rows, gain, again }, forecast) = moves[house];
            let gain = 100 * gain as i32;
            let margin = if rows.is_over() {
                gain + 100 * rows.owned_margin()
            } else if depth == 1 && !again {
                gain + forecast
            } else {
                let low = window.low.max(best);
                let there = Window { low, ..window }.after(gain, again);
                match again {
                    true => gain + self.margin(rows, depth, there, counter)?,
                    false => gain - self.margin(rows.turned(), depth - 1, there, counter)?,
                }
            };
            if margin > best {
                best = margin;
                if best > window.low {
                    seen.best = Some(house as u8);
                }
            }
            if best >= window.high {
                break;
            }
        }
        if best > window.low {
            seen.least = best;
        }
        if best < window.high {
            seen.greatest = best;
        }
        self.memory[slot] = seen;
        Ok(best)
    }

    /// All moves by house, with the forecast of the margin after them, and the order to try them
    /// in: by what they seem to be worth at once, but `first` before all others.
    #[inline]
    fn moves(&self, rows: Rows<W>, first: Option<u8>) -> ([(Sown<W>, i32); MOST_HOUSES], Open) {
        const FIRST: i32 = INFINITE;
        const AGAIN: i32 = 100;
        let nowhere = Sown { rows, gain: 0, again: false };
        let mut moves = [(nowhere, 0); MOST_HOUSES];
        let mut order = Open::default();
        for house in rows.own.occupied() {
            let sown = self.sowing.sow(rows, house);
            let forecast = match sown.again {
                true => self.worth.margin(sown.rows),
                false => -self.worth.margin(sown.rows.turned()),
            };
            let rank = FIRST * i32::from(first == Some(house as u8))
                + AGAIN * i32::from(sown.again)
                + 100 * sown.gain as i32
                + forecast;
            order.insert(rank, house);
            moves[house] = (sown, forecast);
        }
        (moves, order)
    }
}

/// Where a position is remembered.
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
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::super::super::row::Row;
    use super::super::super::sowing::Rules;
    use super::super::moves::Node;
    use super::*;
    use crate::limits::{Limits, SearchControl};

    /// The same without a window, a memory or an order.
    fn plain_margin(sowing: &Sowing<u64>, worth: &Forecast, rows: Rows<u64>, depth: u32) -> i32 {
        if depth == 0 {
            return worth.margin(rows);
        }
        let margin = |house| {
            let Sown { rows, gain, again } = sowing.sow(rows, house);
            let rest = match again {
                _ if rows.is_over() => 100 * rows.owned_margin(),
                true => plain_margin(sowing, worth, rows, depth),
                false => -plain_margin(sowing, worth, rows.turned(), depth - 1),
            };
            100 * gain as i32 + rest
        };
        rows.own.occupied().map(margin).max().unwrap()
    }

    fn random_row(random: &mut StdRng) -> Row<u64> {
        let seeds: Vec<u16> = (0..4).map(|_| random.random_range(0..5)).collect();
        if seeds.iter().sum::<u16>() == 0 { Row::new(&[1]) } else { Row::new(&seeds) }
    }

    #[test]
    fn windows_and_memory_do_not_change_what_is_seen() {
        let sowing = Sowing::<u64>::new(Rules::new(4, 6, false).unwrap());
        let worth = Forecast::new(4);
        let control = SearchControl::new(false, false);
        let mut counter = NodeCounter::new(&control, &Limits::default(), None);
        let mut scout = Scout::new(&sowing, &worth);
        let mut random = StdRng::seed_from_u64(4);
        for _ in 0..3000 {
            let rows = Rows { own: random_row(&mut random), other: random_row(&mut random) };
            let (gain, again) = (random.random_range(0..3), random.random());
            let seeds = rows.in_play();
            let child = Child { node: Node { rows, seeds, code: 0 }, house: 0, gain, again };
            let depth = random.random_range(1..4);
            let margin = plain_margin(&sowing, &worth, rows, depth);
            let (gain, seeds) = (100 * gain as i32, 100 * seeds as i32);
            let expected = gain + (seeds + if again { margin } else { -margin }) / 2;
            for _ in 0..5 {
                let low = expected + random.random_range(-600..600);
                let window = Window { low, high: low + random.random_range(2..600) };
                let share = scout.share(&child, depth, window, &mut counter).unwrap();
                // A half of a hundredth is lost where a margin becomes a share.
                let right = match share {
                    _ if share <= low + 1 => expected <= low + 1,
                    _ if share >= window.high - 1 => expected >= window.high - 1,
                    _ => share == expected,
                };
                assert!(right, "{rows:?} at {depth}: {share} for {expected}");
            }
        }
    }

    #[test]
    fn a_look_ends_when_the_nodes_do() {
        let sowing = Sowing::<u64>::new(Rules::new(6, 4, false).unwrap());
        let worth = Forecast::new(6);
        let control = SearchControl::new(false, false);
        let mut counter = NodeCounter::new(&control, &Limits::default(), Some(1000));
        let row = Row::new(&[4; 6]);
        let node = Node { rows: Rows { own: row, other: row }, seeds: 48, code: 0 };
        let child = Child { node, house: 0, gain: 0, again: false };
        let all = Window { low: 0, high: 4800 };
        let looked = Scout::new(&sowing, &worth).share(&child, 30, all, &mut counter);
        assert_eq!(looked, Err(Stopped));
        assert_eq!(counter.nodes(), 1000);
    }
}
