//! Chances of winning, drawing and losing, for clients that like these better than points.

use crate::strategy::ReportedScore;

/// The chances of the side to move to win, draw and lose, in thousandths that sum up to 1000.
///
/// Proved results are certain. The chance of a judged one grows along a logistic curve in its
/// points; what neither side's curve takes is left for draws.
pub fn wdl(standing: ReportedScore) -> [u32; 3] {
    let (win, loss) = match standing {
        ReportedScore::Win(_) => (1000, 0),
        ReportedScore::Loss(_) => (0, 1000),
        ReportedScore::Draw => (0, 0),
        ReportedScore::Margin(lead) => (u32::from(lead > 0) * 1000, u32::from(lead < 0) * 1000),
        ReportedScore::Points(points) => (winning(points), winning(points.saturating_neg())),
    };
    [win, 1000 - win - loss, loss]
}

/// The lead in points that wins every other game.
const EVEN_CHANCE: f64 = 40.0;
/// How many points more make winning e times as likely as not.
const SLOPE: f64 = 30.0;

fn winning(points: i32) -> u32 {
    let steps = (f64::from(points) - EVEN_CHANCE) / SLOPE;
    // Rounded down, so that both sides together never exceed the whole.
    (1000.0 / (1.0 + (-steps).exp())) as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_proved_is_certain() {
        for (standing, expected) in [
            (ReportedScore::Win(3), [1000, 0, 0]),
            (ReportedScore::Loss(4), [0, 0, 1000]),
            (ReportedScore::Draw, [0, 1000, 0]),
            (ReportedScore::Margin(2), [1000, 0, 0]),
            (ReportedScore::Margin(0), [0, 1000, 0]),
            (ReportedScore::Margin(-2), [0, 0, 1000]),
        ] {
            assert_eq!(wdl(standing), expected);
        }
    }

    proptest! {
        #[test]
        fn they_sum_up_mirror_each_other_and_grow(points in -40_000..40_000i32) {
            let [win, draw, loss] = wdl(ReportedScore::Points(points));
            prop_assert_eq!(win + draw + loss, 1000);
            prop_assert_eq!(wdl(ReportedScore::Points(-points)), [loss, draw, win]);
            prop_assert!(wdl(ReportedScore::Points(points + 1))[0] >= win);
        }
    }
}
