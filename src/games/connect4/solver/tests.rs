//! The solver against a plain negamax that shares none of its tricks.

mod plain;
mod rules;
mod scouting;

use std::time::Duration;

use super::*;
use crate::game::ExactValue;
use crate::limits::SearchControl;
use crate::platform::clock::Instant;
use plain::Truth;

/// A small generator of random numbers, the same in every run.
pub struct Xorshift(pub u64);

impl Xorshift {
    /// A number below `limit`.
    pub fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 32) % u64::from(limit)) as u32
    }
}

fn plain_score(position: &Position) -> SolverScore {
    Truth::of(position).score()
}

/// A position that is not over, with at most `most` empty cells. Without
/// `alternate`, stones have random owners.
fn random_position(
    random: &mut Xorshift,
    rows: u32,
    columns: u32,
    most: u32,
    alternate: bool,
) -> Position {
    let empty = Position::new(rows, columns).expect("the size is allowed");
    random_position_after(random, &empty, most, alternate)
}

/// The same on any empty board.
fn random_position_after(
    random: &mut Xorshift,
    empty: &Position,
    most: u32,
    alternate: bool,
) -> Position {
    let columns = empty.columns();
    'again: loop {
        let mut position = *empty;
        let goal = random.below(most) + 1;
        while position.empties() > goal {
            let column = random.below(columns);
            let Some(next) = position.play(column) else { continue };
            if next.winner().is_some() {
                // One more try, then start again: crowded boards end often.
                let Some(next) = position.play(random.below(columns)) else { continue };
                if next.winner().is_some() {
                    continue 'again;
                }
                position = next;
                continue;
            }
            position = next;
            if !alternate && random.below(2) == 0 {
                position = position.swapped();
            }
        }
        return position;
    }
}

const SIZES: [(u32, u32); 8] = [(4, 4), (4, 5), (5, 4), (5, 5), (5, 6), (6, 5), (6, 7), (7, 5)];

fn solver() -> Solver {
    Solver::new(16, 1).expect("there is memory")
}

fn score_of(solver: &mut Solver, position: &Position) -> SolverScore {
    solver.bounds(position, &SolverLimits::default(), &mut |_| {}).bounds.score().expect("no limit")
}

#[test]
fn agrees_with_plain_negamax_on_late_positions() {
    let mut random = Xorshift(1);
    let mut solver = solver();
    for (rows, columns) in SIZES {
        for round in 0..2_000 {
            let position = random_position(&mut random, rows, columns, 10, round % 2 == 0);
            assert_eq!(score_of(&mut solver, &position), plain_score(&position), "{position:?}");
        }
    }
}

#[test]
fn agrees_with_plain_negamax_on_wide_boards() {
    let mut random = Xorshift(2);
    let mut solver = solver();
    for (rows, columns) in [(4, 25), (9, 9), (25, 4), (10, 11)] {
        for round in 0..100 {
            let position = random_position(&mut random, rows, columns, 7, round % 2 == 0);
            assert_eq!(score_of(&mut solver, &position), plain_score(&position), "{position:?}");
        }
    }
}

/// Lines, rows, columns and empty cells at most. The longer the line, the longer games are.
const OTHER_LINES: [(u32, u32, u32, u32); 26] = [
    (2, 4, 4, 15),
    (2, 9, 9, 80),
    (3, 4, 4, 12),
    (3, 5, 5, 16),
    (3, 6, 7, 27),
    (3, 8, 8, 38),
    (3, 5, 11, 28),
    (3, 13, 5, 38),
    (5, 5, 5, 10),
    (5, 6, 7, 10),
    (5, 4, 9, 9),
    (5, 12, 4, 10),
    (5, 8, 8, 9),
    (5, 6, 10, 8),
    (5, 9, 9, 8),
    (5, 4, 25, 6),
    (6, 6, 6, 10),
    (6, 7, 7, 10),
    (6, 4, 10, 9),
    (6, 15, 4, 10),
    (6, 8, 9, 8),
    (6, 25, 4, 10),
    (7, 7, 7, 9),
    (9, 9, 9, 8),
    (14, 4, 14, 7),
    (25, 25, 4, 10),
];

#[test]
fn agrees_with_plain_negamax_on_other_lines() {
    let mut random = Xorshift(3);
    let mut solver = solver();
    for (line, rows, columns, most) in OTHER_LINES {
        let empty = Position::with_line(rows, columns, line).expect("it is allowed");
        for round in 0..200 {
            let position = random_position_after(&mut random, &empty, most, round % 2 == 0);
            assert_eq!(score_of(&mut solver, &position), plain_score(&position), "{position:?}");
        }
    }
}

/// The same stones mean something else with another line: the table is not kept.
#[test]
fn a_solver_may_change_lines() {
    let (mut solver, mut random) = (solver(), Xorshift(6));
    for _ in 0..200 {
        let stones = random_position(&mut random, 5, 5, 12, true).to_stones();
        for line in 3..=5 {
            let empty = Position::with_line(5, 5, line).expect("it is allowed");
            let Ok(position) = empty.with_stones(stones.0, stones.1) else { continue };
            assert_eq!(score_of(&mut solver, &position), plain_score(&position), "{position:?}");
        }
    }
}

