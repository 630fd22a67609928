//! The weights of the features.
//!
//! To be made by `ratlla-lab fit weights`.

use super::features::FEATURES;

#[rustfmt::skip]
pub(super) const WEIGHTS: [i16; FEATURES] = [
    17, // drop: steps to empty cells
    29, // drop: cells for a drop
    -22, // drop: stones in hand beyond the cells for them
    5, // drop: cells for a drop that no other drop can spoil
    72, // drop: contested cells where a step makes a three
    23, // drop: contested cells where a stone from farther away would
    -5, // drop: pairs with one cell between
    30, // drop: the first move of the move phase
    5, // drop: the move
    50, // move: stones
    -5, // move: stones, times stones captured
    17, // move: steps to empty cells
    2, // move: steps, times stones captured
    150, // move: a capture now
    60, // move: a capture by the opponent next, negative
    46, // move: further captures, up to three
    17, // move: stones that can leave a three
    8, // move: cells where a stone from farther away would make a three
    26, // move: pairs of neighbours
    6, // move: pairs of neighbours, times stones captured
    -7, // move: pairs with one cell between
    5, // move: the move
];
