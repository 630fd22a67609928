//! The engine with its opening book, through the library's interface.

use ratlla::engine::Engine;
use ratlla::games::REGISTRY;
use ratlla::limits::SearchControl;
use ratlla::protocol::command::{Go, Goal};
use ratlla::search::result::{PvLine, ReportedScore};
use ratlla::settings::Settings;

/// The outcome of a search.
struct Answer {
    best: String,
    /// The final lines.
    lines: Vec<PvLine<String>>,
    nodes: u64,
}

/// Executes a `go` after these moves.
fn search(moves: &[&str], go: &Go, settings: &Settings) -> Answer {
    let mut game = REGISTRY.open("connect4", &[]).expect("the usual board");
    game.set_position(&[], moves).expect("legal moves");
    let mut engine = Engine::new(game, 1).expect("memory");
    let control = SearchControl::new(false, false);
    let result = engine.search(go, settings, &control, &mut |_| {});
    let best = result.best_move().expect("the game goes on").clone();
    Answer { best, lines: result.lines, nodes: control.nodes() }
}

fn few_nodes() -> Go {
    Go { nodes: Some(2000), ..Go::default() }
}

#[test]
fn the_first_move_comes_from_the_book() {
    for goal in [Goal::Move, Goal::Solve] {
        let answer = search(&[], &Go { goal, ..few_nodes() }, &Settings::default());
        assert_eq!(answer.best, "4");
        assert_eq!(answer.lines[0].score, Some(ReportedScore::Win(41)));
        // Only `solve` searches: it continues the line to the end of the game.
        let solve = goal == Goal::Solve;
        assert!(if solve { answer.nodes <= 2000 } else { answer.nodes == 0 }, "{}", answer.nodes);
        assert!(answer.lines[0].moves.len() > 1, "the book has the reply");
    }
}

#[test]
fn all_first_moves_are_ranked() {
    let settings = Settings { multi_pv: 7, ..Settings::default() };
    let answer = search(&[], &Go::default(), &settings);
    let scores: Vec<_> = answer.lines.iter().filter_map(|line| line.score).collect();
    assert_eq!(
        scores,
        [
            ReportedScore::Win(41),
            ReportedScore::Draw,
            ReportedScore::Draw,
            ReportedScore::Loss(42),
            ReportedScore::Loss(42),
            ReportedScore::Loss(40),
            ReportedScore::Loss(40),
        ]
    );
    assert_eq!(answer.nodes, 0);
}

#[test]
fn a_node_limit_applies_to_all_lines_together() {
    let settings = Settings { multi_pv: 7, ..Settings::default() };
    let answer = search(&[], &Go { goal: Goal::Solve, ..few_nodes() }, &settings);
    assert_eq!(answer.lines.len(), 7);
    assert!((1..=2000).contains(&answer.nodes), "{}", answer.nodes);
}

#[test]
fn only_searchmoves_are_considered() {
    let search_moves = ["1", "6", "7"].map(str::to_owned).to_vec();
    let answer = search(&[], &Go { search_moves, ..Go::default() }, &Settings::default());
    assert_eq!(answer.best, "6");
    assert_eq!(answer.lines[0].score, Some(ReportedScore::Loss(42)));
    assert_eq!(answer.nodes, 0);
}

#[test]
fn without_own_book_the_engine_searches() {
    let settings = Settings { own_book: false, ..Settings::default() };
    let answer = search(&[], &few_nodes(), &settings);
    assert!(answer.nodes > 0);
    assert!(matches!(answer.lines[0].score, Some(ReportedScore::Points(_))));
}

/// The last positions of the book have scores, but their moves do not.
#[test]
fn a_win_at_the_end_of_the_book_is_kept_under_any_node_limit() {
    for power in 15..22 {
        let moves = ["7", "4", "4", "7", "4", "4", "4", "5"];
        let go = Go { nodes: Some(1 << power), ..Go::default() };
        let answer = search(&moves, &go, &Settings::default());
        // 6 wins soonest, 2 and 3 also win, the others lose in four plies.
        assert!(["2", "3", "6"].contains(&&*answer.best), "{} with {go:?}", answer.best);
        if answer.lines[0].score == Some(ReportedScore::Win(29)) {
            assert_eq!(answer.best, "6");
        }
    }
}

#[test]
fn a_depth_or_a_lower_level_bypasses_the_book() {
    let deep = Go { depth: Some(4), ..Go::default() };
    let answer = search(&[], &deep, &Settings::default());
    assert!(answer.nodes > 0);
    let weak = Settings { level: 9, ..Settings::default() };
    let answer = search(&[], &few_nodes(), &weak);
    assert!(answer.nodes > 0);
}
