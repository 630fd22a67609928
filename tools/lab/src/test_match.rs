//! Test matches: games of the engine's default strategy against weaker opponents, inside this
//! process, in which every move of the engine is checked.

use std::time::Duration;

use anyhow::{Context, Error, Result, ensure};
use clap::Args;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::engine::Engine;
use ratlla::game::{Outcome, Side};
use ratlla::games::REGISTRY;
use ratlla::limits::SearchControl;
use ratlla::protocol::command::Go;
use ratlla::settings::Settings;
use ratlla_common::progress::bar;
use ratlla_common::table::Align::{Left, Right};
use ratlla_common::table::Table;

/// The engine's opponent.
#[derive(Clone, Copy, Debug)]
pub struct Opponent {
    /// The name of its strategy.
    pub strategy: &'static str,
    /// Its search depth, if it searches.
    pub depth: u32,
    /// Random moves before its own, so that games differ.
    pub random_moves: usize,
}

/// Opponents from weak to strong; `second` is the game's own strategy that looks one move ahead.
pub fn opponents(second: &'static str) -> [Opponent; 5] {
    [
        Opponent { strategy: "random", depth: 1, random_moves: 0 },
        Opponent { strategy: second, depth: 1, random_moves: 1 },
        Opponent { strategy: "alphabeta", depth: 2, random_moves: 2 },
        Opponent { strategy: "alphabeta", depth: 5, random_moves: 3 },
        Opponent { strategy: "alphabeta", depth: 7, random_moves: 4 },
    ]
}

/// How the games are played.
#[derive(Args)]
pub struct MatchOptions {
    /// Number of games, divided among the opponents and both sides
    #[arg(long, default_value_t = 300)]
    games: usize,
    /// Time per move of the engine in milliseconds
    #[arg(long, default_value_t = 100, value_name = "MS")]
    movetime: u64,
    /// Nodes per move of the engine instead of a time: the same games on every machine
    #[arg(long)]
    nodes: Option<u64>,
    /// Random moves at the start of each game; without any, the book covers all hard positions
    #[arg(long, default_value_t = 0, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(0..=30))]
    opening: u8,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A finished game.
pub struct Played {
    /// All moves.
    pub moves: Vec<PlayedMove>,
    /// Whether the engine won; `None` is a draw.
    won: Option<bool>,
}

/// A move of a game.
pub struct PlayedMove {
    /// As the engine writes it.
    pub text: String,
    /// Whether the engine chose it.
    pub by_engine: bool,
}

impl Played {
    /// A drawn game of which the engine chose the moves from number `first` on, the first one being 0.
    #[cfg(test)]
    pub fn drawn(moves: &[&str], first: usize) -> Played {
        let played = |(index, text): (usize, &&str)| PlayedMove {
            text: (*text).to_owned(),
            by_engine: index >= first,
        };
        Played { moves: moves.iter().enumerate().map(played).collect(), won: None }
    }

    /// The first moves, for a message.
    pub fn text(&self, count: usize) -> String {
        let words: Vec<&str> = self.moves[..count].iter().map(|mv| mv.text.as_str()).collect();
        words.join(" ")
    }
}

/// Results against one opponent with one side.
#[derive(Default)]
struct Results {
    games: usize,
    won: usize,
    drawn: usize,
    lost: usize,
    moves: usize,
    blunders: usize,
}

impl MatchOptions {
    /// Plays all games and prints a table; fails if a move was a blunder. `count_blunders` returns
    /// how many moves of the engine in a game were.
    pub fn run(
        &self,
        game: &str,
        opponents: &[Opponent],
        count_blunders: &mut dyn FnMut(&Played) -> Result<usize>,
    ) -> Result<()> {
        let mut random = SmallRng::seed_from_u64(self.seed);
        let mut rows: Vec<Results> = (0..2 * opponents.len()).map(|_| Results::default()).collect();
        for number in bar("games", self.games).wrap_iter(0..self.games) {
            let row = number % rows.len();
            let (opponent, side) = (opponents[row / 2], side_of_row(row));
            let played = loop {
                let seed = random.random_range(1..u64::MAX);
                if let Some(played) = self.play(game, opponent, side, seed)? {
                    break played;
                }
            };
            rows[row].add(&played, count_blunders(&played)?);
        }
        print!("{}", table(opponents, &rows));
        let blunders: usize = rows.iter().map(|row| row.blunders).sum();
        ensure!(blunders == 0, "{blunders} blunders");
        Ok(())
    }

    /// Plays one game; `None` if it was over before the engine could move.
    fn play(
        &self,
        game: &str,
        opponent: Opponent,
        engine_side: Side,
        seed: u64,
    ) -> Result<Option<Played>> {
        let engine = Settings::default();
        let random = Settings { strategy: "random".to_owned(), seed, ..Settings::default() };
        let other = Settings {
            strategy: opponent.strategy.to_owned(),
            depth: opponent.depth,
            seed,
            ..Settings::default()
        };
        let game = REGISTRY.open(game, &[]).map_err(Error::msg)?;
        let mut player = Engine::new(game, engine.hash).map_err(Error::msg)?;
        let mut moves: Vec<PlayedMove> = Vec::new();
        let mut opponents_moves = 0;
        let outcome = loop {
            if let Some(outcome) = player.game.outcome() {
                break outcome;
            }
            let opening = moves.len() < self.opening.into();
            let engines_turn = player.game.side_to_move() == engine_side;
            let settings = if opening {
                &random
            } else if engines_turn {
                &engine
            } else if opponents_moves < opponent.random_moves {
                &random
            } else {
                &other
            };
            let text = self.choose(&mut player, settings)?;
            player.game.play(&text).map_err(Error::msg)?;
            moves.push(PlayedMove { text, by_engine: engines_turn && !opening });
            opponents_moves += usize::from(!engines_turn);
        };
        let won = match outcome {
            Outcome::Win(side) => Some(side == engine_side),
            Outcome::Draw => None,
        };
        let played = moves.iter().any(|mv| mv.by_engine);
        Ok(played.then_some(Played { moves, won }))
    }

