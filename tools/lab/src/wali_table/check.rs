//! Checks a table against the rules as they are played, which share no code with the retrograde
//! analysis but the bit patterns.

use std::ops::Range;

use anyhow::{Context, Result, ensure};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::game::{ExactValue, Game, Outcome, Side};
use ratlla::games::wali::bits::AnyShape;
use ratlla::games::wali::board::Phase;
use ratlla::games::wali::endgame::Endgames;
use ratlla::games::wali::endgame::index::NumberedPosition;

/// Depth of the minimax search in plies.
const DEPTH: usize = 4;

/// Checks a random position of `numbers` for each step: its value must be the best of its moves',
/// and what a shallow minimax search finds if the end is that near.
pub fn check(table: &Endgames, numbers: Range<u64>, steps: impl Iterator, seed: u64) -> Result<()> {
    let mut rng = SmallRng::seed_from_u64(seed);
    for _ in steps {
        let number = rng.random_range(numbers.clone());
        let NumberedPosition { own, enemy, .. } = table.index().position(number);
        let shape = table.index().shape();
        let mut board = Board::from_stones(shape, [own, enemy], Side::P1, Phase::Move, 0);
        let value = table_value(table, &board)?;
        let by_moves = value_by_moves(table, &mut board)?;
        let by_search = minimax(&mut board, DEPTH);
        let within_depth = match value {
            ExactValue::Win(plies) | ExactValue::Loss(plies) if plies > DEPTH => ExactValue::Draw,
            near => near,
        };
        ensure!(
            value == by_moves && within_depth == by_search,
            "own {own:#x}, enemy {enemy:#x}: the table says {value:?}, its moves {by_moves:?}, \
             a search of {DEPTH} plies {by_search:?}"
        );
    }
    Ok(())
}

/// The board of a table.
type Board = ratlla::games::wali::board::Board<AnyShape>;

/// The value of a finished game for the side to move.
fn final_value(board: &Board) -> Option<ExactValue> {
    board.outcome().map(|outcome| match outcome {
        Outcome::Win(side) if side == board.side_to_move() => ExactValue::Win(0),
        Outcome::Win(_) => ExactValue::Loss(0),
        Outcome::Draw => ExactValue::Draw,
    })
}

/// The value of any position by the table.
fn table_value(table: &Endgames, board: &Board) -> Result<ExactValue> {
    let me = board.side_to_move();
    let (own, enemy) = (board.stones(me), board.stones(!me));
    match final_value(board) {
        Some(value) => Ok(value),
        None if own.count_ones() < 3 && enemy.count_ones() < 3 => Ok(ExactValue::Draw),
        None => table
            .look_up(own, enemy)
            .with_context(|| format!("own {own:#x}, enemy {enemy:#x} is not in the table")),
    }
}

fn value_by_moves(table: &Endgames, board: &mut Board) -> Result<ExactValue> {
    let values: Result<_> = after_each_move(board, |board| table_value(table, board)).collect();
    Ok(best(values?))
}

/// A win or a loss within `depth` plies, or a draw if neither is found.
fn minimax(board: &mut Board, depth: usize) -> ExactValue {
    match final_value(board) {
        Some(value) => value,
        None if depth == 0 => ExactValue::Draw,
        None => best(after_each_move(board, |board| minimax(board, depth - 1)).collect()),
    }
}

/// What `value` returns for the position after each legal move.
fn after_each_move<T>(
    board: &mut Board,
    mut value: impl FnMut(&mut Board) -> T,
) -> impl Iterator<Item = T> {
    let mut moves = Vec::new();
    board.legal_moves(&mut moves);
    moves.into_iter().map(move |mv| {
        let undo = board.play(mv);
        let found = value(board);
        board.undo(mv, undo);
        found
    })
}

/// The value for the side to move by those after each of its moves: the opponent's shortest loss,
/// else a draw, else the opponent's longest win.
fn best(after: Vec<ExactValue>) -> ExactValue {
    let mut wins = Vec::new();
    let mut losses = Vec::new();
    let mut drawn = after.is_empty();
    for value in after {
        match value {
            ExactValue::Loss(plies) => wins.push(plies + 1),
            ExactValue::Win(plies) => losses.push(plies + 1),
            ExactValue::Draw => drawn = true,
        }
    }
    match (wins.into_iter().min(), losses.into_iter().max()) {
        (Some(plies), _) => ExactValue::Win(plies),
        (None, Some(plies)) if !drawn => ExactValue::Loss(plies),
        _ => ExactValue::Draw,
    }
}
