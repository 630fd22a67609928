//! What the evaluation counts: for the side to move, and less for the opponent. All is counted
//! from scratch on the bitboards.
//!
//! A cell is *contested* if it is next to an enemy stone, which may step there first.

use super::bits::{self, Shape, Threes};
use super::board::{Board, Phase};
use crate::game::{Game, Side};

/// The features of the drop phase, and the term of the evaluation that each is part of.
pub(super) const DROP: [(&str, WaliTerm); 9] = [
    ("steps to empty cells", WaliTerm::Room),
    ("cells for a drop", WaliTerm::Room),
    ("stones in hand beyond the cells for them", WaliTerm::Room),
    ("cells for a drop that no other drop can spoil", WaliTerm::Room),
    ("contested cells where a step makes a three", WaliTerm::Threes),
    ("contested cells where a stone from farther away would", WaliTerm::Threes),
    ("pairs with one cell between", WaliTerm::Threes),
    ("the first move of the move phase", WaliTerm::Tempo),
    ("the move", WaliTerm::Tempo),
];

/// The features of the move phase.
pub(super) const MOVE: [(&str, WaliTerm); 13] = [
    ("stones", WaliTerm::Stones),
    ("stones, times stones captured", WaliTerm::Stones),
    ("steps to empty cells", WaliTerm::Room),
    ("steps, times stones captured", WaliTerm::Room),
    ("a capture now", WaliTerm::Threes),
    ("a capture by the opponent next, negative", WaliTerm::Threes),
    ("further captures, up to three", WaliTerm::Threes),
    ("stones that can leave a three", WaliTerm::Threes),
    ("cells where a stone from farther away would make a three", WaliTerm::Threes),
    ("pairs of neighbours", WaliTerm::Threes),
    ("pairs of neighbours, times stones captured", WaliTerm::Threes),
    ("pairs with one cell between", WaliTerm::Threes),
    ("the move", WaliTerm::Tempo),
];

/// The terms that features are summed up in for people to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WaliTerm {
    /// Material.
    Stones,
    /// Mobility.
    Room,
    /// Threes that exist or can be made.
    Threes,
    /// Whose move it is.
    Tempo,
}

/// The number of features: those of the drop phase come first.
pub const FEATURES: usize = DROP.len() + MOVE.len();

/// The names of all features.
pub fn names() -> Vec<String> {
    let phases = [("drop", &DROP[..]), ("move", &MOVE[..])];
    let of_phase = |(phase, features): (&str, &[(&str, WaliTerm)])| -> Vec<String> {
        features.iter().map(|(name, _)| format!("{phase}: {name}")).collect()
    };
    phases.into_iter().flat_map(of_phase).collect()
}

/// The features of a position that are not 0, by their places in [`names`].
pub fn features<S: Shape>(board: &Board<S>) -> Vec<(usize, i32)> {
    let numbered: Vec<(usize, i32)> = match board.phase() {
        Phase::Drop => of_drop_phase(board).into_iter().enumerate().collect(),
        Phase::Move => (DROP.len()..).zip(of_move_phase(board)).collect(),
    };
    numbered.into_iter().filter(|&(_, value)| value != 0).collect()
}

/// How many features of the drop phase do not depend on whose move it is.
const STANDING: usize = 7;

/// The features of a position of the drop phase.
pub(super) fn of_drop_phase<S: Shape>(board: &Board<S>) -> [i32; DROP.len()] {
    let me = board.side_to_move();
    let standing = of_dropped(board.shape(), board.stones(me), board.stones(!me));
    let mut features = [0; DROP.len()];
    features[..STANDING].copy_from_slice(&standing);
    features[STANDING] = me.view(1);
    features[STANDING + 1] = 1;
    features
}

/// The features of the drop phase that do not depend on whose move it is, for the side of `own`.
pub(super) fn of_dropped<S: Shape>(shape: S, own: u32, enemy: u32) -> [i32; STANDING] {
    let (own, enemy) = (dropped_counts(shape, own, enemy), dropped_counts(shape, enemy, own));
    std::array::from_fn(|index| own[index] as i32 - enemy[index] as i32)
}

fn dropped_counts<S: Shape>(shape: S, own: u32, enemy: u32) -> [u32; STANDING] {
    let empty = shape.board() & !(own | enemy);
    let in_hand = shape.stones() - own.count_ones();
    let drops = if in_hand == 0 { 0 } else { empty & !shape.around(own) };
    let lines = ThreeCells::of(shape, own, empty);
    let contested = shape.around(enemy);
    [
        bits::count_all(shape.arrivals(own), empty),
        drops.count_ones(),
        in_hand.saturating_sub(drops.count_ones()),
        (drops & !shape.around(drops)).count_ones(),
        (lines.ready & contested).count_ones(),
        (lines.gaps & contested).count_ones(),
        spaced_pairs(shape, own),
    ]
}

/// The features of a position of the move phase.
pub(super) fn of_move_phase<S: Shape>(board: &Board<S>) -> [i32; MOVE.len()] {
    let me = board.side_to_move();
    let [own, enemy] = [me, !me].map(|side| SideCounts::of(board, side));
    let captured = 2 * board.shape().stones() as i32 - own.stones - enemy.stones;
    let further = |captures: i32| (captures - 1).clamp(0, 3);
    [
        own.stones - enemy.stones,
        (own.stones - enemy.stones) * captured,
        own.steps - enemy.steps,
        (own.steps - enemy.steps) * captured,
        own.captures.min(1),
        -enemy.captures.min(1),
        further(own.captures) - further(enemy.captures),
        own.remakes - enemy.remakes,
        own.gaps - enemy.gaps,
        own.neighbours - enemy.neighbours,
        (own.neighbours - enemy.neighbours) * captured,
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
    fn of<S: Shape>(board: &Board<S>, side: Side) -> SideCounts {
        let (shape, own, empty) = (board.shape(), board.stones(side), board.empty());
        let lines = ThreeCells::of(shape, own, empty);
        let count = |cells: u32| cells.count_ones() as i32;
        SideCounts {
            stones: count(own),
            steps: bits::count_all(shape.arrivals(own), empty) as i32,
            captures: lines.captures as i32,
            remakes: count(shape.in_threes(own) & shape.around(empty)),
            gaps: count(lines.gaps),
            neighbours: count(own & shape.left(own)) + count(own & shape.down(own)),
            spaced: spaced_pairs(shape, own) as i32,
        }
    }
}

/// Where a side can make threes.
struct ThreeCells {
    /// The number of steps that make one.
    captures: u32,
    /// The empty cells where they end.
    ready: u32,
    /// The other empty cells that lack a stone for a three.
    gaps: u32,
}

impl ThreeCells {
    fn of<S: Shape>(shape: S, own: u32, empty: u32) -> ThreeCells {
        let threes = Threes::of(shape, own);
        let ready = threes.arrivals.iter().fold(0, |cells, ends| cells | ends) & empty;
        ThreeCells {
            captures: bits::count_all(threes.arrivals, empty),
            ready,
            gaps: threes.gaps & empty & !ready,
        }
    }
}

/// The pairs of stones in a row or column with one cell between that is not theirs.
fn spaced_pairs<S: Shape>(shape: S, stones: u32) -> u32 {
    let (left, down) = (shape.left(stones), shape.down(stones));
    (stones & shape.left(left) & !left).count_ones()
        + (stones & shape.down(down) & !down).count_ones()
}
