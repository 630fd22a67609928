//! Alpha-beta over the drop phase. Every leaf is a position of the move phase with a known value.

use super::drop_table::DropTable;
use super::score::{self, WIN};
use crate::game::{Evaluator, ExactValue, Game};
use crate::games::wali::bits::Shape;
use crate::games::wali::board::{Board, Move, Phase};
use crate::games::wali::endgame::Endgames;
use crate::games::wali::evaluator::WaliEvaluator;
use crate::limits::{NodeCounter, Stopped};
use crate::search::result::PvLine;

/// One search.
pub struct DropSearch<'a> {
    endgames: &'a Endgames,
    table: &'a DropTable,
    counter: NodeCounter<'a>,
    /// Orders the moves.
    evaluator: WaliEvaluator,
}

impl<'a> DropSearch<'a> {
    /// A search with a table of all positions of the move phase that can follow.
    pub fn new(
        endgames: &'a Endgames,
        table: &'a DropTable,
        counter: NodeCounter<'a>,
    ) -> DropSearch<'a> {
        DropSearch { endgames, table, counter, evaluator: WaliEvaluator::default() }
    }

    /// Publishes the number of nodes.
    pub fn publish_nodes(&mut self) {
        self.counter.publish();
    }

    /// The best `count` of these moves, each with its value and a line that leads to it.
    pub fn lines<S: Shape>(
        &mut self,
        board: &Board<S>,
        moves: &[Move],
        count: usize,
    ) -> Result<Vec<PvLine<Move>>, Stopped> {
        let mut board = board.clone();
        let count = count.clamp(1, moves.len());
        let mut best: Vec<(i32, Move)> = Vec::new();
        let order = self.ordered(&board, None);
        let mut moves = moves.to_vec();
        moves.sort_by_key(|mv| order.iter().position(|other| other == mv).unwrap_or(order.len()));
        for mv in moves {
            let least = if best.len() < count { -WIN - 1 } else { best[count - 1].0 };
            let score = self.exact_score_after(&mut board, mv, least)?;
            if score > least {
                best.truncate(count - 1);
                let place = best.partition_point(|&(other, _)| other >= score);
                best.insert(place, (score, mv));
            }
        }
        let line = |(score, mv): (i32, Move)| {
            let line = self.line(&mut board.clone(), mv, score)?;
            Ok(PvLine::new(Some(score::to_value(score).into()), line))
        };
        best.into_iter().map(line).collect()
    }

    /// The score of a move for the side that makes it, or something up to `least` if it is no higher.
    /// Who wins is found first: that takes the least work and bounds the rest.
    fn exact_score_after<S: Shape>(
        &mut self,
        board: &mut Board<S>,
        mv: Move,
        least: i32,
    ) -> Result<i32, Stopped> {
        // The score is at most `upper`, and above `lower` if that is known.
        let (mut lower, mut upper) = (least, WIN);
        let mut is_above = false;
        for bound in [0, -1] {
            if lower <= bound && bound < upper {
                let score = self.score_after(board, mv, bound, bound + 1)?;
                if score > bound {
                    (lower, is_above) = (score - 1, true);
                } else {
                    upper = score;
                }
            }
        }
        if upper <= lower || is_above && upper == lower + 1 {
            return Ok(upper);
        }
        self.score_after(board, mv, lower, upper)
    }

    /// The score of a move for the side that makes it, as [`DropSearch::score`].
    fn score_after<S: Shape>(
        &mut self,
        board: &mut Board<S>,
        mv: Move,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        let me = board.side_to_move();
        let undo = board.play(mv);
        let (alpha, beta) = (score::one_ply_after(alpha), score::one_ply_after(beta));
        // Player 1 begins the move phase, even after dropping the last stone.
        let score = if board.side_to_move() == me {
            self.score(board, alpha, beta)
        } else {
            self.score(board, -beta, -alpha).map(|score| -score)
        };
        board.undo(mv, undo);
        score.map(score::one_ply_before)
    }

    /// The score for the side to move if it is between `alpha` and `beta`; else a bound on the same side
    /// of both (fail-soft).
    fn score<S: Shape>(
        &mut self,
        board: &mut Board<S>,
        mut alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        self.counter.tick()?;
        if board.phase() == Phase::Move {
            return Ok(self.move_phase_score(board));
        }
        let key = self.table.key(board);
        let entry = self.table.probe(key);
        let known = entry.bounds;
        if known.lower >= beta || known.lower == known.upper {
            return Ok(known.lower);
        }
        if known.upper <= alpha {
            return Ok(known.upper);
        }
        let nodes_before = self.counter.nodes();
        let moves = self.ordered(board, Some(&|mv| self.table.is_best(key, entry, mv)));
        let lowest = alpha;
        let mut best = (-WIN - 1, None);
        for mv in moves {
            let score = self.score_after(board, mv, alpha, beta)?;
            if score > best.0 {
                best = (score, Some(mv));
                alpha = alpha.max(score);
            }
            if alpha >= beta {
                break;
            }
        }
        let (score, mv) = best;
        let nodes = self.counter.nodes() - nodes_before;
        if score < beta {
            self.table.store(key, score, true, nodes, mv);
        }
        if score > lowest {
            self.table.store(key, score, false, nodes, mv);
        }
        Ok(score)
    }

    fn move_phase_score<S: Shape>(&self, board: &Board<S>) -> i32 {
        let me = board.side_to_move();
        let value = match [me, !me].map(|side| board.stones(side)) {
            [0, _] => ExactValue::Loss(0),
            [_, 0] => ExactValue::Win(0),
            // What is not in the table is a draw for lack of stones.
            [own, enemy] => self.endgames.look_up(own, enemy).unwrap_or(ExactValue::Draw),
        };
        score::of_value(value)
    }

    /// The legal moves, those first that are likely to be best.
    fn ordered<S: Shape>(
        &self,
        board: &Board<S>,
        is_best: Option<&dyn Fn(Move) -> bool>,
    ) -> Vec<Move> {
        let mut candidates = Vec::new();
        self.evaluator.candidates(board, &mut candidates);
        self.evaluator.score_moves(board, &mut candidates);
        candidates.sort_by_key(|candidate| {
            let is_best = is_best.is_some_and(|is_best| is_best(candidate.mv));
            (!is_best, -candidate.score)
        });
        candidates.into_iter().map(|candidate| candidate.mv).collect()
    }

    /// Best play after `mv`, which has this score: to the end of the game, or of a draw's drop phase.
    fn line<S: Shape>(
        &mut self,
        board: &mut Board<S>,
        mv: Move,
        score: i32,
    ) -> Result<Vec<Move>, Stopped> {
        let mut line = Vec::new();
        let (mut next, mut score) = (Some(mv), score);
        while let Some(mv) = next {
            let me = board.side_to_move();
            board.play(mv);
            line.push(mv);
            score = score::one_ply_after(score);
            if board.side_to_move() != me {
                score = -score;
            }
            let is_end = board.outcome().is_some() || score == 0 && board.phase() == Phase::Move;
            next = if is_end { None } else { self.move_with_score(board, score)? };
        }
        Ok(line)
    }

    /// A move with this score, the highest of all.
    fn move_with_score<S: Shape>(
        &mut self,
        board: &mut Board<S>,
        score: i32,
    ) -> Result<Option<Move>, Stopped> {
        for mv in self.ordered(board, None) {
            if self.score_after(board, mv, score - 1, score)? >= score {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }
}
