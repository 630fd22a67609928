//! The players' colours.

use anstyle::{AnsiColor, Style};

const PLAYERS: [Style; 2] =
    [AnsiColor::BrightRed.on_default().bold(), AnsiColor::BrightYellow.on_default().bold()];

/// A text in a player's colour; `inverted` makes it stand out.
pub fn player(side: usize, text: &str, inverted: bool) -> String {
    let style = if inverted { PLAYERS[side].invert() } else { PLAYERS[side] };
    format!("{style}{text}{style:#}")
}

/// A heading.
pub fn bold(text: &str) -> String {
    let style = Style::new().bold();
    format!("{style}{text}{style:#}")
}
