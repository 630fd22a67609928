//! The engine that the server embeds.

use std::io::Write;
use std::process::{Command, Stdio};

use ratlla_workspace::Watchdog;

/// Its replies to these lines.
pub fn engine(lines: &str) -> Vec<String> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ratlla-gui"))
        .arg("--serve-as-engine")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let _watchdog = Watchdog::of(&child);
    child.stdin.take().expect("its input is piped").write_all(lines.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends").stdout;
    String::from_utf8(output).expect("text").lines().map(str::to_owned).collect()
}
