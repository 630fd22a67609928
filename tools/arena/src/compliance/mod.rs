//! Tests one engine for protocol compliance. Knows nothing of matches.
//!
//! The checks are independent: each starts with a running engine in a new game, restarted if the
//! previous check failed or ended it.

mod checks;
mod harness;

use std::time::Duration;

use crate::engine::EngineContext;
use crate::engine::dialect::Proto;
use crate::settings::{EngineSpec, SearchLimits};
use checks::CHECKS;
use harness::Harness;

/// The limits of an engine that has none of its own.
pub const DEFAULT_LIMITS: SearchLimits = SearchLimits {
    movetime: Some(200),
    depth: None,
    nodes: None,
    time: None,
    inc: None,
    moves: None,
};

/// One requirement.
struct Check {
    name: &'static str,
    /// The behaviour required.
    expected: &'static str,
    /// The dialects it applies to.
    dialects: &'static [Proto],
    /// Runs the check. The error describes the failure.
    run: fn(&mut Harness<'_>) -> anyhow::Result<()>,
}

/// The result of a check.
#[derive(Clone, Debug)]
pub struct CheckResult {
    /// The name of the check.
    pub name: &'static str,
    /// How it failed, if it did.
    pub failure: Option<String>,
    /// The behaviour required.
    pub expected: &'static str,
}

/// Runs all checks on an engine that plays the game with this title, and passes each result to
/// `report`, whose error ends the run.
pub fn run(
    spec: &EngineSpec,
    title: &str,
    context: &EngineContext,
    margin: Duration,
    report: &mut dyn FnMut(&CheckResult) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut harness = Harness::new(spec, title, context, margin);
    let applicable = CHECKS.iter().filter(|check| check.dialects.contains(&spec.proto));
    for (index, check) in applicable.enumerate() {
        let failure = (check.run)(&mut harness).err().map(|error| format!("{error:#}"));
        let failed = failure.is_some();
        harness.drop_engine_if(failed);
        report(&CheckResult { name: check.name, failure, expected: check.expected })?;
        // The first check is that the engine starts: without that the others are pointless.
        if failed && index == 0 {
            break;
        }
    }
    Ok(())
}
