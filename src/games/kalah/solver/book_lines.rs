//! The lines of the opening book, continued to the end of the game.

use super::super::board::{Board, House};
use super::super::row::Word;
use super::SolverSession;
use crate::game::Game;
use crate::search::SearchRequest;
use crate::search::result::{PvLine, SearchResult};
use crate::settings::Settings;
use crate::strategy::Resources;

/// The book's result, its lines continued by the solver as far as the limits allow.
pub fn complete<W: Word>(
    found: SearchResult<House>,
    request: &SearchRequest<'_, Board<W>>,
    resources: &mut Resources<'_, Board<W>>,
) -> SearchResult<House> {
    let completed = |line: PvLine<House>| {
        let rest = rest_of(&line, request, resources).unwrap_or_default();
        PvLine { moves: [&line.moves[..], &rest].concat(), ..line }
    };
    let lines = found.lines.into_iter().map(completed).collect();
    let control = request.control;
    SearchResult { lines, nodes: control.nodes(), time: control.elapsed(), ..found }
}

/// Best moves from the end of a line, if it is not the end of the game and can be solved.
fn rest_of<W: Word>(
    line: &PvLine<House>,
    request: &SearchRequest<'_, Board<W>>,
    resources: &mut Resources<'_, Board<W>>,
) -> Option<Vec<House>> {
    let mut end = request.game.clone();
    for &house in &line.moves {
        end.play(house);
    }
    let mut moves = Vec::new();
    end.legal_moves(&mut moves);
    if end.outcome().is_some() {
        return None;
    }
    let settings = Settings { multi_pv: 1, ..request.settings.clone() };
    let request = SearchRequest { game: &end, moves: &moves, settings: &settings, ..*request };
    let SearchRequest { limits, control, .. } = request;
    let nodes = limits.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(control.nodes()));
    let solved = SolverSession::new(&request, resources)?.prove(nodes)?;
    Some(solved.lines.into_iter().next()?.moves)
}
