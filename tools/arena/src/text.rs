//! Makes text from outside harmless. Names, options, reasons and details may hold whatever an engine, a
//! record or a stranger wrote there, and a terminal would obey some of it.
//!
//! Everything that is printed goes through [`printable`] once: reports in `ReportData`, quotations of
//! engine output where they are made ([`quoted`]), and all messages in [`say`].

/// Replaces what a terminal or a reader would not see as text (control characters, marks that reorder
/// or hide text) by its escape, and cuts after `max` characters.
pub fn printable(text: &str, max: usize) -> String {
    let mut printed = String::with_capacity(text.len().min(max.saturating_mul(4)));
    for letter in text.chars().take(max) {
        if letter.is_control() || is_invisible(letter) {
            printed += &format!("\\u{:04x}", u32::from(letter));
        } else {
            printed.push(letter);
        }
    }
    if text.chars().nth(max).is_some() {
        printed.push('…');
    }
    printed
}

/// Whether a character changes how others are shown, or is not shown at all.
fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A line of engine output as a message quotes it.
pub fn quoted(line: &str) -> String {
    const MAX_QUOTED: usize = 120;
    printable(line.trim(), MAX_QUOTED)
}

/// Prints a message of one line on stderr, after the name of the program.
pub fn say(message: &str) {
    eprintln!("ratlla-arena: {}", printable(message, usize::MAX));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_are_sent_no_commands() {
        assert_eq!(printable("a\u{1b}[2Jb\r\n\u{9b}c", 99), "a\\u001b[2Jb\\u000d\\u000a\\u009bc");
        assert_eq!(printable("e\u{202e}xe.\u{200b}", 99), "e\\u202exe.\\u200b");
        assert_eq!(printable("Größe 黒 ½", 99), "Größe 黒 ½");
        assert_eq!(printable("abcdef", 3), "abc…");
    }
}
