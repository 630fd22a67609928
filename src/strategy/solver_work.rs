//! How much work a solver has, and its chance to finish.

/// How many nodes a solver needs for positions of some kind. Their number varies by orders of
/// magnitude from one position to the next; its logarithm is taken to follow a logistic
/// distribution, so that chances are easy to compute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverWork {
    /// Half of the positions are solved within this many nodes.
    pub median: f64,
    /// The scale of the distribution: one position in four takes more than 3 to this power times
    /// the median.
    pub spread: f64,
    /// How many nodes the search visits in the time of one node of the solver.
    pub node_cost: f64,
}

impl SolverWork {
    /// The chance that the solver finishes within `more` nodes if `spent` nodes were not enough.
    pub fn chance(&self, spent: f64, more: f64) -> f64 {
        1.0 - self.unsolved(spent + more) / self.unsolved(spent)
    }

    /// The part of the positions that `nodes` nodes do not solve.
    fn unsolved(&self, nodes: f64) -> f64 {
        1.0 / (1.0 + (nodes / self.median).powf(1.0 / self.spread))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORK: SolverWork = SolverWork { median: 1000.0, spread: 0.5, node_cost: 1.0 };

    #[test]
    fn half_of_the_positions_take_the_median() {
        let near = |chance: f64, expected: f64| (chance - expected).abs() < 1e-9;
        assert!(near(WORK.chance(0.0, 1000.0), 0.5));
        assert!(near(WORK.chance(0.0, 1000.0 * 3f64.sqrt()), 0.75));
        assert!(near(WORK.chance(0.0, 0.0), 0.0));
        assert!(WORK.chance(0.0, 1e12) > 0.999);
    }

    #[test]
    fn work_in_vain_shows_that_the_position_is_hard() {
        // The same number of nodes promises most near the median.
        let chances = [0.0, 1000.0, 10_000.0, 100_000.0].map(|spent| WORK.chance(spent, 500.0));
        assert!(chances[1] > chances[0] && chances[1] > chances[2], "{chances:?}");
        assert!(chances[3] < 0.02, "{chances:?}");
    }
}
