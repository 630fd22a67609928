//! Measures the solver of the crate `connect-four-ai`.
//!
//! Reads lines "<moves> <score>" and prints the mean CPU time per position in seconds, with warm and with cold
//! caches. Every score is checked.

use anyhow::{Context as _, Result, anyhow};
use connect_four_ai::{Position, Solver};
use ratlla_timing::{Case, Scorer, cold, warm};

struct ConnectFourAi(Solver);

impl Scorer for ConnectFourAi {
    type Position = Position;

    fn clear(&mut self) {
        self.0.reset();
    }

    fn score(&mut self, position: &Position) -> (i32, u64) {
        (self.0.solve(position).into(), 0)
    }
}

fn main() -> Result<()> {
    let position = |moves: &str| Position::from_moves(moves).map_err(|error| anyhow!("{error:?}"));
    let cases = std::io::read_to_string(std::io::stdin())?
        .lines()
        .map(|line| Case::read(line, position).with_context(|| line.to_owned()))
        .collect::<Result<Vec<_>>>()?;
    let mut solver = ConnectFourAi(Solver::empty());
    println!("{}", warm(&mut solver, &cases, || ())?.seconds);
    println!("{}", cold(&mut solver, &cases, || ())?.seconds);
    Ok(())
}
