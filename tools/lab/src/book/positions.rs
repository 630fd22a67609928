//! Enumerates the positions with few stones.

use std::collections::BTreeMap;

use ratlla::games::connect4::book::key::{COLUMNS, Key, ROWS};
use ratlla::games::connect4::solver::Position;

/// One of each pair of mirror images, in the order of their keys.
pub type Level = BTreeMap<Key, Position>;

/// The empty board.
pub fn start() -> Position {
    Position::new(ROWS, COLUMNS).expect("6x7 is a board")
}

/// The positions after each legal move.
pub fn children(position: &Position) -> impl Iterator<Item = Position> + use<> {
    let position = *position;
    position.legal_columns().filter_map(move |column| position.play(column))
}

/// The positions after 0 to `plies` plies of legal play that are not over, one level for each
/// number of stones.
pub fn levels(plies: u32) -> Vec<Level> {
    let mut levels = vec![keyed([start()])];
    for _ in 0..plies {
        let last = levels.last().expect("levels start with the empty board");
        levels.push(keyed(last.values().flat_map(children)));
    }
    levels
}

/// The positions that are not over, by key.
pub fn keyed(positions: impl IntoIterator<Item = Position>) -> Level {
    let open = positions.into_iter().filter(|position| position.winner().is_none());
    open.filter_map(|position| Some((Key::of(&position)?, position))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the published counts; no game ends before the seventh stone.
    #[test]
    fn counts_match_the_published_ones() {
        let images = |position: &Position| if position.mirrored() == *position { 1 } else { 2 };
        let count = |level: &Level| level.values().map(images).sum::<usize>();
        let counts: Vec<usize> = levels(6).iter().map(count).collect();
        assert_eq!(counts, [1, 7, 49, 238, 1120, 4263, 16422]);
    }
}
