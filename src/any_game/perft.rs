//! Counting move sequences, a test of the move generator.

use crate::game::Game;
use crate::limits::{NodeCounter, Stopped};

/// The number of sequences of exactly `depth` moves from here.
pub(super) fn perft<G: Game>(
    game: &mut G,
    depth: u32,
    counter: &mut NodeCounter<'_>,
    moves: &mut Vec<G::Move>,
) -> Result<u64, Stopped> {
    counter.tick()?;
    if depth == 0 {
        return Ok(1);
    }
    let first = moves.len();
    game.legal_moves(moves);
    let last = moves.len();
    if depth == 1 {
        moves.truncate(first);
        return Ok((last - first) as u64);
    }
    let mut total = 0;
    for index in first..last {
        let mv = moves[index];
        let undo = game.play(mv);
        total += perft(game, depth - 1, counter, moves)?;
        game.undo(mv, undo);
    }
    moves.truncate(first);
    Ok(total)
}
