//! Simultaneous perturbation stochastic approximation (Spall 1998), with the parametrisation of
//! fishtest and OpenBench. Pure arithmetic: knows no engines, games or files.
//!
//! In iteration *k* all values are perturbed at once by ±*c*ₖ, each with a random sign. The result of
//! the games between both versions, wins minus losses, moves each value by *a*ₖ / *c*ₖ times its sign.
//! *c*ₖ = *c* / *k*^γ and *a*ₖ = *a* / (*A* + *k*)^α shrink over the run. Users choose their last values:
//! `c_end` is the last *c*ₖ, and `r_end` the last *a*ₖ / *c*ₖ². *k* counts game pairs.

use anyhow::ensure;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};

use super::parameter::Parameter;

/// How gains and perturbations shrink.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// The exponent of the gain.
    pub alpha: f64,
    /// The exponent of the perturbation.
    pub gamma: f64,
    /// The stability constant *A*, as a share of the number of game pairs.
    pub a: f64,
}

impl Default for Schedule {
    /// The values that Spall recommends.
    fn default() -> Schedule {
        Schedule { alpha: 0.602, gamma: 0.101, a: 0.1 }
    }
}

impl Schedule {
    /// Checks the ranges. NaN fails every comparison and is refused as well.
    pub fn check(&self) -> anyhow::Result<()> {
        let Schedule { alpha, gamma, a } = *self;
        for (name, value, max) in [("alpha", alpha, 1.0), ("gamma", gamma, 1.0), ("A", a, 10.0)] {
            ensure!((0.0..=max).contains(&value), "{name} must be 0..{max} (got {value})");
        }
        Ok(())
    }

    /// The gain *a*ₖ and the perturbation *c*ₖ of a parameter in game pair `k`, from 1, of `total`.
    pub fn gains(&self, parameter: &Parameter, k: u64, total: u64) -> (f64, f64) {
        let Schedule { alpha, gamma, a } = *self;
        let (k, total) = (k as f64, total as f64);
        let stability = a * total;
        let c = parameter.c_end * (total / k).powf(gamma);
        let a_end = parameter.r_end * parameter.c_end.powi(2);
        (a_end * ((stability + total) / (stability + k)).powf(alpha), c)
    }
}

/// The values of an iteration's two versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The signs of the perturbations.
    pub signs: Vec<f64>,
    /// The values perturbed by these signs, as engines are told them.
    pub plus: Vec<f64>,
    /// The values perturbed the other way.
    pub minus: Vec<f64>,
}

/// The optimiser.
#[derive(Clone, Debug)]
pub struct Spsa<'a> {
    parameters: &'a [Parameter],
    schedule: Schedule,
    seed: u64,
    /// The length of the run.
    total: u64,
    /// Game pairs so far.
    pairs: u64,
    values: Vec<f64>,
}

impl<'a> Spsa<'a> {
    /// An optimiser at the start of a run of `total` game pairs.
    pub fn new(parameters: &'a [Parameter], schedule: Schedule, seed: u64, total: u64) -> Spsa<'a> {
        let values = parameters.iter().map(|parameter| parameter.start).collect();
        Spsa { parameters, schedule, seed, total, pairs: 0, values }
    }

    /// The present values. Those of integers have fractions until an engine is told them.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Game pairs so far.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The next two versions. They depend on the seed and the number of game pairs alone.
    pub fn propose(&self) -> Proposal {
        const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
        let mut rng = SmallRng::seed_from_u64(self.seed ^ (self.pairs + 1).wrapping_mul(ODD));
        let mut proposal = Proposal { signs: Vec::new(), plus: Vec::new(), minus: Vec::new() };
        for (parameter, value) in self.parameters.iter().zip(&self.values) {
            let (_, c) = self.gains(parameter);
            let sign = if rng.random::<bool>() { 1.0 } else { -1.0 };
            // Integers are rounded up as often as their fraction says, so that the mean is right.
            let dither = rng.random::<f64>();
            proposal.signs.push(sign);
            proposal.plus.push(parameter.told(value + sign * c, dither));
            proposal.minus.push(parameter.told(value - sign * c, dither));
        }
        proposal
    }

    /// Moves the values after `pairs` game pairs in which the version `plus` of `proposal` won
    /// `surplus` games more than it lost.
    pub fn update(&mut self, proposal: &Proposal, surplus: f64, pairs: u64) {
        for (index, parameter) in self.parameters.iter().enumerate() {
            let (a, c) = self.gains(parameter);
            let moved = self.values[index] + a / c * proposal.signs[index] * surplus;
            self.values[index] = moved.clamp(parameter.min, parameter.max);
        }
        self.pairs += pairs;
    }

    fn gains(&self, parameter: &Parameter) -> (f64, f64) {
        self.schedule.gains(parameter, self.pairs + 1, self.total)
    }
}

#[cfg(test)]
mod tests {
    use super::super::parameter::ParameterKind;
    use super::*;
    use crate::stats::expected_score;

    fn parameter(start: f64, min: f64, max: f64, c_end: f64, r_end: f64) -> Parameter {
        Parameter { name: "x".into(), kind: ParameterKind::Real, start, min, max, c_end, r_end }
    }

