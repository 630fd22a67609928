//! The seam between games of any kind and everything above them.
//!
//! Above it a game is a `Box<dyn AnyGame>` that takes and gives words and numbers: one virtual call
//! for each command. Below it everything is generic code compiled for one game.

mod eval;
mod explain;
mod perft;
mod search;
mod state;
mod tree;
mod typed_game;

use crate::bound_table::SavedTable;
use crate::endgames::EndgameStore;
use crate::explain::{Reason, Refutation};
use crate::game::state::GameState;
use crate::game::{ExactScore, MoveNotation, Outcome, Side};
use crate::limits::SearchControl;
use crate::protocol::command::{Go, TreeRequest};
use crate::search::result::{ReportedScore, SearchResult};
use crate::search::transposition_table::TranspositionTable;
use crate::search::tree::SearchTree;
use crate::settings::Settings;
pub use typed_game::TypedGame;

/// A game in progress.
pub trait AnyGame: Send {
    /// The words after `newgame` that make this game.
    fn title(&self) -> String;

    /// From now on moves and positions are written in this notation.
    fn set_notation(&mut self, notation: MoveNotation);

    /// Sets up a position: the start, or one in the game's own words or as a FEN, then moves.
    /// All or nothing.
    fn set_position(&mut self, setup: &[&str], moves: &[&str]) -> Result<(), String>;

    /// The legal moves; none if the game is over.
    fn moves(&self) -> Vec<String>;

    /// Plays a move.
    fn play(&mut self, mv: &str) -> Result<(), String>;

    /// Takes the last move back.
    fn undo(&mut self) -> Result<(), String>;

    /// How the game ended, or `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// The side to move.
    fn side_to_move(&self) -> Side;

    /// The current position in the words of a `position` command.
    fn position_text(&self) -> String;

    /// The board for a person to look at.
    fn drawing(&self) -> String;

    /// The hash key of the position.
    fn key(&self) -> u64;

    /// The position for programs. Solver and book count if these settings and tables allow them.
    fn state(&self, settings: &Settings, endgames: &EndgameStore) -> GameState;

    /// The terms for player 1 of the evaluation with this name, where `full` is that of the playing
    /// search; without a name, of the one that the fixed-depth strategies use. Fails if the game is over or has
    /// no such evaluation.
    fn eval_terms(
        &self,
        name: Option<&str>,
        settings: &Settings,
        endgames: &EndgameStore,
    ) -> Result<Vec<(&'static str, i32)>, String>;

    /// The strategies that play this game, the default one last.
    fn strategies(&self) -> Vec<&'static str>;

    /// The evaluations of its fixed-depth strategies, the default first.
    fn evaluations(&self) -> Vec<&'static str>;

    /// Says why the exact score of this position cannot be found with `hash` MiB and these endgame
    /// tables, however much time there is, if so.
    fn check_solver(&self, hash: usize, endgames: &EndgameStore) -> Result<(), String>;

    /// Whether it can be found.
    fn has_solver(&self, hash: usize, endgames: &EndgameStore) -> bool {
        self.check_solver(hash, endgames).is_ok()
    }

    /// A proved score of this position, with an exact distance, as analysts of the game write it. `None`
    /// if it is not proved or not all that they want to know.
    fn exact_score(&self, score: ReportedScore) -> Option<ExactScore>;

    /// How many of `mebibytes` the transposition table gets.
    fn tt_share(&self, mebibytes: usize) -> usize;

    /// The solver's table of proved bounds, to be saved or loaded: see
    /// [`crate::strategy::Playable::solver_table`].
    fn solver_table(&mut self, settings: &Settings) -> Result<Option<&mut dyn SavedTable>, String>;

    /// Clears what earlier searches learnt, apart from the transposition table.
    fn clear_memory(&mut self);

    /// Checks a `go` against the position and returns the control of its search, or what is
    /// wrong with it.
    fn prepare(
        &self,
        go: &Go,
        settings: &Settings,
        endgames: &EndgameStore,
    ) -> Result<SearchControl, String>;

    /// Carries out a `go` that [`AnyGame::prepare`] has passed. `report` gets every result that
    /// is to be written, the returned one included, which comes when the answer may be given.
    fn search(
        &mut self,
        go: &Go,
        settings: &Settings,
        control: &SearchControl,
        tt: &TranspositionTable,
        endgames: &mut EndgameStore,
        report: &mut dyn FnMut(SearchResult<String>),
    ) -> SearchResult<String>;

    /// Why moves are good or bad, given what a search for `go` has found: of all that it was to
    /// consider, the best first; of none if the game is over.
    fn explain(&self, go: &Go, found: &SearchResult<String>) -> Vec<Reason>;

    /// What is wrong with the move that `go` asks about, given what a search for it has found.
    fn refute(&self, go: &Go, found: &SearchResult<String>) -> Option<Refutation>;

    /// The moves of `line`, a principal variation, that are the opponent's next turn: none if the
    /// side to move moves again, or if the line does not say what leads back to its turn. The
    /// position after them is the one to ponder on.
    fn expected_turn<'a>(&self, line: &'a [String]) -> &'a [String];

    /// Checks a `tree` against the position and returns the control of its search, or what is
    /// wrong with it.
    fn prepare_tree(&self, request: &TreeRequest) -> Result<SearchControl, String>;

    /// The tree of a plain search, or why there is none to show.
    fn tree(
        &self,
        request: &TreeRequest,
        settings: &Settings,
        control: &SearchControl,
    ) -> Result<SearchTree<String>, String>;

    /// Counts the move sequences of exactly `depth` moves that begin with each legal move.
    /// `None` if it was stopped.
    fn perft(
        &self,
        depth: u32,
        control: &SearchControl,
        count: &mut dyn FnMut(String, u64),
    ) -> Option<u64>;
}
