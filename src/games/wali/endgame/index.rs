//! A number for every position with few stones, up to the symmetries of the board.
//!
//! A position is the stones of the side to move and those of the other side. Positions with
//! equally many stones form a *class*. Within it the own stones are numbered up to symmetry, then
//! the enemy stones as a choice among the cells left over. Where a symmetry leaves the own stones as
//! they are, positions that it takes into each other have numbers of their own.

use std::ops::Range;

use super::symmetry::{SetsUpToSymmetry, Symmetry, choice, choices, count_up_to_symmetry};
use crate::games::wali::bits::{self, AnyShape, Shape, THREE};

/// Of the symmetries as bits: that which changes nothing.
pub const IDENTITY: u8 = 1;

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

/// A position with a number.
#[derive(Clone, Copy, Debug)]
pub struct NumberedPosition {
    /// The place of its class.
    pub place: usize,
    /// The stones of the side to move.
    pub own: u32,
    /// The stones of the other side.
    pub enemy: u32,
    /// As bits: the symmetries that leave the own stones as they are.
    pub stabilizer: u8,
}

/// The numbers of all positions of a table.
#[derive(Debug)]
pub struct PositionIndex {
    shape: AnyShape,
    most: usize,
    symmetries: Vec<Symmetry>,
    classes: Vec<Class>,
    /// For each class: the number of its first position; then the number of all positions.
    firsts: Vec<u64>,
    /// For each class: the choices of enemy stones among the cells left over.
    enemy_choices: Vec<u64>,
    /// By own and enemy stones: the place of the class.
    places: Vec<Option<usize>>,
    /// By number of cells, from 1 on.
    sets: Vec<SetsUpToSymmetry>,
}

impl PositionIndex {
    /// The index of the positions in which neither side has more than `most` stones.
    pub fn new(shape: AnyShape, most: usize) -> PositionIndex {
        let symmetries = Symmetry::all(shape);
        let classes = classes(shape, most);
        let mut firsts = vec![0];
        let mut places = vec![None; (most + 1) * (most + 1)];
        for (place, &class) in classes.iter().enumerate() {
            firsts.push(firsts[place] + size(shape, class));
            places[class.0 * (most + 1) + class.1] = Some(place);
        }
        let left_over = |&(own, enemy): &Class| choices(shape.cells() - own, enemy);
        let enemy_choices = classes.iter().map(left_over).collect();
        let sizes = 1..=most.min(shape.cells());
        let sets = sizes.map(|size| SetsUpToSymmetry::new(shape, &symmetries, size)).collect();
        PositionIndex { shape, most, symmetries, classes, firsts, enemy_choices, places, sets }
    }

