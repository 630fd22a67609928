//! Text: house numbers for moves, and every pit's seeds for positions.
//!
//! ```text
//! pits <player 1's houses in sowing order> <his store> / <the same for player 2> <side to move>
//! pits 4 4 0 5 5 5 1 / 4 4 4 4 4 4 0 p1
//! ```

use super::board::{Board, House};
use super::row::Word;
use crate::game::{Game, Notation, Side};
use crate::text::{escaped, expected_position};

impl<W: Word> Notation for Board<W> {
    fn move_text(&self, House(house): House) -> String {
        (house + 1).to_string()
    }

    fn parse_move(&self, text: &str) -> Result<House, String> {
        let houses = self.rules().houses();
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number {
            return Err(format!("not a house: houses are numbers from 1 to {houses}"));
        }
        match text.parse::<usize>() {
            Ok(number) if (1..=houses).contains(&number) => {
                if self.seeds(self.side_to_move(), number - 1) == 0 {
                    return Err(format!("house {number} is empty"));
                }
                Ok(House((number - 1) as u8))
            }
            _ => Err(format!("no such house: they go from 1 to {houses}")),
        }
    }

    fn position_text(&self) -> String {
        let pits = |player| {
            let houses = (0..self.rules().houses()).map(|house| self.seeds(player, house));
            let numbers = houses.chain([self.store(player)]);
            numbers.map(|seeds| seeds.to_string()).collect::<Vec<_>>().join(" ")
        };
        let (first, second) = (pits(Side::P1), pits(Side::P2));
        format!("pits {first} / {second} {}", self.side_to_move())
    }

    fn parse_position(&self, words: &[&str]) -> Result<Board<W>, String> {
        let numbers = match words {
            [] => return Ok(Board::new(self.rules())),
            ["pits", numbers @ ..] => numbers,
            [word, ..] => return Err(expected_position(word, "startpos, pits")),
        };
        let houses = self.rules().houses();
        let (first, rest) = parse_pits(numbers, Side::P1, houses)?;
        let rest = match rest {
            ["/", rest @ ..] => rest,
            [word, ..] => {
                return Err(format!(
                    "'{}' where '/' should end the {} pits of p1",
                    escaped(word),
                    houses + 1
                ));
            }
            [] => return Err("'/' and the pits of p2 are missing".to_owned()),
        };
        let (second, rest) = parse_pits(rest, Side::P2, houses)?;
        let side = match rest {
            ["p1"] => Side::P1,
            ["p2"] => Side::P2,
            [] => return Err("the side to move is missing at the end: p1 or p2".to_owned()),
            ["p1" | "p2", word, ..] => {
                return Err(format!("unexpected '{}' after the side to move", escaped(word)));
            }
            [word, ..] => {
                return Err(format!(
                    "'{}' after the {} pits of p2 is no side to move: p1 or p2",
                    escaped(word),
                    houses + 1
                ));
            }
        };
        let (all, total) = (sum(&first) + sum(&second), self.rules().total());
        if all != total {
            return Err(format!("the pits hold {all} seeds, this game has {total}"));
        }
        let (first_houses, first_store) = (&first[..houses], first[houses]);
        let (second_houses, second_store) = (&second[..houses], second[houses]);
        let stores = [first_store, second_store];
        Ok(self.with([first_houses, second_houses], stores, side))
    }

    /// Player 2's houses on top from right to left, so that sowing goes round and facing houses
    /// stand above each other; his store on the left, player 1's on the right.
    fn drawing(&self) -> String {
        let houses = self.rules().houses();
        let width = if self.rules().total() > 99 { 4 } else { 3 };
        let cell = |player, house| format!("{:>width$}", self.seeds(player, house));
        let top: String = (0..houses).rev().map(|house| cell(Side::P2, house)).collect();
        let bottom: String = (0..houses).map(|house| cell(Side::P1, house)).collect();
        let [first, second] = [Side::P1, Side::P2].map(|player| self.store(player));
        let headline = match self.outcome() {
            None => format!("Next player: {}", self.side_to_move()),
            Some(_) => format!("Game over! Score: ({first}, {second})"),
        };
        let margin = " ".repeat(width - 2);
        let left = format!("{second:>store$}", store = width - 1);
        let gap = " ".repeat(houses * width);
        format!("{headline}\n{margin}{top}\n{left}{gap}{first}\n{margin}{bottom}")
    }
}

/// The leading numbers of `words` as the houses and the store of `player`, and what follows.
fn parse_pits<'a, 'w>(
    words: &'a [&'w str],
    player: Side,
    houses: usize,
) -> Result<(Vec<u16>, &'a [&'w str]), String> {
    let pits = words.iter().take(houses + 1).enumerate();
    let numbers = pits
        .map(|(index, word)| {
            let pit = if index < houses {
                format!("house {} of {player}", index + 1)
            } else {
                format!("the store of {player}")
            };
            parse_seeds(word)
                .ok_or_else(|| format!("'{}' for {pit} is not a number of seeds", escaped(word)))
        })
        .collect::<Result<Vec<u16>, String>>()?;
    if numbers.len() <= houses {
        return Err(format!(
            "{player} has {} pits here: there should be {houses} houses and a store",
            numbers.len()
        ));
    }
    Ok((numbers, &words[houses + 1..]))
}

