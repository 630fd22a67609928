//! The evaluation of Connect Four, on all boards at once.

use std::collections::HashMap;
use std::fmt::Write as _;

use anyhow::{Error, Result, ensure};
use ratlla::game::{Game, Notation, Side};
use ratlla::games::connect4::board::{Board, Size};
use ratlla::games::connect4::start;

use super::model::{Feature, Model};
use super::record::Record;

/// Open lines by the number of missing stones.
#[derive(Default)]
pub struct Connect4Model {
    /// The empty board of each title seen.
    starts: HashMap<String, Board>,
}

const MOST_MISSING: usize = 4;

impl Model for Connect4Model {
    fn names(&self) -> Vec<String> {
        let lines = (1..=MOST_MISSING).map(|missing| format!("line, {missing} missing"));
        lines.chain(["tempo".to_owned()]).collect()
    }

    fn features(&mut self, record: &Record, features: &mut Vec<Feature>) -> Result<()> {
        let board = self.board(record)?;
        let mut counts = [0.0; MOST_MISSING];
        for (side, missing) in open_lines(&board) {
            let sign = if side == board.side_to_move() { 1.0 } else { -1.0 };
            counts[missing.len().min(MOST_MISSING) - 1] += sign;
        }
        features.extend(counts.into_iter().enumerate().filter(|&(_, count)| count != 0.0));
        features.push((MOST_MISSING, 1.0));
        Ok(())
    }

    fn source(&self, weights: &[i32], comment: &str) -> String {
        let mut text = format!("//! The fitted weights.\n//!\n{comment}\n");
        for (name, weight) in self.names().iter().zip(weights) {
            let _ = writeln!(text, "// {name}: {weight}");
        }
        text
    }
}

impl Connect4Model {
    fn board(&mut self, record: &Record) -> Result<Board> {
        if !self.starts.contains_key(&record.title) {
            let words: Vec<&str> = record.title.split_whitespace().collect();
            ensure!(words[0] == "connect4", "'{}' is another game", record.title);
            let board = start(&words[1..]).map_err(Error::msg)?;
            self.starts.insert(record.title.clone(), board);
        }
        let words: Vec<&str> = record.position.split_whitespace().collect();
        self.starts[&record.title].parse_position(&words).map_err(Error::msg)
    }
}

/// The lines that one side has begun and the other cannot stop: the owner and the empty cells.
fn open_lines(board: &Board) -> Vec<(Side, Vec<(usize, usize)>)> {
    let Size { rows, columns, line } = board.size();
    let mut lines = Vec::new();
    for (right, up) in [(0, 1), (1, 0), (1, 1), (1, -1isize)] {
        for column in 0..columns {
            for row in 0..rows {
                let last = row as isize + up * (line as isize - 1);
                if column + right * (line - 1) >= columns || last < 0 || last >= rows as isize {
                    continue;
                }
                let cells = (0..line as isize)
                    .map(|k| (column + right * k as usize, (row as isize + up * k) as usize));
                let mut owners = [false; 2];
                let mut missing = Vec::new();
                for (column, row) in cells {
                    match board.stone(column, row) {
                        Some(side) => owners[side.index()] = true,
                        None => missing.push((column, row)),
                    }
                }
                match owners {
                    [true, false] => lines.push((Side::P1, missing)),
                    [false, true] => lines.push((Side::P2, missing)),
                    _ => {}
                }
            }
        }
    }
    lines
}
