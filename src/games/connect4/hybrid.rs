//! The default strategy on boards that the solver supports: opening book, then playing search and
//! solver in alternation (see [`alternate`]).

use super::board::{Board, Column, Size};
use super::book::{Book, by_preference};
use super::book_probe::{book_for, book_probe, move_score};
use super::solver::{
    Bounds, OutOfMemory, Position, Solver, SolverLimits, SolverScore, exact_value,
};
use crate::game::{Game, Side};
use crate::platform::threads::useful_threads;
use crate::search::SearchRequest;
use crate::search::result::{PvLine, ReportedScore, SearchEnd, SearchResult};
use crate::settings::Settings;
use crate::strategy::{Full, HybridGoal, Playable, Resources, SolverWork, Strategy, alternate};

/// The solver with its table, kept between searches.
pub type Memory = Option<Solver>;

/// The position as the solver's type, or `None` if the solver does not support the board.
pub fn solver_position(board: &Board) -> Option<Position> {
    let Size { rows, columns, line } = board.size();
    let empty = Position::with_line(rows as u32, columns as u32, line as u32).ok()?;
    let stones_of = |side: Side| {
        let cells = (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row)));
        let own = cells.filter(|&(column, row)| board.stone(column, row) == Some(side));
        own.fold(0u128, |bits, (column, row)| bits | 1 << (column * (rows + 1) + row))
    };
    let me = board.side_to_move();
    empty.with_stones(stones_of(me), stones_of(!me)).ok()
}

/// The transposition table's part of `mebibytes`; the solver gets the rest. Lines other than four
/// leave it less, since it seldom finishes early in the game.
pub fn tt_share(board: &Board, mebibytes: usize) -> usize {
    let part = match solver_position(board) {
        None => mebibytes,
        Some(position) if position.line() == 4 => mebibytes / 4,
        Some(_) => mebibytes - mebibytes / 4,
    };
    part.max(1)
}

/// The solver in `memory`, made now if there is none, with the threads of the settings.
pub fn kept_solver<'m>(
    board: &Board,
    settings: &Settings,
    memory: &'m mut Memory,
) -> Result<&'m mut Solver, OutOfMemory> {
    let Settings { hash, threads, .. } = *settings;
    let threads = useful_threads(threads);
    let solver = match memory.take() {
        Some(solver) => solver,
        None => Solver::new(hash - tt_share(board, hash).min(hash - 1), threads)?,
    };
    let solver = memory.insert(solver);
    solver.set_threads(threads);
    Ok(solver)
}

/// Book; then search and solver in alternation.
pub struct HybridStrategy;

/// Book; then the solver, after a short search or, under limits, in alternation with it.
pub struct SolveStrategy;

impl Strategy<Board> for HybridStrategy {
    fn choose(
        &self,
        request: &SearchRequest<'_, Board>,
        resources: &mut Resources<'_, Board>,
        report: &mut dyn FnMut(&SearchResult<Column>),
    ) -> SearchResult<Column> {
        // A depth limits only the playing search, and a lower level weakens only it.
        let plain = request.limits.depth.is_some() || request.settings.level < Settings::FULL_LEVEL;
        match solver_position(request.game) {
            Some(position) if !plain => book_probe(request, &position).unwrap_or_else(|| {
                SolverSession::new(request, position, resources).run(HybridGoal::Move, report)
            }),
            _ => Full.choose(request, resources, report),
        }
    }
}

impl Strategy<Board> for SolveStrategy {
    fn choose(
        &self,
        request: &SearchRequest<'_, Board>,
        resources: &mut Resources<'_, Board>,
        report: &mut dyn FnMut(&SearchResult<Column>),
    ) -> SearchResult<Column> {
        // A depth limits only the playing search.
        match solver_position(request.game) {
            Some(position) if request.limits.depth.is_none() => {
                let session = SolverSession::new(request, position, resources);
                match book_probe(request, &position) {
                    Some(found) => session.complete(found),
                    None => session.run(HybridGoal::Solve, report),
                }
            }
            _ => Full.choose(request, resources, report),
        }
    }
}

