//! What a search found: the one result type from the search to the output.

use std::time::Duration;

use super::score::{Score, Value};
use super::transposition_table::Bound;
use super::tree::TreeCounts;
use crate::game::{ExactValue, Outcome, Side};

/// How good a position is for the side to move, as users see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportedScore {
    /// An evaluation, in points.
    Points(i32),
    /// Proved: a win in that many plies.
    Win(usize),
    /// Proved: a loss in that many plies.
    Loss(usize),
    /// Proved: neither side can win.
    Draw,
    /// Proved: the game ends with this lead, in games that count more than winning.
    Margin(i32),
}

impl ReportedScore {
    /// The score of a finished game for `side`.
    pub fn of_outcome(outcome: Outcome, side: Side) -> ReportedScore {
        Value::proved(Score::of_outcome(outcome, side, 0)).into()
    }

    /// Whether it holds for perfect play.
    pub fn is_proved(self) -> bool {
        self.proved_sign().is_some()
    }

    /// Who wins with perfect play, if that is proved: the side to move (1), the other one (-1) or
    /// nobody (0).
    pub fn proved_sign(self) -> Option<i32> {
        match self {
            ReportedScore::Points(_) => None,
            ReportedScore::Win(_) => Some(1),
            ReportedScore::Loss(_) => Some(-1),
            ReportedScore::Draw => Some(0),
            ReportedScore::Margin(margin) => Some(margin.signum()),
        }
    }
}

impl From<Value> for ReportedScore {
    fn from(value: Value) -> ReportedScore {
        match value.score.plies_to_end() {
            Some(plies) if value.score.is_win() => ReportedScore::Win(plies),
            Some(plies) => ReportedScore::Loss(plies),
            None if value.holds_here() => ReportedScore::Draw,
            None => ReportedScore::Points(value.score.points()),
        }
    }
}

impl From<ExactValue> for ReportedScore {
    fn from(value: ExactValue) -> ReportedScore {
        match value {
            ExactValue::Win(plies) => ReportedScore::Win(plies),
            ExactValue::Loss(plies) => ReportedScore::Loss(plies),
            ExactValue::Draw => ReportedScore::Draw,
        }
    }
}

/// Why a search has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchEnd {
    /// A limit or a signal interrupted it, or it goes on.
    Interrupted,
    /// It is as deep as it may go, or has no time to go deeper.
    DeepEnough,
    /// A longer search would find the same: distances to the end are exact, and not only limits.
    Exact,
}

/// A principal variation with its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PvLine<M> {
    /// For the side to move; `None` from strategies that do not evaluate.
    pub score: Option<ReportedScore>,
    /// What the score says. Not exact if the search was interrupted after failing low or high.
    pub bound: Bound,
    /// The moves: at least one, unless the game is over.
    pub moves: Vec<M>,
}

/// What a search has found, while it runs and at its end. `M` is a move, or its text on the way
/// out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult<M> {
    /// The depth of the iteration and the greatest ply reached.
    pub depth: Option<(u32, u32)>,
    /// The best lines, best first: at least one.
    pub lines: Vec<PvLine<M>>,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// What the fixed-depth strategies count besides nodes.
    pub tree: Option<TreeCounts>,
    /// Time since the start.
    pub time: Duration,
    /// How full the transposition table is, in permille, if it was used.
    pub hashfull: Option<usize>,
    /// Why it has ended, if it has.
    pub end: SearchEnd,
}

impl<M> PvLine<M> {
    /// A line with this score, exact if there is one.
    pub fn new(score: Option<ReportedScore>, moves: Vec<M>) -> PvLine<M> {
        PvLine { score, bound: Bound::Exact, moves }
    }

    /// The score if it says something about the move, and not only that it is better than a loss or
    /// worse than a win.
    pub fn known_score(&self) -> Option<ReportedScore> {
        let score = self.score?;
        match (self.bound, score) {
            (Bound::Exact, _)
            | (Bound::Lower, ReportedScore::Win(_))
            | (Bound::Upper, ReportedScore::Loss(_))
            | (_, ReportedScore::Points(_)) => Some(score),
            _ => None,
        }
    }
}

impl<M: Clone> SearchResult<M> {
    /// The move to play; `None` if the game is over.
    pub fn best_move(&self) -> Option<&M> {
        self.lines.first()?.moves.first()
    }

    /// The same result with the moves of each line replaced by `text_of` them.
    pub fn with_moves<T>(&self, mut text_of: impl FnMut(&[M]) -> Vec<T>) -> SearchResult<T> {
        let line = |line: &PvLine<M>| PvLine {
            score: line.score,
            bound: line.bound,
            moves: text_of(&line.moves),
        };
        SearchResult {
            depth: self.depth,
            lines: self.lines.iter().map(line).collect(),
            nodes: self.nodes,
            tree: self.tree,
            time: self.time,
            hashfull: self.hashfull,
            end: self.end,
        }
    }
}
