//! A number for every position with few stones, up to the symmetries of the board.
//!
//! A position is the stones of the side to move and those of the other side. Positions with
//! equally many stones form a *class*. Within it the own stones are numbered up to symmetry, then
//! the enemy stones as a choice among the cells left over. Where a symmetry leaves the own stones as
//! they are, positions that it takes into each other have numbers of their own.

use std::ops::Range;

use super::symmetry::{SetsUpToSymmetry, Symmetry, choice, choices, chosen, count_up_to_symmetry};
use crate::games::wali::bits::{self, AnyShape, Shape, THREE};

/// How many stones the side to move has, and how many the other side.
pub type Class = (usize, usize);

/// The classes in which neither side has more than `most` stones and one can still win, in the order
/// of the table: a side with fewer than three stones never makes three again.
///
/// A capture leads to an earlier class, and a class is next to its mirror, where the other side is
/// to move.
pub fn classes(shape: AnyShape, most: usize) -> Vec<Class> {
    let mut classes = Vec::new();
    for total in THREE + 1..=(2 * most).min(shape.cells()) {
        for fewer in 1..=total / 2 {
            let more = total - fewer;
            if (THREE..=most).contains(&more) {
                classes.push((fewer, more));
                if fewer < more {
                    classes.push((more, fewer));
                }
            }
        }
    }
    classes
}

/// The number of positions in a class.
pub fn size(shape: AnyShape, (own, enemy): Class) -> u64 {
    count_up_to_symmetry(shape, own) * choices(shape.cells() - own, enemy)
}

/// The numbers of all positions of a table.
#[derive(Debug)]
pub struct Index {
    shape: AnyShape,
    most: usize,
    symmetries: Vec<Symmetry>,
    classes: Vec<Class>,
    /// For each class: the number of its first position; then the number of all positions.
    firsts: Vec<u64>,
    /// By own and enemy stones: the place of the class.
    places: Vec<Option<usize>>,
    /// By number of cells, from 1 on.
    sets: Vec<SetsUpToSymmetry>,
}

impl Index {
    /// The index of the positions in which neither side has more than `most` stones.
    pub fn new(shape: AnyShape, most: usize) -> Index {
        let symmetries = Symmetry::all(shape);
        let classes = classes(shape, most);
        let mut firsts = vec![0];
        let mut places = vec![None; (most + 1) * (most + 1)];
        for (place, &class) in classes.iter().enumerate() {
            firsts.push(firsts[place] + size(shape, class));
            places[class.0 * (most + 1) + class.1] = Some(place);
        }
        let sizes = 1..=most.min(shape.cells());
        let sets = sizes.map(|size| SetsUpToSymmetry::new(shape, &symmetries, size)).collect();
        Index { shape, most, symmetries, classes, firsts, places, sets }
    }

    /// The board.
    pub fn shape(&self) -> AnyShape {
        self.shape
    }

    /// The most stones of each side.
    pub fn most(&self) -> usize {
        self.most
    }

    /// The classes, in the order of their numbers.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// The number of positions in all classes.
    pub fn total(&self) -> u64 {
        self.firsts[self.classes.len()]
    }

    fn place(&self, (own, enemy): Class) -> Option<usize> {
        if own > self.most || enemy > self.most {
            return None;
        }
        self.places[own * (self.most + 1) + enemy]
    }

    /// The numbers of the positions of a class.
    pub fn range(&self, class: Class) -> Option<Range<u64>> {
        let place = self.place(class)?;
        Some(self.firsts[place]..self.firsts[place + 1])
    }

    /// The number of a position, or `None` if its class is not in the table.
    pub fn number(&self, own: u32, enemy: u32) -> Option<u64> {
        let counts = (own.count_ones() as usize, enemy.count_ones() as usize);
        let first = self.firsts[self.place(counts)?];
        let sets = &self.sets[counts.0 - 1];
        let (representative, symmetry) = sets.canonical(own);
        let enemy = if symmetry == 0 { enemy } else { self.symmetries[symmetry].image(enemy) };
        Some(first + self.number_in_class(counts, representative, enemy))
    }

    /// The number within its class of the position with this representative as own stones.
    fn number_in_class(&self, class: Class, representative: usize, enemy: u32) -> u64 {
        let own = self.sets[class.0 - 1].representative(representative).0;
        let left_over = choices(self.shape.cells() - class.0, class.1);
        representative as u64 * left_over + choice(squeezed(enemy, own))
    }

    /// Calls `found` with all numbers of a position, which differ where a symmetry leaves its own
    /// stones as they are.
    pub fn each_number(&self, own: u32, enemy: u32, mut found: impl FnMut(u64)) {
        let counts = (own.count_ones() as usize, enemy.count_ones() as usize);
        let Some(place) = self.place(counts) else {
            return;
        };
        let sets = &self.sets[counts.0 - 1];
        let (representative, symmetry) = sets.canonical(own);
        let enemy = self.symmetries[symmetry].image(enemy);
        let (_, stabilizer) = sets.representative(representative);
        self.each_image(stabilizer, enemy, |enemy| {
            found(self.firsts[place] + self.number_in_class(counts, representative, enemy));
        });
    }

