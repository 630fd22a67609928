//! The board as text, drawn from the engine's description of it.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::state::{SIDES, side_number};
use crate::style;

/// A cell: its row from the top, and its column from the left.
pub type Cell = [usize; 2];

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
    /// How many moves are left in this turn, in games with turns of several.
    pub moves_left: Option<u32>,
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
    #[serde(default)]
    removes: Vec<Cell>,
}

/// How a board is to be drawn.
pub struct View<'a> {
    /// What the players are called.
    pub names: &'a [String; 2],
    /// The number of the player who sees their own houses below.
    pub bottom: usize,
    /// The columns of the terminal.
    pub width: usize,
    /// The cells to highlight: the last move or the winning line.
    pub marked: &'a [Cell],
    /// Whether the marked cells are the winning line.
    pub is_won: bool,
}

/// The pieces of the two sides.
pub const PIECES: [&str; 2] = ["X", "O"];
const BOMBS: [&str; 2] = ["x", "o"];

/// A cell to be drawn.
struct Drawn {
    text: String,
    /// Whose piece it is.
    side: Option<usize>,
    is_marked: bool,
}

impl Board {
    /// Whether the players have pieces, and not houses.
    pub fn has_pieces(&self) -> bool {
        self.stores.is_empty() && !self.rows.is_empty()
    }

    /// Whether a drawing names columns and rows as explanations do.
    pub fn has_cell_names(&self) -> bool {
        !self.row_names.is_empty()
    }

    /// The seeds in the stores.
    pub fn stores(&self) -> Option<[u32; 2]> {
        let store = |side: &str| self.stores.get(side).copied().unwrap_or_default();
        (!self.stores.is_empty()).then(|| SIDES.map(store))
    }

    /// The lines of the drawing; none if the engine describes no cells.
    pub fn lines(&self, view: &View<'_>) -> Vec<String> {
        match self.stores() {
            _ if self.rows.is_empty() => vec![],
            None => self.grid(view),
            Some(stores) => self.houses(stores, view),
        }
    }

    /// Pieces on cells, with the names of rows and columns, and what else matters.
    fn grid(&self, view: &View<'_>) -> Vec<String> {
        let longest = |names: &[String]| names.iter().map(String::len).max().unwrap_or(0);
        let margin = match longest(&self.row_names) {
            0 => 0,
            length => length + 1,
        };
        let digits = longest(&self.column_names).max(1);
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        // A mark behind the last column needs room, too.
        let room = view.width.saturating_sub(margin + 1);
        let fits = |width: &usize| columns * width <= room;
        let width = [digits + 1, 2].into_iter().find(fits).unwrap_or(1);
        let label = |row: usize| {
            let name = self.row_names.get(row).map_or("", String::as_str);
            format!("{name:<margin$}")
        };
        let line = |row: usize| {
            let cells: Vec<Drawn> =
                (0..self.rows[row].len()).map(|column| self.drawn([row, column], view)).collect();
            let is_marked = cells.iter().any(|cell| cell.is_marked);
            let pointer = if width == 1 && is_marked { "<" } else { "" };
            format!("{}{}{pointer}", label(row), row_text(&cells, width, view.is_won))
        };
        let mut lines: Vec<String> = (0..self.rows.len()).map(line).collect();
        let names = self.column_names.iter().map(|name| format!("{name:>digits$}"));
        let names: Vec<String> = names.collect();
        let blank = " ".repeat(margin);
        if digits < width {
            let cells = names.iter().map(|name| format!("{name:>width$}"));
            lines.push(format!("{blank}{}", cells.collect::<String>()));
        } else {
            // The digits of each name below each other.
            for digit in 0..digits {
                let cells = names.iter().map(|name| format!("{:>width$}", &name[digit..=digit]));
                lines.push(format!("{blank}{}", cells.collect::<String>()));
            }
        }
        // Without room for brackets, the ends of rows and columns point at the marked cells.
        if width == 1 && !view.marked.is_empty() {
            let is_marked = |column: usize| view.marked.iter().any(|cell| cell[1] == column);
            let pointers = (0..columns).map(|column| if is_marked(column) { '^' } else { ' ' });
            let line = format!("{blank}{}", pointers.collect::<String>());
            lines.push(line.trim_end().to_owned());
        }
        lines.extend(self.status());
        lines
    }