/// A whole number that no game's seeds exceed by much.
fn parse_seeds(word: &str) -> Option<u16> {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|_| is_number)
}

fn sum(numbers: &[u16]) -> usize {
    numbers.iter().map(|&number| usize::from(number)).sum()
}

#[cfg(test)]
mod tests {
    use super::super::sowing::Rules;
    use super::*;
    use crate::game::Outcome;

    fn start(houses: usize, seeds: usize) -> Board<u128> {
        Board::new(Rules::new(houses, seeds, false).unwrap())
    }

    fn parsed(text: &str) -> Result<Board<u128>, String> {
        start(3, 2).parse_position(&text.split(' ').collect::<Vec<_>>())
    }

    #[test]
    fn a_position_reads_back() {
        for text in ["pits 1 2 0 3 / 0 4 1 1 p1", "pits 0 0 0 6 / 0 0 0 6 p2"] {
            assert_eq!(parsed(text).unwrap().position_text(), text);
        }
        assert_eq!(start(3, 2).position_text(), "pits 2 2 2 0 / 2 2 2 0 p1");
        assert_eq!(start(3, 2).parse_position(&[]), Ok(start(3, 2)));
    }

    #[test]
    fn what_is_wrong_is_said_and_where() {
        for (text, part) in [
            ("pots 1 2 0 3 / 0 4 1 1 p1", "'pots' begins no position"),
            ("pits", "p1 has 0 pits here: there should be 3 houses and a store"),
            ("pits 1 2", "p1 has 2 pits"),
            ("pits 1 2 / 3 / 0 4 1 1 p1", "'/' for house 3 of p1 is not a number"),
            ("pits 1 2 0 -3 / 0 4 1 1 p1", "'-3' for the store of p1"),
            ("pits 1 2 0 +3 / 0 4 1 1 p1", "'+3' for the store of p1"),
            ("pits 1 2 0 70000 / 0 4 1 1 p1", "'70000' for the store of p1"),
            ("pits 1 2 0 3 0 / 0 4 1 1 p1", "'0' where '/' should end the 4 pits of p1"),
            ("pits 1 2 0 3", "'/' and the pits of p2 are missing"),
            ("pits 1 2 0 3 / 0 x 1 1 p1", "'x' for house 2 of p2"),
            ("pits 1 2 0 3 / 0 4 1", "p2 has 3 pits"),
            ("pits 1 2 0 3 / 0 4 1 1", "the side to move is missing"),
            ("pits 1 2 0 3 / 0 4 1 1 p3", "'p3' after the 4 pits of p2 is no side"),
            ("pits 1 2 0 3 / 0 4 1 1 p1 p2", "unexpected 'p2'"),
            ("pits 1 2 0 3 / 0 4 1 2 p1", "hold 13 seeds, this game has 12"),
        ] {
            let error = parsed(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn a_position_may_be_over() {
        let over = parsed("pits 0 0 0 3 / 0 4 1 4 p1").unwrap();
        assert_eq!(over.outcome(), Some(Outcome::Win(Side::P2)));
        assert_eq!(over.position_text(), "pits 0 0 0 3 / 0 0 0 9 p1");
    }

    #[test]
    fn moves_are_houses_from_one() {
        let board = parsed("pits 1 2 0 3 / 0 4 1 1 p1").unwrap();
        assert_eq!(board.parse_move("1"), Ok(House(0)));
        assert_eq!(board.parse_move("02"), Ok(House(1)));
        assert_eq!(board.move_text(House(1)), "2");
        assert_eq!(board.parse_move("3"), Err("house 3 is empty".to_owned()));
        for text in ["0", "4", "99999999999999999999"] {
            assert!(board.parse_move(text).unwrap_err().contains("from 1 to 3"));
        }
        for text in ["", "+1", "a", "1 "] {
            assert!(board.parse_move(text).unwrap_err().contains("not a house"));
        }
    }

    #[test]
    fn the_drawing_is_the_original_one() {
        let expected =
            "Next player: p1\n   4  4  4  4  4  4\n 0                  0\n   4  4  4  4  4  4";
        assert_eq!(start(6, 4).drawing(), expected);
        let open = parsed("pits 1 2 0 3 / 0 4 1 1 p2").unwrap();
        assert_eq!(open.drawing(), "Next player: p2\n   1  4  0\n 1         3\n   1  2  0");
        let over = parsed("pits 0 0 0 3 / 0 4 1 4 p1").unwrap();
        assert_eq!(
            over.drawing(),
            "Game over! Score: (3, 9)\n   0  0  0\n 9         3\n   0  0  0"
        );
    }

    #[test]
    fn many_seeds_are_drawn_wider() {
        let drawing = start(12, 12).drawing();
        let lines: Vec<&str> = drawing.lines().collect();
        assert_eq!(lines[1], format!("  {}", "  12".repeat(12)));
        assert_eq!(lines[2], format!("  0{}0", " ".repeat(48)));
    }
}
