//! What the modes of the program other than sessions have in common: `ratlla <name> [options]`.
//!
//! Knows command lines, messages and exit statuses; knows nothing of what a mode does.

use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind, Write};
use std::ops::RangeInclusive;
use std::process::ExitCode;

use lexopt::{Parser, ValueExt};

/// The exit status for a bad command line.
const MISUSE: u8 = 2;

/// Nodes that may be asked for.
pub const NODES: RangeInclusive<u64> = 1..=u64::MAX;
/// Threads that may be asked for.
pub const THREADS: RangeInclusive<u64> = 1..=256;
/// MiB of tables that may be asked for.
pub const HASH: RangeInclusive<u64> = 1..=65536;

/// What the arguments of a mode ask for.
#[derive(Debug, PartialEq, Eq)]
pub enum Invocation<T> {
    /// The usage.
    Help,
    /// To do the work with these options.
    Run(T),
}

/// A mode of the program.
pub struct Subcommand {
    /// The word after `ratlla`.
    pub name: &'static str,
    /// How to call it: a synopsis, a blank line and the rest of the help.
    pub usage: &'static str,
}

impl Subcommand {
    /// Does what was asked for, or says what is wrong, on the files of the process. A reader that
    /// has gone away ends the work, which is not an error.
    pub fn run<T>(
        &self,
        asked: Result<Invocation<T>, String>,
        work: impl FnOnce(T) -> io::Result<ExitCode>,
    ) -> ExitCode {
        let result = match asked {
            Ok(Invocation::Run(options)) => work(options),
            Ok(Invocation::Help) => print(self.usage),
            Err(reason) => {
                // The synopsis only: the whole help would push the reason off the screen.
                let synopsis = self.usage.split("\n\n").next().unwrap_or_default();
                let more = format!("For the options, see 'ratlla {} --help'.", self.name);
                self.print_error(&format!("{reason}\n{synopsis}\n{more}"));
                return ExitCode::from(MISUSE);
            }
        };
        status(result, |error| self.print_error(&error.to_string()))
    }

    /// Writes a message to stderr, if it is still there.
    pub fn print_error(&self, text: &str) {
        drop(writeln!(io::stderr(), "ratlla {}: {text}", self.name));
    }
}

/// Prints what was asked for on the command line.
pub fn print(text: &str) -> io::Result<ExitCode> {
    let mut stdout = io::stdout();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The exit status of work whose failures `report` shows. A reader that has gone away is not a failure.
pub fn status(result: io::Result<ExitCode>, report: impl FnOnce(io::Error)) -> ExitCode {
    match result {
        Ok(status) => status,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            report(error);
            ExitCode::FAILURE
        }
    }
}

/// A word of the command line.
pub fn text(word: OsString) -> Result<String, String> {
    word.string().map_err(|error| error.to_string())
}

/// The words of `--game`, up to the next option.
pub fn game_words(parser: &mut Parser) -> Result<Vec<String>, String> {
    let words = parser.values().map_err(|error| error.to_string())?;
    words.map(text).collect()
}

/// The value of an option, a number in `range`.
pub fn number(name: &str, range: RangeInclusive<u64>, parser: &mut Parser) -> Result<u64, String> {
    let limits = format!("{}..{}", range.start(), range.end());
    number_of(name, range, &limits, parser)
}

/// The same, with other words for what is expected.
pub fn number_of(
    name: &str,
    range: RangeInclusive<u64>,
    expected: &str,
    parser: &mut Parser,
) -> Result<u64, String> {
    let value = parser.value().map_err(|error| error.to_string())?;
    let number = value.to_str().and_then(|text| text.parse().ok());
    number
        .filter(|number| range.contains(number))
        .ok_or_else(|| format!("--{name} must be {expected} (got '{}')", OsStr::display(&value)))
}
