//! Exact values as numbers that a search can compare.

use crate::game::ExactValue;

/// The score of a win in no plies. A win in `n` is `WIN - n`, a loss the negative of that, a draw 0.
/// No game of a supported board takes half as many plies, so scores near 0 do not occur.
pub const WIN: i32 = 512;

/// The score of a value.
pub fn of_value(value: ExactValue) -> i32 {
    match value {
        ExactValue::Win(plies) => WIN - plies as i32,
        ExactValue::Draw => 0,
        ExactValue::Loss(plies) => plies as i32 - WIN,
    }
}

/// The value that a score stands for.
pub fn to_value(score: i32) -> ExactValue {
    let plies = (WIN - score.abs()) as usize;
    match score {
        0 => ExactValue::Draw,
        1.. => ExactValue::Win(plies),
        _ => ExactValue::Loss(plies),
    }
}

/// The score one ply before.
pub fn one_ply_before(score: i32) -> i32 {
    score - score.signum()
}

/// The reverse of [`one_ply_before`]. A score is above a bound exactly if that one ply after is above the
/// bound one ply after.
pub fn one_ply_after(score: i32) -> i32 {
    score + score.signum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_stand_for_values() {
        let values = (0..200).flat_map(|plies| [ExactValue::Win(plies), ExactValue::Loss(plies)]);
        for value in values.chain([ExactValue::Draw]) {
            assert_eq!(to_value(of_value(value)), value);
            assert_eq!(one_ply_after(one_ply_before(of_value(value))), of_value(value));
        }
        assert!(of_value(ExactValue::Win(3)) > of_value(ExactValue::Win(5)));
        assert!(of_value(ExactValue::Loss(3)) < of_value(ExactValue::Loss(5)));
        assert_eq!(one_ply_before(of_value(ExactValue::Win(3))), of_value(ExactValue::Win(4)));
    }

    #[test]
    fn bounds_keep_their_side_of_a_score() {
        let values = (0..200).flat_map(|plies| [ExactValue::Win(plies), ExactValue::Loss(plies)]);
        for after in values.chain([ExactValue::Draw]).map(of_value) {
            for bound in -WIN..=WIN {
                let above = one_ply_before(after) > bound;
                assert_eq!(after > one_ply_after(bound), above, "{after} {bound}");
            }
        }
    }
}
