//! Public test positions with known scores: a sample that is solved quickly. The `solver` section
//! of `ratlla-bench --all` checks all of them.

use ratlla::games::connect4::solver::{Position, Solver, SolverLimits};

/// Checks every `step`-th line of a file.
fn check(text: &str, step: usize) {
    let mut solver = Solver::new(64, 1).expect("enough memory");
    assert_eq!(text.lines().count(), 1000);
    for line in text.lines().step_by(step) {
        let (moves, score) = line.split_once(' ').expect("moves and score");
        let columns = moves.bytes().map(|digit| u32::from(digit - b'1'));
        let position = Position::from_moves(6, 7, columns).expect("legal moves");
        let proof = solver.bounds(&position, &SolverLimits::default(), &mut |_| {});
        assert_eq!(proof.bounds.score(), score.parse().ok(), "{line}");
    }
}

#[test]
fn end_easy_positions_have_their_known_scores() {
    check(include_str!("data/connect4/Test_L3_R1"), 1);
}

#[test]
fn middle_easy_positions_have_their_known_scores() {
    check(include_str!("data/connect4/Test_L2_R1"), 1);
}

#[test]
fn middle_medium_positions_have_their_known_scores() {
    check(include_str!("data/connect4/Test_L2_R2"), 10);
}

#[test]
fn begin_easy_positions_have_their_known_scores() {
    check(include_str!("data/connect4/Test_L1_R1"), 5);
}

#[test]
fn begin_medium_positions_have_their_known_scores() {
    check(include_str!("data/connect4/Test_L1_R2"), 100);
}

#[test]
fn begin_hard_positions_have_their_known_scores() {
    check(include_str!("data/connect4/Test_L1_R3"), 300);
}
