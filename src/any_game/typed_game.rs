//! The one implementation of [`AnyGame`].

use std::mem::{replace, take};

use super::tree::line_in_words;
use super::{AnyGame, state};
use crate::bound_table::SavedTable;
use crate::endgames::EndgameStore;
use crate::explain::{Reason, Refutation};
use crate::game::explain::Explain;
use crate::game::state::GameState;
use crate::game::{ExactScore, ExactValue, MoveNotation, Notation, Outcome, Side};
use crate::limits::SearchControl;
use crate::protocol::command::{Go, TreeRequest};
use crate::search::result::{ReportedScore, SearchResult};
use crate::search::transposition_table::TranspositionTable;
use crate::search::tree::SearchTree;
use crate::settings::Settings;
use crate::strategy::{self, Playable};
use crate::text::escaped;

/// [`AnyGame`] for every type of game.
pub struct TypedGame<G: Playable> {
    pub(super) title: String,
    pub(super) notation: MoveNotation,
    pub(super) start: G,
    pub(super) game: G,
    /// The position that was set up.
    pub(super) setup: G,
    /// The moves since then.
    pub(super) played: Vec<(G::Move, G::Undo)>,
    /// What the game's own strategies keep between searches.
    pub(super) memory: G::Memory,
}

impl<G: Notation + Playable + Explain> TypedGame<G> {
    /// A game at its start. `title` is what comes after `newgame` for it.
    pub fn new(title: String, start: G) -> TypedGame<G> {
        TypedGame {
            title,
            notation: MoveNotation::default(),
            game: start.clone(),
            setup: start.clone(),
            start,
            played: Vec::new(),
            memory: G::Memory::default(),
        }
    }

    /// The current position.
    pub fn current(&self) -> &G {
        &self.game
    }

    pub(super) fn legal_moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.game.legal_moves(&mut moves);
        moves
    }

    pub(super) fn parse_move(&self, text: &str) -> Result<G::Move, String> {
        let parsed = match self.game.outcome() {
            Some(outcome) => Err(format!("the game is over ({outcome})")),
            None => self.game.parse_move(text).map_err(|reason| self.with_example(reason)),
        };
        parsed.map_err(|reason| format!("'{}': {reason}", escaped(text)))
    }

    /// A reason why a text is not a move, with an example of one if moves are written in another
    /// notation than the game's own, and without what says no more than how that writes them.
    fn with_example(&self, reason: String) -> String {
        let Some(&mv) = self.legal_moves().first() else {
            return reason;
        };
        let example = self.game.text_of(mv, self.notation);
        if example == self.game.move_text(mv) {
            reason
        } else if self.game.parse_move("").err().as_ref() == Some(&reason) {
            format!("expected a move such as {example}")
        } else {
            format!("{reason} (for example {example})")
        }
    }

    pub(super) fn current_text(&self) -> String {
        match self.notation {
            MoveNotation::Native => self.game.position_text(),
            MoveNotation::Fairy => self.game.fairy_position_text(),
        }
    }

    /// A result with its moves as text.
    pub(super) fn in_words(&self, result: &SearchResult<G::Move>) -> SearchResult<String> {
        result.with_moves(|moves| line_in_words(&self.game, moves, self.notation))
    }
}

impl<G: Notation + Playable + Explain> AnyGame for TypedGame<G> {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn set_notation(&mut self, notation: MoveNotation) {
        self.notation = notation;
    }

    fn set_position(&mut self, setup: &[&str], moves: &[&str]) -> Result<(), String> {
        let game = match setup {
            [] => self.start.clone(),
            ["fen"] => return Err("expected a position after 'fen'".to_owned()),
            ["fen", words @ ..] | words => self.start.parse_position(words)?,
        };
        let setup = game.clone();
        let before = (replace(&mut self.game, game), take(&mut self.played));
        for (index, mv) in moves.iter().enumerate() {
            if let Err(reason) = self.play(mv) {
                (self.game, self.played) = before;
                return Err(format!("move {}, {reason}", index + 1));
            }
        }
        self.setup = setup;
        Ok(())
    }

