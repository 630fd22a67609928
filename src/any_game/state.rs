//! A game in progress as programs see it, and what a search expects of the opponent.

use super::TypedGame;
use crate::endgames::EndgameStore;
use crate::game::Notation;
use crate::game::explain::Explain;
use crate::game::state::{GameState, MoveEffect, MoveState};
use crate::settings::Settings;
use crate::strategy::Playable;

impl<G: Notation + Playable + Explain> TypedGame<G> {
    /// The reply to `state`, as far as the game knows it.
    pub(super) fn describe(&self, settings: &Settings, endgames: &EndgameStore) -> GameState {
        let legal = self.legal_moves();
        let here = self.game.describe(&legal);
        let effects = legal.iter().zip(here.effects);
        let (history, last) = self.history();
        let outcome = self.game.outcome();
        GameState {
            position: self.current_text(),
            side: self.game.side_to_move(),
            result: outcome,
            ending: here.ending,
            board: here.board,
            moves: effects.map(|(&mv, effect)| self.move_state(&self.game, mv, effect)).collect(),
            history,
            last,
            solver: outcome.is_none() && self.game.solver(settings.hash, endgames).is_ok(),
            book: outcome.is_none() && settings.own_book && self.game.is_in_book(),
            drawing: self.game.drawing().lines().map(str::to_owned).collect(),
        }
    }

    /// The texts of the moves since the position was set up, and what the last of them did.
    fn history(&self) -> (Vec<String>, Option<MoveState>) {
        let mut game = self.setup.clone();
        let mut texts = Vec::with_capacity(self.played.len());
        let mut last = None;
        for (index, &(mv, _)) in self.played.iter().enumerate() {
            texts.push(game.text_of(mv, self.notation));
            if index + 1 == self.played.len() {
                let effect = game.describe(&[mv]).effects.pop().unwrap_or_default();
                last = Some(self.move_state(&game, mv, effect));
            }
            game.play(mv);
        }
        (texts, last)
    }

    fn move_state(&self, before: &G, mv: G::Move, effect: MoveEffect) -> MoveState {
        let side = before.side_to_move();
        let mut after = before.clone();
        after.play(mv);
        MoveState {
            text: before.text_of(mv, self.notation),
            side,
            again: after.outcome().is_none() && after.side_to_move() == side,
            effect,
        }
    }
}

/// The moves after the first one of `line` that lead back to its mover's turn or to the end of the
/// game; `None` if the mover moves again at once, or if the line ends before.
pub(super) fn turn_after_first<'a, G: Notation>(
    game: &G,
    line: &'a [String],
) -> Option<&'a [String]> {
    let mover = game.side_to_move();
    let mut game = game.clone();
    for (index, text) in line.iter().enumerate() {
        game.play(game.parse_move(text).ok()?);
        if game.outcome().is_some() || game.side_to_move() == mover {
            return line.get(1..=index);
        }
    }
    None
}
