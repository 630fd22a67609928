//! Lines of up to four: a stone is scored by one table look-up per direction.
//!
//! A *ray* is a whole column, row or diagonal of the board in one word, two bits per cell, with
//! three wall cells at either end. The lines through a cell along a ray depend on its six nearest
//! neighbours alone: a *pattern* of twelve bits. The table holds the impact of a stone in the
//! middle of each of the 4096 patterns, for each kind of direction and parity of the middle's row.
//!
//! ```text
//! cell          -3    -2    -1     0    +1    +2    +3
//! ray, bits    0, 1  2, 3  4, 5  6, 7  8, 9 10,11 12,13    (shifted to the cell)
//! pattern      0, 1  2, 3  4, 5        6, 7  8, 9 10,11
//! ```

use std::sync::Arc;

use once_cell::sync::Lazy;

use crate::game::Side;

use super::super::board::{CELLS, Size};
use super::features::{DIRECTIONS, good_rows};
use super::weights::{LINE_CLASSES, WindowState};

/// The longest line that a pattern covers.
const LONGEST: usize = 4;
/// How far a pattern extends to either side.
const REACH: usize = LONGEST - 1;
const PATTERNS: usize = 1 << (4 * REACH);
/// More than the columns, rows and diagonals of any board: 25 + 25 + 49 + 49.
const RAYS: usize = 256;

/// A cell's two bits in a ray: these, or [`stone`].
const EMPTY: u64 = 0;
const WALL: u64 = 3;

/// The impact of a stone in one direction: bits 0 to 5 mark the neighbours, in the order of the
/// pattern, that become threats; the other bits are what player 1 gains, in units of lines.
#[derive(Clone, Copy, Default)]
struct Impact(i16);

impl Impact {
    #[inline]
    fn gain(self) -> i32 {
        (self.0 >> (2 * REACH)).into()
    }

    #[inline]
    fn threats(self) -> u32 {
        self.0 as u32 & ((1 << (2 * REACH)) - 1)
    }
}

/// By the side whose good row the middle is in, the side that places the stone, and the direction.
type Impacts = [[[[Impact; PATTERNS]; DIRECTIONS]; 2]; 2];

/// By class and line length, from 2.
static IMPACTS: [[Lazy<Box<Impacts>>; LONGEST - 1]; LINE_CLASSES] = [
    [Lazy::new(|| impacts(0, 2)), Lazy::new(|| impacts(0, 3)), Lazy::new(|| impacts(0, 4))],
    [Lazy::new(|| impacts(1, 2)), Lazy::new(|| impacts(1, 3)), Lazy::new(|| impacts(1, 4))],
    [Lazy::new(|| impacts(2, 2)), Lazy::new(|| impacts(2, 3)), Lazy::new(|| impacts(2, 4))],
    [Lazy::new(|| impacts(3, 2)), Lazy::new(|| impacts(3, 3)), Lazy::new(|| impacts(3, 4))],
];

fn impacts(class: usize, line: usize) -> Box<Impacts> {
    let mut impacts = Box::new([[[[Impact::default(); PATTERNS]; DIRECTIONS]; 2]; 2]);
    for good_for in [Side::P1, Side::P2] {
        for side in [Side::P1, Side::P2] {
            for direction in 0..DIRECTIONS {
                let table = &mut impacts[good_for.index()][side.index()][direction];
                for (pattern, entry) in table.iter_mut().enumerate() {
                    let window = WindowState { class, direction, stones: [0; 2], good: [0; 2] };
                    *entry = impact(line, pattern as u64, side, window, good_for);
                }
            }
        }
    }
    impacts
}

/// Sums over the windows of `line` cells and of this `kind` through the middle of `pattern`, which is
/// in a row that is good for `good_for`.
fn impact(line: usize, pattern: u64, side: Side, kind: WindowState, good_for: Side) -> Impact {
    let low = pattern & ((1 << (2 * REACH)) - 1);
    let ray = low | (pattern >> (2 * REACH)) << (2 * REACH + 2);
    let cell = |place: usize| ray >> (2 * place) & 3;
    // Rows alternate along all rays but horizontal ones.
    let row_owner = |place: usize| match kind.direction {
        1 => good_for,
        _ if place % 2 == REACH % 2 => good_for,
        _ => !good_for,
    };
    let (mut gain, mut threats) = (0, 0);
    for start in REACH + 1 - line..=REACH {
        let window = start..start + line;
        let count = |content| window.clone().filter(|&place| cell(place) == content).count();
        if count(WALL) > 0 {
            continue;
        }
        let empty = window.clone().filter(|&place| cell(place) == EMPTY);
        let good = |side| empty.clone().filter(|&place| row_owner(place) == side).count();
        let before = WindowState {
            stones: [Side::P1, Side::P2].map(|side| count(stone(side))),
            good: [Side::P1, Side::P2].map(good),
            ..kind
        };
        gain += before.with_stone(side, good_for).weight() - before.weight();
        let [own, others] = [side, !side].map(|side| before.stones[side.index()]);
        if own + 2 == line && others == 0 {
            let last = empty.clone().find(|&place| place != REACH);
            threats |= last.map_or(0, |place| 1 << (place - usize::from(place > REACH)));
        }
    }
    debug_assert!(gain.abs() < 1 << (15 - 2 * REACH), "the gain {gain} does not fit");
    Impact((gain << (2 * REACH)) as i16 | threats)
}

