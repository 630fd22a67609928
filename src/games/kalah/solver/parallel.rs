//! The proof of one position by one thread, or by several with a common table.

use super::super::board::{Board, House};
use super::super::row::Word;
use super::root::SolverRoot;
use super::search::{ShareSearch, SolverContext};
use super::table::ShareTable;
use crate::bound_table::BusyPositions;
use crate::limits::NodeCounter;
use crate::platform::threads::{race, useful_threads};
use crate::search::SearchRequest;
use crate::search::result::SearchResult;

/// Nodes one thread searches alone before the others start: less takes no longer than starting
/// them.
const SINGLE_THREAD_NODES: u64 = 50_000;

/// Nodes each thread searches in the first round with a common table. Every round has at least twice
/// as many as the one before: the ordering searches, which store nothing, are repeated in each.
const FIRST_ROUND: u64 = 1 << 18;

/// What the threads of a proof are given.
pub struct ParallelProof<'a, 'r, W: Word> {
    pub request: &'a SearchRequest<'r, Board<W>>,
    pub context: SolverContext<'a, W>,
    /// The expected share of each line.
    pub guesses: &'a [u32],
    pub table: &'a mut ShareTable,
    /// The number of nodes that positions such as this one take.
    pub expected: u64,
}

impl<W: Word> ParallelProof<'_, '_, W> {
    /// All requested lines, exact, if found within the limits and `nodes`.
    pub fn run(mut self, nodes: u64) -> Option<SearchResult<House>> {
        let threads = useful_threads(self.request.settings.threads);
        let alone = if threads > 1 { nodes.min(SINGLE_THREAD_NODES) } else { nodes };
        self.table.use_alone();
        let (found, spent) = self.round(1, alone);
        if found.is_some() || spent < alone || alone == nodes {
            return found;
        }
        self.run_together(threads as u64, nodes - spent)
    }

    /// All threads search the same, again with a larger table each time it is full. The entries
    /// stored before save most of the repeated work.
    fn run_together(&mut self, threads: u64, mut left: u64) -> Option<SearchResult<House>> {
        let mut round = FIRST_ROUND;
        loop {
            let room = self.table.make_room_to_share(threads as usize, self.expected.min(left));
            round = round.max(room / threads).min(left / threads);
            let (found, spent) = self.round(threads, round);
            self.table.count_shared();
            left = left.saturating_sub(spent);
            // A round that ends early was stopped.
            if found.is_some() || spent < round || left < threads {
                return found;
            }
            round *= 2;
        }
    }

    /// All threads search the same until the first has the result, or each has searched `most`
    /// nodes. Returns the result and the nodes of all.
    fn round(&self, threads: u64, most: u64) -> (Option<SearchResult<House>>, u64) {
        let SearchRequest { control, limits, .. } = *self.request;
        let busy = BusyPositions::default();
        race(threads as usize, |done| {
            let counter = NodeCounter::new(control, limits, Some(most)).until(done);
            let mut search = ShareSearch::new(self.context, self.table, counter);
            if threads > 1 {
                search = search.beside(&busy);
            }
            let mut root = SolverRoot::new(self.request, search);
            let found = root.solve(self.guesses);
            (found, root.publish())
        })
    }
}
