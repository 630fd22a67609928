//! When a search stops: limits, signals and the clock.
//!
//! Every search and every solver counts its nodes with a [`NodeCounter`], which checks limits and
//! signals once per [`CHECK_INTERVAL`]. Knows nothing of games, moves or commands.

mod control;
mod counter;

use std::time::Duration;

pub use control::{SearchControl, SignalSource};
pub use counter::{CHECK_INTERVAL, NodeCounter, SolverLimits, Stopped};

/// What a search may use. All given limits apply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The deepest iteration.
    pub depth: Option<u32>,
    /// How many nodes all threads together may visit.
    pub nodes: Option<u64>,
    /// How long this move may take.
    pub movetime: Option<Duration>,
    /// The remaining time of the side to move.
    pub clock: Option<Clock>,
    /// Whether it may be stopped at any time by a user who wants what was found so far: even
    /// without a limit, a good answer must be ready before the final one.
    pub may_be_stopped: bool,
    /// Whether nothing but a proof is wanted: no answer need be ready before it.
    pub proof_only: bool,
}

/// The state of one player's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// What is left.
    pub remaining: Duration,
    /// What each move adds.
    pub increment: Duration,
    /// Moves until the next time control, if there is one.
    pub moves_to_go: Option<u32>,
    /// Time lost per move in transmission.
    pub overhead: Duration,
}

/// A tenth of a `movetime`, but no less than this, is enough to answer in time.
const LEAST_OVERHEAD: Duration = Duration::from_millis(2);
/// Overhead up to here, the option's default, is scaled down for a short `movetime`. More than
/// that is the choice of a client that needs it.
const SCALED_OVERHEAD: Duration = Duration::from_millis(10);

/// What `overhead` leaves of `movetime` for the search: at least half.
pub fn less_overhead(movetime: Duration, overhead: Duration) -> Duration {
    let scaled = overhead.min(SCALED_OVERHEAD).min((movetime / 10).max(LEAST_OVERHEAD));
    let chosen = overhead.saturating_sub(SCALED_OVERHEAD);
    movetime - (scaled + chosen).min(movetime / 2)
}

/// How long to search: start no iteration after `soft`, as scaled by
/// [`SearchControl::scale_soft_time`], and stop at `hard`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeBudget {
    /// No new iteration after this.
    pub soft: Option<Duration>,
    /// The answer is due.
    pub hard: Option<Duration>,
}

impl Limits {
    /// Whether any limit is given.
    pub fn is_limited(&self) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.clock.is_some()
    }

    /// The time this search may take: the tighter of move time and clock.
    pub fn budget(&self) -> TimeBudget {
        let clock = self.clock.map(Clock::budget).unwrap_or_default();
        let within = |limit: Duration| self.movetime.map_or(limit, |movetime| limit.min(movetime));
        TimeBudget { soft: clock.soft.map(within), hard: clock.hard.map(within).or(self.movetime) }
    }
}

