//! The default strategy where the solver fits: search for a good move, solve for the truth.
//!
//! Search and solver take turns: see [`take_turns`]. Before that, the opening book is asked: what it
//! knows is exact and takes no time.

use std::sync::MutexGuard;

use super::board::{Board, Column, Size};
use super::book::{Book, by_preference};
use super::book_probe::{book_for, book_probe, standing, worth};
use super::solver::{Bounds, Position, Solver, SolverLimits, SolverScore as Score, exact_value};
use crate::game::{Game, Side};
use crate::platform::threads::useful_threads;
use crate::strategy::{
    Aim, Full, Line, ReportedScore, SearchRequest, SearchResult, Settings, Strategy, take_turns,
};

/// What the solver remembers between searches.
pub type Memory = Option<Solver>;

/// The position as the solver sees it, or `None` if it is not made for such boards.
pub fn solver_position(board: &Board) -> Option<Position> {
    let Size { rows, columns, line } = board.size();
    if line != 4 {
        return None;
    }
    let stones_of = |side: Side| {
        let cells = (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row)));
        let own = cells.filter(|&(column, row)| board.stone(column, row) == Some(side));
        // Too many cells for 128 bits are refused below.
        own.fold(0u128, |bits, (column, row)| {
            bits | 1u128.checked_shl((column * (rows + 1) + row) as u32).unwrap_or(0)
        })
    };
    let me = board.side_to_move();
    Position::from_stones(rows as u32, columns as u32, stones_of(me), stones_of(!me)).ok()
}

/// How many of `mebibytes` the transposition table gets; the solver gets the rest.
pub fn table_share(board: &Board, mebibytes: usize) -> usize {
    if solver_position(board).is_some() { (mebibytes / 4).max(1) } else { mebibytes }
}

/// The book; then search and solver in turns.
pub struct HybridStrategy;

/// The book; then the solver, after a first look of the search or, under limits, beside it.
pub struct Exact;

impl Strategy<Board> for HybridStrategy {
    fn choose(
        &self,
        request: &SearchRequest<'_, Board>,
        report: &mut dyn FnMut(&SearchResult<Column>),
    ) -> SearchResult<Column> {
        // A depth is asked of the search, and a level below the highest holds it back.
        let plain = request.limits.depth.is_some() || request.settings.level < Settings::FULL_LEVEL;
        match solver_position(request.game) {
            Some(position) if !plain => book_probe(request, &position).unwrap_or_else(|| {
                let aim = Aim::Move(solver_ratio(request.game));
                Inquiry::new(request, position).run(aim, report)
            }),
            _ => Full.choose(request, report),
        }
    }
}

impl Strategy<Board> for Exact {
    fn choose(
        &self,
        request: &SearchRequest<'_, Board>,
        report: &mut dyn FnMut(&SearchResult<Column>),
    ) -> SearchResult<Column> {
        // A depth is asked of the search.
        match solver_position(request.game) {
            Some(position) if request.limits.depth.is_none() => {
                let inquiry = Inquiry::new(request, position);
                match book_probe(request, &position) {
                    Some(recalled) => inquiry.complete(recalled),
                    None => inquiry.run(Aim::Truth, report),
                }
            }
            _ => Full.choose(request, report),
        }
    }
}

/// How many nodes the solver gets for each node of the search: most where it will succeed soon,
/// few where success is far away.
fn solver_ratio(board: &Board) -> f64 {
    match board.size().cells() - board.stones() {
        ..=42 => 8.0,
        43..=50 => 1.0,
        _ => 0.125,
    }
}

/// The inquiry into one position.
struct Inquiry<'a, 'q> {
    request: &'a SearchRequest<'q, Board>,
    position: Position,
    memory: MutexGuard<'a, Memory>,
}

