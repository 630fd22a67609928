//! The `ratlla` program: file handles, logging and arguments, nothing else.

mod diagnostics;

use std::io::{IsTerminal, Write, stderr, stdin, stdout};
use std::process::ExitCode;

use ratlla::batch;
use ratlla::games::REGISTRY;
use ratlla::platform::files;
use ratlla::review;
use ratlla::session::{self, Ending};
use ratlla::subcommand::{print, status};

const VERSION: &str = concat!("ratlla ", env!("CARGO_PKG_VERSION"));

const USAGE: &str = "\
A game engine for Connect Four, Conecta-4 BOOM, Wali and Kalah with a UCI-style protocol.

usage: ratlla                  read commands from stdin until its end or 'quit'
       ratlla COMMAND...       carry out one command, e.g. 'ratlla go depth 12'
       ratlla solve [OPTION]...  find exact scores of positions from stdin
                               ('ratlla solve --help')
       ratlla explain [OPTION]... [MOVE]...  review a game move by move
                               ('ratlla explain --help')
       ratlla --help | --version

Commands to begin with: newgame 6 7, position moves 4 4 3, go movetime 500, go solve, analyze,
explain, d, eval, options, bench. 'ratlla help' lists all of them; protocol.md defines them.
";

/// What somebody who types could try first.
const GREETING: &str = "Connect Four on 6x7, empty. Try: play 4, d, go movetime 1000, explain, \
newgame kalah.\nhelp lists all commands, stop ends a search, quit exits.";

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn"))
        .target(diagnostics::target())
        .init();
    files::survive_size_limit();
    let mut words = std::env::args_os().skip(1).peekable();
    if words.next_if(|word| word == "solve").is_some() {
        return batch::run(words);
    }
    if words.next_if(|word| word == "explain").is_some() {
        return review::run(words);
    }
    let arguments: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    let only = match arguments.join(" ") {
        command if command.is_empty() => None,
        command if command == "--help" || command == "-h" => return status(print(USAGE), report),
        command if command == "--version" || command == "-V" => {
            return status(print(&format!("{VERSION}\n")), report);
        }
        command if command.starts_with('-') => {
            drop(writeln!(
                stderr(),
                "ratlla: unknown option '{}' (try --help)",
                command.escape_debug()
            ));
            return ExitCode::from(2);
        }
        command => Some(command),
    };
    if only.is_none() && stdin().is_terminal() {
        // For people, not programs: on stderr, and only if somebody is typing.
        drop(writeln!(stderr(), "{VERSION}\n{GREETING}"));
    }
    let ending = session::run(REGISTRY, stdin(), stdout(), only);
    status(ending.map(|ending| ExitCode::from(u8::from(ending == Ending::Refused))), report)
}

fn report(error: std::io::Error) {
    log::error!("{error}");
}
