//! Lets the engine play and checks that no move is a blunder: turns a win into a draw or loss, or a
//! draw into a loss.

use std::collections::HashMap;

use anyhow::{Context, Result, ensure};
use clap::Args;
use ratlla::games::connect4::book::{self, Book};
use ratlla::games::connect4::solver::{Bounds, Position, Solver, SolverLimits, SolverScore};

use super::positions::start;
use crate::test_match::{MatchOptions, Played, opponents};

/// Arguments of `book verify`.
#[derive(Args)]
pub struct Verify {
    #[command(flatten)]
    games: MatchOptions,
    /// Table size in MiB of the solver that checks the moves
    #[arg(long, default_value_t = 1024, value_name = "MIB")]
    hash: usize,
    /// Take scores from the book where it has them: faster, and as good if `check` passes
    #[arg(long)]
    trust_book: bool,
}

impl Verify {
    /// Plays all games and prints a table; fails if a move was a blunder.
    pub fn run(&self) -> Result<()> {
        let trusted = if self.trust_book { book::embedded() } else { None };
        let mut checker =
            MoveChecker { solver: Solver::new(self.hash, 1)?, trusted, cache: HashMap::new() };
        self.games
            .run("connect4", &opponents("greedy"), &mut |played| checker.count_blunders(played))
    }
}

/// Compares moves with the exact scores of positions.
struct MoveChecker {
    solver: Solver,
    trusted: Option<&'static Book>,
    /// Whether a position's score exceeds a score: openings recur.
    cache: HashMap<(Position, SolverScore), bool>,
}

impl MoveChecker {
    /// How many of the engine's moves are blunders.
    fn count_blunders(&mut self, played: &Played) -> Result<usize> {
        let mut here = start();
        let mut blunders = 0;
        for (index, mv) in played.moves.iter().enumerate() {
            let column: Option<u32> = mv.text.parse().ok();
            let after = column.and_then(|column| here.play(column - 1)).context("illegal move")?;
            if mv.by_engine && self.is_blunder(&here, &after)? {
                blunders += 1;
                println!("the last move of {} is a blunder", played.text(index + 1));
            }
            here = after;
        }
        Ok(blunders)
    }

    /// Whether a move turns a win into a draw or loss, or a draw into a loss.
    fn is_blunder(&mut self, before: &Position, after: &Position) -> Result<bool> {
        if after.winner().is_some() || !self.exceeds(after, -1)? {
            return Ok(false);
        }
        // The win is gone, and maybe the draw: a blunder if either was there before.
        let still_drawn = !self.exceeds(after, 0)?;
        self.exceeds(before, if still_drawn { 0 } else { -1 })
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of blunders among the moves from number `first` on, by the book alone.
    fn blunders(moves: &[&str], first: usize) -> usize {
        let solver = Solver::new(1, 1).unwrap();
        let mut checker = MoveChecker { solver, trusted: book::embedded(), cache: HashMap::new() };
        checker.count_blunders(&Played::drawn(moves, first)).unwrap()
    }

    /// Column 4 wins, columns 3 and 5 draw, the others lose.
    #[test]
    fn a_blunder_gives_away_a_win_or_a_draw() {
        assert_eq!(blunders(&["4"], 0), 0);
        for (column, is_blunder) in [("3", true), ("1", true), ("2", true), ("6", true)] {
            assert_eq!(blunders(&[column], 0), usize::from(is_blunder), "{column}");
            assert_eq!(blunders(&[column], 1), 0, "somebody else's move");
        }
        // After 4 every reply loses: none can be a blunder.
        for column in ["1", "2", "3", "4", "5", "6", "7"] {
            assert_eq!(blunders(&["4", column], 1), 0, "4 {column}");
        }
        // After 1 the second player wins by playing in the centre, and not at the edge.
        assert_eq!(blunders(&["1", "4"], 1), 0);
        assert_eq!(blunders(&["1", "1"], 1), 1);
    }

    /// The solver's word is as good as the book's.
    #[test]
    fn late_moves_are_judged_by_the_solver() {
        let opening =
            ["4", "4", "4", "4", "4", "4", "1", "1", "1", "1", "1", "1", "7", "7", "7", "7"];
        let mut here = start();
        for column in opening {
            here = here.play(column.parse::<u32>().unwrap() - 1).unwrap();
        }
        let mut solver = Solver::new(16, 1).unwrap();
        let mut score = |position: &Position| -> SolverScore {
            let all = Bounds { lower: -100, upper: 100 };
            solver.narrow(position, all, &SolverLimits::default()).bounds.score().unwrap()
        };
        let best = score(&here);
        for column in here.legal_columns() {
            let after = here.play(column).unwrap();
            let is_blunder = -score(&after) < best && (-score(&after)).signum() < best.signum();
            let column = (column + 1).to_string();
            let moves: Vec<&str> = opening.into_iter().chain([column.as_str()]).collect();
            assert_eq!(blunders(&moves, opening.len()), usize::from(is_blunder), "{column}");
        }
    }
}
