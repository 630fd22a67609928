//! The root of the search: iterative deepening, aspiration windows, several best lines.

use std::cmp::Reverse;
use std::time::Duration;

use super::negamax::Searcher;
use super::score::{Score, Value, Window};
use super::{Line, Report, Task};
use crate::game::{Evaluator, Game};
use crate::limits::Stopped;
use crate::platform::threads::processors;

/// Iterations deeper than this tell nothing new: table entries have eight bits for the depth.
const MAX_DEPTH: u32 = 250;
/// A search that has taken this long is worth better memory, if a processor is free to see to it.
/// Not a shorter one: on a busy system it takes up to 150 ms to get a large page, and whoever asks
/// for other memory, a solver that begins or the next game, waits as long.
const SETTLE_AFTER: Duration = Duration::from_millis(250);
/// Half the first aspiration window.
const ASPIRATION: i32 = 24;

#[derive(Clone)]
struct RootMove<M> {
    line: Line<M>,
    /// Whether the line's value stems from the current iteration.
    fresh: bool,
}

/// The search of one thread at its root.
pub(super) struct Root<'a, G: Game, J: Evaluator<G>> {
    task: &'a Task<'a, G>,
    searcher: Searcher<'a, G, J>,
    /// Best first, as far as known.
    moves: Vec<RootMove<G::Move>>,
}

impl<'a, G: Game, J: Evaluator<G>> Root<'a, G, J> {
    pub fn new(task: &'a Task<'a, G>, searcher: Searcher<'a, G, J>) -> Self {
        let mut candidates = Vec::new();
        searcher.evaluator.candidates(task.game, &mut candidates);
        searcher.evaluator.score_moves(task.game, &mut candidates);
        candidates.sort_by_key(|candidate| -candidate.score);
        let preference = |mv: &G::Move| {
            let place = candidates.iter().position(|candidate| candidate.mv == *mv);
            place.unwrap_or(candidates.len())
        };
        let mut ordered = task.moves.to_vec();
        ordered.sort_by_key(preference);
        let opinion = Value::heuristic(Score::heuristic(searcher.evaluator.evaluate(task.game)));
        let root_move =
            |mv| RootMove { line: Line { value: opinion, moves: vec![mv] }, fresh: false };
        Root { task, moves: ordered.into_iter().map(root_move).collect(), searcher }
    }

    /// Deepens until a limit, a signal or a proof; reports each completed iteration.
    ///
    /// Of an interrupted iteration the best move counts. But several lines are to be compared, so
    /// they all stem from the last completed one.
    pub fn lead(mut self, report: &mut dyn FnMut(&Report<G::Move>)) -> Report<G::Move> {
        let mut completed = 0;
        let mut whole = None;
        let interrupted = self.deepen(1, &mut |root, depth| {
            if depth > completed {
                completed = depth;
                report(&root.report(depth));
                whole = (root.line_count() > 1).then(|| root.moves.clone());
            }
        });
        match whole {
            _ if interrupted.is_ok() => {}
            Some(moves) => self.moves = moves,
            None => {
                self.avoid_losses();
                completed += u32::from(self.moves[0].fresh);
            }
        }
        self.report(completed.min(self.max_depth()))
    }

    /// Deepens in the background, filling the shared table for the leader. Every other helper
    /// runs one ply ahead, so that not all do the same at the same time.
    pub fn help(mut self, thread: u64) {
        // Only the table matters, not how it ended.
        let _ = self.deepen(1 + (thread % 2) as u32, &mut |_, _| {});
        self.searcher.counter.publish();
    }

    /// Searches deeper and deeper, and calls `completed` after each iteration.
    ///
    /// Once the result is a win or a loss, only its distance is open. Reductions and pruning
    /// may have hidden a shorter way, so the search begins anew without them, and ends when it
    /// is as deep as the distance.
    fn deepen(&mut self, from: u32, completed: &mut dyn FnMut(&Self, u32)) -> Result<(), Stopped> {
        let soft = self.task.limits.budget().soft;
        let mut depth = from;
        while depth <= self.max_depth() {
            let finished = self.iterate(depth);
            self.searcher.counter.publish();
            finished?;
            completed(self, depth);
            if self.task.control.elapsed() >= SETTLE_AFTER && self.task.threads < processors() {
                self.task.table.move_to_huge_pages();
            }
            let late = soft.is_some_and(|soft| {
                !self.task.control.is_pondering() && self.task.control.time_used() >= soft
            });
            if late || self.is_settled(depth) {
                return Ok(());
            }
            depth = if self.is_decided() && self.searcher.disable_lossy_pruning() {
                from
            } else {
                depth + 1
            };
        }
        Ok(())
    }

