//! The Elo difference between two engines, from the pentanomial distribution of their game pairs.
//!
//! The two games of a pair share an opening and are correlated: the side that the opening favours
//! tends to win both. The unit of the statistics is therefore the pair, not the game.

use super::{Pentanomial, SCALE, SIGMAS_95, elo_of_score};

/// An estimated Elo difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EloEstimate {
    /// Points per game of the first engine.
    pub score: f64,
    /// The Elo difference; infinite if one engine took all points.
    pub elo: f64,
    /// Half the width of the 95 % confidence interval; `None` if all pairs scored the same or the
    /// interval is unbounded.
    pub error: Option<f64>,
    /// Normalized Elo with its error.
    pub normalized: Option<(f64, f64)>,
    /// Likelihood of superiority: the probability that the first engine is stronger. Never
    /// certain, however many games were won.
    pub los: f64,
    /// The share of the pairs that ended level.
    pub draw_ratio: f64,
    /// Pairs won for each pair lost; `None` if neither engine won a pair, infinite if only the first
    /// one did.
    pub pair_ratio: Option<f64>,
}

/// The estimate from these game pairs; `None` if there are none.
pub fn estimate(pairs: &Pentanomial) -> Option<EloEstimate> {
    let count = pairs.iter().sum::<u64>() as f64;
    if count == 0.0 {
        return None;
    }
    let results =
        || pairs.iter().zip(0u8..).map(|(&n, quarter)| (n as f64, f64::from(quarter) / 4.0));
    let score = results().map(|(n, value)| n * value).sum::<f64>() / count;
    let variance = results().map(|(n, value)| n * (value - score).powi(2)).sum::<f64>() / count;
    let deviation = (variance / count).sqrt();
    let spread = SIGMAS_95 * deviation;
    let (low, high) = (score - spread, score + spread);
    let known = variance > 0.0;
    // A pair is the mean of two games: the deviation of a game is √2 times that of a pair.
    let game_deviation = (2.0 * variance).sqrt();
    let (lost, won) = ((pairs[0] + pairs[1]) as f64, (pairs[3] + pairs[4]) as f64);
    Some(EloEstimate {
        score,
        elo: elo_of_score(score),
        error: (known && low > 0.0 && high < 1.0)
            .then(|| (elo_of_score(high) - elo_of_score(low)) / 2.0),
        normalized: known.then(|| {
            let unit = 2.0 * SCALE;
            let value = (score - 0.5) / game_deviation * unit;
            (value, SIGMAS_95 / (2.0 * count).sqrt() * unit)
        }),
        los: los(score, deviation, count),
        draw_ratio: pairs[2] as f64 / count,
        pair_ratio: (lost + won > 0.0).then_some(won / lost),
    })
}