/// What the solver needs, as measured on positions of games on 6x7 and 8x8: half of those with 33
/// empty cells on 6x7 take 220,000 nodes, and two more empty cells take three times as many. With
/// more stones on a larger board there are more threats, so five more cells make up for an empty one.
///
/// Lines of five and six took 9 to 25 times as many on random positions of 6x7, and there are fewer
/// threats on larger boards: longer lines count as six more empty cells, and a large board as 6x7.
fn solver_work(position: &Position) -> SolverWork {
    let cells = f64::from(position.rows() * position.columns());
    let (harder, most_cells) = if position.line() > 4 { (6.0, 42.0) } else { (0.0, f64::MAX) };
    let exponent =
        f64::from(position.empties()) + harder - 33.0 - 0.2 * (cells.min(most_cells) - 42.0);
    SolverWork { median: 220_000.0 * 3f64.powf(exponent / 2.0), spread: 0.7, node_cost: 1.0 }
}

/// The solver's work on one request.
struct SolverSession<'a, 'r> {
    request: &'a SearchRequest<'r, Board>,
    evaluator: <Board as Playable>::Evaluator,
    position: Position,
    memory: &'a mut Memory,
}

impl<'a, 'r> SolverSession<'a, 'r> {
    fn new(
        request: &'a SearchRequest<'r, Board>,
        position: Position,
        resources: &'a mut Resources<'_, Board>,
    ) -> Self {
        let evaluator = request.game.evaluator(resources.endgames);
        let memory = &mut *resources.memory;
        if let Err(error) = kept_solver(request.game, request.settings, memory) {
            log::warn!("the solver cannot be used: {error}");
        }
        SolverSession { request, evaluator, position, memory }
    }

    fn run(
        mut self,
        goal: HybridGoal,
        report: &mut dyn FnMut(&SearchResult<Column>),
    ) -> SearchResult<Column> {
        let request = self.request;
        let evaluator = self.evaluator.clone();
        let work = solver_work(&self.position);
        let mut prove = |nodes, found: &SearchResult<Column>| self.solve(nodes, found);
        let found = alternate(request, &evaluator, goal, work, &mut prove, report);
        self.corrected(found)
    }

    /// The result of the search, with another move if the unfinished solver already has bounds that
    /// show a win, a move that keeps the result which the chosen one gives away, or, of lost
    /// moves, one that holds out longer.
    fn corrected(&mut self, mut found: SearchResult<Column>) -> SearchResult<Column> {
        let heuristic = matches!(found.lines[0].score, Some(ReportedScore::Points(_)));
        if !heuristic || found.lines.len() > 1 {
            return found;
        }
        let Some(solver) = self.memory.as_mut() else {
            return found;
        };
        let book_score = book_for(self.request).and_then(|book| book.score(&self.position));
        let position = solver.known_bounds(&self.position);
        let result = book_score.unwrap_or(position.lower).signum();
        let chosen = found.lines[0].moves[0];
        let preference = |&(column, Bounds { lower, upper }): &(Column, Bounds)| {
            // A move about which little is known is better than a bad one only if the position
            // has a result to keep: otherwise the search has good reasons for its choice.
            let may_keep_result = result >= 0 && upper.signum() >= result;
            // How long it holds out: the chosen one at best, the others for certain.
            let resistance = match column == chosen {
                true => upper.min(0),
                false if upper < 0 => lower,
                false => SolverScore::MIN,
            };
            (lower.signum(), may_keep_result, resistance, column == chosen)
        };
        // The last of equals is taken: the most central.
        let known = solver.known_moves(&self.position).into_iter().rev();
        let moves = known.map(|(column, bounds)| (Column(column as u8), bounds));
        let best =
            moves.filter(|(column, _)| self.request.moves.contains(column)).max_by_key(preference);
        if let Some((column, _)) = best
            && column != chosen
        {
            found.lines[0].moves = vec![column];
        }
        found
    }

    /// The book's result, its lines continued by the solver to the end of the game.
    fn complete(mut self, found: SearchResult<Column>) -> SearchResult<Column> {
        let complete = |line: PvLine<Column>| self.completed(&line).unwrap_or(line);
        let lines = found.lines.into_iter().map(complete).collect();
        let control = self.request.control;
        SearchResult { lines, nodes: control.nodes(), time: control.elapsed(), ..found }
    }