    fn moves(&self) -> Vec<String> {
        let text = |&mv| self.game.text_of(mv, self.notation);
        self.legal_moves().iter().map(text).collect()
    }

    fn play(&mut self, text: &str) -> Result<(), String> {
        let mv = self.parse_move(text)?;
        let undo = self.game.play(mv);
        self.played.push((mv, undo));
        Ok(())
    }

    fn undo(&mut self) -> Result<(), String> {
        let (mv, undo) = self.played.pop().ok_or("no move to take back")?;
        self.game.undo(mv, undo);
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    fn side_to_move(&self) -> Side {
        self.game.side_to_move()
    }

    fn position_text(&self) -> String {
        self.current_text()
    }

    fn drawing(&self) -> String {
        self.game.drawing()
    }

    fn key(&self) -> u64 {
        self.game.key()
    }

    fn state(&self, settings: &Settings, endgames: &EndgameStore) -> GameState {
        self.describe(settings, endgames)
    }

    fn eval_terms(
        &self,
        name: Option<&str>,
        settings: &Settings,
        endgames: &EndgameStore,
    ) -> Result<Vec<(&'static str, i32)>, String> {
        self.terms(name, settings, endgames)
    }

    fn strategies(&self) -> Vec<&'static str> {
        strategy::names::<G>()
    }

    fn evaluations(&self) -> Vec<&'static str> {
        G::evaluations().iter().map(|evaluation| evaluation.name).collect()
    }

    fn check_solver(&self, hash: usize, endgames: &EndgameStore) -> Result<(), String> {
        let solver = self.game.solver(hash, endgames);
        solver.map(drop).map_err(|reason| format!("no solver for {}: {reason}", self.title))
    }

    fn exact_score(&self, score: ReportedScore) -> Option<ExactScore> {
        let value = match score {
            ReportedScore::Points(_) => return None,
            ReportedScore::Margin(margin) => return Some(ExactScore::Number(margin)),
            ReportedScore::Win(plies) => ExactValue::Win(plies),
            ReportedScore::Loss(plies) => ExactValue::Loss(plies),
            ReportedScore::Draw => ExactValue::Draw,
        };
        self.game.exact_score(value)
    }

    fn tt_share(&self, mebibytes: usize) -> usize {
        self.start.tt_share(mebibytes)
    }

    fn solver_table(&mut self, settings: &Settings) -> Result<Option<&mut dyn SavedTable>, String> {
        self.game.solver_table(settings, &mut self.memory)
    }

    fn clear_memory(&mut self) {
        self.memory = G::Memory::default();
    }

    fn prepare(
        &self,
        go: &Go,
        settings: &Settings,
        endgames: &EndgameStore,
    ) -> Result<SearchControl, String> {
        self.control_for(go, settings, endgames)
    }

    fn search(
        &mut self,
        go: &Go,
        settings: &Settings,
        control: &SearchControl,
        tt: &TranspositionTable,
        endgames: &mut EndgameStore,
        report: &mut dyn FnMut(SearchResult<String>),
    ) -> SearchResult<String> {
        self.search_for(go, settings, control, tt, endgames, report)
    }

    fn explain(&self, go: &Go, found: &SearchResult<String>) -> Vec<Reason> {
        self.reasons(go, found)
    }

    fn refute(&self, go: &Go, found: &SearchResult<String>) -> Option<Refutation> {
        self.refutation(go, found)
    }

    fn expected_turn<'a>(&self, line: &'a [String]) -> &'a [String] {
        state::turn_after_first(&self.game, line).unwrap_or_default()
    }

    fn prepare_tree(&self, request: &TreeRequest) -> Result<SearchControl, String> {
        self.tree_root(&request.moves).map(|_| SearchControl::new(false, false))
    }

    fn tree(
        &self,
        request: &TreeRequest,
        settings: &Settings,
        control: &SearchControl,
    ) -> Result<SearchTree<String>, String> {
        self.search_tree(request, settings, control)
    }

    fn perft(
        &self,
        depth: u32,
        control: &SearchControl,
        count: &mut dyn FnMut(String, u64),
    ) -> Option<u64> {
        self.count_sequences(depth, control, count)
    }
}