    fn choose(&self, engine: &mut Engine, settings: &Settings) -> Result<String> {
        let movetime = Duration::from_millis(self.movetime);
        let go = match self.nodes {
            Some(_) => Go { nodes: self.nodes, ..Go::default() },
            None => Go { movetime: Some(movetime), ..Go::default() },
        };
        let settings = Settings { move_overhead: Duration::ZERO, ..settings.clone() };
        let control = SearchControl::new(false, false);
        let result = engine.search(&go, &settings, &control, &mut |_| {});
        result.best_move().cloned().context("no move in an unfinished game")
    }
}

impl Results {
    fn add(&mut self, played: &Played, blunders: usize) {
        self.games += 1;
        match played.won {
            Some(true) => self.won += 1,
            Some(false) => self.lost += 1,
            None => self.drawn += 1,
        }
        self.moves += played.moves.iter().filter(|mv| mv.by_engine).count();
        self.blunders += blunders;
    }
}

/// The engine's side in the games of a row of the table.
fn side_of_row(row: usize) -> Side {
    if row.is_multiple_of(2) { Side::P1 } else { Side::P2 }
}

fn table(opponents: &[Opponent], rows: &[Results]) -> Table {
    let mut table = Table::new(&[
        ("opponent", Left),
        ("depth", Right),
        ("engine", Left),
        ("games", Right),
        ("won", Right),
        ("drawn", Right),
        ("lost", Right),
        ("moves", Right),
        ("blunders", Right),
    ]);
    for (index, row) in rows.iter().enumerate() {
        let Opponent { strategy, depth, .. } = opponents[index / 2];
        let side = if side_of_row(index) == Side::P1 { "first" } else { "second" };
        let Results { games, won, drawn, lost, moves, blunders } = *row;
        let counts = [games, won, drawn, lost, moves, blunders].map(|count| count.to_string());
        table.row(
            [strategy.to_owned(), depth.to_string(), side.to_owned()].into_iter().chain(counts),
        );
    }
    table
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Matches of an engine that searches a few nodes.
    fn options(games: usize) -> MatchOptions {
        MatchOptions { games, movetime: 0, nodes: Some(20), opening: 0, seed: 1 }
    }

    #[test]
    fn the_engine_takes_both_sides_in_turn_against_each_opponent() {
        let random = Opponent { strategy: "random", depth: 1, random_moves: 0 };
        let greedy = Opponent { strategy: "greedy", depth: 1, random_moves: 0 };
        let mut begun = Vec::new();
        let played = options(6).run("connect4", &[random, greedy], &mut |played| {
            begun.push(played.moves[0].by_engine);
            Ok(0)
        });
        assert!(played.is_ok());
        assert_eq!(begun, [true, false, true, false, true, false]);
        let rows: Vec<Results> = (0..4).map(|_| Results::default()).collect();
        let text = table(&[random, greedy], &rows).to_string();
        let row = |words: [&str; 2]| {
            let line = text.lines().position(|line| words.iter().all(|word| line.contains(word)));
            line.unwrap_or_else(|| panic!("{words:?} in\n{text}"))
        };
        let [first, second] = [["random", "first"], ["random", "second"]].map(row);
        assert!(first < second && second < row(["greedy", "first"]));
    }

    #[test]
    fn a_blunder_fails_the_match_and_none_does_not() {
        let random = [Opponent { strategy: "random", depth: 1, random_moves: 0 }];
        let mut blunders = [0, 1].into_iter();
        let error = options(2).run("connect4", &random, &mut |_| Ok(blunders.next().unwrap_or(0)));
        assert_eq!(error.unwrap_err().to_string(), "1 blunders");
        assert!(options(2).run("connect4", &random, &mut |_| Ok(0)).is_ok());
    }

    /// The opponent's second move is always its own: only the first one varies with the seed.
    #[test]
    fn an_opponent_begins_with_as_many_random_moves_as_it_should() {
        for (random_moves, is_varied) in [(0, [false, false]), (1, [true, false])] {
            let opponent = Opponent { strategy: "alphabeta", depth: 1, random_moves };
            let games: Vec<Played> = (1..30)
                .filter_map(|seed| options(1).play("connect4", opponent, Side::P1, seed).unwrap())
                .collect();
            assert_eq!(games.len(), 29);
            // What it answers to the same moves before.
            for (index, is_varied) in [1, 3].into_iter().zip(is_varied) {
                let answers = |game: &Played| (game.text(index), game.text(index + 1));
                let answers: HashSet<_> = games.iter().map(answers).collect();
                let questions: HashSet<_> = answers.iter().map(|(before, _)| before).collect();
                assert_eq!(answers.len() > questions.len(), is_varied, "move {index}");
            }
        }
    }
}
