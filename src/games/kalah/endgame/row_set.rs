//! All rows with equally many seeds, and where sowing and capturing lead from each: tables are
//! built from these ranks instead of simulating every move of every position.

use super::super::row::{Row, Word};
use super::index::{Index, rows_by_rank};

/// The rows with one number of seeds. Rows are named by their ranks.
pub struct RowSet<W> {
    /// By rank.
    pub rows: Vec<Row<W>>,
    /// The ranks level by level. A player who sows within the own row comes to a lower level.
    pub by_level: Vec<u32>,
    /// Where each level ends in `by_level`.
    pub level_ends: Vec<usize>,
    /// By number of houses less one, then by rank: the rank after one seed more in each of the
    /// first houses. Empty beyond the seeds of the index.
    pub fed: Vec<Vec<u32>>,
    /// By house, then by rank: the rank without the seeds in that house.
    pub robbed: Vec<Vec<u32>>,
}

impl<W: Word> RowSet<W> {
    /// The rows with `seeds` seeds, at most those of the index. There must be fewer than 2^32.
    pub fn new(index: &Index, seeds: usize) -> RowSet<W> {
        let rows: Vec<Row<W>> = rows_by_rank(index, seeds);
        let houses = index.houses();
        let rank = |row: Row<W>| index.rank(row) as u32;
        let fed = (1..=houses).map(|count| {
            let one_each = Row::new(&vec![1; count]);
            let fits = seeds + count <= index.seeds();
            let fed = rows.iter().filter(|_| fits).map(|row| rank(row.plus(one_each)));
            fed.collect()
        });
        let robbed =
            (0..houses).map(|house| rows.iter().map(|row| rank(row.without(house))).collect());
        let level = |row: Row<W>| -> u32 {
            let sums = row.prefix_sums();
            (0..houses - 1).map(|house| sums.get(house)).sum()
        };
        let levels: Vec<u32> = rows.iter().map(|&row| level(row)).collect();
        let mut by_level: Vec<u32> = (0..rows.len() as u32).collect();
        by_level.sort_by_key(|&rank| levels[rank as usize]);
        let highest = levels.iter().max().map_or(0, |&level| level);
        let end = |level| by_level.partition_point(|&rank| levels[rank as usize] <= level);
        let level_ends = (0..=highest).map(end).collect();
        RowSet { fed: fed.collect(), robbed: robbed.collect(), rows, by_level, level_ends }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_lead_to_the_rows_they_stand_for() {
        let index = Index::new(3, 6).unwrap();
        let sets: Vec<RowSet<u64>> = (0..=6).map(|seeds| RowSet::new(&index, seeds)).collect();
        let set = &sets[4];
        assert_eq!(set.rows.len() as u64, index.row_count(4));
        for (rank, &row) in set.rows.iter().enumerate() {
            let fed = set.fed[1][rank] as usize;
            assert_eq!(sets[6].rows[fed], row.plus(Row::new(&[1, 1])));
            let robbed = set.robbed[2][rank] as usize;
            assert_eq!(sets[4 - row.get(2) as usize].rows[robbed], row.without(2));
        }
        assert!(set.fed[2].is_empty());
    }

    #[test]
    fn sowing_at_home_leads_to_a_lower_level() {
        let index = Index::new(4, 5).unwrap();
        let set = RowSet::<u64>::new(&index, 5);
        let level_of = |row: Row<u64>| {
            let rank = index.rank(row) as u32;
            let place = set.by_level.iter().position(|&other| other == rank).unwrap();
            set.level_ends.iter().position(|&end| place < end).unwrap()
        };
        let level = |seeds: [u16; 4]| level_of(Row::new(&seeds));
        assert!(level([2, 1, 1, 1]) > level([0, 2, 2, 1]));
        assert!(level([0, 0, 1, 4]) > level([0, 0, 0, 5]));
        assert_eq!(level([0, 0, 0, 5]), 0);
        assert_eq!(set.level_ends.last(), Some(&set.rows.len()));
    }
}
