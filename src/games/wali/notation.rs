//! Text: `c3` drops, `a2b2` steps, `a2b2xc4` steps and takes, `pass` passes; and grids with the
//! side to move, the phase, and what repetition must remember.

use super::bits::{self, COLUMNS, ROWS};
use super::board::{Board, MOST_QUIET, Move, Phase, STONES};
use crate::game::{Game, Notation, Outcome, Side};
use crate::games::grid;
use crate::text::{escaped, expected_position};

const PASS: &str = "pass";
const FORM: &str = "cells ROWS SIDE drop, or cells ROWS SIDE move [quiet PLIES] [after MOVES]";

impl Notation for Board {
    fn move_text(&self, mv: Move) -> String {
        text_of(mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, String> {
        let wanted = read_move(text)?;
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        if moves.contains(&wanted) { Ok(wanted) } else { Err(why_illegal(self, wanted, &moves)) }
    }

    fn position_text(&self) -> String {
        let rows = grid::rows_from_top(ROWS, COLUMNS, |column, row| self.picture(column, row, '.'));
        let mut text = format!("cells {} {}", rows.join("/"), self.side_to_move());
        match self.phase() {
            Phase::Drop => text.push_str(" drop"),
            Phase::Move => {
                text.push_str(" move");
                if self.quiet() > 0 {
                    text.push_str(&format!(" quiet {}", self.quiet()));
                }
                let moves: Vec<String> = self.quiet_moves().map(text_of).collect();
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
            ["cells", cells, "p1", ref rest @ ..] => (cells, Side::P1, rest),
            ["cells", cells, "p2", ref rest @ ..] => (cells, Side::P2, rest),
            ["cells", _, word, ..] => {
                return Err(format!("'{}' is no side to move: p1 or p2", escaped(word)));
            }
            ["cells", ..] => return Err(format!("words are missing: {FORM}")),
            [word, ..] => return Err(expected_position(word, "startpos, cells")),
        };
        let stones = parse_stones(cells)?;
        match *rest {
            ["drop"] => drop_position(stones, side),
            ["drop", word, ..] => Err(format!("unexpected '{}' after 'drop'", escaped(word))),
            ["move", ref rest @ ..] => move_position(stones, side, rest),
            [word, ..] => Err(format!("'{}' is no phase: drop or move", escaped(word))),
            [] => Err(format!("the phase is missing: {FORM}")),
        }
    }

    fn drawing(&self) -> String {
        let rows = grid::rows_from_top(ROWS, COLUMNS, |column, row| self.picture(column, row, '-'));
        let numbered = rows.iter().zip((1..=ROWS).rev()).map(|(row, number)| {
            let cells: String = row.chars().map(|cell| format!(" {cell}")).collect();
            format!("{number} {cells}")
        });
        let mut lines: Vec<String> = numbered.collect();
        let letters = (0..COLUMNS).map(|column| format!(" {}", letter(column)));
        lines.push(format!("  {}", letters.collect::<String>()));
        if self.outcome().is_none() {
            lines.push(self.what_comes_next());
        }
        lines.join("\n")
    }
}

impl Board {
    fn picture(&self, column: usize, row: usize, empty: char) -> char {
        let cell = 1 << (row * COLUMNS + column);
        if self.stones(Side::P1) & cell != 0 {
            '1'
        } else if self.stones(Side::P2) & cell != 0 {
            '2'
        } else {
            empty
        }
    }

    fn what_comes_next(&self) -> String {
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

fn text_of(mv: Move) -> String {
    match mv {
        Move::Drop(cell) => cell_text(cell),
        Move::Step { from, to, captured } => {
            let taken = captured.map_or(String::new(), |cell| format!("x{}", cell_text(cell)));
            format!("{}{}{taken}", cell_text(from), cell_text(to))
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
        "not a move: c3 drops, a2b2 steps, a2b2xc4 steps and takes, or pass; cells go from a1 to f5"
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

/// Why a well-written move cannot be played here.
fn why_illegal(board: &Board, wanted: Move, legal: &[Move]) -> String {
    let side = board.side_to_move();
    let own = board.stones(side);
    let is_empty = |cell: u8| board.empty() >> cell & 1 == 1;
    if legal == [Move::Pass] {
        return format!("{side} can only pass");
    }
    match (board.phase(), wanted) {
        (_, Move::Pass) => format!("{side} may not pass while there is another move"),
        (Phase::Drop, Move::Step { .. }) => "stones are still being dropped".to_owned(),
        (Phase::Move, Move::Drop(_)) => "no more stones are dropped: they move".to_owned(),
        (_, Move::Drop(cell)) if !is_empty(cell) => format!("{} is not empty", cell_text(cell)),
        (_, Move::Drop(cell)) => format!("{} touches a stone of {side}", cell_text(cell)),
        (_, Move::Step { from, .. }) if own >> from & 1 == 0 => {
            format!("{side} has no stone on {}", cell_text(from))
        }
        (_, Move::Step { from, to, .. }) if bits::around(1 << from) >> to & 1 == 0 => {
            format!("{} is not next to {}", cell_text(to), cell_text(from))
        }
        (_, Move::Step { to, .. }) if !is_empty(to) => format!("{} is not empty", cell_text(to)),
        (_, Move::Step { captured: None, .. }) => {
            "it makes three, so an enemy stone must be taken: add x and its cell".to_owned()
        }
        (_, Move::Step { captured: Some(cell), .. }) => {
            if board.stones(!side) >> cell & 1 == 0 {
                format!("there is no enemy stone on {}", cell_text(cell))
            } else {
                "it does not make exactly three, so nothing is taken".to_owned()
            }
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
    let rows = grid::parse(cells, ROWS, COLUMNS, cell, "'.', or a stone 1 or 2")?;
    let mut stones = [0u32; 2];
    for (place, stone) in rows.iter().rev().flatten().enumerate() {
        if let Some(side) = stone {
            stones[side.index()] |= 1 << place;
        }
    }
    for (stones, side) in stones.iter().zip([Side::P1, Side::P2]) {
        let count = stones.count_ones();
        if count > STONES {
            return Err(format!("{side} has {count} stones: nobody has more than {STONES}"));
        }
    }
    Ok(stones)
}

fn drop_position(stones: [u32; 2], side: Side) -> Result<Board, String> {
    for (stones, side) in stones.into_iter().zip([Side::P1, Side::P2]) {
        let touching = stones & bits::around(stones);
        if touching != 0 {
            return Err(format!(
                "the stone of {side} on {} touches another one of {side}, which no drop allows",
                cell_text(touching.trailing_zeros() as u8)
            ));
        }
    }
    let board = Board::from_stones(stones, side, Phase::Drop, 0);
    if board.drops(Side::P1) | board.drops(Side::P2) == 0 {
        return Err("nobody can drop any more: the phase is 'move'".to_owned());
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
            return Err(format!("unexpected '{}': {FORM}", escaped(word)));
        }
    };
    if stones == [0; 2] {
        return Err("nobody has a stone: one player must have".to_owned());
    }
    if after.len() > usize::from(quiet) || quiet > MOST_QUIET {
        return Err(format!(
            "{} moves after {quiet} plies without a capture: no more than those, and those no \
             more than {MOST_QUIET}",
            after.len()
        ));
    }
    let moves: Vec<Move> = after
        .iter()
        .map(|text| read_move(text).map_err(|reason| format!("'{}': {reason}", escaped(text))))
        .collect::<Result<_, _>>()?;
    let start = taken_back(stones, side, &moves)?;
    let before = quiet - after.len() as u16;
    let (stones, side) = start;
    replayed(Board::from_stones(stones, side, Phase::Move, before), &moves)
}

fn parse_quiet(text: &str) -> Result<u16, String> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|plies| digits && *plies <= MOST_QUIET).ok_or_else(|| {
        format!(
            "'{}' is no number of plies without a capture: from 0 to {MOST_QUIET}",
            escaped(text)
        )
    })
}

/// The stones and the side to move before these quiet moves, which led to `stones`.
fn taken_back(
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
                        "'{}' after 'after' did not lead here: {side} must stand on {} and nobody on {}",
                        text_of(mv),
                        cell_text(to),
                        cell_text(from)
                    ));
                }
                *own ^= 1 << to | 1 << from;
            }
            Move::Drop(_) | Move::Step { .. } => {
                return Err(format!(
                    "'{}' after 'after' is no step without a capture",
                    text_of(mv)
                ));
            }
        }
    }
    Ok((stones, side))
}

fn replayed(mut board: Board, moves: &[Move]) -> Result<Board, String> {
    for (index, &mv) in moves.iter().enumerate() {
        let reason = match board.outcome() {
            Some(Outcome::Draw) => Err("the game was drawn before it".to_owned()),
            Some(Outcome::Win(_)) => Err("the game was won before it".to_owned()),
            None => board.parse_move(&text_of(mv)),
        };
        reason.map_err(|reason| {
            format!("move {} after 'after', '{}': {reason}", index + 1, text_of(mv))
        })?;
        board.play(mv);
    }
    Ok(board)
}
