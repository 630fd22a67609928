//! The weights of the features.
//!
//! Made by `ratlla-lab fit weights` from 423187 positions, with --lambda 1
//! --score-scale 100 --scale 40 --decided 4 --ridge 10, and games by
//!
//! `ratlla-lab fit games --game 'boom' --nodes 1500 --solve 0 --plies 10 --random 1 --seed 7`
//! `ratlla-lab fit games --game 'boom' --nodes 2000 --solve 0 --plies 12 --random 1 --seed 21`

use super::features::FEATURES;

#[rustfmt::skip]
pub(super) const WEIGHTS: [i16; FEATURES] = [
    5, // horizontal lines of one piece and landing cells
    0, // diagonal lines of one piece and landing cells
    20, // horizontal lines of two pieces and landing cells
    18, // diagonal lines of two pieces and landing cells
    31, // vertical lines of two pieces and cells in reach
    10, // horizontal lines of two pieces and cells in reach
    22, // diagonal lines of two pieces and cells in reach
    45, // landing cells that complete a line
    99, // cells above a landing cell that complete a line
    11, // cells two above a landing cell that complete a line
    -4, // higher cells that complete a line
    27, // a bomb on the board
    14, // enemy pieces in the row of the bomb
    100, // an explosion that wins
    -22, // an explosion that loses
    32, // cells in reach that complete a line, gained by an explosion
    -17, // the same for the opponent
    10, // column 1, row 1
    12, // column 1, row 2
    21, // column 1, row 3
    33, // column 1, row 4
    52, // column 1, row 5
    56, // column 1, row 6
    63, // column 1, row 7
    21, // column 2, row 1
    32, // column 2, row 2
    32, // column 2, row 3
    31, // column 2, row 4
    17, // column 2, row 5
    5, // column 2, row 6
    42, // column 2, row 7
    25, // column 3, row 1
    36, // column 3, row 2
    27, // column 3, row 3
    29, // column 3, row 4
    30, // column 3, row 5
    20, // column 3, row 6
    44, // column 3, row 7
    35, // column 4, row 1
    39, // column 4, row 2
    52, // column 4, row 3
    39, // column 4, row 4
    16, // column 4, row 5
    28, // column 4, row 6
    54, // column 4, row 7
    73, // next move 0 of 16
    10, // next move 1 of 16
    54, // next move 2 of 16
    2, // next move 3 of 16
    60, // next move 4 of 16
    7, // next move 5 of 16
    55, // next move 6 of 16
    -4, // next move 7 of 16
    62, // next move 8 of 16
    8, // next move 9 of 16
    55, // next move 10 of 16
    8, // next move 11 of 16
    58, // next move 12 of 16
    -50, // next move 13 of 16
    120, // next move 14 of 16
    8, // next move 15 of 16
];
