//! Text: moves are column numbers from 1 and `boom`, positions are grids with the number of the next
//! move.

use super::bits::{self, SIZE};
use super::board::{Board, MOST_MOVES, Move, Pieces, mover_of};
use crate::game::{Game, Notation, Side};
use crate::games::grid;
use crate::text::{
    escaped, expected, expected_position, is_number, parse_index, parse_number, unexpected,
};

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
        if !is_number(text) {
            return Err(format!("expected a column (1..{SIZE}) or '{BOOM}'"));
        }
        let column = parse_index(text, "column", SIZE)?;
        if self.landing() & bits::column(column) == 0 {
            return Err(format!("column {} is full", column + 1));
        }
        Ok(Move::Drop(column as u8))
    }

    fn position_text(&self) -> String {
        format!("cells {} move {}", self.rows_from_top().join("/"), self.number())
    }

    fn parse_position(&self, words: &[&str]) -> Result<Board, String> {
        let (cells, number) = match *words {
            ["cells", cells, "move", number] => (cells, parse_move_number(number)?),
            ["cells"] => {
                return Err(
                    "expected rows separated by '/' after 'cells', top row first".to_owned()
                );
            }
            ["cells", _] | ["cells", _, "move"] => {
                return Err("expected 'move' and the number of the next move".to_owned());
            }
            ["cells", _, "move", _, word, ..] => return Err(unexpected(word, "the move number")),
            ["cells", _, word, ..] => return Err(expected("'move' after the cells", word)),
            [word, ..] => return Err(expected_position(word, "startpos, cells")),
            [] => return Ok(Board::new()),
        };
        let pieces = parse_pieces(cells)?;
        check_history(&pieces, number)?;
        Ok(Board::from_pieces(pieces, number))
    }

    fn drawing(&self) -> String {
        let rows = self.rows_from_top();
        let mut lines: Vec<String> = rows.iter().map(|row| grid::aligned(row.chars(), 2)).collect();
        lines.push(grid::aligned(1..=SIZE, 2));
        if self.outcome().is_none() {
            lines.push(self.status());
        }
        lines.join("\n")
    }
}

/// The owner of a piece, and whether it is a bomb.
type Piece = (Side, bool);

const SYMBOLS: [(char, Piece); 4] = [
    ('1', (Side::P1, false)),
    ('2', (Side::P2, false)),
    ('4', (Side::P1, true)),
    ('5', (Side::P2, true)),
];

impl Board {
    fn rows_from_top(&self) -> Vec<String> {
        grid::rows_from_top(SIZE, SIZE, |column, row| {
            let cell = bits::cell(column, row);
            let lies_here = |(_, (side, is_bomb)): &(char, Piece)| {
                self.stones(*side) & cell != 0 && (self.bomb(*side) & cell != 0) == *is_bomb
            };
            SYMBOLS.iter().find(|entry| lies_here(entry)).map_or('.', |entry| entry.0)
        })
    }

    /// The last line of the drawing: the move number, the side to move and what it may do.
    fn status(&self) -> String {
        let moves_left = if self.moves_again() { "two moves" } else { "one move" };
        let piece = if self.drops_bomb() { ", the next drop is a bomb" } else { "" };
        format!(" move {}: {}, {moves_left}{piece}", self.number(), self.side_to_move())
    }
}

/// Reads the number of the next move: one more than the moves made.
fn parse_move_number(text: &str) -> Result<u16, String> {
    let last = MOST_MOVES + 1;
    parse_number(text)
        .filter(|number| (1..=last).contains(number))
        .ok_or_else(|| format!("the move number must be 1..{last} (got '{}')", escaped(text)))
}

fn parse_pieces(cells: &str) -> Result<Pieces, String> {
    let piece = |symbol: char| match symbol {
        '.' => Some(None),
        _ => SYMBOLS.iter().find(|entry| entry.0 == symbol).map(|entry| Some(entry.1)),
    };
    let symbols = "'.', a piece (1 or 2) or a bomb (4 or 5)";
    let rows = grid::parse(cells, SIZE, SIZE, piece, symbols)?;
    grid::check_gravity(&rows)?;
    let mut pieces = Pieces::default();
    for (row, cells) in rows.iter().rev().enumerate() {
        for (column, &piece) in cells.iter().enumerate() {
            let Some((side, is_bomb)) = piece else { continue };
            let cell = bits::cell(column, row);
            pieces.stones[side.index()] |= cell;
            if is_bomb {
                if pieces.bombs[side.index()] != 0 {
                    return Err(format!("{side} has two bombs (at most one is allowed)"));
                }
                pieces.bombs[side.index()] = cell;
            }
        }
    }
    Ok(pieces)
}

/// Checks that these pieces can have been dropped before the move with this number.
fn check_history(pieces: &Pieces, number: u16) -> Result<(), String> {
    for side in [Side::P1, Side::P2] {
        let count = pieces.stones[side.index()].count_ones() as usize;
        let moves = (1..number).filter(|&past| mover_of(past) == side).count();
        if count > moves {
            return Err(format!(
                "pieces of {side}: {count} (at most {moves} before move {number})"
            ));
        }
        let first_bomb = match side {
            Side::P1 => 12,
            Side::P2 => 14,
        };
        if pieces.bombs[side.index()] != 0 && number <= first_bomb {
            return Err(format!(
                "{side} has a bomb before move {number} (its first is dropped by move {first_bomb})"
            ));
        }
    }
    Ok(())
}
