//! Text: moves are `c3` (drop), `a2b2` (step), `a2b2xc4` (step with capture) and `pass`; positions
//! are grids with the side to move, the phase, and the moves that matter for repetition.

use super::bits::{self, COLUMNS, ROWS};
use super::board::{Board, MOST_QUIET, Move, Phase, STONES};
use crate::game::{Game, Notation, Outcome, Side};
use crate::games::grid;
use crate::text::{escaped, expected, expected_position, parse_number, unexpected};

const PASS: &str = "pass";
const FORM: &str = "cells ROWS SIDE drop, or cells ROWS SIDE move [quiet PLIES] [after MOVES]";

impl Notation for Board {
    fn move_text(&self, mv: Move) -> String {
        move_text(mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, String> {
        let wanted = read_move(text)?;
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
                let moves: Vec<String> = self.quiet_moves().map(move_text).collect();
                if !moves.is_empty() {
                    text.push_str(&format!(" after {}", moves.join(" ")));
                }
            }
        }
        text
    }

    fn parse_position(&self, words: &[&str]) -> Result<Board, String> {
        let (cells, side, rest) = match *words {
            [] => return Ok(Board::new()),
            ["cells", cells, side, ref rest @ ..] => (cells, grid::parse_side(side)?, rest),
            ["cells", ..] => return Err(format!("expected {FORM}")),
            [word, ..] => return Err(expected_position(word, "startpos, cells")),
        };
        let stones = parse_stones(cells)?;
        match *rest {
            ["drop"] => drop_position(stones, side),
            ["drop", word, ..] => Err(unexpected(word, "'drop'")),
            ["move", ref rest @ ..] => move_position(stones, side, rest),
            [word, ..] => Err(expected("a phase (drop or move)", word)),
            [] => Err(format!("expected a phase after the side to move: {FORM}")),
        }
    }

    fn drawing(&self) -> String {
        let rows = self.rows_from_top('-');
        let numbered = rows.iter().zip((1..=ROWS).rev());
        let mut lines: Vec<String> = numbered
            .map(|(row, number)| format!("{number} {}", grid::aligned(row.chars(), 2)))
            .collect();
        lines.push(format!("  {}", grid::aligned((0..COLUMNS).map(letter), 2)));
        if self.outcome().is_none() {
            lines.push(self.status());
        }
        lines.join("\n")
    }
}

