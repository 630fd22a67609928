//! The transposition table of the drop phase: bounds of scores, by position up to symmetry.

use super::score::WIN;
use crate::bound_table::{BoundEntry, BoundTable, Bounds, KeyMixer, MixedKey};
use crate::game::{Game, Side};
use crate::games::wali::bits::{AnyShape, Shape};
use crate::games::wali::board::{Board, Move};
use crate::games::wali::endgame::symmetry::Symmetry;
use crate::platform::memory::Pages;

const LOWEST: i32 = -2 * WIN;
/// Scores within twice [`WIN`], and the numbers of up to 32 cells.
type Entries = BoundTable<LOWEST, 11, 6>;

/// The table.
pub struct DropTable {
    entries: Entries,
    mixer: KeyMixer<u128>,
    symmetries: Vec<Symmetry>,
    cells: usize,
}

/// A position as the table knows it.
#[derive(Clone, Copy)]
pub struct DropKey {
    key: MixedKey<u128>,
    /// The symmetry that takes the position to the one that stands for it.
    symmetry: usize,
}

impl DropTable {
    /// An empty table of at most this many MiB for boards of this shape.
    pub fn new(shape: AnyShape, mebibytes: usize) -> Result<DropTable, String> {
        let key_bits = 2 * shape.cells() as u32 + 1;
        let entries = Entries::new::<u128>(mebibytes << 20, key_bits, Pages::Default);
        let mut entries = entries.map_err(|error| error.to_string())?;
        entries.reset::<u128>(key_bits);
        Ok(DropTable {
            entries,
            mixer: KeyMixer::new(key_bits),
            symmetries: Symmetry::all(shape),
            cells: shape.cells(),
        })
    }

    /// The key of a position: of all that the symmetries lead to, that with the lowest stones.
    pub fn key<S: Shape>(&self, board: &Board<S>) -> DropKey {
        let stones = [Side::P1, Side::P2].map(|side| board.stones(side));
        let images = self.symmetries.iter().map(|map| stones.map(|stones| map.image(stones)));
        let least = images.zip(0..).min().unwrap_or((stones, 0));
        let ([p1, p2], symmetry) = least;
        let side = board.side_to_move().index() as u128;
        let number = u128::from(p1) | u128::from(p2) << self.cells | side << (2 * self.cells);
        DropKey { key: self.mixer.mix(number), symmetry }
    }

    /// What is known about a position.
    pub fn probe(&self, key: DropKey) -> BoundEntry {
        self.entries.probe(key.key, Bounds { lower: -WIN, upper: WIN })
    }

    /// Whether `mv` is the move that an entry of this position names.
    pub fn is_best(&self, key: DropKey, entry: BoundEntry, mv: Move) -> bool {
        entry.best_move.is_some() && entry.best_move == self.number(key, mv)
    }

    /// Stores that the score is at most (`is_upper`) or at least `bound`, which took `nodes` nodes to
    /// prove.
    pub fn store(&self, key: DropKey, bound: i32, is_upper: bool, nodes: u64, best: Option<Move>) {
        let best = best.and_then(|mv| self.number(key, mv));
        self.entries.store(key.key, bound, is_upper, nodes, best);
    }

    /// The cell of a drop in the position that stands for this one.
    fn number(&self, key: DropKey, mv: Move) -> Option<u8> {
        match mv {
            Move::Drop(cell) => {
                Some(self.symmetries[key.symmetry].image(1 << cell).trailing_zeros() as u8)
            }
            Move::Step { .. } | Move::Pass => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::wali::board::Phase;

    #[test]
    fn symmetric_positions_share_an_entry() {
        let shape = AnyShape::new(4, 5, 8).unwrap();
        let table = DropTable::new(shape, 1).unwrap();
        let at = |stones| Board::from_stones(shape, stones, Side::P1, Phase::Drop, 0);
        // a1 and b1 against d4 and e4.
        let (one, turned) = (at([1, 1 << 1]), at([1 << 19, 1 << 18]));
        table.store(table.key(&one), 7, false, 1, Some(Move::Drop(7)));
        let key = table.key(&turned);
        let entry = table.probe(key);
        assert_eq!(entry.bounds, Bounds { lower: 7, upper: WIN });
        let best: Vec<u8> =
            (0..20).filter(|&cell| table.is_best(key, entry, Move::Drop(cell))).collect();
        assert_eq!(best, [12]);
        let others = [at([1 << 1, 1]), at([1, 1 << 5]), at([1, 0])];
        for other in others {
            let trivial = Bounds { lower: -WIN, upper: WIN };
            assert_eq!(table.probe(table.key(&other)).bounds, trivial);
        }
        let replying = Board::from_stones(shape, [1, 1 << 1], Side::P2, Phase::Drop, 0);
        assert_eq!(table.probe(table.key(&replying)).best_move, None);
    }
}
