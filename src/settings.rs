//! What the user chose: the options that searches and strategies read.

use std::time::Duration;

/// The values in force for one search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The strategy's name.
    pub strategy: String,
    /// The depth of the fixed-depth strategies where `go` does not set one.
    pub depth: u32,
    /// Whether `minimax` uses alpha-beta pruning.
    pub pruning: bool,
    /// The move order of the fixed-depth strategies.
    pub order: MoveOrder,
    /// The name of the fixed-depth strategies' evaluation, if one was chosen; else it is the game's
    /// first one.
    pub evaluation: Option<String>,
    /// 0 for fresh random numbers, otherwise the seed of repeatable ones.
    pub seed: u64,
    /// From 1, the weakest, to [`Settings::FULL_LEVEL`], full strength.
    pub level: u8,
    /// How many best lines to report.
    pub multi_pv: usize,
    /// Threads of search and solver.
    pub threads: usize,
    /// MiB for everything that is kept between searches.
    pub hash: usize,
    /// Whether the opening book is used.
    pub own_book: bool,
    /// What every move loses on its way to the opponent.
    pub move_overhead: Duration,
}

impl Settings {
    /// The level at full strength.
    pub const FULL_LEVEL: u8 = 10;
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            strategy: "full".to_owned(),
            depth: 4,
            pruning: false,
            order: MoveOrder::Left,
            evaluation: None,
            seed: 0,
            level: Settings::FULL_LEVEL,
            multi_pv: 1,
            threads: 1,
            hash: 64,
            own_book: true,
            move_overhead: Duration::from_millis(10),
        }
    }
}

/// The order in which a fixed-depth strategy tries moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveOrder {
    /// As the game lists them.
    Left,
    /// Reversed.
    Right,
    /// From the middle of the list outwards.
    Centre,
}
