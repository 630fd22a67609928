//! Which question to ask next about a score.

use super::Bounds;
use super::score::Score;

/// The next `alpha` to test, with `lower <= alpha < upper`; the answer is either
/// `score <= alpha` or `score > alpha`.
///
/// A quick win or loss is cheap to find and cheap to exclude, since few plies
/// count; so the two far ends of the range, a third of the empty cells away from
/// 0, come first and are halved. After that the sign is the best question,
/// because the static bounds answer it best, and then one step after the other
/// away from 0, where most scores lie.
pub fn next_alpha(known: Bounds, empties: u32) -> Score {
    let Bounds { lower, upper } = known;
    let far = (empties / 3) as Score;
    let middle = (lower + upper).div_euclid(2);
    if upper > far {
        if lower < far { far - 1 } else { middle }
    } else if lower < -far {
        if upper > -far { -far } else { middle }
    } else if upper > 0 {
        lower.max(0)
    } else {
        upper - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_question_is_open() {
        for empties in 1..=125 {
            let most = empties as Score / 2 + 1;
            for lower in -most..most {
                for upper in lower + 1..=most {
                    let alpha = next_alpha(Bounds { lower, upper }, empties);
                    assert!(lower <= alpha && alpha < upper, "{lower} {alpha} {upper} {empties}");
                }
            }
        }
    }
}
