//! The parameters of the search, each under its usual name. All are in points of the evaluator or
//! in plies; changing one changes what `bench` counts and wants a match as proof.

use once_cell::sync::Lazy;

/// The deepest iteration: table entries have eight bits for the depth.
pub const MAX_DEPTH: u32 = 250;

/// Half the width of the first aspiration window.
pub const ASPIRATION_WINDOW: i32 = 24;
/// The factor by which an aspiration window grows after failing low or high.
pub const ASPIRATION_GROWTH: i32 = 4;
/// A wider aspiration window than this is replaced by the full one.
pub const ASPIRATION_LIMIT: i32 = 2000;
/// Shallower iterations use the full window.
pub const ASPIRATION_MIN_DEPTH: u32 = 4;

/// Reverse futility pruning applies up to this depth.
pub const REVERSE_FUTILITY_MAX_DEPTH: i32 = 6;

/// The score of a killer move, above any history.
pub const KILLER_SCORE: i32 = 1 << 24;
/// The score of a noisy move, above killers.
pub const NOISY_SCORE: i32 = 1 << 25;
/// One point of the evaluator's move score counts as much as this much history.
pub const MOVE_SCORE_WEIGHT: i32 = 256;
/// The bound of a history value, approached by gravity.
pub const HISTORY_LIMIT: i32 = 1 << 14;
/// The largest bonus or malus of one cutoff.
pub const HISTORY_MAX_BONUS: i32 = 400;

/// Late move reductions by depth and move number.
static REDUCTIONS: Lazy<[[u8; 64]; 64]> = Lazy::new(|| {
    const BASE: f64 = 0.4;
    const DIVISOR: f64 = 2.0;
    const MIN_DEPTH: usize = 3;
    const MIN_MOVE: usize = 2;
    let reduction = |depth: usize, number: usize| {
        if depth < MIN_DEPTH || number < MIN_MOVE {
            return 0;
        }
        (BASE + (depth as f64).ln() * (number as f64 + 1.0).ln() / DIVISOR) as u8
    };
    std::array::from_fn(|depth| std::array::from_fn(|number| reduction(depth, number)))
});

/// By how many plies the move with this number, counted from 0, is reduced at this depth.
pub fn late_move_reduction(depth: i32, number: usize) -> i32 {
    REDUCTIONS[(depth as usize).min(63)][number.min(63)].into()
}
