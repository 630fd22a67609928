//! Command lines as words.
//!
//! Quoted as in a shell; on Windows as there: only `"` quotes, and a backslash is a letter like any
//! other, since paths are full of them. Nothing is expanded.

/// The words of a line, or `None` if a quote is not closed.
pub fn split(line: &str) -> Option<Vec<String>> {
    if cfg!(windows) { split_windows(line) } else { shlex::split(line) }
}

/// A word as [`split`] reads it back.
pub fn quote(word: &str) -> String {
    if cfg!(windows) {
        return quote_windows(word);
    }
    // Fails only for a zero byte, which no word can have.
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), |word| word.into_owned())
}

fn split_windows(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut is_quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            _ if letter.is_whitespace() && !is_quoted => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    (!is_quoted).then_some(words)
}

fn quote_windows(word: &str) -> String {
    match word.is_empty() || word.contains(char::is_whitespace) {
        true => format!("\"{word}\""),
        false => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn windows_paths_are_words() {
        let words = |line| split_windows(line).map(|words| words.join("|"));
        let line = r#" C:\engines\ratlla.exe  "C:\a b\it's.exe" --x="1 2" "" "#;
        assert_eq!(words(line).unwrap(), r"C:\engines\ratlla.exe|C:\a b\it's.exe|--x=1 2|");
        assert_eq!(words(r"\\host\folder\"), Some(r"\\host\folder\".to_owned()));
        assert_eq!(words(r#""C:\a b\" x"#), Some(r"C:\a b\|x".to_owned()));
        assert_eq!(words(" "), Some(String::new()));
        assert_eq!(words(r#"a "b"#), None);
    }

    proptest! {
        #[test]
        fn quoted_words_read_back(words in prop::collection::vec("[^\0\"]*", 0..5)) {
            let join = |quote: fn(&str) -> String| {
                words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
            };
            prop_assert_eq!(split_windows(&join(quote_windows)), Some(words.clone()));
            prop_assert_eq!(split(&join(quote)), Some(words.clone()));
        }

        #[test]
        fn any_text_can_be_split(text: String) {
            split(&text);
            split_windows(&text);
        }
    }
}
