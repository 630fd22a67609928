//! The exact solver of Connect Four, for every board of at most 128 bits with
//! its sentinel row, and every length of a winning line.
//!
//! Reading order: `score`, `geometry`, `node`, `bounds`, `search`, and the table in
//! [`crate::bound_table`].
//!
//! | module | what it is for |
//! | --- | --- |
//! | `position`, `score` | what callers give and get |
//! | `bitboard`, `geometry`, `threats` | sets of cells, board layouts, winning lines |
//! | `node`, `sides`, `children` | one position in the search; all its children at once, one per vector lane |
//! | `bounds` | bounds without search: claim-even, odd threats |
//! | `move_order` | which move to search first |
//! | `closer_look`, `merit` | the same with more effort, far from the end of the game |
//! | `best`, `search` | null-window negamax of one thread, with enhanced transposition cutoffs |
//! | `sharing` | how threads avoid each other (ABDADA) |
//! | `schedule`, `proof` | the sequence of null windows; threads; limits |
//! | `dispatch`, `cpu` | the code compiled for this board and processor |

mod best;
mod bitboard;
mod bounds;
mod children;
mod closer_look;
mod cpu;
mod dispatch;
mod geometry;
mod merit;
mod move_order;
mod node;
mod position;
mod proof;
mod schedule;
mod score;
mod search;
mod sharing;
mod sides;
mod threats;
mod zugzwang;

#[cfg(test)]
pub(super) mod tests;

pub use crate::bound_table::{Bounds, OutOfMemory};
pub use crate::limits::SolverLimits;
pub use position::{MAX_BITS, MAX_SIDE, MIN_LINE, MIN_SIDE, Position, PositionError};
pub use proof::Proof;
pub use score::{SolverScore, exact_value, win_leaving};
pub(super) use score::{loss_next, win_now};
pub(crate) use zugzwang::zugzwang_threat;

use crate::bound_table::{BoundTable, SavedTable};
use crate::platform::memory::Pages;
use proof::ProofTask;

/// Proved bounds of scores, which lie between -32 and 31 on nearly all boards.
type ScoreTable = BoundTable<-32, 6, 0>;

/// Node limit of a probe, some ten microseconds: the table does not hold what needs no search.
const PROBE_NODES: u64 = 100;

/// Columns up to which a probe has this many nodes. A closer look takes time with their square.
const PROBE_COLUMNS: u64 = 8;

/// Solves positions, one after the other, with one table.
pub struct Solver {
    table: ScoreTable,
    threads: usize,
    /// Rows, columns and line of the board in the table.
    board: Option<(u32, u32, u32)>,
}

impl Solver {
    /// A solver with a table of at most `mebibytes` MiB, or as many as a board needs (4 for the
    /// largest), for `threads` threads (at least 1).
    pub fn new(mebibytes: usize, threads: usize) -> Result<Self, OutOfMemory> {
        let bytes = mebibytes.max(1).checked_mul(1 << 20).ok_or(OutOfMemory(usize::MAX))?;
        let table = ScoreTable::new::<u128>(bytes, MAX_BITS, Pages::Huge)?;
        Ok(Self { table, threads: threads.max(1), board: None })
    }

    /// Uses this many threads (at least 1) from now on.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// Clears the table.
    pub fn clear(&mut self) {
        if let Some((rows, columns, _)) = self.board {
            self.reset_table(rows, columns);
        }
    }

    /// The table as it is now, empty if it was about another board than that of `position`.
    pub fn saved_table(&mut self, position: &Position) -> &mut dyn SavedTable {
        self.prepare_table(position);
        &mut self.table
    }

    /// Clears the table if it is about another board than that of `position`, which is returned.
    fn prepare_table(&mut self, position: &Position) -> (u32, u32, u32) {
        let board = (position.rows(), position.columns(), position.line());
        if self.board != Some(board) {
            self.reset_table(board.0, board.1);
            self.board = Some(board);
        }
        board
    }

    fn reset_table(&mut self, rows: u32, columns: u32) {
        match key_bits(rows, columns) {
            bits @ ..=u64::BITS => self.table.reset::<u64>(bits),
            bits => self.table.reset::<u128>(bits),
        }
    }

    /// The score of a position: bounds that meet unless the search is stopped. `progress` is called
    /// whenever they become narrower.
    pub fn bounds(
        &mut self,
        position: &Position,
        limits: &SolverLimits<'_>,
        progress: &mut dyn FnMut(Proof),
    ) -> Proof {
        let all = Bounds { lower: -SolverScore::MAX, upper: SolverScore::MAX };
        self.prove(position, all, limits, progress)
    }

