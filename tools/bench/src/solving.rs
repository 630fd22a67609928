//! Solver times of Connect Four positions.
//!
//! Times are CPU time of one thread, without the time to read that clock, which takes longer than
//! solving the end of a game. Every position is solved with an empty table, and a wrong score ends
//! the measurement.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use cpu_time::ThreadTime;
use indicatif::ProgressBar;
use ratlla::games::connect4::solver::{Solver, SolverLimits};

use crate::positions::Case;

/// Size of our solver's table in MiB.
pub const HASH: usize = 1024;
/// No further round of a measurement starts after this time.
const MIN_TIME: Duration = Duration::from_secs(2);

/// A solver.
pub trait Scorer {
    /// Clears the table and sets up a position. Not timed.
    fn prepare(&mut self, case: &Case);

    /// The score of the position set up last, and the number of nodes, or 0 if unknown.
    fn score(&mut self, case: &Case) -> (i32, u64);
}

/// Our solver.
pub struct Ours(Solver);

impl Ours {
    /// A solver with this many threads.
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
        // Without limits the bounds meet.
        (proof.bounds.lower, proof.nodes)
    }
}

/// Means over the positions of a set.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// CPU time in seconds.
    pub seconds: f64,
    /// Nodes.
    pub nodes: f64,
}

/// Solves all cases once.
pub fn once(scorer: &mut impl Scorer, cases: &[Case], progress: &ProgressBar) -> Result<Means> {
    round(scorer, cases, || progress.inc(1))
}

/// Solves all cases with warm caches, several times if they are fast. The fastest round counts,
/// because it was disturbed least.
pub fn warm(scorer: &mut impl Scorer, cases: &[Case], progress: &ProgressBar) -> Result<Means> {
    let started = Instant::now();
    let mut best = once(scorer, cases, progress)?;
    while started.elapsed() < MIN_TIME {
        let means = round(scorer, cases, || ())?;
        if means.seconds < best.seconds {
            best = means;
        }
    }
    Ok(best)
}

/// Solves all cases once, with caches flushed before each.
pub fn cold(scorer: &mut impl Scorer, cases: &[Case], progress: &ProgressBar) -> Result<Means> {
    let mut flusher = CacheFlusher::new();
    round(scorer, cases, || {
        progress.inc(1);
        flusher.flush();
    })
}

fn round(scorer: &mut impl Scorer, cases: &[Case], mut before: impl FnMut()) -> Result<Means> {
    let (mut time, mut nodes) = (Duration::ZERO, 0);
    for case in cases {
        scorer.prepare(case);
        before();
        let overhead = clock_overhead();
        let started = ThreadTime::now();
        let (score, count) = scorer.score(case);
        time += started.elapsed().saturating_sub(overhead);
        nodes += count;
        ensure!(score == case.score, "{}: expected score {}, got {score}", case.moves, case.score);
    }
    let mean = |sum: f64| sum / cases.len() as f64;
    Ok(Means { seconds: mean(time.as_secs_f64()), nodes: mean(nodes as f64) })
}

/// The difference of two consecutive readings of the clock. The first one brings the clock's code
/// into the caches.
fn clock_overhead() -> Duration {
    let _ = ThreadTime::now().elapsed();
    ThreadTime::now().elapsed()
}

/// Memory that is overwritten to evict everything else from the CPU caches.
struct CacheFlusher(Vec<u64>);

impl CacheFlusher {
    /// Larger than the last-level cache of common machines: 128 MiB.
    const WORDS: usize = 16 << 20;

    fn new() -> CacheFlusher {
        CacheFlusher(vec![0; CacheFlusher::WORDS])
    }

    fn flush(&mut self) {
        self.0.fill(black_box(1));
        black_box(&mut self.0);
    }
}
