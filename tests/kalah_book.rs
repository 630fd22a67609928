//! The engine with the opening book of Kalah, through the library's interface.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::engine::Engine;
use ratlla::game::Side;
use ratlla::games::REGISTRY;
use ratlla::limits::SearchControl;
use ratlla::protocol::command::{Go, Goal};
use ratlla::search::result::{ReportedScore, SearchResult};
use ratlla::settings::Settings;

fn engine(parameters: &[&str], setup: &[&str], moves: &[&str]) -> Engine {
    let mut game = REGISTRY.open("kalah", parameters).expect("a game");
    game.set_position(setup, moves).expect("legal moves");
    Engine::new(game, 16).expect("memory")
}

fn search(engine: &mut Engine, go: &Go, settings: &Settings) -> SearchResult<String> {
    let control = SearchControl::new(false, false);
    engine.search(go, settings, &control, &mut |_| {})
}

fn few_nodes() -> Go {
    Go { nodes: Some(2000), ..Go::default() }
}

fn margins(result: &SearchResult<String>) -> Vec<i32> {
    let margin = |score| match score {
        Some(ReportedScore::Margin(margin)) => margin,
        other => panic!("not from the book: {other:?}"),
    };
    result.lines.iter().map(|line| margin(line.score)).collect()
}

/// Player 1's lead at the end of a line from the start, which must end the game.
fn final_lead(moves: &[String]) -> i32 {
    let mut game = REGISTRY.open("kalah", &[]).expect("Kalah(6,4)");
    moves.iter().for_each(|mv| game.play(mv).expect("a legal move"));
    assert!(game.outcome().is_some(), "the line ends before the game");
    let text = game.position_text();
    let words: Vec<&str> = text.split_whitespace().collect();
    let store = |place: usize| words[place].parse::<i32>().expect("a store");
    store(7) - store(15)
}

#[test]
fn the_first_move_comes_from_the_book() {
    let result = search(&mut engine(&[], &[], &[]), &few_nodes(), &Settings::default());
    assert_eq!(result.best_move().map(String::as_str), Some("3"));
    assert_eq!(margins(&result), [8]);
    assert_eq!(result.nodes, 0);
    assert!(result.lines[0].moves.len() > 4, "the line goes on as far as the book");
}

#[test]
fn a_solved_line_continues_to_the_end_of_the_game() {
    let go = Go { goal: Goal::Solve, ..Go::default() };
    let result = search(&mut engine(&[], &[], &[]), &go, &Settings::default());
    assert_eq!(margins(&result), [8]);
    assert_eq!(final_lead(&result.lines[0].moves), 8);
    let limited = search(
        &mut engine(&[], &[], &[]),
        &Go { goal: Goal::Solve, ..few_nodes() },
        &Settings::default(),
    );
    assert_eq!(margins(&limited), [8]);
    assert!(limited.nodes <= 2000, "{}", limited.nodes);
}

#[test]
fn all_first_moves_are_ranked() {
    let settings = Settings { multi_pv: 6, ..Settings::default() };
    let result = search(&mut engine(&[], &[], &[]), &Go::default(), &settings);
    assert_eq!(margins(&result), [8, 4, -2, -8, -10, -14]);
    let first: Vec<&str> = result.lines.iter().map(|line| line.moves[0].as_str()).collect();
    assert_eq!(first, ["3", "6", "4", "5", "2", "1"]);
    assert_eq!(result.nodes, 0);
}

#[test]
fn only_searchmoves_are_considered() {
    for (search_moves, best, margin) in [(vec!["1", "6"], "6", 4), (vec!["3", "5"], "3", 8)] {
        let search_moves = search_moves.into_iter().map(str::to_owned).collect();
        let go = Go { search_moves, ..Go::default() };
        let result = search(&mut engine(&[], &[], &[]), &go, &Settings::default());
        assert_eq!(result.best_move().map(String::as_str), Some(best));
        assert_eq!((margins(&result), result.nodes), (vec![margin], 0));
    }
}

#[test]
fn stores_count_for_the_margin_alone() {
    let setup = "pits 4 4 4 4 4 4 20 / 4 4 4 4 4 4 4 p2";
    let setup: Vec<&str> = setup.split(' ').collect();
    let result = search(&mut engine(&["6", "6"], &setup, &[]), &few_nodes(), &Settings::default());
    assert_eq!((margins(&result), result.nodes), (vec![8 - 16], 0));
}

#[test]
fn the_option_a_depth_a_lower_level_or_other_rules_bypass_the_book() {
    let no_book = Settings { own_book: false, ..Settings::default() };
    let weak = Settings { level: 9, ..Settings::default() };
    let deep = Go { depth: Some(4), ..Go::default() };
    for (parameters, go, settings) in [
        (&[][..], few_nodes(), no_book),
        (&[], few_nodes(), weak),
        (&[], deep, Settings::default()),
        (&["empty"], few_nodes(), Settings::default()),
    ] {
        let result = search(&mut engine(parameters, &[], &[]), &go, &settings);
        assert!(result.nodes > 0);
        assert!(matches!(result.lines[0].score, Some(ReportedScore::Points(_))));
    }
}

/// The opponent's moves can only raise the margin, and the engine's own must keep it.
#[test]
fn the_margin_never_falls_whatever_the_opponent_plays() {
    let mut rng = SmallRng::seed_from_u64(12);
    let mut answers = 0;
    for round in 0..200 {
        let side = if round % 2 == 0 { Side::P1 } else { Side::P2 };
        let mut engine = engine(&[], &[], &[]);
        let mut best = i32::MIN;
        while engine.game.outcome().is_none() {
            let mv = if engine.game.side_to_move() == side {
                let go = Go { nodes: Some(1), ..Go::default() };
                let result = search(&mut engine, &go, &Settings::default());
                let Some(ReportedScore::Margin(margin)) = result.lines[0].score else {
                    break;
                };
                assert!(margin >= best, "{}", engine.game.position_text());
                best = margin;
                answers += 1;
                result.best_move().expect("the game goes on").clone()
            } else {
                let moves = engine.game.moves();
                moves[rng.random_range(0..moves.len())].clone()
            };
            engine.game.play(&mv).expect("a legal move");
        }
        assert!(best >= if side == Side::P1 { 8 } else { -8 });
    }
    assert!(answers > 1000, "{answers}");
}
