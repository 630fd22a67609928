//! The engine and its opening book, through the library's front door.

use ratlla::any_game::{Info, Request};
use ratlla::games;
use ratlla::limits::{Limits, SearchControl};
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::strategy::{ReportedScore, Settings};

/// What a search was asked, apart from its settings.
#[derive(Debug, Default)]
struct Question {
    moves: &'static [&'static str],
    search_moves: &'static [&'static str],
    limits: Limits,
    solve: bool,
}

/// What came of it.
struct Answer {
    best: String,
    /// The last report on each line.
    lines: Vec<Info>,
    nodes: u64,
}

fn ask(question: &Question, settings: &Settings) -> Answer {
    let mut table = games::open("connect4", &[]).expect("the usual board");
    table.set_position(&[], question.moves).expect("legal moves");
    let search_moves: Vec<String> = question.search_moves.iter().map(|&mv| mv.into()).collect();
    let control = SearchControl::new(false, false);
    let request = Request {
        limits: &question.limits,
        search_moves: &search_moves,
        settings,
        solve: question.solve,
        control: &control,
        tt: &TranspositionTable::new(1).expect("memory"),
    };
    let mut infos: Vec<Info> = Vec::new();
    let choice = table.think(&request, &mut |info| infos.push(info));
    let count = settings.multi_pv.min(infos.len());
    Answer {
        best: choice.best.expect("the game goes on"),
        lines: infos.split_off(infos.len() - count),
        nodes: control.nodes(),
    }
}

fn some_nodes() -> Limits {
    Limits { nodes: Some(2000), ..Limits::default() }
}

#[test]
fn the_first_move_comes_from_the_book() {
    for solve in [false, true] {
        let question = Question { solve, limits: some_nodes(), ..Question::default() };
        let answer = ask(&question, &Settings::default());
        assert_eq!(answer.best, "4");
        assert_eq!(answer.lines[0].standing, Some(ReportedScore::Win(41)));
        // Only a line that is to lead to the end has to be searched for.
        assert!(if solve { answer.nodes <= 2000 } else { answer.nodes == 0 }, "{}", answer.nodes);
        assert!(answer.lines[0].line.len() > 1, "the book knows the reply");
    }
}

#[test]
fn all_first_moves_are_ranked() {
    let settings = Settings { multi_pv: 7, ..Settings::default() };
    let answer = ask(&Question::default(), &settings);
    let standings: Vec<_> = answer.lines.iter().filter_map(|info| info.standing).collect();
    assert_eq!(
        standings,
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
    let question = Question { solve: true, limits: some_nodes(), ..Question::default() };
    let answer = ask(&question, &settings);
    assert_eq!(answer.lines.len(), 7);
    assert!((1..=2000).contains(&answer.nodes), "{}", answer.nodes);
}

#[test]
fn only_the_moves_asked_about_are_looked_at() {
    let question = Question { search_moves: &["1", "6", "7"], ..Question::default() };
    let answer = ask(&question, &Settings::default());
    assert_eq!(answer.best, "6");
    assert_eq!(answer.lines[0].standing, Some(ReportedScore::Loss(42)));
    assert_eq!(answer.nodes, 0);
}

#[test]
fn without_own_book_the_engine_thinks() {
    let settings = Settings { own_book: false, ..Settings::default() };
    let answer = ask(&Question { limits: some_nodes(), ..Question::default() }, &settings);
    assert!(answer.nodes > 0);
    assert!(matches!(answer.lines[0].standing, Some(ReportedScore::Points(_))));
}

/// The last positions of the book have scores, but no moves that lead to them.
#[test]
fn where_the_book_ends_a_win_is_not_given_away_for_want_of_nodes() {
    for power in 15..22 {
        let question = Question {
            moves: &["7", "4", "4", "7", "4", "4", "4", "5"],
            limits: Limits { nodes: Some(1 << power), ..Limits::default() },
            ..Question::default()
        };
        let answer = ask(&question, &Settings::default());
        // 6 wins soonest, 2 and 3 win as well, the others lose in four plies.
        assert!(["2", "3", "6"].contains(&&*answer.best), "{} with {question:?}", answer.best);
        if answer.lines[0].standing == Some(ReportedScore::Win(29)) {
            assert_eq!(answer.best, "6");
        }
    }
}

#[test]
fn a_depth_or_a_lower_level_is_no_question_for_the_book() {
    let deep = Limits { depth: Some(4), ..Limits::default() };
    let answer = ask(&Question { limits: deep, ..Question::default() }, &Settings::default());
    assert!(answer.nodes > 0);
    let weak = Settings { level: 9, ..Settings::default() };
    let answer = ask(&Question { limits: some_nodes(), ..Question::default() }, &weak);
    assert!(answer.nodes > 0);
}