    fn completed(&mut self, line: &PvLine<Column>) -> Option<PvLine<Column>> {
        let play = |here: Position, &Column(column): &Column| here.play(column.into());
        let end = line.moves.iter().try_fold(self.position, play)?;
        let score = book_for(self.request)?.score(&end)?;
        let SearchRequest { limits, control, .. } = self.request;
        let left = limits.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(control.nodes()));
        let mut work = self.work(left)?;
        let rest = work.variation(&end, score);
        Some(PvLine { moves: [&line.moves[..], &rest].concat(), ..line.clone() })
    }

    /// The solver, limited to `nodes` and the time left.
    fn work(&mut self, nodes: u64) -> Option<Work<'_>> {
        let SearchRequest { limits, control, .. } = *self.request;
        Some(Work {
            solver: self.memory.as_mut()?,
            book: book_for(self.request),
            limits: SolverLimits {
                nodes: (nodes < u64::MAX).then_some(nodes),
                control: Some(control),
                time: limits.budget().hard,
            },
            spent: 0,
        })
    }

    /// A turn of the solver: the exact result if it finishes. Ties are broken by the order of moves
    /// that the search `found`.
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
            tree: None,
            time: control.elapsed(),
            hashfull: Some(0),
            end: SearchEnd::Exact,
        })
    }
}

/// The solver under limits that apply to all its calls together.
struct Work<'a> {
    solver: &'a mut Solver,
    book: Option<&'a Book>,
    limits: SolverLimits<'a>,
    spent: u64,
}