    /// Calls `found` with every different image of `cells` under these symmetries.
    fn each_image(&self, symmetries: u8, cells: u32, mut found: impl FnMut(u32)) {
        let mut images = [0; 8];
        let mut count = 0;
        for symmetry in bits::each(symmetries.into()) {
            let image = self.symmetries[usize::from(symmetry)].image(cells);
            if !images[..count].contains(&image) {
                images[count] = image;
                count += 1;
                found(image);
            }
        }
    }

    /// The own and the enemy stones of the position with this number, below [`Index::total`], and as
    /// bits the symmetries that leave the own stones as they are.
    pub fn position(&self, number: u64) -> (u32, u32, u8) {
        let place = self.firsts.partition_point(|&first| first <= number) - 1;
        let (own_count, enemy_count) = self.classes[place];
        let left_over = choices(self.shape.cells() - own_count, enemy_count);
        let within = number - self.firsts[place];
        let (own, stabilizer) =
            self.sets[own_count - 1].representative((within / left_over) as usize);
        (own, spread(chosen(within % left_over, enemy_count), !own), stabilizer)
    }

    /// How many positions of the board this one stands for, all numbers of it taken together
    /// counting once each.
    pub fn weight(&self, number: u64) -> u64 {
        let (_, _, stabilizer) = self.position(number);
        self.symmetries.len() as u64 / u64::from(stabilizer.count_ones())
    }

    /// The different positions that the symmetries lead to.
    pub fn images(&self, (own, enemy): (u32, u32)) -> Vec<(u32, u32)> {
        let image = |map: &Symmetry| (map.image(own), map.image(enemy));
        let mut images: Vec<(u32, u32)> = self.symmetries.iter().map(image).collect();
        images.sort_unstable();
        images.dedup();
        images
    }

    /// Whether these are the own stones of positions with a number, rather than their images.
    pub fn is_representative(&self, own: u32) -> bool {
        let sets = &self.sets[own.count_ones() as usize - 1];
        sets.representative(sets.canonical(own).0).0 == own
    }
}

/// The cells numbered as if those of `taken` did not exist.
fn squeezed(cells: u32, taken: u32) -> u32 {
    bits::each(cells).fold(0, |squeezed, cell| {
        squeezed | 1 << (u32::from(cell) - (taken & ((1 << cell) - 1)).count_ones())
    })
}

/// Moves the n-th cell to the n-th cell of `free`: the reverse of [`squeezed`].
fn spread(cells: u32, mut free: u32) -> u32 {
    let mut spread = 0;
    let mut last = 0;
    for place in bits::each(cells) {
        (last..place).for_each(|_| free &= free - 1);
        last = place;
        spread |= free & free.wrapping_neg();
    }
    spread
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(rows: usize, columns: usize, most: usize) -> Index {
        Index::new(AnyShape::new(rows, columns, 3).unwrap(), most)
    }

    #[test]
    fn every_number_has_its_own_position() {
        for (rows, columns, most, step) in [(5, 6, 3, 7), (4, 4, 4, 1), (3, 3, 5, 1), (4, 8, 3, 97)]
        {
            let index = index(rows, columns, most);
            for number in (0..index.total()).step_by(step).chain([index.total() - 1]) {
                let (own, enemy, _) = index.position(number);
                assert_eq!(own & enemy, 0);
                assert!(index.is_representative(own));
                let mut numbers = Vec::new();
                index.each_number(own, enemy, |number| numbers.push(number));
                assert!(numbers.contains(&number));
                assert_eq!(index.number(own, enemy), Some(number));
                for (own, enemy) in index.images((own, enemy)) {
                    assert!(numbers.contains(&index.number(own, enemy).unwrap()));
                }
            }
        }
    }

    #[test]
    fn weights_add_up_to_all_positions() {
        for (rows, columns, most) in [(4, 4, 4), (3, 4, 3), (3, 3, 5)] {
            let index = index(rows, columns, most);
            for &(own, enemy) in index.classes() {
                let weights = index.range((own, enemy)).unwrap().map(|number| index.weight(number));
                let cells = rows * columns;
                assert_eq!(weights.sum::<u64>(), choices(cells, own) * choices(cells - own, enemy));
            }
        }
    }

    #[test]
    fn classes_lie_one_after_the_other() {
        let index = index(5, 6, 3);
        assert_eq!(index.classes(), [(1, 3), (3, 1), (2, 3), (3, 2), (3, 3)]);
        assert_eq!(index.total(), 3_864_348);
        let mut next = 0;
        for &class in index.classes() {
            let range = index.range(class).unwrap();
            assert_eq!((range.start, range.end - range.start), (next, size(index.shape, class)));
            let (own, enemy, _) = index.position(range.start);
            assert_eq!((own.count_ones() as usize, enemy.count_ones() as usize), class);
            next = range.end;
        }
        assert_eq!(next, index.total());
        let small = classes(AnyShape::new(2, 3, 3).unwrap(), 5);
        assert_eq!(
            small,
            [
                (1, 3),
                (3, 1),
                (1, 4),
                (4, 1),
                (2, 3),
                (3, 2),
                (1, 5),
                (5, 1),
                (2, 4),
                (4, 2),
                (3, 3)
            ]
        );
    }

    #[test]
    fn other_positions_have_no_number() {
        let index = index(5, 6, 3);
        assert_eq!(index.number(0b1111, 1 << 9), None);
        assert_eq!(index.number(0b11, 0b1100), None);
        assert_eq!(index.number(0b111, 0), None);
    }
}
