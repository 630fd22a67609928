//! The real program, and journals for it.

// No test program uses all of it.
#![allow(dead_code)]

use std::path::Path;
use std::process::{Command, Output};

pub const LAB: &str = env!("CARGO_BIN_EXE_ratlla-lab");

/// Scores of one stone in each column, up to mirror images, as lines of a journal.
pub const SCORES: [&str; 4] = ["1 6 2", "1 18 1", "1 54 0", "1 162 -1"];

/// A journal with these entries.
pub fn journal(entries: &[&str]) -> String {
    let checksum = |entry: &str| {
        entry
            .bytes()
            .fold(0x811C_9DC5u32, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    };
    entries.iter().map(|entry| format!("{entry} {:08x}\n", checksum(entry))).collect()
}

/// Runs the program with `arguments` and a file, after a shell has run `limit`.
pub fn lab_after(limit: &str, arguments: &str, file: &Path) -> Output {
    Command::new("sh")
        .args(["-c", &format!("{limit}\nexec \"$0\" {arguments} \"$1\""), LAB])
        .arg(file)
        .output()
        .expect("the program starts")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
