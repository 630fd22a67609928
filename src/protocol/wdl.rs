//! Win, draw and loss probabilities, for clients that prefer them to points.

use crate::search::result::ReportedScore;

/// The chances of the side to move to win, draw and lose, in permille that add up to 1000.
///
/// Proved scores are certain. Heuristic ones follow a logistic curve for each side; the rest is
/// the chance of a draw.
pub fn wdl(score: ReportedScore) -> [u32; 3] {
    let (win, loss) = match score {
        ReportedScore::Win(_) => (1000, 0),
        ReportedScore::Loss(_) => (0, 1000),
        ReportedScore::Draw => (0, 0),
        ReportedScore::Margin(lead) => (u32::from(lead > 0) * 1000, u32::from(lead < 0) * 1000),
        ReportedScore::Points(points) => (winning(points), winning(points.saturating_neg())),
    };
    [win, 1000 - win - loss, loss]
}

/// The points at which winning is as likely as not.
const EVEN_CHANCE: f64 = 40.0;
/// The points that multiply the odds by e.
const SLOPE: f64 = 30.0;

fn winning(points: i32) -> u32 {
    let steps = (f64::from(points) - EVEN_CHANCE) / SLOPE;
    // Rounded down, so that both sides together never exceed 1000.
    (1000.0 / (1.0 + (-steps).exp())) as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn proved_scores_are_certain() {
        for (score, expected) in [
            (ReportedScore::Win(3), [1000, 0, 0]),
            (ReportedScore::Loss(4), [0, 0, 1000]),
            (ReportedScore::Draw, [0, 1000, 0]),
            (ReportedScore::Margin(2), [1000, 0, 0]),
            (ReportedScore::Margin(0), [0, 1000, 0]),
            (ReportedScore::Margin(-2), [0, 0, 1000]),
        ] {
            assert_eq!(wdl(score), expected);
        }
    }

    #[test]
    fn estimates_follow_the_curve() {
        for (points, expected) in [
            (-40, [64, 436, 500]),
            (0, [208, 584, 208]),
            (40, [500, 436, 64]),
            (70, [731, 245, 24]),
            (30_000, [1000, 0, 0]),
        ] {
            assert_eq!(wdl(ReportedScore::Points(points)), expected, "{points}");
        }
    }

    proptest! {
        #[test]
        fn probabilities_add_up_mirror_each_other_and_grow(points in -40_000..40_000i32) {
            let [win, draw, loss] = wdl(ReportedScore::Points(points));
            prop_assert_eq!(win + draw + loss, 1000);
            prop_assert_eq!(wdl(ReportedScore::Points(-points)), [loss, draw, win]);
            prop_assert!(wdl(ReportedScore::Points(points + 1))[0] >= win);
        }
    }
}
