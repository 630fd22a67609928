//! What must hold for any input whatever: one function for each kind of input.
//!
//! Each takes bytes and panics if they show a defect. The fuzzer in `fuzz/` looks for such bytes,
//! guided by the code that they reach; the tests of this crate try the ones kept under `corpus/`,
//! and variations of them, in every run of the tests. Nothing here touches files.

pub mod conversation;
pub mod model;
pub mod script;

mod arena;
mod command_line;
mod game_text;
mod kgp;
mod page;
mod tables;

/// A kind of input.
pub struct Target {
    /// The name of its fuzz target and of its folder under `corpus/`.
    pub name: &'static str,
    /// Panics if these bytes show a defect.
    pub check: fn(&[u8]),
}

/// All kinds of input.
pub const TARGETS: &[Target] = &[
    Target { name: "command_line", check: command_line::check },
    Target { name: "game_text", check: game_text::check },
    Target { name: "conversation", check: conversation::check },
    Target { name: "book", check: tables::check_book },
    Target { name: "wali_table", check: tables::check_wali },
    Target { name: "kalah_table", check: tables::check_kalah },
    Target { name: "arena_record", check: arena::check_record },
    Target { name: "arena_config", check: arena::check_config },
    Target { name: "engine_line", check: arena::check_engine_line },
    Target { name: "page_message", check: page::check },
    Target { name: "kgp_line", check: kgp::check },
];

/// Checks bytes as one kind of input.
///
/// # Panics
///
/// If the bytes show a defect, or there is no such kind.
pub fn check(name: &str, data: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    (target.unwrap_or_else(|| panic!("no target is called {name}")).check)(data);
}

/// Makes sure that a message can be shown to people: one line, printable, not too long.
fn assert_message(message: &str) {
    assert!(!message.is_empty() && message.len() < 2000, "{} bytes", message.len());
    assert!(!message.contains(char::is_control), "{message:?}");
}

/// 64-bit FNV-1a, the checksum of books, written down once more.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
