//! Negamax with alpha-beta pruning below the root: one function, in numbered steps.

use super::history::History;
use super::move_picker::MovePicker;
use super::params::{REVERSE_FUTILITY_MAX_DEPTH, late_move_reduction};
use super::score::{Certainty, MAX_PLY, Score, Value, Window};
use super::transposition_table::{Bound, Entry, TranspositionTable};
use crate::game::{Candidate, Evaluator, ExactValue, Game};
use crate::limits::{NodeCounter, Stopped};

/// Which pruning, reductions and extensions are enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pruning {
    /// Forced move extension: an only move costs no depth.
    pub extend_forced: bool,
    /// Late move reductions. Lossy.
    pub late_move_reductions: bool,
    /// Reverse futility pruning (static null move). Lossy.
    pub reverse_futility: bool,
    /// Table entries from deeper searches than needed are accepted.
    pub accept_deeper: bool,
    /// A position that repeats one on the searched path counts as a draw at once.
    pub cut_repetitions: bool,
}

impl Pruning {
    /// Everything: for playing.
    pub const FULL: Pruning = Pruning {
        extend_forced: true,
        late_move_reductions: true,
        reverse_futility: true,
        accept_deeper: true,
        cut_repetitions: true,
    };
    /// Nothing: exactly the value of minimax to the same depth.
    pub const NONE: Pruning = Pruning {
        extend_forced: false,
        late_move_reductions: false,
        reverse_futility: false,
        accept_deeper: false,
        cut_repetitions: false,
    };

    /// The same without what may hide a win within the depth searched.
    pub fn without_lossy(self) -> Pruning {
        Pruning { late_move_reductions: false, reverse_futility: false, ..self }
    }
}

/// Keeps the table entries of lossless searches apart from those of lossy ones.
const LOSSLESS_KEY: u64 = 0x5bd1_e995_9d1b_3c6f;

/// The best move so far and its value.
struct Best<M> {
    value: Value,
    mv: M,
}

/// One thread of the search: a position that moves are made and unmade on, and what this thread
/// has learnt.
pub(super) struct SearchThread<'a, G: Game, E: Evaluator<G>> {
    pub game: G,
    pub evaluator: E,
    pub counter: NodeCounter<'a>,
    pub tt: &'a TranspositionTable,
    pruning: Pruning,
    history: History,
    /// [`Evaluator::tt_min_depth`].
    tt_min_depth: i32,
    /// [`LOSSLESS_KEY`] once lossy pruning is disabled, else 0.
    key_salt: u64,
    /// The greatest ply reached.
    pub selective_depth: usize,
    /// The principal variation from each ply on (triangular table).
    pub pv: Vec<Vec<G::Move>>,
    /// The candidates of all nodes from the root to the current one.
    candidates: Vec<Candidate<G::Move>>,
}

impl<'a, G: Game, E: Evaluator<G>> SearchThread<'a, G, E> {
    pub fn new(
        game: &G,
        evaluator: &E,
        counter: NodeCounter<'a>,
        tt: &'a TranspositionTable,
        pruning: Pruning,
    ) -> Self {
        let mut evaluator = evaluator.clone();
        evaluator.reset(game);
        SearchThread {
            game: game.clone(),
            history: History::new(evaluator.history_len()),
            tt_min_depth: evaluator.tt_min_depth(),
            evaluator,
            counter,
            tt,
            pruning,
            key_salt: 0,
            selective_depth: 0,
            pv: vec![Vec::new(); MAX_PLY + 2],
            candidates: Vec::new(),
        }
    }

    /// Whether nothing is enabled that may hide a win within the depth searched.
    pub fn is_lossless(&self) -> bool {
        self.pruning == self.pruning.without_lossy()
    }

    /// Disables lossy pruning and ignores table entries written with it. Returns whether it was
    /// enabled.
    pub fn disable_lossy_pruning(&mut self) -> bool {
        let changed = !self.is_lossless();
        self.pruning = self.pruning.without_lossy();
        if changed {
            self.key_salt = LOSSLESS_KEY;
        }
        changed
    }

