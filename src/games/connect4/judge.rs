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
//!   fill when the players run out of other moves.

use std::sync::Arc;

use super::board::{Board, CELLS, Column, Size};
use super::lines::{Lines, WINDOWS, Window};
use crate::game::{Candidate, Evaluate, Game, Judge, Side};

/// To be on the move is worth about half of what a stone gains: with it, scores of odd and even
/// depths are alike, and the next iteration knows what to expect.
const TEMPO: i32 = 8;

/// The judgement of a position, kept up to date move by move.
#[derive(Clone, Debug)]
pub struct LineJudge {
    lines: Arc<Lines>,
    windows: Box<[Window; WINDOWS]>,
    /// For each cell, how many windows of either side lack just that. Stale for filled cells.
    threats: Box<[[u8; 2]; CELLS]>,
    totals: Totals,
    /// The totals before each move played since [`Judge::attach`].
    past: Vec<Totals>,
}

/// The two parts of the evaluation, for player 1, and how many cells are threats of either side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Totals {
    windows: i32,
    threats: i32,
    live_threats: u32,
}

impl LineJudge {
    /// A judge for boards of this size, looking at the empty one.
    pub fn new(size: Size) -> LineJudge {
        let lines = Arc::new(Lines::new(size));
        LineJudge {
            windows: lines.empty.clone(),
            lines,
            threats: Box::new([[0; 2]; CELLS]),
            totals: Totals::default(),
            past: Vec::new(),
        }
    }

    fn put(&mut self, cell: usize, side: Side) {
        let lines = &*self.lines;
        let one_missing = lines.one_missing(side);
        let mut totals = self.totals;
        // Threats in this cell are decided now, whoever owned them.
        for owner in [Side::P1, Side::P2] {
            if self.threats[cell][owner.index()] > 0 {
                totals.live_threats -= 1;
                totals.threats -= lines.threat_worth(cell, owner);
            }
        }
        for &number in lines.through(cell) {
            let window = &mut self.windows[usize::from(number) % WINDOWS];
            totals.windows += lines.gain(*window, side);
            window.fill(cell, side);
            if window.stones() == one_missing {
                let threat = window.empty_cell();
                let count = &mut self.threats[threat][side.index()];
                *count += 1;
                if *count == 1 {
                    totals.live_threats += 1;
                    totals.threats += lines.threat_worth(threat, side);
                }
            }
        }
        self.totals = totals;
    }

    fn take(&mut self, cell: usize, side: Side) {
        let lines = &*self.lines;
        let one_missing = lines.one_missing(side);
        for &number in lines.through(cell) {
            let window = &mut self.windows[usize::from(number) % WINDOWS];
            if window.stones() == one_missing {
                self.threats[window.empty_cell()][side.index()] -= 1;
            }
            window.clear(cell, side);
        }
    }

    fn is_threat(&self, side: Side, cell: usize) -> bool {
        self.threats[cell][side.index()] > 0
    }
}

fn candidate((column, cell): (Column, usize)) -> Candidate<Column> {
    Candidate { mv: column, rank: 0, slot: cell as u16 }
}

impl Evaluate<Board> for LineJudge {
    fn evaluate(&self, board: &Board) -> i32 {
        TEMPO + board.side_to_move().view(self.totals.windows + self.totals.threats)
    }
}

impl Judge<Board> for LineJudge {
    fn attach(&mut self, board: &Board) {
        if board.size() != self.lines.size() {
            self.lines = Arc::new(Lines::new(board.size()));
        }
        self.windows.clone_from(&self.lines.empty);
        self.threats.fill([0; 2]);
        self.totals = Totals::default();
        self.past.clear();
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
        let mut only = None;
        for (column, cell) in board.open_columns() {
            if self.is_threat(me, cell) {
                list.truncate(base);
                list.push(candidate((column, cell)));
                return;
            }
            if self.is_threat(!me, cell) {
                only = Some((column, cell));
            } else if !self.is_threat(!me, cell + 1) {
                list.push(candidate((column, cell)));
            }
        }
        if let Some(block) = only {
            list.truncate(base);
            list.push(candidate(block));
        } else if list.len() == base {
            list.extend(board.open_columns().map(candidate).next());
        }
    }

    /// A stone is worth what it adds to the windows through its cell.
    fn rank(&self, board: &Board, candidates: &mut [Candidate<Column>]) {
        let me = board.side_to_move();
        for candidate in candidates {
            let windows = self.lines.through(usize::from(candidate.slot)).iter();
            let gains = windows
                .map(|&number| self.lines.gain(self.windows[usize::from(number) % WINDOWS], me));
            candidate.rank = me.view(gains.sum());
        }
    }

    fn is_forced(&self, board: &Board) -> bool {
        if self.totals.live_threats == 0 {
            return board.open_columns().nth(1).is_none();
        }
        let opponent = !board.side_to_move();
        let mut free = 0;
        for (_, cell) in board.open_columns() {
            if self.threats[cell] != [0, 0] {
                return true;
            }
            free += usize::from(!self.is_threat(opponent, cell + 1));
        }
        free <= 1
    }

    /// Only for a stone that changes nothing urgent: neither its cell nor the one above is a
    /// threat, and the one new threat that it may make cannot be carried out at once.
    fn glance(&self, board: &Board, Column(column): Column) -> Option<i32> {
        let (me, cell) = (board.side_to_move(), board.landing_cell(usize::from(column)));
        let urgent = self.threats[cell] != [0, 0] || self.threats[cell + 1] != [0, 0];
        if urgent || board.stones() + 1 == board.size().cells() {
            return None;
        }
        let lines = &*self.lines;
        let one_missing = lines.one_missing(me);
        let mut total = self.totals.windows + self.totals.threats;
        let mut new_threat = None;
        for &number in lines.through(cell) {
            let mut window = self.windows[usize::from(number) % WINDOWS];
            total += lines.gain(window, me);
            window.fill(cell, me);
            if window.stones() == one_missing {
                let threat = window.empty_cell();
                let is_second = new_threat.is_some_and(|first| first != threat);
                if is_second || threat == cell + 1 || board.is_landing(threat) {
                    return None;
                }
                new_threat = Some(threat);
            }
        }
        if let Some(threat) = new_threat.filter(|&threat| !self.is_threat(me, threat)) {
            total += lines.threat_worth(threat, me);
        }
        Some(me.view(total) - TEMPO)
    }

    fn slots(&self) -> usize {
        CELLS
    }

    fn breakdown(&self, board: &Board) -> Vec<(&'static str, i32)> {
        vec![
            ("lines", self.totals.windows),
            ("threats", self.totals.threats),
            ("tempo", board.side_to_move().view(TEMPO)),
        ]
    }
}
