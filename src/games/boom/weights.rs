//! The weights of the evaluation.

use super::features;

/// The features.
pub const FEATURES: [i32; features::FEATURES.len()] =
    [10, -2, 18, 19, 31, 7, 15, 34, 81, 8, -8, 24, 21];

/// The places of pieces, column by column from the edge to the middle.
pub const PLACES: [i16; features::PLACES] = [
    15, 15, 25, 37, 56, 70, 90, 31, 40, 39, 32, 18, 4, 60, 23, 37, 25, 35, 37, 22, 60, 45, 52, 57,
    46, 43, 23, 69,
];

/// The turn order.
pub const PHASES: [i32; features::PHASES] =
    [71, 34, 43, -9, 75, 21, 44, -14, 72, 13, 51, 3, 66, -45, 114, 5];
