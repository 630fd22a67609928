//! The opinion: every possible line is counted, in all four directions, move by move.
//!
//! A *window* is a place for a winning line: `line` cells in a row. For each window the judge
//! keeps how many stones of either side it holds, and the sum of its empty cells' numbers. Once
//! a single cell is empty that sum *is* the cell, and if all stones are of one side the cell is
//! a *threat* of that side: whoever fills it decides the game.
//!
//! Playing a stone touches the windows through its cell only (at most 4 x `line`), so following
//! the game costs the same on every board, and judging is a sum already made:
//!
//! - windows with stones of one side only, worth more the fuller they are;
//! - threats, worth more the lower they lie, and much more in the rows that their owner gets to
//!   fill when the players run out of other moves (see [`Lines::owned_parity`]).

use std::sync::Arc;

use super::board::{Board, CELLS, Column, Size};
use crate::game::{Candidate, Evaluate, Game, Judge, Side};

/// In a window's stone counts, one stone of player 1 counts 1 and one of player 2 this much.
const P2_STONE: u16 = 32;

/// What the windows and cells of one board size are worth: built once for each new game.
#[derive(Debug)]
struct Lines {
    size: Size,
    /// The windows through each cell: `through[first[cell]..first[cell + 1]]`.
    first: Vec<u32>,
    through: Vec<u16>,
    /// The sum of the numbers of each window's cells.
    cell_sums: Vec<u16>,
    /// What a window with these stone counts is worth to player 1.
    worth: Vec<i16>,
    /// What a threat in each cell is worth to its owner.
    threat_worth: [Vec<i16>; 2],
}

impl Lines {
    fn new(size: Size) -> Lines {
        let windows = windows_of(size);
        let mut through_cell = vec![Vec::new(); CELLS];
        for (number, window) in windows.iter().enumerate() {
            for &cell in window {
                through_cell[cell].push(number as u16);
            }
        }
        let mut first = vec![0];
        for windows in &through_cell {
            first.push(first[first.len() - 1] + windows.len() as u32);
        }
        Lines {
            size,
            first,
            through: through_cell.concat(),
            cell_sums: windows.iter().map(|window| window.iter().sum::<usize>() as u16).collect(),
            worth: Lines::window_worth(size.line),
            threat_worth: [Side::P1, Side::P2].map(|side| Lines::threat_worth(size, side)),
        }
    }

    /// A window is worth nothing to anybody once both sides have a stone in it.
    fn window_worth(line: usize) -> Vec<i16> {
        let mut worth = vec![0; (P2_STONE as usize) * (line + 1)];
        for stones in 1..line {
            let missing = line - stones;
            let value = match missing {
                1 => 14,
                2 => 7,
                3 => 2,
                _ => 1,
            };
            worth[stones] = value;
            worth[stones * P2_STONE as usize] = -value;
        }
        worth
    }

    fn threat_worth(size: Size, side: Side) -> Vec<i16> {
        let mut worth = vec![0; CELLS];
        for column in 0..size.columns {
            for row in 0..size.rows {
                let owned = row % 2 == Lines::owned_parity(size, side);
                let base = if owned { 60 } else { 15 };
                let depth_bonus = 4 * (size.rows - row).min(8);
                worth[size.cell(column, row)] = (base + depth_bonus) as i16;
            }
        }
        worth
    }

    /// 0 if `side` profits from threats in the rows 1, 3, 5 …, 1 for the rows 2, 4, 6 …
    ///
    /// When every other column is full, the last one is filled from below by the players in
    /// turn. An even number of stones lies in the other columns if the rows or the other columns
    /// are even in number; then player 1 starts the last column and gets its rows 1, 3, 5 …
    fn owned_parity(size: Size, side: Side) -> usize {
        let others = size.rows * (size.columns - 1);
        (others + side.index()) % 2
    }
}

/// The cells of every possible line.
fn windows_of(size: Size) -> Vec<Vec<usize>> {
    let reach = size.line as isize - 1;
    let mut windows = Vec::new();
    for (right, up) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
        for column in 0..size.columns as isize {
            for row in 0..size.rows as isize {
                let (last_column, last_row) = (column + right * reach, row + up * reach);
                let fits = last_column < size.columns as isize
                    && (0..size.rows as isize).contains(&last_row);
                if fits {
                    let cell =
                        |k| size.cell((column + right * k) as usize, (row + up * k) as usize);
                    windows.push((0..=reach).map(cell).collect());
                }
            }
        }
    }
    windows
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Window {
    /// Player 1's stones + [`P2_STONE`] x player 2's stones.
    stones: u16,
    /// The sum of the empty cells' numbers.
    empty_sum: u16,
}

/// The judgement of a position, kept up to date move by move.
#[derive(Clone, Debug)]
pub struct LineJudge {
    lines: Arc<Lines>,
    windows: Vec<Window>,
    /// How many windows of a side lack just this cell. Stale for filled cells.
    threats: [Box<[u8; CELLS]>; 2],
    totals: Totals,
    /// The totals before each move played since [`Judge::attach`].
    past: Vec<Totals>,
}

/// The two parts of the evaluation, for player 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Totals {
    windows: i32,
    threats: i32,
}