impl Work<'_> {
    /// The best move with its line, if it is solved within the limits.
    fn best_line(
        &mut self,
        position: &Position,
        found: &SearchResult<Column>,
    ) -> Option<PvLine<Column>> {
        let score = self.score(position)?;
        self.prove_safe_move(position, score, found);
        let moves = self.variation(position, score);
        let reported = Some(exact_value(score, position.empties()).into());
        // The book may have the score of a position without those of its moves.
        (!moves.is_empty()).then_some(PvLine::new(reported, moves))
    }

    /// Proves for one move that it keeps the position's win or draw, trying the move that the search
    /// found first. If the limits do not allow to find the best move, `corrected` plays this one: its
    /// bounds stay in the solver's table.
    fn prove_safe_move(
        &mut self,
        position: &Position,
        score: SolverScore,
        found: &SearchResult<Column>,
    ) {
        let goal = match score.signum() {
            1 => -1,
            0 => 0,
            _ => return,
        };
        let Column(chosen) = found.lines[0].moves[0];
        let mut moves = by_preference(position);
        moves.sort_by_key(|&(column, _)| column != u32::from(chosen));
        for (_, next) in moves {
            let window = Bounds { lower: goal, upper: goal + 1 };
            let proof = self.solver.narrow(&next, window, &self.limits.after(self.spent));
            self.spent += proof.nodes;
            if proof.bounds.upper <= goal {
                return;
            }
        }
    }

    /// The exact score, from the book or by solving.
    fn score(&mut self, position: &Position) -> Option<SolverScore> {
        if let Some(score) = self.book.and_then(|book| book.score(position)) {
            return Some(score);
        }
        let proof = self.solver.bounds(position, &self.limits.after(self.spent), &mut |_| {});
        self.spent += proof.nodes;
        proof.bounds.score()
    }

    /// The best `count` of the `moves` with their lines, best first, if all are solved within the
    /// limits.
    fn best_lines(
        &mut self,
        position: &Position,
        moves: &[Column],
        found: &SearchResult<Column>,
        count: usize,
    ) -> Option<Vec<PvLine<Column>>> {
        let mut scored = Vec::new();
        for &column in moves {
            let next = position.play(column.0.into())?;
            let score = match self.book.and_then(|book| move_score(book, position, column)) {
                Some(score) => score,
                None => -self.score(&next)?,
            };
            let place = found.lines.iter().position(|line| line.moves[0] == column);
            scored.push((-score, place, column, next));
        }
        scored.sort_by_key(|&(score, place, ..)| (score, place));
        scored.truncate(count);
        let line = |(score_of_next, _, column, next): (SolverScore, _, _, Position)| {
            let value = exact_value(-score_of_next, position.empties());
            let mut moves = vec![column];
            moves.extend(self.variation(&next, score_of_next));
            PvLine::new(Some(value.into()), moves)
        };
        Some(scored.into_iter().map(line).collect())
    }

    /// A line of best moves from a position with this score, as far as the limits allow.
    fn variation(&mut self, position: &Position, score: SolverScore) -> Vec<Column> {
        let limits = self.limits.after(self.spent);
        let (columns, nodes) = self.solver.principal_variation(position, score, &limits);
        self.spent += nodes;
        columns.into_iter().map(|column| Column(column as u8)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Limits, NodeCounter, SearchControl};
    use crate::search::transposition_table::TranspositionTable;

    /// Nodes that search and solver get of a million if the solver does not finish.
    fn shares(rows: usize, columns: usize, line: usize, moves: &[u8]) -> [u64; 2] {
        shares_with(1, rows, columns, line, moves)
    }

    /// The same with several threads.
    fn shares_with(
        threads: usize,
        rows: usize,
        columns: usize,
        line: usize,
        moves: &[u8],
    ) -> [u64; 2] {
        let mut board = Board::new(Size { rows, columns, line });
        for column in moves {
            board.play(Column(column - 1));
        }
        let mut moves = Vec::new();
        board.legal_moves(&mut moves);
        let limits = Limits { nodes: Some(1_000_000), ..Limits::default() };
        let control = SearchControl::new(false, false);
        let request = SearchRequest {
            game: &board,
            moves: &moves,
            limits: &limits,
            control: &control,
            tt: &TranspositionTable::new(8).unwrap(),
            settings: &Settings { threads, ..Settings::default() },
        };
        let work = solver_work(&solver_position(&board).unwrap());
        let evaluator = board.evaluator(&Default::default());
        let mut solver_nodes = 0;
        let mut prove = |nodes, _: &SearchResult<Column>| {
            let mut counter = NodeCounter::new(&control, &limits, Some(nodes));
            while counter.tick().is_ok() {}
            solver_nodes += nodes;
            None
        };
        alternate(&request, &evaluator, HybridGoal::Move, work, &mut prove, &mut |_| {});
        [control.nodes() - solver_nodes, solver_nodes]
    }

    #[test]
    fn the_search_gets_the_most_unless_the_solver_is_about_to_finish() {
        let hard = [1, 2, 2, 2, 1, 1, 5, 6, 5, 5, 5, 5, 5, 2, 2, 6, 6, 6, 6, 6, 3, 3, 3];
        let [search, solver] = shares(8, 8, 4, &hard);
        assert!(search > solver, "{search} and {solver}");
        assert_eq!(search + solver, 1_000_000);
        assert_eq!(shares(8, 8, 4, &[])[1], 0);
        let easy = [1, 2, 3, 4, 5, 6, 7, 1, 2, 3];
        let [search, solver] = shares(6, 7, 4, &easy);
        assert!(search < solver, "{search} and {solver}");
        // The same stones, but a longer line.
        let [search, solver] = shares(6, 7, 5, &easy);
        assert!(search > solver, "{search} and {solver}");
        assert_eq!(shares(9, 9, 5, &[])[1], 0);
    }

    /// A thread that has used up its nodes before the others has been interrupted all the same.
    #[test]
    fn the_search_goes_on_with_several_threads() {
        let hard = [1, 2, 2, 2, 1, 1, 5, 6, 5, 5, 5, 5, 5, 2, 2, 6, 6, 6, 6, 6, 3, 3, 3];
        for _ in 0..5 {
            let [search, solver] = shares_with(2, 8, 8, 4, &hard);
            assert!(search > solver, "{search} and {solver}");
        }
    }

    #[test]
    fn every_line_has_a_solver_where_the_board_fits() {
        let supported = |rows, columns, line| {
            solver_position(&Board::new(Size { rows, columns, line })).is_some()
        };
        assert!((2..=9).all(|line| supported(9, 9, line)));
        assert!(supported(25, 4, 25) && supported(4, 25, 5));
        assert!(!supported(11, 11, 4) && !supported(25, 25, 5));
    }
}
