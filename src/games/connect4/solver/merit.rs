//! A closer static evaluation of children, for nodes far from the end of the game, where a wrong
//! first choice costs most: open lines of both sides, threats by parity, and safe replies.
//!
//! Knows lines of four; the weights were fitted to 6x7, see docs/dev/solver.md.

use super::bitboard::{BLOCK, Bitboard};
use super::children::{Children, PerLane};
use super::geometry::{BoardGeometry, BoardLayout};
use super::sides::Sides;

/// Each line with exactly one, two, three stones of mine and none of yours.
const MY_LINES: [i32; 3] = [8, 45, 0];
/// The same for your stones.
const YOUR_LINES: [i32; 3] = [-8, -25, -35];
/// In addition, each line of mine whose other cells I can expect to get.
const LINES_IN_REACH: [i32; 3] = [8, 48, 90];
/// Each threat of mine on a cell of my parity, and on another.
const MY_THREATS: [i32; 2] = [80, 50];
/// Each threat of yours on a cell of your parity, and on another.
const YOUR_THREATS: [i32; 2] = [-85, -25];
/// Each playable cell that is not just below a threat of mine.
const SAFE_REPLY: i32 = -80;

/// The merit of every child for the side to move in the parent, higher is better. Without
/// branches, so that it becomes vector code; only open lanes are meaningful.
///
/// Following up, a side gets the cells of its parity: those with an even number of cells above
/// them if it closes the board, the others if not.
#[inline(always)]
pub fn merits<G: BoardGeometry, const B: usize>(
    geometry: G,
    children: &Children<G, B>,
) -> PerLane<i32, B> {
    let layout = geometry.layout();
    let mine_is_closing = children.mine_is_closing();
    let my_cells = if mine_is_closing { layout.even_from_top } else { !layout.even_from_top };
    let mut merits = [[0; BLOCK]; B];
    for (merits, sides) in merits.iter_mut().zip(&children.sides).take(children.blocks) {
        for (lane, merit) in merits.iter_mut().enumerate() {
            *merit = merit_of(&layout, my_cells, sides.lane(lane).seen_by(mine_is_closing));
        }
    }
    merits
}

/// The merit of one child for the closing one of these sides, which gets `my_cells` by following
/// up.
#[inline(always)]
fn merit_of<W: Bitboard>(layout: &BoardLayout<W>, my_cells: W, sides: Sides<W>) -> i32 {
    let (mine, yours) = (sides.closing, sides.opposing);
    let (my_threats, your_threats) = (sides.closing_threats, sides.opposing_threats);
    let empty = layout.board & !(mine | yours);
    let playable = layout.playable(mine | yours);
    let beyond = layout.at_or_above(your_threats & !my_cells);
    let reach = mine | (empty & (my_cells | playable) & !beyond);
    let mut merit = 0;
    for step in layout.directions() {
        merit += weighted(lines_by_stones(mine, mine | empty, step), MY_LINES)
            + weighted(lines_by_stones(yours, yours | empty, step), YOUR_LINES)
            + weighted(lines_by_stones(mine, reach, step), LINES_IN_REACH);
    }
    let safe_replies = playable & !(my_threats >> 1);
    merit
        + weighted([my_threats & my_cells, my_threats & !my_cells], MY_THREATS)
        + weighted([your_threats & !my_cells, your_threats & my_cells], YOUR_THREATS)
        + weighted([safe_replies], [SAFE_REPLY])
}

/// Sum of the numbers of members, each times its weight.
#[inline(always)]
fn weighted<W: Bitboard, const N: usize>(sets: [W; N], weights: [i32; N]) -> i32 {
    let mut sum = 0;
    for index in 0..N {
        sum += sets[index].count() as i32 * weights[index];
    }
    sum
}

/// The lowest cells of the lines of four in one direction that lie in `room` and hold exactly one,
/// two, three of the `stones`, which are part of `room` and hold no line.
///
/// The stones of all lines are counted at once, with one bit of each count in one set.
#[inline(always)]
fn lines_by_stones<W: Bitboard>(stones: W, room: W, step: u32) -> [W; 3] {
    let pairs = room & (room >> step);
    let lines = pairs & (pairs >> (2 * step));
    let neighbours = stones >> step;
    let (ones, twos) = (stones ^ neighbours, stones & neighbours);
    let (far_ones, far_twos) = (ones >> (2 * step), twos >> (2 * step));
    let low = ones ^ far_ones;
    let high = twos ^ far_twos ^ (ones & far_ones);
    [lines & low & !high, lines & high & !low, lines & low & high]
}

#[cfg(test)]
mod tests {
    use super::super::node::Node;
    use super::super::position::Position;
    use super::super::tests::Xorshift;
    use super::*;

    /// The lines of four of a board, cell by cell.
    fn all_lines(layout: &BoardLayout<u64>) -> Vec<[u64; 4]> {
        let mut lines = Vec::new();
        let (rows, columns) = (i64::from(layout.rows), i64::from(layout.columns));
        for (across, up) in [(0, 1), (1, -1), (1, 0), (1, 1)] {
            for (column, row) in
                (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row)))
            {
                let cells = [0, 1, 2, 3].map(|index| (column + index * across, row + index * up));
                if cells.iter().all(|&(column, row)| {
                    (0..columns).contains(&column) && (0..rows).contains(&row)
                }) {
                    lines.push(cells.map(|(column, row)| 1 << (column * (rows + 1) + row)));
                }
            }
        }
        lines
    }

    #[test]
    fn lines_are_counted_as_one_by_one() {
        let mut random = Xorshift(11);
        for (rows, columns) in [(4, 4), (5, 8), (6, 7), (7, 6), (4, 12)] {
            let layout = BoardLayout::new(rows, columns, 4);
            let lines = all_lines(&layout);
            for _ in 0..500 {
                let mut draw =
                    || u64::from(random.below(u32::MAX)) << 32 | u64::from(random.below(u32::MAX));
                let room = layout.board & (draw() | draw());
                let mut stones = room & draw() & draw();
                while let Some(line) =
                    lines.iter().find(|line| line.iter().all(|cell| stones & cell != 0))
                {
                    stones &= !line[0];
                }
                let mut expected = [0; 3];
                for line in lines.iter().filter(|line| line.iter().all(|cell| room & cell != 0)) {
                    let held = line.iter().filter(|&cell| stones & cell != 0).count();
                    if held > 0 {
                        expected[held - 1] += 1;
                    }
                }
                let mut found = [0; 3];
                for step in layout.directions() {
                    let sets = lines_by_stones(stones, room, step);
                    (0..3).for_each(|index| found[index] += sets[index].count());
                }
                assert_eq!(found, expected, "{rows}x{columns} {stones:x} {room:x}");
            }
        }
    }

    /// A merit is the same for a position and its mirror image.
    #[test]
    fn merits_are_symmetric() {
        let mut random = Xorshift(12);
        let layout = BoardLayout::<u64>::new(6, 7, 4);
        for _ in 0..500 {
            let mut position = Position::new(6, 7).expect("the size is allowed");
            for _ in 0..random.below(16) {
                position = position.play(random.below(7)).unwrap_or(position);
            }
            let (mover, other): (u64, u64) = position.stones();
            let merit = |mover, other| {
                let node = Node::new(&layout, mover, other);
                merit_of(&layout, layout.even_from_top, Sides::of(&node))
            };
            let straight = merit(mover, other);
            let mirrored = merit(layout.mirror(mover), layout.mirror(other));
            assert_eq!(straight, mirrored, "{position:?}");
        }
    }
}
