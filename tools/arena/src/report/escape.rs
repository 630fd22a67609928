//! What is special in each format of a report. Control characters are gone by then: every text in
//! `ReportData` is printable.

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
    fn each_format_escapes_what_is_special_in_it() {
        assert_eq!(markdown("a|b"), "a\\|b");
        assert_eq!(pgn_tag("a\"b\\c"), "a\\\"b\\\\c");
        assert_eq!(pgn_comment("{a}"), "(a)");
        assert_eq!(csv_text("=1+1"), "'=1+1");
        assert_eq!(csv_text("a=1"), "a=1");
        assert_eq!(json_in_html("\"</script>\""), "\"\\u003c/script>\"");
    }
}
