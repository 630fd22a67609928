//! From the result of a program's work to its exit status.

use std::io::{ErrorKind, Write, stdout};
use std::panic;
use std::process::{ExitCode, exit};

use anyhow::{Result, anyhow};
use clap::Parser;
use ratlla::platform::files;
use ratlla::platform::threads::spawn_named;

/// The parsed command line, like [`Parser::parse`]. But that succeeds even if the help or the version that was
/// asked for cannot be written.
pub fn parse<A: Parser>() -> A {
    A::try_parse().unwrap_or_else(|answer| match answer.print().and_then(|()| stdout().flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            eprintln!("cannot write to stdout: {error}");
            exit(1)
        }
        _ => exit(answer.exit_code()),
    })
}

/// Runs `work` and returns the exit status of the program; an error goes to stderr as
/// `program: error: cause`. If nobody reads its output any more, the program ends, which is no error.
///
/// The work has a thread of its own, because deep searches need more stack than the main thread has.
pub fn run(program: &str, work: impl FnOnce() -> Result<()> + Send + 'static) -> ExitCode {
    end_without_reader();
    files::survive_size_limit();
    let result = match spawn_named(program, work) {
        Ok(worker) => worker.join().unwrap_or_else(|_| Err(anyhow!("internal error (see above)"))),
        Err(error) => Err(anyhow!(error).context("cannot start a thread")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{program}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Makes a `println!` that no one reads end the program instead of reporting a panic.
fn end_without_reader() {
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        // The only trace of the cause that the standard library leaves.
        let is_unread = |text: &str| {
            text.starts_with("failed printing to stdout: ") && text.contains("Broken pipe")
        };
        if info.payload_as_str().is_some_and(is_unread) {
            exit(0);
        }
        report(info);
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_and_panics_are_failures() {
        let status = |code: ExitCode| format!("{code:?}");
        assert_eq!(status(run("test", || Ok(()))), status(ExitCode::SUCCESS));
        assert_eq!(status(run("test", || Err(anyhow!("broken")))), status(ExitCode::FAILURE));
        assert_eq!(status(run("test", || panic!("on purpose"))), status(ExitCode::FAILURE));
    }
}
