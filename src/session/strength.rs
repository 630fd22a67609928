//! Strength in Elo, which clients ask for, instead of levels.

use crate::settings::Settings;

/// The Elo of each level from 1 on: the differences measured on 6x7 (docs/arena.md), rounded to
/// tens, with level 1 set to 600. Not comparable to any other scale.
const ELO_OF_LEVEL: [u64; Settings::FULL_LEVEL as usize] =
    [600, 770, 950, 1070, 1150, 1250, 1420, 1510, 1670, 2150];

/// The weakest setting.
pub const MIN_ELO: u64 = ELO_OF_LEVEL[0];
/// The strongest: full strength.
pub const MAX_ELO: u64 = ELO_OF_LEVEL[ELO_OF_LEVEL.len() - 1];

/// The highest level that is not stronger than `elo`, or the lowest if all are.
pub fn level_of_elo(elo: u64) -> u8 {
    let reached = ELO_OF_LEVEL.iter().filter(|&&level| level <= elo).count();
    reached.max(1) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_rises_with_the_level_and_every_level_can_be_set() {
        assert!(ELO_OF_LEVEL.is_sorted());
        let levels = 1..=Settings::FULL_LEVEL;
        for (level, elo) in levels.zip(ELO_OF_LEVEL) {
            assert_eq!(level_of_elo(elo), level);
            assert_eq!(level_of_elo(elo - 1), (level - 1).max(1));
        }
        assert_eq!(level_of_elo(u64::MAX), Settings::FULL_LEVEL);
    }
}
