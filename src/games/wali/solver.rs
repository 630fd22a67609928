//! The exact solver of small boards: the whole move phase is in the built-in endgame table, and every
//! line of the drop phase is searched.

use std::collections::HashMap;

use super::bits::Shape;
use super::board::{Board, MOST_QUIET, Move, Phase};
use super::endgame::{Endgames, builtin};
use super::full::FullWithTable;
use crate::endgames::EndgameStore;
use crate::game::{ExactValue, Game, Side};
use crate::limits::{Limits, NodeCounter, Stopped};
use crate::search::SearchRequest;
use crate::search::result::{PvLine, SearchResult};
use crate::strategy::{Resources, Strategy};

/// The most cells of a board with a solver.
const MOST_CELLS: usize = 16;
/// No win in the tables of these boards takes longer.
const LONGEST_WIN: usize = 69;

/// Finds the exact values of the moves. If a limit is reached first, the playing search answers.
pub struct Solver;

/// Says why the value of this position cannot be found, if so. On 2x8, wins take up to 106 plies,
/// which the rules may end as draws; and so may what happened before.
pub fn check_support<S: Shape>(board: &Board<S>) -> Result<(), String> {
    const { assert!(LONGEST_WIN < MOST_QUIET as usize) };
    let shape = board.shape();
    let is_small = shape.cells() < MOST_CELLS || (shape.rows(), shape.columns()) == (4, 4);
    if !is_small {
        let cells = shape.cells();
        return Err(format!("expected at most 15 cells or 4x4, got {cells} cells"));
    }
    if board.history_free_plies() < LONGEST_WIN {
        return Err(
            "too many plies without a capture, or a position that occurred twice".to_owned()
        );
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
        // What limits leave is for the playing search.
        let nodes = request.limits.nodes.map(|nodes| nodes / 2);
        match solve(request, nodes, resources.endgames) {
            Some(found) => {
                report(&found);
                found
            }
            None => {
                let nodes = request.limits.nodes.map(|limit| limit - limit / 2);
                let limits = Limits { nodes, ..request.limits.clone() };
                let rest = SearchRequest { limits: &limits, ..*request };
                FullWithTable.choose(&rest, resources, report)
            }
        }
    }
}

/// The exact result, or `None` if a limit is reached first.
fn solve<S: Shape>(
    request: &SearchRequest<'_, Board<S>>,
    nodes: Option<u64>,
    endgames: &mut EndgameStore,
) -> Option<SearchResult<Move>> {
    let SearchRequest { game, limits, control, settings, .. } = *request;
    let table = builtin::for_search(endgames, game, limits, control)?;
    table.wait(limits, control);
    let mut search = DropSearch {
        table: table.get()?,
        known: HashMap::new(),
        counter: NodeCounter::new(control, limits, nodes),
    };
    let found = search.lines(game, request.moves, settings.multi_pv);
    search.counter.publish();
    Some(SearchResult {
        depth: None,
        lines: found.ok()?,
        nodes: search.counter.nodes(),
        leaves: None,
        time: control.elapsed(),
        hashfull: None,
    })
}

struct DropSearch<'a> {
    table: &'a Endgames,
    /// The values of positions of the drop phase, by stones and side to move.
    known: HashMap<([u32; 2], Side), ExactValue>,
    counter: NodeCounter<'a>,
}

impl DropSearch<'_> {
    /// The best `count` of these moves, each with its value and a line that leads to it.
    fn lines<S: Shape>(
        &mut self,
        board: &Board<S>,
        moves: &[Move],
        count: usize,
    ) -> Result<Vec<PvLine<Move>>, Stopped> {
        let mut values = Vec::new();
        for &mv in moves {
            values.push((mv, self.value_after(board, mv)?));
        }
        values.sort_by_key(|&(_, value)| std::cmp::Reverse(rank(value)));
        values.truncate(count.max(1));
        let line = |(mv, value): (Move, ExactValue)| {
            Ok(PvLine::new(Some(value.into()), self.line(board, mv)?))
        };
        values.into_iter().map(line).collect()
    }

    /// The value of a move for the side that makes it.
    fn value_after<S: Shape>(&mut self, board: &Board<S>, mv: Move) -> Result<ExactValue, Stopped> {
        let mut after = board.clone();
        after.play(mv);
        let value = self.value(&after)?;
        let alternates = after.side_to_move() != board.side_to_move();
        Ok(match value {
            ExactValue::Draw => ExactValue::Draw,
            ExactValue::Win(plies) if alternates => ExactValue::Loss(plies + 1),
            ExactValue::Loss(plies) if alternates => ExactValue::Win(plies + 1),
            ExactValue::Win(plies) => ExactValue::Win(plies + 1),
            ExactValue::Loss(plies) => ExactValue::Loss(plies + 1),
        })
    }

    /// The value of a position for its side to move.
    fn value<S: Shape>(&mut self, board: &Board<S>) -> Result<ExactValue, Stopped> {
        self.counter.tick()?;
        let me = board.side_to_move();
        let stones = [me, !me].map(|side| board.stones(side));
        if board.phase() == Phase::Move {
            return Ok(match stones {
                [0, _] => ExactValue::Loss(0),
                [_, 0] => ExactValue::Win(0),
                // What is not in the table is a draw for lack of stones.
                [own, enemy] => self.table.look_up(own, enemy).unwrap_or(ExactValue::Draw),
            });
        }
        if let Some(&value) = self.known.get(&(stones, me)) {
            return Ok(value);
        }
        let (_, value) = self.best(board)?;
        self.known.insert((stones, me), value);
        Ok(value)
    }

    /// The best move and its value.
    fn best<S: Shape>(&mut self, board: &Board<S>) -> Result<(Move, ExactValue), Stopped> {
        let mut moves = Vec::new();
        board.legal_moves(&mut moves);
        let mut best = (Move::Pass, ExactValue::Loss(0));
        for mv in moves {
            let value = self.value_after(board, mv)?;
            if rank(value) > rank(best.1) {
                best = (mv, value);
            }
        }
        Ok(best)
    }

    /// Best play after `mv`: to the end of the game, or of a draw's drop phase.
    fn line<S: Shape>(&mut self, board: &Board<S>, mv: Move) -> Result<Vec<Move>, Stopped> {
        let mut board = board.clone();
        let mut line = vec![mv];
        board.play(mv);
        while board.outcome().is_none() {
            let (mv, value) = self.best(&board)?;
            if value == ExactValue::Draw && board.phase() == Phase::Move {
                break;
            }
            line.push(mv);
            board.play(mv);
        }
        Ok(line)
    }
}

/// Orders values: a short win is best, a short loss worst.
fn rank(value: ExactValue) -> i32 {
    const WIN: i32 = 1 << 16;
    match value {
        ExactValue::Win(plies) => WIN - plies as i32,
        ExactValue::Draw => 0,
        ExactValue::Loss(plies) => plies as i32 - WIN,
    }
}
