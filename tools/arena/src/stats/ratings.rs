//! Ratings of many engines from all their games together.
//!
//! They are the ones under which the results are likeliest (Bradley and Terry's model on Elo's
//! scale, a draw being half a win and half a loss), with one drawn game against an average
//! opponent added to each engine so that they stay finite. The error bars come from the curvature
//! of the likelihood. They count a draw as a decided game would count, so they are rather too
//! wide than too narrow.

use nalgebra::{DMatrix, DVector};

use super::{SCALE, SIGMAS_95, expected_score};

/// What one engine scored against another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encounter {
    /// Both engines, as indices.
    pub players: [usize; 2],
    /// The points of the first one.
    pub points: f64,
    /// How many games they played.
    pub games: f64,
}

/// The rating of one engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo, with a mean of 0 over all engines.
    pub elo: f64,
    /// Half the width of the range that holds the truth in 95 of 100 cases.
    pub error: f64,
}

/// The ratings of `count` engines.
pub fn ratings(count: usize, encounters: &[Encounter]) -> Vec<Rating> {
    const STEPS: usize = 200;
    // In units of SCALE, where the expected score is the logistic function.
    let mut skill = DVector::<f64>::zeros(count);
    let mut spread = DVector::<f64>::zeros(count);
    for _ in 0..STEPS {
        let (slope, curvature) = slope_and_curvature(&skill, encounters);
        // The added draws make it positive definite; without it there is nothing to improve.
        let Some(factors) = curvature.cholesky() else { break };
        // Steps that are too long come back the other way.
        let step = factors.solve(&slope).map(|length| length.clamp(-1.0, 1.0));
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

/// The standard deviations of skills measured from their mean. Where the mean itself lies nothing
/// can tell, and it does not matter.
fn spread_around_mean(covariance: &DMatrix<f64>) -> DVector<f64> {
    let count = covariance.nrows();
    let centre =
        DMatrix::identity(count, count) - DMatrix::from_element(count, count, 1.0 / count as f64);
    let centred = &centre * covariance * &centre;
    centred.diagonal().map(|variance| variance.max(0.0).sqrt())
}

/// How the logarithm of the likelihood changes with the skills, and how that changes.
fn slope_and_curvature(
    skill: &DVector<f64>,
    encounters: &[Encounter],
) -> (DVector<f64>, DMatrix<f64>) {
    let count = skill.len();
    let mut slope = DVector::zeros(count);
    let mut curvature = DMatrix::zeros(count, count);
    for (index, &own) in skill.iter().enumerate() {
        let expected = expected_score(own * SCALE);
        slope[index] += 0.5 - expected;
        curvature[(index, index)] += expected * (1.0 - expected);
    }
    for &Encounter { players: [a, b], points, games } in encounters {
        let expected = expected_score((skill[a] - skill[b]) * SCALE);
        let surplus = points - games * expected;
        slope[a] += surplus;
        slope[b] -= surplus;
        let weight = games * expected * (1.0 - expected);
        curvature[(a, a)] += weight;
        curvature[(b, b)] += weight;
        curvature[(a, b)] -= weight;
        curvature[(b, a)] -= weight;
    }
    (slope, curvature)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encounter(a: usize, b: usize, points: f64, games: f64) -> Encounter {
        Encounter { players: [a, b], points, games }
    }

    #[test]
    fn two_engines_are_as_far_apart_as_their_score_says() {
        // 75 % is a difference of 190.85 Elo.
        let found = ratings(2, &[encounter(0, 1, 75_000.0, 100_000.0)]);
        assert!((found[0].elo - found[1].elo - 190.85).abs() < 0.1, "{found:?}");
        assert!((found[0].elo + found[1].elo).abs() < 1e-6);
    }

    #[test]
    fn consistent_results_give_back_the_ratings_behind_them() {
        let truth = [120.0, 10.0, -30.0, -100.0];
        let games = 1_000_000.0;
        let all = (0..4).flat_map(|a| (a + 1..4).map(move |b| (a, b)));
        let results: Vec<Encounter> = all
            .map(|(a, b)| encounter(a, b, games * expected_score(truth[a] - truth[b]), games))
            .collect();
        for (found, truth) in ratings(4, &results).iter().zip(truth) {
            assert!((found.elo - truth).abs() < 0.01, "{found:?} is not {truth}");
        }
    }

    #[test]
    fn the_error_of_even_engines_is_that_of_fair_coins() {
        // The difference of two engines after n even games has a deviation of 2 SCALE / √n, and
        // each rating, measured from their mean, half of that.
        let games = 10_000.0;
        let found = ratings(2, &[encounter(0, 1, games / 2.0, games)]);
        let expected = SIGMAS_95 * SCALE / f64::sqrt(games);
        assert!((found[0].error - expected).abs() / expected < 0.01, "{found:?}, {expected}");
    }

    #[test]
    fn one_sided_results_give_finite_ratings() {
        let found = ratings(3, &[encounter(0, 1, 50.0, 50.0), encounter(1, 2, 50.0, 50.0)]);
        assert!(found.iter().all(|rating| rating.elo.is_finite() && rating.error.is_finite()));
        assert!(found[0].elo > found[1].elo + 200.0 && found[1].elo > found[2].elo + 200.0);
        assert!(ratings(0, &[]).is_empty());
    }
}
