//! A win, a loss or a draw is claimed only if it is one, whenever the search is interrupted.

use ratlla::any_game::{AnyGame, Request};
use ratlla::games;
use ratlla::limits::{Limits, SearchControl};
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::strategy::{ReportedScore, Settings};

/// What the search says last about the position, with these limits and an empty table.
fn last_standing(table: &dyn AnyGame, limits: &Limits) -> ReportedScore {
    let mut last = None;
    let request = Request {
        limits,
        search_moves: &[],
        settings: &Settings::default(),
        solve: false,
        control: &SearchControl::new(false, false),
        tt: &TranspositionTable::new(1).unwrap(),
    };
    table.think(&request, &mut |info| last = info.standing);
    last.unwrap()
}

/// -1, 0 or 1 for what is claimed to be proved, nothing for an opinion.
fn claim(standing: ReportedScore) -> Option<i32> {
    match standing {
        ReportedScore::Win(_) => Some(1),
        ReportedScore::Draw => Some(0),
        ReportedScore::Loss(_) => Some(-1),
        _ => None,
    }
}

#[test]
fn an_interrupted_search_claims_nothing_false() {
    for (size, moves) in [
        ("4 5", "5 2 2 2 4 3 1 3 4"),
        ("4 5", "1 2 3 4 5 5 4 3"),
        ("4 4 3", "1 2"),
        ("5 4", "2 3 2 2 3 3 1 4"),
    ] {
        let words = |text: &'static str| text.split(' ').collect::<Vec<_>>();
        let mut table = games::open("connect4", &words(size)).unwrap();
        table.set_position(&[], &words(moves)).unwrap();
        let to_the_end = Limits { depth: Some(30), ..Limits::default() };
        let truth = claim(last_standing(&*table, &to_the_end));
        assert!(truth.is_some(), "{size}: {moves} is solved");
        for nodes in 0..1000 {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let claimed = claim(last_standing(&*table, &limits));
            assert!(claimed.is_none() || claimed == truth, "{size}: {moves}, nodes {nodes}");
        }
    }
}
