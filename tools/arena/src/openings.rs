//! The openings of a match: balanced random move sequences, or positions from a list.
//!
//! Random openings depend only on the game, the seed and the number of plies, and on the search that
//! judges them, so a resumed match plays the same ones. They are generated in order, on demand.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use anyhow::{Context as _, ensure};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::any_game::AnyGame;

use crate::engine::dialect::Position;
use crate::record::GameRecord;
use crate::rules::{self, BalanceCheck};
use crate::settings::{Balance, MatchSettings, OpeningSource};

/// The openings of a match, one per round.
pub struct OpeningSuite {
    openings: Openings,
    /// Those of rounds that have begun.
    played: HashMap<u64, Position>,
}

enum Openings {
    /// Positions given by the user.
    Fixed(Vec<Position>),
    /// Openings generated on demand.
    Random(Box<Mutex<RandomOpenings>>),
}

impl OpeningSuite {
    /// The openings of a match.
    pub fn of(settings: &MatchSettings) -> anyhow::Result<OpeningSuite> {
        OpeningSuite::new(&settings.openings, &settings.game, settings.seed)
    }

    /// The openings of the game with this title. Fails if there are none.
    pub fn new(source: &OpeningSource, title: &str, seed: u64) -> anyhow::Result<OpeningSuite> {
        let openings = match source {
            OpeningSource::Random { plies, balance } => {
                let mut openings = RandomOpenings::new(title, *plies, *balance, seed)?;
                // Report an impossible request before any engine starts.
                openings.get(0)?;
                Openings::Random(Box::new(Mutex::new(openings)))
            }
            OpeningSource::List(lines) => {
                ensure!(!lines.is_empty(), "no openings");
                let positions = lines.iter().map(|line| rules::parse_position(line));
                Openings::Fixed(positions.collect())
            }
        };
        Ok(OpeningSuite { openings, played: HashMap::new() })
    }

    /// These openings, but in rounds that have begun those of their games. An arena of another version
    /// may have generated others, and both games of a pair must have the same one.
    pub fn resumed(mut self, games: &[GameRecord]) -> OpeningSuite {
        let opening =
            |game: &GameRecord| Position { setup: game.setup.clone(), moves: game.opening.clone() };
        self.played = games.iter().map(|game| (game.round, opening(game))).collect();
        self
    }

    /// The opening of a round. A list that is too short starts over.
    pub fn get(&self, round: u64) -> anyhow::Result<Position> {
        if let Some(opening) = self.played.get(&round) {
            return Ok(opening.clone());
        }
        match &self.openings {
            Openings::Fixed(list) => Ok(list[(round % list.len() as u64) as usize].clone()),
            Openings::Random(openings) => {
                let mut openings = openings.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                openings.get(round as usize)
            }
        }
    }
}

/// Generates random openings, all different until no new ones can be found.
pub struct RandomOpenings {
    game: Box<dyn AnyGame>,
    balance: BalanceCheck,
    plies: u32,
    rng: SmallRng,
    generated: Vec<Vec<String>>,
    /// Positions that were accepted or rejected, by their hash keys.
    tried: HashSet<u64>,
    /// Attempts per opening: 0 once they are exhausted.
    attempts: usize,
}

impl RandomOpenings {
    /// After this many failures in a row, openings repeat.
    const MAX_ATTEMPTS: usize = 300;

    /// Openings of the game with this title.
    pub fn new(
        title: &str,
        plies: u32,
        balance: Balance,
        seed: u64,
    ) -> anyhow::Result<RandomOpenings> {
        Ok(RandomOpenings {
            game: rules::open(title)?,
            balance: BalanceCheck::new(title, balance)?,
            plies,
            rng: SmallRng::seed_from_u64(seed),
            generated: Vec::new(),
            tried: HashSet::new(),
            attempts: RandomOpenings::MAX_ATTEMPTS,
        })
    }

    fn get(&mut self, index: usize) -> anyhow::Result<Position> {
        while self.generated.len() <= index {
            let opening = self.generate().with_context(|| {
                let kind = match self.balance.is_exact() {
                    true => "is balanced and ",
                    false => "",
                };
                format!("no opening of {} plies found that {kind}does not end the game", self.plies)
            })?;
            self.generated.push(opening);
        }
        Ok(Position { setup: String::new(), moves: self.generated[index].clone() })
    }

    /// A balanced opening that leads to a new position; `None` once there seem to be no more.
    pub fn next_distinct(&mut self) -> Option<Vec<String>> {
        for _ in 0..self.attempts {
            // A position that was rejected would be rejected again, at the cost of another search.
            if let Some(moves) = self.random_moves()
                && self.tried.insert(self.game.key())
                && self.balance.is_balanced(&mut *self.game)
            {
                return Some(moves);
            }
        }
        self.attempts = 0;
        None
    }

