//! The board as text, drawn from the engine's description of it.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::style;

/// A cell: its row from the top, and its column from the left.
type Cell = [usize; 2];

/// The board in the engine's reply to `state`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Board {
    rows: Vec<Vec<Content>>,
    row_names: Vec<String>,
    column_names: Vec<String>,
    stores: BTreeMap<String, u32>,
    in_hand: BTreeMap<String, u32>,
    phase: String,
    quiet: u32,
    moves_left: Option<u32>,
    bombs: BTreeMap<String, Option<Bomb>>,
}

/// What a cell holds.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Content {
    Seeds(u32),
    Piece(String),
    Empty,
}

#[derive(Debug, Deserialize)]
struct Bomb {
    cell: Cell,
}

/// The sides as the engine calls them.
const SIDES: [&str; 2] = ["p1", "p2"];
const PIECES: [&str; 2] = ["X", "O"];
const BOMBS: [&str; 2] = ["x", "o"];

/// The number of a side: 0 or 1.
pub fn side_number(side: &str) -> usize {
    usize::from(side == SIDES[1])
}

impl Board {
    /// The lines of the drawing; none if the engine describes no cells.
    pub fn lines(&self) -> Vec<String> {
        if self.rows.is_empty() {
            vec![]
        } else if self.stores.is_empty() {
            self.grid()
        } else {
            self.houses()
        }
    }

    /// Pieces on cells, with the names of rows and columns, and what else matters.
    fn grid(&self) -> Vec<String> {
        let label =
            |row: usize| self.row_names.get(row).map_or(String::new(), |name| format!("{name} "));
        let margin = " ".repeat(label(0).len());
        let cells = |row: usize| (0..self.rows[row].len()).map(move |column| [row, column]);
        let line = |row| {
            let symbols: String =
                cells(row).map(|cell| format!(" {}", self.symbol(cell))).collect();
            format!("{}{symbols}", label(row))
        };
        let mut lines: Vec<String> = (0..self.rows.len()).map(line).collect();
        let names: String = self.column_names.iter().map(|name| format!("{name:>2}")).collect();
        lines.push(format!("{margin}{names}"));
        lines.extend(self.status());
        lines
    }

    fn symbol(&self, [row, column]: Cell) -> String {
        match &self.rows[row][column] {
            Content::Empty => "-".to_owned(),
            Content::Seeds(seeds) => seeds.to_string(),
            Content::Piece(owner) => {
                let side = side_number(owner);
                let bomb = self.bombs.get(owner).and_then(Option::as_ref);
                let is_bomb = bomb.is_some_and(|bomb| bomb.cell == [row, column]);
                style::player(side, if is_bomb { BOMBS[side] } else { PIECES[side] })
            }
        }
    }

    /// What decides how the game goes on, besides the cells.
    fn status(&self) -> Option<String> {
        let hand = |side: &str| self.in_hand.get(side).copied().unwrap_or_default();
        match self.moves_left {
            Some(1) => return Some(" One move left in this turn; x and o are bombs.".to_owned()),
            Some(left) => {
                return Some(format!(" {left} moves left in this turn; x and o are bombs."));
            }
            None => {}
        }
        match self.phase.as_str() {
            "drop" => {
                let [first, second] = SIDES.map(hand);
                Some(format!(" In hand: X {first}, O {second}."))
            }
            "move" => Some(format!(" {} plies without a capture.", self.quiet)),
            _ => None,
        }
    }

    /// Two rows of houses with their numbers, and each player's store at the end of the row: sowing
    /// runs counter-clockwise.
    fn houses(&self) -> Vec<String> {
        const WIDTH: usize = 4;
        let count = self.rows[0].len();
        let row = |row: usize| -> String {
            (0..count).map(|column| format!("{:>WIDTH$}", self.symbol([row, column]))).collect()
        };
        let numbers = |numbers: &mut dyn Iterator<Item = usize>| -> String {
            numbers.map(|number| format!("{:>WIDTH$}", format!("({number})"))).collect()
        };
        let [first, second] = SIDES.map(|side| self.stores.get(side).copied().unwrap_or_default());
        let gap = " ".repeat(count * WIDTH);
        let owner = |side: usize| style::player(side, &format!("Player {}", side + 1));
        vec![
            format!("    {}   {}", numbers(&mut (1..=count).rev()), owner(1)),
            format!("    {}", row(0)),
            format!("{second:>WIDTH$}{gap}{first:>WIDTH$}"),
            format!("    {}", row(1)),
            format!("    {}   {}", numbers(&mut (1..=count)), owner(0)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(json: &str) -> String {
        let board: Board = serde_json::from_str(json).unwrap();
        anstream::adapter::strip_str(&board.lines().join("\n")).to_string()
    }

    #[test]
    fn pieces_are_drawn_with_the_names_of_rows_and_columns() {
        let json = r#"{"rows":[[null,"p1"],["p2",null]],"row_names":["2","1"],
            "column_names":["a","b"],"in_hand":{"p1":3,"p2":2},"phase":"drop"}"#;
        assert_eq!(plain(json), "2  - X\n1  O -\n   a b\n In hand: X 3, O 2.");
        let json = r#"{"rows":[["p1","p2"]],"column_names":["1","2"],"moves_left":2,
            "bombs":{"p1":null,"p2":{"cell":[0,1],"removes":[]}}}"#;
        assert_eq!(plain(json), " X o\n 1 2\n 2 moves left in this turn; x and o are bombs.");
    }

    #[test]
    fn houses_have_numbers_and_owners() {
        let json = r#"{"rows":[[2,2,3],[2,0,3]],"stores":{"p1":1,"p2":12}}"#;
        let drawn = "     (3) (2) (1)   Player 2\n       2   2   3\n  12               1\n       2   0   3\n     (1) (2) (3)   Player 1";
        assert_eq!(plain(json), drawn);
    }

    #[test]
    fn pieces_have_their_players_colours() {
        let board: Board = serde_json::from_str(r#"{"rows":[["p1",null]]}"#).unwrap();
        assert!(board.lines()[0].contains('\u{1b}'));
        assert!(Board::default().lines().is_empty());
    }
}
