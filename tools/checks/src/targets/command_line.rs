//! Command lines of the protocol.

use ratlla::protocol::dialect::Dialect;
use ratlla::protocol::parse::parse_line;

use super::assert_message;

/// Any line is a command or an error message; the amount of whitespace does not matter; and what
/// the native dialect accepts, the others parse alike.
pub fn check(line: &[u8]) {
    let strict = parse_line(line, Dialect::Native);
    for dialect in [Dialect::Native, Dialect::Uci, Dialect::Ugi] {
        let parsed = parse_line(line, dialect);
        if let Err(message) = &parsed {
            assert_message(message);
            continue;
        }
        let text = std::str::from_utf8(line).expect("a command is text");
        let words = text.trim_start_matches('\u{feff}').split_whitespace();
        let spaced: String = words.flat_map(|word| ["\t ", word, " "]).collect();
        assert_eq!(
            parse_line(spaced.as_bytes(), dialect),
            parsed,
            "{text:?} with other whitespace"
        );
        if strict.is_ok() {
            assert_eq!(parsed, strict, "{text:?} as {dialect:?}");
        }
    }
}