impl LineJudge {
    /// A judge for boards of this size, looking at the empty one.
    pub fn new(size: Size) -> LineJudge {
        let lines = Arc::new(Lines::new(size));
        let mut judge = LineJudge {
            lines,
            windows: Vec::new(),
            threats: [Box::new([0; CELLS]), Box::new([0; CELLS])],
            totals: Totals::default(),
            past: Vec::new(),
        };
        judge.clear();
        judge
    }

    fn clear(&mut self) {
        let empty = |&empty_sum| Window { stones: 0, empty_sum };
        self.windows = self.lines.cell_sums.iter().map(empty).collect();
        self.threats.iter_mut().for_each(|threats| threats.fill(0));
        self.totals = Totals::default();
        self.past.clear();
    }

    fn put(&mut self, cell: usize, side: Side) {
        let lines = &*self.lines;
        let (stone, one_missing) = stone_counts(side, lines.size.line);
        let range = lines.first[cell] as usize..lines.first[cell + 1] as usize;
        let mut totals = self.totals;
        // Threats in this cell are decided now, whoever owned them.
        for owner in [Side::P1, Side::P2] {
            if self.threats[owner.index()][cell] > 0 {
                totals.threats -= owner.view(lines.threat_worth[owner.index()][cell].into());
            }
        }
        let threats = &mut self.threats[side.index()];
        for &number in &lines.through[range] {
            let window = &mut self.windows[usize::from(number)];
            totals.windows -= i32::from(lines.worth[usize::from(window.stones)]);
            window.stones += stone;
            window.empty_sum -= cell as u16;
            totals.windows += i32::from(lines.worth[usize::from(window.stones)]);
            if window.stones == one_missing {
                let threat = usize::from(window.empty_sum);
                threats[threat] += 1;
                if threats[threat] == 1 {
                    totals.threats += side.view(lines.threat_worth[side.index()][threat].into());
                }
            }
        }
        self.totals = totals;
    }

    fn take(&mut self, cell: usize, side: Side) {
        let lines = &*self.lines;
        let (stone, one_missing) = stone_counts(side, lines.size.line);
        let range = lines.first[cell] as usize..lines.first[cell + 1] as usize;
        let threats = &mut self.threats[side.index()];
        for &number in &lines.through[range] {
            let window = &mut self.windows[usize::from(number)];
            if window.stones == one_missing {
                threats[usize::from(window.empty_sum)] -= 1;
            }
            window.stones -= stone;
            window.empty_sum += cell as u16;
        }
    }

    fn is_threat(&self, side: Side, cell: usize) -> bool {
        self.threats[side.index()][cell] > 0
    }

    fn candidate(&self, column: Column, cell: usize) -> Candidate<Column> {
        Candidate {
            mv: column,
            // The more lines pass through a cell the better: centre first.
            rank: (self.lines.first[cell + 1] - self.lines.first[cell]) as i32,
            slot: cell as u16,
        }
    }
}

/// What a stone of `side` adds to a window's count, and the count of a window of that side that
/// lacks one stone.
fn stone_counts(side: Side, line: usize) -> (u16, u16) {
    let stone = match side {
        Side::P1 => 1,
        Side::P2 => P2_STONE,
    };
    (stone, stone * (line as u16 - 1))
}

impl Evaluate<Board> for LineJudge {
    fn evaluate(&self, board: &Board) -> i32 {
        board.side_to_move().view(self.totals.windows + self.totals.threats)
    }
}

impl Judge<Board> for LineJudge {
    fn attach(&mut self, board: &Board) {
        if board.size() != self.lines.size {
            self.lines = Arc::new(Lines::new(board.size()));
        }
        self.clear();
        for cell in 0..CELLS {
            if let Some(side) = board.stone_in(cell) {
                self.put(cell, side);
            }
        }
    }

    fn play(&mut self, before: &Board, Column(column): Column) {
        self.past.push(self.totals);
        self.put(before.landing_cell(usize::from(column)), before.side_to_move());
    }

    fn undo(&mut self, before: &Board, Column(column): Column) {
        self.take(before.landing_cell(usize::from(column)), before.side_to_move());
        if let Some(totals) = self.past.pop() {
            self.totals = totals;
        }
    }

    /// A win at once is the only candidate. Else a cell where the opponent would win at once is:
    /// leaving it, or having two of them, loses in two plies, as does every other move then.
    /// Else all moves but those that let the opponent win right above; those lose in two plies,
    /// which nothing loses faster than, so one of them will do if there are no others.
    fn candidates(&self, board: &Board, list: &mut Vec<Candidate<Column>>) {
        let me = board.side_to_move();
        let base = list.len();
        let mut block = None;
        let mut poisoned = None;
        for (column, cell) in board.open_columns() {
            if self.is_threat(me, cell) {
                list.truncate(base);
                list.push(self.candidate(column, cell));
                return;
            }
            if self.is_threat(!me, cell) {
                block = Some((column, cell));
            } else if self.is_threat(!me, cell + 1) {
                poisoned = Some((column, cell));
            } else {
                list.push(self.candidate(column, cell));
            }
        }
        if let Some((column, cell)) = block {
            list.truncate(base);
            list.push(self.candidate(column, cell));
        } else if list.len() == base
            && let Some((column, cell)) = poisoned
        {
            list.push(self.candidate(column, cell));
        }
    }

    fn slots(&self) -> usize {
        CELLS
    }

    fn breakdown(&self, _board: &Board) -> Vec<(&'static str, i32)> {
        vec![("lines", self.totals.windows), ("threats", self.totals.threats)]
    }
}
