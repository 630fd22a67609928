//! Solver times of Connect Four positions, measured in the same way for every solver written in Rust, in the
//! process that solves.
//!
//! Times are CPU time of one thread, without the time to read that clock, which takes longer than
//! solving the end of a game. Every position is solved with an empty table, and a wrong score ends
//! the measurement.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use cpu_time::ThreadTime;

/// No further round of a measurement starts after this time.
const MIN_TIME: Duration = Duration::from_secs(2);

/// A position, in a solver's own form, with its known score.
pub struct Case<P> {
    /// The columns of its moves, as digits from 1.
    pub moves: String,
    /// The position.
    pub position: P,
    /// Its score.
    pub score: i32,
}

impl<P> Case<P> {
    /// Reads a line of a test set: moves, a space, and the score.
    pub fn read(line: &str, position: impl FnOnce(&str) -> Result<P>) -> Result<Case<P>> {
        let (moves, score) = line.split_once(' ').context("no score")?;
        Ok(Case { moves: moves.to_owned(), position: position(moves)?, score: score.parse()? })
    }
}

/// A solver.
pub trait Scorer {
    /// Its form of a position.
    type Position;

    /// Clears the table. Not timed.
    fn clear(&mut self);

    /// The score of a position, and the number of nodes, or 0 if unknown.
    fn score(&mut self, position: &Self::Position) -> (i32, u64);
}

/// Means over the positions of a set.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// CPU time in seconds.
    pub seconds: f64,
    /// Nodes.
    pub nodes: f64,
}

/// Solves all cases once. Calls `progress` before each.
pub fn once<S: Scorer>(
    scorer: &mut S,
    cases: &[Case<S::Position>],
    progress: impl FnMut(),
) -> Result<Means> {
    round(scorer, cases, progress)
}

/// Solves all cases with warm caches, several times if they are fast. The fastest round counts,
/// because it was disturbed least. Calls `progress` before each case of the first round.
pub fn warm<S: Scorer>(
    scorer: &mut S,
    cases: &[Case<S::Position>],
    progress: impl FnMut(),
) -> Result<Means> {
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

/// Solves all cases once, with caches flushed before each. Calls `progress` before each.
pub fn cold<S: Scorer>(
    scorer: &mut S,
    cases: &[Case<S::Position>],
    mut progress: impl FnMut(),
) -> Result<Means> {
    let mut flusher = CacheFlusher::new();
    round(scorer, cases, || {
        progress();
        flusher.flush();
    })
}

fn round<S: Scorer>(
    scorer: &mut S,
    cases: &[Case<S::Position>],
    mut before: impl FnMut(),
) -> Result<Means> {
    let (mut time, mut nodes) = (Duration::ZERO, 0);
    for case in cases {
        scorer.clear();
        before();
        let overhead = clock_overhead();
        let started = ThreadTime::now();
        let (score, count) = scorer.score(&case.position);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls the number of moves the score, and counts what is asked of it.
    #[derive(Default)]
    struct Counter {
        clears: u64,
        scores: u64,
    }

    impl Scorer for Counter {
        type Position = i32;

        fn clear(&mut self) {
            self.clears += 1;
        }

        fn score(&mut self, position: &i32) -> (i32, u64) {
            assert!(self.clears > self.scores, "not cleared");
            self.scores += 1;
            (*position, 3)
        }
    }

    fn case(line: &str) -> Result<Case<i32>> {
        Case::read(line, |moves| Ok(i32::try_from(moves.len())?))
    }

    #[test]
    fn every_case_is_solved_once_with_an_empty_table() {
        let cases = [case("12 2").expect("a case"), case("121 3").expect("a case")];
        let mut counter = Counter::default();
        let mut progress = 0;
        let means = cold(&mut counter, &cases, || progress += 1).expect("right scores");
        assert_eq!((counter.clears, counter.scores, progress), (2, 2, 2));
        assert!(means.nodes == 3.0 && means.seconds >= 0.0);
    }

    #[test]
    fn a_wrong_score_ends_the_measurement() {
        let cases = [case("12 2").expect("a case"), case("121 -3").expect("a case")];
        let error = once(&mut Counter::default(), &cases, || ()).expect_err("a wrong score");
        assert_eq!(error.to_string(), "121: expected score -3, got 3");
    }

    #[test]
    fn a_line_has_moves_and_a_score() {
        for line in ["", "12", "12 ", "12 x", "12 3 4"] {
            assert!(case(line).is_err(), "{line:?}");
        }
        assert_eq!(case("12 -3").expect("a case").score, -3);
        assert_eq!(case(" 1").expect("the empty board").moves, "");
    }
}