/// The probability that the true score is above one half.
///
/// The normal approximation is certain as soon as all pairs have scored the same, even after one. So it
/// is bounded by what winning every pair would show: with a uniform prior for the share of pairs that an
/// engine wins, `count` of them leave a probability of ½^(count + 1) that it is the weaker one.
fn los(score: f64, deviation: f64, count: f64) -> f64 {
    let distance = score - 0.5;
    if distance == 0.0 {
        return 0.5;
    }
    let least = 0.5f64.powf(count + 1.0);
    // Without a deviation this is 0 or 1.
    let normal = 0.5 * libm::erfc(-distance / deviation / std::f64::consts::SQRT_2);
    normal.clamp(least, 1.0 - least)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, published: f64, tolerance: f64) {
        assert!((found - published).abs() <= tolerance, "got {found}, expected {published}");
    }

    /// Values from the tests of fastchess.
    #[test]
    fn values_agree_with_fastchess() {
        let cases: [(Pentanomial, [f64; 4], Option<f64>); 3] = [
            ([34, 54, 63, 64, 75], [55.58, 27.65, 57.94, 28.28], Some(1.0)),
            ([332, 433, 498, 333, 334], [-8.64, 10.33, -9.17, 10.96], Some(0.0505)),
            ([7895, 8757, 5685, 568, 9999], [-21.04, 2.95, -19.01, 2.65], None),
        ];
        for (pairs, [elo, error, normalized, normalized_error], los) in cases {
            let found = estimate(&pairs).unwrap();
            close(found.elo, elo, 0.006);
            close(found.error.unwrap(), error, 0.006);
            let (value, spread) = found.normalized.unwrap();
            close(value, normalized, 0.006);
            close(spread, normalized_error, 0.006);
            if let Some(published) = los {
                close(found.los, published, 0.0001);
            }
        }
    }

    /// Results of public tests on OpenBench servers.
    #[test]
    fn values_agree_with_openbench() {
        let cases: [(Pentanomial, f64, f64); 4] = [
            ([145, 850, 2205, 948, 176], 6.43, 4.37),
            ([398, 4112, 7672, 4336, 430], 2.95, 2.18),
            ([1453, 8952, 16711, 9425, 1427], 1.93, 1.55),
            ([59, 1751, 4800, 3267, 169], 30.09, 2.56),
        ];
        for (pairs, elo, error) in cases {
            let found = estimate(&pairs).unwrap();
            close(found.elo, elo, 0.006);
            close(found.error.unwrap(), error, 0.006);
        }
    }

    /// Results published with engine releases, as printed by fastchess: nElo and the ratios too.
    #[test]
    fn ratios_agree_with_published_results() {
        let cases: [(Pentanomial, [f64; 6]); 3] = [
            ([16, 82, 222, 150, 61], [52.08, 14.57, 75.87, 20.90, 0.4181, 2.15]),
            ([49, 48, 154, 49, 60], [11.10, 21.86, 12.92, 25.38, 0.4278, 1.12]),
            ([59, 1751, 4800, 3267, 169], [30.09, 2.56, 56.71, 4.80, 0.478, 1.90]),
        ];
        for (pairs, [elo, error, normalized, normalized_error, draw_ratio, pair_ratio]) in cases {
            let found = estimate(&pairs).unwrap();
            close(found.elo, elo, 0.006);
            close(found.error.unwrap(), error, 0.006);
            let (value, spread) = found.normalized.unwrap();
            close(value, normalized, 0.006);
            close(spread, normalized_error, 0.006);
            close(found.draw_ratio, draw_ratio, 0.0006);
            close(found.pair_ratio.unwrap(), pair_ratio, 0.006);
        }
        assert_eq!(estimate(&[0, 0, 3, 0, 0]).unwrap().pair_ratio, None);
        assert_eq!(estimate(&[0, 0, 3, 0, 1]).unwrap().pair_ratio, Some(f64::INFINITY));
    }

    /// All pairs of up to `most` games, few enough to look at every way in which they can end.
    fn all_small(most: u64) -> impl Iterator<Item = Pentanomial> {
        let base = most + 1;
        (1..base.pow(5))
            .map(move |code| std::array::from_fn(|place| code / base.pow(place as u32) % base))
    }

    /// The same once more from the list of all pairs, step by step as in a textbook.
    #[test]
    fn a_naive_second_computation_agrees_on_all_small_results() {
        for pairs in all_small(3) {
            let scores: Vec<f64> =
                (0..5).flat_map(|place| vec![place as f64 / 4.0; pairs[place] as usize]).collect();
            let count = scores.len() as f64;
            let mean = scores.iter().sum::<f64>() / count;
            let variance =
                scores.iter().map(|score| (score - mean) * (score - mean)).sum::<f64>() / count;
            let found = estimate(&pairs).unwrap();
            close(found.score, mean, 1e-12);
            let elo = |score: f64| 400.0 * (score / (1.0 - score)).log10();
            if mean > 0.0 && mean < 1.0 {
                close(found.elo, elo(mean), 1e-9);
            }
            let half = SIGMAS_95 * (variance / count).sqrt();
            let bounds = [mean - half, mean + half];
            // An interval that reaches 0 or 1 has no width in Elo.
            let is_bounded = bounds[0] > 1e-12 && bounds[1] < 1.0 - 1e-12;
            assert_eq!(found.error.is_some(), variance > 1e-12 && is_bounded, "{pairs:?}");
            if let Some(error) = found.error {
                close(error, (elo(bounds[1]) - elo(bounds[0])) / 2.0, 1e-9);
            }
            assert_eq!(found.normalized.is_some(), variance > 1e-12, "{pairs:?}");
            if let Some((value, error)) = found.normalized {
                // nElo: standard deviations of a game, of which a pair is the mean of two.
                let unit = 800.0 / 10f64.ln();
                close(value, (mean - 0.5) / (variance * 2.0).sqrt() * unit, 1e-9);
                close(error, 1.959_964 * unit / (2.0 * count).sqrt(), 1e-4);
            }
            close(
                found.draw_ratio,
                scores.iter().filter(|&&score| score == 0.5).count() as f64 / count,
                1e-12,
            );
            let [lost, won] = [|score: &&f64| **score < 0.5, |score: &&f64| **score > 0.5]
                .map(|which: fn(&&f64) -> bool| scores.iter().filter(which).count() as f64);
            let ratio = if lost + won == 0.0 { None } else { Some(won / lost) };
            assert_eq!(found.pair_ratio, ratio, "{pairs:?}");
            assert!(found.los > 0.0 && found.los < 1.0, "never certain: {pairs:?}");
            assert_eq!(found.los == 0.5, mean == 0.5, "{pairs:?}");
            assert_eq!(found.los > 0.5, mean > 0.5, "{pairs:?}");
        }
    }

    /// Published tables of the normal distribution.
    #[test]
    fn superiority_is_the_normal_distribution_of_the_distance() {
        for (deviations, probability) in
            [(0.5, 0.691_462), (1.0, 0.841_345), (1.645, 0.950_015), (2.326, 0.989_991)]
        {
            close(los(0.5 + deviations * 0.01, 0.01, 1e6), probability, 1e-6);
            close(los(0.5 - deviations * 0.01, 0.01, 1e6), 1.0 - probability, 1e-6);
        }
    }

    #[test]
    fn one_sided_results_have_no_error_bar() {
        let won = estimate(&[0, 0, 0, 0, 9]).unwrap();
        assert_eq!((won.score, won.elo, won.error), (1.0, f64::INFINITY, None));
        let lost = estimate(&[3, 0, 0, 0, 0]).unwrap();
        assert_eq!((lost.elo, lost.error), (f64::NEG_INFINITY, None));
        let even = estimate(&[0, 0, 7, 0, 0]).unwrap();
        assert_eq!((even.elo, even.error, even.los), (0.0, None, 0.5));
        assert_eq!(estimate(&[0; 5]), None);
    }

    #[test]
    fn a_few_pairs_prove_nothing() {
        let los = |pairs| estimate(&pairs).unwrap().los;
        assert_eq!(los([0, 0, 0, 0, 1]), 0.75);
        assert_eq!(los([0, 0, 0, 1, 0]), 0.75);
        assert_eq!(los([3, 0, 0, 0, 0]), 0.0625);
        // Not all alike, and yet no better than three pairs won.
        assert_eq!(los([0, 0, 0, 1, 2]), 0.9375);
        close(los([0, 0, 0, 0, 9]), 1.0 - 1.0 / 1024.0, 1e-12);
        // With enough of them the bound does not matter.
        close(los([10, 0, 70, 0, 20]), 0.5 * libm::erfc(-1.857 / 2f64.sqrt()), 0.001);
    }

    #[test]
    fn swapping_the_engines_negates_the_elo() {
        let pairs = [5, 9, 30, 22, 4];
        let mut swapped = pairs;
        swapped.reverse();
        let (one, other) = (estimate(&pairs).unwrap(), estimate(&swapped).unwrap());
        close(one.elo, -other.elo, 1e-9);
        close(one.error.unwrap(), other.error.unwrap(), 1e-9);
        close(one.los, 1.0 - other.los, 1e-12);
    }
}
