//! The weights of the features.
//!
//! Made by `ratlla-lab fit weights` from 120806 positions, with --lambda 1
//! --score-scale 100 --scale 60 --decided 8 --ridge 20, and games by
//!
//! `ratlla-lab fit games --game '6 7' --nodes 1000 --solve 20000 --plies 16 --random 1 --seed 11`
//! `ratlla-lab fit games --game '8 8' --game '10 12' --game '7 9' --game '9 9 5' --game '25 25' --game '7 8' --game '9 7' --game '12 10' --game '6 7 5' --game '8 9' --nodes 1000 --solve 0 --plies 16 --random 1 --seed 12`

use super::features::FEATURES;

#[rustfmt::skip]
pub(super) const WEIGHTS: [i16; FEATURES] = [
    0, // line up, 1 missing, 0 of them in good rows
    0, // line up, 1 missing, 1 of them in good rows
    0, // line up, 2 missing, 0 of them in good rows
    -5, // line up, 2 missing, 1 of them in good rows
    0, // line up, 2 missing, 2 of them in good rows
    0, // line up, 3 missing, 0 of them in good rows
    13, // line up, 3 missing, 1 of them in good rows
    7, // line up, 3 missing, 2 of them in good rows
    0, // line up, 3 missing, 3 of them in good rows
    -1, // line up, 4 or more missing
    18, // line sideways, 1 missing, 0 of them in good rows
    -16, // line sideways, 1 missing, 1 of them in good rows
    31, // line sideways, 2 missing, 0 of them in good rows
    0, // line sideways, 2 missing, 1 of them in good rows
    60, // line sideways, 2 missing, 2 of them in good rows
    9, // line sideways, 3 missing, 0 of them in good rows
    0, // line sideways, 3 missing, 1 of them in good rows
    0, // line sideways, 3 missing, 2 of them in good rows
    24, // line sideways, 3 missing, 3 of them in good rows
    14, // line sideways, 4 or more missing
    9, // line diagonal, 1 missing, 0 of them in good rows
    -3, // line diagonal, 1 missing, 1 of them in good rows
    -3, // line diagonal, 2 missing, 0 of them in good rows
    23, // line diagonal, 2 missing, 1 of them in good rows
    21, // line diagonal, 2 missing, 2 of them in good rows
    50, // line diagonal, 3 missing, 0 of them in good rows
    0, // line diagonal, 3 missing, 1 of them in good rows
    13, // line diagonal, 3 missing, 2 of them in good rows
    6, // line diagonal, 3 missing, 3 of them in good rows
    4, // line diagonal, 4 or more missing
    0, // threat in a other row, from row 1
    10, // threat in a other row, from row 2
    26, // threat in a other row, from row 3
    19, // threat in a other row, from row 4
    12, // threat in a other row, from row 5
    4, // threat in a other row, from row 6
    -3, // threat in a other row, from row 7
    6, // threat in a other row, from row 9
    17, // threat in a other row, from row 13
    0, // threat in a good row, from row 1
    44, // threat in a good row, from row 2
    24, // threat in a good row, from row 3
    18, // threat in a good row, from row 4
    15, // threat in a good row, from row 5
    -3, // threat in a good row, from row 6
    6, // threat in a good row, from row 7
    7, // threat in a good row, from row 9
    15, // threat in a good row, from row 13
    124, // zugzwang in 0 plies
    154, // zugzwang in 6 plies
    123, // zugzwang in 12 plies
    91, // zugzwang in 20 plies
    65, // zugzwang in 32 plies
    42, // zugzwang in 50 plies
    3, // zugzwang in 80 plies
    -4, // zugzwang in 160 plies
    0, // zugzwang in 640 plies
    0, // player 1, even rows, even columns, 0 cells left
    -1, // player 1, even rows, even columns, 12 cells left
    -9, // player 1, even rows, even columns, 24 cells left
    39, // player 1, even rows, even columns, 40 cells left
    20, // player 1, even rows, even columns, 64 cells left
    14, // player 1, even rows, even columns, 120 cells left
    0, // player 1, even rows, even columns, 640 cells left
    8, // player 1, even rows, odd columns, 0 cells left
    -25, // player 1, even rows, odd columns, 12 cells left
    -9, // player 1, even rows, odd columns, 24 cells left
    -4, // player 1, even rows, odd columns, 40 cells left
    -30, // player 1, even rows, odd columns, 64 cells left
    -24, // player 1, even rows, odd columns, 120 cells left
    0, // player 1, even rows, odd columns, 640 cells left
    1, // player 1, odd rows, even columns, 0 cells left
    -15, // player 1, odd rows, even columns, 12 cells left
    5, // player 1, odd rows, even columns, 24 cells left
    18, // player 1, odd rows, even columns, 40 cells left
    94, // player 1, odd rows, even columns, 64 cells left
    0, // player 1, odd rows, even columns, 120 cells left
    0, // player 1, odd rows, even columns, 640 cells left
    -6, // player 1, odd rows, odd columns, 0 cells left
    26, // player 1, odd rows, odd columns, 12 cells left
    28, // player 1, odd rows, odd columns, 24 cells left
    24, // player 1, odd rows, odd columns, 40 cells left
    17, // player 1, odd rows, odd columns, 64 cells left
    -7, // player 1, odd rows, odd columns, 120 cells left
    24, // player 1, odd rows, odd columns, 640 cells left
    10, // tempo
];