#[test]
fn empty_boards_have_their_known_values() {
    let mut solver = solver();
    for (rows, columns, score) in
        [(4, 4, 0), (4, 5, 0), (5, 4, 0), (5, 5, 0), (4, 6, -1), (4, 7, 0)]
    {
        let position = Position::new(rows, columns).expect("the size is allowed");
        let found = score_of(&mut solver, &position);
        assert_eq!(found.signum(), score, "{rows}x{columns}");
    }
}

#[test]
fn the_variation_leads_to_the_proved_result() {
    let mut random = Xorshift(4);
    let mut solver = solver();
    for _ in 0..300 {
        let position = random_position(&mut random, 6, 7, 20, true);
        let score = score_of(&mut solver, &position);
        let (line, _) = solver.principal_variation(&position, score, &SolverLimits::default());
        let last = line.iter().fold(position, |here, &column| here.play(column).expect("legal"));
        let expected = match exact_value(score, position.empties()) {
            ExactValue::Draw => position.empties() as usize,
            ExactValue::Win(plies) | ExactValue::Loss(plies) => plies,
        };
        assert_eq!(line.len(), expected, "{position:?}");
        assert_eq!(last.winner().is_some(), score != 0);
    }
}

#[test]
fn analysis_scores_every_column() {
    let mut random = Xorshift(5);
    let mut solver = solver();
    for _ in 0..500 {
        let position = random_position(&mut random, 5, 6, 9, true);
        let (columns, _) = solver.analyze(&position, &SolverLimits::default());
        for (column, found) in columns.into_iter().enumerate() {
            let expected = position.play(column as u32).map(|next| -plain_score(&next));
            assert_eq!(found.map(|bounds| bounds.score().expect("no limit")), expected);
        }
    }
}

#[test]
fn threads_find_the_same_scores() {
    let mut threaded = Solver::new(16, 4).expect("there is memory");
    let mut alone = solver();
    // Hard enough that the threads are called, by the first assertion.
    for moves in [&[0, 2, 6, 0, 1][..], &[1, 3, 0, 5, 5, 0, 4, 4, 4, 1]] {
        let position = Position::from_moves(6, 7, moves.iter().copied()).expect("legal");
        let proof = threaded.bounds(&position, &SolverLimits::default(), &mut |_| {});
        assert!(proof.nodes > 50_000, "{}", proof.nodes);
        assert_eq!(proof.bounds.score(), Some(score_of(&mut alone, &position)));
    }
}

/// Bit `column * (rows + 1) + row`: on 6x7 a column has seven bits, of which the highest is no cell.
#[test]
fn stones_that_no_board_has_are_refused() {
    let empty = Position::new(6, 7).expect("a board");
    let stones =
        |mover, other| empty.with_stones(mover, other).map(|position| position.to_stones());
    assert_eq!(stones(0b001, 0b010), Ok((0b001, 0b010)));
    for (mover, other) in [
        (0b001, 0b001), // both have the same cell
        (0b011, 0b010),
        (0b010, 0), // nothing below
        (0, 0b101),
        (0b111_1111, 0), // above the highest row
        (1 << 49, 0),    // right of the last column
    ] {
        assert_eq!(stones(mover, other), Err(PositionError::Stones), "{mover:b} {other:b}");
    }
    let column = |number: u32| 0b1111u128 << (7 * number);
    assert!(stones(column(0), column(1) & column(1) >> 1).is_ok(), "three are no line");
    assert_eq!(stones(column(0), column(1)), Err(PositionError::TwoWinners));
}

/// Beside the table, a witness keeps whole keys. On boards of one word and of two; threads share the table as
/// it is after the nodes that one searches alone, at some stage of its growth or other.
#[test]
fn every_answer_of_the_table_was_stored_for_that_position() {
    let wide = [7, 1, 1, 0, 11, 12, 10, 5, 6, 4, 6, 5, 6, 11, 5, 6, 11, 8, 5];
    let positions = [
        Position::new(6, 5).expect("a board"),
        Position::new(5, 6).expect("a board"),
        Position::from_moves(4, 13, wide).expect("legal"),
    ];
    for (position, score) in positions.into_iter().zip([0, 0, -2]) {
        for threads in [1, 2] {
            let mut solver = Solver::new(16, threads).expect("there is memory");
            solver.table.keep_whole_keys();
            let proof = solver.bounds(&position, &SolverLimits::default(), &mut |_| {});
            assert!(proof.nodes > 50_000, "the threads are called after these: {}", proof.nodes);
            assert_eq!(proof.bounds.score(), Some(score), "{position:?}, {threads} threads");
        }
    }
}

