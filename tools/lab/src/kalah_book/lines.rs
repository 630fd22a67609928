//! The engine's lines: it plays the book's moves, for either side, and its opponent any.
//!
//! Positions are those with the engine to move, given by the houses alone: stores change nothing
//! about what is best. How far a line is followed depends on how much the opponent has given away on
//! it: the book goes deeper where the play is good.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use anyhow::{Context, Result};
use clap::Args;
use ratlla::games::kalah::board::House;
use ratlla::games::kalah::book::{BookEntry, by_preference, new_index};
use ratlla::games::kalah::endgame::index::Index;
use ratlla::games::kalah::row::Row;
use ratlla::games::kalah::sowing::{Rows, Sowing};
use ratlla_common::progress::bar;

use super::rules;

/// The houses of a position.
pub type Position = Rows<u64>;

/// How far lines are followed.
#[derive(Args, Clone, Copy, Debug)]
pub struct Extent {
    /// Fewest seeds in play of a position in the book if the opponent has made only best moves;
    /// one more for each seed that it has given away
    #[arg(long, default_value_t = 21, value_parser = clap::value_parser!(u8).range(2..=48))]
    pub seeds: u8,
    /// All positions with at least this many seeds in play are in the book
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u8).range(2..=48))]
    pub all_seeds: u8,
}

impl Extent {
    /// Whether a position with these `seeds` in play is in the book if the opponent has given away
    /// this much.
    fn contains(self, seeds: u32, given_away: i32) -> bool {
        let least = i32::from(self.seeds) + given_away;
        seeds as i32 >= least.min(self.all_seeds.into())
    }
}

/// All lines from the start of the game.
pub struct Lines {
    /// What a move does.
    pub sowing: Sowing<u64>,
    index: Index,
    extent: Extent,
}

/// A position that comes up on a line.
#[derive(Clone, Copy)]
struct Reached {
    position: Position,
    /// The engine's share of the seeds in play if its opponent had made only best moves, less what
    /// the opponent has given away before.
    expected: i32,
}

/// The positions yet to be followed: by seeds in play, then by number.
struct Open {
    levels: Vec<BTreeMap<u64, Reached>>,
    /// The greatest [`Reached::expected`] so far, by number.
    seen: HashMap<u64, i32>,
}

impl Lines {
    /// All lines of this extent.
    pub fn new(extent: Extent) -> Lines {
        Lines { sowing: Sowing::new(rules()), index: new_index(), extent }
    }

    /// Follows all lines and returns their positions with their numbers and entries. `solve` is
    /// asked for the entry of each position, also for those that turn out to be beyond the extent:
    /// for those with many seeds first, then in the order of numbers where possible, so that
    /// neighbours find each other's results in the solver's table. A position may come up again.
    /// Lines end where it has none.
    pub fn follow(
        &self,
        mut solve: impl FnMut(u64, Position) -> Result<Option<BookEntry>>,
    ) -> Result<BTreeMap<u64, (Position, BookEntry)>> {
        let row = Row::new(&[rules().seeds() as u16; 6]);
        let start = Rows { own: row, other: row };
        let mut open =
            Open { levels: vec![BTreeMap::new(); rules().total() + 1], seen: HashMap::new() };
        let number = self.index.of(start);
        let entry = solve(number, start)?.context("the start has no entry")?;
        let share = i32::from(entry.share);
        self.add(start, share, &mut open);
        self.add_replies(start, rules().total() as i32 - share, &mut open);
        let mut positions = BTreeMap::new();
        for seeds in (0..open.levels.len()).rev() {
            let progress = bar(&format!("{seeds} seeds"), open.levels[seeds].len());
            // A move that reaches no store adds to the level itself.
            while let Some((number, reached)) = open.levels[seeds].pop_first() {
                progress.inc(1);
                progress.set_length(progress.position() + open.levels[seeds].len() as u64);
                let Some(entry) = solve(number, reached.position)? else { continue };
                let given_away = i32::from(entry.share) - reached.expected;
                if self.extent.contains(seeds as u32, given_away) {
                    positions.insert(number, (reached.position, entry));
                    self.play(reached, entry, &mut open)?;
                }
            }
        }
        Ok(positions)
    }

