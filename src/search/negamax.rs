//! Alpha-beta below the root: one function, in numbered steps.

use once_cell::sync::Lazy;

use super::history::{History, bring_best_first};
use super::score::{MAX_PLY, Score, Value, Window};
use super::transposition_table::{Bound, Entry, TranspositionTable};
use crate::game::{Candidate, Evaluator, ExactValue, Game, Outcome};
use crate::limits::{NodeCounter, Stopped};

/// Which liberties the search takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pruning {
    /// A forced move costs no depth.
    pub extend_forced: bool,
    /// Late moves are searched less deep until they surprise.
    pub reduce_late: bool,
    /// A position near the horizon that is judged far too good for the opponent is not searched.
    pub prune_static: bool,
    /// A result of a deeper search than needed is taken.
    pub trust_deeper: bool,
    /// A position that the search has led to before is taken for a draw at once.
    pub cut_cycles: bool,
}

impl Pruning {
    /// For playing.
    pub const FULL: Pruning = Pruning {
        extend_forced: true,
        reduce_late: true,
        prune_static: true,
        trust_deeper: true,
        cut_cycles: true,
    };
    /// Exactly the value of plain minimax to the same depth.
    pub const PLAIN: Pruning = Pruning {
        extend_forced: false,
        reduce_late: false,
        prune_static: false,
        trust_deeper: false,
        cut_cycles: false,
    };
}

impl Pruning {
    /// The same without the liberties that may hide a win within the depth searched.
    fn careful(self) -> Pruning {
        Pruning { reduce_late: false, prune_static: false, ..self }
    }
}

/// Sets the table entries of a careful search apart from those of a bold one.
const LOSSLESS_KEY: u64 = 0x5bd1_e995_9d1b_3c6f;

/// Nearer to the horizon a look into the table costs more than searching again: the memory is too
/// far away.
const TABLE_DEPTH: i32 = 3;

/// How near the horizon a judgement may take the place of a search, if it exceeds the window by
/// [`Evaluator::futility_margin`] for each ply left.
const STATIC_DEPTH: i32 = 6;

/// How much less deep late moves are searched, by depth and by the move's place in the order.
static REDUCTIONS: Lazy<[[u8; 64]; 64]> = Lazy::new(|| {
    let reduction = |depth: usize, place: usize| {
        let (depth, place) = (depth as f64, place as f64);
        (0.4 + depth.ln() * (place + 1.0).ln() / 2.0) as u8
    };
    std::array::from_fn(|depth| {
        std::array::from_fn(
            |place| if depth < 3 || place < 2 { 0 } else { reduction(depth, place) },
        )
    })
});

/// The best move so far and its value.
struct Best<M> {
    value: Value,
    mv: M,
}

/// One thread of a search: a position, an opinion of it, and what was learnt on the way.
pub(super) struct Searcher<'a, G: Game, J: Evaluator<G>> {
    pub game: G,
    pub evaluator: J,
    pub counter: NodeCounter<'a>,
    pub table: &'a TranspositionTable,
    pub pruning: Pruning,
    pub ordering: History,
    /// Distinguishes kinds of searches in the table.
    key_salt: u64,
    /// The greatest ply reached.
    pub selective_depth: usize,
    /// The best line found from each ply on, for the node being searched there.
    pub lines: Vec<Vec<G::Move>>,
    /// The candidates of all nodes from the root to the current one.
    candidates: Vec<Candidate<G::Move>>,
}

impl<'a, G: Game, J: Evaluator<G>> Searcher<'a, G, J> {
    pub fn new(
        game: &G,
        evaluator: &J,
        counter: NodeCounter<'a>,
        table: &'a TranspositionTable,
        pruning: Pruning,
    ) -> Self {
        let mut evaluator = evaluator.clone();
        evaluator.reset(game);
        Searcher {
            game: game.clone(),
            ordering: History::new(evaluator.history_len()),
            evaluator,
            counter,
            table,
            pruning,
            key_salt: 0,
            selective_depth: 0,
            lines: vec![Vec::new(); MAX_PLY + 2],
            candidates: Vec::new(),
        }
    }

    /// Whether no liberties are taken that may hide a win within the depth searched.
    pub fn is_lossless(&self) -> bool {
        self.pruning == self.pruning.careful()
    }