impl Clock {
    /// Divides the remaining time among the moves to come. A search may exceed its share to finish
    /// an iteration, but uses at most a third of what is left (all of it for the last move before
    /// the time control), and always leaves the overhead.
    fn budget(self) -> TimeBudget {
        const USUAL_MOVES: u32 = 16;
        let moves = self.moves_to_go.unwrap_or(USUAL_MOVES).clamp(1, 64);
        let usable = self.remaining.saturating_sub(self.overhead);
        let share = usable / moves + self.increment.mul_f64(0.75);
        let most = if moves == 1 { usable } else { usable / 3 };
        let least = Duration::from_millis(1);
        let soft = share.mul_f64(0.6).min(most).max(least);
        let hard = (share * 3).min(most).max(least);
        TimeBudget { soft: Some(soft), hard: Some(hard) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn milliseconds(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Clock {
        Clock {
            remaining: milliseconds(remaining),
            increment: milliseconds(increment),
            moves_to_go,
            overhead: milliseconds(10),
        }
    }

    #[test]
    fn the_budget_never_exceeds_the_clock() {
        for remaining in [0, 1, 5, 11, 50, 1000, 60_000, 3_600_000] {
            for increment in [0, 10, 1000, 100_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let budget = clock(remaining, increment, moves_to_go).budget();
                    let (soft, hard) = (budget.soft.unwrap(), budget.hard.unwrap());
                    assert!(soft <= hard);
                    let usable = milliseconds(remaining).saturating_sub(milliseconds(10));
                    let is_last = moves_to_go.is_some_and(|moves| moves <= 1);
                    let most = (if is_last { usable } else { usable / 3 }).max(milliseconds(1));
                    assert!(hard <= most, "{remaining} {increment} {moves_to_go:?}");
                    // What comes back after the move does not help to survive it.
                    assert!(hard == most || increment < remaining, "{remaining} {increment}");
                }
            }
        }
    }

    #[test]
    fn a_short_movetime_loses_a_tenth_or_two_milliseconds_to_the_default_overhead() {
        let searched = |movetime, overhead| {
            less_overhead(milliseconds(movetime), milliseconds(overhead)).as_millis()
        };
        assert_eq!(
            [1, 5, 10, 20, 50, 100, 1000].map(|time| searched(time, 10)),
            [0, 3, 8, 18, 45, 90, 990]
        );
        assert_eq!(
            [0, 1, 10, 12, 15, 500].map(|overhead| searched(20, overhead)),
            [20, 19, 18, 16, 13, 10]
        );
        assert_eq!(searched(1000, 300), 700);
    }

    #[test]
    fn a_search_may_use_three_shares_but_no_more_than_a_third_of_the_clock() {
        let budget = |remaining, increment, moves_to_go| {
            let budget = clock(remaining, increment, moves_to_go).budget();
            [budget.soft, budget.hard].map(|time| time.unwrap().as_millis())
        };
        // A sixteenth and three quarters of the increment; the overhead of 10 ms is nobody's.
        assert_eq!(budget(16_010, 0, None), [600, 3000]);
        assert_eq!(budget(16_010, 1000, None), [1050, 5250]);
        assert_eq!(budget(30_010, 0, Some(10)), [1800, 9000]);
        // A third, however large the increment is and however few moves are to come.
        assert_eq!(budget(9010, 60_000, None), [3000, 3000]);
        assert_eq!(budget(9010, 0, Some(2)), [2700, 3000]);
        // All of it for the last move before the time control.
        assert_eq!(budget(9010, 0, Some(1)), [5400, 9000]);
        assert_eq!(budget(9010, 0, Some(0)), [5400, 9000]);
        // Something, even if nothing is left.
        assert_eq!(budget(10, 0, None), [1, 1]);
        // Far away time controls are 64 moves away.
        assert_eq!(budget(64_010, 0, Some(u32::MAX)), [600, 3000]);
    }

    #[test]
    fn the_tighter_time_limit_applies() {
        let budget = |movetime: Option<u64>, clock: Option<Clock>| {
            let limits =
                Limits { movetime: movetime.map(milliseconds), clock, ..Limits::default() };
            let TimeBudget { soft, hard } = limits.budget();
            [soft, hard].map(|time| time.map(|time| time.as_millis()))
        };
        let clock = Some(clock(16_010, 0, None));
        assert_eq!(budget(Some(20), clock), [Some(20), Some(20)]);
        assert_eq!(budget(Some(1000), clock), [Some(600), Some(1000)]);
        assert_eq!(budget(Some(5000), clock), [Some(600), Some(3000)]);
        assert_eq!(budget(None, clock), [Some(600), Some(3000)]);
        assert_eq!(budget(Some(20), None), [None, Some(20)]);
        assert_eq!(budget(None, None), [None, None]);
    }

    #[test]
    fn each_limit_is_one_and_nothing_else_is() {
        let limited = [
            Limits { depth: Some(1), ..Limits::default() },
            Limits { nodes: Some(1), ..Limits::default() },
            Limits { movetime: Some(milliseconds(1)), ..Limits::default() },
            Limits { clock: Some(clock(1, 0, None)), ..Limits::default() },
        ];
        assert!(limited.iter().all(Limits::is_limited));
        let others = Limits { may_be_stopped: true, proof_only: true, ..Limits::default() };
        assert!(!others.is_limited());
    }
}