    /// Bounds of the score, narrowed only until they meet or leave at most one
    /// score of the `wanted` range open.
    pub fn narrow(
        &mut self,
        position: &Position,
        wanted: Bounds,
        limits: &SolverLimits<'_>,
    ) -> Proof {
        self.prove(position, wanted, limits, &mut |_| {})
    }

    /// The score of every column for the side to move, `None` for full ones, and the
    /// nodes searched. Bounds that do not meet were stopped by the limits.
    pub fn analyze(
        &mut self,
        position: &Position,
        limits: &SolverLimits<'_>,
    ) -> (Vec<Option<Bounds>>, u64) {
        let mut columns = vec![None; position.columns() as usize];
        let mut nodes = 0;
        for (column, next) in moves(position) {
            let proof = self.bounds(&next, &limits.after(nodes), &mut |_| {});
            nodes += proof.nodes;
            columns[column as usize] = Some(proof.bounds.reversed());
        }
        (columns, nodes)
    }

    /// A line of best moves from a position with this exact score to the end of
    /// the game, or as far as the limits let it be proved, and the nodes it took.
    pub fn principal_variation(
        &mut self,
        position: &Position,
        score: SolverScore,
        limits: &SolverLimits<'_>,
    ) -> (Vec<u32>, u64) {
        let mut line = Vec::new();
        let mut nodes = 0;
        let (mut here, mut score) = (*position, score);
        loop {
            let (found, spent) = self.proved_move(&here, score, &limits.after(nodes));
            nodes += spent;
            let Some(column) = found else {
                return (line, nodes);
            };
            line.push(column);
            here = here.play(column).expect("a proved move is legal");
            score = -score;
        }
    }

    /// A best move from a position with this exact score, if the limits let it be proved, and the nodes
    /// it took: after it the other side has at most `-score`.
    pub fn proved_move(
        &mut self,
        position: &Position,
        score: SolverScore,
        limits: &SolverLimits<'_>,
    ) -> (Option<u32>, u64) {
        let wanted = Bounds { lower: -score, upper: 1 - score };
        let mut nodes = 0;
        for (column, next) in moves(position) {
            let proof = self.prove(&next, wanted, &limits.after(nodes), &mut |_| {});
            nodes += proof.nodes;
            if proof.bounds.upper <= -score {
                return (Some(column), nodes);
            }
        }
        (None, nodes)
    }

    /// The moves, from the middle outwards, with the bounds of their scores that the table
    /// has or a probe of a few nodes finds.
    pub fn known_moves(&mut self, position: &Position) -> Vec<(u32, Bounds)> {
        let mut known = |next: Position| self.known_bounds(&next).reversed();
        moves(position).map(|(column, next)| (column, known(next))).collect()
    }

    /// The bounds of a position's score that the table has or a probe of a few nodes finds.
    pub fn known_bounds(&mut self, position: &Position) -> Bounds {
        let columns = PROBE_COLUMNS.max(position.columns().into());
        let nodes = PROBE_NODES * PROBE_COLUMNS.pow(2) / columns.pow(2);
        let probe = SolverLimits { nodes: Some(nodes), ..SolverLimits::default() };
        self.bounds(position, &probe, &mut |_| {}).bounds
    }

    fn prove(
        &mut self,
        position: &Position,
        wanted: Bounds,
        limits: &SolverLimits<'_>,
        progress: &mut dyn FnMut(Proof),
    ) -> Proof {
        let (rows, columns, line) = self.prepare_table(position);
        let (table, threads) = (&mut self.table, self.threads);
        dispatch::run(
            rows,
            columns,
            line,
            ProofTask { table, threads, position, wanted, limits: *limits, progress },
        )
    }
}

/// The bits of a position's key: a cell above every column marks where its stones end.
fn key_bits(rows: u32, columns: u32) -> u32 {
    (rows + 1) * columns
}

/// The legal moves, from the middle outwards, and where they lead.
fn moves(position: &Position) -> impl Iterator<Item = (u32, Position)> + use<> {
    let position = *position;
    let mut columns: Vec<u32> = position.legal_columns().collect();
    columns.sort_by_key(|&column| (2 * column + 1).abs_diff(position.columns()));
    columns.into_iter().filter_map(move |column| Some((column, position.play(column)?)))
}
