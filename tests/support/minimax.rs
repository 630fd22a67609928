//! Minimax in a dozen lines: the reference for every other search.

use ratlla::game::{Evaluate, Game, Outcome};
use ratlla::search::score::Score;

use super::random_play::legal_moves;

/// The value for the side to move, `depth` plies deep, `ply` plies below the root.
pub fn minimax<G: Game>(
    game: &mut G,
    evaluation: &dyn Evaluate<G>,
    depth: u32,
    ply: usize,
) -> Score {
    match game.outcome() {
        Some(Outcome::Draw) => return Score::DRAW,
        Some(Outcome::Win(side)) if side == game.side_to_move() => return Score::win_in(ply),
        Some(Outcome::Win(_)) => return Score::loss_in(ply),
        None if depth == 0 => return Score::heuristic(evaluation.evaluate(game)),
        None => {}
    }
    let values = move_values(game, evaluation, depth, ply).into_iter();
    values.map(|(_, value)| value).max().expect("a game that is not over has moves")
}

/// The value of each legal move for the side that plays it, `depth` plies deep.
pub fn move_values<G: Game>(
    game: &mut G,
    evaluation: &dyn Evaluate<G>,
    depth: u32,
    ply: usize,
) -> Vec<(G::Move, Score)> {
    let mover = game.side_to_move();
    let mut values = Vec::new();
    for mv in legal_moves(game) {
        let undo = game.play(mv);
        let after = minimax(game, evaluation, depth - 1, ply + 1);
        let value = if game.side_to_move() == mover { after } else { -after };
        game.undo(mv, undo);
        values.push((mv, value));
    }
    values
}
