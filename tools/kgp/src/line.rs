//! The grammar of the protocol's lines: `[id][@reference] name arguments`.

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take_while1};
use nom::character::complete::{anychar, char, digit1, space0, space1};
use nom::combinator::{all_consuming, map, map_res, opt};
use nom::multi::{many0, separated_list1};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};

/// A command of either side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Its own number.
    pub id: Option<u64>,
    /// The number of the command that it refers to.
    pub reference: Option<u64>,
    /// Its name.
    pub name: String,
    /// Its arguments.
    pub arguments: Vec<Argument>,
}

/// An argument of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// An integer.
    Number(i64),
    /// Any other word.
    Word(String),
    /// A quoted text, without quotes.
    Text(String),
    /// The numbers of a position.
    Board(Vec<u32>),
}

impl Line {
    /// Parses a line of text.
    pub fn parse(text: &str) -> Result<Line, String> {
        let parsed = all_consuming(delimited(space0, line, space0)).parse(text.trim());
        parsed.map(|(_, line)| line).map_err(|_| format!("expected a command, found {text:?}"))
    }
}

fn line(text: &str) -> IResult<&str, Line> {
    // A name may start with a digit, so a number is an id only if a name follows.
    let number = || map_res(digit1, str::parse::<u64>);
    let numbers = (opt(number()), opt(preceded(char('@'), number())));
    let (rest, numbers) = opt(terminated(numbers, space1)).parse(text)?;
    let (id, reference) = numbers.unwrap_or_default();
    let (rest, name) = take_while1(|letter: char| letter.is_ascii_alphanumeric())(rest)?;
    let (rest, arguments) = many0(preceded(space1, argument)).parse(rest)?;
    Ok((rest, Line { id, reference, name: name.to_owned(), arguments }))
}

fn argument(text: &str) -> IResult<&str, Argument> {
    alt((map(quoted, Argument::Text), map(board, Argument::Board), plain)).parse(text)
}

fn quoted(text: &str) -> IResult<&str, String> {
    let escaped = preceded(char('\\'), anychar);
    let part = alt((map(is_not("\\\""), str::to_owned), map(escaped, String::from)));
    map(delimited(char('"'), many0(part), char('"')), |parts| parts.concat()).parse(text)
}

fn board(text: &str) -> IResult<&str, Vec<u32>> {
    // A number beyond all limits is too large a position, not a line to ignore.
    let number = map(digit1, |digits: &str| digits.parse().unwrap_or(u32::MAX));
    let numbers = separated_list1(tag(","), number);
    delimited(char('<'), numbers, char('>')).parse(text)
}

fn plain(text: &str) -> IResult<&str, Argument> {
    let is_part = |letter: char| !letter.is_whitespace() && !"\"<>".contains(letter);
    let (rest, word) = take_while1(is_part)(text)?;
    let number = word.parse().map(Argument::Number);
    Ok((rest, number.unwrap_or_else(|_| Argument::Word(word.to_owned()))))
}

/// Quotes a text.
pub fn quote(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parsed(text: &str) -> Line {
        Line::parse(text).unwrap()
    }

    fn command(name: &str) -> Line {
        Line { name: name.to_owned(), ..Line::default() }
    }

    #[test]
    fn id_and_reference_are_optional() {
        assert_eq!(parsed("stop"), command("stop"));
        assert_eq!(parsed(" stop \r\n"), command("stop"));
        assert_eq!(parsed("6@4 stop"), Line { id: Some(6), reference: Some(4), ..command("stop") });
        assert_eq!(parsed("@4 stop"), Line { reference: Some(4), ..command("stop") });
        assert_eq!(parsed("4 stop"), Line { id: Some(4), ..command("stop") });
        assert_eq!(parsed("4"), command("4"));
    }

    #[test]
    fn arguments_have_kinds() {
        let version = ["1", "0", "1"].map(|digit| Argument::Number(digit.parse().unwrap()));
        assert_eq!(parsed("kgp 1 0 1").arguments, version);
        let board = Argument::Board(vec![3, 0, 0, 3, 3, 3, 3, 3, 3]);
        assert_eq!(parsed("4 state <3,0,0,3,3,3,3,3,3>").arguments, [board]);
        let huge = Argument::Board(vec![1, 0, 0, u32::MAX, 1]);
        assert_eq!(parsed("4 state <1,0,0,99999999999999999999,1>").arguments, [huge]);
        let set = parsed(r#"set info:comment "a \"b\" \\ <1>" -7 .5"#);
        let expected = [
            Argument::Word("info:comment".into()),
            Argument::Text(r#"a "b" \ <1>"#.into()),
            Argument::Number(-7),
            Argument::Word(".5".into()),
        ];
        assert_eq!(set.arguments, expected);
    }

    #[test]
    fn invalid_lines_are_errors() {
        for text in ["", "<3>", "4 @5 stop", "state <3,>", "set \"open"] {
            assert!(Line::parse(text).unwrap_err().contains("expected a command"), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_command_or_an_error(text in ".{0,60}") {
            let _ = Line::parse(&text);
        }

        #[test]
        fn quoted_texts_read_back(text in "[^\r\n]{0,40}") {
            let line = parsed(&format!("set x {}", quote(&text)));
            prop_assert_eq!(&line.arguments[1], &Argument::Text(text));
        }
    }
}