    /// Adds the positions that may come up next if the engine plays its move.
    fn play(&self, reached: Reached, entry: BookEntry, open: &mut Open) -> Result<()> {
        let preferred = by_preference(&self.sowing, reached.position);
        let &House(house) =
            preferred.get(usize::from(entry.rank)).context("a rank out of range")?;
        let sown = self.sowing.sow(reached.position, house.into());
        let expected = reached.expected - sown.gain as i32;
        match (sown.rows.is_over(), sown.again) {
            (true, _) => {}
            (false, true) => self.add(sown.rows, expected, open),
            (false, false) => self.add_replies(sown.rows.turned(), expected, open),
        }
        Ok(())
    }

    /// Adds the positions after a whole turn of the opponent, who is to move.
    fn add_replies(&self, position: Position, expected: i32, open: &mut Open) {
        for next in self.replies(position) {
            self.add(next, expected, open);
        }
    }

    /// Adds a position, unless it is out of reach or was reached before with as little given away.
    fn add(&self, position: Position, expected: i32, open: &mut Open) {
        let (number, seeds) = (self.index.of(position), position.in_play());
        let best = open.seen.entry(number).or_insert(i32::MIN);
        if expected > *best && self.extent.contains(seeds, 0) {
            *best = expected;
            open.levels[seeds as usize].insert(number, Reached { position, expected });
        }
    }

    /// An estimate of how many positions follow if the opponent is to move in this one: their number
    /// doubles with each seed in play.
    pub fn weight(&self, position: Position) -> u64 {
        self.replies(position).into_iter().map(|next| 1 << next.in_play()).sum()
    }

    /// The positions after a whole turn of the player to move, who may move several times.
    fn replies(&self, position: Position) -> Vec<Position> {
        let mut ends = Vec::new();
        let mut open = vec![position];
        let mut seen = BTreeSet::new();
        while let Some(here) = open.pop() {
            for house in here.own.occupied() {
                let sown = self.sowing.sow(here, house);
                if sown.rows.is_over() || !seen.insert((self.index.of(sown.rows), sown.again)) {
                    continue;
                }
                match sown.again {
                    true => open.push(sown.rows),
                    false => ends.push(sown.rows.turned()),
                }
            }
        }
        ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXTENT: Extent = Extent { seeds: 46, all_seeds: 47 };

    #[test]
    fn lines_are_longer_where_the_opponent_plays_well() {
        assert!(EXTENT.contains(46, 0) && EXTENT.contains(47, 1));
        assert!(!EXTENT.contains(45, 0) && !EXTENT.contains(46, 1));
        assert!(EXTENT.contains(47, 40), "all are in the book");
    }

    #[test]
    fn a_turn_may_have_several_moves() {
        let row = Row::new(&[4; 6]);
        // One of six houses, or house 3, which moves again, and one of the other five.
        let replies = Lines::new(EXTENT).replies(Rows { own: row, other: row });
        assert_eq!(replies.len(), 5 + 5);
        assert!(replies.iter().all(|position| position.in_play() >= 46));
    }

    #[test]
    fn only_what_is_given_away_beyond_the_extent_ends_a_line() {
        let mut lines = Lines::new(Extent { seeds: 46, all_seeds: 48 });
        // All shares are equal: in games of the second player they are above what is expected.
        let entry = |share| move |_, _| Ok(Some(BookEntry { share, rank: 0 }));
        let few = lines.follow(entry(28)).expect("no solver, no error").len();
        lines.extent.all_seeds = 46;
        let all = lines.follow(entry(28)).expect("no solver, no error").len();
        assert!(few < all, "{few} {all}");
        let none = lines.follow(|_, _| Ok(None));
        assert!(none.is_err_and(|error| error.to_string().contains("no entry")));
    }
}
