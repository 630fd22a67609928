//! Text: moves are house numbers from 1, positions list the seeds of every pit.
//!
//! ```text
//! pits <player 1's houses in sowing order> <store> / <the same for player 2> <side to move>
//! pits 4 4 0 5 5 5 1 / 4 4 4 4 4 4 0 p1
//! ```

use super::board::{Board, House};
use super::row::Word;
use crate::game::{ExactScore, ExactValue, Game, Notation, Side};
use crate::games::grid::parse_side;
use crate::text::{expected, expected_position, parse_index, parse_number, unexpected};

impl<W: Word> Notation for Board<W> {
    fn move_text(&self, House(house): House) -> String {
        (house + 1).to_string()
    }

    fn parse_move(&self, text: &str) -> Result<House, String> {
        let house = parse_index(text, "house", self.rules().houses())?;
        if self.seeds(self.side_to_move(), house) == 0 {
            return Err(format!("house {} is empty", house + 1));
        }
        Ok(House(house as u8))
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
                return Err(expected(&format!("'/' after the {} pits of p1", houses + 1), word));
            }
            [] => return Err("expected '/' and the pits of p2".to_owned()),
        };
        let (second, rest) = parse_pits(rest, Side::P2, houses)?;
        let (side, rest) = match rest {
            [side, rest @ ..] => (parse_side(side)?, rest),
            [] => return Err("expected a side to move (p1 or p2) at the end".to_owned()),
        };
        if let [word, ..] = rest {
            return Err(unexpected(word, "the side to move"));
        }
        let (all, total) = (sum(&first) + sum(&second), self.rules().total());
        if all != total {
            return Err(format!("expected {total} seeds in all pits, got {all}"));
        }
        let (first_houses, first_store) = (&first[..houses], first[houses]);
        let (second_houses, second_store) = (&second[..houses], second[houses]);
        let stores = [first_store, second_store];
        Ok(self.with([first_houses, second_houses], stores, side))
    }

    /// Player 2's houses on top from right to left, player 1's below, each player's store at the end
    /// of the row: sowing runs counter-clockwise, and opposite houses face each other.
    fn drawing(&self) -> String {
        let houses = self.rules().houses();
        let width = if self.rules().total() > 99 { 4 } else { 3 };
        let cell = |player, house| format!("{:>width$}", self.seeds(player, house));
        let top: String = (0..houses).rev().map(|house| cell(Side::P2, house)).collect();
        let bottom: String = (0..houses).map(|house| cell(Side::P1, house)).collect();
        let [first, second] = [Side::P1, Side::P2].map(|player| self.store(player));
        let margin = " ".repeat(width - 2);
        let left = format!("{second:>store$}", store = width - 1);
        let gap = " ".repeat(houses * width);
        format!("{margin}{top}\n{left}{gap}{first}\n{margin}{bottom}")
    }

    /// The final margin, which follows from who wins only at the end or in a draw.
    fn exact_score(&self, value: ExactValue) -> Option<ExactScore> {
        match (self.outcome(), value) {
            (Some(_), _) => Some(ExactScore::Number(self.store_lead())),
            (None, ExactValue::Draw) => Some(ExactScore::Number(0)),
            (None, _) => None,
        }
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
                format!("store of {player}")
            };
            parse_number::<u16>(word)
                .ok_or_else(|| format!("{pit}: {}", expected("a number of seeds", word)))
        })
        .collect::<Result<Vec<u16>, String>>()?;
    if numbers.len() <= houses {
        return Err(format!(
            "expected {houses} houses and a store for {player}, got {} numbers",
            numbers.len()
        ));
    }
    Ok((numbers, &words[houses + 1..]))
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
    fn bad_positions_are_refused_with_the_reason_and_the_place() {
        for (text, part) in [
            (
                "pots 1 2 0 3 / 0 4 1 1 p1",
                "expected a position (startpos, pits) or 'moves', got 'pots'",
            ),
            ("pits", "expected 3 houses and a store for p1, got 0 numbers"),
            ("pits 1 2", "for p1, got 2 numbers"),
            ("pits 1 2 / 3 / 0 4 1 1 p1", "house 3 of p1: expected a number of seeds, got '/'"),
            ("pits 1 2 0 -3 / 0 4 1 1 p1", "store of p1: expected a number of seeds, got '-3'"),
            ("pits 1 2 0 +3 / 0 4 1 1 p1", "store of p1: expected a number of seeds, got '+3'"),
            (
                "pits 1 2 0 70000 / 0 4 1 1 p1",
                "store of p1: expected a number of seeds, got '70000'",
            ),
            ("pits 1 2 0 3 0 / 0 4 1 1 p1", "expected '/' after the 4 pits of p1, got '0'"),
            ("pits 1 2 0 3", "expected '/' and the pits of p2"),
            ("pits 1 2 0 3 / 0 x 1 1 p1", "house 2 of p2: expected a number of seeds, got 'x'"),
            ("pits 1 2 0 3 / 0 4 1", "for p2, got 3 numbers"),
            ("pits 1 2 0 3 / 0 4 1 1", "expected a side to move (p1 or p2) at the end"),
            ("pits 1 2 0 3 / 0 4 1 1 p3", "expected a side to move (p1 or p2), got 'p3'"),
            ("pits 1 2 0 3 / 0 4 1 1 p1 p2", "unexpected 'p2'"),
            ("pits 1 2 0 3 / 0 4 1 2 p1", "expected 12 seeds in all pits, got 13"),
        ] {
            let error = parsed(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn a_finished_game_is_a_position() {
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
        let missing = "house 4 does not exist (houses are 1..3)";
        assert_eq!(board.parse_move("4"), Err(missing.to_owned()));
        assert_eq!(board.parse_move("a"), Err("expected a house (1..3)".to_owned()));
    }

    #[test]
    fn opposite_houses_face_each_other_in_the_drawing() {
        let expected = "   4  4  4  4  4  4\n 0                  0\n   4  4  4  4  4  4";
        assert_eq!(start(6, 4).drawing(), expected);
        let open = parsed("pits 1 2 0 3 / 0 4 1 1 p2").unwrap();
        assert_eq!(open.drawing(), "   1  4  0\n 1         3\n   1  2  0");
        let over = parsed("pits 0 0 0 3 / 0 4 1 4 p1").unwrap();
        assert_eq!(over.drawing(), "   0  0  0\n 9         3\n   0  0  0");
    }

    #[test]
    fn columns_are_wider_in_games_with_many_seeds() {
        let drawing = start(12, 12).drawing();
        let lines: Vec<&str> = drawing.lines().collect();
        assert_eq!(lines[0], format!("  {}", "  12".repeat(12)));
        assert_eq!(lines[1], format!("  0{}0", " ".repeat(48)));
    }
}
