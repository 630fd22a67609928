//! A sample of public test positions with their scores.

use ratlla::games::connect4::solver::{Limits, Position, Solver};

fn check(text: &str) {
    let mut solver = Solver::new(16, 1).expect("there is memory");
    assert!(text.lines().count() >= 30);
    for line in text.lines() {
        let (moves, score) = line.split_once(' ').expect("moves and score");
        let columns = moves.bytes().map(|digit| u32::from(digit - b'1'));
        let position = Position::from_moves(6, 7, columns).expect("legal moves");
        let solution = solver.solve(&position, &Limits::default(), &mut |_| {});
        assert_eq!(solution.score(), score.parse().ok(), "{line}");
    }
}

#[test]
fn end_easy() {
    check(include_str!("data/connect4/Test_L3_R1"));
}

#[test]
fn middle_easy() {
    check(include_str!("data/connect4/Test_L2_R1"));
}

#[test]
fn middle_medium() {
    check(include_str!("data/connect4/Test_L2_R2"));
}

#[test]
fn begin_easy() {
    check(include_str!("data/connect4/Test_L1_R1"));
}
