//! Ratings of several engines from all their games.
//!
//! The maximum-likelihood ratings of the Bradley-Terry model on the Elo scale, with a draw as half a
//! win. Each engine gets one drawn game against an average opponent as a prior, which keeps ratings
//! finite. Errors come from the curvature of the likelihood; draws count as decided games, which
//! makes them conservative.

use nalgebra::{DMatrix, DVector};

use super::{SCALE, SIGMAS_95, expected_score};

/// The score of one engine against another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairScore {
    /// Both engines, as indices.
    pub engines: [usize; 2],
    /// The points of the first engine.
    pub points: f64,
    /// The number of games.
    pub games: f64,
}

/// The rating of one engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo, with a mean of 0 over all engines.
    pub elo: f64,
    /// Half the width of the 95 % confidence interval.
    pub error: f64,
}

/// The ratings of `count` engines.
pub fn ratings(count: usize, scores: &[PairScore]) -> Vec<Rating> {
    const MAX_STEPS: usize = 200;
    // In units of SCALE, where the expected score is the logistic function of the difference.
    let mut skill = DVector::<f64>::zeros(count);
    let mut spread = DVector::<f64>::zeros(count);
    for _ in 0..MAX_STEPS {
        let (gradient, hessian) = gradient_and_hessian(&skill, scores);
        // The prior makes it positive definite.
        let Some(factors) = hessian.cholesky() else { break };
        // Clamped, or Newton's method overshoots.
        let step = factors.solve(&gradient).map(|length| length.clamp(-1.0, 1.0));
        skill += &step;
        spread = spread_around_mean(&factors.inverse());
        if step.amax() < 1e-10 {
            break;
        }
    }
    let mean = if count == 0 { 0.0 } else { skill.mean() };
    let rating = |(skill, spread): (&f64, &f64)| Rating {
        elo: (skill - mean) * SCALE,
        error: SIGMAS_95 * spread * SCALE,
    };
    skill.iter().zip(&spread).map(rating).collect()
}

/// The standard deviations of skills relative to their mean, which is arbitrary.
fn spread_around_mean(covariance: &DMatrix<f64>) -> DVector<f64> {
    let count = covariance.nrows();
    let centre =
        DMatrix::identity(count, count) - DMatrix::from_element(count, count, 1.0 / count as f64);
    let centred = &centre * covariance * &centre;
    centred.diagonal().map(|variance| variance.max(0.0).sqrt())
}