    fn drawn(&self, cell @ [row, column]: Cell, view: &View<'_>) -> Drawn {
        let (text, side) = match &self.rows[row][column] {
            Content::Empty => ("-".to_owned(), None),
            Content::Seeds(seeds) => (seeds.to_string(), None),
            Content::Piece(owner) => {
                let side = side_number(owner);
                let bomb = self.bombs.get(owner).and_then(Option::as_ref);
                let is_bomb = bomb.is_some_and(|bomb| bomb.cell == cell);
                let text = if is_bomb { BOMBS[side] } else { PIECES[side] };
                (text.to_owned(), Some(side))
            }
        };
        Drawn { text, side, is_marked: view.marked.contains(&cell) }
    }

    /// What decides how the game goes on, besides the cells.
    fn status(&self) -> Option<String> {
        let bombs = SIDES.iter().zip(BOMBS).filter_map(|(&side, name)| {
            let bomb = self.bombs.get(side)?.as_ref()?;
            Some(format!("{name} would remove {}", bomb.removes.len()))
        });
        let bombs: Vec<String> = bombs.collect();
        if !bombs.is_empty() {
            return Some(format!(" Bombs: {}.", bombs.join(", ")));
        }
        let hand = |side: &str| self.in_hand.get(side).copied().unwrap_or_default();
        match self.phase.as_str() {
            "drop" => {
                let [first, second] = SIDES.map(hand);
                Some(format!(" In hand: X {first}, O {second}."))
            }
            "move" if self.quiet > 0 => {
                let plies = if self.quiet == 1 { "ply" } else { "plies" };
                Some(format!(" {} {plies} without a capture.", self.quiet))
            }
            _ => None,
        }
    }

    /// Two rows of houses with their numbers and owners, and each player's store at the end of the
    /// row: sowing runs counter-clockwise. In a narrow terminal, the stores are between the rows.
    fn houses(&self, stores: [u32; 2], view: &View<'_>) -> Vec<String> {
        let bottom = view.bottom;
        let count = self.rows[0].len();
        let is_wide = (count + 2) * 4 <= view.width;
        let width = if is_wide { 4 } else { 3 };
        let row = |row: usize| -> String {
            let mut cells: Vec<Drawn> =
                (0..count).map(|column| self.drawn([row, column], view)).collect();
            if bottom == 1 {
                cells.reverse();
            }
            row_text(&cells, width, false)
        };
        let numbers = |numbers: &mut dyn Iterator<Item = usize>| -> String {
            let text = |number: usize| match is_wide {
                true => format!("({number})"),
                false => number.to_string(),
            };
            numbers.map(|number| format!("{:>width$}", text(number))).collect()
        };
        let margin = " ".repeat(if is_wide { width } else { 0 });
        let between = if is_wide { count } else { count.saturating_sub(2) };
        let gap = " ".repeat(between * width);
        let store = |side: usize| {
            let text = format!("{:>width$}", stores[side]);
            style::player(side, &text, false)
        };
        let owner = |side: usize, place: &str| {
            format!(" {} (store on the {place})", style::player(side, &view.names[side], false))
        };
        vec![
            owner(1 - bottom, "left"),
            format!("{margin}{}", numbers(&mut (1..=count).rev())),
            format!("{margin}{}", row(bottom)),
            format!("{}{gap}{}", store(1 - bottom), store(bottom)),
            format!("{margin}{}", row(1 - bottom)),
            format!("{margin}{}", numbers(&mut (1..=count))),
            owner(bottom, "right"),
        ]
    }
}

