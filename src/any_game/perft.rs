//! Counting move sequences, a test of the move generator.

use super::TypedGame;
use crate::game::explain::Explain;
use crate::game::{Game, Notation};
use crate::limits::{Limits, NodeCounter, SearchControl, Stopped};
use crate::strategy::Playable;

impl<G: Notation + Playable + Explain> TypedGame<G> {
    /// The reply to `go perft`.
    pub(super) fn count_sequences(
        &self,
        depth: u32,
        control: &SearchControl,
        count: &mut dyn FnMut(String, u64),
    ) -> Option<u64> {
        let mut counter = NodeCounter::new(control, &Limits::default(), None);
        if depth == 0 {
            return Some(1);
        }
        let mut game = self.game.clone();
        let mut total = 0;
        for mv in self.legal_moves() {
            let text = game.text_of(mv, self.notation);
            let undo = game.play(mv);
            let leaves = perft(&mut game, depth - 1, &mut counter, &mut Vec::new()).ok()?;
            game.undo(mv, undo);
            count(text, leaves);
            total += leaves;
        }
        Some(total)
    }
}

/// The number of sequences of exactly `depth` moves from here.
fn perft<G: Game>(
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
