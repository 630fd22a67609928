//! The default strategy: search for a good move, solve for the truth.

use super::board::{Board, House};
use super::row::Word;
use super::solver::SolverSession;
use crate::strategy::{Aim, Full, SearchRequest, SearchResult, Settings, Strategy, take_turns};

/// Search and solver in turns. The endgame table in memory grows with the turns.
pub struct HybridStrategy;

impl<W: Word> Strategy<Board<W>> for HybridStrategy {
    fn choose(
        &self,
        request: &SearchRequest<'_, Board<W>>,
        report: &mut dyn FnMut(&SearchResult<House>),
    ) -> SearchResult<House> {
        // A depth limit is for the search, and so is a level below the highest.
        let plain = request.limits.depth.is_some() || request.settings.level < Settings::FULL_LEVEL;
        let session = if plain { None } else { SolverSession::new(request) };
        let Some(mut session) = session else {
            return Full.choose(request, report);
        };
        let aim = Aim::Move(solver_ratio(request.game.rows().in_play()));
        take_turns(request, aim, &mut |nodes, _| session.prove(nodes), report)
    }
}

/// How many nodes the solver gets for each node of the search: most where it will succeed soon,
/// few where success is far away.
fn solver_ratio(seeds: u32) -> f64 {
    match seeds {
        ..=36 => 2.0,
        37..=44 => 0.5,
        _ => 0.125,
    }
}
