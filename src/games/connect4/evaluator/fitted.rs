//! The weights of the features.
//!
//! Made by `ratlla-lab fit weights` from 339851 positions, with --lambda 1
//! --score-scale 100 --scale 60 --decided 8 --ridge 30, and games by
//!
//! `ratlla-lab fit games --game '6 7' --nodes 1000 --solve 20000 --plies 16 --random 1 --seed 11`
//! `ratlla-lab fit games --game '8 8' --game '10 12' --game '7 9' --game '9 9 5' --game '25 25' --game '7 8' --game '9 7' --game '12 10' --game '6 7 5' --game '8 9' --nodes 1000 --solve 0 --plies 16 --random 1 --seed 12`
//! `ratlla-lab fit games --game '25 25' --game '10 12' --game '12 16' --nodes 1000 --solve 0 --plies 12 --random 0 --seed 21`

use super::features::FEATURES;

#[rustfmt::skip]
pub(super) const WEIGHTS: [i16; FEATURES] = [
    0, // small: line up, 1 missing, 0 of them in good rows
    0, // small: line up, 1 missing, 1 of them in good rows
    0, // small: line up, 2 missing, 0 of them in good rows
    -39, // small: line up, 2 missing, 1 of them in good rows
    0, // small: line up, 2 missing, 2 of them in good rows
    0, // small: line up, 3 missing, 0 of them in good rows
    -3, // small: line up, 3 missing, 1 of them in good rows
    -1, // small: line up, 3 missing, 2 of them in good rows
    0, // small: line up, 3 missing, 3 of them in good rows
    -5, // small: line up, 4 or more missing
    19, // small: line sideways, 1 missing, 0 of them in good rows
    -18, // small: line sideways, 1 missing, 1 of them in good rows
    48, // small: line sideways, 2 missing, 0 of them in good rows
    0, // small: line sideways, 2 missing, 1 of them in good rows
    88, // small: line sideways, 2 missing, 2 of them in good rows
    17, // small: line sideways, 3 missing, 0 of them in good rows
    0, // small: line sideways, 3 missing, 1 of them in good rows
    0, // small: line sideways, 3 missing, 2 of them in good rows
    35, // small: line sideways, 3 missing, 3 of them in good rows
    14, // small: line sideways, 4 or more missing
    -11, // small: line diagonal, 1 missing, 0 of them in good rows
    13, // small: line diagonal, 1 missing, 1 of them in good rows
    6, // small: line diagonal, 2 missing, 0 of them in good rows
    41, // small: line diagonal, 2 missing, 1 of them in good rows
    51, // small: line diagonal, 2 missing, 2 of them in good rows
    1, // small: line diagonal, 3 missing, 0 of them in good rows
    4, // small: line diagonal, 3 missing, 1 of them in good rows
    15, // small: line diagonal, 3 missing, 2 of them in good rows
    5, // small: line diagonal, 3 missing, 3 of them in good rows
    3, // small: line diagonal, 4 or more missing
    0, // middling: line up, 1 missing, 0 of them in good rows
    0, // middling: line up, 1 missing, 1 of them in good rows
    0, // middling: line up, 2 missing, 0 of them in good rows
    1, // middling: line up, 2 missing, 1 of them in good rows
    0, // middling: line up, 2 missing, 2 of them in good rows
    0, // middling: line up, 3 missing, 0 of them in good rows
    25, // middling: line up, 3 missing, 1 of them in good rows
    12, // middling: line up, 3 missing, 2 of them in good rows
    0, // middling: line up, 3 missing, 3 of them in good rows
    5, // middling: line up, 4 or more missing
    -6, // middling: line sideways, 1 missing, 0 of them in good rows
    -10, // middling: line sideways, 1 missing, 1 of them in good rows
    25, // middling: line sideways, 2 missing, 0 of them in good rows
    0, // middling: line sideways, 2 missing, 1 of them in good rows
    66, // middling: line sideways, 2 missing, 2 of them in good rows
    17, // middling: line sideways, 3 missing, 0 of them in good rows
    0, // middling: line sideways, 3 missing, 1 of them in good rows
    0, // middling: line sideways, 3 missing, 2 of them in good rows
    29, // middling: line sideways, 3 missing, 3 of them in good rows
    13, // middling: line sideways, 4 or more missing
    -15, // middling: line diagonal, 1 missing, 0 of them in good rows
    -4, // middling: line diagonal, 1 missing, 1 of them in good rows
    -6, // middling: line diagonal, 2 missing, 0 of them in good rows
    17, // middling: line diagonal, 2 missing, 1 of them in good rows
    17, // middling: line diagonal, 2 missing, 2 of them in good rows
    19, // middling: line diagonal, 3 missing, 0 of them in good rows
    -5, // middling: line diagonal, 3 missing, 1 of them in good rows
    14, // middling: line diagonal, 3 missing, 2 of them in good rows
    -2, // middling: line diagonal, 3 missing, 3 of them in good rows
    3, // middling: line diagonal, 4 or more missing
    0, // large: line up, 1 missing, 0 of them in good rows
    0, // large: line up, 1 missing, 1 of them in good rows
    0, // large: line up, 2 missing, 0 of them in good rows
    21, // large: line up, 2 missing, 1 of them in good rows
    0, // large: line up, 2 missing, 2 of them in good rows
    0, // large: line up, 3 missing, 0 of them in good rows
    -3, // large: line up, 3 missing, 1 of them in good rows
    20, // large: line up, 3 missing, 2 of them in good rows
    0, // large: line up, 3 missing, 3 of them in good rows
    0, // large: line up, 4 or more missing
    20, // large: line sideways, 1 missing, 0 of them in good rows
    28, // large: line sideways, 1 missing, 1 of them in good rows
    43, // large: line sideways, 2 missing, 0 of them in good rows
    0, // large: line sideways, 2 missing, 1 of them in good rows
    41, // large: line sideways, 2 missing, 2 of them in good rows
    21, // large: line sideways, 3 missing, 0 of them in good rows
    0, // large: line sideways, 3 missing, 1 of them in good rows
    0, // large: line sideways, 3 missing, 2 of them in good rows
    8, // large: line sideways, 3 missing, 3 of them in good rows
    0, // large: line sideways, 4 or more missing
    -11, // large: line diagonal, 1 missing, 0 of them in good rows
    24, // large: line diagonal, 1 missing, 1 of them in good rows
    -13, // large: line diagonal, 2 missing, 0 of them in good rows
    12, // large: line diagonal, 2 missing, 1 of them in good rows
    -15, // large: line diagonal, 2 missing, 2 of them in good rows
    0, // large: line diagonal, 3 missing, 0 of them in good rows
    3, // large: line diagonal, 3 missing, 1 of them in good rows
    -4, // large: line diagonal, 3 missing, 2 of them in good rows
    0, // large: line diagonal, 3 missing, 3 of them in good rows
    0, // large: line diagonal, 4 or more missing
    0, // small: threat in another row, from row 1
    16, // small: threat in another row, from row 2
    22, // small: threat in another row, from row 3
    28, // small: threat in another row, from row 4
    15, // small: threat in another row, from row 5
    -3, // small: threat in another row, from row 6
    2, // small: threat in another row, from row 7
    -11, // small: threat in another row, from row 9
    0, // small: threat in another row, from row 13
    0, // small: threat in a good row, from row 1
    67, // small: threat in a good row, from row 2
    43, // small: threat in a good row, from row 3
    14, // small: threat in a good row, from row 4
    17, // small: threat in a good row, from row 5
    -17, // small: threat in a good row, from row 6
    13, // small: threat in a good row, from row 7
    -17, // small: threat in a good row, from row 9
    0, // small: threat in a good row, from row 13
    0, // middling: threat in another row, from row 1
    32, // middling: threat in another row, from row 2
    41, // middling: threat in another row, from row 3
    32, // middling: threat in another row, from row 4
    16, // middling: threat in another row, from row 5
    7, // middling: threat in another row, from row 6
    12, // middling: threat in another row, from row 7
    5, // middling: threat in another row, from row 9
    0, // middling: threat in another row, from row 13
    0, // middling: threat in a good row, from row 1
    45, // middling: threat in a good row, from row 2
    18, // middling: threat in a good row, from row 3
    21, // middling: threat in a good row, from row 4
    14, // middling: threat in a good row, from row 5
    4, // middling: threat in a good row, from row 6
    19, // middling: threat in a good row, from row 7
    4, // middling: threat in a good row, from row 9
    0, // middling: threat in a good row, from row 13
    0, // large: threat in another row, from row 1
    29, // large: threat in another row, from row 2
    14, // large: threat in another row, from row 3
    2, // large: threat in another row, from row 4
    16, // large: threat in another row, from row 5
    14, // large: threat in another row, from row 6
    8, // large: threat in another row, from row 7
    6, // large: threat in another row, from row 9
    5, // large: threat in another row, from row 13
    0, // large: threat in a good row, from row 1
    33, // large: threat in a good row, from row 2
    6, // large: threat in a good row, from row 3
    4, // large: threat in a good row, from row 4
    9, // large: threat in a good row, from row 5
    12, // large: threat in a good row, from row 6
    5, // large: threat in a good row, from row 7
    -1, // large: threat in a good row, from row 9
    -14, // large: threat in a good row, from row 13
    96, // zugzwang in 0 plies
    142, // zugzwang in 6 plies
    118, // zugzwang in 12 plies
    92, // zugzwang in 20 plies
    56, // zugzwang in 32 plies
    37, // zugzwang in 50 plies
    5, // zugzwang in 80 plies
    -1, // zugzwang in 160 plies
    12, // zugzwang in 640 plies
    1, // player 1, even rows, even columns, 0 cells left
    -24, // player 1, even rows, even columns, 12 cells left
    -12, // player 1, even rows, even columns, 24 cells left
    32, // player 1, even rows, even columns, 40 cells left
    8, // player 1, even rows, even columns, 64 cells left
    16, // player 1, even rows, even columns, 120 cells left
    13, // player 1, even rows, even columns, 640 cells left
    9, // player 1, even rows, odd columns, 0 cells left
    -28, // player 1, even rows, odd columns, 12 cells left
    -9, // player 1, even rows, odd columns, 24 cells left
    -1, // player 1, even rows, odd columns, 40 cells left
    -25, // player 1, even rows, odd columns, 64 cells left
    -13, // player 1, even rows, odd columns, 120 cells left
    0, // player 1, even rows, odd columns, 640 cells left
    -1, // player 1, odd rows, even columns, 0 cells left
    5, // player 1, odd rows, even columns, 12 cells left
    20, // player 1, odd rows, even columns, 24 cells left
    23, // player 1, odd rows, even columns, 40 cells left
    58, // player 1, odd rows, even columns, 64 cells left
    0, // player 1, odd rows, even columns, 120 cells left
    0, // player 1, odd rows, even columns, 640 cells left
    -4, // player 1, odd rows, odd columns, 0 cells left
    19, // player 1, odd rows, odd columns, 12 cells left
    16, // player 1, odd rows, odd columns, 24 cells left
    18, // player 1, odd rows, odd columns, 40 cells left
    13, // player 1, odd rows, odd columns, 64 cells left
    21, // player 1, odd rows, odd columns, 120 cells left
    28, // player 1, odd rows, odd columns, 640 cells left
    12, // tempo
];
