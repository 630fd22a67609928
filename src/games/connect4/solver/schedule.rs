//! The window schedule: which null window to search next.

use super::Bounds;
use super::score::SolverScore;

/// The next `alpha`, with `lower <= alpha < upper`; the search proves either
/// `score <= alpha` or `score > alpha`.
///
/// A quick win or loss is cheap to find and cheap to exclude, since few plies
/// count; so the far ends of the range, a third of the empty cells away from 0,
/// come first and are bisected. The sign comes next, because the static bounds
/// decide it best, and then one score after the other away from 0, where most
/// scores lie.
pub fn next_alpha(known: Bounds, empties: u32) -> SolverScore {
    let Bounds { lower, upper } = known;
    let far = (empties / 3) as SolverScore;
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
    fn every_window_lies_within_the_bounds() {
        for empties in 1..=125 {
            let most = empties as SolverScore / 2 + 1;
            for lower in -most..most {
                for upper in lower + 1..=most {
                    let alpha = next_alpha(Bounds { lower, upper }, empties);
                    assert!(lower <= alpha && alpha < upper, "{lower} {alpha} {upper} {empties}");
                }
            }
        }
    }
}
