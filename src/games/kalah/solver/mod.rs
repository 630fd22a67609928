//! The exact solver: the final margin with best play from any position, and how to get it.
//!
//! A first guess comes from a search that trusts a forecast early; then tests with the smallest
//! window, "can the player to move get at least so many seeds?", close in on the truth.

pub mod memo;
mod root;
pub mod search;

use std::sync::Arc;

use super::board::{Board, House};
use super::endgame::index::Index;
use super::endgame::{Endgames, best_on_hand, find_or_build};
use super::row::Word;
use super::worth::Worth;
use crate::search::limits::Meter;
use crate::strategy::{Full, Quest, Report, Strategy};
use memo::Memo;
use root::Root;
use search::Searcher;

/// Finds the exact margin of the best moves. Where there are too many positions to be told
/// apart, far beyond what can be solved, it leaves the choice to the full search.
pub struct Solver;

/// Tables are built in memory up to this many positions.
const MOST_BUILT: u64 = 32 << 20;
/// The first guess needs few positions.
const GUESS_BYTES: usize = 4 << 20;

/// Whether the positions with so many houses and seeds can be numbered, which the solver needs.
pub fn is_made_for<W: Word>(board: &Board<W>) -> bool {
    Index::new(board.rules().houses(), board.rows().in_play() as usize).is_some()
}

impl<W: Word> Strategy<Board<W>> for Solver {
    fn choose(
        &self,
        quest: &Quest<'_, Board<W>>,
        report: &mut dyn FnMut(&Report<House>),
    ) -> Report<House> {
        let board = quest.game;
        let houses = board.rules().houses();
        let seeds = board.rows().in_play() as usize;
        let tools = Index::new(houses, seeds).and_then(|index| {
            let count = index.size(seeds);
            let memo = |bytes| Memo::new(bytes, count).ok();
            let bytes = quest.transpositions.bytes();
            Some((memo(GUESS_BYTES)?, memo(bytes)?, index))
        });
        let Some((guess_memo, memo, index)) = tools else {
            return Full.choose(quest, report);
        };
        let (endgames, worth) = (endgames(quest, &index), Worth::new(houses));
        let searcher = |memo, horizon, meter| Searcher {
            sowing: board.sowing(),
            index: &index,
            endgames: &endgames,
            memo,
            worth: &worth,
            horizon,
            meter,
        };
        let meter = Meter::new(quest.signals, quest.limits, quest.limits.nodes);
        let horizon = seeds * 3 / 4;
        let mut meter = meter;
        let mut guess = seeds as u32 / 2;
        if horizon > endgames.seeds() {
            let mut root = Root::new(quest, searcher(&guess_memo, horizon as u32, meter));
            guess = root.best_share(guess).unwrap_or(guess);
            meter = root.into_meter();
        }
        Root::new(quest, searcher(&memo, 0, meter)).solve(guess, report)
    }
}

/// The largest table at hand, or one that is worth building first: a third of the seeds in play
/// is reached in a moment compared to the rest.
fn endgames<W: Word>(quest: &Quest<'_, Board<W>>, index: &Index) -> Arc<Endgames> {
    let kind = quest.game.rules().into();
    if quest.limits.nodes.is_some() {
        return best_on_hand(kind);
    }
    let third = index.seeds() / 3;
    let fits = |&seeds: &usize| index.size(seeds) <= MOST_BUILT;
    let seeds = (0..=third).rev().find(fits).unwrap_or(0);
    let deadline = quest.limits.budget().hard;
    find_or_build(kind, seeds, &|| {
        let late = deadline.is_some_and(|deadline| quest.signals.charged() >= deadline);
        !late && !quest.signals.is_stopped()
    })
}