impl Board {
    fn rows_from_top(&self, empty: char) -> Vec<String> {
        grid::rows_from_top(ROWS, COLUMNS, |column, row| {
            let cell = 1 << (row * COLUMNS + column);
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

fn cell_text(cell: u8) -> String {
    let cell = usize::from(cell);
    format!("{}{}", letter(cell % COLUMNS), cell / COLUMNS + 1)
}

fn move_text(mv: Move) -> String {
    match mv {
        Move::Drop(cell) => cell_text(cell),
        Move::Step { from, to, captured } => {
            let capture = captured.map_or(String::new(), |cell| format!("x{}", cell_text(cell)));
            format!("{}{}{capture}", cell_text(from), cell_text(to))
        }
        Move::Pass => PASS.to_owned(),
    }
}

/// The move that `text` names, legal or not.
fn read_move(text: &str) -> Result<Move, String> {
    let bytes = text.as_bytes();
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
        "expected c3 (drop), a2b2 (step), a2b2xc4 (step with capture) or pass, with cells a1..f5"
            .to_owned()
    })
}

fn step(from: Option<u8>, to: Option<u8>, captured: Option<u8>) -> Option<Move> {
    Some(Move::Step { from: from?, to: to?, captured })
}

fn read_cell(letter: u8, digit: u8) -> Option<u8> {
    let column = usize::from(letter.checked_sub(b'a')?);
    let row = usize::from(digit.checked_sub(b'1')?);
    (column < COLUMNS && row < ROWS).then_some((row * COLUMNS + column) as u8)
}

/// Why a well-formed move is illegal here.
fn why_illegal(board: &Board, wanted: Move, legal: &[Move]) -> String {
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
        (_, Move::Step { from, to, .. }) if bits::around(1 << from) >> to & 1 == 0 => {
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

fn parse_stones(cells: &str) -> Result<[u32; 2], String> {
    let cell = |symbol: char| match symbol {
        '.' => Some(None),
        '1' => Some(Some(Side::P1)),
        '2' => Some(Some(Side::P2)),
        _ => None,
    };
    let rows = grid::parse(cells, ROWS, COLUMNS, cell, "'.', 1 or 2")?;
    let mut stones = [0u32; 2];
    for (place, stone) in rows.iter().rev().flatten().enumerate() {
        if let Some(side) = stone {
            stones[side.index()] |= 1 << place;
        }
    }
    for (stones, side) in stones.iter().zip([Side::P1, Side::P2]) {
        let count = stones.count_ones();
        if count > STONES {
            return Err(format!("{side} has {count} stones (at most {STONES})"));
        }
    }
    Ok(stones)
}

fn drop_position(stones: [u32; 2], side: Side) -> Result<Board, String> {
    for (stones, side) in stones.into_iter().zip([Side::P1, Side::P2]) {
        let adjacent = stones & bits::around(stones);
        if adjacent != 0 {
            return Err(format!(
                "the stone of {side} on {} is next to another one, which no drop allows",
                cell_text(adjacent.trailing_zeros() as u8)
            ));
        }
    }
    let board = Board::from_stones(stones, side, Phase::Drop, 0);
    if board.drops(Side::P1) | board.drops(Side::P2) == 0 {
        return Err("neither side can drop: expected the phase 'move'".to_owned());
    }
    Ok(board)
}

/// A position of the move phase from the words after `move`.
fn move_position(stones: [u32; 2], side: Side, words: &[&str]) -> Result<Board, String> {
    let (quiet, after) = match *words {
        [] => (0, &[][..]),
        ["quiet", plies] => (parse_quiet(plies)?, &[][..]),
        ["quiet", plies, "after", ref moves @ ..] => (parse_quiet(plies)?, moves),
        ["after", ref moves @ ..] => (moves.len().min(usize::from(u16::MAX)) as u16, moves),
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
        .map(|text| read_move(text).map_err(|reason| format!("'{}': {reason}", escaped(text))))
        .collect::<Result<_, _>>()?;
    let (stones, side) = retracted(stones, side, &moves)?;
    let before = quiet - count as u16;
    replayed(Board::from_stones(stones, side, Phase::Move, before), &moves)
}

fn parse_quiet(text: &str) -> Result<u16, String> {
    parse_number(text)
        .filter(|&plies| plies <= MOST_QUIET)
        .ok_or_else(|| format!("quiet must be 0..{MOST_QUIET} (got '{}')", escaped(text)))
}

/// The stones and the side to move before these quiet moves, which led to `stones`.
fn retracted(
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
                        move_text(mv),
                        cell_text(to),
                        cell_text(from)
                    ));
                }
                *own ^= 1 << to | 1 << from;
            }
            Move::Drop(_) | Move::Step { .. } => {
                return Err(expected("steps without captures after 'after'", &move_text(mv)));
            }
        }
    }
    Ok((stones, side))
}

fn replayed(mut board: Board, moves: &[Move]) -> Result<Board, String> {
    for (index, &mv) in moves.iter().enumerate() {
        let result = match board.outcome() {
            Some(Outcome::Draw) => Err("the game is already drawn".to_owned()),
            Some(Outcome::Win(_)) => Err("the game is already won".to_owned()),
            None => board.parse_move(&move_text(mv)),
        };
        result.map_err(|reason| {
            format!("move {} after 'after', '{}': {reason}", index + 1, move_text(mv))
        })?;
        board.play(mv);
    }
    Ok(board)
}
