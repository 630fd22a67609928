//! Exact shares of single positions, without a request, limits of time or a playing search beside:
//! for the tools that generate and verify.

use super::super::endgame::Endgames;
use super::super::endgame::index::Index;
use super::super::forecast::Forecast;
use super::super::row::Word;
use super::super::sowing::{Rows, Rules, Sowing};
use super::GUESS_BYTES;
use super::moves::{Child, KalahNode, Successor};
use super::search::{ShareSearch, SolverContext};
use super::table::ShareTable;
use crate::limits::{NodeCounter, SolverLimits, Stopped};
use crate::platform::memory::Pages;

/// A solver that keeps its table from one position to the next.
pub struct ShareSolver<'a, W> {
    sowing: Sowing<W>,
    index: Index,
    forecast: Forecast,
    endgames: &'a Endgames,
    table: ShareTable,
    guess_table: ShareTable,
}

impl<'a, W: Word> ShareSolver<'a, W> {
    /// A solver for the positions of this game with an empty table of at most `bytes`. Fails if
    /// `endgames` are for other games, or if there are too many positions.
    pub fn new(rules: Rules, endgames: &'a Endgames, bytes: usize) -> Result<Self, String> {
        if endgames.variant() != rules.into() {
            return Err("an endgame table of another variant".to_owned());
        }
        let index = Index::new(rules.houses(), rules.total()).ok_or("too many positions")?;
        let count = index.size(rules.total());
        Ok(ShareSolver {
            sowing: Sowing::new(rules),
            forecast: Forecast::new(rules.houses()),
            endgames,
            table: ShareTable::new(bytes, count, Pages::Huge)?,
            guess_table: ShareTable::new(GUESS_BYTES, count, Pages::Default)?,
            index,
        })
    }

    /// The share of a position that is not over, if it is found within `nodes`, and the nodes it
    /// took.
    pub fn share(&self, rows: Rows<W>, nodes: Option<u64>) -> (Option<u32>, u64) {
        let mut counter = NodeCounter::within(SolverLimits { nodes, ..SolverLimits::default() });
        let seeds = rows.in_play();
        let horizon = seeds * 3 / 4;
        let mut share = Ok(seeds / 2);
        if horizon > self.endgames.seeds() as u32 {
            (share, counter) = self.converge(rows, horizon, seeds / 2, counter);
        }
        if let Ok(guess) = share {
            (share, counter) = self.converge(rows, 0, guess, counter);
        }
        (share.ok(), counter.nodes())
    }

    /// The share by null-window tests that start at `guess`, as the search with this horizon sees
    /// it.
    fn converge<'c>(
        &'c self,
        rows: Rows<W>,
        horizon: u32,
        guess: u32,
        counter: NodeCounter<'c>,
    ) -> (Result<u32, Stopped>, NodeCounter<'c>) {
        let (mut search, node) = self.search(rows, horizon, counter);
        let known = search.known(&node);
        let (mut lower, mut upper) = (known.lower, known.upper);
        let mut beta = guess;
        while lower < upper {
            beta = beta.clamp(lower + 1, upper);
            match search.search_child(&itself(node), beta, beta <= guess) {
                Ok(bound) if bound >= beta => (lower, beta) = (bound, bound + 1),
                Ok(bound) => (upper, beta) = (bound, bound),
                Err(stopped) => return (Err(stopped), search.counter),
            }
        }
        (Ok(lower), search.counter)
    }

    /// Whether playing `house` brings at least `share`.
    pub fn reaches(&self, rows: Rows<W>, house: usize, share: u32) -> bool {
        let counter = NodeCounter::within(SolverLimits::default());
        let (mut search, node) = self.search(rows, 0, counter);
        match search.successor(&node, house) {
            Successor::GameOver(end) => end >= share,
            Successor::Child(child) => {
                search.search_child(&child, share, true).is_ok_and(|bound| bound >= share)
            }
        }
    }

    fn search<'c>(
        &'c self,
        rows: Rows<W>,
        horizon: u32,
        counter: NodeCounter<'c>,
    ) -> (ShareSearch<'c, W>, KalahNode<W>) {
        let ShareSolver { sowing, index, forecast, endgames, .. } = self;
        let context = SolverContext { sowing, index, endgames, forecast, horizon };
        let table = if horizon > 0 { &self.guess_table } else { &self.table };
        let search = ShareSearch::new(context, table, counter);
        let node = search.node(rows, rows.in_play());
        (search, node)
    }
}

/// The node as the child of a move that changes nothing.
fn itself<W>(node: KalahNode<W>) -> Child<W> {
    Child { node, house: 0, gain: 0, again: true }
}

#[cfg(test)]
mod tests {
    use super::super::super::endgame::build::build;
    use super::super::super::endgame::index::rows_by_rank;
    use super::*;

    #[test]
    fn shares_and_moves_agree_with_a_larger_endgame_table() {
        const SEEDS: usize = 9;
        let rules = Rules::new(3, 3, false).unwrap();
        let small = build(rules.into(), 3, None, &mut |_| true).unwrap();
        let large = build(rules.into(), SEEDS, None, &mut |_| true).unwrap();
        let index = Index::new(3, SEEDS).unwrap();
        let solver = ShareSolver::<u64>::new(rules, &small, 1 << 20).unwrap();
        for own in (1..SEEDS).flat_map(|seeds| rows_by_rank(&index, seeds)) {
            for other in rows_by_rank(&index, SEEDS - own.total() as usize) {
                let rows = Rows { own, other };
                let share = large.share(index.of(rows));
                assert_eq!(solver.share(rows, None).0, Some(share), "{rows:?}");
                let best = |share| own.occupied().any(|house| solver.reaches(rows, house, share));
                assert!(best(share) && !best(share + 1), "{rows:?}");
            }
        }
    }

    #[test]
    fn a_node_limit_is_respected() {
        let rules = Rules::new(6, 4, false).unwrap();
        let none = Endgames::none(rules.into());
        let solver = ShareSolver::<u64>::new(rules, &none, 1 << 20).unwrap();
        let row = super::super::super::row::Row::new(&[4; 6]);
        let rows = Rows { own: row, other: row };
        assert_eq!(solver.share(rows, Some(1000)), (None, 1000));
    }

    #[test]
    fn tables_of_other_variants_are_refused() {
        let rules = Rules::new(6, 4, false).unwrap();
        let other = Endgames::none(Rules::new(6, 4, true).unwrap().into());
        let error = ShareSolver::<u64>::new(rules, &other, 1 << 20).err();
        assert!(error.is_some_and(|error| error.contains("another variant")));
    }
}