impl<'a, 'q> Inquiry<'a, 'q> {
    fn new(request: &'a SearchRequest<'q, Board>, position: Position) -> Self {
        let mut memory = request.memory.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let Settings { hash, threads, .. } = *request.settings;
        let threads = useful_threads(threads);
        if memory.is_none() {
            let mebibytes = hash - table_share(request.game, hash).min(hash - 1);
            match Solver::new(mebibytes, threads) {
                Ok(solver) => *memory = Some(solver),
                Err(error) => log::warn!("the solver cannot be used: {error}"),
            }
        }
        if let Some(solver) = memory.as_mut() {
            solver.set_threads(threads);
        }
        Inquiry { request, position, memory }
    }

    fn run(
        mut self,
        aim: Aim,
        report: &mut dyn FnMut(&SearchResult<Column>),
    ) -> SearchResult<Column> {
        let request = self.request;
        let found = take_turns(request, aim, &mut |nodes, found| self.solve(nodes, found), report);
        self.corrected(found)
    }

    /// What was found, but with another move if the solver, though it has not got to the end, knows
    /// one that wins, or that the one found throws a result away.
    fn corrected(&mut self, mut found: SearchResult<Column>) -> SearchResult<Column> {
        let opinion = matches!(found.lines[0].standing, Some(ReportedScore::Points(_)));
        if let Some(solver) = self.memory.as_mut()
            && opinion
            && found.lines.len() == 1
        {
            let known = solver.known_moves(&self.position);
            // The last of equals is taken: the most central.
            let moves =
                known.into_iter().rev().map(|(column, known)| (Column(column as u8), known));
            let chosen = found.lines[0].moves[0];
            let best = moves.filter(|(column, _)| self.request.moves.contains(column)).max_by_key(
                |&(column, Bounds { lower, upper })| {
                    (lower.signum(), upper.signum(), column == chosen)
                },
            );
            if let Some((column, _)) = best
                && column != chosen
            {
                found.lines[0].moves = vec![column];
            }
        }
        found
    }

    /// What the book knows, and the moves after the end of its lines that lead to the result.
    fn complete(mut self, recalled: SearchResult<Column>) -> SearchResult<Column> {
        let complete = |line: Line<Column>| self.completed(&line).unwrap_or(line);
        let lines = recalled.lines.into_iter().map(complete).collect();
        let control = self.request.control;
        SearchResult { lines, nodes: control.nodes(), time: control.elapsed(), ..recalled }
    }

    fn completed(&mut self, line: &Line<Column>) -> Option<Line<Column>> {
        let play = |here: Position, &Column(column): &Column| here.play(column.into());
        let end = line.moves.iter().try_fold(self.position, play)?;
        let score = book_for(self.request)?.score(&end)?;
        let SearchRequest { limits, control, .. } = self.request;
        let left = limits.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(control.nodes()));
        let mut work = self.work(left)?;
        let rest = work.variation(&end, score);
        Some(Line { moves: [&line.moves[..], &rest].concat(), ..line.clone() })
    }

    /// The solver, allowed so many nodes and as much time as is left.
    fn work(&mut self, nodes: u64) -> Option<Work<'_>> {
        let SearchRequest { limits, control, .. } = *self.request;
        let deadline = limits.budget().hard.filter(|_| !control.is_pondering());
        Some(Work {
            solver: self.memory.as_mut()?,
            book: book_for(self.request),
            limits: SolverLimits {
                stop: Some(control.stop_flag()),
                nodes: (nodes < u64::MAX).then_some(nodes),
                deadline: deadline.and_then(|hard| control.moment(hard)),
                counter: Some(control.node_counter()),
            },
            spent: 0,
        })
    }

    /// A turn of the solver: the final report if it got to the end. The order of moves that the
    /// search `found` decides among equals.
    fn solve(&mut self, nodes: u64, found: &SearchResult<Column>) -> Option<SearchResult<Column>> {
        let SearchRequest { moves, settings, control, .. } = *self.request;
        let position = self.position;
        let mut work = self.work(nodes)?;
        let all_moves = position.legal_columns().count() == moves.len();
        let lines = if all_moves && settings.multi_pv == 1 {
            work.best_line(&position, found).map(|line| vec![line])
        } else {
            work.best_lines(&position, moves, found, settings.multi_pv.max(1))
        };
        let empties = position.empties();
        Some(SearchResult {
            depth: Some((empties, empties)),
            lines: lines?,
            nodes: control.nodes(),
            leaves: None,
            time: control.elapsed(),
            hashfull: Some(0),
        })
    }
}

