//! The `ratlla` program: file handles, logging and arguments, nothing else.

use std::io::{IsTerminal, Write, stderr, stdin, stdout};
use std::process::ExitCode;

use ratlla::batch;
use ratlla::games::REGISTRY;
use ratlla::session::{self, Ending};

fn main() -> ExitCode {
    env_logger::init();
    let mut words = std::env::args_os().skip(1).peekable();
    if words.next_if(|word| word == "solve").is_some() {
        return batch::run(words);
    }
    let arguments: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    let only = match arguments.join(" ") {
        command if command.is_empty() => None,
        command if command == "--help" || command == "-h" => Some("help".to_owned()),
        command if command == "--version" || command == "-V" => {
            // A reader that has gone away does not want to know.
            drop(writeln!(stdout(), "{VERSION}"));
            return ExitCode::SUCCESS;
        }
        command => Some(command),
    };
    if only.is_none() && stdin().is_terminal() {
        // For people, not programs: on stderr, and only if somebody is typing.
        drop(writeln!(stderr(), "{VERSION}: 'help' lists the commands, 'quit' ends"));
    }
    match session::run(REGISTRY, stdin(), stdout(), only) {
        Ok(Ending::Good) => ExitCode::SUCCESS,
        Ok(Ending::Refused) => ExitCode::FAILURE,
        Err(error) => {
            log::error!("{error}");
            ExitCode::FAILURE
        }
    }
}

const VERSION: &str = concat!("ratlla ", env!("CARGO_PKG_VERSION"));
