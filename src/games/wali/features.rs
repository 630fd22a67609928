//! What the evaluation counts: for the side to move, and less for the opponent. All is counted
//! from scratch on the bitboards.
//!
//! A cell is *contested* if it is next to an enemy stone, which may step there first.

use super::bits::{self, Threes};
use super::board::{Board, STONES};
use crate::game::{Game, Side};

/// The features of the drop phase, and the term of the evaluation that each is part of.
pub const DROP: [(&str, Term); 9] = [
    ("steps to empty cells", Term::Room),
    ("cells for a drop", Term::Room),
    ("stones in hand beyond the cells for them", Term::Room),
    ("cells for a drop that no other drop can spoil", Term::Room),
    ("contested cells where a step makes a three", Term::Threes),
    ("contested cells where a stone from farther away would", Term::Threes),
    ("pairs with one cell between", Term::Threes),
    ("the first move of the move phase", Term::Tempo),
    ("the move", Term::Tempo),
];

/// The features of the move phase.
pub const MOVE: [(&str, Term); 11] = [
    ("stones", Term::Stones),
    ("stones, times those captured", Term::Stones),
    ("steps to empty cells", Term::Room),
    ("a capture now", Term::Threes),
    ("a capture by the opponent next, negative", Term::Threes),
    ("further captures, up to three", Term::Threes),
    ("stones that can leave a three", Term::Threes),
    ("cells where a stone from farther away would make a three", Term::Threes),
    ("pairs of neighbours", Term::Threes),
    ("pairs with one cell between", Term::Threes),
    ("the move", Term::Tempo),
];

/// The terms that features are summed up in for people to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// Material.
    Stones,
    /// Mobility.
    Room,
    /// Threes that exist or can be made.
    Threes,
    /// Whose move it is.
    Tempo,
}

/// The features of a position of the drop phase.
pub fn of_drop_phase(board: &Board) -> [i32; DROP.len()] {
    let me = board.side_to_move();
    let [own, enemy] = [me, !me].map(|side| {
        let stones = board.stones(side);
        let (steps, drops) = (bits::arrivals(stones), board.drops(side));
        let lines = Lines::of(board, side);
        let contested = bits::around(board.stones(!side));
        [
            bits::count_all(steps, board.empty()),
            drops.count_ones(),
            board.in_hand(side).saturating_sub(drops.count_ones()),
            (drops & !bits::around(drops)).count_ones(),
            (lines.ready & contested).count_ones(),
            (lines.gaps & contested).count_ones(),
            spaced_pairs(stones),
        ]
    });
    let mut features = [0; DROP.len()];
    for (feature, (own, enemy)) in features.iter_mut().zip(own.into_iter().zip(enemy)) {
        *feature = own as i32 - enemy as i32;
    }
    features[7] = me.view(1);
    features[8] = 1;
    features
}

/// The features of a position of the move phase.
pub fn of_move_phase(board: &Board) -> [i32; MOVE.len()] {
    let me = board.side_to_move();
    let [own, enemy] = [me, !me].map(|side| SideCounts::of(board, side));
    let captured = 2 * STONES as i32 - own.stones - enemy.stones;
    let further = |captures: i32| (captures - 1).clamp(0, 3);
    [
        own.stones - enemy.stones,
        (own.stones - enemy.stones) * captured,
        own.steps - enemy.steps,
        own.captures.min(1),
        -enemy.captures.min(1),
        further(own.captures) - further(enemy.captures),
        own.remakes - enemy.remakes,
        own.gaps - enemy.gaps,
        own.neighbours - enemy.neighbours,
        own.spaced - enemy.spaced,
        1,
    ]
}

/// What one side has in the move phase.
struct SideCounts {
    stones: i32,
    steps: i32,
    captures: i32,
    remakes: i32,
    gaps: i32,
    neighbours: i32,
    spaced: i32,
}

impl SideCounts {
    fn of(board: &Board, side: Side) -> SideCounts {
        let (own, empty) = (board.stones(side), board.empty());
        let lines = Lines::of(board, side);
        let count = |cells: u32| cells.count_ones() as i32;
        SideCounts {
            stones: count(own),
            steps: bits::count_all(bits::arrivals(own), empty) as i32,
            captures: lines.captures as i32,
            remakes: count(bits::in_threes(own) & bits::around(empty)),
            gaps: count(lines.gaps),
            neighbours: count(own & bits::left(own)) + count(own & bits::down(own)),
            spaced: spaced_pairs(own) as i32,
        }
    }
}

/// Where a side can make threes.
struct Lines {
    /// The number of steps that make one.
    captures: u32,
    /// The empty cells where they end.
    ready: u32,
    /// The other empty cells that lack a stone for a three.
    gaps: u32,
}

impl Lines {
    fn of(board: &Board, side: Side) -> Lines {
        let threes = Threes::of(board.stones(side));
        let empty = board.empty();
        let ready = threes.arrivals.iter().fold(0, |cells, ends| cells | ends) & empty;
        Lines {
            captures: bits::count_all(threes.arrivals, empty),
            ready,
            gaps: threes.gaps & empty & !ready,
        }
    }
}

/// The pairs of stones in a row or column with one cell between that is not theirs.
fn spaced_pairs(stones: u32) -> u32 {
    let (left, down) = (bits::left(stones), bits::down(stones));
    (stones & bits::left(left) & !left).count_ones()
        + (stones & bits::down(down) & !down).count_ones()
}
