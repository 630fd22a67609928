//! The default strategy: search for a good move, solve for the truth.

use super::board::{Board, House};
use super::row::Word;
use super::solver::Study;
use crate::strategy::{Aim, Full, Quest, Report, Settings, Strategy, take_turns};

/// Search and solver in turns. The endgame table in memory grows with the turns.
pub struct Expert;

impl<W: Word> Strategy<Board<W>> for Expert {
    fn choose(
        &self,
        quest: &Quest<'_, Board<W>>,
        report: &mut dyn FnMut(&Report<House>),
    ) -> Report<House> {
        // A depth is asked of the search, and a level below the highest holds it back.
        let plain = quest.limits.depth.is_some() || quest.settings.level < Settings::FULL_LEVEL;
        let study = if plain { None } else { Study::new(quest) };
        let Some(mut study) = study else {
            return Full.choose(quest, report);
        };
        let aim = Aim::Move(solver_ratio(quest.game.rows().in_play()));
        take_turns(quest, aim, &mut |nodes, _| study.prove(nodes), report)
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