    /// The bytes that an index takes, roughly.
    pub fn memory(shape: AnyShape, most: usize) -> u64 {
        let sets = (1..=most.min(shape.cells())).map(|size| choices(shape.cells(), size));
        sets.map(|count| 8 * count + 8 * count.div_ceil(4)).sum()
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

    /// The place of the class of a position, or `None` if it is not in the table.
    pub fn place_of(&self, own: u32, enemy: u32) -> Option<usize> {
        self.place((own.count_ones() as usize, enemy.count_ones() as usize))
    }

    /// The place of the class with the other side to move.
    pub fn mirror(&self, place: usize) -> usize {
        let (own, enemy) = self.classes[place];
        self.place((enemy, own)).unwrap_or(place)
    }

    /// The number of a position, or `None` if its class is not in the table.
    pub fn number(&self, own: u32, enemy: u32) -> Option<u64> {
        self.place_of(own, enemy).map(|place| self.number_in(place, own, enemy))
    }

    /// The number of a position of the class at this place.
    #[inline]
    pub fn number_in(&self, place: usize, own: u32, enemy: u32) -> u64 {
        let (representative, symmetry) = self.own_sets(place).canonical(own);
        let enemy = if symmetry == 0 { enemy } else { self.symmetries[symmetry].image(enemy) };
        self.number_with(place, representative, enemy)
    }

    /// The sets of own stones of the class at this place.
    #[inline]
    fn own_sets(&self, place: usize) -> &SetsUpToSymmetry {
        &self.sets[self.classes[place].0 - 1]
    }

    /// The number of the position with this representative as own stones.
    #[inline]
    fn number_with(&self, place: usize, representative: usize, enemy: u32) -> u64 {
        let own = self.own_sets(place).representative(representative).0;
        let before = representative as u64 * self.enemy_choices[place];
        self.firsts[place] + before + choice(squeezed(enemy, own))
    }

    /// Calls `found` with all numbers of a position of the class at this place, which differ where a
    /// symmetry leaves its own stones as they are.
    #[inline]
    pub fn each_number(&self, place: usize, own: u32, enemy: u32, mut found: impl FnMut(u64)) {
        let sets = self.own_sets(place);
        let (representative, symmetry) = sets.canonical(own);
        let enemy = if symmetry == 0 { enemy } else { self.symmetries[symmetry].image(enemy) };
        let (_, stabilizer) = sets.representative(representative);
        found(self.number_with(place, representative, enemy));
        if stabilizer != IDENTITY {
            let mut images = vec![enemy];
            for symmetry in bits::each(stabilizer.into()) {
                let image = self.symmetries[usize::from(symmetry)].image(enemy);
                if !images.contains(&image) {
                    images.push(image);
                    found(self.number_with(place, representative, image));
                }
            }
        }
    }

    /// The position with this number, below [`PositionIndex::total`].
    pub fn position(&self, number: u64) -> NumberedPosition {
        let place = self.firsts.partition_point(|&first| first <= number) - 1;
        let left_over = self.enemy_choices[place];
        let within = number - self.firsts[place];
        let (own, stabilizer) = self.own_sets(place).representative((within / left_over) as usize);
        let enemy = self.sets[self.classes[place].1 - 1].set(within % left_over);
        let enemy = spread(enemy, own);
        NumberedPosition { place, own, enemy, stabilizer }
    }

    /// The numbers of a class in blocks with the same own stones, and how many positions of the board
    /// each number of a block stands for.
    pub fn blocks(&self, class: Class) -> impl Iterator<Item = (Range<u64>, u64)> {
        let place = self.place(class);
        let numbers = self.range(class).unwrap_or(0..0);
        let length = place.map_or(1, |place| self.enemy_choices[place]);
        let blocks = numbers.clone().step_by(length as usize);
        blocks.map(move |start| {
            let fixed = self.position(start).stabilizer.count_ones();
            (start..start + length, self.symmetries.len() as u64 / u64::from(fixed))
        })
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
#[inline]
fn squeezed(mut cells: u32, mut taken: u32) -> u32 {
    while taken != 0 {
        let below = (1 << taken.ilog2()) - 1;
        cells = cells & below | cells >> 1 & !below;
        taken &= below;
    }
    cells
}

/// The reverse of [`squeezed`].
#[inline]
fn spread(mut cells: u32, taken: u32) -> u32 {
    for cell in bits::each(taken) {
        let below = (1 << cell) - 1;
        cells = cells & below | (cells & !below) << 1;
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(rows: usize, columns: usize, most: usize) -> PositionIndex {
        PositionIndex::new(AnyShape::new(rows, columns, 3).unwrap(), most)
    }

    #[test]
    fn every_number_has_its_own_position() {
        for (rows, columns, most, step) in [(5, 6, 3, 7), (4, 4, 4, 1), (3, 3, 5, 1), (4, 8, 3, 97)]
        {
            let index = index(rows, columns, most);
            for number in (0..index.total()).step_by(step).chain([index.total() - 1]) {
                let NumberedPosition { place, own, enemy, .. } = index.position(number);
                assert_eq!(own & enemy, 0);
                assert!(index.is_representative(own));
                let mut numbers = Vec::new();
                index.each_number(place, own, enemy, |number| numbers.push(number));
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
                let blocks = index.blocks((own, enemy));
                let sum: u64 =
                    blocks.map(|(block, weight)| (block.end - block.start) * weight).sum();
                let cells = rows * columns;
                assert_eq!(sum, choices(cells, own) * choices(cells - own, enemy));
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
            let NumberedPosition { own, enemy, .. } = index.position(range.start);
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
