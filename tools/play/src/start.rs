//! The one question before the first game.

use ratlla_client::words;

use crate::arguments::GameArguments;
use crate::commands::Command;
use crate::engine::{QueryError, RestartingEngine};
use crate::players::Computer;
use crate::rules::summary;
use crate::setup::{EngineInfo, GameSetup};
use crate::terminal::{Answer, Stop, Terminal};

const HELP: [&str; 7] = [
    "A game may be followed by sizes and options, as on the command line:",
    "  8 9                        Connect Four on 8 rows and 9 columns",
    "  kalah 6 4 --level 3        Kalah with 6 houses and 4 seeds, level 3 of 10",
    "  wali --first computer      the computer moves first",
    "  connect4 --players 2       two people at this keyboard",
    "  game.ratlla                a saved game",
    "'quit' leaves. During the game, 'help' lists the commands.",
];

/// Asks which game to play until the answer is valid.
pub fn ask(
    terminal: &mut Terminal,
    engine: &mut RestartingEngine,
    info: &EngineInfo,
) -> Result<GameSetup, Stop> {
    let width = info.games.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (number, (name, _)) in (1..).zip(&info.games) {
        let about = summary(name).unwrap_or_default();
        terminal.print(format!("  {number} {name:<width$}  {about}").trim_end())?;
    }
    let default = &info.games[0].0;
    let level = match info.default_computer() {
        computer if computer == Computer::default() => String::new(),
        computer => format!(", {computer}"),
    };
    terminal.say(format!("Enter plays {default} against the computer{level}."))?;
    loop {
        let names = info.games.iter().map(|(name, _)| name.clone());
        let lines = names.chain(["help".to_owned(), "quit".to_owned()]).collect();
        let line = match terminal.ask(&format!("Game [{default}]:"), lines)? {
            Answer::Line(line) => line,
            Answer::Interrupted => return Err(Stop::Quit),
        };
        let words = match Command::parse(&line) {
            Command::Quit => return Err(Stop::Quit),
            Command::Help | Command::Rules => {
                show_help(terminal, info)?;
                continue;
            }
            Command::New(words) => words,
            _ => words::split(&line).unwrap_or_else(|| vec![line]),
        };
        let setup = GameArguments::from_words(&words)
            .map_err(QueryError::Rejected)
            .and_then(|arguments| GameSetup::new(&arguments, None, info, engine));
        match setup {
            Ok(setup) => return Ok(setup),
            Err(QueryError::Rejected(reason)) => {
                terminal.refuse(&format!("{reason}; see 'help'"))?
            }
            Err(QueryError::Failed(reason)) => return Err(Stop::Engine(reason)),
        }
    }
}

fn show_help(terminal: &mut Terminal, info: &EngineInfo) -> Result<(), Stop> {
    for (name, parameters) in &info.games {
        let parameters: Vec<String> = parameters.iter().map(|name| format!("[{name}]")).collect();
        terminal.print(format!("  {name} {}", parameters.join(" ")).trim_end())?;
    }
    HELP.iter().try_for_each(|line| terminal.print(line))
}
