//! The opinion: every possible line is counted, in all four directions, move by move.
//!
//! A *window* is a place for a winning line: `line` cells in a row. If all cells but one hold
//! stones of one side, the last one is a *threat* of that side: whoever fills it decides the
//! game.
//!
//! Playing a stone changes the windows through its cell only, so following the game costs the
//! same on every board, and judging is a sum already made:
//!
//! - windows with stones of one side only, worth more the fuller they are;
//! - threats, worth more the lower they lie, and much more in the rows that their owner gets to
//!   fill when the players run out of other moves.

mod counter;
mod patterns;
mod weights;
mod windows;

use std::sync::Arc;

use counter::Counter;
use weights::ThreatWeights;

use super::board::{Board, CELLS, Column, Size};
use crate::game::{Candidate, Evaluate, Evaluator, Game, Side};

/// To be on the move is worth about half of what a stone gains: with it, scores of odd and even
/// depths are alike, and the next iteration knows what to expect.
const TEMPO: i32 = 8;

/// The judgement of a position, kept up to date move by move.
#[derive(Clone, Debug)]
pub struct LineEvaluator {
    size: Size,
    counter: Counter,
    threat_weights: Arc<ThreatWeights>,
    /// For each cell, how many stones of either side made it a threat. Stale for filled cells.
    threats: Box<[[u8; 2]; CELLS]>,
    totals: Totals,
    /// The totals before each move played since [`Evaluator::attach`].
    past: Vec<Totals>,
}

/// The two parts of the evaluation, for player 1, and how many cells are threats of either side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Totals {
    windows: i32,
    threats: i32,
    live_threats: u32,
    /// Whether the last stone has made threats.
    threatening: bool,
}

impl LineEvaluator {
    /// A judge for boards of this size, looking at the empty one.
    pub fn new(size: Size) -> LineEvaluator {
        LineEvaluator {
            size,
            counter: Counter::new(size),
            threat_weights: Arc::new(ThreatWeights::new(size)),
            threats: Box::new([[0; 2]; CELLS]),
            totals: Totals::default(),
            past: Vec::new(),
        }
    }

    fn put(&mut self, cell: usize, side: Side) {
        let LineEvaluator { counter, threat_weights, threats, totals, .. } = self;
        // Threats in this cell are decided now, whoever owned them.
        if threats[cell] != [0, 0] {
            for owner in [Side::P1, Side::P2] {
                if threats[cell][owner.index()] > 0 {
                    totals.live_threats -= 1;
                    totals.threats -= threat_weights.to_p1(cell, owner);
                }
            }
        }
        totals.threatening = false;
        totals.windows += counter.effect(cell, side, |threat| {
            totals.threatening = true;
            let count = &mut threats[threat][side.index()];
            *count += 1;
            if *count == 1 {
                totals.live_threats += 1;
                totals.threats += threat_weights.to_p1(threat, side);
            }
        });
        counter.fill(cell, side);
    }

    /// Takes the last stone away again, which `side` had put into `cell`.
    fn take(&mut self, cell: usize, side: Side, before: Totals) {
        self.counter.clear(cell, side);
        if self.totals.threatening {
            let threats = &mut self.threats;
            self.counter.effect(cell, side, |threat| threats[threat][side.index()] -= 1);
        }
        self.totals = before;
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
        TEMPO + board.side_to_move().view(self.totals.windows + self.totals.threats)
    }
}

impl Evaluator<Board> for LineEvaluator {
    fn reset(&mut self, board: &Board) {
        if board.size() != self.size {
            *self = LineEvaluator::new(board.size());
        }
        self.counter.clear_all();
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
        if let Some(totals) = self.past.pop() {
            self.take(before.landing_cell(usize::from(column)), before.side_to_move(), totals);
        }
    }

    /// A win at once is the only candidate. Else a cell where the opponent would win at once is:
    /// leaving it, or having two of them, loses in two plies, as does every other move then.
    /// Else all moves but those that let the opponent win right above; those lose in two plies,
    /// which nothing loses faster than, so one of them will do if there are no others.
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

    /// A stone is worth what it adds to the windows through its cell.
    fn score_moves(&self, board: &Board, candidates: &mut [Candidate<Column>]) {
        let me = board.side_to_move();
        for candidate in candidates {
            let gain = self.counter.effect(usize::from(candidate.history_index), me, |_| ());
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

    /// Only for a stone that changes nothing urgent: neither its cell nor the one above is a
    /// threat, and the one new threat that it may make cannot be carried out at once.
    fn eval_after(&self, board: &Board, Column(column): Column) -> Option<i32> {
        let (me, cell) = (board.side_to_move(), board.landing_cell(usize::from(column)));
        let urgent = self.threats[cell] != [0, 0] || self.threats[cell + 1] != [0, 0];
        if urgent || board.stones() + 1 == board.size().cells() {
            return None;
        }
        let mut new_threats = [None; 2];
        let gain = self.counter.effect(cell, me, |threat| {
            if new_threats[0].is_none_or(|first| first == threat) {
                new_threats[0] = Some(threat);
            } else {
                new_threats[1] = Some(threat);
            }
        });
        let mut total = self.totals.windows + self.totals.threats + gain;
        if let [Some(threat), second] = new_threats {
            let at_once = threat == cell + 1 || board.is_landing(threat);
            if at_once || second.is_some() {
                return None;
            }
            if !self.is_threat(me, threat) {
                total += self.threat_weights.to_p1(threat, me);
            }
        }
        Some(me.view(total) - TEMPO)
    }

    fn futility_margin(&self) -> Option<i32> {
        Some(15)
    }

    fn history_len(&self) -> usize {
        CELLS
    }

    fn terms(&self, board: &Board) -> Vec<(&'static str, i32)> {
        vec![
            ("lines", self.totals.windows),
            ("threats", self.totals.threats),
            ("tempo", board.side_to_move().view(TEMPO)),
        ]
    }
}
