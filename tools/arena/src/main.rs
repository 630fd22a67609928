//! `ratlla-arena`: the command line of the arena.

mod arguments;

use std::io::{self, Write as _, stdin, stdout};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context as _;

use arguments::{Action, CheckArguments, MatchArguments, ReportArguments};
use ratlla_arena::cancel::Cancel;
use ratlla_arena::config::MatchConfig;
use ratlla_arena::engine::House;
use ratlla_arena::progress::Progress;
use ratlla_arena::record::{self, Recorder};
use ratlla_arena::runner::Runner;
use ratlla_arena::settings::{Limits, Settings};
use ratlla_arena::{check, pieces, report, umpire};
use ratlla_client::supervisor;

/// The exit status of a match that was interrupted.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    if let Some(status) = supervisor::run_if_asked() {
        return status;
    }
    let result = match arguments::read() {
        Ok(Action::Match(arguments)) => run_match(*arguments),
        Ok(Action::Report(arguments)) => run_report(&arguments),
        Ok(Action::Check(arguments)) => run_check(&arguments),
        Ok(Action::Plan(config)) => run_plan(&config),
        Ok(Action::Play) => run_play(),
        Ok(Action::Follow) => {
            pieces::follow(stdin().lock(), stdout().lock()).map(|()| ExitCode::SUCCESS)
        }
        Err(error) => Err(error),
    };
    result.unwrap_or_else(|error| {
        let cause = error.downcast_ref::<io::Error>().map(io::Error::kind);
        if cause == Some(io::ErrorKind::BrokenPipe) {
            // Nobody reads the results any more.
            return ExitCode::SUCCESS;
        }
        eprintln!("ratlla-arena: {error:#}");
        ExitCode::FAILURE
    })
}

fn run_match(arguments: MatchArguments) -> anyhow::Result<ExitCode> {
    let arena = std::env::current_exe()?;
    let (mut recorder, settings, mut games) = match &arguments.resume {
        Some(path) => {
            let (recorder, settings, games) = Recorder::resume(path)?;
            (Some(recorder), settings, games)
        }
        None => {
            let settings = arguments.config.settings(&arena)?;
            let path = arguments.config.record.as_deref();
            let recorder = path.map(|path| Recorder::create(path, &settings)).transpose()?;
            (recorder, settings, Vec::new())
        }
    };
    let (cancel, interrupted) = stop_on_signals()?;
    let house = House { arena, cancel, patience: settings.patience() };
    let progress = Progress::new(settings.total_games(), games.len() as u64);
    let concurrency = arguments.config.concurrency.unwrap_or(1);
    let result =
        Runner::new(&settings, &house)?.run(&mut games, recorder.as_mut(), concurrency, &progress);
    drop(progress);
    let told = say(&report::tables(&settings, &games));
    result.and(told)?;
    if !interrupted.load(Ordering::Relaxed) {
        return Ok(ExitCode::SUCCESS);
    }
    let file = arguments.resume.or(arguments.config.record);
    let advice = file.map_or_else(String::new, |path| {
        format!("; 'ratlla-arena match --resume {}' goes on", path.display())
    });
    eprintln!("ratlla-arena: interrupted after {} games{advice}", games.len());
    Ok(ExitCode::from(INTERRUPTED))
}

/// A signal that Ctrl-C and its like give, and whether they have.
fn stop_on_signals() -> anyhow::Result<(Cancel, Arc<AtomicBool>)> {
    let (cancel, interrupted) = (Cancel::new(), Arc::new(AtomicBool::new(false)));
    let (to_cancel, to_mark) = (cancel.clone(), Arc::clone(&interrupted));
    ctrlc::set_handler(move || {
        to_mark.store(true, Ordering::Relaxed);
        to_cancel.cancel();
    })
    .context("cannot wait for control")?;
    Ok((cancel, interrupted))
}

/// Writes to stdout.
fn say(text: &str) -> anyhow::Result<()> {
    let mut output = stdout().lock();
    output.write_all(text.as_bytes())?;
    Ok(output.flush()?)
}

fn run_report(arguments: &ReportArguments) -> anyhow::Result<ExitCode> {
    let (settings, games) = record::read(&arguments.record)?;
    say(&report::tables(&settings, &games))?;
    if let Some(path) = &arguments.svg {
        report::plot::draw(path, &settings, &games)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn run_plan(config: &MatchConfig) -> anyhow::Result<ExitCode> {
    pieces::plan(&config.settings(&std::env::current_exe()?)?, stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}

fn run_play() -> anyhow::Result<ExitCode> {
    let arena = std::env::current_exe()?;
    let (cancel, _) = stop_on_signals()?;
    let house = |settings: &Settings| House { arena, cancel, patience: settings.patience() };
    pieces::play(stdin().lock(), stdout().lock(), house)?;
    Ok(ExitCode::SUCCESS)
}

fn run_check(arguments: &CheckArguments) -> anyhow::Result<ExitCode> {
    let arena = std::env::current_exe()?;
    let title = umpire::open(&arguments.game).map_err(anyhow::Error::msg)?.title();
    let usual = Limits { movetime: Some(200), ..Limits::default() };
    let spec = arguments.engine.spec(&title, &usual, &arena).context("--engine")?;
    let (cancel, _) = stop_on_signals()?;
    let house = House { arena, cancel, patience: arguments.patience };
    say(&format!("{} ({}) plays {title}\n", spec.name, spec.proto))?;
    let mut said = Ok(());
    let all_right = check::run(&spec, &title, &house, arguments.margin, &mut |finding| {
        let text = match &finding.wrong {
            None => format!("ok    {}\n", finding.step),
            Some(wrong) => {
                format!("FAIL  {}: {wrong}\n      right: {}\n", finding.step, finding.right)
            }
        };
        if said.is_ok() {
            said = say(&text);
        }
    });
    said?;
    let exact_value = if all_right { "all is well" } else { "something is wrong: see FAIL above" };
    say(&format!("{exact_value}\n"))?;
    Ok(if all_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