/// Cells side by side, flush right in columns of `width`. Brackets enclose the marked ones, where
/// there is room, and colours show the winning ones.
fn row_text(cells: &[Drawn], width: usize, is_won: bool) -> String {
    let mut line = String::new();
    let mut is_open = false;
    for Drawn { text, side, is_marked } in cells {
        let space = width.saturating_sub(text.len());
        let mut gap = vec![' '; space];
        // Neighbours that are both marked share their brackets.
        if space > 0 && is_open && !(space == 1 && *is_marked) {
            gap[0] = ']';
        }
        if space > 0 && *is_marked && !(space == 1 && is_open) {
            gap[space - 1] = '[';
        }
        line.extend(gap);
        match side {
            // Without room for brackets, the colour has to do.
            Some(side) => line += &style::player(*side, text, *is_marked && (is_won || space == 0)),
            None => line += text,
        }
        is_open = *is_marked;
    }
    if is_open && width > 1 {
        line.push(']');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: usize = 80;

    fn drawn(json: &str, width: usize, bottom: usize, marked: &[Cell]) -> Vec<String> {
        let board: Board = serde_json::from_str(json).unwrap();
        let names = ["You", "Computer"].map(str::to_owned);
        let view = View { names: &names, bottom, width, marked, is_won: false };
        let plain = |line: &String| anstream::adapter::strip_str(line).to_string();
        board.lines(&view).iter().map(plain).collect()
    }

    #[test]
    fn pieces_are_drawn_with_the_names_of_rows_and_columns() {
        let json = r#"{"rows":[[null,"p1"],["p2",null]],"row_names":["2","1"],
            "column_names":["a","b"],"in_hand":{"p1":3,"p2":2},"phase":"drop"}"#;
        let expected = ["2  - X", "1  O -", "   a b", " In hand: X 3, O 2."];
        assert_eq!(drawn(json, WIDE, 0, &[]), expected);
        let json = r#"{"rows":[["p1","p2"]],"column_names":["1","2"],
            "bombs":{"p1":null,"p2":{"cell":[0,1],"removes":[[0,0]]}}}"#;
        assert_eq!(drawn(json, WIDE, 0, &[]), [" X o", " 1 2", " Bombs: o would remove 1."]);
        for (quiet, text) in [(1, "1 ply"), (2, "2 plies")] {
            let json = format!(r#"{{"rows":[["p1"]],"phase":"move","quiet":{quiet}}}"#);
            let last = drawn(&json, WIDE, 0, &[]).pop();
            assert_eq!(last, Some(format!(" {text} without a capture.")));
        }
    }

    #[test]
    fn brackets_mark_cells() {
        let json = r#"{"rows":[["p1","p1","p2",null]],"column_names":["1","2","3","4"]}"#;
        assert_eq!(drawn(json, WIDE, 0, &[[0, 0], [0, 1]])[0], "[X X]O -");
        assert_eq!(drawn(json, WIDE, 0, &[[0, 3]])[0], " X X O[-]");
        assert_eq!(drawn(json, WIDE, 0, &[[0, 1], [0, 3]])[0], " X[X]O[-]");
        let narrow = drawn(json, 5, 0, &[[0, 1]]);
        assert_eq!(narrow, ["XXO-<", "1234", " ^"], "a narrow terminal has no room");
        assert_eq!(drawn(json, 5, 0, &[]), ["XXO-", "1234"]);
    }

    #[test]
    fn wide_boards_fit_the_terminal() {
        let names: Vec<String> = (1..=25).map(|name| format!("\"{name}\"")).collect();
        let cells = ["null"; 25].join(",");
        let json = format!("{{\"rows\":[[{cells}]],\"column_names\":[{}]}}", names.join(","));
        let longest = |width| drawn(&json, width, 0, &[]).iter().map(String::len).max();
        assert_eq!(longest(80), Some(75));
        assert_eq!(longest(75), Some(50));
        assert_eq!(longest(50), Some(25));
        assert_eq!(drawn(&json, 80, 0, &[[0, 24]])[0].len(), 76);
        assert!(drawn(&json, 80, 0, &[])[1].starts_with("  1  2"));
        let stacked = drawn(&json, 60, 0, &[]);
        assert!(stacked[1].ends_with(" 1 2 2 2 2 2 2") && stacked[2].ends_with(" 9 0 1 2 3 4 5"));
    }

    #[test]
    fn houses_have_numbers_and_owners() {
        let json = r#"{"rows":[[2,2,3],[2,0,3]],"stores":{"p1":1,"p2":12}}"#;
        let expected = [
            " Computer (store on the left)",
            "     (3) (2) (1)",
            "       2   2   3",
            "  12               1",
            "       2  [0]  3",
            "     (1) (2) (3)",
            " You (store on the right)",
        ];
        assert_eq!(drawn(json, WIDE, 0, &[[1, 1]]), expected);
        let turned = [
            " You (store on the left)",
            "     (3) (2) (1)",
            "       3  [0]  2",
            "   1              12",
            "       3   2   2",
            "     (1) (2) (3)",
            " Computer (store on the right)",
        ];
        assert_eq!(drawn(json, WIDE, 1, &[[1, 1]]), turned);
        let narrow = [
            " Computer (store on the left)",
            "  3  2  1",
            "  2  2  3",
            " 12     1",
            "  2 [0] 3",
            "  1  2  3",
            " You (store on the right)",
        ];
        assert_eq!(drawn(json, 19, 0, &[[1, 1]]), narrow);
        assert_eq!(drawn(json, 20, 0, &[[1, 1]]), expected);
    }

    #[test]
    fn pieces_have_their_players_colours() {
        let board: Board = serde_json::from_str(r#"{"rows":[["p1",null]]}"#).unwrap();
        let names = ["You", "Computer"].map(str::to_owned);
        let view = View { names: &names, bottom: 0, width: WIDE, marked: &[], is_won: false };
        assert!(board.lines(&view)[0].contains('\u{1b}'));
        assert!(Board::default().lines(&view).is_empty());
    }
}