    /// Takes no such liberties any more, nor the word of those who did. Tells whether that is a
    /// change.
    pub fn disable_lossy_pruning(&mut self) -> bool {
        let changed = !self.is_lossless();
        self.pruning = self.pruning.careful();
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
            self.lines[ply].clear();
            return Ok(Value::heuristic(Score::heuristic(points)));
        }
        if depth >= TABLE_DEPTH
            && let Some(key) = self.game.key_after(mv)
        {
            self.table.prefetch(key ^ self.key_salt);
        }
        let mover = self.game.side_to_move();
        self.evaluator.play(&self.game, mv);
        let undo = self.game.play(mv);
        let value = if self.game.side_to_move() == mover {
            self.negamax(window, depth, ply)
        } else {
            self.negamax(-window, depth, ply).map(|value| -value)
        };
        self.game.undo(mv, undo);
        self.evaluator.undo(&self.game, mv);
        value
    }

    /// The value of the current position, `ply` plies below the root: see [`Value`] for what it
    /// says. Leaves the best line in `self.lines[ply]` if the value is within the window.
    fn negamax(&mut self, window: Window, depth: i32, ply: usize) -> Result<Value, Stopped> {
        // 1. Count, and look whether there is time left.
        self.counter.tick()?;
        self.selective_depth = self.selective_depth.max(ply);
        if !window.is_null() {
            self.lines[ply].clear();
        }

        // 2. Over, or as good as over?
        if let Some(outcome) = self.game.outcome() {
            return Ok(self.final_value(outcome, ply));
        }
        if self.pruning.cut_cycles && self.game.last_seen().is_some_and(|plies| plies <= ply) {
            return Ok(Value::heuristic(Score::DRAW));
        }
        if let Some(value) = self.known_value(ply) {
            return Ok(value);
        }
        if ply >= MAX_PLY {
            return Ok(self.heuristic());
        }

        // 3. Nothing better than winning now, nothing worse than losing now: a window outside
        //    of that is decided.
        let (best, worst) = (Score::win_in(ply + 1), Score::loss_in(ply + 1));
        if window.alpha >= best {
            return Ok(Value::proved(best));
        }
        if window.beta <= worst {
            return Ok(Value::proved(worst));
        }

        // 4. A forced move costs no depth, and is made even at the horizon. What comes after it
        //    is in the table if anything is.
        if self.pruning.extend_forced
            && let Some(only) = self.evaluator.forced(&self.game)
        {
            let value = self.child(only, window, depth, ply + 1)?;
            if window.contains(value.score) {
                self.extend_line(only, ply);
            }
            return Ok(value);
        }

        // 5. Seen before?
        let key = self.game.key() ^ self.key_salt;
        let known = if depth >= TABLE_DEPTH { self.table.probe(key) } else { None };
        if window.is_null()
            && let Some(value) = known.and_then(|entry| self.usable(entry, window, depth, ply))
        {
            return Ok(value);
        }

        // 6. The horizon; and near it, where the opinion is far above the window already.
        if depth <= 0 {
            return Ok(self.heuristic());
        }
        if self.pruning.prune_static
            && window.is_null()
            && depth <= STATIC_DEPTH
            && let Some(margin) = self.evaluator.futility_margin()
        {
            let opinion = self.heuristic();
            if opinion.score.plus(-margin * depth) >= window.beta {
                return Ok(opinion);
            }
        }

        // 7. The moves, best first.
        let first = self.candidates.len();
        self.evaluator.candidates(&self.game, &mut self.candidates);
        let known_best = known.map(|entry| entry.best);
        let result = self.search_moves(first, known_best, window, depth, ply);
        self.candidates.truncate(first);
        let (value, best) = result?;

        // 8. Remember.
        if depth >= TABLE_DEPTH && self.is_lasting(depth) {
            self.table.store(
                key,
                Entry {
                    best: G::code(best),
                    score: value.score.from_root(ply),
                    depth: depth.clamp(0, 255) as u8,
                    bound: bound_of(value.score, window),
                    proved: value.proved,
                },
            );
        }
        Ok(value)
    }

    /// Searches the candidates from `first` on and returns the value with the best move. The
    /// best move known from the table comes first; most often no other is needed, so the others
    /// are ranked after it.
    fn search_moves(
        &mut self,
        first: usize,
        known_best: Option<u16>,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Result<(Value, G::Move), Stopped> {
        let mut best =
            Best { value: Value::proved(-Score::INFINITE), mv: self.candidates[first].mv };
        let mut all_proved = true;
        if depth == 1 {
            let total = self.candidates.len();
            self.eval_children(first, window, ply, &mut best)?;
            if best.value.score >= window.beta {
                return Ok((best.value, best.mv));
            }
            all_proved = self.candidates.len() == total;
        }
        let last = self.candidates.len();
        let mut ranked_from = first;
        if known_best.is_some() {
            let list = &mut self.candidates[first..];
            if let Some(place) = list.iter().position(|c| Some(G::code(c.mv)) == known_best) {
                list.swap(0, place);
                ranked_from = first + 1;
            }
        }
        for index in first..last {
            if index == ranked_from && index + 1 < last {
                let list = &mut self.candidates[index..];
                // Near the horizon finer ranks cost more than they save.
                if depth > 1 {
                    self.evaluator.score_moves(&self.game, list);
                }
                self.ordering.score_moves::<G>(list, self.game.side_to_move(), ply);
            }
            if index >= ranked_from {
                bring_best_first(&mut self.candidates[index..]);
            }
            let candidate = self.candidates[index];
            let raised = window.raised(best.value.score);
            let reduction = self.reduction(depth, index - first);
            let is_first = best.value.score == -Score::INFINITE;
            let value = self.pvs(candidate.mv, raised, depth - 1, reduction, is_first, ply)?;
            all_proved &= value.proved;
            if value.score > best.value.score {
                best = Best { value, mv: candidate.mv };
                if window.contains(value.score) {
                    self.extend_line(candidate.mv, ply);
                }
                if value.score >= window.beta {
                    let tried = &self.candidates[first..=index];
                    self.ordering.update_on_cutoff::<G>(
                        self.game.side_to_move(),
                        tried,
                        depth,
                        ply,
                    );
                    return Ok((value, best.mv));
                }
            }
        }
        Ok((Value { proved: all_proved, ..best.value }, best.mv))
    }

    /// Just above the horizon most positions after a move can be judged by a glance at it. Does
    /// so with the candidates from `first` on, and leaves in the list those that cannot.
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
                    self.lines[ply + 1].clear();
                    self.extend_line(candidate.mv, ply);
                }
                if value.score >= window.beta {
                    return Ok(());
                }
            }
        }
        self.candidates.truncate(kept);
        Ok(())
    }

    /// Principal variation search: the first move with the whole window, the others with the
    /// smallest one, to be searched again if they turn out better.
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
        let probe = Window::above(window.alpha);
        let mut value = self.child(mv, probe, depth - reduction, ply + 1)?;
        if reduction > 0 && value.score > window.alpha && !value.score.is_win() {
            value = self.child(mv, probe, depth, ply + 1)?;
        }
        if window.contains(value.score) {
            value = self.child(mv, window, depth, ply + 1)?;
        }
        Ok(value)
    }

    /// How much less deep the move in this place of the order is searched at first.
    pub fn reduction(&self, depth: i32, place: usize) -> i32 {
        if !self.pruning.reduce_late {
            return 0;
        }
        REDUCTIONS[(depth as usize).min(63)][place.min(63)].into()
    }

    /// The value that the table holds, if it answers the question of `window`.
    fn usable(&self, entry: Entry, window: Window, depth: i32, ply: usize) -> Option<Value> {
        let score = entry.score.to_root(ply);
        let answers = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        };
        // A win found is a win, however deep the search was, and so is a loss; the exact number
        // of plies may still change, so only the side of it that is a bound counts.
        let decided = (score.is_win() && score >= window.beta && entry.bound != Bound::Upper)
            || (score.is_loss() && score <= window.alpha && entry.bound != Bound::Lower);
        let deep_enough = if self.pruning.trust_deeper {
            i32::from(entry.depth) >= depth || entry.proved || decided
        } else {
            i32::from(entry.depth) == depth && self.is_lasting(depth)
        };
        let wins_hold =
            entry.score.plies_to_end().is_none_or(|plies| plies <= self.game.history_free_plies());
        // As an answer to this window a decided score needs no judgement.
        let proved = entry.proved || decided;
        (answers && deep_enough && wins_hold).then_some(Value { score, proved })
    }

    /// Whether what a search to `depth` finds here may be remembered for the same position with
    /// another past. Wins and losses may: they hold in the game without a memory, and are read
    /// again only where no past can spoil them. The rest is opinion, in which a draw by the past
    /// counts for little, unless the exact value is asked for.
    fn is_lasting(&self, depth: i32) -> bool {
        self.pruning.trust_deeper || (depth.max(0) as usize) < self.game.history_free_plies()
    }

    fn heuristic(&self) -> Value {
        Value::heuristic(Score::heuristic(self.evaluator.evaluate(&self.game)))
    }

    fn final_value(&self, outcome: Outcome, ply: usize) -> Value {
        let score = match outcome {
            Outcome::Draw => Score::DRAW,
            Outcome::Win(side) if side == self.game.side_to_move() => Score::win_in(ply),
            Outcome::Win(_) => Score::loss_in(ply),
        };
        Value { score, proved: !self.game.depends_on_history() }
    }

    /// What the judge has looked up, unless the end lies too far away for a score.
    fn known_value(&self, ply: usize) -> Option<Value> {
        let score = match self.evaluator.probe_endgame(&self.game)? {
            ExactValue::Win(plies) if ply + plies <= MAX_PLY => Score::win_in(ply + plies),
            ExactValue::Loss(plies) if ply + plies <= MAX_PLY => Score::loss_in(ply + plies),
            ExactValue::Draw => Score::DRAW,
            ExactValue::Win(_) | ExactValue::Loss(_) => return None,
        };
        Some(Value::proved(score))
    }

    /// Puts `mv` before the best line of the child.
    pub fn extend_line(&mut self, mv: G::Move, ply: usize) {
        let (here, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut here[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }
}

fn bound_of(score: Score, window: Window) -> Bound {
    if score >= window.beta {
        Bound::Lower
    } else if score <= window.alpha {
        Bound::Upper
    } else {
        Bound::Exact
    }
}
