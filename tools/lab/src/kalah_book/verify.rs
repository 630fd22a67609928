//! Lets the engine play and checks that no move is a blunder: turns a win into a draw or loss, or a
//! draw into a loss. Also counts the moves that give seeds away: after the book, the engine plays for
//! the win, not for its size.

use std::fmt::{self, Display};

use anyhow::{Context, Error, Result, ensure};
use clap::Args;
use ratlla::game::{Game, Notation};
use ratlla::games::kalah::board::{Board, House};
use ratlla::games::kalah::book::{self, ShareBook, by_preference};
use ratlla::games::kalah::solver::ShareSolver;

use super::{SolverOptions, rules};
use crate::test_match::{MatchOptions, Played, opponents};

/// Arguments of `kalah-book verify`.
#[derive(Args)]
pub struct Verify {
    #[command(flatten)]
    games: MatchOptions,
    #[command(flatten)]
    solver: SolverOptions,
    /// Accept the book's moves without checking them: faster, and just as safe if `check` passes
    #[arg(long)]
    trust_book: bool,
}

impl Verify {
    /// Plays all games and prints a table; fails if a move was a blunder.
    pub fn run(&self) -> Result<()> {
        let endgames = self.solver.endgames()?;
        let mut checker = MoveChecker {
            solver: self.solver.solver(&endgames)?,
            trusted: if self.trust_book { book::embedded() } else { None },
            in_book: Tally::default(),
            after_book: Tally::default(),
        };
        let result = self
            .games
            .run("kalah", &opponents("simple"), &mut |played| checker.count_blunders(played));
        println!("in the book: {}", checker.in_book);
        println!("after the book: {}", checker.after_book);
        ensure!(checker.in_book.seeds == 0, "the book gives seeds away");
        result
    }
}

/// What some of the engine's moves gave away.
#[derive(Default)]
struct Tally {
    moves: usize,
    /// Those that gave seeds away.
    worse: usize,
    /// By how many seeds the final margin became smaller, in all.
    seeds: i32,
}

impl Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { moves, worse, seeds } = self;
        write!(f, "{moves} moves, {worse} of them gave away {seeds} seeds of the margin in all")
    }
}

/// Compares moves with the exact margins of positions.
struct MoveChecker<'a> {
    solver: ShareSolver<'a, u64>,
    trusted: Option<&'static ShareBook>,
    in_book: Tally,
    after_book: Tally,
}

impl MoveChecker<'_> {
    /// How many of the engine's moves are blunders.
    fn count_blunders(&mut self, played: &Played) -> Result<usize> {
        let mut board = Board::<u64>::new(rules());
        let mut blunders = 0;
        for (index, mv) in played.moves.iter().enumerate() {
            let house = board.parse_move(&mv.text).map_err(Error::msg)?;
            let before = board.clone();
            board.play(house);
            if !mv.by_engine {
                continue;
            }
            let entry = book::embedded().and_then(|book| book.entry(rules(), before.rows()));
            let (best, after) = match self.is_trusted(&before, house) {
                true => (0, 0),
                false => (self.margin(&before)?, self.margin_after(&before, &board)?),
            };
            let tally = if entry.is_some() { &mut self.in_book } else { &mut self.after_book };
            tally.moves += 1;
            tally.worse += usize::from(after < best);
            tally.seeds += best - after;
            if after.signum() < best.signum() {
                blunders += 1;
                let moves = played.text(index + 1);
                println!("the last move of {moves} is a blunder: {best} to {after}");
            }
        }
        Ok(blunders)
    }

    /// Whether a move is that of a book to be trusted.
    fn is_trusted(&self, board: &Board<u64>, house: House) -> bool {
        let rows = board.rows();
        let entry = self.trusted.and_then(|book| book.entry(rules(), rows));
        entry.is_some_and(|entry| {
            by_preference(board.sowing(), rows).get(usize::from(entry.rank)) == Some(&house)
        })
    }

    /// The final margin of the side to move.
    fn margin(&self, board: &Board<u64>) -> Result<i32> {
        if board.outcome().is_some() {
            return Ok(board.store_lead());
        }
        let rows = board.rows();
        let share =
            self.solver.share(rows, None).0.context("the solver stopped without a limit")?;
        Ok(2 * share as i32 - rows.in_play() as i32 + board.store_lead())
    }

    /// The final margin after a move, of the side that made it.
    fn margin_after(&self, before: &Board<u64>, after: &Board<u64>) -> Result<i32> {
        let margin = self.margin(after)?;
        Ok(if after.side_to_move() == before.side_to_move() { margin } else { -margin })
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};
    use ratlla::games::kalah::endgame::Variant;
    use ratlla::games::kalah::endgame::build::build;

    use super::*;

    /// A random game until few seeds are in play: its moves, and the position after them.
    fn late_position(random: &mut SmallRng) -> (Vec<String>, Board<u64>) {
        let mut board = Board::<u64>::new(rules());
        let mut moves = Vec::new();
        while board.outcome().is_none() && board.rows().in_play() > 8 {
            let mut legal = Vec::new();
            board.legal_moves(&mut legal);
            let house = legal[random.random_range(0..legal.len())];
            moves.push(board.move_text(house));
            board.play(house);
        }
        (moves, board)
    }

    /// Each move of late positions is judged as a walk through all games that may follow does.
    #[test]
    fn a_blunder_lowers_the_sign_of_the_margin() {
        /// The final margin of the side to move, by plain minimax.
        fn margin(board: &mut Board<u64>) -> i32 {
            if board.outcome().is_some() {
                return board.store_lead();
            }
            let mut legal = Vec::new();
            board.legal_moves(&mut legal);
            legal.into_iter().map(|house| margin_of(board, house)).max().unwrap()
        }
        /// The same after a move, for the side that made it.
        fn margin_of(board: &mut Board<u64>, house: House) -> i32 {
            let side = board.side_to_move();
            let undo = board.play(house);
            let margin = margin(board);
            let margin = if board.side_to_move() == side { margin } else { -margin };
            board.undo(house, undo);
            margin
        }
        let endgames = build(Variant::from(rules()), 10, None, &mut |_| true).unwrap();
        let solver = ShareSolver::new(rules(), &endgames, 1 << 20).unwrap();
        let mut checker = MoveChecker {
            solver,
            trusted: None,
            in_book: Tally::default(),
            after_book: Tally::default(),
        };
        let mut random = SmallRng::seed_from_u64(1);
        let (mut blunders, mut others, mut seeds) = (0, 0, 0);
        while blunders < 5 || others < 20 {
            let (moves, mut board) = late_position(&mut random);
            if board.outcome().is_some() {
                continue;
            }
            let best = margin(&mut board);
            let mut legal = Vec::new();
            board.legal_moves(&mut legal);
            for house in legal {
                let after = margin_of(&mut board, house);
                let text = board.move_text(house);
                let words: Vec<&str> = moves.iter().chain([&text]).map(String::as_str).collect();
                let is_blunder = after.signum() < best.signum();
                let played = Played::drawn(&words, moves.len());
                let counted = checker.count_blunders(&played).unwrap();
                assert_eq!(counted, usize::from(is_blunder), "{words:?}: {best} to {after}");
                *(if is_blunder { &mut blunders } else { &mut others }) += 1;
                seeds += best - after;
            }
        }
        let Tally { moves, worse: _, seeds: counted } = checker.after_book;
        assert_eq!((moves, counted), (blunders + others, seeds));
        assert_eq!(checker.in_book.moves, 0);
    }
}
