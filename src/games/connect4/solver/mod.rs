//! The exact solver of Connect Four, for every board of at most 128 bits with
//! its sentinel row.
//!
//! | module | what it is for |
//! | --- | --- |
//! | `position`, `score` | what callers give and get |
//! | `word`, `geometry`, `threats` | sets of cells, board shapes, lines of four |
//! | `node`, `brood` | one position in the search; all its children at once |
//! | `bounds`, `order` | judgement without search; which move first |
//! | `table` | proved bounds of positions |
//! | `search` | the recursive null-window search of one thread |
//! | `schedule`, `prove` | which windows, on how many threads, until when |
//! | `dispatch`, `cpu` | the form compiled for this board and processor |

mod bounds;
mod children;
mod cpu;
mod dispatch;
mod geometry;
mod node;
mod order;
mod position;
mod prove;
mod schedule;
mod score;
mod search;
mod threats;
mod word;

#[cfg(test)]
mod tests;

pub use crate::bound_table::{Bounds, OutOfMemory};
pub use crate::limits::SolverLimits;
pub use position::{MAX_BITS, MAX_SIDE, MIN_SIDE, Position, PositionError};
pub use prove::Proof;
pub use score::{Outcome, Score, win_leaving};

use crate::bound_table::BoundTable;
use crate::platform::memory::Pages;
use prove::Prove;

/// Proved bounds of scores, which lie between -32 and 31 on nearly all boards.
type ScoreTable = BoundTable<-32, 6, 0>;

/// Nodes that take no time, some ten microseconds: what takes no search is not in the table.
const GLANCE: u64 = 100;

/// Solves positions, one after the other, with one table.
pub struct Solver {
    table: ScoreTable,
    threads: usize,
    /// Rows and columns of the board that the table is about.
    board: Option<(u32, u32)>,
}

impl Solver {
    /// A solver with a table of at most `mebibytes` MiB, or as many as a board needs (4 for the
    /// largest), for `threads` threads (at least 1).
    pub fn new(mebibytes: usize, threads: usize) -> Result<Self, OutOfMemory> {
        let bytes = mebibytes.max(1).checked_mul(1 << 20).ok_or(OutOfMemory(usize::MAX))?;
        let table = ScoreTable::new::<u128>(bytes, MAX_BITS, Pages::Large)?;
        Ok(Self { table, threads: threads.max(1), board: None })
    }

    /// Uses this many threads (at least 1) from now on.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// Forgets what earlier searches proved.
    pub fn clear(&mut self) {
        if let Some((rows, columns)) = self.board {
            self.reset_table(rows, columns);
        }
    }

    fn reset_table(&mut self, rows: u32, columns: u32) {
        match key_bits(rows, columns) {
            bits @ ..=u64::BITS => self.table.reset::<u64>(bits),
            bits => self.table.reset::<u128>(bits),
        }
    }

    /// The score of a position: bounds that meet unless the search is stopped. `progress` is told
    /// whenever they become narrower.
    pub fn bounds(
        &mut self,
        position: &Position,
        limits: &SolverLimits<'_>,
        progress: &mut dyn FnMut(Proof),
    ) -> Proof {
        let all = Bounds { lower: -Score::MAX, upper: Score::MAX };
        self.prove(position, all, limits, progress)
    }

    /// Bounds of the score, narrowed only until they meet or leave no more than one
    /// score of the `wanted` range open.
    pub fn narrow(
        &mut self,
        position: &Position,
        wanted: Bounds,
        limits: &SolverLimits<'_>,
    ) -> Proof {
        self.prove(position, wanted, limits, &mut |_| {})
    }

    /// The score of every column for the side to move, `None` where no stone can
    /// go. Bounds that do not meet belong to columns for which there was no time.
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
        score: Score,
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

    /// A move after which the other side is proved to have at most `-score`,
    /// which is the exact score of `position` seen from there.
    fn proved_move(
        &mut self,
        position: &Position,
        score: Score,
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

    /// The moves, from the middle outwards, with bounds that are known of their worth
    /// to the side that makes them, or found at a glance.
    pub fn known_moves(&mut self, position: &Position) -> Vec<(u32, Bounds)> {
        let eval_after = SolverLimits { nodes: Some(GLANCE), ..SolverLimits::default() };
        let mut known = |next| self.bounds(&next, &eval_after, &mut |_| {}).bounds.reversed();
        moves(position).map(|(column, next)| (column, known(next))).collect()
    }

    fn prove(
        &mut self,
        position: &Position,
        wanted: Bounds,
        limits: &SolverLimits<'_>,
        progress: &mut dyn FnMut(Proof),
    ) -> Proof {
        let (rows, columns) = (position.rows(), position.columns());
        if self.board != Some((rows, columns)) {
            self.reset_table(rows, columns);
            self.board = Some((rows, columns));
        }
        let (table, threads) = (&mut self.table, self.threads);
        dispatch::run(
            rows,
            columns,
            Prove { table, threads, position, wanted, limits: *limits, progress },
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
