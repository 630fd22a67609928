//! Small helpers for text that people read. Knows characters, not games or commands.

/// A word quoted from input, fit for a one-line message: escaped, and cut if it is long.
pub fn escaped(word: &str) -> String {
    const LONGEST: usize = 40;
    let mut text: String = word.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if word.chars().nth(LONGEST).is_some() {
        text.push('…');
    }
    text
}

/// The error for a position whose first word is not one of `beginnings`.
pub fn expected_position(word: &str, beginnings: &str) -> String {
    format!("expected a position ({beginnings}) or 'moves', found '{}'", escaped(word))
}
