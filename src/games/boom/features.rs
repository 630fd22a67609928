//! What the evaluation counts, besides the place of each piece: for the side to move, and less for
//! the opponent.
//!
//! As a turn is two moves, a line matters if its missing cells can be filled soon. A cell is *in
//! reach* if it is a landing cell or the one above. Everything is counted from scratch on the
//! bitboards, all lines of one direction at a time: explosions, which move half the board, cost
//! nothing extra.

use super::bits::{self, BOARD, DIRECTIONS, SIZE};
use super::board::{Board, CYCLE};
use crate::game::{Game, Side};

/// The features, and the term of the evaluation that each is part of.
pub const FEATURES: [(&str, Term); 13] = [
    ("horizontal lines of one piece and landing cells", Term::Lines),
    ("diagonal lines of one piece and landing cells", Term::Lines),
    ("horizontal lines of two pieces and landing cells", Term::Lines),
    ("diagonal lines of two pieces and landing cells", Term::Lines),
    ("vertical lines of two pieces and cells in reach", Term::Lines),
    ("horizontal lines of two pieces and cells in reach", Term::Lines),
    ("diagonal lines of two pieces and cells in reach", Term::Lines),
    ("landing cells that complete a line", Term::Threats),
    ("cells above a landing cell that complete a line", Term::Threats),
    ("cells two above a landing cell that complete a line", Term::Threats),
    ("higher cells that complete a line", Term::Threats),
    ("a bomb on the board", Term::Bombs),
    ("enemy pieces in the row of the bomb", Term::Bombs),
];

/// The terms that features are summed up in for people to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// Lines with missing cells.
    Lines,
    /// Cells that complete a line.
    Threats,
    /// Bombs and what they would destroy.
    Bombs,
}

/// The number of different places for a piece: the board is symmetric.
pub const PLACES: usize = SIZE.div_ceil(2) * SIZE;

/// The place of a single cell.
pub fn place(cell: u64) -> usize {
    let column = bits::column_of(cell);
    column.min(SIZE - 1 - column) * SIZE + bits::row_of(cell)
}

/// The number of different states of the turn order.
pub const PHASES: usize = CYCLE as usize;

/// Where the position is in the order of turns and bombs.
pub fn phase(board: &Board) -> usize {
    usize::from(board.number()) % PHASES
}

/// The features of a position.
pub fn of(board: &Board) -> [i32; FEATURES.len()] {
    let me = board.side_to_move();
    let (own, enemy) = (of_side(board, me), of_side(board, !me));
    std::array::from_fn(|index| own[index] as i32 - enemy[index] as i32)
}

fn of_side(board: &Board, side: Side) -> [u32; FEATURES.len()] {
    let own = board.stones(side);
    let levels = Levels::of(board.landing());
    let [vertical, horizontal, up, down] = DIRECTIONS.map(|step| Lines::of(own, &levels, step));
    let completing = bits::completing(own);
    let empty = BOARD & !board.pieces().occupied();
    let bomb = board.bomb(side);
    let row = if bomb == 0 { 0 } else { bits::row(bits::row_of(bomb)) };
    let count = |cells: u64| cells.count_ones();
    [
        count(horizontal.one),
        count(up.one) + count(down.one),
        count(horizontal.two),
        count(up.two) + count(down.two),
        count(vertical.two_in_reach),
        count(horizontal.two_in_reach),
        count(up.two_in_reach) + count(down.two_in_reach),
        count(completing & levels.landing),
        count(completing & levels.second),
        count(completing & levels.third),
        count(completing & empty & !(levels.landing | levels.second | levels.third)),
        count(bomb),
        count(board.stones(!side) & row),
    ]
}

/// The empty cells by their height above the landing cell.
struct Levels {
    landing: u64,
    second: u64,
    third: u64,
}

impl Levels {
    fn of(landing: u64) -> Levels {
        let second = landing << 1 & BOARD;
        Levels { landing, second, third: second << 1 & BOARD }
    }
}

/// The first cells of the lines along one direction.
struct Lines {
    /// One piece and landing cells.
    one: u64,
    /// Two pieces and landing cells.
    two: u64,
    /// Two pieces and cells in reach, not landing cells alone.
    two_in_reach: u64,
}

impl Lines {
    fn of(own: u64, levels: &Levels, step: u32) -> Lines {
        let within = |cells: u64| {
            let pairs = cells & cells >> step;
            pairs & pairs >> (2 * step)
        };
        let ready = within(own | levels.landing);
        let in_reach = within(own | levels.landing | levels.second);
        // Numbers of pieces in the lower and the higher half of each line.
        let (low_one, low_two) = (own ^ own >> step, own & own >> step);
        let (high_one, high_two) = (low_one >> (2 * step), low_two >> (2 * step));
        let one = (low_one ^ high_one) & !(low_two | high_two);
        let two = (low_one & high_one)
            | (low_two & !(high_one | high_two))
            | (high_two & !(low_one | low_two));
        Lines { one: one & ready, two: two & ready, two_in_reach: two & in_reach & !ready }
    }
}
