//! `ratlla-arena tune`: its flags, and a run from the first line of its record to its plot.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, anyhow, ensure};
use clap::Args;
use ratlla::platform::files::read_text_bounded;

use crate::arguments::{ConfigArguments, SETTINGS, usage};
use crate::{
    FORFEITS, INTERRUPTED, cancel_on_signals, is_interrupted, print, schedule, show_commands,
    warn_of_unused_limits,
};
use ratlla_arena::config::{EngineConfig, MatchConfig, from_words};
use ratlla_arena::engine::EngineContext;
use ratlla_arena::engine::dialect::EngineOption;
use ratlla_arena::engine::log::EngineLog;
use ratlla_arena::report;
use ratlla_arena::settings::MatchSettings;
use ratlla_arena::text::{printable, say};
use ratlla_arena::tune::parameter::{Announced, Parameter, ParameterConfig, ParameterKind};
use ratlla_arena::tune::record::{Iteration, TuneRecord, TuneSettings};
use ratlla_arena::tune::runner::TuneRunner;
use ratlla_arena::tune::spsa::Schedule;
use ratlla_arena::{preflight, tune};
use ratlla_common::progress::bar;

/// No file of parameters is longer, in bytes.
const LONGEST_FILE: u64 = 16 << 20;

#[derive(Args)]
pub struct TuneArguments {
    #[command(flatten)]
    config: ConfigArguments,
    /// An option to tune: name=NAME, and where the engine does not announce them or others are
    /// wanted, kind=int|real start=X min=X max=X; c_end=X r_end=X [default: a twentieth of the
    /// range, 0.002]. Repeat it for each option
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    param: Vec<String>,
    /// Read options to tune from a file, one per line: name, int|float, start, min, max, c_end, r_end
    #[arg(long, value_name = "FILE")]
    params: Option<PathBuf>,
    /// Game pairs per iteration [default: 8]
    #[arg(long, value_name = "N")]
    batch: Option<u64>,
    /// Exponent of the gain [default: 0.602]
    #[arg(long, value_name = "X")]
    alpha: Option<f64>,
    /// Exponent of the perturbation [default: 0.101]
    #[arg(long, value_name = "X")]
    gamma: Option<f64>,
    /// Stability constant A, as a share of all game pairs [default: 0.1]
    #[arg(long = "stability", value_name = "X")]
    a: Option<f64>,
    /// Plot the values to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Resume the run in this record, which has all settings; flags say only how it is run
    #[arg(long, value_name = "FILE", conflicts_with_all = SETTINGS, conflicts_with_all = [
        "param", "params", "batch", "alpha", "gamma", "a",
    ])]
    resume: Option<PathBuf>,
}

