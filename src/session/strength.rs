//! Strength in the numbers that clients ask for: Elo instead of levels.

use crate::strategy::Settings;

/// What each level, from 1 on, counts as in Elo. A ladder of our own, on no common scale.
const ELO_OF_LEVEL: [u64; Settings::FULL_LEVEL as usize] =
    [600, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400];

/// The weakest that can be asked for.
pub const LEAST_ELO: u64 = ELO_OF_LEVEL[0];
/// The strongest: all that the engine has.
pub const MOST_ELO: u64 = ELO_OF_LEVEL[ELO_OF_LEVEL.len() - 1];

/// The highest level that is not stronger than `elo`, or the lowest if all are.
pub fn level_of_elo(elo: u64) -> u8 {
    let reached = ELO_OF_LEVEL.iter().filter(|&&level| level <= elo).count();
    reached.max(1) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_climbs_and_every_level_can_be_asked_for() {
        assert!(ELO_OF_LEVEL.is_sorted());
        let levels = 1..=Settings::FULL_LEVEL;
        for (level, elo) in levels.zip(ELO_OF_LEVEL) {
            assert_eq!(level_of_elo(elo), level);
            assert_eq!(level_of_elo(elo - 1), (level - 1).max(1));
        }
        assert_eq!(level_of_elo(u64::MAX), Settings::FULL_LEVEL);
    }
}
