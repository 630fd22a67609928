//! The marks of moves: only proved scores give one.

use crate::search::result::ReportedScore;

/// The mark of the move with the score at `chosen`, given those of all legal moves, the best first:
/// empty if nothing is remarkable about it, `~` if it or the best one has no proved score.
/// `is_solved` says that distances to the end are exact, and not only limits.
pub fn mark(scores: &[Option<ReportedScore>], chosen: usize, is_solved: bool) -> &'static str {
    let sign = |score: Option<ReportedScore>| score.and_then(ReportedScore::proved_sign);
    let (Some(best), Some(played)) = (sign(scores[0]), sign(scores[chosen])) else {
        return "~";
    };
    // A move about which nothing is proved may.
    let keeps = |score: Option<ReportedScore>| sign(score).is_none_or(|sign| sign >= played);
    let mut others = scores.iter().enumerate().filter(|&(index, _)| index != chosen);
    if played < best {
        "?"
    } else if is_solved && quality(scores[chosen]) < quality(scores[0]) {
        "?!"
    } else if played >= 0 && scores.len() > 1 && !others.any(|(_, &score)| keeps(score)) {
        "!"
    } else {
        ""
    }
}

/// A number that is greater for better moves with the same result: sooner wins, later losses, larger
/// margins.
fn quality(score: Option<ReportedScore>) -> i64 {
    match score {
        Some(ReportedScore::Win(plies)) => -(plies as i64),
        Some(ReportedScore::Loss(plies)) => plies as i64,
        Some(ReportedScore::Margin(margin)) => margin.into(),
        Some(ReportedScore::Draw | ReportedScore::Points(_)) | None => 0,
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