/// Starts or resumes a run.
pub fn run_tune(arguments: TuneArguments) -> anyhow::Result<ExitCode> {
    let supervisor = std::env::current_exe()?;
    let TuneArguments { config, param, params, batch, alpha, gamma, a, svg, resume } = arguments;
    let config = config.config()?;
    let cancel = cancel_on_signals()?;
    let log = config.log.as_deref().map(EngineLog::open).transpose()?;
    let context = |games: &MatchSettings| EngineContext {
        supervisor: supervisor.clone(),
        cancel,
        patience: games.patience(),
        log,
    };
    let (path, mut record, settings, mut iterations, context) = match resume {
        Some(path) => {
            let (record, settings, iterations) = TuneRecord::resume(&path)?;
            let context = context(&settings.games);
            if played(&iterations) < settings.games.games {
                show_commands(&settings.games);
                preflight::check(&settings.games, &context)?;
            }
            (path, record, settings, iterations, context)
        }
        None => {
            let path = config.record.clone().context("tune needs --record FILE: a run is long");
            let path = usage(path)?;
            let described = usage(described(&param, params.as_deref()))?;
            let mut games = usage(self_play(&config)?.settings(&supervisor))?;
            let context = context(&games);
            let usual = Schedule::default();
            let settings = TuneSettings {
                parameters: parameters(&described, &mut games, &context)?,
                games,
                batch: batch.unwrap_or(8),
                schedule: Schedule {
                    alpha: alpha.unwrap_or(usual.alpha),
                    gamma: gamma.unwrap_or(usual.gamma),
                    a: a.unwrap_or(usual.a),
                },
            };
            usage(settings.check())?;
            preflight::check(&settings.games, &context)?;
            let record = TuneRecord::create(&path, &settings)?;
            (path, record, settings, Vec::new(), context)
        }
    };
    warn_of_unused_limits(&config, &settings.games);
    let processors = schedule(&config, &settings.games)?;
    let runner = TuneRunner::new(&settings, &context, &processors)?;
    let result = play(&runner, &settings, &mut iterations, &mut record);
    let printed = print(&tune::report::text(&settings, &iterations));
    if let Some(svg) = &svg {
        report::write(svg, &path, &tune::report::svg(&settings, &iterations)?)?;
    }
    result.and(printed)?;
    let played = played(&iterations);
    if is_interrupted() && played < settings.games.games {
        say(&format!(
            "interrupted after {played} games; resume with 'ratlla-arena tune --resume {}'",
            path.display()
        ));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let forfeits: u64 = iterations.iter().map(|iteration| iteration.forfeits).sum();
    if forfeits > 0 {
        say(&format!("{forfeits} of {played} games ended by a forfeit"));
        return Ok(ExitCode::from(FORFEITS));
    }
    Ok(ExitCode::SUCCESS)
}

/// The number of games in these iterations.
fn played(iterations: &[Iteration]) -> u64 {
    iterations.iter().map(|iteration| iteration.wdl().games()).sum()
}

/// Plays what is missing, with a progress bar.
fn play(
    runner: &TuneRunner<'_>,
    settings: &TuneSettings,
    iterations: &mut Vec<Iteration>,
    record: &mut TuneRecord,
) -> anyhow::Result<()> {
    let progress = bar("games", settings.games.games as usize).with_position(played(iterations));
    progress.reset_eta();
    progress.tick();
    let result = runner.run(iterations, record, |iteration| {
        progress.set_position(2 * iteration.pairs + iteration.wdl().games());
        let values = settings.parameters.iter().zip(&iteration.values).take(4);
        let value =
            |(one, value): (&Parameter, &f64)| format!("{} {value:.3}", printable(&one.name, 20));
        progress.set_message(values.map(value).collect::<Vec<_>>().join(", "));
    });
    progress.finish_and_clear();
    result
}

/// The one engine of the configuration as two that play each other.
fn self_play(config: &MatchConfig) -> anyhow::Result<MatchConfig> {
    let [engine] = &config.engine[..] else {
        let count = config.engine.len();
        return usage(Err(anyhow!("tune expects one --engine, which plays itself (got {count})")));
    };
    let named = |name: &str| EngineConfig { name: Some(name.to_owned()), ..engine.clone() };
    Ok(MatchConfig { engine: vec![named("plus"), named("minus")], ..config.clone() })
}

/// The parameters as the user describes them, in words and in a file.
fn described(words: &[String], file: Option<&Path>) -> anyhow::Result<Vec<ParameterConfig>> {
    let mut all = Vec::new();
    if let Some(path) = file {
        let text = read_text_bounded(path, LONGEST_FILE)
            .with_context(|| format!("cannot read the parameters {}", path.display()))?;
        all = ParameterConfig::parse_list(&text).with_context(|| path.display().to_string())?;
    }
    // Each `name=` begins another parameter.
    let mut groups: Vec<Vec<String>> = Vec::new();
    for word in words {
        if word.starts_with("name=") || groups.is_empty() {
            groups.push(Vec::new());
        }
        groups.last_mut().into_iter().for_each(|group| group.push(word.clone()));
    }
    for group in groups {
        ensure!(
            group[0].starts_with("name="),
            "--param: expected name=NAME first, got '{}'",
            group[0]
        );
        all.push(from_words(&group).with_context(|| format!("--param {}", group.join(" ")))?);
    }
    ensure!(!all.is_empty(), "nothing to tune: add --param name=OPTION");
    Ok(all)
}

/// The parameters with the ranges that the engine announces. A value that the engine was to be given is
/// where its tuning starts.
fn parameters(
    described: &[ParameterConfig],
    games: &mut MatchSettings,
    context: &EngineContext,
) -> anyhow::Result<Vec<Parameter>> {
    let spec = &games.engines[0];
    let options = preflight::announced(spec, &games.game, context).context("engine")?;
    let given = spec.options.clone();
    let mut parameters = Vec::new();
    for config in described {
        let option = preflight::find_option(&config.name, &options)?;
        let is_number = option.spin().is_some() || option.is_string();
        ensure!(is_number, "parameter {}: the option takes no numbers", config.name);
        let mut announced = announced(option);
        if let Some((_, value)) = given.iter().find(|(name, _)| option.is_named(name)) {
            let start = value.parse().ok();
            announced.start = Some(start.with_context(|| {
                format!("parameter {}: the engine's value '{value}' is not a number", config.name)
            })?);
        }
        let config = ParameterConfig { name: option.name.clone(), ..config.clone() };
        parameters.push(config.resolve(&announced)?);
        for engine in &mut games.engines {
            engine.options.retain(|name, _| !option.is_named(name));
        }
    }
    Ok(parameters)
}

fn announced(option: &EngineOption) -> Announced {
    match option.spin() {
        Some((range, default)) => Announced {
            kind: Some(ParameterKind::Integer),
            start: default.map(|default| default as f64),
            min: Some(*range.start() as f64),
            max: Some(*range.end() as f64),
        },
        None => Announced {
            start: option.default.as_ref().and_then(|text| text.parse().ok()),
            ..Announced::default()
        },
    }
}
