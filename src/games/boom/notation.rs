//! Text: columns from 1 and `boom`, and grids with the number of the next move.

use super::bits::{self, SIZE};
use super::board::{Board, MOST_MOVES, Move, Pieces, mover_of};
use crate::game::{Game, Notation, Side};
use crate::games::grid;
use crate::text::{escaped, expected_position};

const BOOM: &str = "boom";

impl Notation for Board {
    fn move_text(&self, mv: Move) -> String {
        match mv {
            Move::Drop(column) => (column + 1).to_string(),
            Move::Boom => BOOM.to_owned(),
        }
    }

    fn parse_move(&self, text: &str) -> Result<Move, String> {
        if text == BOOM {
            return if self.bomb(self.side_to_move()) == 0 {
                Err(format!("{} has no bomb on the board", self.side_to_move()))
            } else {
                Ok(Move::Boom)
            };
        }
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number {
            return Err(format!("not a move: a column from 1 to {SIZE}, or {BOOM}"));
        }
        match text.parse::<usize>() {
            Ok(column) if (1..=SIZE).contains(&column) => {
                if self.landing() & bits::column(column - 1) == 0 {
                    return Err(format!("column {column} is full"));
                }
                Ok(Move::Drop((column - 1) as u8))
            }
            _ => Err(format!("no such column: they go from 1 to {SIZE}")),
        }
    }

    fn position_text(&self) -> String {
        let rows = grid::rows_from_top(SIZE, SIZE, |column, row| {
            self.piece(column, row).map_or('.', symbol)
        });
        format!("cells {} move {}", rows.join("/"), self.number())
    }

    fn parse_position(&self, words: &[&str]) -> Result<Board, String> {
        let (cells, number) = match *words {
            ["cells", cells, "move", number] => (cells, parse_number(number)?),
            ["cells"] => return Err("'cells' wants its rows from the top, '/' between".to_owned()),
            ["cells", _] | ["cells", _, "move"] => {
                return Err(
                    "'move' and the number of the next move must follow the cells".to_owned()
                );
            }
            ["cells", _, "move", _, word, ..] => {
                return Err(format!("unexpected '{}' after the move number", escaped(word)));
            }
            ["cells", _, word, ..] => {
                return Err(format!("'{}' follows the cells: it must be 'move'", escaped(word)));
            }
            [word, ..] => return Err(expected_position(word, "startpos, cells")),
            [] => return Ok(Board::new()),
        };
        let pieces = parse_pieces(cells)?;
        check_past(&pieces, number)?;
        Ok(Board::from_pieces(pieces, number))
    }

    fn drawing(&self) -> String {
        let rows = grid::rows_from_top(SIZE, SIZE, |column, row| {
            self.piece(column, row).map_or('.', symbol)
        });
        let spaced =
            |row: &String| -> String { row.chars().map(|cell| format!(" {cell}")).collect() };
        let mut lines: Vec<String> = rows.iter().map(spaced).collect();
        lines.push((1..=SIZE).map(|column| format!(" {column}")).collect());
        if self.outcome().is_none() {
            lines.push(self.what_comes_next());
        }
        lines.join("\n")
    }
}

/// A piece of a side, and whether it is a bomb.
type Piece = (Side, bool);

fn symbol(piece: Piece) -> char {
    match piece {
        (Side::P1, false) => '1',
        (Side::P2, false) => '2',
        (Side::P1, true) => '4',
        (Side::P2, true) => '5',
    }
}

impl Board {
    fn piece(&self, column: usize, row: usize) -> Option<Piece> {
        let cell = bits::cell(column, row);
        [Side::P1, Side::P2]
            .into_iter()
            .find(|&side| self.stones(side) & cell != 0)
            .map(|side| (side, self.bomb(side) & cell != 0))
    }

    fn what_comes_next(&self) -> String {
        let place = if self.moves_again() { "two moves" } else { "one move" };
        let piece = if self.drops_bomb() { ", the next drop is a bomb" } else { "" };
        format!(" move {}: {}, {place}{piece}", self.number(), self.side_to_move())
    }
}

/// The number of the next move: one more than the moves made.
fn parse_number(text: &str) -> Result<u16, String> {
    let last = MOST_MOVES + 1;
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|number| (1..=last).contains(number));
    number
        .filter(|_| digits)
        .ok_or_else(|| format!("'{}' is no move number: they go from 1 to {last}", escaped(text)))
}

fn parse_pieces(cells: &str) -> Result<Pieces, String> {
    let piece = |symbol: char| match symbol {
        '.' => Some(None),
        '1' => Some(Some((Side::P1, false))),
        '2' => Some(Some((Side::P2, false))),
        '4' => Some(Some((Side::P1, true))),
        '5' => Some(Some((Side::P2, true))),
        _ => None,
    };
    let known = "'.', a piece 1 or 2, or a bomb 4 or 5";
    let rows = grid::parse(cells, SIZE, SIZE, piece, known)?;
    let mut pieces = Pieces::default();
    for (height, row) in rows.iter().rev().enumerate() {
        for (column, &piece) in row.iter().enumerate() {
            let Some((side, is_bomb)) = piece else { continue };
            let cell = bits::cell(column, height);
            if height > 0 && pieces.occupied() & cell >> 1 == 0 {
                let (column, row) = (column + 1, height + 1);
                return Err(format!(
                    "the piece in column {column}, row {row} floats above an empty cell"
                ));
            }
            pieces.stones[side.index()] |= cell;
            if is_bomb {
                if pieces.bombs[side.index()] != 0 {
                    return Err(format!("{side} has two bombs: nobody ever has more than one"));
                }
                pieces.bombs[side.index()] = cell;
            }
        }
    }
    Ok(pieces)
}

/// Whether so many pieces can have been dropped before the move with this number.
fn check_past(pieces: &Pieces, number: u16) -> Result<(), String> {
    for side in [Side::P1, Side::P2] {
        let count = pieces.stones[side.index()].count_ones() as usize;
        let made = (1..number).filter(|&past| mover_of(past) == side).count();
        if count > made {
            return Err(format!(
                "{side} has {count} pieces but made only {made} moves before move {number}"
            ));
        }
        let first_bomb = match side {
            Side::P1 => 12,
            Side::P2 => 14,
        };
        if pieces.bombs[side.index()] != 0 && number <= first_bomb {
            return Err(format!(
                "{side} has a bomb before move {number}, but its first comes with move {first_bomb}"
            ));
        }
    }
    Ok(())
}
