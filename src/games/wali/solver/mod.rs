//! The exact solver: where an endgame table has the whole move phase, the drop phase is searched to its
//! end. `drop_search` searches, `drop_table` remembers bounds, `score` says what the numbers mean.

mod drop_search;
mod drop_table;
mod score;

use std::sync::Arc;

use super::bits::Shape;
use super::board::{Board, MOST_QUIET, Move, Phase};
use super::endgame::builtin::{self, BuiltinTable};
use super::endgame::{self, Endgames};
use super::full::{FullWithTable, evaluator_with_table};
use crate::endgames::EndgameStore;
use crate::game::{Game, Side};
use crate::limits::NodeCounter;
use crate::search::SearchRequest;
use crate::search::result::{SearchEnd, SearchResult};
use crate::strategy::{HybridGoal, Resources, SolverWork, Strategy, alternate};
use drop_search::DropSearch;
use drop_table::DropTable;

/// The most cells of a board with a solver, unless a file has its table.
const MOST_CELLS: usize = 16;
/// No win in the built-in tables of these boards takes longer.
const LONGEST_WIN: usize = 69;

/// The part of its time for which it waits for the table: with that, nothing takes long any more.
const SOLVER_WAITS: f64 = 7.0 / 8.0;

/// How much work the solver has. It is only asked for exact values, so that its share of the time does
/// not depend on how long it takes. Its nodes are taken to cost as much as those of the search, which only
/// matters under a limit of nodes.
const WORK: SolverWork = SolverWork { median: 1_000_000.0, spread: 1.0, node_cost: 1.0 };

/// Finds the exact values of the moves, after a short search or, under limits, in alternation with it:
/// the search answers if the solver runs out of time or is stopped.
pub struct Solver;

/// What the solver keeps between searches.
pub type SolverMemory = Option<DropTable>;

/// Whether the built-in table has the whole move phase. On 2x8, wins take up to 106 plies, which the
/// rules may end as draws.
fn is_small<S: Shape>(shape: S) -> bool {
    shape.cells() < MOST_CELLS || (shape.rows(), shape.columns()) == (4, 4)
}

/// The most stones of a side that a game can still have in the move phase.
fn most_stones<S: Shape>(board: &Board<S>) -> usize {
    let stones = [Side::P1, Side::P2].map(|side| board.stones(side).count_ones());
    let most = match board.phase() {
        Phase::Drop => board.shape().stones(),
        Phase::Move => stones[0].max(stones[1]),
    };
    most as usize
}

/// The table from a file, if it has all positions of the move phase that can follow.
fn loaded<S: Shape>(board: &Board<S>, endgames: &EndgameStore) -> Option<Arc<Endgames>> {
    let table = endgame::loaded(endgames, board.shape().any())?;
    (table.index().most() >= most_stones(board)).then_some(table)
}

/// Says why the value of this position cannot be found, if so. The tables ignore the rules' draws: the
/// longest win must end before the count of plies without a capture, or a repetition, can end it.
pub fn check_support<S: Shape>(board: &Board<S>, endgames: &EndgameStore) -> Result<(), String> {
    const { assert!(LONGEST_WIN < MOST_QUIET as usize) };
    let shape = board.shape();
    let most = most_stones(board);
    let longest = match loaded(board, endgames) {
        Some(table) => table.longest(most),
        None if is_small(shape) => LONGEST_WIN,
        None => {
            let cells = shape.cells();
            return Err(format!(
                "expected at most 15 cells, 4x4, or a WaliTable with {most} stones a side, \
                 got {cells} cells"
            ));
        }
    };
    if longest > MOST_QUIET.into() {
        return Err(format!(
            "wins take up to {longest} plies, which the rules may end as draws after {MOST_QUIET}"
        ));
    }
    if longest > board.history_free_plies() {
        return Err(format!(
            "wins take up to {longest} plies, and the game may be drawn first: by {MOST_QUIET} \
             plies without a capture, or by a third repetition"
        ));
    }
    Ok(())
}

