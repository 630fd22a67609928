//! `ratlla-play`: the games in a terminal.

mod colour;
mod engine;
mod round;
mod setup;
mod table;
mod talk;

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use lexopt::prelude::*;
use ratlla_client::Launch;

use engine::Engine;
use talk::{Ended, Talk};

const USAGE: &str = "\
usage: ratlla-play [--engine COMMAND] [FILE]

Plays the games of ratlla in the terminal: it asks which, who plays, and how strong. With FILE, a
saved game goes on.

  --engine COMMAND   play with this engine instead of the one that is built in
  --help             tell all that
";

fn main() -> ExitCode {
    if let Some(code) = ratlla_client::serve_if_asked() {
        return code;
    }
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ratlla-play: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let Some((launch, file)) = arguments()? else {
        print!("{USAGE}");
        return Ok(());
    };
    let saved = match &file {
        None => None,
        Some(path) => Some(
            std::fs::read_to_string(path)
                .with_context(|| format!("cannot read {}", path.display()))?,
        ),
    };
    // Colours where the terminal has them, plain text elsewhere.
    let talk = Talk::new(io::stdin().lock(), anstream::stdout().lock());
    match play(launch, saved.as_deref(), talk)? {
        // A reader that has gone away does not want to know.
        Ended::Quit | Ended::Broken(io::ErrorKind::BrokenPipe) => Ok(()),
        Ended::Broken(kind) => Err(io::Error::from(kind).into()),
        Ended::Failed(reason) => Err(anyhow::Error::msg(reason)),
    }
}

/// Plays until somebody wants no more, and tells why it ended.
fn play<R: BufRead, W: Write>(
    launch: Launch,
    saved: Option<&str>,
    mut talk: Talk<R, W>,
) -> Result<Ended> {
    let mut engine = Engine::new(launch);
    let mut saved = saved.map(table::parse_saved).transpose().map_err(anyhow::Error::msg)?;
    let ended = loop {
        let next = setup::ask(&mut talk, &mut engine, saved.take())
            .and_then(|setup| round::play(&mut talk, &mut engine, setup));
        if let Err(ended) = next {
            break ended;
        }
    };
    if matches!(ended, Ended::Quit) {
        // The last word: if it cannot be said, nobody misses it.
        drop(talk.say("Goodbye."));
    }
    Ok(ended)
}

fn arguments() -> Result<Option<(Launch, Option<PathBuf>)>> {
    let (mut launch, mut file) = (None, None);
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("engine") => {
                let text = parser.value()?.string()?;
                launch = Some(Launch::from_command_line(&text).map_err(anyhow::Error::msg)?);
            }
            Long("help") | Short('h') => return Ok(None),
            Value(path) if file.is_none() => file = Some(PathBuf::from(path)),
            _ => return Err(argument.unexpected().into()),
        }
    }
    let launch = match launch {
        Some(launch) => launch,
        None => Launch::built_in()?,
    };
    Ok(Some((launch.guarded(), file)))
}
