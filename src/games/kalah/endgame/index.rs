//! A number for every position that is not over: dense, without gaps or doubles.
//!
//! Positions are counted layer by layer, a layer being those with equally many seeds in play,
//! so that positions with at most `s` seeds have the same numbers under any larger limit.
//! Within a layer they are counted block by block, a block being those with `i` seeds in the
//! mover's houses and `j` in the other's, and in a block by the rank of the mover's row, then
//! by that of the other's.
//!
//! The rank of a row among those with equally many seeds, `p[k]` being the number of seeds in
//! its houses 0 to k, is the sum of `binomial(p[k] + k, k + 1)` over all houses but the last.
//! Moving seeds towards the store makes it smaller: that is the order to build a table in.

use super::super::row::{Row, Word};
use super::super::sowing::{HOUSES, Rows};

/// All seeds of the largest game.
const MOST_SEEDS: usize = 288;

/// One term for every value of a lane, so that no index is out of range.
type Terms = [u64; 1024];

/// Terms of absent houses are 0.
const MOST_TERMS: usize = u128::HOUSES - 1;

/// Numbers the positions of one number of houses, up to a number of seeds in play.
#[derive(Clone, Debug)]
pub struct Index {
    houses: usize,
    seeds: usize,
    /// `binomial(p + k, k + 1)` by `k`, then by `p`; 0 where there are no such rows.
    terms: Vec<Terms>,
    /// How many rows have that many seeds.
    rows: Vec<u64>,
    /// By `i`, then by `j`.
    blocks: Vec<Block>,
    /// How many positions there are with at most that many seeds.
    sizes: Vec<u64>,
}

/// A block of positions.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    /// Its first number.
    start: u64,
    /// How many rows the other player may have.
    width: u64,
}

impl Index {
    /// `None` if the numbers exceed 62 bits, or if no game has that many houses or seeds.
    pub fn new(houses: usize, seeds: usize) -> Option<Index> {
        if !HOUSES.contains(&houses) || seeds > MOST_SEEDS {
            return None;
        }
        let stride = seeds + 1;
        let mut index = Index {
            houses,
            seeds,
            terms: vec![[0; 1024]; MOST_TERMS],
            rows: (0..=seeds).map(|count| binomial(count + houses - 1, houses - 1)).collect(),
            blocks: vec![Block::default(); stride * stride],
            sizes: vec![0; stride],
        };
        for (house, terms) in index.terms.iter_mut().enumerate().take(houses - 1) {
            for (sum, term) in terms.iter_mut().enumerate().take(stride) {
                *term = binomial(sum + house, house + 1);
            }
        }
        let mut next: u64 = 0;
        for layer in 0..=seeds {
            for own in 1..layer {
                let width = index.rows[layer - own];
                index.blocks[own * stride + layer - own] = Block { start: next, width };
                next = next.saturating_add(index.block_size(own, layer - own));
            }
            index.sizes[layer] = next;
        }
        (next < 1 << 62).then_some(index)
    }

    /// The houses of each player.
    pub fn houses(&self) -> usize {
        self.houses
    }

    /// The largest number of seeds in play.
    pub fn seeds(&self) -> usize {
        self.seeds
    }

    /// How many positions there are with at most `seeds` in play.
    pub fn size(&self, seeds: usize) -> u64 {
        self.sizes[seeds]
    }

    /// How many rows hold exactly `seeds`.
    pub(super) fn row_count(&self, seeds: usize) -> u64 {
        self.rows[seeds]
    }

    /// The first number of the block with these seeds in the own and the other houses.
    pub(super) fn block_start(&self, own: usize, other: usize) -> u64 {
        self.block(own, other).start
    }

    #[inline]
    fn block(&self, own: usize, other: usize) -> Block {
        self.blocks[own * (self.seeds + 1) + other]
    }

    /// How many positions have these seeds in the own and the other houses.
    pub(super) fn block_size(&self, own: usize, other: usize) -> u64 {
        self.rows[own].saturating_mul(self.rows[other])
    }

