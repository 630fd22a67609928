//! The players' colours.

use anstyle::{AnsiColor, Style};

const PLAYERS: [Style; 2] =
    [AnsiColor::BrightRed.on_default().bold(), AnsiColor::BrightYellow.on_default().bold()];

/// A text in a player's colour.
pub fn player(side: usize, text: &str) -> String {
    let style = PLAYERS[side];
    format!("{style}{text}{style:#}")
}