/// The solver at work under limits that hold for all its questions together.
struct Work<'a> {
    solver: &'a mut Solver,
    book: Option<&'a Book>,
    limits: SolverLimits<'a>,
    spent: u64,
}

impl Work<'_> {
    /// The best move with its line, if the position can be solved.
    fn best_line(
        &mut self,
        position: &Position,
        found: &SearchResult<Column>,
    ) -> Option<Line<Column>> {
        let score = self.score(position)?;
        self.keep(position, score, found);
        let moves = self.variation(position, score);
        let standing = Some(standing(exact_value(score, position.empties())));
        // The book may know the score before it is known what move leads there.
        (!moves.is_empty()).then_some(Line { standing, moves })
    }

    /// Finds a move that wins or draws as the position does, the one that was found before any
    /// other. If there is no time for the best one, the solver remembers that.
    fn keep(&mut self, position: &Position, score: Score, found: &SearchResult<Column>) {
        let goal = match score.signum() {
            1 => -1,
            0 => 0,
            _ => return,
        };
        let Column(chosen) = found.lines[0].moves[0];
        let mut moves = by_preference(position);
        moves.sort_by_key(|&(column, _)| column != u32::from(chosen));
        for (_, next) in moves {
            let wanted = Bounds { lower: goal, upper: goal + 1 };
            let proof = self.solver.narrow(&next, wanted, &self.limits.after(self.spent));
            self.spent += proof.nodes;
            if proof.bounds.upper <= goal {
                return;
            }
        }
    }

    /// The exact score, from the book or by solving.
    fn score(&mut self, position: &Position) -> Option<Score> {
        if let Some(score) = self.book.and_then(|book| book.score(position)) {
            return Some(score);
        }
        let proof = self.solver.bounds(position, &self.limits.after(self.spent), &mut |_| {});
        self.spent += proof.nodes;
        proof.bounds.score()
    }

    /// The best `count` of the `moves` with their lines, best first, if each move can be solved.
    fn best_lines(
        &mut self,
        position: &Position,
        moves: &[Column],
        found: &SearchResult<Column>,
        count: usize,
    ) -> Option<Vec<Line<Column>>> {
        let mut scored = Vec::new();
        for &column in moves {
            let next = position.play(column.0.into())?;
            let score = match self.book.and_then(|book| worth(book, position, column)) {
                Some(score) => score,
                None => -self.score(&next)?,
            };
            let place = found.lines.iter().position(|line| line.moves[0] == column);
            scored.push((-score, place, column, next));
        }
        scored.sort_by_key(|&(worth, place, ..)| (worth, place));
        scored.truncate(count);
        let line = |(score_of_next, _, column, next): (Score, _, _, Position)| {
            let outcome = exact_value(-score_of_next, position.empties());
            let mut moves = vec![column];
            moves.extend(self.variation(&next, score_of_next));
            Line { standing: Some(standing(outcome)), moves }
        };
        Some(scored.into_iter().map(line).collect())
    }

    /// A line of best moves from a position with this score, as far as the limits allow.
    fn variation(&mut self, position: &Position, score: Score) -> Vec<Column> {
        let limits = self.limits.after(self.spent);
        let (columns, nodes) = self.solver.principal_variation(position, score, &limits);
        self.spent += nodes;
        columns.into_iter().map(|column| Column(column as u8)).collect()
    }
}
