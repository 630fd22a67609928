//! Starts every engine once before the first game, so that a mistake in its description refuses the
//! match instead of losing it.

use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use ratlla_client::words;

use crate::config::{check_dir, find_program};
use crate::engine::dialect::{EngineOption, GoParams, Position};
use crate::engine::forfeit::EngineError;
use crate::engine::{Engine, EngineContext};
use crate::game_loop::play_if_legal;
use crate::nearest::unknown;
use crate::rules::{self, ExactSolver};
use crate::settings::{EngineSpec, MatchSettings};

/// The longest time that an engine is asked to think about its trial move.
const TRIAL_TIME: Duration = Duration::from_millis(20);

/// Checks that every engine exists, starts, announces the options that are to be set, accepts them
/// and answers with a legal move, and that the endgame tables can be read.
pub fn check(settings: &MatchSettings, context: &EngineContext) -> anyhow::Result<()> {
    if let Some(rule) = &settings.adjudication.exact {
        ExactSolver::new(&settings.game, rule).context("exact")?;
    }
    for engine in &settings.engines {
        check_engine(engine, &settings.game, context)
            .with_context(|| format!("engine {}", engine.name))?;
    }
    Ok(())
}

/// The command lines that a match starts, for people.
pub fn commands(settings: &MatchSettings) -> impl Iterator<Item = String> {
    settings.engines.iter().map(|EngineSpec { name, command, dir, .. }| {
        let command = command.iter().map(|word| words::quote(word)).collect::<Vec<_>>().join(" ");
        let dir = dir.as_ref().map_or_else(String::new, |dir| format!(" (in {})", dir.display()));
        format!("engine {name}: {command}{dir}")
    })
}

/// The options that an engine announces for the game with this title; none if its dialect has none.
pub fn announced(
    spec: &EngineSpec,
    title: &str,
    context: &EngineContext,
) -> anyhow::Result<Vec<EngineOption>> {
    Ok(start(spec, context)?.options(title)?.unwrap_or_default())
}

fn start(spec: &EngineSpec, context: &EngineContext) -> anyhow::Result<Engine> {
    find_program(spec.command.first().map_or("", String::as_str))?;
    spec.dir.as_deref().map_or(Ok(()), check_dir)?;
    Ok(Engine::start(spec, context)?)
}

fn check_engine(spec: &EngineSpec, title: &str, context: &EngineContext) -> anyhow::Result<()> {
    let mut engine = start(spec, context)?;
    if let Some(announced) = engine.options(title)? {
        for (name, value) in &spec.options {
            check_option(name, value, &announced)?;
        }
    }
    engine.new_game(title, 1)?;
    try_move(&mut engine, spec, title)
}

/// Asks for a move in the start position. Engines answer `isready` alike in most dialects: that this
/// one is the right one shows only here.
fn try_move(engine: &mut Engine, spec: &EngineSpec, title: &str) -> anyhow::Result<()> {
    let own = spec.limits.go([None; 2]);
    let time = own.movetime.map_or(TRIAL_TIME, |own| own.min(TRIAL_TIME));
    let go = GoParams { movetime: Some(time), ..own };
    let answer = engine.best_move(&Position::default(), &go, Some(time));
    let mut game = rules::open(title)?;
    let tried = answer.and_then(|answer| Ok(play_if_legal(&mut *game, &answer.mv)?));
    match tried {
        Err(EngineError::Forfeit(forfeit)) => bail!(
            "{forfeit} (in answer to a trial 'go'; proto is {}, and 'ratlla-arena check' tests an \
             engine step by step)",
            spec.proto
        ),
        tried => Ok(tried?),
    }
}

/// The option with this name. The error suggests the nearest one.
pub fn find_option<'a>(
    name: &str,
    announced: &'a [EngineOption],
) -> anyhow::Result<&'a EngineOption> {
    if let Some(option) = announced.iter().find(|option| option.is_named(name)) {
        return Ok(option);
    }
    ensure!(!announced.is_empty(), "unknown option '{name}': the engine announces no options");
    let names: Vec<&str> = announced.iter().map(|option| option.name.as_str()).collect();
    bail!(unknown("option", name, &names))
}

fn check_option(name: &str, value: &str, announced: &[EngineOption]) -> anyhow::Result<()> {
    let option = find_option(name, announced)?;
    // The least and the greatest value of `{seed}`.
    for seed in ["1", "2147483647"] {
        let value = value.replace("{seed}", seed);
        option.check(&value).map_err(|reason| anyhow::anyhow!("{} {reason}", option.name))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_must_fit_in_every_round() {
        let announced = |max: u64| {
            vec![
                EngineOption::parse(&format!("option name Seed type spin min 0 max {max}"))
                    .unwrap(),
            ]
        };
        assert!(check_option("seed", "{seed}", &announced(2_147_483_647)).is_ok());
        let error = check_option("Seed", "{seed}", &announced(1000)).unwrap_err().to_string();
        assert_eq!(error, "Seed must be 0..1000 (got '2147483647')");
    }
}
