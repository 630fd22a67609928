//! A second, naive implementation of Connect Four to test the rules against.

/// A board of cells by column and row, row 0 at the bottom: 0 empty, 1 or 2 a player's stone.
#[derive(Clone)]
pub struct NaiveBoard {
    cells: Vec<Vec<u8>>,
    line: usize,
    player: u8,
}

impl NaiveBoard {
    /// The empty board.
    pub fn new(rows: usize, columns: usize, line: usize) -> NaiveBoard {
        NaiveBoard { cells: vec![vec![0; rows]; columns], line, player: 1 }
    }

    /// The columns, from 0, that are not full; none once a player has a line.
    pub fn moves(&self) -> Vec<usize> {
        if self.winner().is_some() {
            return Vec::new();
        }
        (0..self.cells.len()).filter(|&column| self.cells[column].contains(&0)).collect()
    }

    /// Drops a stone of the player to move.
    pub fn play(&mut self, column: usize) {
        let cell = self.cells[column].iter_mut().find(|cell| **cell == 0);
        *cell.expect("the column is not full") = self.player;
        self.player = 3 - self.player;
    }

    /// The player who has a line.
    pub fn winner(&self) -> Option<u8> {
        let (columns, rows) = (self.cells.len() as isize, self.cells[0].len() as isize);
        for column in 0..columns {
            for row in 0..rows {
                for step in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    let owner = self.at(column, row);
                    let same = |k: isize| self.at(column + k * step.0, row + k * step.1) == owner;
                    if owner > 0 && (1..self.line as isize).all(same) {
                        return Some(owner);
                    }
                }
            }
        }
        None
    }

    /// The number of sequences of `depth` moves.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let after = |column| {
            let mut next = self.clone();
            next.play(column);
            next.perft(depth - 1)
        };
        self.moves().into_iter().map(after).sum()
    }

    fn at(&self, column: isize, row: isize) -> u8 {
        let column = usize::try_from(column).ok().and_then(|column| self.cells.get(column));
        let cell = column.zip(usize::try_from(row).ok()).and_then(|(column, row)| column.get(row));
        cell.copied().unwrap_or(0)
    }
}
