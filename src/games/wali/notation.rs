//! Text: moves are `c3` (drop), `a2b2` (step), `a2b2xc4` (step with capture) and `pass`; positions
//! are grids with the side to move, the phase, and the moves that matter for repetition.

use super::bits::Shape;
use super::board::{Board, MOST_QUIET, Move, Phase};
use crate::game::{Game, Notation, Outcome, Side};
use crate::games::grid;
use crate::text::{escaped, expected, expected_position, parse_number, unexpected};

const PASS: &str = "pass";
const FORM: &str = "cells ROWS SIDE drop, or cells ROWS SIDE move [quiet PLIES] [after MOVES]";

impl<S: Shape> Notation for Board<S> {
    fn move_text(&self, mv: Move) -> String {
        move_text(self.shape(), mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, String> {
        let wanted = read_move(self.shape(), text)?;
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        if moves.contains(&wanted) { Ok(wanted) } else { Err(why_illegal(self, wanted, &moves)) }
    }

    fn position_text(&self) -> String {
        let rows = self.rows_from_top('.');
        let mut text = format!("cells {} {}", rows.join("/"), self.side_to_move());
        match self.phase() {
            Phase::Drop => text.push_str(" drop"),
            Phase::Move => {
                text.push_str(" move");
                if self.quiet() > 0 {
                    text.push_str(&format!(" quiet {}", self.quiet()));
                }
                let moves: Vec<String> =
                    self.quiet_moves().map(|mv| move_text(self.shape(), mv)).collect();
                if !moves.is_empty() {
                    text.push_str(&format!(" after {}", moves.join(" ")));
                }
            }
        }
        text
    }

    fn parse_position(&self, words: &[&str]) -> Result<Board<S>, String> {
        let shape = self.shape();
        let (cells, side, rest) = match *words {
            [] => return Ok(Board::empty_board(shape)),
            ["cells", cells, side, ref rest @ ..] => (cells, grid::parse_side(side)?, rest),
            ["cells", ..] => return Err(format!("expected {FORM}")),
            [word, ..] => return Err(expected_position(word, "startpos, cells")),
        };
        let stones = parse_stones(shape, cells)?;
        match *rest {
            ["drop"] => drop_position(shape, stones, side),
            ["drop", word, ..] => Err(unexpected(word, "'drop'")),
            ["move", ref rest @ ..] => move_position(shape, stones, side, rest),
            [word, ..] => Err(expected("a phase (drop or move)", word)),
            [] => Err(format!("expected a phase after the side to move: {FORM}")),
        }
    }

    fn drawing(&self) -> String {
        let rows = self.rows_from_top('-');
        let (height, width) = (self.shape().rows(), self.shape().columns());
        let numbered = rows.iter().zip((1..=height).rev());
        let mut lines: Vec<String> = numbered
            .map(|(row, number)| format!("{number} {}", grid::aligned(row.chars(), 2)))
            .collect();
        lines.push(format!("  {}", grid::aligned((0..width).map(letter), 2)));
        if self.outcome().is_none() {
            lines.push(self.status());
        }
        lines.join("\n")
    }
}

impl<S: Shape> Board<S> {
    fn rows_from_top(&self, empty: char) -> Vec<String> {
        let (rows, columns) = (self.shape().rows(), self.shape().columns());
        grid::rows_from_top(rows, columns, |column, row| {
            let cell = 1 << (row * columns + column);
            if self.stones(Side::P1) & cell != 0 {
                '1'
            } else if self.stones(Side::P2) & cell != 0 {
                '2'
            } else {
                empty
            }
        })
    }

    /// The last line of the drawing: the side to move, and what decides how the phase goes on.
    fn status(&self) -> String {
        let side = self.side_to_move();
        match self.phase() {
            Phase::Drop => format!(
                "{side} drops; in hand: p1 {}, p2 {}",
                self.in_hand(Side::P1),
                self.in_hand(Side::P2)
            ),
            Phase::Move => format!("{side} moves; plies without a capture: {}", self.quiet()),
        }
    }
}

fn letter(column: usize) -> char {
    char::from(b'a' + column as u8)
}

fn cell_text<S: Shape>(shape: S, cell: u8) -> String {
    let (cell, columns) = (usize::from(cell), shape.columns());
    format!("{}{}", letter(cell % columns), cell / columns + 1)
}

fn move_text<S: Shape>(shape: S, mv: Move) -> String {
    match mv {
        Move::Drop(cell) => cell_text(shape, cell),
        Move::Step { from, to, captured } => {
            let capture =
                captured.map_or(String::new(), |cell| format!("x{}", cell_text(shape, cell)));
            format!("{}{}{capture}", cell_text(shape, from), cell_text(shape, to))
        }
        Move::Pass => PASS.to_owned(),
    }
}

/// The move that `text` names, legal or not.
fn read_move<S: Shape>(shape: S, text: &str) -> Result<Move, String> {
    let bytes = text.as_bytes();
    let read_cell = |letter, digit| read_cell(shape, letter, digit);
    let mv = match *bytes {
        [a, b] => read_cell(a, b).map(Move::Drop),
        [a, b, c, d] if text != PASS => step(read_cell(a, b), read_cell(c, d), None),
        [a, b, c, d, b'x', e, f] => match read_cell(e, f) {
            Some(cell) => step(read_cell(a, b), read_cell(c, d), Some(cell)),
            None => None,
        },
        _ if text == PASS => Some(Move::Pass),
        _ => None,
    };
    mv.ok_or_else(|| {
        let last = cell_text(shape, shape.cells() as u8 - 1);
        format!(
            "expected c3 (drop), a2b2 (step), a2b2xc4 (step with capture) or pass, \
             with cells a1..{last}"
        )
    })
}

fn step(from: Option<u8>, to: Option<u8>, captured: Option<u8>) -> Option<Move> {
    Some(Move::Step { from: from?, to: to?, captured })
}

fn read_cell<S: Shape>(shape: S, letter: u8, digit: u8) -> Option<u8> {
    let column = usize::from(letter.checked_sub(b'a')?);
    let row = usize::from(digit.checked_sub(b'1')?);
    let is_on_board = column < shape.columns() && row < shape.rows();
    is_on_board.then(|| (row * shape.columns() + column) as u8)
}

/// Why a well-formed move is illegal here.
fn why_illegal<S: Shape>(board: &Board<S>, wanted: Move, legal: &[Move]) -> String {
    let cell_text = |cell| cell_text(board.shape(), cell);
    let side = board.side_to_move();
    let own = board.stones(side);
    let is_empty = |cell: u8| board.empty() >> cell & 1 == 1;
    if legal == [Move::Pass] {
        return format!("{side} can only pass");
    }
    match (board.phase(), wanted) {
        (_, Move::Pass) => format!("{side} cannot pass while another move is legal"),
        (Phase::Drop, Move::Step { .. }) => "expected a drop in the drop phase".to_owned(),
        (Phase::Move, Move::Drop(_)) => "expected a step in the move phase".to_owned(),
        (_, Move::Drop(cell) | Move::Step { to: cell, .. }) if !is_empty(cell) => {
            format!("{} is occupied", cell_text(cell))
        }
        (_, Move::Drop(cell)) => format!("{} is next to a stone of {side}", cell_text(cell)),
        (_, Move::Step { from, .. }) if own >> from & 1 == 0 => {
            format!("{side} has no stone on {}", cell_text(from))
        }
        (_, Move::Step { from, to, .. }) if board.shape().around(1 << from) >> to & 1 == 0 => {
            format!("{} is not next to {}", cell_text(to), cell_text(from))
        }
        (_, Move::Step { captured: None, .. }) => {
            "the step makes three and must capture: add x and the cell of an enemy stone".to_owned()
        }
        (_, Move::Step { captured: Some(cell), .. }) if board.stones(!side) >> cell & 1 == 0 => {
            format!("{} has no stone on {}", !side, cell_text(cell))
        }
        (_, Move::Step { .. }) => {
            "the step does not make exactly three, so it cannot capture".to_owned()
        }
    }
}

fn parse_stones<S: Shape>(shape: S, cells: &str) -> Result<[u32; 2], String> {
    let cell = |symbol: char| match symbol {
        '.' => Some(None),
        '1' => Some(Some(Side::P1)),
        '2' => Some(Some(Side::P2)),
        _ => None,
    };
    let rows = grid::parse(cells, shape.rows(), shape.columns(), cell, "'.', 1 or 2")?;
    let mut stones = [0u32; 2];
    for (place, stone) in rows.iter().rev().flatten().enumerate() {
        if let Some(side) = stone {
            stones[side.index()] |= 1 << place;
        }
    }
    for (stones, side) in stones.iter().zip([Side::P1, Side::P2]) {
        let (count, most) = (stones.count_ones(), shape.stones());
        if count > most {
            return Err(format!("{side} has {count} stones (at most {most})"));
        }
    }
    Ok(stones)
}

fn drop_position<S: Shape>(shape: S, stones: [u32; 2], side: Side) -> Result<Board<S>, String> {
    for (stones, side) in stones.into_iter().zip([Side::P1, Side::P2]) {
        let adjacent = stones & shape.around(stones);
        if adjacent != 0 {
            return Err(format!(
                "the stone of {side} on {} is next to another one, which no drop allows",
                cell_text(shape, adjacent.trailing_zeros() as u8)
            ));
        }
    }
    let board = Board::from_stones(shape, stones, side, Phase::Drop, 0);
    if board.drops(Side::P1) | board.drops(Side::P2) == 0 {
        return Err("neither side can drop: expected the phase 'move'".to_owned());
    }
    Ok(board)
}

/// A position of the move phase from the words after `move`.
fn move_position<S: Shape>(
    shape: S,
    stones: [u32; 2],
    side: Side,
    words: &[&str],
) -> Result<Board<S>, String> {
    let (quiet, after) = match *words {
        [] => (0, &[][..]),
        ["quiet", plies] => (parse_quiet(plies)?, &[][..]),
        ["quiet", plies, "after", ref moves @ ..] => (parse_quiet(plies)?, moves),
        ["after", ref moves @ ..] => (moves.len().min(usize::from(u16::MAX)) as u16, moves),
        ["quiet"] => return Err(format!("expected a number after 'quiet' ({FORM})")),
        ["quiet", _, word, ..] | [word, ..] => {
            return Err(format!("unexpected '{}' (expected {FORM})", escaped(word)));
        }
    };
    if stones == [0; 2] {
        return Err("expected at least one stone in the move phase".to_owned());
    }
    let (count, most) = (after.len(), quiet.min(MOST_QUIET));
    if count > usize::from(most) {
        return Err(format!("too many moves after 'after' (got {count}, at most {most})"));
    }
    let moves: Vec<Move> = after
        .iter()
        .map(|text| {
            read_move(shape, text).map_err(|reason| format!("'{}': {reason}", escaped(text)))
        })
        .collect::<Result<_, _>>()?;
    let (stones, side) = retracted(shape, stones, side, &moves)?;
    let before = quiet - count as u16;
    replayed(Board::from_stones(shape, stones, side, Phase::Move, before), &moves)
}

fn parse_quiet(text: &str) -> Result<u16, String> {
    parse_number(text)
        .filter(|&plies| plies <= MOST_QUIET)
        .ok_or_else(|| format!("quiet must be 0..{MOST_QUIET} (got '{}')", escaped(text)))
}

/// The stones and the side to move before these quiet moves, which led to `stones`.
fn retracted<S: Shape>(
    shape: S,
    mut stones: [u32; 2],
    mut side: Side,
    moves: &[Move],
) -> Result<([u32; 2], Side), String> {
    for &mv in moves.iter().rev() {
        side = !side;
        match mv {
            Move::Pass => {}
            Move::Step { from, to, captured: None } => {
                let occupied = stones[0] | stones[1];
                let own = &mut stones[side.index()];
                if *own >> to & 1 == 0 || occupied >> from & 1 == 1 {
                    return Err(format!(
                        "'{}' after 'after' does not lead here: expected {side} on {} and {} empty",
                        move_text(shape, mv),
                        cell_text(shape, to),
                        cell_text(shape, from)
                    ));
                }
                *own ^= 1 << to | 1 << from;
            }
            Move::Drop(_) | Move::Step { .. } => {
                return Err(expected(
                    "steps without captures after 'after'",
                    &move_text(shape, mv),
                ));
            }
        }
    }
    Ok((stones, side))
}

fn replayed<S: Shape>(mut board: Board<S>, moves: &[Move]) -> Result<Board<S>, String> {
    for (index, &mv) in moves.iter().enumerate() {
        let text = move_text(board.shape(), mv);
        let result = match board.outcome() {
            Some(Outcome::Draw) => Err("the game is already drawn".to_owned()),
            Some(Outcome::Win(_)) => Err("the game is already won".to_owned()),
            None => board.parse_move(&text),
        };
        result.map_err(|reason| format!("move {} after 'after', '{text}': {reason}", index + 1))?;
        board.play(mv);
    }
    Ok(board)
}
