//! Lines of up to four: what a stone does, read from a table.
//!
//! A *ray* is a whole column, row or diagonal of the board in one word, two bits a cell, with
//! three cells of wall before and after it. Nothing further than three cells away matters to a
//! line of four, so the six neighbours of an empty cell along a ray, twelve bits, tell all about
//! the lines through it in that direction. There are 4096 such *patterns*, wherever the cell
//! is, and the table has what a stone does in the midst of each.
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

/// The longest line that the patterns show.
const LONGEST: usize = 4;
/// How far a pattern reaches to either side.
const REACH: usize = LONGEST - 1;
const PATTERNS: usize = 1 << (4 * REACH);
/// More than the columns, rows and diagonals of any board: 25 + 25 + 49 + 49.
const RAYS: usize = 256;

/// A cell's two bits in a ray.
const EMPTY: u64 = 0;
const WALL: u64 = 3;

/// What a stone does in one direction: bits 0 to 5 are set for the neighbours that become
/// threats, nearest last on the lower side; the other bits are the gain of player 1.
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

/// By line length, from 2: what a stone of either side does in each pattern.
static IMPACTS: [Lazy<Box<Impacts>>; LONGEST - 1] =
    [Lazy::new(|| impacts(2)), Lazy::new(|| impacts(3)), Lazy::new(|| impacts(4))];

fn impacts(line: usize) -> Box<Impacts> {
    let of = |side| std::array::from_fn(|pattern| impact(line, pattern as u64, side));
    Box::new([of(Side::P1), of(Side::P2)])
}

/// Looks at every window of `line` cells through the midst of `pattern`.
fn impact(line: usize, pattern: u64, side: Side) -> Impact {
    let low = pattern & ((1 << (2 * REACH)) - 1);
    let ray = low | (pattern >> (2 * REACH)) << (2 * REACH + 2);
    let cell = |place: usize| ray >> (2 * place) & 3;
    let (mut gain, mut threats) = (0, 0);
    for start in REACH + 1 - line..=REACH {
        let window = start..start + line;
        let count = |kind| window.clone().filter(|&place| cell(place) == kind).count();
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

/// Where a cell is: its ray in each direction, and how far to shift that to see its pattern.
type Place = [(u8, u8); 4];

#[derive(Debug, PartialEq, Eq)]
struct Geometry {
    /// The rays of the empty board.
    empty: [u64; RAYS],
    places: Vec<Place>,
    steps: [usize; 4],
}

/// The stones of a position, ray by ray.
#[derive(Clone)]
pub(super) struct Patterns {
    rays: [u64; RAYS],
    geometry: Arc<Geometry>,
    impacts: &'static Impacts,
}

impl Patterns {
    /// The empty board, if its lines are not too long.
    pub fn new(size: Size) -> Option<Patterns> {
        let impacts = IMPACTS.get(size.line.checked_sub(2)?)?;
        let (rows, columns) = (size.rows, size.columns);
        let mut rays = [u64::MAX; RAYS];
        let mut places = vec![Place::default(); CELLS];
        for column in 0..columns {
            for row in 0..rows {
                // Counted along the column in the first direction, along the row in the others.
                let place = [
                    (column, row),
                    (columns + row, column),
                    (columns + rows + column + rows - 1 - row, column),
                    (2 * columns + 2 * rows - 1 + column + row, column),
                ];
                places[size.cell(column, row)] = place.map(|(ray, along)| {
                    rays[ray] &= !(WALL << (2 * (along + REACH)));
                    (ray as u8, 2 * along as u8)
                });
            }
        }
        let geometry = Arc::new(Geometry { empty: rays, places, steps: size.directions() });
        Some(Patterns { rays, geometry, impacts })
    }

    /// See [`super::counter::Counter::effect`].
    #[inline]
    pub fn effect(&self, cell: usize, side: Side, threat: impl FnMut(usize)) -> i32 {
        let table = &self.impacts[side.index()];
        let (mut gain, mut threats) = (0, 0);
        for (direction, (ray, shift)) in self.geometry.places[cell].into_iter().enumerate() {
            let near = self.rays[usize::from(ray)] >> (shift % 64);
            let low = near & ((1 << (2 * REACH)) - 1);
            let high = near >> 2 & ((1 << (2 * REACH)) - 1) << (2 * REACH);
            let impact = table[(low | high) as usize];
            gain += impact.gain();
            threats |= impact.threats() << (8 * direction);
        }
        if threats != 0 {
            self.tell_threats(cell, threats, threat);
        }
        gain
    }

    /// Takes all stones away.
    pub fn clear_all(&mut self) {
        self.rays = self.geometry.empty;
    }

    /// Puts a stone of `side` into `cell`, or takes it away again.
    #[inline]
    pub fn toggle(&mut self, cell: usize, side: Side) {
        for (ray, shift) in self.geometry.places[cell] {
            self.rays[usize::from(ray)] ^= stone(side) << (usize::from(shift) + 2 * REACH);
        }
    }

    /// Calls `threat` for each cell with its bit set in `threats`, eight bits a direction.
    fn tell_threats(&self, cell: usize, mut threats: u32, mut threat: impl FnMut(usize)) {
        while threats != 0 {
            let bit = threats.trailing_zeros() as usize;
            threats &= threats - 1;
            let step = self.geometry.steps[bit / 8];
            let place = bit % 8 + usize::from(bit % 8 >= REACH);
            threat(cell + step * place - step * REACH);
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
        self.rays == other.rays && self.geometry == other.geometry
    }
}
