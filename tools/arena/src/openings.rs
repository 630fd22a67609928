//! How games begin: random moves that give nobody an advantage, or positions from a list.
//!
//! The openings of a match are a list that depends on nothing but the game, the seed and the
//! number of plies, so that a resumed match plays the same ones. It is made as it is needed.

use std::collections::HashSet;
use std::sync::Mutex;

use anyhow::{Context as _, anyhow};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::any_game::AnyGame;

use crate::engine::dialect::Position;
use crate::settings::{Openings, Settings};
use crate::umpire::{self, Glance};

/// All openings of a match.
pub enum OpeningList {
    /// A list that is given.
    Fixed(Vec<Position>),
    /// A list that grows as it is asked for.
    Random(Mutex<Maker>),
}

impl OpeningList {
    /// The openings of a match.
    pub fn of(settings: &Settings) -> anyhow::Result<OpeningList> {
        OpeningList::new(&settings.openings, &settings.game, settings.seed)
    }

    /// The openings of the game with this title.
    pub fn new(openings: &Openings, title: &str, seed: u64) -> anyhow::Result<OpeningList> {
        let table = umpire::open(title).map_err(anyhow::Error::msg)?;
        Ok(match openings {
            Openings::Random { plies } => {
                let mut maker = Maker::new(table, *plies, seed)?;
                // If there is none at all, better say so before any engine starts.
                maker.get(0)?;
                OpeningList::Random(Mutex::new(maker))
            }
            Openings::List(lines) => {
                OpeningList::Fixed(lines.iter().map(|line| umpire::parse_position(line)).collect())
            }
        })
    }

    /// The opening with this number. A list that is too short begins anew.
    pub fn get(&self, round: u64) -> anyhow::Result<Position> {
        match self {
            OpeningList::Fixed(list) if list.is_empty() => Err(anyhow!("no openings")),
            OpeningList::Fixed(list) => Ok(list[(round % list.len() as u64) as usize].clone()),
            OpeningList::Random(maker) => {
                let mut maker = maker.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                maker.get(round as usize)
            }
        }
    }
}

/// Makes random openings, no two alike as long as there are new ones to be found.
pub struct Maker {
    table: Box<dyn AnyGame>,
    eval_after: Glance,
    plies: u32,
    rng: SmallRng,
    made: Vec<Vec<String>>,
    keys: HashSet<u64>,
    /// How hard the last ones were to find: 0 once nothing new was.
    attempts: usize,
}

impl Maker {
    /// After so many failures in a row, openings repeat themselves.
    const MOST_ATTEMPTS: usize = 300;

    fn new(table: Box<dyn AnyGame>, plies: u32, seed: u64) -> anyhow::Result<Maker> {
        let eval_after = Glance::new().map_err(anyhow::Error::msg)?;
        let rng = SmallRng::seed_from_u64(seed);
        let (made, keys) = (Vec::new(), HashSet::new());
        Ok(Maker { table, eval_after, plies, rng, made, keys, attempts: Maker::MOST_ATTEMPTS })
    }

    fn get(&mut self, index: usize) -> anyhow::Result<Position> {
        while self.made.len() <= index {
            let opening = self.make().with_context(|| {
                format!("no opening of {} moves was found that does not end the game", self.plies)
            })?;
            self.made.push(opening);
        }
        Ok(Position { setup: String::new(), moves: self.made[index].clone() })
    }

    fn make(&mut self) -> Option<Vec<String>> {
        for _ in 0..self.attempts {
            let moves = self.random_moves();
            if let Some(moves) = moves
                && !self.keys.contains(&self.table.key())
                && self.eval_after.is_balanced(&*self.table)
            {
                self.keys.insert(self.table.key());
                return Some(moves);
            }
        }
        self.attempts = 0;
        if self.made.is_empty() {
            return (0..Maker::MOST_ATTEMPTS).find_map(|_| self.random_moves());
        }
        Some(self.made[self.rng.random_range(0..self.made.len())].clone())
    }

    /// Plays random moves on the table; `None` if the game ended on the way.
    fn random_moves(&mut self) -> Option<Vec<String>> {
        self.table.set_position(&[], &[]).ok()?;
        let mut played = Vec::new();
        for _ in 0..self.plies {
            let mut moves = self.table.moves();
            if moves.is_empty() {
                return None;
            }
            let mv = moves.swap_remove(self.rng.random_range(0..moves.len()));
            self.table.play(&mv).ok()?;
            played.push(mv);
        }
        self.table.outcome().is_none().then_some(played)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(game: &str, plies: u32, seed: u64) -> OpeningList {
        OpeningList::new(&Openings::Random { plies }, game, seed).unwrap()
    }

    #[test]
    fn openings_depend_on_the_seed_alone() {
        for game in ["6 7", "25 25", "boom", "wali", "kalah"] {
            let (one, same, other) = (list(game, 4, 7), list(game, 4, 7), list(game, 4, 8));
            // Asked for in another order, they are still the same.
            let backwards: Vec<_> = (0..6).rev().map(|round| same.get(round).unwrap()).collect();
            let forwards: Vec<_> = (0..6).map(|round| one.get(round).unwrap()).collect();
            assert!(forwards.iter().eq(backwards.iter().rev()), "{game}");
            let others: Vec<_> = (0..6).map(|round| other.get(round).unwrap()).collect();
            assert_ne!(forwards, others, "{game}");
            assert!(forwards.iter().all(|opening| opening.moves.len() == 4));
        }
    }

    #[test]
    fn openings_that_are_too_long_are_refused_at_once() {
        for plies in [30, 42, 100] {
            let openings = Openings::Random { plies };
            let Err(error) = OpeningList::new(&openings, "4 4", 1) else {
                panic!("{plies} moves on 16 cells");
            };
            assert!(error.to_string().contains(&format!("no opening of {plies} moves")));
        }
    }

    #[test]
    fn openings_differ_as_long_as_there_are_any() {
        let many = list("6 7", 4, 1);
        let found: HashSet<Vec<String>> =
            (0..60).map(|round| many.get(round).unwrap().moves).collect();
        assert_eq!(found.len(), 60);
        let only_one = list("6 7", 0, 1);
        assert!((0..5).all(|round| only_one.get(round).unwrap() == Position::default()));
    }

    #[test]
    fn a_list_is_played_in_turn_and_begins_anew() {
        let lines = ["moves 4", "startpos", "moves 3 3"].map(str::to_owned);
        let list = OpeningList::new(&Openings::List(lines.to_vec()), "6 7", 1).unwrap();
        let moves = |round: u64| list.get(round).unwrap().moves.join(" ");
        assert_eq!([0, 1, 2, 3].map(moves), ["4", "", "3 3", "4"]);
    }
}
