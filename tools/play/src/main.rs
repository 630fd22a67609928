//! `ratlla-play`: the games in a terminal.

mod board;
mod engine;
mod game_loop;
mod game_record;
mod prompt;
mod setup;
mod style;

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use ratlla_client::{Launch, serve_if_asked};
use ratlla_common::program;

use engine::RestartingEngine;
use game_record::GameRecord;
use prompt::{Prompt, Stop};

/// Play the games of ratlla in the terminal
#[derive(Parser)]
#[command(version, args_override_self = true)]
struct Arguments {
    /// Use this engine instead of the built-in one
    #[arg(long, value_name = "COMMAND", value_parser = Launch::from_command_line)]
    engine: Option<Launch>,
    /// Resume a saved game
    file: Option<PathBuf>,
}

fn main() -> ExitCode {
    serve_if_asked().unwrap_or_else(|| program::run("ratlla-play", run))
}

fn run() -> Result<()> {
    let Arguments { engine, file } = Arguments::parse();
    let launch = engine.map_or_else(Launch::built_in, Ok)?.supervised();
    let saved = file.map(|path| {
        let text = std::fs::read_to_string(&path);
        let text = text.with_context(|| format!("cannot read {}", path.display()))?;
        GameRecord::parse(&text).map_err(anyhow::Error::msg)
    });
    // Colours on a terminal that supports them, plain text elsewhere.
    let prompt = Prompt::new(io::stdin().lock(), anstream::stdout().lock());
    match play(RestartingEngine::new(launch), saved.transpose()?, prompt) {
        Stop::Quit | Stop::Io(io::ErrorKind::BrokenPipe) => Ok(()),
        Stop::Io(kind) => Err(io::Error::from(kind).into()),
        Stop::Engine(reason) => Err(anyhow::Error::msg(reason)),
    }
}

/// Plays game after game and returns why it stopped.
fn play<R: BufRead, W: Write>(
    mut engine: RestartingEngine,
    mut saved: Option<GameRecord>,
    mut prompt: Prompt<R, W>,
) -> Stop {
    let stop = loop {
        let next = setup::ask(&mut prompt, &mut engine, saved.take())
            .and_then(|setup| game_loop::play(&mut prompt, &mut engine, setup));
        if let Err(stop) = next {
            break stop;
        }
    };
    if matches!(stop, Stop::Quit) {
        // Nothing depends on it, so a failure to write it is ignored.
        drop(prompt.say("Goodbye."));
    }
    stop
}