    fn generate(&mut self) -> Option<Vec<String>> {
        if let Some(moves) = self.next_distinct() {
            return Some(moves);
        }
        if self.generated.is_empty() && !self.balance.is_exact() {
            return (0..RandomOpenings::MAX_ATTEMPTS).find_map(|_| self.random_moves());
        }
        let count = self.generated.len();
        (count > 0).then(|| self.generated[self.rng.random_range(0..count)].clone())
    }

    /// Plays random moves from the start position; `None` if that ends the game.
    fn random_moves(&mut self) -> Option<Vec<String>> {
        self.game.set_position(&[], &[]).ok()?;
        let mut played = Vec::new();
        for _ in 0..self.plies {
            let mut moves = self.game.moves();
            if moves.is_empty() {
                return None;
            }
            let mv = moves.swap_remove(self.rng.random_range(0..moves.len()));
            self.game.play(&mv).ok()?;
            played.push(mv);
        }
        self.game.outcome().is_none().then_some(played)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite(game: &str, plies: u32, seed: u64) -> OpeningSuite {
        OpeningSuite::new(&OpeningSource::Random { plies, balance: Balance::Search }, game, seed)
            .unwrap()
    }

    #[test]
    fn openings_are_determined_by_the_seed() {
        for game in ["6 7", "25 25", "boom", "wali", "kalah"] {
            let (one, same, other) = (suite(game, 4, 7), suite(game, 4, 7), suite(game, 4, 8));
            // The order of the requests must not matter.
            let backwards: Vec<_> = (0..6).rev().map(|round| same.get(round).unwrap()).collect();
            let forwards: Vec<_> = (0..6).map(|round| one.get(round).unwrap()).collect();
            assert!(forwards.iter().eq(backwards.iter().rev()), "{game}");
            let others: Vec<_> = (0..6).map(|round| other.get(round).unwrap()).collect();
            assert_ne!(forwards, others, "{game}");
            assert!(forwards.iter().all(|opening| opening.moves.len() == 4));
        }
    }

    #[test]
    fn openings_that_cannot_exist_are_refused_at_once() {
        // So many stones fill the board, and more do not fit.
        for plies in [16, 30, 42, 100] {
            let source = OpeningSource::Random { plies, balance: Balance::Search };
            let Err(error) = OpeningSuite::new(&source, "4 4", 1) else {
                panic!("{plies} plies on 16 cells");
            };
            assert!(error.to_string().contains(&format!("no opening of {plies} plies")));
        }
    }

    #[test]
    fn openings_repeat_only_when_exhausted() {
        let many = suite("6 7", 4, 1);
        let found: HashSet<Vec<String>> =
            (0..60).map(|round| many.get(round).unwrap().moves).collect();
        assert_eq!(found.len(), 60);
        let only_one = suite("6 7", 0, 1);
        assert!((0..5).all(|round| only_one.get(round).unwrap() == Position::default()));
    }

    /// The flags ask for balance, and a game can be played from every opening.
    #[test]
    fn random_openings_are_balanced_and_not_over() {
        for (title, plies, balance) in
            [("6 7", 6, Balance::Search), ("4 4", 9, Balance::Exact), ("boom", 5, Balance::Search)]
        {
            let mut game = rules::open(title).unwrap();
            let mut check = BalanceCheck::new(title, balance).unwrap();
            let source = OpeningSource::Random { plies, balance };
            let suite = OpeningSuite::new(&source, title, 3).unwrap();
            for round in 0..25 {
                let opening = suite.get(round).unwrap();
                assert_eq!(opening.moves.len(), plies as usize);
                rules::set_up_opening(&mut *game, &opening).unwrap();
                assert!(check.is_balanced(&mut *game), "{title}: {opening:?}");
            }
        }
    }

    /// Both games of a pair have one opening, also where another version has generated the first.
    #[test]
    fn a_round_that_has_begun_keeps_its_opening_and_only_that() {
        let game = |round: u64, setup: &str, moves: &[&str]| GameRecord {
            round,
            setup: setup.to_owned(),
            opening: moves.iter().map(|&mv| mv.to_owned()).collect(),
            ..GameRecord::default()
        };
        let fresh = suite("6 7", 2, 1);
        let resumed = suite("6 7", 2, 1).resumed(&[game(1, "", &["1", "1"]), game(3, "x y", &[])]);
        for round in 0..5 {
            let expected = match round {
                1 => rules::parse_position("moves 1 1"),
                3 => Position { setup: "x y".to_owned(), moves: Vec::new() },
                _ => fresh.get(round).unwrap(),
            };
            assert_eq!(resumed.get(round).unwrap(), expected, "{round}");
        }
    }

    #[test]
    fn a_list_is_played_in_order_and_starts_over() {
        let lines = ["moves 4", "startpos", "moves 3 3"].map(str::to_owned);
        let list = OpeningSuite::new(&OpeningSource::List(lines.to_vec()), "6 7", 1).unwrap();
        let moves = |round: u64| list.get(round).unwrap().moves.join(" ");
        assert_eq!([0, 1, 2, 3].map(moves), ["4", "", "3 3", "4"]);
    }
}
