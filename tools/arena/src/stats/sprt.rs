//! The sequential probability ratio test (SPRT) on game pairs.
//!
//! The generalised SPRT (GSPRT) of fishtest, OpenBench and fastchess: for each hypothesis, the
//! maximum-likelihood pentanomial distribution under it is fitted to the observed pairs; the log of
//! the ratio of both likelihoods (LLR) is compared with Wald's bounds. `docs/arena.md` names the
//! sources of the formulas.

use std::fmt;

use anyhow::ensure;
use serde::{Deserialize, Serialize};

use super::{Pentanomial, SCALE, Wdl, expected_score};

/// Two hypotheses about the Elo difference, and the error rates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The null hypothesis.
    pub elo0: f64,
    /// The alternative hypothesis.
    pub elo1: f64,
    /// The false-positive rate: accepting `elo1` when `elo0` is true.
    #[serde(default = "default_error_rate")]
    pub alpha: f64,
    /// The false-negative rate: accepting `elo0` when `elo1` is true.
    #[serde(default = "default_error_rate")]
    pub beta: f64,
    /// The unit of `elo0` and `elo1`.
    #[serde(default)]
    pub model: EloModel,
}

fn default_error_rate() -> f64 {
    0.05
}

/// The unit of `elo0` and `elo1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Normalized Elo (nElo): the expected length of a test does not depend on the draw rate.
    #[default]
    Normalized,
    /// Logistic Elo.
    Logistic,
    /// BayesElo, with the frequency of draws taken from the games played.
    Bayesian,
}

impl fmt::Display for EloModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            EloModel::Normalized => "normalized",
            EloModel::Logistic => "logistic",
            EloModel::Bayesian => "bayesian",
        })
    }
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtDecision {
    /// `elo0` is accepted.
    AcceptElo0,
    /// `elo1` is accepted.
    AcceptElo1,
    /// More games are needed.
    Continue,
}

impl fmt::Display for SprtDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            SprtDecision::AcceptElo0 => "elo0 accepted",
            SprtDecision::AcceptElo1 => "elo1 accepted",
            SprtDecision::Continue => "undecided",
        })
    }
}

/// A distribution of pair scores: (score, probability).
type Distribution = [(f64, f64); 5];

impl Sprt {
    /// Checks the parameters. NaN fails every comparison and is refused as well.
    pub fn check(&self) -> anyhow::Result<()> {
        let Sprt { elo0, elo1, alpha, beta, .. } = *self;
        ensure!(
            elo0 < elo1 && elo0.is_finite() && elo1.is_finite(),
            "elo0 must be less than elo1, and both finite (got {elo0} and {elo1})"
        );
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            ensure!(value > 0.0 && value < 0.5, "{name} must be between 0 and 0.5 (got {value})");
        }
        Ok(())
    }

    /// The LLR bounds at which the test ends.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The decision at this LLR.
    pub fn decide(&self, llr: f64) -> SprtDecision {
        let (lower, upper) = self.bounds();
        if llr >= upper {
            SprtDecision::AcceptElo1
        } else if llr <= lower {
            SprtDecision::AcceptElo0
        } else {
            SprtDecision::Continue
        }
    }

    /// The log-likelihood ratio of these game pairs, which consist of the games `wdl`: positive if
    /// `elo1` fits better.
    pub fn llr(&self, pairs: &Pentanomial, wdl: &Wdl) -> f64 {
        if pairs.iter().sum::<u64>() == 0 {
            return 0.0;
        }
        // Scores not seen yet count as very rare, not as impossible.
        let counts = pairs.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let quarters = [0.0, 0.25, 0.5, 0.75, 1.0];
        let observed: Distribution =
            std::array::from_fn(|index| (quarters[index], counts[index] / total));
        let fit = |elo: f64| match self.model {
            EloModel::Logistic => fit_mean(&observed, expected_score(elo)),
            EloModel::Bayesian => fit_mean(&observed, bayes_score(elo, draw_elo(wdl))),
            EloModel::Normalized => fit_deviations(&observed, elo / (2.0 * SCALE) * 2f64.sqrt()),
        };
        let (fit0, fit1) = (fit(self.elo0), fit(self.elo1));
        let gain = |index: usize| observed[index].1 * (fit1[index].1 / fit0[index].1).ln();
        total * (0..observed.len()).map(gain).sum::<f64>()
    }
}

