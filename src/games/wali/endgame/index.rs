//! A number for every position with few stones, without gaps.
//!
//! A position is the stones of the side to move and those of the other side. Positions with
//! equally many stones form a *class*. Within it the own stones are numbered as a choice among
//! all cells, then the enemy stones as a choice among the cells left over.

use crate::games::wali::bits::{self, CELLS};

/// The most stones of each side.
pub const MOST: usize = 3;

/// How many stones the side to move has, and how many the other side.
pub type Class = (usize, usize);

/// The classes in which a side can still win, in the order of the table: a side with fewer than
/// three stones never makes three again.
pub const CLASSES: [Class; 5] = [(1, 3), (3, 1), (2, 3), (3, 2), (3, 3)];

/// `CHOICES[n][k]`: the ways to choose `k` of `n` cells.
const CHOICES: [[u32; MOST + 1]; CELLS + 1] = {
    let mut choices = [[0; MOST + 1]; CELLS + 1];
    let mut n = 0;
    while n <= CELLS {
        choices[n][0] = 1;
        let mut k = 1;
        while n > 0 && k <= MOST {
            choices[n][k] = choices[n - 1][k - 1] + choices[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    choices
};

/// The number of positions in a class.
pub const fn size((own, enemy): Class) -> usize {
    (CHOICES[CELLS][own] * CHOICES[CELLS - own][enemy]) as usize
}

/// The number of positions in all classes.
pub const TOTAL: usize = first(CLASSES.len());

/// The number of the first position of the class with this place in [`CLASSES`].
const fn first(place: usize) -> usize {
    let mut sum = 0;
    let mut earlier = 0;
    while earlier < place {
        sum += size(CLASSES[earlier]);
        earlier += 1;
    }
    sum
}

/// The numbers of the positions of a class.
pub fn range(class: Class) -> Option<std::ops::Range<usize>> {
    let place = CLASSES.iter().position(|&other| other == class)?;
    Some(first(place)..first(place + 1))
}

/// The number of a position, or `None` if its class is not in the table.
pub fn number(own: u32, enemy: u32) -> Option<usize> {
    const FIRST: [[Option<usize>; MOST + 1]; MOST + 1] = {
        let mut table = [[None; MOST + 1]; MOST + 1];
        let mut place = 0;
        while place < CLASSES.len() {
            let (own, enemy) = CLASSES[place];
            table[own][enemy] = Some(first(place));
            place += 1;
        }
        table
    };
    let (own_count, enemy_count) = (own.count_ones() as usize, enemy.count_ones() as usize);
    if own_count > MOST || enemy_count > MOST {
        return None;
    }
    let first = FIRST[own_count][enemy_count]?;
    let squeezed =
        bits::each(enemy).map(|cell| u32::from(cell) - (own & ((1 << cell) - 1)).count_ones());
    let left_over = CHOICES[CELLS - own_count][enemy_count];
    let own_choice = choice(bits::each(own).map(u32::from));
    Some(first + (own_choice * left_over + choice(squeezed)) as usize)
}

/// The number of a choice of cells, given in rising order.
fn choice(cells: impl Iterator<Item = u32>) -> u32 {
    cells.zip(1..).map(|(cell, place)| CHOICES[cell as usize][place]).sum()
}

/// The own and the enemy stones of the position with this number, below [`TOTAL`].
pub fn position(number: usize) -> (u32, u32) {
    let mut within = number;
    let mut place = 0;
    while within >= size(CLASSES[place]) {
        within -= size(CLASSES[place]);
        place += 1;
    }
    let (own_count, enemy_count) = CLASSES[place];
    let left_over = CHOICES[CELLS - own_count][enemy_count];
    let own = chosen(within as u32 / left_over, own_count);
    let squeezed = chosen(within as u32 % left_over, enemy_count);
    (own, spread(squeezed, !own))
}

/// The choice of `count` cells with this number: the reverse of [`choice`].
fn chosen(mut number: u32, count: usize) -> u32 {
    let mut cells = 0;
    let mut cell = CELLS;
    for place in (1..=count).rev() {
        while CHOICES[cell][place] > number {
            cell -= 1;
        }
        number -= CHOICES[cell][place];
        cells |= 1 << cell;
    }
    cells
}

/// Moves the n-th cell of `cells` to the n-th cell of `free`.
fn spread(cells: u32, free: u32) -> u32 {
    let places = bits::each(free).enumerate();
    places
        .filter(|&(place, _)| cells.checked_shr(place as u32).unwrap_or(0) & 1 == 1)
        .fold(0, |spread, (_, cell)| spread | 1 << cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_its_own_position() {
        assert_eq!(size((3, 3)), 4060 * 2925);
        for number in (0..TOTAL).step_by(7).chain([TOTAL - 1]) {
            let (own, enemy) = position(number);
            assert_eq!(own & enemy, 0);
            assert_eq!(super::number(own, enemy), Some(number));
        }
    }

    #[test]
    fn classes_lie_one_after_the_other() {
        let mut next = 0;
        for class in CLASSES {
            let range = range(class).unwrap();
            assert_eq!((range.start, range.len()), (next, size(class)));
            let (own, enemy) = position(range.start);
            let counts = (own.count_ones() as usize, enemy.count_ones() as usize);
            assert_eq!(counts, class);
            next = range.end;
        }
        assert_eq!(next, TOTAL);
    }

    #[test]
    fn other_positions_have_no_number() {
        assert_eq!(number(0b1111, 1 << 9), None);
        assert_eq!(number(0b11, 0b1100), None);
        assert_eq!(number(0b111, 0), None);
    }
}
