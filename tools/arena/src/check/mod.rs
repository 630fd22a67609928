//! A compliance run: step by step, what an engine does right and wrong.
//!
//! Each step begins with an engine that runs and has begun a game, starts it anew if it does not,
//! and is independent of the others, so that one fault does not hide the next.

mod probe;
mod steps;

use std::time::Duration;

use crate::engine::House;
use crate::engine::dialect::Proto;
use crate::settings::EngineSpec;
use probe::Probe;
use steps::STEPS;

/// One thing that engines have to do.
struct Step {
    name: &'static str,
    /// What would be right.
    right: &'static str,
    /// The dialects that have it.
    dialects: &'static [Proto],
    /// Tries it. The error says what is wrong.
    run: fn(&mut Probe<'_>) -> Result<(), String>,
}

/// How a step went.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What was tried.
    pub step: &'static str,
    /// What is wrong, if anything is.
    pub wrong: Option<String>,
    /// What would be right.
    pub right: &'static str,
}

/// Tries everything on an engine that plays the game with this title, and tells of each step as it
/// is done. Whether all went well is the result.
pub fn run(
    spec: &EngineSpec,
    title: &str,
    house: &House,
    margin: Duration,
    tell: &mut dyn FnMut(&Finding),
) -> bool {
    let mut probe = Probe::new(spec, title, house, margin);
    let mut all_right = true;
    for (index, step) in STEPS.iter().enumerate() {
        if !step.dialects.contains(&spec.proto) {
            continue;
        }
        probe.bury_engine();
        let wrong = (step.run)(&mut probe).err();
        let failed = wrong.is_some();
        tell(&Finding { step: step.name, wrong, right: step.right });
        if failed {
            all_right = false;
            probe.give_up_engine();
        }
        // Of an engine that does not even start there is nothing more to tell.
        if failed && index == 0 {
            break;
        }
    }
    all_right
}
