//! The weights of the features.
//!
//! Made by `ratlla-lab fit weights` from 522336 positions, with --lambda 0.7
//! --score-scale 60 --scale 60 --decided 8 --ridge 30, and games by
//!
//! `ratlla-lab fit games --game '6 7' --nodes 1000 --solve 20000 --plies 16 --random 1 --seed 11`
//! `ratlla-lab fit games --game '8 8' --game '10 12' --game '7 9' --game '9 9 5' --game '25 25' --game '7 8' --game '9 7' --game '12 10' --game '6 7 5' --game '8 9' --nodes 1000 --solve 0 --plies 16 --random 1 --seed 12`
//! `ratlla-lab fit games --game '25 25' --game '10 12' --game '12 16' --nodes 1000 --solve 0 --plies 12 --random 0 --seed 21`
//! `ratlla-lab fit games --game '25 25' --game '10 12' --game '8 8' --game '9 9 5' --game '12 16' --game '9 10' --nodes 1500 --solve 0 --plies 12 --random 0 --seed 31`

use super::features::FEATURES;

#[rustfmt::skip]
pub(super) const WEIGHTS: [i16; FEATURES] = [
    0, // small: line up, 1 missing, 0 of them in good rows
    0, // small: line up, 1 missing, 1 of them in good rows
    0, // small: line up, 2 missing, 0 of them in good rows
    -14, // small: line up, 2 missing, 1 of them in good rows
    0, // small: line up, 2 missing, 2 of them in good rows
    0, // small: line up, 3 missing, 0 of them in good rows
    -3, // small: line up, 3 missing, 1 of them in good rows
    5, // small: line up, 3 missing, 2 of them in good rows
    0, // small: line up, 3 missing, 3 of them in good rows
    -1, // small: line up, 4 or more missing
    9, // small: line sideways, 1 missing, 0 of them in good rows
    -8, // small: line sideways, 1 missing, 1 of them in good rows
    45, // small: line sideways, 2 missing, 0 of them in good rows
    0, // small: line sideways, 2 missing, 1 of them in good rows
    82, // small: line sideways, 2 missing, 2 of them in good rows
    17, // small: line sideways, 3 missing, 0 of them in good rows
    0, // small: line sideways, 3 missing, 1 of them in good rows
    0, // small: line sideways, 3 missing, 2 of them in good rows
    29, // small: line sideways, 3 missing, 3 of them in good rows
    12, // small: line sideways, 4 or more missing
    9, // small: line diagonal, 1 missing, 0 of them in good rows
    16, // small: line diagonal, 1 missing, 1 of them in good rows
    23, // small: line diagonal, 2 missing, 0 of them in good rows
    39, // small: line diagonal, 2 missing, 1 of them in good rows
    53, // small: line diagonal, 2 missing, 2 of them in good rows
    1, // small: line diagonal, 3 missing, 0 of them in good rows
    3, // small: line diagonal, 3 missing, 1 of them in good rows
    11, // small: line diagonal, 3 missing, 2 of them in good rows
    4, // small: line diagonal, 3 missing, 3 of them in good rows
    4, // small: line diagonal, 4 or more missing
    0, // medium: line up, 1 missing, 0 of them in good rows
    0, // medium: line up, 1 missing, 1 of them in good rows
    0, // medium: line up, 2 missing, 0 of them in good rows
    14, // medium: line up, 2 missing, 1 of them in good rows
    0, // medium: line up, 2 missing, 2 of them in good rows
    0, // medium: line up, 3 missing, 0 of them in good rows
    19, // medium: line up, 3 missing, 1 of them in good rows
    2, // medium: line up, 3 missing, 2 of them in good rows
    0, // medium: line up, 3 missing, 3 of them in good rows
    15, // medium: line up, 4 or more missing
    6, // medium: line sideways, 1 missing, 0 of them in good rows
    -2, // medium: line sideways, 1 missing, 1 of them in good rows
    32, // medium: line sideways, 2 missing, 0 of them in good rows
    0, // medium: line sideways, 2 missing, 1 of them in good rows
    69, // medium: line sideways, 2 missing, 2 of them in good rows
    15, // medium: line sideways, 3 missing, 0 of them in good rows
    0, // medium: line sideways, 3 missing, 1 of them in good rows
    0, // medium: line sideways, 3 missing, 2 of them in good rows
    24, // medium: line sideways, 3 missing, 3 of them in good rows
    9, // medium: line sideways, 4 or more missing
    -9, // medium: line diagonal, 1 missing, 0 of them in good rows
    4, // medium: line diagonal, 1 missing, 1 of them in good rows
    2, // medium: line diagonal, 2 missing, 0 of them in good rows
    23, // medium: line diagonal, 2 missing, 1 of them in good rows
    24, // medium: line diagonal, 2 missing, 2 of them in good rows
    24, // medium: line diagonal, 3 missing, 0 of them in good rows
    -4, // medium: line diagonal, 3 missing, 1 of them in good rows
    9, // medium: line diagonal, 3 missing, 2 of them in good rows
    -2, // medium: line diagonal, 3 missing, 3 of them in good rows
    5, // medium: line diagonal, 4 or more missing
    0, // large: line up, 1 missing, 0 of them in good rows
    0, // large: line up, 1 missing, 1 of them in good rows
    0, // large: line up, 2 missing, 0 of them in good rows
    29, // large: line up, 2 missing, 1 of them in good rows
    0, // large: line up, 2 missing, 2 of them in good rows
    0, // large: line up, 3 missing, 0 of them in good rows
    -2, // large: line up, 3 missing, 1 of them in good rows
    17, // large: line up, 3 missing, 2 of them in good rows
    0, // large: line up, 3 missing, 3 of them in good rows
    0, // large: line up, 4 or more missing
    27, // large: line sideways, 1 missing, 0 of them in good rows
    33, // large: line sideways, 1 missing, 1 of them in good rows
    38, // large: line sideways, 2 missing, 0 of them in good rows
    0, // large: line sideways, 2 missing, 1 of them in good rows
    48, // large: line sideways, 2 missing, 2 of them in good rows
    16, // large: line sideways, 3 missing, 0 of them in good rows
    0, // large: line sideways, 3 missing, 1 of them in good rows
    0, // large: line sideways, 3 missing, 2 of them in good rows
    11, // large: line sideways, 3 missing, 3 of them in good rows
    0, // large: line sideways, 4 or more missing
    -8, // large: line diagonal, 1 missing, 0 of them in good rows
    29, // large: line diagonal, 1 missing, 1 of them in good rows
    -9, // large: line diagonal, 2 missing, 0 of them in good rows
    12, // large: line diagonal, 2 missing, 1 of them in good rows
    -7, // large: line diagonal, 2 missing, 2 of them in good rows
    0, // large: line diagonal, 3 missing, 0 of them in good rows
    2, // large: line diagonal, 3 missing, 1 of them in good rows
    -3, // large: line diagonal, 3 missing, 2 of them in good rows
    0, // large: line diagonal, 3 missing, 3 of them in good rows
    0, // large: line diagonal, 4 or more missing
    0, // small: threat in another row, from row 1
    16, // small: threat in another row, from row 2
    23, // small: threat in another row, from row 3
    26, // small: threat in another row, from row 4
    18, // small: threat in another row, from row 5
    -2, // small: threat in another row, from row 6
    2, // small: threat in another row, from row 7
    -10, // small: threat in another row, from row 9
    0, // small: threat in another row, from row 13
    0, // small: threat in a good row, from row 1
    54, // small: threat in a good row, from row 2
    40, // small: threat in a good row, from row 3
    24, // small: threat in a good row, from row 4
    22, // small: threat in a good row, from row 5
    -8, // small: threat in a good row, from row 6
    23, // small: threat in a good row, from row 7
    -8, // small: threat in a good row, from row 9
    0, // small: threat in a good row, from row 13
    0, // medium: threat in another row, from row 1
    31, // medium: threat in another row, from row 2
    40, // medium: threat in another row, from row 3
    33, // medium: threat in another row, from row 4
    18, // medium: threat in another row, from row 5
    13, // medium: threat in another row, from row 6
    12, // medium: threat in another row, from row 7
    3, // medium: threat in another row, from row 9
    0, // medium: threat in another row, from row 13
    0, // medium: threat in a good row, from row 1
    51, // medium: threat in a good row, from row 2
    29, // medium: threat in a good row, from row 3
    26, // medium: threat in a good row, from row 4
    27, // medium: threat in a good row, from row 5
    26, // medium: threat in a good row, from row 6
    19, // medium: threat in a good row, from row 7
    5, // medium: threat in a good row, from row 9
    0, // medium: threat in a good row, from row 13
    0, // large: threat in another row, from row 1
    35, // large: threat in another row, from row 2
    24, // large: threat in another row, from row 3
    10, // large: threat in another row, from row 4
    18, // large: threat in another row, from row 5
    17, // large: threat in another row, from row 6
    11, // large: threat in another row, from row 7
    11, // large: threat in another row, from row 9
    10, // large: threat in another row, from row 13
    0, // large: threat in a good row, from row 1
    37, // large: threat in a good row, from row 2
    20, // large: threat in a good row, from row 3
    11, // large: threat in a good row, from row 4
    15, // large: threat in a good row, from row 5
    18, // large: threat in a good row, from row 6
    11, // large: threat in a good row, from row 7
    7, // large: threat in a good row, from row 9
    -3, // large: threat in a good row, from row 13
    102, // zugzwang in 0 plies
    144, // zugzwang in 6 plies
    108, // zugzwang in 12 plies
    84, // zugzwang in 20 plies
    61, // zugzwang in 32 plies
    34, // zugzwang in 50 plies
    8, // zugzwang in 80 plies
    1, // zugzwang in 160 plies
    12, // zugzwang in 640 plies
    1, // player 1, even rows, even columns, 0 cells left
    -36, // player 1, even rows, even columns, 12 cells left
    -12, // player 1, even rows, even columns, 24 cells left
    26, // player 1, even rows, even columns, 40 cells left
    10, // player 1, even rows, even columns, 64 cells left
    9, // player 1, even rows, even columns, 120 cells left
    18, // player 1, even rows, even columns, 640 cells left
    7, // player 1, even rows, odd columns, 0 cells left
    -24, // player 1, even rows, odd columns, 12 cells left
    -4, // player 1, even rows, odd columns, 24 cells left
    1, // player 1, even rows, odd columns, 40 cells left
    -16, // player 1, even rows, odd columns, 64 cells left
    -10, // player 1, even rows, odd columns, 120 cells left
    0, // player 1, even rows, odd columns, 640 cells left
    -1, // player 1, odd rows, even columns, 0 cells left
    0, // player 1, odd rows, even columns, 12 cells left
    4, // player 1, odd rows, even columns, 24 cells left
    16, // player 1, odd rows, even columns, 40 cells left
    10, // player 1, odd rows, even columns, 64 cells left
    -11, // player 1, odd rows, even columns, 120 cells left
    0, // player 1, odd rows, even columns, 640 cells left
    -5, // player 1, odd rows, odd columns, 0 cells left
    17, // player 1, odd rows, odd columns, 12 cells left
    12, // player 1, odd rows, odd columns, 24 cells left
    14, // player 1, odd rows, odd columns, 40 cells left
    11, // player 1, odd rows, odd columns, 64 cells left
    -4, // player 1, odd rows, odd columns, 120 cells left
    28, // player 1, odd rows, odd columns, 640 cells left
    13, // tempo
];
