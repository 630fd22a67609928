//! Lines of up to four: a stone is scored by one table look-up per direction.
//!
//! A *ray* is a whole column, row or diagonal of the board in one word, two bits per cell, with
//! three wall cells at either end. The lines through a cell along a ray depend on its six nearest
//! neighbours alone: a *pattern* of twelve bits. The table holds the impact of a stone in the
//! middle of each of the 4096 patterns.
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
use super::weights::window_gain;

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
/// pattern, that become threats; the other bits are what player 1 gains.
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

type Impacts = [[Impact; PATTERNS]; 2];

/// By line length, from 2.
static IMPACTS: [Lazy<Box<Impacts>>; LONGEST - 1] =
    [Lazy::new(|| impacts(2)), Lazy::new(|| impacts(3)), Lazy::new(|| impacts(4))];

fn impacts(line: usize) -> Box<Impacts> {
    let of = |side| std::array::from_fn(|pattern| impact(line, pattern as u64, side));
    Box::new([of(Side::P1), of(Side::P2)])
}

/// Sums over the windows of `line` cells through the middle of `pattern`.
fn impact(line: usize, pattern: u64, side: Side) -> Impact {
    let low = pattern & ((1 << (2 * REACH)) - 1);
    let ray = low | (pattern >> (2 * REACH)) << (2 * REACH + 2);
    let cell = |place: usize| ray >> (2 * place) & 3;
    let (mut gain, mut threats) = (0, 0);
    for start in REACH + 1 - line..=REACH {
        let window = start..start + line;
        let count = |content| window.clone().filter(|&place| cell(place) == content).count();
        if count(WALL) > 0 {
            continue;
        }
        let (p1, p2) = (count(stone(Side::P1)), count(stone(Side::P2)));
        gain += window_gain(line, p1, p2, side);
        let (own, others) = if side == Side::P1 { (p1, p2) } else { (p2, p1) };
        if own + 2 == line && others == 0 {
            let last = window.clone().find(|&place| place != REACH && cell(place) == EMPTY);
            threats |= last.map_or(0, |place| 1 << (place - usize::from(place > REACH)));
        }
    }
    Impact((gain << (2 * REACH)) as i16 | threats)
}

fn stone(side: Side) -> u64 {
    1 + side.index() as u64
}

/// A cell's ray in each direction, and the shift that brings its pattern to the lowest bits.
type CellRays = [(u8, u8); 4];

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
    /// The empty board, unless its lines are longer than four.
    pub fn new(size: Size) -> Option<Patterns> {
        let impacts = IMPACTS.get(size.line.checked_sub(2)?)?;
        let (rows, columns) = (size.rows, size.columns);
        let mut rays = [u64::MAX; RAYS];
        let mut cells = vec![CellRays::default(); CELLS];
        for column in 0..columns {
            for row in 0..rows {
                // The place along a ray is the row in the first direction, the column in the others.
                let places = [
                    (column, row),
                    (columns + row, column),
                    (columns + rows + column + rows - 1 - row, column),
                    (2 * columns + 2 * rows - 1 + column + row, column),
                ];
                cells[size.cell(column, row)] = places.map(|(ray, along)| {
                    rays[ray] &= !(WALL << (2 * (along + REACH)));
                    (ray as u8, 2 * along as u8)
                });
            }
        }
        let layout = Arc::new(RayLayout { empty: rays, cells, steps: size.directions() });
        Some(Patterns { rays, layout, impacts })
    }

    /// See [`super::line_scorer::LineScorer::gain`].
    #[inline]
    pub fn gain(&self, cell: usize, side: Side, on_threat: impl FnMut(usize)) -> i32 {
        let table = &self.impacts[side.index()];
        let (mut gain, mut threats) = (0, 0);
        for (direction, (ray, shift)) in self.layout.cells[cell].into_iter().enumerate() {
            let near = self.rays[usize::from(ray)] >> (shift % 64);
            let low = near & ((1 << (2 * REACH)) - 1);
            let high = near >> 2 & ((1 << (2 * REACH)) - 1) << (2 * REACH);
            let impact = table[(low | high) as usize];
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
        for (ray, shift) in self.layout.cells[cell] {
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
