//! `ratlla-arena`: the command-line program.

mod arguments;
mod tune_command;

use std::io::{self, Write as _, stdin, stdout};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use clap::ValueEnum as _;

use arguments::{
    CheckArguments, Command, CommandLine, ConfigArguments, MatchArguments, OpeningsArguments,
    ReportArguments, UsageError, usage,
};
use ratlla_arena::cancel::CancelToken;
use ratlla_arena::config::{EngineConfig, MatchConfig};
use ratlla_arena::engine::EngineContext;
use ratlla_arena::engine::log::EngineLog;
use ratlla_arena::match_runner::MatchRunner;
use ratlla_arena::match_state::MatchState;
use ratlla_arena::openings::RandomOpenings;
use ratlla_arena::processors::Schedule;
use ratlla_arena::progress::Progress;
use ratlla_arena::record::{self, RecordWriter};
use ratlla_arena::report::ReportData;
use ratlla_arena::settings::{EngineSpec, MatchSettings};
use ratlla_arena::text::{printable, say};
use ratlla_arena::{affinity, compliance, preflight, processors, repeats, report, rules, shards};
use ratlla_client::supervisor;
use ratlla_common::manual;

/// The exit status of an interrupted match, as shells report SIGINT.
const INTERRUPTED: u8 = 130;
/// The exit status of invalid flags, as clap has it.
const INVALID_FLAGS: u8 = 2;
/// Longer descriptions of a failed check are cut.
const MAX_FAILURE: usize = 1000;
/// The exit status of a match in which an engine forfeited a game.
const FORFEITS: u8 = 3;

fn main() -> ExitCode {
    if let Some(status) = supervisor::run_if_asked() {
        return status;
    }
    let result = match manual::parse::<CommandLine>().command {
        Command::Match(arguments) => run_match(*arguments),
        Command::Report(arguments) => run_report(&arguments),
        Command::Check(arguments) => run_check(&arguments),
        Command::Openings(arguments) => run_openings(&arguments),
        Command::Tune(arguments) => tune_command::run_tune(*arguments),
        Command::Plan(arguments) => run_plan(*arguments),
        Command::Play => run_play(),
        Command::Follow => {
            shards::follow(stdin().lock(), stdout().lock()).map(|()| ExitCode::SUCCESS)
        }
    };
    result.unwrap_or_else(|error| {
        let cause = error.downcast_ref::<io::Error>().map(io::Error::kind);
        if cause == Some(io::ErrorKind::BrokenPipe) {
            // The reader has seen enough.
            return ExitCode::SUCCESS;
        }
        say(&format!("{error:#}"));
        if is_interrupted() {
            ExitCode::from(INTERRUPTED)
        } else if error.is::<UsageError>() {
            ExitCode::from(INVALID_FLAGS)
        } else {
            ExitCode::FAILURE
        }
    })
}

