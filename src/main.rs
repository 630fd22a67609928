//! The `ratlla` program: file handles and logging, nothing else.

use std::io::{stdin, stdout};
use std::process::ExitCode;

use ratlla::session::{self, Ending};

fn main() -> ExitCode {
    env_logger::init();
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let only = match arguments.join(" ") {
        command if command.is_empty() => None,
        command if command == "--help" => Some("help".to_owned()),
        command if command == "--version" => {
            println!("ratlla {}", env!("CARGO_PKG_VERSION"));
            return ExitCode::SUCCESS;
        }
        command => Some(command),
    };
    match session::run(stdin(), stdout(), only) {
        Ok(Ending::Good) => ExitCode::SUCCESS,
        Ok(Ending::Refused) => ExitCode::FAILURE,
        Err(error) => {
            log::error!("{error}");
            ExitCode::FAILURE
        }
    }
}
