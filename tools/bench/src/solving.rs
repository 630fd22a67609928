//! How long solvers of Connect Four take for one position after the other.
//!
//! Times are processor time of one thread, without the time it takes to read that clock, which is
//! more than the end of a game takes to solve. Every position is solved with an empty table, and
//! every score is checked: a wrong one ends the measurement.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use cpu_time::ThreadTime;
use indicatif::ProgressBar;
use ratlla::games::connect4::solver::{Solver, SolverLimits};

use crate::positions::Case;

/// MiB of our solver's table.
pub const HASH: usize = 1024;
/// No further round of a measurement begins after so much time.
const ENOUGH: Duration = Duration::from_secs(2);

/// Whatever finds scores.
pub trait Scorer {
    /// Empties the table and gets ready for a position. Its time does not count.
    fn prepare(&mut self, case: &Case);

    /// The score of the position it is prepared for, and how many nodes it took if it tells.
    fn score(&mut self, case: &Case) -> (i32, u64);
}

/// Our solver.
pub struct Ours(Solver);

impl Ours {
    /// With so many threads.
    pub fn new(threads: usize) -> Result<Ours> {
        Ok(Ours(Solver::new(HASH, threads)?))
    }
}

impl Scorer for Ours {
    fn prepare(&mut self, _case: &Case) {
        self.0.clear();
    }

    fn score(&mut self, case: &Case) -> (i32, u64) {
        let proof = self.0.bounds(&case.position, &SolverLimits::default(), &mut |_| {});
        // Without limits the bounds have met.
        (proof.bounds.lower, proof.nodes)
    }
}

/// Means over the positions of a set.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// Seconds of processor time.
    pub seconds: f64,
    /// Nodes.
    pub nodes: f64,
}

/// Solves all cases once, as they come.
pub fn once(scorer: &mut impl Scorer, cases: &[Case], progress: &ProgressBar) -> Result<Means> {
    round(scorer, cases, || progress.inc(1))
}

/// Solves all cases as they come, several times if they are quick. The fastest round counts, as
/// other programs disturb it least.
pub fn hot(scorer: &mut impl Scorer, cases: &[Case], progress: &ProgressBar) -> Result<Means> {
    let started = Instant::now();
    let mut best = once(scorer, cases, progress)?;
    while started.elapsed() < ENOUGH {
        let means = round(scorer, cases, || ())?;
        if means.seconds < best.seconds {
            best = means;
        }
    }
    Ok(best)
}

/// Solves all cases once, with cold caches before each.
pub fn flushed(scorer: &mut impl Scorer, cases: &[Case], progress: &ProgressBar) -> Result<Means> {
    let mut litter = Litter::new();
    round(scorer, cases, || {
        progress.inc(1);
        litter.spread();
    })
}

fn round(scorer: &mut impl Scorer, cases: &[Case], mut before: impl FnMut()) -> Result<Means> {
    let (mut time, mut nodes) = (Duration::ZERO, 0);
    for case in cases {
        scorer.prepare(case);
        before();
        let reading = time_of_reading();
        let started = ThreadTime::now();
        let (score, count) = scorer.score(case);
        time += started.elapsed().saturating_sub(reading);
        nodes += count;
        ensure!(score == case.score, "{}: the score is {}, not {score}", case.moves, case.score);
    }
    let mean = |sum: f64| sum / cases.len() as f64;
    Ok(Means { seconds: mean(time.as_secs_f64()), nodes: mean(nodes as f64) })
}

/// What two readings of the clock show with nothing between them. The clock's own code is in the
/// caches afterwards, whatever was there before.
fn time_of_reading() -> Duration {
    let _ = ThreadTime::now().elapsed();
    ThreadTime::now().elapsed()
}

/// Memory that is written to push everything else out of the processor's caches.
struct Litter(Vec<u64>);

impl Litter {
    /// Larger than the last-level cache of common machines: 128 MiB.
    const WORDS: usize = 16 << 20;

    fn new() -> Litter {
        Litter(vec![0; Litter::WORDS])
    }

    fn spread(&mut self) {
        self.0.fill(black_box(1));
        black_box(&mut self.0);
    }
}
