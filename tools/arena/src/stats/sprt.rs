//! The sequential probability ratio test: play until it is clear which of two guesses about the
//! difference in strength fits better.
//!
//! It is the generalised test on pairs of games: for each guess the distribution of the pairs'
//! results that fits it and makes the observed results most likely is worked out, and the
//! logarithm of the ratio of both likelihoods is compared with two bounds.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Pentanomial, SCALE, expected_score};

/// Two guesses, and how often either may be wrongly believed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The weaker guess.
    pub elo0: f64,
    /// The stronger guess.
    pub elo1: f64,
    /// How often `elo1` may be believed though `elo0` is true.
    #[serde(default = "one_in_twenty")]
    pub alpha: f64,
    /// How often `elo0` may be believed though `elo1` is true.
    #[serde(default = "one_in_twenty")]
    pub beta: f64,
    /// What the guesses count.
    #[serde(default)]
    pub model: Model,
}

fn one_in_twenty() -> f64 {
    0.05
}

/// What guesses about strength count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Standard deviations of a game, on a scale like Elo's. A test takes about as many games
    /// whatever the share of draws.
    #[default]
    Normalized,
    /// Elo as it is usually meant.
    Logistic,
}

/// What the test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExactValue {
    /// The difference is `elo0` rather.
    Weaker,
    /// The difference is `elo1` rather.
    Stronger,
    /// More games are needed.
    Open,
}

impl fmt::Display for ExactValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            ExactValue::Weaker => "elo0 accepted",
            ExactValue::Stronger => "elo1 accepted",
            ExactValue::Open => "undecided",
        })
    }
}

/// A distribution of results: (result, probability).
type Distribution = [(f64, f64); 5];

impl Sprt {
    /// What is wrong with the numbers, if anything is.
    pub fn check(&self) -> Result<(), String> {
        let Sprt { elo0, elo1, alpha, beta, .. } = *self;
        // Written so that a number that is none is refused too.
        if !(elo0 < elo1 && elo0.is_finite() && elo1.is_finite()) {
            return Err(format!("elo0 must be less than elo1, not {elo0} and {elo1}"));
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(format!("{name} must lie between 0 and 0.5, not at {value}"));
            }
        }
        Ok(())
    }

    /// The values at which the test ends.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// What the test says about the logarithm of the likelihood ratio.
    pub fn exact_value(&self, ratio: f64) -> ExactValue {
        let (lower, upper) = self.bounds();
        if ratio >= upper {
            ExactValue::Stronger
        } else if ratio <= lower {
            ExactValue::Weaker
        } else {
            ExactValue::Open
        }
    }

    /// The logarithm of the likelihood ratio: positive if `elo1` fits better.
    pub fn log_likelihood_ratio(&self, pairs: &Pentanomial) -> f64 {
        if pairs.iter().sum::<u64>() == 0 {
            return 0.0;
        }
        // Results that never came are taken for very rare, not for impossible.
        let counts = pairs.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let quarters = [0.0, 0.25, 0.5, 0.75, 1.0];
        let observed: Distribution =
            std::array::from_fn(|index| (quarters[index], counts[index] / total));
        let fit = |elo: f64| match self.model {
            Model::Logistic => fit_mean(&observed, expected_score(elo)),
            Model::Normalized => fit_deviations(&observed, elo / (2.0 * SCALE) * 2f64.sqrt()),
        };
        let (weaker, stronger) = (fit(self.elo0), fit(self.elo1));
        let gain = |index: usize| observed[index].1 * (stronger[index].1 / weaker[index].1).ln();
        total * (0..observed.len()).map(gain).sum::<f64>()
    }
}

/// The likeliest distribution with this mean.
fn fit_mean(observed: &Distribution, mean: f64) -> Distribution {
    tilt(observed, &observed.map(|(value, _)| value - mean))
}

