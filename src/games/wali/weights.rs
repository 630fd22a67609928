//! The weights of the features.
//!
//! Made by `ratlla-lab fit weights` from 231203 positions, with --lambda 1
//! --score-scale 100 --scale 60 --decided 4 --ridge 10, and games by
//!
//! `ratlla-lab fit games --game 'wali' --nodes 1500 --solve 0 --plies 24 --random 1 --seed 1`
//! `ratlla-lab fit games --game 'wali' --nodes 2000 --solve 0 --plies 24 --random 1 --seed 22`

use super::features::FEATURES;

#[rustfmt::skip]
pub(super) const WEIGHTS: [i16; FEATURES] = [
    17, // drop: steps to empty cells
    25, // drop: cells for a drop
    -17, // drop: stones in hand beyond the cells for them
    6, // drop: cells for a drop that no other drop can spoil
    71, // drop: contested cells where a step makes a three
    21, // drop: contested cells where a stone from farther away would
    0, // drop: pairs with one cell between
    19, // drop: the first move of the move phase
    11, // drop: the move
    43, // move: stones
    -3, // move: stones, times stones captured
    23, // move: steps to empty cells
    1, // move: steps, times stones captured
    160, // move: a capture now
    67, // move: a capture by the opponent next, negative
    55, // move: further captures, up to three
    19, // move: stones that can leave a three
    9, // move: cells where a stone from farther away would make a three
    34, // move: pairs of neighbours
    3, // move: pairs of neighbours, times stones captured
    -9, // move: pairs with one cell between
    7, // move: the move
];
