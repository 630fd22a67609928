//! What the evaluation counts, for the side to move and less for the opponent: lines, threats,
//! bombs, and the place of each piece. What the move is worth depends on the turn order.
//!
//! As a turn is two moves, a line matters if its missing cells can be filled soon. A cell is *in
//! reach* if it is a landing cell or the one above. Everything is counted from scratch on the
//! bitboards, all lines of one direction at a time: explosions, which move half the board, cost
//! nothing extra.

use super::bits::{self, BOARD, DIRECTIONS, SIZE};
use super::board::{Board, CYCLE, Pieces};
use crate::game::{Game, Side};

/// The counted features, and the term of the evaluation that each is part of.
pub(super) const COUNTED: [(&str, BoomTerm); 17] = [
    ("horizontal lines of one piece and landing cells", BoomTerm::Lines),
    ("diagonal lines of one piece and landing cells", BoomTerm::Lines),
    ("horizontal lines of two pieces and landing cells", BoomTerm::Lines),
    ("diagonal lines of two pieces and landing cells", BoomTerm::Lines),
    ("vertical lines of two pieces and cells in reach", BoomTerm::Lines),
    ("horizontal lines of two pieces and cells in reach", BoomTerm::Lines),
    ("diagonal lines of two pieces and cells in reach", BoomTerm::Lines),
    ("landing cells that complete a line", BoomTerm::Threats),
    ("cells above a landing cell that complete a line", BoomTerm::Threats),
    ("cells two above a landing cell that complete a line", BoomTerm::Threats),
    ("higher cells that complete a line", BoomTerm::Threats),
    ("a bomb on the board", BoomTerm::Bombs),
    ("enemy pieces in the row of the bomb", BoomTerm::Bombs),
    ("an explosion that wins", BoomTerm::Bombs),
    ("an explosion that loses", BoomTerm::Bombs),
    ("cells in reach that complete a line, gained by an explosion", BoomTerm::Bombs),
    ("the same for the opponent", BoomTerm::Bombs),
];

/// The terms that features are summed up in for people to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoomTerm {
    /// Lines with missing cells.
    Lines,
    /// Cells that complete a line.
    Threats,
    /// Bombs and what they would destroy.
    Bombs,
}

/// The number of different places for a piece: the board is symmetric.
pub(super) const PLACES: usize = SIZE.div_ceil(2) * SIZE;

/// The place of a single cell.
fn place(cell: u64) -> usize {
    let column = bits::column_of(cell);
    column.min(SIZE - 1 - column) * SIZE + bits::row_of(cell)
}

/// The number of different states of the turn order.
pub(super) const PHASES: usize = CYCLE as usize;

/// Where the position is in the order of turns and bombs.
pub(super) fn phase(board: &Board) -> usize {
    usize::from(board.number()) % PHASES
}

/// The number of features: those counted, then the places, then the states of the turn order.
pub const FEATURES: usize = COUNTED.len() + PLACES + PHASES;

/// The names of all features.
pub fn names() -> Vec<String> {
    let counted = COUNTED.iter().map(|(name, _)| (*name).to_owned());
    let place = |place| format!("column {}, row {}", place / SIZE + 1, place % SIZE + 1);
    let phase = |phase| format!("next move {phase} of {PHASES}");
    counted.chain((0..PLACES).map(place)).chain((0..PHASES).map(phase)).collect()
}

/// The features of a position that are not 0, by their places in [`names`].
pub fn features(board: &Board) -> Vec<(usize, i32)> {
    let me = board.side_to_move();
    let mut values = counted(board).to_vec();
    values.resize(FEATURES, 0);
    for (side, sign) in [(me, 1), (!me, -1)] {
        bits::each(board.stones(side)).for_each(|cell| values[COUNTED.len() + place(cell)] += sign);
    }
    values[COUNTED.len() + PLACES + phase(board)] = 1;
    values.into_iter().enumerate().filter(|&(_, value)| value != 0).collect()
}

/// The counted features of a position.
pub(super) fn counted(board: &Board) -> [i32; COUNTED.len()] {
    let me = board.side_to_move();
    let (own, enemy) = (of_side(board, me), of_side(board, !me));
    std::array::from_fn(|index| own[index] - enemy[index])
}

fn of_side(board: &Board, side: Side) -> [i32; COUNTED.len()] {
    let own = board.stones(side);
    let levels = Levels::of(board.landing());
    let [vertical, horizontal, up, down] =
        DIRECTIONS.map(|step| ReachableLines::of(own, &levels, step));
    let completing = bits::completing(own);
    let empty = BOARD & !board.pieces().occupied();
    let [bomb, targets, wins, loses, gained, given] = of_bomb(board, side);
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
        bomb,
        targets,
        wins,
        loses,
        gained,
        given,
    ]
}

/// The features of a side's bomb: on the board, targets, and what its explosion would do.
fn of_bomb(board: &Board, side: Side) -> [i32; 6] {
    let bomb = board.bomb(side);
    if bomb == 0 {
        return [0; 6];
    }
    let (own, enemy) = (side.index(), (!side).index());
    let before = board.pieces();
    let mut after = *before;
    after.explode(side);
    let targets = count(before.stones[enemy] & bits::row(bits::row_of(bomb)));
    if bits::has_line(after.stones[own]) {
        return [1, targets, 1, 0, 0, 0];
    }
    if bits::has_line(after.stones[enemy]) {
        return [1, targets, 0, 1, 0, 0];
    }
    let in_reach = |pieces: &Pieces| {
        let levels = Levels::of(pieces.landing());
        pieces
            .stones
            .map(|stones| count(bits::completing(stones) & (levels.landing | levels.second)))
    };
    let (earlier, later) = (in_reach(before), in_reach(&after));
    [1, targets, 0, 0, later[own] - earlier[own], later[enemy] - earlier[enemy]]
}

fn count(cells: u64) -> i32 {
    cells.count_ones() as i32
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
struct ReachableLines {
    /// One piece and landing cells.
    one: u64,
    /// Two pieces and landing cells.
    two: u64,
    /// Two pieces and cells in reach, not landing cells alone.
    two_in_reach: u64,
}

impl ReachableLines {
    fn of(own: u64, levels: &Levels, step: u32) -> ReachableLines {
        let ready = bits::lines_within(own | levels.landing, step);
        let in_reach = bits::lines_within(own | levels.landing | levels.second, step);
        let [one, two, _] = bits::lines_by_count(own, step);
        ReachableLines { one: one & ready, two: two & ready, two_in_reach: two & in_reach & !ready }
    }
}