/// The expected score at a BayesElo difference. A game is won with the probability that logistic Elo
/// gives to the difference less `draw_elo`, and lost likewise; otherwise it is drawn.
fn bayes_score(elo: f64, draw_elo: f64) -> f64 {
    let (win, loss) = (expected_score(elo - draw_elo), expected_score(-elo - draw_elo));
    win + (1.0 - win - loss) / 2.0
}

/// BayesElo's measure of how frequent draws are, from the games played.
fn draw_elo(wdl: &Wdl) -> f64 {
    // Without a win or a loss it would be infinite.
    let [wins, losses] = [wdl.wins, wdl.losses].map(|count| (count as f64).max(0.5));
    let total = wins + losses + wdl.draws as f64;
    let odds_against = |count: f64| (total - count) / count;
    SCALE / 2.0 * (odds_against(wins) * odds_against(losses)).ln()
}

/// The maximum-likelihood distribution with this mean.
fn fit_mean(observed: &Distribution, mean: f64) -> Distribution {
    tilt(observed, &observed.map(|(value, _)| value - mean))
}

/// The maximum-likelihood distribution whose mean is `deviations` standard deviations above one
/// half. Iterative, because the deviation depends on the distribution.
fn fit_deviations(observed: &Distribution, deviations: f64) -> Distribution {
    const MAX_STEPS: usize = 20;
    let mut fitted = observed.map(|(value, _)| (value, 1.0 / observed.len() as f64));
    for _ in 0..MAX_STEPS {
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

/// The maximum-likelihood distribution under which `offs` have mean 0: p / (1 + x · off), with the
/// Lagrange multiplier x found by bisection.
fn tilt(observed: &Distribution, offs: &[f64; 5]) -> Distribution {
    let least = offs.iter().copied().fold(f64::INFINITY, f64::min);
    let most = offs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        return *observed;
    }
    // Between the poles the sum decreases from plus to minus infinity.
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

    fn sprt(elo0: f64, elo1: f64, model: EloModel) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    fn assert_llr(pairs: Pentanomial, sprt: Sprt, published: f64) {
        let found = sprt.llr(&pairs, &Wdl::default());
        let tolerance = 0.01 * (1.0 + published.abs());
        assert!(
            (found - published).abs() <= tolerance,
            "{pairs:?}: got {found}, expected {published}"
        );
    }

    /// Values from the tests of fastchess.
    #[test]
    fn values_agree_with_fastchess() {
        let normalized = |elo0, elo1| sprt(elo0, elo1, EloModel::Normalized);
        let logistic = |elo0, elo1| sprt(elo0, elo1, EloModel::Logistic);
        assert_llr([365, 16618, 36229, 16974, 390], normalized(0.0, 2.0), 2.25);
        assert_llr([127, 4883, 10712, 5150, 104], normalized(-1.75, 0.25), 3.01);
        assert_llr([223, 9863, 21279, 10037, 246], logistic(0.5, 2.5), -3.07);
        assert_llr([871, 26175, 55983, 26678, 821], logistic(0.0, 2.0), -4.98);
    }

    /// Values from the tests of fastchess, which tests single games under this model: as "pairs"
    /// that score 0, ½ or 1.
    #[test]
    fn bayesian_values_agree_with_fastchess() {
        let cases = [
            (Wdl { wins: 68_965, draws: 128_429, losses: 68_526 }, 0.0, 2.0, -1.26),
            (Wdl { wins: 21_629, draws: 41_111, losses: 21_484 }, 0.5, 2.5, -1.13),
        ];
        for (wdl, elo0, elo1, published) in cases {
            let pairs = [wdl.losses, 0, wdl.draws, 0, wdl.wins];
            let found = sprt(elo0, elo1, EloModel::Bayesian).llr(&pairs, &wdl);
            assert!((found - published).abs() < 0.01, "got {found}, expected {published}");
        }
    }

    #[test]
    fn without_draws_bayesian_elo_is_logistic_elo() {
        let wdl = Wdl { wins: 900, draws: 0, losses: 700 };
        assert!(draw_elo(&wdl).abs() < 1e-9);
        let pairs = [150, 0, 400, 0, 250];
        let llr = |model| sprt(0.0, 20.0, model).llr(&pairs, &wdl);
        assert!((llr(EloModel::Bayesian) - llr(EloModel::Logistic)).abs() < 1e-9);
    }

    /// The slope at 0 has the closed form 4x / (1 + x)², x = 10^(−drawelo / 400): Coulom's scale.
    #[test]
    fn draws_shrink_bayesian_elo_by_the_known_scale() {
        // A quarter wins, a quarter losses: drawelo is 400 log₁₀ 3, and the scale 3/4.
        let draw_elo = draw_elo(&Wdl { wins: 250, draws: 500, losses: 250 });
        assert!((draw_elo - 400.0 * 3f64.log10()).abs() < 1e-9);
        let shrunk = crate::stats::elo_of_score(bayes_score(1e-3, draw_elo)) / 1e-3;
        assert!((shrunk - 0.75).abs() < 1e-6, "{shrunk}");
    }

    /// For two almost equal hypotheses and a known variance the LLR of a mean tends to Wald's closed
    /// form n (s₁ − s₀)(2s − s₀ − s₁) / 2σ².
    #[test]
    fn close_hypotheses_have_the_llr_of_a_normal_mean() {
        let pairs: Pentanomial = [2000, 9000, 20_000, 9600, 2200];
        let total = pairs.iter().sum::<u64>() as f64;
        let values = [0.0, 0.25, 0.5, 0.75, 1.0];
        let mean = |power: &dyn Fn(f64) -> f64| {
            pairs.iter().zip(values).map(|(&n, value)| n as f64 * power(value)).sum::<f64>() / total
        };
        let score = mean(&|value| value);
        let variance = mean(&|value| (value - score).powi(2));
        let (low, high) = (expected_score(0.0), expected_score(2.0));
        let closed = total * (high - low) * (2.0 * score - low - high) / (2.0 * variance);
        let found = sprt(0.0, 2.0, EloModel::Logistic).llr(&pairs, &Wdl::default());
        assert!((found - closed).abs() < 0.005 * closed.abs(), "got {found}, expected {closed}");
    }

    /// Results of public tests on fishtest and OpenBench servers.
    #[test]
    fn values_agree_with_public_test_servers() {
        let normalized = |elo0, elo1| sprt(elo0, elo1, EloModel::Normalized);
        let logistic = |elo0, elo1| sprt(elo0, elo1, EloModel::Logistic);
        assert_llr([145, 850, 2205, 948, 176], normalized(0.0, 5.0), 2.96);
        assert_llr([12, 438, 1435, 542, 17], normalized(0.0, 5.0), 2.96);
        assert_llr([1453, 8952, 16711, 9425, 1427], normalized(0.0, 3.0), 2.96);
        assert_llr([320, 12431, 27275, 12858, 316], normalized(0.0, 2.0), 2.95);
        assert_llr([17, 253, 1042, 337, 39], logistic(-0.5, 1.5), 2.96);
        assert_llr([253, 4282, 17604, 4431, 286], logistic(-0.25, 1.25), 2.94);
    }

    #[test]
    fn the_bounds_are_those_of_wald() {
        let (lower, upper) = sprt(0.0, 5.0, EloModel::Normalized).bounds();
        assert!((lower + 2.944_439).abs() < 1e-6 && (upper - 2.944_439).abs() < 1e-6);
        let uneven = Sprt { beta: 0.1, ..sprt(0.0, 5.0, EloModel::Normalized) };
        let (lower, upper) = uneven.bounds();
        assert!((lower + 2.251_292).abs() < 1e-6 && (upper - 2.890_372).abs() < 1e-6);
        assert_eq!(uneven.decide(2.9), SprtDecision::AcceptElo1);
        assert_eq!(uneven.decide(-2.26), SprtDecision::AcceptElo0);
        assert_eq!(uneven.decide(0.0), SprtDecision::Continue);
    }

    /// The error rates are those of the flags' documents unless they are given.
    #[test]
    fn the_default_is_a_test_of_normalized_elo_with_five_per_cent() {
        let words = |text: &str| serde_json::from_str::<Sprt>(text);
        assert_eq!(
            words(r#"{"elo0":0.0,"elo1":5.0}"#).unwrap(),
            sprt(0.0, 5.0, EloModel::Normalized)
        );
        assert!(words(r#"{"elo0":0.0,"elo1":5.0,"gamma":0.1}"#).is_err());
    }

    /// A bound that is reached is crossed; the number before it is not.
    #[test]
    fn the_bounds_belong_to_the_decisions() {
        let test = Sprt { beta: 0.1, ..sprt(0.0, 5.0, EloModel::Normalized) };
        let (lower, upper) = test.bounds();
        assert_eq!(test.decide(upper), SprtDecision::AcceptElo1);
        assert_eq!(test.decide(upper.next_down()), SprtDecision::Continue);
        assert_eq!(test.decide(lower), SprtDecision::AcceptElo0);
        assert_eq!(test.decide(lower.next_up()), SprtDecision::Continue);
    }

    /// What a fitted distribution must be, checked without looking at how it was found: one with the
    /// mean, or the mean in deviations, of the hypothesis, and more likely than its neighbours that have
    /// it too.
    #[test]
    fn fits_meet_their_hypothesis_and_none_near_them_is_more_likely() {
        let moments = |fitted: &Distribution| {
            let total: f64 = fitted.iter().map(|(_, p)| p).sum();
            let mean: f64 = fitted.iter().map(|(value, p)| value * p).sum();
            let variance: f64 = fitted.iter().map(|(value, p)| p * (value - mean).powi(2)).sum();
            (total, mean, variance.sqrt())
        };
        for counts in
            [[3.0, 20.0, 60.0, 14.0, 3.0], [1.0, 2.0, 3.0, 4.0, 90.0], [50.0, 1.0, 1.0, 1.0, 47.0]]
        {
            let observed: Distribution =
                std::array::from_fn(|index| (index as f64 / 4.0, counts[index] / 100.0));
            let likelihood = |fitted: &Distribution| -> f64 {
                observed.iter().zip(fitted).map(|((_, p), (_, q))| p * q.ln()).sum()
            };
            for target in [0.4, 0.5, 0.55] {
                let fitted = fit_mean(&observed, target);
                let (total, mean, _) = moments(&fitted);
                assert!((total - 1.0).abs() < 1e-9 && (mean - target).abs() < 1e-9, "{fitted:?}");
                // These changes keep the total and the mean.
                for step in [
                    [1.0, -2.0, 1.0, 0.0, 0.0],
                    [0.0, 1.0, -2.0, 1.0, 0.0],
                    [0.0, 0.0, 1.0, -2.0, 1.0],
                ] {
                    for size in [1e-4, -1e-4] {
                        let near = std::array::from_fn(|index| {
                            (fitted[index].0, fitted[index].1 + size * step[index])
                        });
                        assert!(likelihood(&near) < likelihood(&fitted), "{counts:?}, {target}");
                    }
                }
            }
            for target in [-0.2, 0.0, 0.1] {
                let fitted = fit_deviations(&observed, target);
                let (total, mean, deviation) = moments(&fitted);
                assert!((total - 1.0).abs() < 1e-9, "{fitted:?}");
                assert!(((mean - 0.5) / deviation - target).abs() < 1e-6, "{counts:?}, {target}");
            }
        }
    }

    /// A result that was never seen counts as a thousandth of a pair, as in fishtest; for results of two
    /// kinds the likeliest distribution with a mean is known without any search.
    #[test]
    fn results_of_two_kinds_have_a_closed_form() {
        let test = sprt(0.0, 10.0, EloModel::Logistic);
        let [s0, s1] = [0.5, expected_score(10.0)];
        let (wins, losses) = (70.0, 50.0);
        let closed = wins * f64::ln(s1 / s0) + losses * f64::ln((1.0 - s1) / (1.0 - s0));
        let found = test.llr(&[50, 0, 0, 0, 70], &Wdl::default());
        assert!((found - closed).abs() < 1e-3, "got {found}, expected {closed}");
        // With wins alone, the rare others have to carry the rest of each hypothesis: the whole is that
        // of fishtest's formulas with counts of 0.001.
        let naive = |s: f64| {
            let counts = [1e-3, 1e-3, 1e-3, 1e-3, 40.0];
            let mut x = 0.0;
            // Newton's method on the same equation, which that file solves by bisection.
            for _ in 0..200 {
                let off = |index: usize| index as f64 / 4.0 - s;
                let f: f64 = (0..5).map(|i| counts[i] * off(i) / (1.0 + x * off(i))).sum();
                let g: f64 =
                    (0..5).map(|i| -counts[i] * (off(i) / (1.0 + x * off(i))).powi(2)).sum();
                let next: f64 = x - f / g;
                let (low, high) = (-1.0 / (1.0 - s), 1.0 / s);
                x = if next <= low {
                    f64::midpoint(x, low)
                } else if next >= high {
                    f64::midpoint(x, high)
                } else {
                    next
                };
            }
            let total: f64 = counts.iter().sum();
            (0..5)
                .map(|i| counts[i] * (counts[i] / total / (1.0 + x * (i as f64 / 4.0 - s))).ln())
                .sum::<f64>()
        };
        let found = test.llr(&[0, 0, 0, 0, 40], &Wdl::default());
        assert!(
            (found - (naive(s1) - naive(s0))).abs() < 1e-6,
            "{found}, {}",
            naive(s1) - naive(s0)
        );
    }

    /// Hypotheses that no distribution of the scores seen can have change nothing.
    #[test]
    fn a_hypothesis_out_of_reach_leaves_the_observation() {
        let observed = [(0.5, 0.0), (0.5, 0.0), (0.5, 1.0), (0.75, 0.0), (1.0, 0.0)];
        assert_eq!(fit_mean(&observed, 0.4), observed);
        assert_eq!(fit_mean(&observed, 1.1), observed);
    }

    #[test]
    fn draw_elo_is_finite_without_wins_and_losses() {
        // Half a win and half a loss stand for those that are missing.
        let draws = Wdl { wins: 0, draws: 9, losses: 0 };
        assert!((draw_elo(&draws) - 400.0 * 19f64.log10()).abs() < 1e-9);
        assert!(draw_elo(&Wdl { wins: 3, draws: 0, losses: 0 }).is_finite());
    }

    #[test]
    fn the_llr_is_zero_without_games_and_finite_for_one_sided_results() {
        for model in [EloModel::Normalized, EloModel::Logistic, EloModel::Bayesian] {
            let sprt = sprt(0.0, 10.0, model);
            assert_eq!(sprt.llr(&[0; 5], &Wdl::default()), 0.0);
            let all = |wins, losses| Wdl { wins, draws: 0, losses };
            let won = sprt.llr(&[0, 0, 0, 0, 500], &all(1000, 0));
            let lost = sprt.llr(&[500, 0, 0, 0, 0], &all(0, 1000));
            assert!(won > 0.0 && won.is_finite(), "{model:?}: {won}");
            assert!(lost < 0.0 && lost.is_finite(), "{model:?}: {lost}");
        }
    }

    #[test]
    fn invalid_parameters_are_refused() {
        assert!(sprt(0.0, 5.0, EloModel::Normalized).check().is_ok());
        assert!(sprt(5.0, 5.0, EloModel::Normalized).check().is_err());
        assert!(sprt(f64::NAN, 5.0, EloModel::Normalized).check().is_err());
        assert!(sprt(f64::NEG_INFINITY, 5.0, EloModel::Normalized).check().is_err());
        assert!(sprt(0.0, f64::INFINITY, EloModel::Normalized).check().is_err());
        for rate in [0.0, -0.1, 0.5, 0.7, f64::NAN] {
            let normal = sprt(0.0, 5.0, EloModel::Normalized);
            assert!(Sprt { alpha: rate, ..normal }.check().is_err(), "{rate}");
            assert!(Sprt { beta: rate, ..normal }.check().is_err(), "{rate}");
        }
        let limit = 0.5f64.next_down();
        let widest = Sprt { alpha: limit, beta: limit, ..sprt(0.0, 5.0, EloModel::Normalized) };
        assert!(widest.check().is_ok());
    }
}
