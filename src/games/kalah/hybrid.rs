//! The default strategy: search for a good move, solve for the truth.

use super::board::{Board, House};
use super::row::Word;
use super::solver::Study;
use crate::strategy::{Aim, Full, SearchRequest, SearchResult, Settings, Strategy, take_turns};

/// Search and solver in turns. The endgame table in memory grows with the turns.
pub struct HybridStrategy;

impl<W: Word> Strategy<Board<W>> for HybridStrategy {
    fn choose(
        &self,
        request: &SearchRequest<'_, Board<W>>,
        report: &mut dyn FnMut(&SearchResult<House>),
    ) -> SearchResult<House> {
        // A depth is asked of the search, and a level below the highest holds it back.
        let plain = request.limits.depth.is_some() || request.settings.level < Settings::FULL_LEVEL;
        let study = if plain { None } else { Study::new(request) };
        let Some(mut study) = study else {
            return Full.choose(request, report);
        };
        let aim = Aim::Move(solver_ratio(request.game.rows().in_play()));
        take_turns(request, aim, &mut |nodes, _| study.prove(nodes), report)
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
