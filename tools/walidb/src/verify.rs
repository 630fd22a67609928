//! Checks of a table against the rules of the game itself, which know nothing of how it was
//! made.

use std::ops::Range;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::game::{ExactValue, Game, Outcome, Side};
use ratlla::games::wali::board::{Board, Phase};
use ratlla::games::wali::endgame::Endgames;
use ratlla::games::wali::endgame::index;

/// Minimax search looks so many plies ahead.
const DEPTH: usize = 4;

/// Looks at `count` random positions with these numbers. Each must have the value that its moves give it, and end
/// within a few plies in plain search exactly if the table says so.
pub fn verify(
    table: &Endgames,
    numbers: Range<usize>,
    count: u64,
    mut looked: impl FnMut(),
) -> Result<(), String> {
    let mut rng = SmallRng::seed_from_u64(count);
    for _ in 0..count {
        let (own, enemy) = index::position(rng.random_range(numbers.clone()));
        let mut board = Board::from_stones([own, enemy], Side::P1, Phase::Move, 0);
        let told = told(table, &board)?;
        let by_moves = value_by_moves(table, &mut board)?;
        let by_search = searched(&mut board, DEPTH);
        let is_near =
            !matches!(told, ExactValue::Win(plies) | ExactValue::Loss(plies) if plies > DEPTH);
        if told != by_moves
            || (is_near && told != by_search)
            || (!is_near && by_search != ExactValue::Draw)
        {
            return Err(format!(
                "own {own:#x}, enemy {enemy:#x}: the table says {told:?}, its moves {by_moves:?}, \
                 search {DEPTH} plies deep {by_search:?}"
            ));
        }
        looked();
    }
    Ok(())
}

/// What the table says about a board, over or not.
fn told(table: &Endgames, board: &Board) -> Result<ExactValue, String> {
    let me = board.side_to_move();
    let (own, enemy) = (board.stones(me), board.stones(!me));
    match board.outcome() {
        Some(Outcome::Win(side)) if side == me => Ok(ExactValue::Win(0)),
        Some(Outcome::Win(_)) => Ok(ExactValue::Loss(0)),
        Some(Outcome::Draw) => Ok(ExactValue::Draw),
        None if own.count_ones() < 3 && enemy.count_ones() < 3 => Ok(ExactValue::Draw),
        None => table
            .look_up(own, enemy)
            .ok_or_else(|| format!("own {own:#x}, enemy {enemy:#x} is not in the table")),
    }
}

fn value_by_moves(table: &Endgames, board: &mut Board) -> Result<ExactValue, String> {
    let mut verdicts = Vec::new();
    let mut moves = Vec::new();
    board.legal_moves(&mut moves);
    for mv in moves {
        let undo = board.play(mv);
        verdicts.push(told(table, board)?);
        board.undo(mv, undo);
    }
    Ok(best(verdicts))
}

/// What plain minimax finds: a win or a loss within `depth` plies, or no end.
fn searched(board: &mut Board, depth: usize) -> ExactValue {
    match board.outcome() {
        Some(Outcome::Win(side)) if side == board.side_to_move() => return ExactValue::Win(0),
        Some(Outcome::Win(_)) => return ExactValue::Loss(0),
        Some(Outcome::Draw) => return ExactValue::Draw,
        None if depth == 0 => return ExactValue::Draw,
        None => {}
    }
    let mut moves = Vec::new();
    board.legal_moves(&mut moves);
    let mut verdicts = Vec::new();
    for mv in moves {
        let undo = board.play(mv);
        verdicts.push(searched(board, depth - 1));
        board.undo(mv, undo);
    }
    best(verdicts)
}

/// The verdict for the side to move from those after each of its moves: the opponent's shortest
/// loss, else a draw, else the opponent's longest win.
fn best(after: Vec<ExactValue>) -> ExactValue {
    let mut wins = Vec::new();
    let mut losses = Vec::new();
    let mut drawn = after.is_empty();
    for exact_value in after {
        match exact_value {
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