impl<S: Shape> Strategy<Board<S>> for Solver {
    fn choose(
        &self,
        request: &SearchRequest<'_, Board<S>>,
        resources: &mut Resources<'_, Board<S>>,
        report: &mut dyn FnMut(&SearchResult<Move>),
    ) -> SearchResult<Move> {
        // A depth limits only the playing search.
        if request.limits.depth.is_some() {
            return FullWithTable.choose(request, resources, report);
        }
        // The search would have nothing to add, and its nodes depend on whether its table is ready.
        if request.limits.proof_only
            && !request.limits.is_limited()
            && let Some(solved) = solve(request, u64::MAX, resources)
        {
            return solved;
        }
        let evaluator = evaluator_with_table(request, resources);
        let prove = &mut |nodes, _: &_| solve(request, nodes, resources);
        alternate(request, &evaluator, HybridGoal::Solve, WORK, prove, report)
    }
}

/// A table with the whole move phase.
enum MovePhase {
    Loaded(Arc<Endgames>),
    Builtin(Arc<BuiltinTable>),
}

impl MovePhase {
    /// The table for this search, waited for if it is being built.
    fn of<S: Shape>(
        request: &SearchRequest<'_, Board<S>>,
        endgames: &mut EndgameStore,
    ) -> Option<MovePhase> {
        let SearchRequest { game, limits, control, .. } = *request;
        if let Some(table) = loaded(game, endgames) {
            return Some(MovePhase::Loaded(table));
        }
        let table = builtin::for_search(endgames, game, limits, control)?;
        table.wait(limits, control, SOLVER_WAITS);
        Some(MovePhase::Builtin(table))
    }

    /// The table, unless its construction failed or was not waited for.
    fn get(&self) -> Option<&Endgames> {
        match self {
            MovePhase::Loaded(table) => Some(table),
            MovePhase::Builtin(table) => table.get(),
        }
    }
}

/// A turn of the solver: the exact result if it is found within `nodes`.
fn solve<S: Shape>(
    request: &SearchRequest<'_, Board<S>>,
    nodes: u64,
    resources: &mut Resources<'_, Board<S>>,
) -> Option<SearchResult<Move>> {
    let SearchRequest { game, limits, control, settings, .. } = *request;
    let move_phase = MovePhase::of(request, resources.endgames)?;
    let memory = &mut *resources.memory;
    if memory.is_none() {
        let table = DropTable::new(game.shape().any(), settings.hash);
        *memory = table.map_err(|reason| log::info!("solver not used: {reason}")).ok();
    }
    let counter = NodeCounter::new(control, limits, Some(nodes));
    let mut search = DropSearch::new(move_phase.get()?, memory.as_ref()?, counter);
    let found = search.lines(game, request.moves, settings.multi_pv);
    search.publish_nodes();
    Some(SearchResult {
        depth: None,
        lines: found.ok()?,
        nodes: control.nodes(),
        tree: None,
        time: control.elapsed(),
        hashfull: None,
        end: SearchEnd::Exact,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;
    use crate::games::wali::shape;
    use crate::limits::{Limits, SearchControl};
    use crate::search::result::ReportedScore;
    use crate::search::transposition_table::TranspositionTable;
    use crate::settings::Settings;
    use crate::strategy::Playable;

    /// Knowing who wins is not enough for a solver that has no table: the search goes on until it has
    /// the exact distances or its limit.
    #[test]
    fn without_a_table_the_search_goes_on() {
        let words: Vec<&str> = "cells 22../111./.2../1..1 p1 move".split(' ').collect();
        let start = Board::empty_board(shape(&["4", "4", "5"]).unwrap());
        let board = start.parse_position(&words).unwrap();
        let mut moves = Vec::new();
        board.legal_moves(&mut moves);
        let evaluator = board.evaluator(&Default::default());
        for nodes in [20_000, 100_000, 400_000] {
            let control = SearchControl::new(false, false);
            let request = SearchRequest {
                game: &board,
                moves: &moves,
                limits: &Limits { nodes: Some(nodes), ..Limits::default() },
                control: &control,
                tt: &TranspositionTable::new(8).unwrap(),
                settings: &Settings { multi_pv: usize::MAX, ..Settings::default() },
            };
            let prove = &mut |_, _: &_| None;
            let found =
                alternate(&request, &evaluator, HybridGoal::Solve, WORK, prove, &mut |_| {});
            let wins = |plies| found.lines[0].score == Some(ReportedScore::Win(plies));
            match found.end {
                SearchEnd::Exact => assert!(wins(11), "{found:?}"),
                _ => assert_eq!(control.nodes(), nodes),
            }
        }
    }
}
