//! What the tests on a terminal and in a pipe share.

use std::path::Path;
use std::process::Command;

/// The program in a folder.
pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ratlla-play"));
    command
        .args(arguments)
        .current_dir(folder)
        .env("TERM", "xterm-256color")
        .env_remove("NO_COLOR");
    command
}

/// The output of a terminal with the line ends of a file.
#[allow(dead_code, reason = "each test file uses a part")]
pub fn plain_board(text: &str) -> String {
    text.replace("\r\n", "\n")
}
