//! Searches and strategies, run from tests.

use ratlla::endgames::EndgameStore;
use ratlla::engine::Engine;
use ratlla::game::{Evaluator, Game};
use ratlla::limits::{Limits, SearchControl};
use ratlla::protocol::command::Go;
use ratlla::search::result::{PvLine, ReportedScore, SearchResult};
use ratlla::search::score::{Score, Value};
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::search::{Pruning, SearchRequest, search};
use ratlla::settings::Settings;
use ratlla::strategy::{Playable, Resources, Strategy};

use super::random_play::legal_moves;

/// The evaluator of a game without endgame tables.
pub fn evaluator<G: Playable>(game: &G) -> G::Evaluator {
    game.evaluator(&EndgameStore::default())
}

/// Every result that the playing search reports, the final one last.
pub fn results<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    pruning: Pruning,
    limits: &Limits,
    settings: &Settings,
    tt: &TranspositionTable,
) -> Vec<SearchResult<G::Move>> {
    let request = SearchRequest {
        game,
        moves: &legal_moves(game),
        limits,
        control: &SearchControl::new(false, false),
        tt,
        settings,
    };
    let mut results = Vec::new();
    let last = search(&request, evaluator, pruning, &mut |result| results.push(result.clone()));
    results.push(last);
    results
}

/// What a strategy chooses, with fresh memory and no endgame tables.
pub fn choose<G: Playable>(
    strategy: &dyn Strategy<G>,
    request: &SearchRequest<'_, G>,
    report: &mut dyn FnMut(&SearchResult<G::Move>),
) -> SearchResult<G::Move> {
    let mut resources =
        Resources { memory: &mut G::Memory::default(), endgames: &mut EndgameStore::default() };
    strategy.choose(request, &mut resources, report)
}

/// The reported score of a line, converted back to a value of the search.
pub fn value_of<M>(line: &PvLine<M>) -> Value {
    let reported = line.score.expect("a score");
    let score = match reported {
        ReportedScore::Points(points) => Score::heuristic(points),
        ReportedScore::Win(plies) => Score::win_in(plies),
        ReportedScore::Loss(plies) => Score::loss_in(plies),
        ReportedScore::Draw => Score::DRAW,
        ReportedScore::Margin(margin) => panic!("the search found a margin of {margin}"),
    };
    if reported.is_proved() { Value::proved(score) } else { Value::heuristic(score) }
}

/// Every result that the engine reports for a `go`, the final one last. Without a limit it searches
/// until everything is proved.
pub fn go(engine: &mut Engine, go: &Go, settings: &Settings) -> Vec<SearchResult<String>> {
    let control = SearchControl::new(false, false);
    let mut results = Vec::new();
    let last = engine.search(go, settings, &control, &mut |result| results.push(result));
    assert!(!results.is_empty(), "a search reports at least once");
    results.push(last);
    results
}