    /// The number of a position that is not over and has at most [`Index::seeds`] in play.
    #[inline(always)]
    pub fn of<W: Word>(&self, rows: Rows<W>) -> u64 {
        let (own_sums, other_sums) = (rows.own.prefix_sums(), rows.other.prefix_sums());
        let (mut own, mut other) = (0, 0);
        // As many terms as the word has lanes, not as there are houses: a loop of known length.
        for (house, terms) in self.terms[..W::HOUSES - 1].iter().enumerate() {
            own += terms[own_sums.get(house) as usize];
            other += terms[other_sums.get(house) as usize];
        }
        let last = W::HOUSES - 1;
        let block = self.block(own_sums.get(last) as usize, other_sums.get(last) as usize);
        block.start + own * block.width + other
    }

    /// The rank of a row among those with equally many seeds.
    pub(super) fn rank<W: Word>(&self, row: Row<W>) -> u64 {
        let sums = row.prefix_sums();
        let terms = self.terms[..W::HOUSES - 1].iter().enumerate();
        terms.map(|(house, terms)| terms[sums.get(house) as usize]).sum()
    }
}

/// The binomial coefficient, or `u64::MAX` if it is too large.
fn binomial(n: usize, k: usize) -> u64 {
    let Some(spare) = n.checked_sub(k) else { return 0 };
    let mut result: u128 = 1;
    for step in 1..=k as u128 {
        result = result * (spare as u128 + step) / step;
        if result > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    result as u64
}

/// All rows with exactly `seeds`, by rank.
pub(in super::super) fn rows_by_rank<W: Word>(index: &Index, seeds: usize) -> Vec<Row<W>> {
    let mut rows = vec![Row::default(); index.row_count(seeds) as usize];
    let mut houses = vec![0u16; index.houses()];
    fill(index, &mut houses, 0, seeds, &mut rows);
    rows
}

/// Puts every row with `left` seeds in the houses from `house` on at its place.
fn fill<W: Word>(
    index: &Index,
    houses: &mut [u16],
    house: usize,
    left: usize,
    rows: &mut [Row<W>],
) {
    if house + 1 == houses.len() {
        houses[house] = left as u16;
        let row = Row::new(houses);
        rows[index.rank(row) as usize] = row;
        return;
    }
    for seeds in 0..=left {
        houses[house] = seeds as u16;
        fill(index, houses, house + 1, left - seeds, rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_has_its_own_number_without_gaps() {
        for (houses, seeds) in [(1, 5), (2, 7), (3, 6), (6, 5)] {
            let index = Index::new(houses, seeds).unwrap();
            let mut expected = 0;
            for layer in 0..=seeds {
                for own in 1..layer {
                    for own in rows_by_rank::<u64>(&index, own) {
                        for &other in &rows_by_rank(&index, layer - own.total() as usize) {
                            assert_eq!(index.of(Rows { own, other }), expected);
                            expected += 1;
                        }
                    }
                }
                assert_eq!(index.size(layer), expected);
            }
        }
    }

    #[test]
    fn seeds_that_move_on_make_the_rank_smaller() {
        let index = Index::new(4, 6).unwrap();
        let rank = |seeds: [u16; 4]| index.rank(Row::<u64>::new(&seeds));
        assert!(rank([2, 0, 1, 1]) > rank([0, 1, 2, 1]));
        assert!(rank([0, 2, 0, 2]) > rank([0, 0, 1, 3]));
        assert_eq!(rank([0, 0, 0, 4]), 0);
    }

    #[test]
    fn too_many_positions_have_no_numbers() {
        assert!(Index::new(6, 72).is_some());
        assert!(Index::new(12, 288).is_none());
    }

    #[test]
    fn a_smaller_limit_gives_the_same_numbers() {
        let (small, large) = (Index::new(3, 5).unwrap(), Index::new(3, 9).unwrap());
        let rows = Rows { own: Row::<u64>::new(&[1, 0, 2]), other: Row::new(&[0, 1, 1]) };
        assert_eq!(small.of(rows), large.of(rows));
        assert_eq!(small.size(5), large.size(5));
    }
}
