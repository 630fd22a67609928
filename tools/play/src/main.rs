//! `ratlla-play`: the games in a terminal.

mod arguments;
mod board;
mod commands;
mod engine;
mod execute;
mod explanation;
mod game_loop;
mod game_record;
mod interrupt;
mod players;
mod review;
mod rules;
mod setup;
mod start;
mod state;
mod style;
mod terminal;

use std::io;
use std::process::ExitCode;

use anyhow::{Context as _, Error, Result};
use clap::Parser;
use ratlla_client::{Launch, serve_if_asked};
use ratlla_common::{manual, program};

use arguments::GameArguments;
use engine::{QueryError, RestartingEngine};
use game_loop::GameLoop;
use interrupt::Interrupt;
use setup::{EngineInfo, GameSetup};
use terminal::{Stop, Terminal};

/// Play the games of ratlla in the terminal
///
/// With a game, a saved game or any option, the game begins at once.
#[derive(Parser)]
#[command(version, args_override_self = true)]
struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Use this engine instead of the built-in one
    #[arg(long, value_name = "COMMAND", value_parser = Launch::from_command_line)]
    engine: Option<Launch>,
}

fn main() -> ExitCode {
    serve_if_asked().unwrap_or_else(|| program::run("ratlla-play", run))
}

fn run() -> Result<()> {
    let Arguments { game, engine } = manual::parse();
    let launch = engine.map_or_else(Launch::built_in, Ok)?.supervised()?;
    let terminal = Terminal::standard().context("cannot use the terminal")?;
    // In a pipe nobody waits for an answer to Ctrl-C.
    let interrupt = match terminal.is_interactive() {
        true => Interrupt::watch().context("cannot watch for Ctrl-C")?,
        false => Interrupt::default(),
    };
    let engine = RestartingEngine::new(launch, interrupt);
    match play(terminal, engine, game) {
        Stop::Quit => Ok(()),
        Stop::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Stop::Io(error) => Err(error.into()),
        Stop::Engine(reason) => Err(Error::msg(reason)),
    }
}

/// Plays game after game and returns why it stopped.
fn play(mut terminal: Terminal, mut engine: RestartingEngine, arguments: GameArguments) -> Stop {
    let info = match EngineInfo::query(&mut engine) {
        Ok(info) => info,
        Err(error) => return Stop::Engine(error.into_reason()),
    };
    let setup = match arguments.are_empty() {
        true => start::ask(&mut terminal, &mut engine, &info),
        false => GameSetup::new(&arguments, None, &info, &mut engine)
            .map_err(QueryError::into_reason)
            .map_err(Stop::Engine),
    };
    let stop = match setup {
        Ok(setup) => GameLoop::new(terminal, engine, info, setup).run(),
        Err(stop) => stop,
    };
    if matches!(stop, Stop::Quit) {
        // Nothing depends on it, so a failure to write it is ignored.
        drop(terminal::farewell());
    }
    stop
}
