//! The fuzz targets: one property for each kind of input.

mod arena;
mod certificate;
mod command_line;
mod explain;
mod files;
mod game_text;
mod kgp;
mod openings;
mod page;
mod solve_line;
mod state;
mod worker;

use ratlla::any_game::AnyGame;
use ratlla::games::REGISTRY;

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
    Target { name: "state", check: state::check },
    Target { name: "explain", check: explain::check },
    Target { name: "certificate", check: certificate::check },
    Target { name: "openings", check: openings::check },
    Target { name: "worker_lines", check: worker::check },
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

/// Visits the positions in a text: the arguments of `newgame` in the first line, of `position` in the
/// others, of which the first few count.
fn for_each_position(data: &[u8], mut visit: impl FnMut(&mut dyn AnyGame)) {
    const MAX_LINES: usize = 8;
    let text = String::from_utf8_lossy(data);
    let mut lines = text.lines();
    let title: Vec<&str> = lines.next().unwrap_or_default().split_whitespace().collect();
    let Ok(mut game) = REGISTRY.open_from_words(&title) else {
        return;
    };
    for line in lines.take(MAX_LINES) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut parts = words.splitn(2, |&word| word == "moves");
        let mut part = || parts.next().unwrap_or_default();
        if game.set_position(part(), part()).is_ok() {
            visit(&mut *game);
        }
    }
}