    /// Spall's sequences, written as in his paper, with *a* and *c* from their last values.
    #[test]
    fn gains_are_those_of_spall_and_end_where_asked() {
        let (schedule, one, total) =
            (Schedule::default(), parameter(0.0, -9.0, 9.0, 2.0, 0.1), 500);
        let c = 2.0 * 500f64.powf(0.101);
        let a = 0.1 * 4.0 * (50.0 + 500.0f64).powf(0.602);
        for k in [1, 7, 250, 500] {
            let (found_a, found_c) = schedule.gains(&one, k, total);
            let expected_a = a / (50.0 + k as f64).powf(0.602);
            let expected_c = c / (k as f64).powf(0.101);
            assert!((found_a - expected_a).abs() < 1e-12 * expected_a, "{found_a}, {expected_a}");
            assert!((found_c - expected_c).abs() < 1e-12 * expected_c, "{found_c}, {expected_c}");
        }
        let (a, c) = schedule.gains(&one, total, total);
        assert!((c - 2.0).abs() < 1e-12 && (a / (c * c) - 0.1).abs() < 1e-12);
    }

    /// On −h (θ − θ*)² without noise the difference of both versions is −4 h c δ (θ − θ*), so that an
    /// iteration multiplies the distance from the optimum by 1 − 4 h aₖ, whatever the signs.
    #[test]
    fn without_noise_a_quadratic_is_followed_in_closed_form() {
        let (optimum, h, total) = (0.7, 0.02, 2000);
        let parameters = [parameter(-3.0, -10.0, 10.0, 0.5, 0.2)];
        let schedule = Schedule::default();
        let mut spsa = Spsa::new(&parameters, schedule, 5, total);
        let mut distance = -3.0 - optimum;
        for k in 1..=total {
            let proposal = spsa.propose();
            let height = |value: f64| -h * (value - optimum).powi(2);
            spsa.update(&proposal, height(proposal.plus[0]) - height(proposal.minus[0]), 1);
            distance *= 1.0 - 4.0 * h * schedule.gains(&parameters[0], k, total).0;
            let found = spsa.values()[0] - optimum;
            // Engines are told six digits.
            assert!((found - distance).abs() < 1e-4, "pair {k}: {found}, {distance}");
        }
        assert!(distance.abs() < 1.0);
    }

    /// Games won and lost with the probability that Elo gives to the difference, where Elo falls with
    /// the square of the distance from an optimum: the values come close to it.
    #[test]
    fn noisy_games_lead_to_the_optimum() {
        let optimum = [60.0, -0.4];
        let elo = |values: &[f64]| {
            -150.0 * ((values[0] - 60.0) / 40.0).powi(2) - 150.0 * ((values[1] + 0.4) / 0.5).powi(2)
        };
        let integer =
            Parameter { kind: ParameterKind::Integer, ..parameter(10.0, 0.0, 100.0, 5.0, 0.02) };
        let parameters = [integer, parameter(0.6, -1.0, 1.0, 0.08, 0.02)];
        for seed in 0..5 {
            let total = 20_000;
            let mut spsa = Spsa::new(&parameters, Schedule::default(), seed, total);
            let mut rng = SmallRng::seed_from_u64(seed);
            for _ in 0..total / 4 {
                let proposal = spsa.propose();
                let win = expected_score(elo(&proposal.plus) - elo(&proposal.minus));
                let games = (0..8).map(|_| if rng.random::<f64>() < win { 1.0 } else { -1.0 });
                let surplus = games.sum();
                assert!(proposal.plus[0].fract() == 0.0 && proposal.minus[0].fract() == 0.0);
                spsa.update(&proposal, surplus, 4);
            }
            let error = [spsa.values()[0] - optimum[0], spsa.values()[1] - optimum[1]];
            assert!(error[0].abs() < 8.0 && error[1].abs() < 0.1, "seed {seed}: {error:?}");
        }
    }

    #[test]
    fn versions_depend_on_seed_and_iteration_and_stay_in_range() {
        let parameters = [parameter(9.9, 0.0, 10.0, 3.0, 0.1), parameter(5.0, 0.0, 10.0, 3.0, 0.1)];
        let spsa = |seed| Spsa::new(&parameters, Schedule::default(), seed, 100);
        assert_eq!(spsa(1).propose(), spsa(1).propose());
        let signs: Vec<Vec<f64>> = (0..20).map(|seed| spsa(seed).propose().signs).collect();
        assert!(signs.iter().any(|other| *other != signs[0]));
        let mut one = spsa(1);
        for _ in 0..50 {
            let proposal = one.propose();
            assert!(proposal.plus.iter().chain(&proposal.minus).all(|v| (0.0..=10.0).contains(v)));
            one.update(&proposal, 1000.0, 1);
            assert!(one.values().iter().all(|value| (0.0..=10.0).contains(value)));
        }
    }

    #[test]
    fn both_versions_are_as_far_from_the_values_and_rounded_alike() {
        let whole =
            Parameter { kind: ParameterKind::Integer, ..parameter(50.0, 0.0, 100.0, 3.0, 0.1) };
        let all = vec![whole; 40];
        let mut spsa = Spsa::new(&all, Schedule { gamma: 0.0, ..Schedule::default() }, 1, 100);
        for fraction in [0.0, 0.25, 0.5] {
            spsa.values = vec![50.0 + fraction; 40];
            let Proposal { signs, plus, minus } = spsa.propose();
            for ((sign, plus), minus) in signs.iter().zip(&plus).zip(&minus) {
                // Rounded by the same dither, whole steps stay whole steps.
                assert_eq!(plus - minus, 6.0 * sign, "{fraction}");
            }
        }
    }

    #[test]
    fn integers_are_rounded_without_bias() {
        let one = Parameter { kind: ParameterKind::Integer, ..parameter(3.3, 0.0, 10.0, 1.0, 0.1) };
        let told = |dither: f64| one.told(3.3, dither);
        let mean = (0..1000).map(|at| told(f64::from(at) / 1000.0)).sum::<f64>() / 1000.0;
        assert!((mean - 3.3).abs() < 1e-3, "{mean}");
        assert_eq!((told(0.0), told(0.999)), (3.0, 4.0));
    }
}
