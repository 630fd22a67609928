//! Lets the engine play and checks that no move is a blunder: turns a win into a draw or loss, or a
//! draw into a loss.

use std::collections::HashMap;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::Args;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::games::connect4::book::key::stones;
use ratlla::games::connect4::book::{self, Book};
use ratlla::games::connect4::solver::{Bounds, Position, Solver, SolverLimits, SolverScore};
use ratlla_common::progress::bar;
use ratlla_common::table::Align::{Left, Right};
use ratlla_common::table::Table;

use super::game::{Conditions, EngineMove, Opponent, Played, play};

const OPPONENTS: [Opponent; 5] = [
    Opponent { strategy: "random", depth: 1, random_moves: 0 },
    Opponent { strategy: "greedy", depth: 1, random_moves: 1 },
    Opponent { strategy: "alphabeta", depth: 2, random_moves: 2 },
    Opponent { strategy: "alphabeta", depth: 5, random_moves: 3 },
    Opponent { strategy: "alphabeta", depth: 7, random_moves: 4 },
];

/// Arguments of `book verify`.
#[derive(Args)]
pub struct Verify {
    /// Number of games, divided among the opponents and both sides
    #[arg(long, default_value_t = 300)]
    games: usize,
    /// Time per move of the engine in milliseconds
    #[arg(long, default_value_t = 100, value_name = "MS")]
    movetime: u64,
    /// Random moves at the start of each game; without any, the book covers all hard positions
    #[arg(long, default_value_t = 0, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(0..=30))]
    opening: u8,
    /// Table size in MiB of the solver that checks the moves
    #[arg(long, default_value_t = 1024, value_name = "MIB")]
    hash: usize,
    /// Take scores from the book where it has them: faster, and as good if `check` passes
    #[arg(long)]
    trust_book: bool,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
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

impl Verify {
    /// Plays all games and prints a table; fails if a move was a blunder.
    pub fn run(&self) -> Result<()> {
        let trusted = if self.trust_book { book::embedded() } else { None };
        let mut checker =
            MoveChecker { solver: Solver::new(self.hash, 1)?, trusted, cache: HashMap::new() };
        let mut random = SmallRng::seed_from_u64(self.seed);
        let mut rows: Vec<Results> = (0..2 * OPPONENTS.len()).map(|_| Results::default()).collect();
        let conditions = Conditions {
            opening: self.opening.into(),
            movetime: Duration::from_millis(self.movetime),
        };
        for number in bar("games", self.games).wrap_iter(0..self.games) {
            let row = number % rows.len();
            let (opponent, engine_first) = (OPPONENTS[row / 2], row.is_multiple_of(2));
            let played = loop {
                let seed = random.random_range(1..u64::MAX);
                if let Some(played) = play(opponent, engine_first, conditions, seed)? {
                    break played;
                }
            };
            rows[row].add(&played, &mut checker)?;
        }
        print!("{}", table(&rows));
        let blunders: usize = rows.iter().map(|row| row.blunders).sum();
        ensure!(blunders == 0, "{blunders} blunders");
        Ok(())
    }
}

impl Results {
    fn add(&mut self, played: &Played, checker: &mut MoveChecker) -> Result<()> {
        self.games += 1;
        match played.won {
            Some(true) => self.won += 1,
            Some(false) => self.lost += 1,
            None => self.drawn += 1,
        }
        for mv in &played.engine_moves {
            self.moves += 1;
            if checker.is_blunder(mv)? {
                self.blunders += 1;
                println!("ply {} of {} is a blunder", stones(&mv.after), played.moves);
            }
        }
        Ok(())
    }
}

fn table(rows: &[Results]) -> Table {
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
        let Opponent { strategy, depth, .. } = OPPONENTS[index / 2];
        let side = if index.is_multiple_of(2) { "first" } else { "second" };
        let Results { games, won, drawn, lost, moves, blunders } = *row;
        let counts = [games, won, drawn, lost, moves, blunders].map(|count| count.to_string());
        table.row(
            [strategy.to_owned(), depth.to_string(), side.to_owned()].into_iter().chain(counts),
        );
    }
    table
}

/// Compares moves with the exact scores of positions.
struct MoveChecker {
    solver: Solver,
    trusted: Option<&'static Book>,
    /// Whether a position's score exceeds a score: openings recur.
    cache: HashMap<(Position, SolverScore), bool>,
}

impl MoveChecker {
    /// Whether a move turns a win into a draw or loss, or a draw into a loss.
    fn is_blunder(&mut self, mv: &EngineMove) -> Result<bool> {
        if mv.after.winner().is_some() || !self.exceeds(&mv.after, -1)? {
            return Ok(false);
        }
        // The win is gone, and maybe the draw: a blunder if either was there before.
        let still_drawn = !self.exceeds(&mv.after, 0)?;
        self.exceeds(&mv.before, if still_drawn { 0 } else { -1 })
    }

    /// Whether the exact score of a position is greater than `score`.
    fn exceeds(&mut self, position: &Position, score: SolverScore) -> Result<bool> {
        if let Some(exact) = self.trusted.and_then(|book| book.score(position)) {
            return Ok(exact > score);
        }
        if let Some(&exceeds) = self.cache.get(&(*position, score)) {
            return Ok(exceeds);
        }
        let wanted = Bounds { lower: score, upper: score + 1 };
        let found = self.solver.narrow(position, wanted, &SolverLimits::default()).bounds;
        ensure!(found.lower > score || found.upper <= score, "the solver stopped without a limit");
        self.cache.insert((*position, score), found.lower > score);
        Ok(found.lower > score)
    }
}
