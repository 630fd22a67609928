//! The engine and its opening book, through the library's front door.

use ratlla::engine::Engine;
use ratlla::games::REGISTRY;
use ratlla::limits::SearchControl;
use ratlla::protocol::command::{Go, Goal};
use ratlla::search::result::{PvLine, ReportedScore};
use ratlla::settings::Settings;

/// What came of a search.
struct Answer {
    best: String,
    /// The final lines.
    lines: Vec<PvLine<String>>,
    nodes: u64,
}

/// Carries out a `go` after these moves.
fn ask(moves: &[&str], go: &Go, settings: &Settings) -> Answer {
    let mut game = REGISTRY.open("connect4", &[]).expect("the usual board");
    game.set_position(&[], moves).expect("legal moves");
    let mut engine = Engine::new(game, 1).expect("memory");
    let control = SearchControl::new(false, false);
    let result = engine.search(go, settings, &control, &mut |_| {});
    let best = result.best_move().expect("the game goes on").clone();
    Answer { best, lines: result.lines, nodes: control.nodes() }
}

fn some_nodes() -> Go {
    Go { nodes: Some(2000), ..Go::default() }
}

#[test]
fn the_first_move_comes_from_the_book() {
    for goal in [Goal::Move, Goal::Solve] {
        let answer = ask(&[], &Go { goal, ..some_nodes() }, &Settings::default());
        assert_eq!(answer.best, "4");
        assert_eq!(answer.lines[0].score, Some(ReportedScore::Win(41)));
        // Only a line that is to lead to the end has to be searched for.
        let solve = goal == Goal::Solve;
        assert!(if solve { answer.nodes <= 2000 } else { answer.nodes == 0 }, "{}", answer.nodes);
        assert!(answer.lines[0].moves.len() > 1, "the book knows the reply");
    }
}

#[test]
fn all_first_moves_are_ranked() {
    let settings = Settings { multi_pv: 7, ..Settings::default() };
    let answer = ask(&[], &Go::default(), &settings);
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
fn the_nodes_are_those_of_all_lines_together() {
    let settings = Settings { multi_pv: 7, ..Settings::default() };
    let answer = ask(&[], &Go { goal: Goal::Solve, ..some_nodes() }, &settings);
    assert_eq!(answer.lines.len(), 7);
    assert!((1..=2000).contains(&answer.nodes), "{}", answer.nodes);
}

#[test]
fn only_the_moves_asked_about_are_looked_at() {
    let search_moves = ["1", "6", "7"].map(str::to_owned).to_vec();
    let answer = ask(&[], &Go { search_moves, ..Go::default() }, &Settings::default());
    assert_eq!(answer.best, "6");
    assert_eq!(answer.lines[0].score, Some(ReportedScore::Loss(42)));
    assert_eq!(answer.nodes, 0);
}

#[test]
fn without_own_book_the_engine_thinks() {
    let settings = Settings { own_book: false, ..Settings::default() };
    let answer = ask(&[], &some_nodes(), &settings);
    assert!(answer.nodes > 0);
    assert!(matches!(answer.lines[0].score, Some(ReportedScore::Points(_))));
}

/// The last positions of the book have scores, but no moves that lead to them.
#[test]
fn where_the_book_ends_a_win_is_not_given_away_for_want_of_nodes() {
    for power in 15..22 {
        let moves = ["7", "4", "4", "7", "4", "4", "4", "5"];
        let go = Go { nodes: Some(1 << power), ..Go::default() };
        let answer = ask(&moves, &go, &Settings::default());
        // 6 wins soonest, 2 and 3 win as well, the others lose in four plies.
        assert!(["2", "3", "6"].contains(&&*answer.best), "{} with {go:?}", answer.best);
        if answer.lines[0].score == Some(ReportedScore::Win(29)) {
            assert_eq!(answer.best, "6");
        }
    }
}

#[test]
fn a_depth_or_a_lower_level_is_no_question_for_the_book() {
    let deep = Go { depth: Some(4), ..Go::default() };
    let answer = ask(&[], &deep, &Settings::default());
    assert!(answer.nodes > 0);
    let weak = Settings { level: 9, ..Settings::default() };
    let answer = ask(&[], &some_nodes(), &weak);
    assert!(answer.nodes > 0);
}
