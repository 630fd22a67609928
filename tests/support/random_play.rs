//! Positions reached by random play.

use rand::RngExt;
use rand::rngs::SmallRng;
use ratlla::game::Game;

/// The legal moves of a position.
pub fn legal_moves<G: Game>(game: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves
}

/// A random legal move, or `None` once the game is over.
pub fn random_move<G: Game>(game: &G, rng: &mut SmallRng) -> Option<G::Move> {
    let moves = legal_moves(game);
    (!moves.is_empty()).then(|| moves[rng.random_range(0..moves.len())])
}

/// A position that is not over, up to `moves` random moves after `start`.
pub fn random_position<G: Game>(start: &G, moves: usize, rng: &mut SmallRng) -> G {
    let mut game = start.clone();
    for _ in 0..moves {
        let before = game.clone();
        let Some(mv) = random_move(&game, rng) else {
            return before;
        };
        game.play(mv);
        if game.outcome().is_some() {
            return before;
        }
    }
    game
}

/// A position that is not over, exactly `moves` random moves after `start`.
pub fn late_position<G: Game>(start: &G, moves: usize, rng: &mut SmallRng) -> G {
    loop {
        let mut game = start.clone();
        for _ in 0..moves {
            if let Some(mv) = random_move(&game, rng) {
                game.play(mv);
            }
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}
