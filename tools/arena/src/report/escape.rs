//! Makes text from a record harmless. Records come from anywhere: names, reasons and details may hold
//! whatever an engine or a stranger wrote there.
//!
//! [`printable`] is applied once to everything a report shows, so that no terminal obeys it; each
//! format then escapes what is special in it alone.

/// Replaces what a terminal or a reader would not see as text (control characters, marks that reorder
/// or hide text) by its escape, and cuts after `max` characters.
pub fn printable(text: &str, max: usize) -> String {
    let mut printed = String::with_capacity(text.len().min(4 * max));
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

/// A cell of a Markdown table.
pub fn markdown(text: &str) -> String {
    text.replace('|', "\\|")
}

/// The value of a PGN tag.
pub fn pgn_tag(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Text in a PGN comment, which a brace would end.
pub fn pgn_comment(text: &str) -> String {
    text.replace('{', "(").replace('}', ")")
}

/// Text in a CSV cell that no spreadsheet takes for a formula.
pub fn csv_text(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@']);
    if is_formula { format!("'{text}") } else { text.to_owned() }
}

/// JSON inside an HTML `script` element, which only a tag could end.
pub fn json_in_html(json: &str) -> String {
    json.replace('<', "\\u003c")
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

    #[test]
    fn each_format_escapes_what_is_special_in_it() {
        assert_eq!(markdown("a|b"), "a\\|b");
        assert_eq!(pgn_tag("a\"b\\c"), "a\\\"b\\\\c");
        assert_eq!(pgn_comment("{a}"), "(a)");
        assert_eq!(csv_text("=1+1"), "'=1+1");
        assert_eq!(csv_text("a=1"), "a=1");
        assert_eq!(json_in_html("\"</script>\""), "\"\\u003c/script>\"");
    }
}