    /// An interrupted iteration may have found out no more than that some moves lose, and nothing
    /// about the others: the best of those is the one to play then, and the position is not lost
    /// for all that is known.
    fn avoid_losses(&mut self) {
        let open = self.moves.iter().position(|root| !root.line.value.score.is_loss());
        if let Some(index) = open {
            self.moves[..=index].rotate_right(1);
        }
    }

    fn max_depth(&self) -> u32 {
        self.task.limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH)
    }

    /// Whether deeper iterations cannot change the lines that are asked for.
    fn is_settled(&self, depth: u32) -> bool {
        self.moves[..self.line_count()].iter().all(|root| {
            let Value { score, proved } = root.line.value;
            let near = score.plies_to_end().is_some_and(|plies| plies <= depth as usize);
            proved || near && self.searcher.is_lossless()
        })
    }

    /// Whether all lines that are asked for are proved, or at least won or lost.
    fn is_decided(&self) -> bool {
        self.moves[..self.line_count()].iter().all(|root| {
            let Value { score, proved } = root.line.value;
            proved || score.plies_to_end().is_some()
        })
    }

    fn line_count(&self) -> usize {
        self.task.multi_pv.clamp(1, self.moves.len())
    }

    fn report(&self, depth: u32) -> Report<G::Move> {
        let lines = self.moves[..self.line_count()].iter().map(|root| root.line.clone());
        Report {
            depth,
            selective_depth: self.searcher.selective_depth as u32,
            lines: lines.collect(),
            nodes: self.task.control.nodes(),
            time: self.task.control.elapsed(),
            hashfull: self.task.table.hashfull(),
        }
    }

    /// Searches all moves `depth` plies deep: the best of all, then the best of the rest, for as
    /// many lines as are asked for. Interrupted, `self.moves` is still in the best order known.
    fn iterate(&mut self, depth: u32) -> Result<(), Stopped> {
        self.moves.iter_mut().for_each(|root| root.fresh = false);
        for first in 0..self.line_count() {
            self.aspiration_search(depth, first)?;
            // A line that was searched later may turn out better than one before it.
            self.moves[..=first].sort_by_key(|root| Reverse(root.line.value.score));
        }
        Ok(())
    }

    /// Searches the moves from `first` on in a window around the value they had before, widened
    /// until the new value lies inside.
    fn aspiration_search(&mut self, depth: u32, first: usize) -> Result<(), Stopped> {
        let guess = self.moves[first].line.value.score;
        let mut width = ASPIRATION;
        let mut window = if depth < 4 || guess.plies_to_end().is_some() {
            Window::FULL
        } else {
            Window { alpha: guess.plus(-width), beta: guess.plus(width) }
        };
        loop {
            let value = self.search_root_moves(first, window, depth as i32)?;
            width *= 4;
            if value.score <= window.alpha && window.alpha > Window::FULL.alpha {
                window.alpha = value.score.plus(-width);
            } else if value.score >= window.beta && window.beta < Window::FULL.beta {
                window.beta = value.score.plus(width);
            } else {
                return Ok(());
            }
            if width > 2000 {
                window = Window::FULL;
            }
        }
    }

    /// Searches the moves from `first` on and brings the best of them to `first`.
    fn search_root_moves(
        &mut self,
        first: usize,
        window: Window,
        depth: i32,
    ) -> Result<Value, Stopped> {
        let mut best = Value::proved(-Score::INFINITE);
        let mut all_proved = true;
        for index in first..self.moves.len() {
            let mv = self.moves[index].line.moves[0];
            let raised = window.raised(best.score);
            let reduction = self.searcher.reduction(depth, index - first);
            let value = self.searcher.pvs(mv, raised, depth - 1, reduction, index == first, 0)?;
            all_proved &= value.proved;
            if value.score > best.score {
                best = value;
                // Beyond the window there is no line: what stands below is another move's.
                let moves = if window.contains(value.score) {
                    self.searcher.extend_line(mv, 0);
                    self.searcher.lines[0].clone()
                } else {
                    vec![mv]
                };
                // Of this move alone nothing is proved: another one may be better.
                let line = Line { value: Value::heuristic(value.score), moves };
                self.moves[index] = RootMove { line, fresh: true };
                self.moves[first..=index].rotate_right(1);
                if value.score >= window.beta {
                    return Ok(best);
                }
            } else if value.score.is_loss() {
                // A bound from above only, but a loss is a loss.
                self.moves[index].line = Line { value, moves: vec![mv] };
            }
        }
        // A proof takes all moves: that of the best one alone bounds the value from below.
        let proved = all_proved && window.contains(best.score);
        self.moves[first].line.value.proved = proved;
        Ok(Value { proved, ..best })
    }
}
