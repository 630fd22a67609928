//! Positions as servers send them: `<houses, south's store, north's store, south, north>`.
//!
//! South is always to move. Any number of seeds is allowed, whether or not a game starts with it.

use ratlla::any_game::AnyGame;
use ratlla::games::REGISTRY;

/// The engine's limit of houses per side and of seeds per house at the start.
const MAX: usize = 12;

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The seeds in both stores, south's first.
    pub stores: [u32; 2],
    /// The seeds in both sides' houses in sowing order, south's first.
    pub houses: [Vec<u32>; 2],
}

impl Board {
    /// The position with the numbers of a `state` command.
    pub fn new(numbers: &[u32]) -> Result<Board, String> {
        let (&[size, south, north], houses) =
            numbers.split_first_chunk().ok_or("expected a board size and two stores")?;
        let size = size as usize;
        if size == 0 {
            return Err("expected at least one house per side".to_owned());
        }
        if houses.len() != size.saturating_mul(2) {
            return Err(format!("expected {size} houses per side, got {} in total", houses.len()));
        }
        let (first, second) = houses.split_at(size);
        Ok(Board { stores: [south, north], houses: [first.to_vec(), second.to_vec()] })
    }

    /// The houses, counted from 1, that south can sow from; none if the game is over.
    pub fn moves(&self) -> Vec<usize> {
        if self.houses[1].iter().all(|&seeds| seeds == 0) {
            return Vec::new();
        }
        let filled = self.houses[0].iter().enumerate().filter(|(_, seeds)| **seeds > 0);
        filled.map(|(index, _)| index + 1).collect()
    }

    /// The position as a game of the engine, with south as player 1.
    ///
    /// The engine's number of seeds is a multiple of the number of houses. Missing seeds are added
    /// to both stores equally, which changes neither the moves nor the winner; of an odd number,
    /// north gets one more.
    pub fn to_game(&self) -> Result<Box<dyn AnyGame>, String> {
        let size = self.houses[0].len();
        let in_houses = self.houses.iter().flatten();
        let total = in_houses.chain(&self.stores).map(|&seeds| seeds as usize).sum::<usize>();
        let seeds = total.div_ceil(2 * size).max(1);
        if size > MAX || seeds > MAX {
            return Err(format!("too large: {total} seeds, {size} houses per side"));
        }
        let missing = 2 * size * seeds - total;
        let stores = [missing / 2, missing.div_ceil(2)];
        let pits = |side: usize| {
            let houses: Vec<String> = self.houses[side].iter().map(u32::to_string).collect();
            format!("{} {}", houses.join(" "), self.stores[side] as usize + stores[side])
        };
        let mut game = REGISTRY.open("kalah", &[&size.to_string(), &seeds.to_string()])?;
        let position = format!("pits {} / {} p1", pits(0), pits(1));
        game.set_position(&position.split(' ').collect::<Vec<_>>(), &[])?;
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_specification() {
        let board = Board::new(&[3, 10, 2, 1, 2, 3, 4, 2, 0]).unwrap();
        assert_eq!(board.stores, [10, 2]);
        assert_eq!(board.houses, [vec![1, 2, 3], vec![4, 2, 0]]);
        assert_eq!(board.moves(), [1, 2, 3]);
        assert_eq!(board.to_game().unwrap().position_text(), "pits 1 2 3 10 / 4 2 0 2 p1");
    }

    #[test]
    fn missing_seeds_are_added_to_both_stores() {
        // 22 seeds are not a multiple of 6 houses; 24 are.
        let board = Board::new(&[3, 1, 3, 0, 4, 4, 4, 3, 3]).unwrap();
        let game = board.to_game().unwrap();
        assert_eq!(game.title(), "kalah 3 4");
        assert_eq!(game.position_text(), "pits 0 4 4 2 / 4 3 3 4 p1");
        assert_eq!(board.moves().len(), game.moves().len());
    }

    #[test]
    fn invalid_and_too_large_boards_are_errors() {
        assert!(Board::new(&[3, 0]).unwrap_err().contains("two stores"));
        assert!(Board::new(&[0, 0, 0]).unwrap_err().contains("at least one house"));
        assert!(
            Board::new(&[3, 0, 0, 1])
                .unwrap_err()
                .contains("expected 3 houses per side, got 1 in total")
        );
        assert!(Board::new(&[u32::MAX, 0, 0, 1]).is_err());
        let many = Board::new(&[1, 0, 0, u32::MAX, u32::MAX]).unwrap();
        assert!(many.to_game().err().unwrap().contains("too large"));
        let wide = Board::new(&[&[13, 0, 0][..], &[1; 26]].concat()).unwrap();
        assert!(wide.to_game().err().unwrap().contains("too large"));
        assert_eq!(wide.moves().len(), 13);
    }

    #[test]
    fn a_game_that_is_over_has_no_moves() {
        for numbers in [[2, 0, 4, 0, 0, 1, 1], [2, 0, 4, 1, 1, 0, 0]] {
            assert_eq!(Board::new(&numbers).unwrap().moves(), [0; 0]);
        }
    }
}
