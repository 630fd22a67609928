//! A win, loss or draw is reported only if it is proved, wherever the search is interrupted.

mod support;

use ratlla::engine::Engine;
use ratlla::games::REGISTRY;
use ratlla::protocol::command::Go;
use ratlla::search::result::ReportedScore;
use ratlla::settings::Settings;
use support::search::go;

/// The final score of a search with empty tables.
fn final_score(engine: &mut Engine, limits: Go) -> ReportedScore {
    engine.clear_hash();
    let results = go(engine, &limits, &Settings::default());
    results[results.len() - 1].lines[0].score.unwrap()
}

/// 1, 0 or -1 for a reported win, draw or loss, `None` for a heuristic score.
fn claim(score: ReportedScore) -> Option<i32> {
    match score {
        ReportedScore::Win(_) => Some(1),
        ReportedScore::Draw => Some(0),
        ReportedScore::Loss(_) => Some(-1),
        _ => None,
    }
}

#[test]
fn an_interrupted_search_reports_no_false_result() {
    for (size, moves) in [
        ("4 5", "5 2 2 2 4 3 1 3 4"),
        ("4 5", "1 2 3 4 5 5 4 3"),
        ("4 4 3", "1 2"),
        ("5 4", "2 3 2 2 3 3 1 4"),
    ] {
        let words = |text: &'static str| text.split(' ').collect::<Vec<_>>();
        let mut game = REGISTRY.open("connect4", &words(size)).unwrap();
        game.set_position(&[], &words(moves)).unwrap();
        let mut engine = Engine::new(game, 1).unwrap();
        let to_the_end = Go { depth: Some(30), ..Go::default() };
        let truth = claim(final_score(&mut engine, to_the_end));
        assert!(truth.is_some(), "{size}: {moves} is solved");
        for nodes in 0..1000 {
            let limits = Go { nodes: Some(nodes), ..Go::default() };
            let claimed = claim(final_score(&mut engine, limits));
            assert!(claimed.is_none() || claimed == truth, "{size}: {moves}, nodes {nodes}");
        }
    }
}
