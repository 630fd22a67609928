//! The weights of the features.
//!
//! To be made by `ratlla-lab fit weights`.

use super::features::FEATURES;

#[rustfmt::skip]
pub(super) const WEIGHTS: [i16; FEATURES] = [
    10, // horizontal lines of one piece and landing cells
    -2, // diagonal lines of one piece and landing cells
    18, // horizontal lines of two pieces and landing cells
    19, // diagonal lines of two pieces and landing cells
    31, // vertical lines of two pieces and cells in reach
    7, // horizontal lines of two pieces and cells in reach
    15, // diagonal lines of two pieces and cells in reach
    34, // landing cells that complete a line
    81, // cells above a landing cell that complete a line
    8, // cells two above a landing cell that complete a line
    -8, // higher cells that complete a line
    24, // a bomb on the board
    21, // enemy pieces in the row of the bomb
    60, // an explosion that wins
    0, // an explosion that loses
    30, // cells in reach that complete a line, gained by an explosion
    -30, // the same for the opponent
    15, // column 1, row 1
    15, // column 1, row 2
    25, // column 1, row 3
    37, // column 1, row 4
    56, // column 1, row 5
    70, // column 1, row 6
    90, // column 1, row 7
    31, // column 2, row 1
    40, // column 2, row 2
    39, // column 2, row 3
    32, // column 2, row 4
    18, // column 2, row 5
    4, // column 2, row 6
    60, // column 2, row 7
    23, // column 3, row 1
    37, // column 3, row 2
    25, // column 3, row 3
    35, // column 3, row 4
    37, // column 3, row 5
    22, // column 3, row 6
    60, // column 3, row 7
    45, // column 4, row 1
    52, // column 4, row 2
    57, // column 4, row 3
    46, // column 4, row 4
    43, // column 4, row 5
    23, // column 4, row 6
    69, // column 4, row 7
    71, // next move 0 of 16
    34, // next move 1 of 16
    43, // next move 2 of 16
    -9, // next move 3 of 16
    75, // next move 4 of 16
    21, // next move 5 of 16
    44, // next move 6 of 16
    -14, // next move 7 of 16
    72, // next move 8 of 16
    13, // next move 9 of 16
    51, // next move 10 of 16
    3, // next move 11 of 16
    66, // next move 12 of 16
    -45, // next move 13 of 16
    114, // next move 14 of 16
    5, // next move 15 of 16
];