/// The gradient of the log-likelihood, and its negated Hessian.
fn gradient_and_hessian(
    skill: &DVector<f64>,
    scores: &[PairScore],
) -> (DVector<f64>, DMatrix<f64>) {
    let count = skill.len();
    let mut gradient = DVector::zeros(count);
    let mut hessian = DMatrix::zeros(count, count);
    for (index, &own) in skill.iter().enumerate() {
        let expected = expected_score(own * SCALE);
        gradient[index] += 0.5 - expected;
        hessian[(index, index)] += expected * (1.0 - expected);
    }
    for &PairScore { engines: [a, b], points, games } in scores {
        let expected = expected_score((skill[a] - skill[b]) * SCALE);
        let surplus = points - games * expected;
        gradient[a] += surplus;
        gradient[b] -= surplus;
        let weight = games * expected * (1.0 - expected);
        hessian[(a, a)] += weight;
        hessian[(b, b)] += weight;
        hessian[(a, b)] -= weight;
        hessian[(b, a)] -= weight;
    }
    (gradient, hessian)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(a: usize, b: usize, points: f64, games: f64) -> PairScore {
        PairScore { engines: [a, b], points, games }
    }

    #[test]
    fn the_difference_of_two_engines_is_that_of_their_score() {
        // 75 % is a difference of 190.85 Elo.
        let found = ratings(2, &[score(0, 1, 75_000.0, 100_000.0)]);
        assert!((found[0].elo - found[1].elo - 190.85).abs() < 0.1, "{found:?}");
        assert!((found[0].elo + found[1].elo).abs() < 1e-6);
    }

    #[test]
    fn consistent_results_reproduce_the_ratings_behind_them() {
        let truth = [120.0, 10.0, -30.0, -100.0];
        let games = 1_000_000.0;
        let all = (0..4).flat_map(|a| (a + 1..4).map(move |b| (a, b)));
        let results: Vec<PairScore> = all
            .map(|(a, b)| score(a, b, games * expected_score(truth[a] - truth[b]), games))
            .collect();
        for (found, truth) in ratings(4, &results).iter().zip(truth) {
            assert!((found.elo - truth).abs() < 0.01, "got {found:?}, expected {truth}");
        }
    }

    #[test]
    fn the_error_of_equal_engines_is_that_of_fair_coins() {
        // The difference of two engines after n even games has a deviation of 2 SCALE / √n, and
        // each rating, measured from their mean, half of that.
        let games = 10_000.0;
        let found = ratings(2, &[score(0, 1, games / 2.0, games)]);
        let expected = SIGMAS_95 * SCALE / f64::sqrt(games);
        assert!((found[0].error - expected).abs() / expected < 0.01, "{found:?}, {expected}");
    }

    /// With the prior of a drawn game against the average for each engine, two engines are `d` apart
    /// where `points` = `games` σ(d) + (σ(d/2) − ½), and their covariance is a 2 x 2 matrix.
    #[test]
    fn few_games_are_weighed_against_the_prior() {
        for (points, games) in [(1.0, 1.0), (0.0, 3.0), (2.5, 4.0), (10.0, 10.0), (0.0, 0.0)] {
            let found = ratings(2, &[score(0, 1, points, games)]);
            let sigma = |x: f64| 1.0 / (1.0 + (-x).exp());
            let (mut low, mut high) = (-40.0, 40.0);
            for _ in 0..200 {
                let middle = f64::midpoint(low, high);
                let surplus = points - games * sigma(middle) + 0.5 - sigma(middle / 2.0);
                (low, high) = if surplus > 0.0 { (middle, high) } else { (low, middle) };
            }
            let elo = low * SCALE;
            assert!((found[0].elo - elo / 2.0).abs() < 1e-6, "{found:?}, {elo}");
            let [prior, weight] = [(low / 2.0, 1.0), (low, games)]
                .map(|(x, games)| games * sigma(x) * (1.0 - sigma(x)));
            let error = SIGMAS_95 * SCALE / (2.0 * (prior + 2.0 * weight)).sqrt();
            for rating in &found {
                assert!((rating.error - error).abs() < 1e-6, "{found:?}, {error}");
            }
        }
    }

    /// The ratings are where nobody has more points than expected, the drawn game of the prior included:
    /// also after results so one-sided or contradictory that whole steps of Newton's method run away.
    #[test]
    fn extreme_results_converge() {
        let star: Vec<PairScore> = (1..6).map(|other| score(0, other, 1e6, 1e6)).collect();
        let wild = [
            score(0, 3, 93_322.0, 186_644.0),
            score(0, 4, 0.0, 1_793_187.0),
            score(1, 5, 107_455.0, 214_910.0),
            score(2, 4, 4.0, 4.0),
            score(2, 5, 5_060_040.0, 5_060_040.0),
            score(3, 5, 22_516.0, 22_516.0),
            score(4, 5, 1_062_212.0, 1_062_212.0),
        ];
        let sigma = |x: f64| 1.0 / (1.0 + (-x).exp());
        for scores in [&star[..], &wild] {
            let found = ratings(6, scores);
            let skill: Vec<f64> = found.iter().map(|rating| rating.elo / SCALE).collect();
            // Ratings are relative to their mean; the priors of all add up to 0 where it belongs.
            let (mut low, mut high) = (-100.0, 100.0);
            for _ in 0..200 {
                let mean = f64::midpoint(low, high);
                let surplus: f64 = skill.iter().map(|own| 0.5 - sigma(own + mean)).sum();
                (low, high) = if surplus > 0.0 { (mean, high) } else { (low, mean) };
            }
            for (engine, own) in skill.iter().enumerate() {
                let mut surplus = 0.5 - sigma(own + low);
                for &PairScore { engines: [a, b], points, games } in scores {
                    let more = points - games * sigma(skill[a] - skill[b]);
                    surplus +=
                        if a == engine { more } else { 0.0 } - if b == engine { more } else { 0.0 };
                }
                assert!(surplus.abs() < 1e-3, "engine {engine}: {surplus}, {found:?}");
            }
        }
    }

    #[test]
    fn one_sided_results_give_finite_ratings() {
        let found = ratings(3, &[score(0, 1, 50.0, 50.0), score(1, 2, 50.0, 50.0)]);
        assert!(found.iter().all(|rating| rating.elo.is_finite() && rating.error.is_finite()));
        assert!(found[0].elo > found[1].elo + 200.0 && found[1].elo > found[2].elo + 200.0);
        assert!(ratings(0, &[]).is_empty());
    }
}
