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
        if request.settings.level < Settings::FULL_LEVEL {
            return Full.choose(request, resources, report);
        }
        let evaluator = evaluator_with_table(request, resources);
        search(request, &evaluator, Pruning::FULL, report)
    }
}

/// The evaluator with the largest table there is, the built-in one if need be.
pub fn evaluator_with_table<S: Shape>(
    request: &SearchRequest<'_, Board<S>>,
    resources: &mut Resources<'_, Board<S>>,
) -> <Board<S> as Playable>::Evaluator {
    let SearchRequest { game, limits, control, .. } = *request;
    let evaluator = game.evaluator(resources.endgames);
    if evaluator.has_table_of(builtin::most_stones(game.shape().any())) {
        return evaluator;
    }
    match builtin::for_search(resources.endgames, game, limits, control) {
        Some(table) => evaluator.with_builtin(table),
        None => evaluator,
    }
}
