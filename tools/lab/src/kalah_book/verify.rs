//! Lets the engine play and checks that no move gives seeds away.

use anyhow::{Context, Error, Result};
use clap::Args;
use ratlla::game::{Game, Notation};
use ratlla::games::kalah::board::Board;
use ratlla::games::kalah::book::{self, ShareBook, by_preference};
use ratlla::games::kalah::solver::ShareSolver;

use super::{SolverOptions, rules};
use crate::test_match::{MatchOptions, Opponent, Played};

const OPPONENTS: [Opponent; 5] = [
    Opponent { strategy: "random", depth: 1, random_moves: 0 },
    Opponent { strategy: "simple", depth: 1, random_moves: 1 },
    Opponent { strategy: "alphabeta", depth: 2, random_moves: 2 },
    Opponent { strategy: "alphabeta", depth: 5, random_moves: 3 },
    Opponent { strategy: "alphabeta", depth: 7, random_moves: 4 },
];

/// Arguments of `kalah-book verify`.
#[derive(Args)]
pub struct Verify {
    #[command(flatten)]
    games: MatchOptions,
    #[command(flatten)]
    solver: SolverOptions,
    /// Take moves from the book for good: faster, and as good if `check` passes
    #[arg(long)]
    trust_book: bool,
}

impl Verify {
    /// Plays all games and prints a table; fails if a move gave seeds away.
    pub fn run(&self) -> Result<()> {
        let endgames = self.solver.endgames()?;
        let checker = MoveChecker {
            solver: self.solver.solver(&endgames)?,
            trusted: if self.trust_book { book::embedded() } else { None },
        };
        self.games.run("kalah", &OPPONENTS, &mut |played| checker.count_blunders(played))
    }
}

/// Compares moves with the exact shares of positions.
struct MoveChecker<'a> {
    solver: ShareSolver<'a, u64>,
    trusted: Option<&'static ShareBook>,
}

impl MoveChecker<'_> {
    /// How many of the engine's moves give seeds away.
    fn count_blunders(&self, played: &Played) -> Result<usize> {
        let mut board = Board::<u64>::new(rules());
        let mut blunders = 0;
        for (index, mv) in played.moves.iter().enumerate() {
            let house = board.parse_move(&mv.text).map_err(Error::msg)?;
            if mv.by_engine && !self.is_best(&board, house.0)? {
                blunders += 1;
                let seeds = board.rows().in_play();
                println!(
                    "the last move of {} gives seeds away ({seeds} in play)",
                    played.text(index + 1)
                );
            }
            board.play(house);
        }
        Ok(blunders)
    }

    fn is_best(&self, board: &Board<u64>, house: u8) -> Result<bool> {
        let rows = board.rows();
        if let Some(entry) = self.trusted.and_then(|book| book.entry(rules(), rows)) {
            let best = by_preference(board.sowing(), rows)[usize::from(entry.rank)];
            if best.0 == house {
                return Ok(true);
            }
        }
        let (share, _) = self.solver.share(rows, None);
        let share = share.context("the solver stopped without a limit")?;
        Ok(self.solver.reaches(rows, house.into(), share))
    }
}
