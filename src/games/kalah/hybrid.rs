//! The default strategy: opening book, then playing search and solver in alternation.

use super::board::{Board, House};
use super::book_probe::book_probe;
use super::row::Word;
use super::solver::solve_or_search;
use crate::search::SearchRequest;
use crate::search::result::SearchResult;
use crate::settings::Settings;
use crate::strategy::{Full, HybridGoal, Resources, Strategy};

/// Book; then search and solver in alternation. The endgame table in memory grows with the solver's
/// turns.
pub struct HybridStrategy;

impl<W: Word> Strategy<Board<W>> for HybridStrategy {
    fn choose(
        &self,
        request: &SearchRequest<'_, Board<W>>,
        resources: &mut Resources<'_, Board<W>>,
        report: &mut dyn FnMut(&SearchResult<House>),
    ) -> SearchResult<House> {
        // A depth limits only the playing search, and a lower level weakens only it.
        if request.limits.depth.is_some() || request.settings.level < Settings::FULL_LEVEL {
            return Full.choose(request, resources, report);
        }
        if let Some(found) = book_probe(request) {
            return found;
        }
        solve_or_search(request, resources, HybridGoal::Margin, report)
    }
}
