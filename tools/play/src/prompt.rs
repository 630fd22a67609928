//! Questions to the user, repeated until the answer is valid.

use std::fmt::Display;
use std::io::{self, BufRead, Write};
use std::str::FromStr;

/// Why the program stops.
#[derive(Debug)]
pub enum Stop {
    /// The user quit, or the input ended.
    Quit,
    /// Reading or writing failed.
    Io(io::ErrorKind),
    /// The engine failed.
    Engine(String),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Io(error.kind())
    }
}

/// A dialog with the user.
pub struct Prompt<R, W> {
    input: R,
    output: W,
}

impl<R: BufRead, W: Write> Prompt<R, W> {
    /// Reads from `input`, writes to `output`.
    pub fn new(input: R, output: W) -> Prompt<R, W> {
        Prompt { input, output }
    }

    /// Prints a line.
    pub fn say(&mut self, text: impl Display) -> Result<(), Stop> {
        writeln!(self.output, "{text}")?;
        Ok(self.output.flush()?)
    }

    /// Asks once and returns the trimmed answer. `quit` and the end of the input are
    /// [`Stop::Quit`].
    pub fn ask(&mut self, question: impl Display) -> Result<String, Stop> {
        write!(self.output, "{question} ")?;
        self.output.flush()?;
        let mut bytes = Vec::new();
        if self.input.read_until(b'\n', &mut bytes)? == 0 {
            // Ends the line with the question.
            writeln!(self.output)?;
            return Err(Stop::Quit);
        }
        let answer = String::from_utf8_lossy(&bytes).trim().to_owned();
        match answer.to_lowercase().as_str() {
            "quit" | "exit" => Err(Stop::Quit),
            _ => Ok(answer),
        }
    }

    /// Asks until `parse` accepts the answer. Its error is shown to the user.
    pub fn ask_until<T>(
        &mut self,
        question: impl Display,
        mut parse: impl FnMut(&str) -> Result<T, String>,
    ) -> Result<T, Stop> {
        loop {
            let answer = self.ask(&question)?;
            match parse(&answer) {
                Ok(value) => return Ok(value),
                Err(reason) => self.say(reason)?,
            }
        }
    }

    /// Asks for one of `names`, by name, unique prefix or number, and returns its index. An empty
    /// answer selects `default`.
    pub fn choose(&mut self, what: &str, names: &[&str], default: usize) -> Result<usize, Stop> {
        let listed = names.iter().enumerate().map(|(index, name)| format!("{} {name}", index + 1));
        let list = listed.collect::<Vec<_>>().join(", ");
        self.ask_until(format!("{what} ({list}) [{}]?", names[default]), |answer| {
            if answer.is_empty() { Ok(default) } else { pick(names, answer) }
        })
    }

    /// Asks for a number in a range. An empty answer selects `default`.
    pub fn number<N: FromStr + PartialOrd + Display + Copy>(
        &mut self,
        what: &str,
        [min, max]: [N; 2],
        default: N,
    ) -> Result<N, Stop> {
        self.ask_until(format!("{what}, {min} to {max} [{default}]?"), |answer| {
            if answer.is_empty() {
                return Ok(default);
            }
            match answer.parse() {
                Ok(number) if (min..=max).contains(&number) => Ok(number),
                _ => Err(format!("Expected a number from {min} to {max}, got '{answer}'.")),
            }
        })
    }

    /// Asks a question with the answers yes and no. An empty answer is no.
    pub fn confirm(&mut self, question: &str) -> Result<bool, Stop> {
        self.ask_until(format!("{question} (yes, no) [no]?"), |answer| {
            match answer.to_lowercase().as_str() {
                "y" | "yes" => Ok(true),
                "" | "n" | "no" => Ok(false),
                _ => Err(format!("Expected yes or no, got '{answer}'.")),
            }
        })
    }
}

/// The index of the name that `answer` selects, or a message for the user.
fn pick(names: &[&str], answer: &str) -> Result<usize, String> {
    if let Ok(number) = answer.parse::<usize>() {
        return if (1..=names.len()).contains(&number) {
            Ok(number - 1)
        } else {
            Err(format!("Expected a number from 1 to {}, got {number}.", names.len()))
        };
    }
    let answer_lower = answer.to_lowercase();
    if let Some(index) = names.iter().position(|name| *name == answer_lower) {
        return Ok(index);
    }
    let matches: Vec<usize> =
        (0..names.len()).filter(|&index| names[index].starts_with(&answer_lower)).collect();
    match matches[..] {
        [index] => Ok(index),
        [] => Err(format!("Expected one of {}, got '{answer}'.", names.join(", "))),
        _ => Err(format!("'{answer}' is ambiguous: choose one of {}.", names.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NAMES: [&str; 3] = ["smart", "small", "full"];

    #[test]
    fn names_prefixes_and_numbers_are_understood() {
        assert_eq!(pick(&NAMES, "Full"), Ok(2));
        assert_eq!(pick(&NAMES, "smar"), Ok(0));
        assert_eq!(pick(&NAMES, "2"), Ok(1));
        assert!(pick(&NAMES, "sm").unwrap_err().contains("ambiguous"));
        assert!(pick(&NAMES, "x").unwrap_err().contains("Expected one of"));
        assert!(pick(&NAMES, "4").unwrap_err().contains("1 to 3"));
    }

    #[test]
    fn invalid_answers_are_explained_and_asked_again() {
        let mut output = Vec::new();
        let mut prompt = Prompt::new(&b"12\nx\n\n"[..], &mut output);
        assert_eq!(prompt.number("rows", [4, 10], 6).unwrap(), 6);
        let text = String::from_utf8(output).unwrap();
        assert_eq!(text.matches("rows, 4 to 10 [6]?").count(), 3);
        assert!(text.contains("Expected a number from 4 to 10, got '12'."));
    }

    #[test]
    fn quit_and_the_end_of_the_input_stop_the_program() {
        for input in ["QUIT\n", ""] {
            let mut prompt = Prompt::new(input.as_bytes(), Vec::new());
            assert!(matches!(prompt.confirm("Again"), Err(Stop::Quit)));
        }
    }

    proptest! {
        #[test]
        fn any_input_leads_to_an_answer_or_stops(bytes: Vec<u8>) {
            let mut prompt = Prompt::new(&bytes[..], Vec::new());
            while let Ok(index) = prompt.choose("one", &NAMES, 0) {
                prop_assert!(index < NAMES.len());
            }
        }
    }
}
