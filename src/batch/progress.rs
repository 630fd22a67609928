//! A bar for people who wait: on stderr, and only if the answers go elsewhere.

use std::io::{IsTerminal, stderr, stdout};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// How often a bar is drawn though nothing was answered.
const TICK: Duration = Duration::from_millis(200);

/// How far the work has come.
pub struct Progress {
    bar: ProgressBar,
    /// Lines answered.
    lines: u64,
}

impl Progress {
    /// A bar if stderr is a terminal and stdout is not, and nothing otherwise: answers on the same
    /// terminal are progress enough.
    pub fn of_standard_files() -> Progress {
        let bar = if !stdout().is_terminal() && stderr().is_terminal() {
            visible(length_of_stdin())
        } else {
            ProgressBar::hidden()
        };
        Progress { bar, lines: 0 }
    }

    /// One more line of `bytes` bytes is answered.
    pub fn advance(&mut self, bytes: usize) {
        self.lines += 1;
        if !self.bar.is_hidden() {
            self.bar.inc(bytes as u64);
            self.bar.set_message(self.lines.to_string());
        }
    }

    /// Takes the bar off the terminal while something else is written there.
    pub fn pause(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A bar for so many bytes, or, if nobody knows how many there will be, a count that lives.
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

/// How many bytes stdin holds, if it is a file.
#[cfg(unix)]
fn length_of_stdin() -> Option<u64> {
    use std::os::fd::AsFd;
    let stdin = std::io::stdin().as_fd().try_clone_to_owned().ok()?;
    let metadata = std::fs::File::from(stdin).metadata().ok()?;
    metadata.is_file().then_some(metadata.len())
}

/// How many bytes stdin holds: not known on this system.
#[cfg(not(unix))]
fn length_of_stdin() -> Option<u64> {
    None
}
