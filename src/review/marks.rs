//! The marks of moves: only proved scores give one.

use crate::search::result::ReportedScore;

/// The mark of the move with the score at `chosen`, given those of all legal moves, the best first:
/// empty if nothing is remarkable about it, `~` if it or the best one has no proved score.
/// `is_solved` says that distances to the end are exact, and not only limits.
pub fn mark(scores: &[Option<ReportedScore>], chosen: usize, is_solved: bool) -> &'static str {
    let proved = |score: Option<ReportedScore>| score.filter(|score| score.is_proved());
    let (Some(best), Some(played)) = (proved(scores[0]), proved(scores[chosen])) else {
        return "~";
    };
    let keeps = |score: Option<ReportedScore>| match proved(score) {
        Some(score) => result(score) >= result(played),
        // It may.
        None => true,
    };
    let mut others = scores.iter().enumerate().filter(|&(index, _)| index != chosen);
    if result(played) < result(best) {
        "?"
    } else if is_solved && quality(played) < quality(best) {
        "?!"
    } else if result(played) >= 0 && scores.len() > 1 && !others.any(|(_, &score)| keeps(score)) {
        "!"
    } else {
        ""
    }
}

/// Win, draw or loss, as a sign.
fn result(score: ReportedScore) -> i32 {
    match score {
        ReportedScore::Win(_) => 1,
        ReportedScore::Loss(_) => -1,
        ReportedScore::Draw => 0,
        ReportedScore::Margin(margin) => margin.signum(),
        ReportedScore::Points(points) => points.signum(),
    }
}

/// A number that is greater for better moves with the same result: sooner wins, later losses, larger
/// margins.
fn quality(score: ReportedScore) -> i64 {
    match score {
        ReportedScore::Win(plies) => -(plies as i64),
        ReportedScore::Loss(plies) => plies as i64,
        ReportedScore::Margin(margin) => margin.into(),
        ReportedScore::Draw | ReportedScore::Points(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ReportedScore::{Draw, Loss, Margin, Points, Win};

    #[test]
    fn marks_follow_from_the_scores() {
        for (scores, chosen, expected) in [
            (&[Some(Win(3)), Some(Draw)][..], 1, "?"),
            (&[Some(Draw), Some(Loss(4))], 1, "?"),
            (&[Some(Win(3)), Some(Win(5)), Some(Draw)], 1, "?!"),
            (&[Some(Loss(6)), Some(Loss(2))], 1, "?!"),
            (&[Some(Margin(4)), Some(Margin(2))], 1, "?!"),
            (&[Some(Win(3)), Some(Draw)], 0, "!"),
            (&[Some(Draw), Some(Loss(4)), Some(Loss(2))], 0, "!"),
            (&[Some(Win(3)), Some(Win(9))], 0, ""),
            (&[Some(Loss(6)), Some(Loss(2))], 0, ""),
            (&[Some(Win(3))], 0, ""),
            (&[Some(Win(3)), None], 0, ""),
            (&[Some(Win(3)), None], 1, "~"),
            (&[Some(Points(8)), Some(Loss(2))], 1, "~"),
            (&[None, Some(Loss(2))], 1, "~"),
        ] {
            assert_eq!(mark(scores, chosen, true), expected, "{scores:?} {chosen}");
        }
        assert_eq!(mark(&[Some(Win(3)), Some(Win(5))], 1, false), "");
    }
}
