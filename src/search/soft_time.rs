//! Soft time by stability: how much of its usual time a search deserves.
//!
//! A move that has been best for several iterations at a steady score is not worth much more time;
//! one that has just changed, or whose score falls, is.

use std::time::Duration;

use super::params::ASPIRATION_WINDOW;
use super::score::Score;
use crate::limits::{Limits, SearchControl, TimeBudget};

/// Best move stability: the factor of the soft time by the number of iterations that have
/// confirmed the best move.
const BY_CONFIRMATIONS: [f64; 6] = [1.6, 1.35, 1.15, 1.0, 0.9, 0.8];
/// Falling eval: what each aspiration window that the score has fallen adds to its factor, and the
/// limits of that.
const PER_WINDOW: f64 = 0.25;
const FALLING_EVAL: [f64; 2] = [0.85, 1.6];
/// How many iterations the score is compared over: one would see the swing between odd and even
/// depths.
const COMPARED: usize = 2;
/// An iteration is expected to grow over the last one as that did over its own, within these
/// limits.
const GROWTH: [f64; 2] = [1.0, 3.0];

/// Decides after each iteration whether to begin another.
pub(super) struct SoftTime<M> {
    budget: TimeBudget,
    stability: Stability<M>,
    /// The lengths of the last iteration and of the one before.
    lengths: [Duration; 2],
    /// When the last iteration ended.
    ended: Duration,
}

impl<M: Copy + Eq> SoftTime<M> {
    pub fn new(limits: &Limits) -> SoftTime<M> {
        SoftTime {
            budget: limits.budget(),
            stability: Stability::new(),
            lengths: [Duration::ZERO; 2],
            ended: Duration::ZERO,
        }
    }

    /// Whether to begin another iteration after one that ended with this move and score. Always,
    /// without a clock; else if the soft time, scaled by stability, is not up, and the iteration
    /// has a chance to finish.
    pub fn goes_on(&mut self, best: M, score: Score, control: &SearchControl) -> bool {
        let TimeBudget { soft: Some(soft), hard: Some(hard) } = self.budget else { return true };
        self.stability.update(best, score);
        self.end_iteration(control.elapsed());
        let hopeless = control.is_time_up(hard.saturating_sub(self.next_length()));
        control.scale_soft_time(if hopeless { 0.0 } else { self.stability.factor() });
        !control.is_soft_time_up(soft)
    }

    fn end_iteration(&mut self, now: Duration) {
        self.lengths = [now.saturating_sub(self.ended), self.lengths[0]];
        self.ended = now;
    }

    /// How long the next iteration will probably take.
    fn next_length(&self) -> Duration {
        let [last, before] = self.lengths.map(|length| length.as_secs_f64());
        let [least, most] = GROWTH;
        let growth = if before > 0.0 { (last / before).clamp(least, most) } else { least };
        self.lengths[0].mul_f64(growth)
    }
}

/// What the iterations so far say about the best move.
struct Stability<M> {
    best: Option<M>,
    /// Iterations since the best move changed.
    confirmations: usize,
    /// The latest scores, the last one first.
    scores: [Option<Score>; COMPARED + 1],
}

impl<M: Copy + Eq> Stability<M> {
    fn new() -> Stability<M> {
        Stability { best: None, confirmations: 0, scores: [None; COMPARED + 1] }
    }

    fn update(&mut self, best: M, score: Score) {
        self.confirmations = if self.best == Some(best) { self.confirmations + 1 } else { 0 };
        self.best = Some(best);
        self.scores.rotate_right(1);
        self.scores[0] = Some(score);
    }

    /// The factor of the soft time.
    fn factor(&self) -> f64 {
        let by_move = BY_CONFIRMATIONS[self.confirmations.min(BY_CONFIRMATIONS.len() - 1)];
        let (Some(last), Some(earlier)) = (self.scores[0], self.scores[COMPARED]) else {
            return by_move;
        };
        let fallen = f64::from(earlier.points() - last.points()) / f64::from(ASPIRATION_WINDOW);
        let [least, most] = FALLING_EVAL;
        by_move * (1.0 + PER_WINDOW * fallen).clamp(least, most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Clock;

    fn factor(iterations: &[(u8, i32)]) -> f64 {
        let mut stability = Stability::new();
        for &(best, points) in iterations {
            stability.update(best, Score::heuristic(points));
        }
        stability.factor()
    }

    #[test]
    fn a_steady_move_gets_less_time_and_an_uncertain_one_more() {
        let steady = factor(&[(1, 10); 8]);
        let changed = factor(&[(1, 10), (1, 10), (1, 10), (2, 10)]);
        let falling = factor(&[(1, 60), (1, 60), (1, 60), (1, 60), (1, 10), (1, 0)]);
        let rising = factor(&[(1, 0), (1, 0), (1, 0), (1, 0), (1, 50), (1, 60)]);
        assert!(rising < steady && steady < 1.0, "{rising} {steady}");
        assert!(steady < falling && 1.0 < changed, "{falling} {changed}");
    }

    #[test]
    fn the_factor_has_limits() {
        let lost = factor(&[(1, 20_000), (1, 0), (2, -20_000)]);
        let won = factor(&[(1, -20_000), (1, -20_000), (1, 0), (1, 20_000), (1, 20_000)]);
        assert!(lost < 3.0 && won > 0.6, "{lost} {won}");
    }

    fn limits(clock: Option<Clock>) -> Limits {
        Limits { movetime: Some(Duration::from_secs(3600)), clock, ..Limits::default() }
    }

    #[test]
    fn the_next_iteration_grows_like_the_last() {
        let ms = Duration::from_millis(1);
        let mut time = SoftTime::<u8>::new(&limits(None));
        for now in [10, 20, 40, 80] {
            time.end_iteration(ms * now);
        }
        assert_eq!(time.next_length(), ms * 80);
        time.end_iteration(ms * 1080);
        assert_eq!(time.next_length(), ms * 3000);
        time.end_iteration(ms * 1090);
        assert_eq!(time.next_length(), ms * 10);
    }

    /// The soft time is not up, but in what is left before the answer is due the next iteration, which
    /// is expected to take three times as long as the last, cannot finish.
    #[test]
    fn an_iteration_without_a_chance_to_finish_is_not_begun() {
        let control = SearchControl::new(false, false);
        std::thread::sleep(Duration::from_millis(20));
        let goes_on = |remaining| {
            let clock = Clock { remaining, moves_to_go: Some(1), ..Clock::default() };
            let mut time = SoftTime::new(&limits(Some(clock)));
            time.lengths[0] = Duration::from_millis(1);
            time.goes_on(1, Score::DRAW, &control)
        };
        assert!(!goes_on(Duration::from_millis(80)));
        assert!(goes_on(Duration::from_secs(80)));
    }

    #[test]
    fn only_a_clock_ends_a_search_between_iterations() {
        let control = SearchControl::new(false, false);
        std::thread::sleep(Duration::from_millis(20));
        let goes_on = |clock| SoftTime::new(&limits(clock)).goes_on(1, Score::DRAW, &control);
        let clock = |seconds| Clock { remaining: Duration::from_secs(seconds), ..Clock::default() };
        assert!(goes_on(None));
        assert!(goes_on(Some(clock(1_000_000))));
        assert!(!goes_on(Some(clock(0))));
    }
}
