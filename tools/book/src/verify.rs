//! Lets the engine play and looks whether it ever gives anything away.

use std::collections::HashMap;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::Args;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::games::connect4::book::key::stones;
use ratlla::games::connect4::book::{self, Book};
use ratlla::games::connect4::solver::{Bounds, Position, Solver, SolverLimits, SolverScore};

use crate::game::{Conditions, EngineMove, Opponent, Played, play};
use crate::progress::bar;

const OPPONENTS: [Opponent; 5] = [
    Opponent { strategy: "random", depth: 1, random_moves: 0 },
    Opponent { strategy: "greedy", depth: 1, random_moves: 1 },
    Opponent { strategy: "alphabeta", depth: 2, random_moves: 2 },
    Opponent { strategy: "alphabeta", depth: 5, random_moves: 3 },
    Opponent { strategy: "alphabeta", depth: 7, random_moves: 4 },
];

/// What `verify` is told.
#[derive(Args)]
pub struct Verify {
    /// How many games to play, divided among the opponents and the two sides.
    #[arg(long, default_value_t = 300)]
    games: usize,
    /// Milliseconds for each move of the engine.
    #[arg(long, default_value_t = 100, value_name = "MS")]
    movetime: u64,
    /// How many moves at random each game begins with; without any the book covers all that is hard.
    #[arg(long, default_value_t = 0, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(0..=30))]
    opening: u8,
    /// MiB for the table of the solver that checks the moves.
    #[arg(long, default_value_t = 1024, value_name = "MIB")]
    hash: usize,
    /// Believe the book where it has a score: faster, and as good if `check` has found no fault.
    #[arg(long)]
    trust_book: bool,
    /// Where the random choices of the opponents begin.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What came of the games against one opponent with one side.
#[derive(Default)]
struct Row {
    games: usize,
    won: usize,
    drawn: usize,
    lost: usize,
    moves: usize,
    faults: usize,
}

impl Verify {
    /// Plays all games, prints a table and fails if a move gave something away.
    pub fn run(&self) -> Result<()> {
        let trusted = if self.trust_book { book::embedded() } else { None };
        let mut referee =
            Referee { solver: Solver::new(self.hash, 1)?, trusted, verdicts: HashMap::new() };
        let mut random = SmallRng::seed_from_u64(self.seed);
        let mut rows: Vec<Row> = (0..2 * OPPONENTS.len()).map(|_| Row::default()).collect();
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
            rows[row].add(&played, &mut referee)?;
        }
        print_table(&rows);
        let faults: usize = rows.iter().map(|row| row.faults).sum();
        ensure!(faults == 0, "{faults} moves gave something away");
        Ok(())
    }
}

impl Row {
    fn add(&mut self, played: &Played, referee: &mut Referee) -> Result<()> {
        self.games += 1;
        match played.won {
            Some(true) => self.won += 1,
            Some(false) => self.lost += 1,
            None => self.drawn += 1,
        }
        for mv in &played.engine_moves {
            self.moves += 1;
            if referee.gives_away(mv)? {
                self.faults += 1;
                println!("ply {} of {} gives something away", stones(&mv.after), played.moves);
            }
        }
        Ok(())
    }
}

fn print_table(rows: &[Row]) {
    println!("| opponent | depth | engine | games | won | drawn | lost | moves | faults |");
    println!("| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (index, row) in rows.iter().enumerate() {
        let Opponent { strategy, depth, .. } = OPPONENTS[index / 2];
        let side = if index.is_multiple_of(2) { "first" } else { "second" };
        let Row { games, won, drawn, lost, moves, faults } = row;
        println!(
            "| {strategy} | {depth} | {side} | {games} | {won} | {drawn} | {lost} | {moves} | {faults} |"
        );
    }
}

/// Knows the truth about every position.
struct Referee {
    solver: Solver,
    trusted: Option<&'static Book>,
    /// What was found before: openings come again.
    verdicts: HashMap<(Position, SolverScore), bool>,
}

impl Referee {
    /// Whether a move makes a draw of a win, or a loss of a draw or a win.
    fn gives_away(&mut self, mv: &EngineMove) -> Result<bool> {
        if mv.after.winner().is_some() {
            return Ok(false);
        }
        if !self.exceeds(&mv.after, -1)? {
            return Ok(false);
        }
        // No win is left: then there must have been none before, nor a draw if that is lost too.
        let still_drawn = !self.exceeds(&mv.after, 0)?;
        self.exceeds(&mv.before, if still_drawn { 0 } else { -1 })
    }

    /// Whether the exact score of a position is greater than `score`.
    fn exceeds(&mut self, position: &Position, score: SolverScore) -> Result<bool> {
        if let Some(exact) = self.trusted.and_then(|book| book.score(position)) {
            return Ok(exact > score);
        }
        if let Some(&exact_value) = self.verdicts.get(&(*position, score)) {
            return Ok(exact_value);
        }
        let wanted = Bounds { lower: score, upper: score + 1 };
        let found = self.solver.narrow(position, wanted, &SolverLimits::default()).bounds;
        ensure!(found.lower > score || found.upper <= score, "a search without limits was stopped");
        self.verdicts.insert((*position, score), found.lower > score);
        Ok(found.lower > score)
    }
}
