//! The evaluation of the full search, updated incrementally: open lines and threats.
//!
//! A *window* is a place for a winning line: `line` cells in a row. If all its cells but one hold
//! stones of one side, the last one is a *threat* of that side.
//!
//! A stone changes only the windows through its cell, so an update costs the same on every board,
//! and [`Evaluate::evaluate`] only adds up the terms:
//!
//! - *lines*: windows with stones of one side only, by direction, missing stones and the rows of these;
//! - *threats*: by row, and by whether their owner gets to fill it under zugzwang;
//! - *zugzwang*: who wins if the free cells run out; the sooner, the heavier;
//! - *follow-up*: what such a board is worth to player 1, by the number of empty cells;
//! - *tempo*: the side to move.
//!
//! The weights are fitted to games and exact scores: see docs/dev/training.md. Knows nothing of
//! searches.

pub mod features;
mod fitted;
mod line_scorer;
mod patterns;
mod weights;
mod windows;
pub mod zugzwang;

use std::sync::Arc;

use line_scorer::LineScorer;
use weights::{BoardWeights, line_class, line_points};
use zugzwang::{ThreatColumns, Zugzwang};

use super::board::{Board, CELLS, Column, Size};
use crate::game::{Candidate, Evaluate, Evaluator, Game, Side, WeightSet};

/// The incremental evaluation of a position.
#[derive(Clone, Debug)]
pub struct LineEvaluator {
    size: Size,
    set: WeightSet,
    lines: LineScorer,
    weights: Arc<BoardWeights>,
    /// By cell and side: how many stones made it a threat. Stale for filled cells.
    threats: Box<[[u8; 2]; CELLS]>,
    /// The empty cells that are threats.
    columns: ThreatColumns,
    /// The parity of the number of empty cells plus the index of the side to move.
    parity: usize,
    totals: Totals,
    /// The totals before each move played since [`Evaluator::reset`].
    undo_stack: Vec<Totals>,
}

/// What a move changes, and [`Evaluator::undo`] restores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Totals {
    /// The term for lines, for player 1, in its own unit.
    lines: i32,
    /// The term for threats, for player 1.
    threats: i32,
    zugzwang: Zugzwang,
    /// The number of empty cells that are threats, counted for each side.
    live_threats: u32,
    /// Whether the last stone made threats.
    threatening: bool,
}

impl LineEvaluator {
    /// The evaluator of the empty board.
    pub fn new(size: Size, set: WeightSet) -> LineEvaluator {
        LineEvaluator {
            size,
            set,
            lines: LineScorer::new(size, line_class(size, set)),
            weights: Arc::new(BoardWeights::new(size, set)),
            threats: Box::new([[0; 2]; CELLS]),
            columns: ThreatColumns::default(),
            parity: size.cells() % 2,
            totals: Totals::default(),
            undo_stack: Vec::new(),
        }
    }

    fn place(&mut self, cell: usize, side: Side) {
        let LineEvaluator { size, lines, weights, threats, columns, totals, .. } = self;
        // A filled cell is no longer a threat of either side.
        let was_threat = threats[cell] != [0, 0];
        if was_threat {
            let (column, row) = size.place_of(cell);
            for owner in [Side::P1, Side::P2] {
                if threats[cell][owner.index()] > 0 {
                    totals.live_threats -= 1;
                    totals.threats -= weights.threat(cell, owner);
                    columns.remove(owner, column, row);
                }
            }
        }
        totals.threatening = false;
        totals.lines += lines.gain(cell, side, |threat| {
            totals.threatening = true;
            let count = &mut threats[threat][side.index()];
            *count += 1;
            if *count == 1 {
                let (column, row) = size.place_of(threat);
                totals.live_threats += 1;
                totals.threats += weights.threat(threat, side);
                columns.add(side, column, row);
            }
        });
        lines.place(cell, side);
        if was_threat || totals.threatening {
            self.totals.zugzwang = self.zugzwang(&self.columns);
        }
    }

    /// Removes the last stone, which `side` placed in `cell`.
    fn remove(&mut self, cell: usize, side: Side, before: Totals) {
        let LineEvaluator { size, lines, threats, columns, totals, .. } = self;
        lines.remove(cell, side);
        if totals.threatening {
            lines.gain(cell, side, |threat| {
                let count = &mut threats[threat][side.index()];
                *count -= 1;
                if *count == 0 {
                    let (column, row) = size.place_of(threat);
                    columns.remove(side, column, row);
                }
            });
        }
        for owner in [Side::P1, Side::P2] {
            if threats[cell][owner.index()] > 0 {
                let (column, row) = size.place_of(cell);
                columns.add(owner, column, row);
            }
        }
        self.totals = before;
    }

    fn zugzwang(&self, threats: &ThreatColumns) -> Zugzwang {
        Zugzwang::new(threats, self.size.rows, self.parity)
    }

    /// The evaluation for player 1 without tempo.
    fn points(&self, totals: &Totals, empty: usize) -> i32 {
        line_points(totals.lines)
            + totals.threats
            + self.weights.zugzwang(totals.zugzwang, empty)
            + self.weights.follow_up(empty)
    }

    fn is_threat(&self, side: Side, cell: usize) -> bool {
        self.threats[cell][side.index()] > 0
    }
}

fn candidate((column, cell): (Column, usize)) -> Candidate<Column> {
    Candidate { mv: column, score: 0, history_index: cell as u16 }
}

impl Evaluate<Board> for LineEvaluator {
    fn evaluate(&self, board: &Board) -> i32 {
        let empty = board.size().cells() - board.stones();
        self.weights.tempo() + board.side_to_move().view(self.points(&self.totals, empty))
    }

