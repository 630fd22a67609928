//! The options that an engine announces, and which values they accept.

use std::ops::RangeInclusive;

/// An option as an engine announces it: `option name Hash type spin default 64 min 1 max 65536`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOption {
    /// Its name, which may contain blanks. Case does not matter.
    pub name: String,
    /// Its default, if the engine says one.
    pub default: Option<String>,
    kind: Kind,
}

/// What values an option accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Check,
    Spin(RangeInclusive<i64>),
    Combo(Vec<String>),
    Button,
    /// A string, or a kind that is unknown here.
    Any,
}

impl EngineOption {
    /// Parses a line; `None` if it announces no option.
    pub fn parse(line: &str) -> Option<EngineOption> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["option", "name", words @ ..] = &words[..] else { return None };
        // A name may contain any word but `type`.
        let end = words.iter().position(|&word| word == "type").unwrap_or(words.len());
        let (name, rest) = words.split_at(end);
        let after = |key: &str| {
            let at = rest.iter().position(|&word| word == key)?;
            rest.get(at + 1)?.parse::<i64>().ok()
        };
        let kind = match rest.get(1).copied() {
            Some("check") => Kind::Check,
            Some("button") => Kind::Button,
            Some("combo") => {
                let values = rest.split(|&word| word == "var").skip(1);
                Kind::Combo(values.map(|words| words.join(" ")).collect())
            }
            Some("spin") => {
                Kind::Spin(after("min").unwrap_or(i64::MIN)..=after("max").unwrap_or(i64::MAX))
            }
            _ => Kind::Any,
        };
        let default = rest.iter().skip_while(|&&word| word != "default").skip(1);
        let default: Vec<&str> =
            default.copied().take_while(|word| !["min", "max", "var"].contains(word)).collect();
        (!name.is_empty()).then(|| EngineOption {
            name: name.join(" "),
            default: (!default.is_empty()).then(|| default.join(" ")),
            kind,
        })
    }

    /// The range of a number and its default, if it is within that range; `None` for other kinds.
    pub fn spin(&self) -> Option<(RangeInclusive<i64>, Option<i64>)> {
        let Kind::Spin(range) = &self.kind else { return None };
        let default = self.default.as_deref().and_then(|text| text.parse().ok());
        Some((range.clone(), default.filter(|default| range.contains(default))))
    }

    /// Whether it accepts any text.
    pub fn is_string(&self) -> bool {
        self.kind == Kind::Any
    }

    /// Whether this is the option with that name.
    pub fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Checks a value. The error completes a sentence that begins with the name of the option.
    pub fn check(&self, value: &str) -> Result<(), String> {
        let expected = match &self.kind {
            Kind::Check if matches!(value, "true" | "false") => return Ok(()),
            Kind::Check => "must be true or false".to_owned(),
            Kind::Button if value.is_empty() => return Ok(()),
            Kind::Button => "is a button and takes no value".to_owned(),
            Kind::Combo(values) if values.iter().any(|known| known.eq_ignore_ascii_case(value)) => {
                return Ok(());
            }
            Kind::Combo(values) => format!("must be one of: {}", values.join(", ")),
            Kind::Spin(range) if value.parse().is_ok_and(|number| range.contains(&number)) => {
                return Ok(());
            }
            Kind::Spin(range) => format!("must be {}..{}", range.start(), range.end()),
            Kind::Any => return Ok(()),
        };
        Err(format!("{expected} (got '{value}')"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(line: &str) -> EngineOption {
        EngineOption::parse(line).expect("an option")
    }

    #[test]
    fn every_kind_of_option_is_parsed_and_checked() {
        let hash = option("option name Hash type spin default 64 min 1 max 65536");
        assert!(hash.is_named("hash") && !hash.is_named("Has"));
        assert_eq!(hash.spin(), Some((1..=65536, Some(64))));
        assert_eq!(hash.check("16"), Ok(()));
        assert_eq!(hash.check("0"), Err("must be 1..65536 (got '0')".into()));
        assert_eq!(hash.check("much"), Err("must be 1..65536 (got 'much')".into()));
        let book = option("option name Own Book type check default true");
        assert_eq!((book.name.as_str(), book.check("false")), ("Own Book", Ok(())));
        assert_eq!(book.check("yes"), Err("must be true or false (got 'yes')".into()));
        let style = option("option name Style type combo default Solid var Solid var Very Risky");
        assert_eq!((style.check("very risky"), style.check("solid")), (Ok(()), Ok(())));
        let error = style.check("Risky");
        assert_eq!(error, Err("must be one of: Solid, Very Risky (got 'Risky')".into()));
        let clear = option("option name Clear Hash type button");
        assert_eq!(clear.check(""), Ok(()));
        assert!(clear.check("now").is_err());
        let path = option("option name Table type string default <empty>");
        assert_eq!((path.check("any path"), path.is_string(), path.spin()), (Ok(()), true, None));
        let variant = option("option name V type combo default a b var a b var c");
        assert_eq!(variant.default.as_deref(), Some("a b"));
    }

    #[test]
    fn anything_else_is_not_an_option() {
        for line in ["", "option", "option name", "option name type spin", "info option name X"] {
            assert_eq!(EngineOption::parse(line), None, "{line}");
        }
        // A spin without limits accepts every number.
        assert_eq!(option("option name X type spin").check("-5"), Ok(()));
    }
}