#[test]
fn limits_stop_the_search_and_leave_true_bounds() {
    let empty = Position::new(6, 7).expect("the size is allowed");
    let mut solver = solver();
    let [stopped, running] = [(); 2].map(|()| SearchControl::new(false, false));
    stopped.stop();
    let few = SolverLimits { nodes: Some(10_000), ..SolverLimits::default() };
    let stopped = SolverLimits { control: Some(&stopped), ..SolverLimits::default() };
    let time = Some(Duration::from_millis(20));
    let soon = SolverLimits { control: Some(&running), time, ..SolverLimits::default() };
    for limits in [few, stopped, soon] {
        // A busy machine does not stall every time.
        assert!((0..5).any(|_| {
            solver.clear();
            let started = Instant::now();
            let Proof { bounds, nodes } = solver.bounds(&empty, &limits, &mut |_| {});
            assert!(bounds.lower < bounds.upper);
            assert!(bounds.lower <= 1 && 1 <= bounds.upper);
            assert!(nodes <= limits.nodes.unwrap_or(u64::MAX));
            started.elapsed() < Duration::from_secs(2)
        }));
    }
}

#[test]
fn a_variation_is_proved_as_far_as_it_goes() {
    // The score is 3, and only one move reaches it.
    let position = Position::from_moves(6, 7, [6, 3, 3, 6, 3, 3, 3, 4]).expect("legal");
    let (mut truth, mut lengths) = (solver(), Vec::new());
    for nodes in (0..24).map(|power| 1 << power) {
        let limits = SolverLimits { nodes: Some(nodes), ..SolverLimits::default() };
        let (line, spent) = solver().principal_variation(&position, 3, &limits);
        assert!(spent <= nodes);
        assert!(matches!(line.first(), None | Some(5)), "{line:?} with {nodes} nodes");
        let reached = line.iter().fold(position, |here, &mv| here.play(mv).expect("legal"));
        let sign = if line.len().is_multiple_of(2) { 1 } else { -1 };
        assert_eq!(score_of(&mut truth, &reached), 3 * sign, "{line:?} with {nodes} nodes");
        lengths.push(line.len());
    }
    assert_eq!(lengths.first(), Some(&0), "nothing is proved without a search");
    let whole = position.empties() as usize - 5;
    assert_eq!(lengths.last(), Some(&whole), "with enough nodes it is all there");
}

#[test]
fn many_more_threads_than_processors_find_the_same() {
    let position = Position::from_moves(6, 7, [0, 1, 0, 1, 1, 0, 2, 2]).expect("legal");
    let mut many = Solver::new(16, 256).expect("there is memory");
    assert_eq!(score_of(&mut many, &position), score_of(&mut solver(), &position));
}

#[test]
fn progress_narrows_to_the_result() {
    let position = Position::from_moves(6, 7, [3, 3, 3, 3, 3, 1, 0, 0, 5, 5, 1, 1]).expect("legal");
    let mut seen: Vec<Bounds> = Vec::new();
    let proof =
        solver().bounds(&position, &SolverLimits::default(), &mut |proof| seen.push(proof.bounds));
    assert!(
        seen.windows(2)
            .all(|pair| pair[0].lower <= pair[1].lower && pair[1].upper <= pair[0].upper)
    );
    assert_eq!(seen.last(), Some(&proof.bounds));
}

#[test]
fn games_that_are_over_have_their_score() {
    let mut solver = solver();
    // The other side has its line: 4 + 3 stones of 42 cells.
    let lost = Position::from_moves(6, 7, [0, 1, 0, 1, 0, 1, 0]).expect("legal");
    let full = Position::from_moves(4, 4, [0, 1, 0, 1, 1, 0, 1, 0, 2, 3, 2, 3, 3, 2, 3, 2])
        .expect("legal");
    for (over, score) in [(lost, -18), (lost.swapped(), 18), (full, 0)] {
        assert_eq!(score_of(&mut solver, &over), score, "{over:?}");
        assert!(solver.principal_variation(&over, score, &SolverLimits::default()).0.is_empty());
    }
}

/// On boards of one and of two halves; the board of the last position is the one of the table.
#[test]
fn a_solver_with_a_loaded_table_need_not_prove_again() {
    let wide = [7, 1, 1, 0, 11, 12, 10, 5, 6, 4, 6, 5, 6, 11, 5, 6, 11, 11, 5];
    let positions =
        [Position::new(5, 6).expect("a board"), Position::from_moves(4, 13, wide).expect("legal")];
    for position in positions {
        let bounds =
            |solver: &mut Solver| solver.bounds(&position, &SolverLimits::default(), &mut |_| {});
        let mut first = solver();
        let proof = bounds(&mut first);
        let mut saved = Vec::new();
        first.saved_table(&position).save(&mut saved).unwrap();
        let mut second = solver();
        second.saved_table(&position).load(&mut &saved[..]).unwrap();
        let again = bounds(&mut second);
        assert_eq!(again.bounds, proof.bounds);
        assert!(proof.nodes > 1000 && again.nodes == 0, "{proof:?} {again:?}");
    }
}
