//! Searches: from a `go` in words to the request of a strategy, and back.

use std::mem::take;

use super::{AnyGame, TypedGame};
use crate::endgames::EndgameStore;
use crate::game::explain::Explain;
use crate::game::{Evaluator, Notation};
use crate::limits::SearchControl;
use crate::protocol::command::{Go, Goal};
use crate::search::SearchRequest;
use crate::search::result::{PvLine, ReportedScore, SearchEnd, SearchResult};
use crate::search::transposition_table::TranspositionTable;
use crate::settings::Settings;
use crate::strategy::{self, Playable, Resources, Strategy};

impl<G: Notation + Playable + Explain> TypedGame<G> {
    /// See [`AnyGame::prepare`].
    pub(super) fn control_for(
        &self,
        go: &Go,
        settings: &Settings,
        endgames: &EndgameStore,
    ) -> Result<SearchControl, String> {
        for text in &go.search_moves {
            self.parse_move(text)
                .map_err(|reason| format!("{} searchmoves {reason}", go.goal.command()))?;
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

    /// See [`AnyGame::search`].
    pub(super) fn search_for(
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
        end: SearchEnd::Exact,
    }
}