    /// Searches the position after `mv`, `depth` plies deep, for the side to move *now*.
    ///
    /// The one place where score and window change sides: together, or, if the mover moves
    /// again, not at all.
    pub fn child(
        &mut self,
        mv: G::Move,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Result<Value, Stopped> {
        if depth <= 0
            && let Some(points) = self.evaluator.eval_after(&self.game, mv)
        {
            self.counter.tick()?;
            self.selective_depth = self.selective_depth.max(ply);
            self.pv[ply].clear();
            return Ok(Value::heuristic(Score::heuristic(points)));
        }
        if depth >= self.tt_min_depth
            && let Some(key) = self.game.key_after(mv)
        {
            self.tt.prefetch(key ^ self.key_salt);
        }
        let mover = self.game.side_to_move();
        self.evaluator.play(&self.game, mv);
        let undo = self.game.play(mv);
        let value = if self.game.side_to_move() == mover {
            // Extra move extension.
            let extends = self.pruning.extend_forced && self.evaluator.extends_extra_moves();
            self.negamax(window, depth + i32::from(extends), ply)
        } else {
            self.negamax(-window, depth, ply).map(|value| -value)
        };
        self.game.undo(mv, undo);
        self.evaluator.undo(&self.game, mv);
        value
    }

    /// The value of the current position, `ply` plies below the root: see [`Value`] for what it
    /// says. Leaves the principal variation in `self.pv[ply]` if the value is within the window.
    fn negamax(&mut self, window: Window, depth: i32, ply: usize) -> Result<Value, Stopped> {
        // 1. Count the node, and stop if a limit or a signal says so.
        self.counter.tick()?;
        self.selective_depth = self.selective_depth.max(ply);
        if !window.is_null() {
            self.pv[ply].clear();
        }

        // 2. Game over, repetition, or in the endgame table.
        if let Some(outcome) = self.game.outcome() {
            let score = Score::of_outcome(outcome, self.game.side_to_move(), ply);
            let by_history = self.game.depends_on_history();
            let certainty = if by_history { Certainty::Path } else { Certainty::Proved };
            return Ok(Value { score, certainty });
        }
        if self.pruning.cut_repetitions && self.game.last_seen().is_some_and(|plies| plies <= ply) {
            return Ok(Value { score: Score::DRAW, certainty: Certainty::Finished });
        }
        if let Some(value) = self.endgame_value(ply) {
            return Ok(value);
        }
        if ply >= MAX_PLY {
            return Ok(self.static_eval());
        }

        // 3. Mate distance pruning: nothing beats winning now, nothing is worse than losing now.
        let (best, worst) = (Score::win_in(ply + 1), Score::loss_in(ply + 1));
        if window.alpha >= best {
            return Ok(Value::proved(best));
        }
        if window.beta <= worst {
            return Ok(Value::proved(worst));
        }

        // 4. Forced move extension: it costs no depth and is made even at the horizon. The
        //    position after it is in the table if anything is.
        if self.pruning.extend_forced
            && let Some(only) = self.evaluator.forced(&self.game)
        {
            let value = self.child(only, window, depth, ply + 1)?;
            if window.contains(value.score) {
                self.update_pv(only, ply);
            }
            return Ok(value);
        }

        // 5. Transposition table cutoff, in null windows only.
        let key = self.game.key() ^ self.key_salt;
        let entry = if depth >= self.tt_min_depth { self.tt.probe(key) } else { None };
        if window.is_null()
            && let Some(value) = entry.and_then(|entry| self.tt_cutoff(entry, window, depth, ply))
        {
            return Ok(value);
        }

        // 6. Static evaluation at the horizon, and reverse futility pruning near it.
        if depth <= 0 {
            return Ok(self.static_eval());
        }
        if self.pruning.reverse_futility
            && window.is_null()
            && depth <= REVERSE_FUTILITY_MAX_DEPTH
            && let Some(margin) = self.evaluator.futility_margin()
        {
            let value = self.static_eval();
            if value.score.plus(-margin * depth) >= window.beta {
                return Ok(value);
            }
        }

        // 7. Search the moves, best first.
        let first = self.candidates.len();
        self.evaluator.candidates(&self.game, &mut self.candidates);
        let tt_move = entry.map(|entry| entry.best);
        let result = self.search_moves(first, tt_move, window, depth, ply);
        self.candidates.truncate(first);
        let (value, best) = result?;

        // 8. Store in the transposition table.
        if depth >= self.tt_min_depth && self.is_storable(depth) {
            self.tt.store(
                key,
                Entry {
                    best: G::code(best),
                    score: value.score.from_root(ply),
                    depth: depth.clamp(0, 255) as u8,
                    bound: bound_of(value.score, window),
                    proved: value.certainty == Certainty::Proved,
                    finished: value.certainty >= Certainty::Finished,
                },
            );
        }
        Ok(value)
    }

    /// Searches the candidates from `first` on and returns the value with the best move.
    fn search_moves(
        &mut self,
        first: usize,
        tt_move: Option<u16>,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Result<(Value, G::Move), Stopped> {
        let mut best =
            Best { value: Value::proved(-Score::INFINITE), mv: self.candidates[first].mv };
        let mut least = Certainty::Proved;
        if depth == 1 {
            let total = self.candidates.len();
            self.eval_children(first, window, ply, &mut best)?;
            if best.value.score >= window.beta {
                return Ok((best.value, best.mv));
            }
            if self.candidates.len() < total {
                least = Certainty::Estimate;
            }
        }
        let mut picker = MovePicker::new::<G>(&mut self.candidates, first, tt_move);
        let mut number = 0;
        while let Some(candidate) = self.pick(&mut picker, depth, ply) {
            let raised = window.raised(best.value.score);
            let reduction = self.reduction(depth, number);
            let is_first = best.value.score == -Score::INFINITE;
            let value = self.pvs(candidate.mv, raised, depth - 1, reduction, is_first, ply)?;
            number += 1;
            least = least.min(value.certainty);
            if value.score > best.value.score {
                best = Best { value, mv: candidate.mv };
                if window.contains(value.score) {
                    self.update_pv(candidate.mv, ply);
                }
                if value.score >= window.beta {
                    let tried = &self.candidates[first..first + number];
                    self.history.update_on_cutoff(self.game.side_to_move(), tried, depth, ply);
                    return Ok((value, best.mv));
                }
            }
        }
        Ok((Value { certainty: least, ..best.value }, best.mv))
    }

    /// The next move of the current node. Near the horizon the evaluator's finer move scores
    /// cost more than they save.
    fn pick(
        &mut self,
        picker: &mut MovePicker,
        depth: i32,
        ply: usize,
    ) -> Option<Candidate<G::Move>> {
        let SearchThread { game, evaluator, history, candidates, .. } = self;
        picker.next(candidates, |unscored| {
            if depth > 1 {
                evaluator.score_moves(game, unscored);
            }
            history.score_moves(unscored, game.side_to_move(), ply);
        })
    }

    /// At depth 1 most children can be evaluated without making the move. Does so with the
    /// candidates from `first` on, and leaves those where it cannot.
    fn eval_children(
        &mut self,
        first: usize,
        window: Window,
        ply: usize,
        best: &mut Best<G::Move>,
    ) -> Result<(), Stopped> {
        self.selective_depth = self.selective_depth.max(ply + 1);
        let mut kept = first;
        for index in first..self.candidates.len() {
            let candidate = self.candidates[index];
            let Some(points) = self.evaluator.eval_after(&self.game, candidate.mv) else {
                self.candidates[kept] = candidate;
                kept += 1;
                continue;
            };
            self.counter.tick()?;
            let value = Value::heuristic(Score::heuristic(points));
            if value.score > best.value.score {
                *best = Best { value, mv: candidate.mv };
                if window.contains(value.score) {
                    self.pv[ply + 1].clear();
                    self.update_pv(candidate.mv, ply);
                }
                if value.score >= window.beta {
                    return Ok(());
                }
            }
        }
        self.candidates.truncate(kept);
        Ok(())
    }

    /// Principal variation search: the first move with the whole window, the others with a null
    /// window at reduced depth first, and again at full depth and width if they fail high.
    pub fn pvs(
        &mut self,
        mv: G::Move,
        window: Window,
        depth: i32,
        reduction: i32,
        is_first: bool,
        ply: usize,
    ) -> Result<Value, Stopped> {
        if is_first {
            return self.child(mv, window, depth, ply + 1);
        }
        let null = Window::null_above(window.alpha);
        let mut value = self.child(mv, null, depth - reduction, ply + 1)?;
        if reduction > 0 && value.score > window.alpha && !value.score.is_win() {
            value = self.child(mv, null, depth, ply + 1)?;
        }
        if window.contains(value.score) {
            value = self.child(mv, window, depth, ply + 1)?;
        }
        Ok(value)
    }

    /// The late move reduction of the move with this number, counted from 0.
    pub fn reduction(&self, depth: i32, number: usize) -> i32 {
        if self.pruning.late_move_reductions { late_move_reduction(depth, number) } else { 0 }
    }

    /// The value of a table entry, if it decides the null window.
    fn tt_cutoff(&self, entry: Entry, window: Window, depth: i32, ply: usize) -> Option<Value> {
        let score = entry.score.to_root(ply);
        let decides = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        };
        // Won and lost hold at any depth. The number of plies may still change, so only the
        // side of it that is a bound counts.
        let decided = (score.is_win() && score >= window.beta && entry.bound != Bound::Upper)
            || (score.is_loss() && score <= window.alpha && entry.bound != Bound::Lower);
        let deep_enough = if self.pruning.accept_deeper {
            i32::from(entry.depth) >= depth || entry.proved || decided
        } else {
            i32::from(entry.depth) == depth && self.is_storable(depth)
        };
        let wins_hold =
            entry.score.plies_to_end().is_none_or(|plies| plies <= self.game.history_free_plies());
        // For this window a decided score is as good as proved.
        let certainty = if entry.proved || decided {
            Certainty::Proved
        } else if entry.finished {
            Certainty::Finished
        } else {
            Certainty::Estimate
        };
        (decides && deep_enough && wins_hold).then_some(Value { score, certainty })
    }

    /// Whether the value of a search to `depth` may be stored for the same position with another
    /// history. Wins and losses may: they are accepted only where no history can spoil them.
    /// Heuristic values may too, unless exactly minimax's value is wanted.
    fn is_storable(&self, depth: i32) -> bool {
        self.pruning.accept_deeper || (depth.max(0) as usize) < self.game.history_free_plies()
    }

    fn static_eval(&self) -> Value {
        Value::heuristic(Score::heuristic(self.evaluator.evaluate(&self.game)))
    }

    /// The value from the endgame table, unless the end is too many plies away for a score.
    fn endgame_value(&self, ply: usize) -> Option<Value> {
        let score = match self.evaluator.probe_endgame(&self.game)? {
            ExactValue::Win(plies) if ply + plies <= MAX_PLY => Score::win_in(ply + plies),
            ExactValue::Loss(plies) if ply + plies <= MAX_PLY => Score::loss_in(ply + plies),
            ExactValue::Draw => Score::DRAW,
            ExactValue::Win(_) | ExactValue::Loss(_) => return None,
        };
        Some(Value::proved(score))
    }

    /// The principal variation from `ply` on becomes `mv` and the child's.
    pub fn update_pv(&mut self, mv: G::Move, ply: usize) {
        let (here, below) = self.pv.split_at_mut(ply + 1);
        let line = &mut here[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }
}

/// What a score says that a search with this window returned.
pub(super) fn bound_of(score: Score, window: Window) -> Bound {
    if score >= window.beta {
        Bound::Lower
    } else if score <= window.alpha {
        Bound::Upper
    } else {
        Bound::Exact
    }
}