fn run_match(arguments: MatchArguments) -> anyhow::Result<ExitCode> {
    let arena = std::env::current_exe()?;
    let MatchArguments { config, resume } = arguments;
    let config = config.config()?;
    let (mut record, settings, mut games) = match &resume {
        Some(path) => {
            let (record, mut settings, games) = RecordWriter::resume(path)?;
            settings.recover |= config.recover;
            (Some(record), settings, games)
        }
        None => (None, usage(config.settings(&arena))?, Vec::new()),
    };
    warn_of_unused_limits(&config, &settings);
    let schedule = schedule(&config, &settings)?;
    let cancel = cancel_on_signals()?;
    let log = config.log.as_deref().map(EngineLog::open).transpose()?;
    let context = EngineContext { supervisor: arena, cancel, patience: settings.patience(), log };
    let runner = MatchRunner::new(&settings, &context, &games)?;
    if !MatchState::new(&settings, games.clone(), None).is_complete() {
        if resume.is_some() {
            show_commands(&settings);
        }
        if let Some(shortage) = repeats::opening_shortage(&settings) {
            say(&format!("warning: {shortage}"));
        }
        preflight::check(&settings, &context)?;
    }
    // Not before the engines have passed: a match that is refused leaves no record.
    if let Some(path) = &config.record {
        record = Some(RecordWriter::create(path, &settings)?);
    }
    let done = games.len() as u64;
    let progress = Progress::new(settings.total_games(), done, config.report_every);
    let result = runner.run(&mut games, record.as_mut(), &schedule, &progress);
    drop(progress);
    let printed = print(&report::tables(&settings, &games));
    result.and(printed)?;
    if is_interrupted() {
        let hint = resume.or(config.record).map_or_else(String::new, |path| {
            format!("; resume with 'ratlla-arena match --resume {}'", path.display())
        });
        say(&format!("interrupted after {} games{hint}", games.len()));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let forfeits = games.iter().filter(|game| game.forfeit.is_some()).count();
    if forfeits > 0 {
        say(&format!("{forfeits} of {} games ended by a forfeit", games.len()));
        return Ok(ExitCode::from(FORFEITS));
    }
    Ok(ExitCode::SUCCESS)
}

/// How the games share the processors; warns if not all wishes can be met.
fn schedule(config: &MatchConfig, settings: &MatchSettings) -> anyhow::Result<Schedule> {
    let schedule = usage(Schedule::new(
        config.concurrency.unwrap_or(NonZeroUsize::MIN),
        processors::per_game(settings),
        &affinity::available()?,
        config.force_concurrency,
        config.affinity.as_ref(),
    ))?;
    if let Some(warning) = &schedule.warning {
        say(&format!("warning: {warning}"));
    }
    Ok(schedule)
}

fn warn_of_unused_limits(config: &MatchConfig, settings: &MatchSettings) {
    if let Some(warning) = config.unused_limits(settings) {
        say(&format!("warning: {warning}"));
    }
}

/// Says which programs the settings start: they may come from elsewhere.
fn show_commands(settings: &MatchSettings) {
    for command in preflight::commands(settings) {
        say(&command);
    }
}

/// Whether a signal has asked the program to end.
static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

fn is_interrupted() -> bool {
    IS_INTERRUPTED.load(Ordering::Relaxed)
}

/// A token that is cancelled on Ctrl-C, and on Unix on SIGTERM and SIGHUP too.
fn cancel_on_signals() -> anyhow::Result<CancelToken> {
    let cancel = CancelToken::new()?;
    let token = cancel.clone();
    ctrlc::set_handler(move || {
        IS_INTERRUPTED.store(true, Ordering::Relaxed);
        token.cancel();
    })
    .context("cannot install the signal handler")?;
    Ok(cancel)
}

fn print(text: &str) -> anyhow::Result<()> {
    let mut output = stdout().lock();
    output.write_all(text.as_bytes())?;
    Ok(output.flush()?)
}

fn run_report(arguments: &ReportArguments) -> anyhow::Result<ExitCode> {
    let ReportArguments { record, svg, pgn, csv, html } = arguments;
    let (settings, games) = record::read(record)?;
    let data = ReportData::new(&settings, &games);
    print(&data.tables())?;
    let write = |path: &Option<PathBuf>, text: fn(&ReportData) -> anyhow::Result<String>| {
        path.as_ref().map_or(Ok(()), |path| report::write(path, record, &text(&data)?))
    };
    write(svg, report::plot::svg)?;
    write(pgn, report::pgn)?;
    write(csv, report::csv)?;
    write(html, report::html)?;
    Ok(ExitCode::SUCCESS)
}

fn run_openings(arguments: &OpeningsArguments) -> anyhow::Result<ExitCode> {
    let OpeningsArguments { ref game, count, plies, balance, seed } = *arguments;
    let title = usage(rules::open(game).context("--game"))?.title();
    let mut openings = RandomOpenings::new(&title, plies, balance, seed)?;
    let name = balance.to_possible_value().map_or_else(String::new, |it| it.get_name().to_owned());
    print(&format!("# {title}, {plies} plies, balance {name}, seed {seed}\n"))?;
    for found in 0..count {
        let Some(moves) = openings.next_distinct() else {
            bail!("found only {found} different balanced openings of {plies} plies");
        };
        let words = if moves.is_empty() { vec!["startpos".to_owned()] } else { moves };
        let prefix = if plies == 0 { "" } else { "moves " };
        print(&format!("{prefix}{}\n", words.join(" ")))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn run_plan(arguments: ConfigArguments) -> anyhow::Result<ExitCode> {
    let settings = usage(arguments.config()?.settings(&std::env::current_exe()?))?;
    shards::plan(&settings, stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}

fn run_play() -> anyhow::Result<ExitCode> {
    let supervisor = std::env::current_exe()?;
    let cancel = cancel_on_signals()?;
    shards::play(stdin().lock(), stdout().lock(), |settings: &MatchSettings| EngineContext {
        supervisor,
        cancel,
        patience: settings.patience(),
        log: None,
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The engine that is checked, and the title of the game it plays.
fn checked_engine(
    arguments: &CheckArguments,
    arena: &Path,
) -> anyhow::Result<(EngineSpec, String)> {
    let [engine] = &arguments.engines.0[..] else {
        bail!("check expects one --engine (got {})", arguments.engines.0.len());
    };
    let title = rules::open(&arguments.game).context("--game")?.title();
    let engine = engine.with_defaults(&EngineConfig::default()).context("--engine")?;
    let spec = engine.spec(&title, &compliance::DEFAULT_LIMITS, arena).context("--engine")?;
    Ok((spec, title))
}

fn run_check(arguments: &CheckArguments) -> anyhow::Result<ExitCode> {
    let supervisor = std::env::current_exe()?;
    let (spec, title) = usage(checked_engine(arguments, &supervisor))?;
    let cancel = cancel_on_signals()?;
    let patience = Duration::from_millis(arguments.patience);
    let context = EngineContext { supervisor, cancel, patience, log: None };
    let margin = Duration::from_millis(arguments.margin);
    let name = printable(&spec.name, MAX_FAILURE);
    print(&format!("{name} (proto={}), {title}\n", spec.proto))?;
    let (mut total, mut failed) = (0, 0);
    compliance::run(&spec, &title, &context, margin, &mut |result| {
        ensure!(!is_interrupted(), "interrupted during the check '{}'", result.name);
        total += 1;
        let name = result.name;
        print(&match &result.failure {
            None => format!("ok    {name}\n"),
            Some(failure) => {
                failed += 1;
                let failure = printable(failure, MAX_FAILURE);
                format!("FAIL  {name}: {failure}\n      expected: {}\n", result.expected)
            }
        })
    })?;
    if failed == 0 {
        print("all checks passed\n")?;
        return Ok(ExitCode::SUCCESS);
    }
    print(&format!("{failed} of {total} checks failed\n"))?;
    Ok(ExitCode::FAILURE)
}