/// The likeliest distribution whose mean is so many standard deviations above one half. As the
/// deviation depends on the distribution itself, it is found step by step.
fn fit_deviations(observed: &Distribution, deviations: f64) -> Distribution {
    const STEPS: usize = 20;
    let mut fitted = observed.map(|(value, _)| (value, 1.0 / observed.len() as f64));
    for _ in 0..STEPS {
        let mean: f64 = fitted.iter().map(|(value, p)| value * p).sum();
        let variance: f64 = fitted.iter().map(|(value, p)| p * (value - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let off = |value: f64| {
            let distance = (mean - value) / deviation;
            value - 0.5 - deviations * deviation * (1.0 + distance * distance) / 2.0
        };
        let next = tilt(observed, &observed.map(|(value, _)| off(value)));
        let change = next.iter().zip(&fitted).map(|(a, b)| (a.1 - b.1).abs()).fold(0.0, f64::max);
        fitted = next;
        if change < 1e-10 {
            break;
        }
    }
    fitted
}

/// The likeliest distribution under which `offs` have the mean 0: p / (1 + x · off), with the x
/// that makes it so.
fn tilt(observed: &Distribution, offs: &[f64; 5]) -> Distribution {
    let least = offs.iter().copied().fold(f64::INFINITY, f64::min);
    let most = offs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        return *observed;
    }
    // The sum falls from plus infinity to minus infinity between the poles.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let sum = |x: f64| -> f64 {
        observed.iter().zip(offs).map(|((_, p), off)| p * off / (1.0 + x * off)).sum()
    };
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if sum(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = f64::midpoint(low, high);
    std::array::from_fn(|index| {
        let (value, p) = observed[index];
        (value, p / (1.0 + x * offs[index]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    fn assert_ratio(pairs: Pentanomial, sprt: Sprt, published: f64) {
        let found = sprt.log_likelihood_ratio(&pairs);
        let tolerance = 0.01 * (1.0 + published.abs());
        assert!((found - published).abs() <= tolerance, "{pairs:?}: {found} is not {published}");
    }

    /// Values that the tests of fastchess state.
    #[test]
    fn values_published_with_fastchess() {
        let normalized = |elo0, elo1| test(elo0, elo1, Model::Normalized);
        let logistic = |elo0, elo1| test(elo0, elo1, Model::Logistic);
        assert_ratio([365, 16618, 36229, 16974, 390], normalized(0.0, 2.0), 2.25);
        assert_ratio([127, 4883, 10712, 5150, 104], normalized(-1.75, 0.25), 3.01);
        assert_ratio([223, 9863, 21279, 10037, 246], logistic(0.5, 2.5), -3.07);
        assert_ratio([871, 26175, 55983, 26678, 821], logistic(0.0, 2.0), -4.98);
    }

    /// Results of public tests on fishtest and OpenBench servers.
    #[test]
    fn values_published_by_test_servers() {
        let normalized = |elo0, elo1| test(elo0, elo1, Model::Normalized);
        let logistic = |elo0, elo1| test(elo0, elo1, Model::Logistic);
        assert_ratio([145, 850, 2205, 948, 176], normalized(0.0, 5.0), 2.96);
        assert_ratio([12, 438, 1435, 542, 17], normalized(0.0, 5.0), 2.96);
        assert_ratio([1453, 8952, 16711, 9425, 1427], normalized(0.0, 3.0), 2.96);
        assert_ratio([320, 12431, 27275, 12858, 316], normalized(0.0, 2.0), 2.95);
        assert_ratio([17, 253, 1042, 337, 39], logistic(-0.5, 1.5), 2.96);
        assert_ratio([253, 4282, 17604, 4431, 286], logistic(-0.25, 1.25), 2.94);
    }

    #[test]
    fn the_bounds_are_those_of_wald() {
        let (lower, upper) = test(0.0, 5.0, Model::Normalized).bounds();
        assert!((lower + 2.944_439).abs() < 1e-6 && (upper - 2.944_439).abs() < 1e-6);
        let uneven = Sprt { beta: 0.1, ..test(0.0, 5.0, Model::Normalized) };
        let (lower, upper) = uneven.bounds();
        assert!((lower + 2.251_292).abs() < 1e-6 && (upper - 2.890_372).abs() < 1e-6);
        assert_eq!(uneven.exact_value(2.9), ExactValue::Stronger);
        assert_eq!(uneven.exact_value(-2.26), ExactValue::Weaker);
        assert_eq!(uneven.exact_value(0.0), ExactValue::Open);
    }

    #[test]
    fn nothing_played_says_nothing_and_one_sided_results_stay_finite() {
        for model in [Model::Normalized, Model::Logistic] {
            let sprt = test(0.0, 10.0, model);
            assert_eq!(sprt.log_likelihood_ratio(&[0; 5]), 0.0);
            let won = sprt.log_likelihood_ratio(&[0, 0, 0, 0, 500]);
            let lost = sprt.log_likelihood_ratio(&[500, 0, 0, 0, 0]);
            assert!(won > 0.0 && won.is_finite(), "{model:?}: {won}");
            assert!(lost < 0.0 && lost.is_finite(), "{model:?}: {lost}");
        }
    }

    #[test]
    fn numbers_that_make_no_sense_are_refused() {
        assert!(test(0.0, 5.0, Model::Normalized).check().is_ok());
        assert!(test(5.0, 5.0, Model::Normalized).check().is_err());
        assert!(test(f64::NAN, 5.0, Model::Normalized).check().is_err());
        assert!(Sprt { alpha: 0.0, ..test(0.0, 5.0, Model::Normalized) }.check().is_err());
        assert!(Sprt { beta: 0.7, ..test(0.0, 5.0, Model::Normalized) }.check().is_err());
    }
}
