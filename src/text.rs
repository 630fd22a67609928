//! Helpers for parsing words and for one-line messages about them. Knows characters, not games or
//! commands.

use std::str::FromStr;

/// A word quoted from input, fit for a one-line message in single quotes: escaped, and cut if it is
/// long. A double quote needs no escape there, and JSON would escape it again.
pub fn escaped(word: &str) -> String {
    const LONGEST: usize = 40;
    let letter = |letter: char| match letter {
        '"' => "\"".to_owned(),
        _ => letter.escape_debug().to_string(),
    };
    let mut text: String = word.chars().take(LONGEST).map(letter).collect();
    if word.chars().nth(LONGEST).is_some() {
        text.push('…');
    }
    text
}

/// The one of these names that was probably meant by a word that is none of them.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A long word is close to nothing, and slow to compare.
    const LONGEST: usize = 30;
    if word.len() > LONGEST {
        return None;
    }
    let word = word.to_lowercase();
    let distance = |name: &&str| strsim::damerau_levenshtein(&word, &name.to_lowercase());
    let nearest = names.into_iter().min_by_key(distance)?;
    (distance(&nearest) <= nearest.len().min(6) / 3).then_some(nearest)
}

/// `, did you mean '…'?` if one of these names was probably meant.
pub fn did_you_mean<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, names).map_or_else(String::new, |name| format!(", did you mean '{name}'?"))
}

/// The error for input that has `found` where `what` was expected.
pub fn expected(what: &str, found: &str) -> String {
    format!("expected {what}, got '{}'", escaped(found))
}

/// The error for a position whose first word is not one of `keywords`.
pub fn expected_position(word: &str, keywords: &str) -> String {
    expected(&format!("a position ({keywords}) or 'moves'"), word)
}

/// The error for a name that is none of `available`, where a `kind` of thing is named.
pub fn unknown(kind: &str, name: &str, available: &[&str]) -> String {
    let name = escaped(name);
    format!("unknown {kind} '{name}' (available: {})", available.join(", "))
}

/// The error for a word that follows `place`, where the input should end.
pub fn unexpected(word: &str, place: &str) -> String {
    format!("unexpected '{}' after {place}", escaped(word))
}

/// Whether `text` consists of digits alone.
pub fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A number written in digits alone: unlike [`str::parse`], this takes no sign.
pub fn parse_number<T: FromStr>(text: &str) -> Option<T> {
    if is_number(text) { text.parse().ok() } else { None }
}

/// Reads the number, 1 to `count`, of a `kind` of thing (a column, a house) as an index from 0.
pub fn parse_index(text: &str, kind: &str, count: usize) -> Result<usize, String> {
    if !is_number(text) {
        return Err(format!("expected a {kind} (1..{count})"));
    }
    match text.parse() {
        Ok(number) if (1..=count).contains(&number) => Ok(number - 1),
        _ => Err(format!("{kind} {} does not exist ({kind}s are 1..{count})", escaped(text))),
    }
}

/// Makes sure that there are no words.
pub fn expect_no_words(words: &[&str]) -> Result<(), String> {
    match words {
        [] => Ok(()),
        [word, ..] => Err(expected("no parameters", word)),
    }
}

/// The words as whole numbers.
pub fn parse_numbers(words: &[&str]) -> Result<Vec<usize>, String> {
    let number = |word: &&str| match parse_number(word) {
        Some(number) => Ok(number),
        None if is_number(word) => Err(format!("{} is too large", escaped(word))),
        None => Err(expected("a whole number", word)),
    };
    words.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_digits_alone() {
        assert_eq!(parse_number("007"), Some(7u8));
        for text in ["", "+7", "-7", "7 ", "٧", "256"] {
            assert_eq!(parse_number::<u8>(text), None, "{text}");
        }
    }

    #[test]
    fn a_typo_gets_the_nearest_name() {
        let names = ["Hash", "Threads", "MultiPV", "Move Overhead", "Clear Hash", "Preset"];
        for (typo, meant) in [
            ("Hsah", Some("Hash")),
            ("thread", Some("Threads")),
            ("MoveOverhead", Some("Move Overhead")),
            ("multi_pv", Some("MultiPV")),
            ("Contempt", None),
            ("Speed", None),
            ("", None),
        ] {
            assert_eq!(nearest(typo, names), meant, "{typo}");
        }
        assert_eq!(nearest("elo", ["elo0", "elo1"]), Some("elo0"));
        assert_eq!(nearest("x", []), None);
        assert_eq!(nearest(&"Hash".repeat(9), names), None);
    }

    #[test]
    fn an_index_is_a_number_within_its_range() {
        assert_eq!(parse_index("1", "house", 6), Ok(0));
        assert_eq!(parse_index("06", "house", 6), Ok(5));
        for text in ["0", "7", "99999999999999999999"] {
            let message = format!("house {text} does not exist (houses are 1..6)");
            assert_eq!(parse_index(text, "house", 6), Err(message));
        }
        for text in ["", "+1", "a", "1 "] {
            assert_eq!(parse_index(text, "house", 6), Err("expected a house (1..6)".to_owned()));
        }
    }
}
