//! A progress bar on stderr, unless answers go to the same terminal.

use std::io::{IsTerminal, stderr, stdout};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// How often the bar is redrawn.
const TICK: Duration = Duration::from_millis(200);

/// Progress through the input.
pub struct BatchProgress {
    bar: ProgressBar,
    /// Lines answered.
    lines: u64,
}

impl BatchProgress {
    /// A bar if stderr is a terminal and stdout is not: answers on the same terminal are progress
    /// enough.
    pub fn of_standard_files() -> BatchProgress {
        let bar = if !stdout().is_terminal() && stderr().is_terminal() {
            visible(length_of_stdin())
        } else {
            ProgressBar::hidden()
        };
        BatchProgress { bar, lines: 0 }
    }

    /// One more line of `bytes` bytes is answered.
    pub fn advance(&mut self, bytes: usize) {
        self.lines += 1;
        if !self.bar.is_hidden() {
            self.bar.inc(bytes as u64);
            self.bar.set_message(self.lines.to_string());
        }
    }

    /// Hides the bar while something else is written to the terminal.
    pub fn pause(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }
}

impl Drop for BatchProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A bar for a known number of bytes, otherwise a spinner.
fn visible(length: Option<u64>) -> ProgressBar {
    let (bar, template) = match length {
        Some(bytes) => {
            (ProgressBar::new(bytes), "{wide_bar} {msg} positions, {percent} %, {eta} left")
        }
        None => (ProgressBar::new_spinner(), "{spinner} {msg} positions in {elapsed}"),
    };
    let style = ProgressStyle::with_template(template);
    let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message("0");
    bar.enable_steady_tick(TICK);
    bar
}

/// The size of stdin, if it is a file.
#[cfg(unix)]
fn length_of_stdin() -> Option<u64> {
    use std::os::fd::AsFd;
    let stdin = std::io::stdin().as_fd().try_clone_to_owned().ok()?;
    let metadata = std::fs::File::from(stdin).metadata().ok()?;
    metadata.is_file().then_some(metadata.len())
}

/// The size of stdin: unknown on this system.
#[cfg(not(unix))]
fn length_of_stdin() -> Option<u64> {
    None
}
