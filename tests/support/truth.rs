//! The exact value of positions by exhaustive search: slow, short, and hard to get wrong.

use std::collections::HashMap;

use ratlla::game::{Game, Outcome};
use ratlla::search::score::Score;

use super::random_play::legal_moves;

/// The value of a position for the side to move: a win or a loss with its distance in plies
/// under best play of both sides, or a draw.
///
/// `seen` caches values by key and may be reused for other positions of the same game.
pub fn exact_value<G: Game>(game: &mut G, seen: &mut HashMap<u64, Score>) -> Score {
    if let Some(outcome) = game.outcome() {
        return match outcome {
            Outcome::Draw => Score::DRAW,
            Outcome::Win(side) if side == game.side_to_move() => Score::win_in(0),
            Outcome::Win(_) => Score::loss_in(0),
        };
    }
    if let Some(&known) = seen.get(&game.key()) {
        return known;
    }
    let values = legal_moves(game).into_iter().map(|mv| value_of_move(game, mv, seen));
    let best = values.max().expect("a game that is not over has moves");
    seen.insert(game.key(), best);
    best
}

/// The value of playing `mv`, for the side that plays it.
pub fn value_of_move<G: Game>(game: &mut G, mv: G::Move, seen: &mut HashMap<u64, Score>) -> Score {
    let mover = game.side_to_move();
    let undo = game.play(mv);
    // One ply farther from the end than the position after the move.
    let after = exact_value(game, seen).to_root(1);
    let value = if game.side_to_move() == mover { after } else { -after };
    game.undo(mv, undo);
    value
}
