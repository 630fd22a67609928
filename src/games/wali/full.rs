//! The default strategy: the playing search with the built-in endgame table.

use super::bits::Shape;
use super::board::{Board, Move};
use super::endgame::builtin;
use crate::search::result::SearchResult;
use crate::search::{Pruning, SearchRequest, search};
use crate::settings::Settings;
use crate::strategy::{Full, Playable, Resources, Strategy};

/// The playing search. The levels below full strength do without the table, as they always did.
pub struct FullWithTable;

impl<S: Shape> Strategy<Board<S>> for FullWithTable {
    fn choose(
        &self,
        request: &SearchRequest<'_, Board<S>>,
        resources: &mut Resources<'_, Board<S>>,
        report: &mut dyn FnMut(&SearchResult<Move>),
    ) -> SearchResult<Move> {
        let SearchRequest { game, limits, control, settings, .. } = *request;
        if settings.level < Settings::FULL_LEVEL {
            return Full.choose(request, resources, report);
        }
        let mut evaluator = game.evaluator(resources.endgames);
        if !evaluator.has_table_of(builtin::most_stones(game.shape().any()))
            && let Some(table) = builtin::for_search(resources.endgames, game, limits, control)
        {
            evaluator = evaluator.with_builtin(table);
        }
        search(request, &evaluator, Pruning::FULL, report)
    }
}
