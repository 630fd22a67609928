//! The symmetries of a board, and choices of cells up to symmetry.

use crate::games::wali::bits::{self, AnyShape, MOST_CELLS, Shape};

/// `CHOICES[n][k]`: the ways to choose `k` of `n` cells.
const CHOICES: [[u64; MOST_CELLS + 1]; MOST_CELLS + 1] = {
    let mut choices = [[0; MOST_CELLS + 1]; MOST_CELLS + 1];
    let mut n = 0;
    while n <= MOST_CELLS {
        choices[n][0] = 1;
        let mut k = 1;
        while k <= n {
            choices[n][k] = choices[n - 1][k - 1] + choices[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    choices
};

/// The ways to choose `k` of `n` cells.
pub const fn choices(n: usize, k: usize) -> u64 {
    CHOICES[n][k]
}

/// The number of a choice of cells among all with as many cells. Numbers rise as the words do.
#[inline]
pub fn choice(cells: u32) -> u64 {
    bits::each(cells).zip(1..).map(|(cell, place)| CHOICES[usize::from(cell)][place]).sum()
}

/// The choice of `count` cells with this number: the reverse of [`choice`].
fn chosen(mut number: u64, count: usize) -> u32 {
    let mut cells = 0;
    let mut cell = MOST_CELLS;
    for place in (1..=count).rev() {
        while CHOICES[cell][place] > number {
            cell -= 1;
        }
        number -= CHOICES[cell][place];
        cells |= 1 << cell;
    }
    cells
}

/// A mirroring or rotation of a board: where each cell goes.
#[derive(Clone, Copy, Debug)]
pub struct Symmetry([u8; MOST_CELLS]);

impl Symmetry {
    /// The symmetries of a board, the identity first: four, or eight of a square one.
    pub fn all(shape: AnyShape) -> Vec<Symmetry> {
        let (rows, columns) = (shape.rows(), shape.columns());
        let count = if rows == columns { 8 } else { 4 };
        let image = |symmetry: usize, cell: usize| {
            let (mut row, mut column) = (cell / columns, cell % columns);
            if symmetry & 1 != 0 {
                column = columns - 1 - column;
            }
            if symmetry & 2 != 0 {
                row = rows - 1 - row;
            }
            if symmetry & 4 != 0 {
                (row, column) = (column, row);
            }
            (row * columns + column) as u8
        };
        let map = |symmetry| {
            let mut map = [0; MOST_CELLS];
            (0..shape.cells()).for_each(|cell| map[cell] = image(symmetry, cell));
            Symmetry(map)
        };
        (0..count).map(map).collect()
    }

    /// Where this symmetry takes a set of cells.
    #[inline]
    pub fn image(&self, cells: u32) -> u32 {
        bits::each(cells).fold(0, |image, cell| image | 1 << self.0[usize::from(cell)])
    }

    /// How many sets of `size` cells it leaves as they are: those made of whole cycles.
    fn fixed_sets(&self, cells: usize, size: usize) -> u64 {
        let mut sets = vec![0; size + 1];
        sets[0] = 1;
        let mut seen = 0u32;
        for cell in 0..cells {
            let mut length = 0;
            let mut at = cell;
            while seen >> at & 1 == 0 {
                seen |= 1 << at;
                at = usize::from(self.0[at]);
                length += 1;
            }
            if length > 0 {
                (length..=size).rev().for_each(|count| sets[count] += sets[count - length]);
            }
        }
        sets[size]
    }
}

/// How many sets of `size` cells there are up to symmetry (Burnside's lemma).
pub fn count_up_to_symmetry(shape: AnyShape, size: usize) -> u64 {
    let symmetries = Symmetry::all(shape);
    let fixed: u64 = symmetries.iter().map(|map| map.fixed_sets(shape.cells(), size)).sum();
    fixed / symmetries.len() as u64
}

/// The sets of a certain number of cells up to symmetry: of those that symmetries take into each
/// other, the one with the lowest number is the *representative*.
#[derive(Debug)]
pub struct SetsUpToSymmetry {
    /// By [`choice`]: the set.
    sets: Vec<u32>,
    /// By [`choice`]: the number of the representative, and in the lowest three bits a symmetry that
    /// leads to it.
    canonical: Vec<u32>,
    /// The representatives, and as bits the symmetries that leave them as they are.
    representatives: Vec<(u32, u8)>,
}

impl SetsUpToSymmetry {
    /// The sets of `size` cells.
    pub fn new(shape: AnyShape, symmetries: &[Symmetry], size: usize) -> SetsUpToSymmetry {
        const UNKNOWN: u32 = u32::MAX;
        let sets: Vec<u32> =
            (0..choices(shape.cells(), size)).map(|number| chosen(number, size)).collect();
        let mut canonical = vec![UNKNOWN; sets.len()];
        let mut representatives: Vec<(u32, u8)> = Vec::new();
        for (number, &set) in sets.iter().enumerate() {
            if canonical[number] != UNKNOWN {
                continue;
            }
            let representative = representatives.len() as u32;
            let mut stabilizer = 0;
            for (symmetry, map) in symmetries.iter().enumerate() {
                // A set that this one leads to is led back by the inverse.
                let image = map.image(set);
                let back = symmetries.iter().position(|map| map.image(image) == set).unwrap_or(0);
                canonical[choice(image) as usize] = representative << 3 | back as u32;
                stabilizer |= u8::from(image == set) << symmetry;
            }
            representatives.push((set, stabilizer));
        }
        SetsUpToSymmetry { sets, canonical, representatives }
    }

    /// The set with this number: the reverse of [`choice`].
    #[inline]
    pub fn set(&self, number: u64) -> u32 {
        self.sets[number as usize]
    }

    /// The number of the representative of `set`, and the symmetry that leads to it.
    #[inline]
    pub fn canonical(&self, set: u32) -> (usize, usize) {
        let entry = self.canonical[choice(set) as usize];
        ((entry >> 3) as usize, (entry & 7) as usize)
    }

    /// The representative with this number, and as bits the symmetries that leave it as it is.
    #[inline]
    pub fn representative(&self, number: usize) -> (u32, u8) {
        self.representatives[number]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes() -> [AnyShape; 4] {
        [(5, 6), (4, 4), (3, 7), (9, 2)]
            .map(|(rows, columns)| AnyShape::new(rows, columns, 3).unwrap())
    }

    #[test]
    fn choices_are_numbered_in_the_order_of_their_words() {
        let sets = (0u32..1 << 12).filter(|set| set.count_ones() == 4);
        for (number, set) in (0..).zip(sets) {
            assert_eq!((choice(set), chosen(number, 4)), (number, set));
        }
        assert_eq!(chosen(0, 0), 0);
        assert_eq!(choice(u32::MAX << 16), choices(32, 16) - 1);
    }

    #[test]
    fn symmetries_keep_neighbours_together() {
        for shape in shapes() {
            let symmetries = Symmetry::all(shape);
            assert_eq!(symmetries.len(), if shape.rows() == shape.columns() { 8 } else { 4 });
            for map in &symmetries {
                for cell in bits::each(shape.board()) {
                    let around = shape.around(1 << cell);
                    assert_eq!(map.image(around), shape.around(map.image(1 << cell)));
                }
            }
            let images: std::collections::HashSet<u32> =
                symmetries.iter().map(|map| map.image(0b11 | 1 << shape.columns())).collect();
            assert!(images.len() >= 4);
        }
    }

    #[test]
    fn every_set_has_one_representative() {
        for shape in shapes() {
            let symmetries = Symmetry::all(shape);
            for size in 1..=4 {
                let sets = SetsUpToSymmetry::new(shape, &symmetries, size);
                let count = count_up_to_symmetry(shape, size);
                assert_eq!(sets.representatives.len() as u64, count);
                for number in 0..choices(shape.cells(), size) {
                    let set = chosen(number, size);
                    let (representative, symmetry) = sets.canonical(set);
                    let (least, stabilizer) = sets.representative(representative);
                    assert_eq!(symmetries[symmetry].image(set), least);
                    let images = symmetries.iter().map(|map| map.image(set));
                    assert_eq!(images.clone().min(), Some(least));
                    let fixed = symmetries.iter().map(|map| map.image(least) == least);
                    assert!(
                        fixed
                            .enumerate()
                            .all(|(bit, fixed)| stabilizer >> bit & 1 == u8::from(fixed))
                    );
                }
            }
        }
    }
}
