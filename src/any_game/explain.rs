//! From what a search has found, in words, to explanations of moves.

use super::TypedGame;
use crate::explain::{self, Reason, Refutation};
use crate::game::Notation;
use crate::game::explain::Explain;
use crate::protocol::command::Go;
use crate::search::result::{PvLine, SearchResult};
use crate::strategy::Playable;

impl<G: Notation + Playable + Explain> TypedGame<G> {
    /// The reply to `explain`.
    pub(super) fn reasons(&self, go: &Go, found: &SearchResult<String>) -> Vec<Reason> {
        if self.game.outcome().is_some() {
            return Vec::new();
        }
        let found = found.with_moves(|texts| moves_of(&self.game, texts));
        let moves = self.best_first(&found, &go.search_moves);
        explain::reasons(&self.game, &moves, &found, self.notation)
    }

    /// The reply to `why not`.
    pub(super) fn refutation(&self, go: &Go, found: &SearchResult<String>) -> Option<Refutation> {
        let asked = self.parse_move(go.asked.as_ref()?).ok()?;
        let found = found.with_moves(|texts| moves_of(&self.game, texts));
        let moves = self.best_first(&found, &[]);
        explain::refutation(&self.game, asked, &moves, &found, self.notation)
    }

    /// The moves that a search had to consider, these or all legal ones if there are none: those
    /// that it has `found` lines for, best first, then the others.
    fn best_first(&self, found: &SearchResult<G::Move>, considered: &[String]) -> Vec<G::Move> {
        let considered: Vec<_> = considered.iter().map(|text| self.parse_move(text)).collect();
        let first = |line: &PvLine<G::Move>| line.moves.first().copied();
        let mut moves: Vec<G::Move> = found.lines.iter().filter_map(first).collect();
        let mut rest = self.legal_moves();
        rest.retain(|&mv| {
            !moves.contains(&mv) && (considered.is_empty() || considered.contains(&Ok(mv)))
        });
        moves.extend(rest);
        moves
    }
}

/// The moves with these texts, which follow each other.
fn moves_of<G: Notation>(game: &G, texts: &[String]) -> Vec<G::Move> {
    let mut game = game.clone();
    let mv = |text: &String| {
        let mv = game.parse_move(text).ok()?;
        game.play(mv);
        Some(mv)
    };
    texts.iter().map_while(mv).collect()
}