    fn terms(&self, board: &Board) -> Vec<(&'static str, i32)> {
        let empty = board.size().cells() - board.stones();
        vec![
            ("lines", line_points(self.totals.lines)),
            ("threats", self.totals.threats),
            ("zugzwang", self.weights.zugzwang(self.totals.zugzwang, empty)),
            ("follow-up", self.weights.follow_up(empty)),
            ("tempo", board.side_to_move().view(self.weights.tempo())),
        ]
    }
}

impl Evaluator<Board> for LineEvaluator {
    fn reset(&mut self, board: &Board) {
        if board.size() != self.size {
            *self = LineEvaluator::new(board.size(), self.set);
        }
        self.lines.clear();
        self.threats.fill([0; 2]);
        self.columns = ThreatColumns::default();
        let empty = self.size.cells() - board.stones();
        self.parity = (empty + board.side_to_move().index()) % 2;
        self.totals = Totals::default();
        self.undo_stack.clear();
        for cell in 0..CELLS {
            if let Some(side) = board.stone_in(cell) {
                self.place(cell, side);
            }
        }
    }

    fn play(&mut self, before: &Board, Column(column): Column) {
        self.undo_stack.push(self.totals);
        self.place(before.landing_cell(usize::from(column)), before.side_to_move());
    }

    fn undo(&mut self, before: &Board, Column(column): Column) {
        if let Some(totals) = self.undo_stack.pop() {
            self.remove(before.landing_cell(usize::from(column)), before.side_to_move(), totals);
        }
    }

    /// - A move that wins at once is the only candidate.
    /// - Else a move that blocks an immediate win is: all others lose in two plies, and so does this
    ///   one if there is a second win to block.
    /// - Else all moves except those that let the opponent win in the cell above. These lose in two
    ///   plies, and no move loses sooner, so one of them suffices if there are no others.
    fn candidates(&self, board: &Board, list: &mut Vec<Candidate<Column>>) {
        if self.totals.live_threats == 0 {
            list.extend(board.open_columns().map(candidate));
            return;
        }
        let (me, opponent) = (board.side_to_move().index(), (!board.side_to_move()).index());
        let base = list.len();
        let mut only = None;
        for (column, cell) in board.open_columns() {
            let here = self.threats[cell];
            if here == [0, 0] {
                if self.threats[cell + 1][opponent] == 0 {
                    list.push(candidate((column, cell)));
                }
                continue;
            }
            only = Some((column, cell));
            if here[me] > 0 {
                break;
            }
        }
        if let Some(decisive) = only {
            list.truncate(base);
            list.push(candidate(decisive));
        } else if list.len() == base {
            list.extend(board.open_columns().map(candidate).next());
        }
    }

    /// Scores a move by what its stone adds to the lines.
    fn score_moves(&self, board: &Board, candidates: &mut [Candidate<Column>]) {
        let me = board.side_to_move();
        for candidate in candidates {
            let gain = self.lines.gain(usize::from(candidate.history_index), me, |_| ());
            candidate.score = me.view(gain);
        }
    }

    fn forced(&self, board: &Board) -> Option<Column> {
        let mut open = board.open_columns();
        if self.totals.live_threats == 0 {
            let (only, _) = open.next()?;
            return open.next().is_none().then_some(only);
        }
        let (me, opponent) = (board.side_to_move().index(), (!board.side_to_move()).index());
        let (mut block, mut safe, mut any_safe, mut first) = (None, 0, None, None);
        for (column, cell) in open {
            let here = self.threats[cell];
            if here[me] > 0 {
                return Some(column);
            }
            if here[opponent] > 0 {
                block = Some(column);
            } else if self.threats[cell + 1][opponent] == 0 {
                safe += 1;
                any_safe = Some(column);
            }
            first = first.or(Some(column));
        }
        match (block, safe) {
            (Some(_), _) => block,
            (None, 0) => first,
            (None, 1) => any_safe,
            _ => None,
        }
    }

    /// Only for quiet moves: neither the landing cell nor the one above is a threat, and the stone
    /// makes at most one new threat, which cannot be carried out at once.
    fn eval_after(&self, board: &Board, Column(column): Column) -> Option<i32> {
        let (me, cell) = (board.side_to_move(), board.landing_cell(usize::from(column)));
        let urgent = self.threats[cell] != [0, 0] || self.threats[cell + 1] != [0, 0];
        if urgent || board.stones() + 1 == board.size().cells() {
            return None;
        }
        let mut new_threats = [None; 2];
        let gain = self.lines.gain(cell, me, |threat| {
            if new_threats[0].is_none_or(|first| first == threat) {
                new_threats[0] = Some(threat);
            } else {
                new_threats[1] = Some(threat);
            }
        });
        let mut totals = Totals { lines: self.totals.lines + gain, ..self.totals };
        if let [Some(threat), second] = new_threats {
            let at_once = threat == cell + 1 || board.is_landing(threat);
            if at_once || second.is_some() {
                return None;
            }
            if !self.is_threat(me, threat) {
                totals.threats += self.weights.threat(threat, me);
                let mut columns = self.columns.clone();
                let (column, row) = self.size.place_of(threat);
                columns.add(me, column, row);
                totals.zugzwang = self.zugzwang(&columns);
            }
        }
        let empty = board.size().cells() - board.stones() - 1;
        Some(me.view(self.points(&totals, empty)) - self.weights.tempo())
    }

    fn tt_min_depth(&self) -> i32 {
        3
    }

    fn futility_margin(&self) -> Option<i32> {
        Some(15)
    }

    fn history_len(&self) -> usize {
        CELLS
    }
}
