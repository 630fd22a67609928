//! The weights of the evaluation's features.

use super::features;

/// The drop phase.
pub const DROP: [i32; features::DROP.len()] = [17, 16, -38, 9, 65, 34, -15, 29, -4];

/// The move phase.
pub const MOVE: [i32; features::MOVE.len()] = [42, 5, 16, 157, 70, 55, 18, 15, 28, -10, 5];
