//! The fuzz targets: one property for each kind of input.

mod arena;
mod command_line;
mod files;
mod game_text;
mod kgp;
mod page;
mod solve_line;

use crate::conversation;

/// A kind of input.
pub struct Target {
    /// The name of its fuzz target and of its folder under `corpus/`.
    pub name: &'static str,
    /// Panics if these bytes reveal a defect.
    pub check: fn(&[u8]),
}

/// All kinds of input.
pub const TARGETS: &[Target] = &[
    Target { name: "command_line", check: command_line::check },
    Target { name: "game_text", check: game_text::check },
    Target { name: "conversation", check: conversation::check },
    Target { name: "book", check: files::check_book },
    Target { name: "wali_table", check: files::check_wali },
    Target { name: "kalah_table", check: files::check_kalah },
    Target { name: "arena_record", check: arena::check_record },
    Target { name: "tune_record", check: arena::check_tune_record },
    Target { name: "arena_config", check: arena::check_config },
    Target { name: "engine_line", check: arena::check_engine_line },
    Target { name: "page_message", check: page::check },
    Target { name: "kgp_line", check: kgp::check },
    Target { name: "solve_line", check: solve_line::check },
];

/// Checks bytes as one kind of input.
///
/// # Panics
///
/// If the bytes reveal a defect, or no target has this name.
pub fn check(name: &str, data: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    (target.unwrap_or_else(|| panic!("unknown target {name}")).check)(data);
}

/// Asserts that an error message can be shown to people: one printable line of reasonable length.
fn assert_message(message: &str) {
    assert!(!message.is_empty() && message.len() < 2000, "{} bytes", message.len());
    assert!(!message.contains(char::is_control), "{message:?}");
}
