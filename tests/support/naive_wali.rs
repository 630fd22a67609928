//! Wali a second time, cell by cell and without a thought for speed: what the engine's rules and
//! tables are compared with.

use std::collections::HashMap;

use ratlla::game::ExactValue;

/// A position without its past. Cells are row by row from the bottom: 0 empty, 1 and 2 the players.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NaiveWali {
    pub rows: usize,
    pub columns: usize,
    pub cells: Vec<u8>,
    /// Stones still to drop, by player.
    pub hand: [usize; 2],
    pub mover: u8,
    pub dropping: bool,
}

impl NaiveWali {
    pub fn new(rows: usize, columns: usize, stones: usize) -> NaiveWali {
        let cells = vec![0; rows * columns];
        NaiveWali { rows, columns, cells, hand: [stones; 2], mover: 1, dropping: true }
    }

    pub fn neighbours(&self, cell: usize) -> Vec<usize> {
        let (row, column) = (cell / self.columns, cell % self.columns);
        let mut found = Vec::new();
        if column > 0 {
            found.push(cell - 1);
        }
        if column + 1 < self.columns {
            found.push(cell + 1);
        }
        if row > 0 {
            found.push(cell - self.columns);
        }
        if row + 1 < self.rows {
            found.push(cell + self.columns);
        }
        found
    }

    pub fn drops(&self, player: u8) -> Vec<usize> {
        if self.hand[usize::from(player) - 1] == 0 {
            return Vec::new();
        }
        let is_free = |&cell: &usize| {
            self.cells[cell] == 0
                && self.neighbours(cell).iter().all(|&other| self.cells[other] != player)
        };
        (0..self.cells.len()).filter(is_free).collect()
    }

    /// Whether the stone on `cell` is in a run of exactly three along a row or a column.
    pub fn is_in_three(&self, cell: usize) -> bool {
        let player = self.cells[cell];
        let row: Vec<usize> =
            (0..self.columns).map(|column| cell / self.columns * self.columns + column).collect();
        let column: Vec<usize> =
            (0..self.rows).map(|row| row * self.columns + cell % self.columns).collect();
        [row, column].iter().any(|line| {
            let runs = line.chunk_by(|&a, &b| self.cells[a] == player && self.cells[b] == player);
            runs.into_iter().any(|run| run.contains(&cell) && run.len() == 3)
        })
    }

    pub fn stones(&self, player: u8) -> usize {
        self.cells.iter().filter(|&&cell| cell == player).count()
    }

    /// Whether the move phase has ended.
    pub fn is_over(&self) -> bool {
        !self.dropping && (self.stones(1) == 0 || self.stones(2) == 0)
    }

    /// The positions after each legal move.
    pub fn after_moves(&self) -> Vec<NaiveWali> {
        if self.is_over() {
            return Vec::new();
        }
        let mut after = if self.dropping { self.after_drops() } else { self.after_steps() };
        if after.is_empty() {
            after.push(self.clone());
        }
        for position in &mut after {
            position.mover = 3 - self.mover;
            if position.dropping && position.drops(1).is_empty() && position.drops(2).is_empty() {
                position.dropping = false;
                position.hand = [0; 2];
                position.mover = 1;
            }
        }
        after
    }

    fn after_drops(&self) -> Vec<NaiveWali> {
        let after = |cell: usize| {
            let mut position = self.clone();
            position.cells[cell] = self.mover;
            position.hand[usize::from(self.mover) - 1] -= 1;
            position
        };
        self.drops(self.mover).into_iter().map(after).collect()
    }

    fn after_steps(&self) -> Vec<NaiveWali> {
        let mut after = Vec::new();
        for from in (0..self.cells.len()).filter(|&cell| self.cells[cell] == self.mover) {
            for to in self.neighbours(from).into_iter().filter(|&cell| self.cells[cell] == 0) {
                let mut moved = self.clone();
                moved.cells.swap(from, to);
                if !moved.is_in_three(to) {
                    after.push(moved);
                    continue;
                }
                for cell in (0..self.cells.len()).filter(|&cell| self.cells[cell] == 3 - self.mover)
                {
                    let mut captured = moved.clone();
                    captured.cells[cell] = 0;
                    after.push(captured);
                }
            }
        }
        after
    }

    /// The number of sequences of exactly `depth` legal moves.
    pub fn perft(&self, depth: u32) -> u64 {
        let after = self.after_moves();
        if depth == 1 {
            return after.len() as u64;
        }
        after.iter().map(|position| position.perft(depth - 1)).sum()
    }
}

/// The values of these positions and of all that follow, their past ignored. Looks at all positions
/// again and again until nothing changes.
pub fn solved(starts: Vec<NaiveWali>) -> HashMap<NaiveWali, ExactValue> {
    let mut numbers: HashMap<NaiveWali, usize> = HashMap::new();
    let mut positions: Vec<NaiveWali> = Vec::new();
    let mut after: Vec<Vec<NaiveWali>> = Vec::new();
    let mut open = starts;
    while let Some(position) = open.pop() {
        if !numbers.contains_key(&position) {
            numbers.insert(position.clone(), positions.len());
            after.push(position.after_moves());
            open.extend(after[positions.len()].iter().cloned());
            positions.push(position);
        }
    }
    let after: Vec<Vec<usize>> =
        after.iter().map(|after| after.iter().map(|child| numbers[child]).collect()).collect();
    let final_value = |position: &NaiveWali| match position.stones(position.mover) {
        _ if !position.is_over() => ExactValue::Draw,
        0 => ExactValue::Loss(0),
        _ => ExactValue::Win(0),
    };
    let mut values: Vec<ExactValue> = positions.iter().map(final_value).collect();
    // The sides alternate except at the end of the drop phase.
    let for_mover = |parent: usize, child: usize, value| match value {
        ExactValue::Win(plies) if positions[parent].mover != positions[child].mover => {
            ExactValue::Loss(plies)
        }
        ExactValue::Loss(plies) if positions[parent].mover != positions[child].mover => {
            ExactValue::Win(plies)
        }
        same => same,
    };
    for plies in 1.. {
        let mut found = Vec::new();
        for (parent, after) in after.iter().enumerate() {
            if values[parent] != ExactValue::Draw {
                continue;
            }
            let mut moves = after.iter().map(|&child| for_mover(parent, child, values[child]));
            if moves.clone().any(|value| value == ExactValue::Win(plies - 1)) {
                found.push((parent, ExactValue::Win(plies)));
            } else if moves.all(|value| matches!(value, ExactValue::Loss(_))) {
                found.push((parent, ExactValue::Loss(plies)));
            }
        }
        if found.is_empty() {
            break;
        }
        found.into_iter().for_each(|(number, value)| values[number] = value);
    }
    positions.into_iter().zip(values).collect()
}
