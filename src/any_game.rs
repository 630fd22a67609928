//! The seam between games of any kind and everything above them.
//!
//! Above it a game is a `Box<dyn AnyGame>` that takes and gives words and numbers: one virtual call
//! for each command. Below it everything is generic code compiled for one game.

mod eval;
mod explain;
mod perft;
mod state;
mod tree;

use std::mem::{replace, take};

use crate::bound_table::SavedTable;
use crate::endgames::EndgameStore;
use crate::explain::{Reason, Refutation};
use crate::game::explain::Explain;
use crate::game::state::GameState;
use crate::game::{Evaluator, ExactScore, ExactValue, MoveNotation, Notation, Outcome, Side};
use crate::limits::SearchControl;
use crate::protocol::command::{Go, Goal, TreeRequest};
use crate::search::SearchRequest;
use crate::search::result::{PvLine, ReportedScore, SearchResult};
use crate::search::transposition_table::TranspositionTable;
use crate::search::tree::SearchTree;
use crate::settings::Settings;
use crate::strategy::{self, Playable, Resources, Strategy};
use crate::text::escaped;
use tree::line_in_words;

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
    /// search; without a name, of the one that `settings` ask for. Fails if the game is over or has
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

    /// The solver's table of proved bounds, to be saved or loaded: see [`Playable::solver_table`].
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

/// [`AnyGame`] for every type of game.
pub struct TypedGame<G: Playable> {
    title: String,
    notation: MoveNotation,
    start: G,
    game: G,
    /// The position that was set up.
    setup: G,
    /// The moves since then.
    played: Vec<(G::Move, G::Undo)>,
    /// What the game's own strategies keep between searches.
    memory: G::Memory,
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

    fn legal_moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.game.legal_moves(&mut moves);
        moves
    }

    fn parse_move(&self, text: &str) -> Result<G::Move, String> {
        let parsed = match self.game.outcome() {
            Some(outcome) => Err(format!("the game is over ({outcome})")),
            None => self.game.parse_move(text).map_err(|reason| self.with_example(reason)),
        };
        parsed.map_err(|reason| format!("'{}': {reason}", escaped(text)))
    }

    /// A reason why a text is not a move, with an example of one if the reason speaks of another
    /// notation.
    fn with_example(&self, reason: String) -> String {
        match (self.notation, self.legal_moves().first()) {
            (MoveNotation::Fairy, Some(&mv)) => {
                format!("{reason} (for example {})", self.game.text_of(mv, self.notation))
            }
            _ => reason,
        }
    }

    fn current_text(&self) -> String {
        match self.notation {
            MoveNotation::Native => self.game.position_text(),
            MoveNotation::Fairy => self.game.fairy_position_text(),
        }
    }

    /// A result with its moves as text.
    fn in_words(&self, result: &SearchResult<G::Move>) -> SearchResult<String> {
        result.with_moves(|moves| line_in_words(&self.game, moves, self.notation))
    }

    /// Whether only one of these moves is worth searching.
    fn is_forced(&self, moves: &[G::Move], endgames: &EndgameStore) -> bool {
        let mut evaluator = self.game.evaluator(endgames);
        evaluator.reset(&self.game);
        let mut candidates = Vec::new();
        evaluator.candidates(&self.game, &mut candidates);
        moves.len() == 1 || matches!(&candidates[..], [only] if moves.contains(&only.mv))
    }

    /// The strategy that carries out a `go`.
    fn strategy_for(
        &self,
        goal: Goal,
        settings: &Settings,
        endgames: &EndgameStore,
    ) -> Box<dyn Strategy<G>> {
        let solver = || self.game.solver(settings.hash, endgames).ok();
        let solver = if goal == Goal::Move { None } else { solver() };
        solver.unwrap_or_else(|| match goal {
            Goal::Analyze | Goal::Explain | Goal::Refute => G::full(),
            Goal::Move | Goal::Solve => strategy::by_name(settings),
        })
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
        for text in &go.search_moves {
            self.parse_move(text).map_err(|reason| format!("go searchmoves {reason}"))?;
        }
        if let Some(text) = &go.asked {
            self.parse_move(text).map_err(|reason| format!("why not {reason}"))?;
        }
        let over = self.game.outcome().is_some();
        let solver = self.check_solver(settings.hash, endgames);
        if go.goal == Goal::Solve
            && !over
            && let Err(reason) = &solver
        {
            return Err(format!("go solve: {reason}"));
        }
        // Without a limit the playing search goes on for ever; everything else ends by itself.
        let needs_limit = match go.goal {
            Goal::Move => strategy::needs_limit(settings),
            _ => solver.is_err(),
        };
        let limits = go.limits(self.game.side_to_move(), settings.move_overhead);
        let endless = go.infinite || (needs_limit && !over && !limits.is_limited());
        Ok(SearchControl::new(go.ponder, endless))
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
        if let Some(outcome) = self.game.outcome() {
            control.wait_for_release();
            let result = finished(ReportedScore::of_outcome(outcome, self.game.side_to_move()));
            report(result.clone());
            return result;
        }
        let mut moves = self.legal_moves();
        if !go.search_moves.is_empty() {
            let asked: Vec<_> = go.search_moves.iter().map(|mv| self.parse_move(mv)).collect();
            moves.retain(|&mv| asked.contains(&Ok(mv)));
        }
        tt.new_search();
        let settings = &for_goal(settings, go.goal);
        let game = &self.game;
        let mut limits = go.limits(game.side_to_move(), settings.move_overhead);
        if limits.clock.is_some() && !go.infinite && !go.ponder && self.is_forced(&moves, endgames)
        {
            // Searching on would only spend time.
            limits.depth = Some(1);
        }
        let request = SearchRequest { game, moves: &moves, limits: &limits, control, tt, settings };
        let strategy = self.strategy_for(go.goal, settings, endgames);
        let mut memory = take(&mut self.memory);
        let mut resources = Resources { memory: &mut memory, endgames };
        let mut reported = None;
        let last = strategy.choose(&request, &mut resources, &mut |result| {
            report(self.in_words(result));
            reported = Some((result.depth, result.lines.clone()));
        });
        self.memory = memory;
        let result = self.in_words(&last);
        if reported.is_none_or(|reported| reported != (last.depth, last.lines)) {
            report(result.clone());
        }
        control.wait_for_release();
        result
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

/// The settings of a search for `goal`: some goals need the score of every move, and what is told to
/// people is not weakened to a level.
fn for_goal(settings: &Settings, goal: Goal) -> Settings {
    let all_lines = Settings { multi_pv: usize::MAX, ..settings.clone() };
    match goal {
        Goal::Move | Goal::Solve => settings.clone(),
        Goal::Analyze => all_lines,
        Goal::Explain | Goal::Refute => Settings { level: Settings::FULL_LEVEL, ..all_lines },
    }
}

/// The result of a search where there is nothing to search.
fn finished(score: ReportedScore) -> SearchResult<String> {
    SearchResult {
        depth: Some((0, 0)),
        lines: vec![PvLine::new(Some(score), Vec::new())],
        nodes: 0,
        tree: None,
        time: std::time::Duration::ZERO,
        hashfull: None,
    }
}