fn stone(side: Side) -> u64 {
    1 + side.index() as u64
}

/// A cell's ray in each direction, and the shift that brings its pattern to the lowest bits.
type Rays = [(u8, u8); 4];

/// A cell on its rays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CellRays {
    rays: Rays,
    /// The side whose good row the cell is in.
    good_for: Side,
}

#[derive(Debug, PartialEq, Eq)]
struct RayLayout {
    /// The rays of the empty board.
    empty: [u64; RAYS],
    /// By cell.
    cells: Vec<CellRays>,
    steps: [usize; 4],
}

/// The stones of a position, ray by ray.
#[derive(Clone)]
pub(super) struct Patterns {
    rays: [u64; RAYS],
    layout: Arc<RayLayout>,
    impacts: &'static Impacts,
}

impl Patterns {
    /// The empty board, unless its lines are longer than four. `class`: that of the lines.
    pub fn new(size: Size, class: usize) -> Option<Patterns> {
        let impacts = IMPACTS[class].get(size.line.checked_sub(2)?)?;
        let (rows, columns) = (size.rows, size.columns);
        let mut rays = [u64::MAX; RAYS];
        let nowhere = CellRays { rays: Rays::default(), good_for: Side::P1 };
        let mut cells = vec![nowhere; CELLS];
        for column in 0..columns {
            for row in 0..rows {
                // The place along a ray is the row in the first direction, the column in the others.
                let places = [
                    (column, row),
                    (columns + row, column),
                    (columns + rows + column + rows - 1 - row, column),
                    (2 * columns + 2 * rows - 1 + column + row, column),
                ];
                let through = places.map(|(ray, along)| {
                    rays[ray] &= !(WALL << (2 * (along + REACH)));
                    (ray as u8, 2 * along as u8)
                });
                let p1_good = row % 2 == good_rows(size, Side::P1);
                let good_for = if p1_good { Side::P1 } else { Side::P2 };
                cells[size.cell(column, row)] = CellRays { rays: through, good_for };
            }
        }
        let layout = Arc::new(RayLayout { empty: rays, cells, steps: size.directions() });
        Some(Patterns { rays, layout, impacts })
    }

    /// See [`super::line_scorer::LineScorer::gain`].
    #[inline]
    pub fn gain(&self, cell: usize, side: Side, on_threat: impl FnMut(usize)) -> i32 {
        let CellRays { rays, good_for } = self.layout.cells[cell];
        let tables = &self.impacts[good_for.index()][side.index()];
        let (mut gain, mut threats) = (0, 0);
        for (direction, (ray, shift)) in rays.into_iter().enumerate() {
            let near = self.rays[usize::from(ray)] >> (shift % 64);
            let low = near & ((1 << (2 * REACH)) - 1);
            let high = near >> 2 & ((1 << (2 * REACH)) - 1) << (2 * REACH);
            let impact = tables[direction.min(DIRECTIONS - 1)][(low | high) as usize];
            gain += impact.gain();
            threats |= impact.threats() << (8 * direction);
        }
        if threats != 0 {
            self.report_threats(cell, threats, on_threat);
        }
        gain
    }

    /// Removes all stones.
    pub fn clear(&mut self) {
        self.rays = self.layout.empty;
    }

    /// Places a stone of `side` in `cell`, or removes it.
    #[inline]
    pub fn toggle(&mut self, cell: usize, side: Side) {
        for (ray, shift) in self.layout.cells[cell].rays {
            self.rays[usize::from(ray)] ^= stone(side) << (usize::from(shift) + 2 * REACH);
        }
    }

    /// Calls `on_threat` for each cell marked in `threats`, eight bits per direction.
    fn report_threats(&self, cell: usize, mut threats: u32, mut on_threat: impl FnMut(usize)) {
        while threats != 0 {
            let bit = threats.trailing_zeros() as usize;
            threats &= threats - 1;
            let step = self.layout.steps[bit / 8];
            let place = bit % 8 + usize::from(bit % 8 >= REACH);
            on_threat(cell + step * place - step * REACH);
        }
    }
}

impl std::fmt::Debug for Patterns {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Patterns").field("rays", &self.rays).finish_non_exhaustive()
    }
}

impl PartialEq for Patterns {
    fn eq(&self, other: &Patterns) -> bool {
        self.rays == other.rays && self.layout == other.layout
    }
}
