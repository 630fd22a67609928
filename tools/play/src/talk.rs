//! Talking with a person: questions, answers, and asking again.

use std::fmt::Display;
use std::io::{self, BufRead, Write};

/// Why no more is asked.
#[derive(Debug)]
pub enum Ended {
    /// The person has had enough, or the input has ended.
    Quit,
    /// The input or the output is broken.
    Broken(io::ErrorKind),
    /// The engine cannot go on.
    Failed(String),
}

impl From<io::Error> for Ended {
    fn from(error: io::Error) -> Ended {
        Ended::Broken(error.kind())
    }
}

/// The person at the other end.
pub struct Talk<R, W> {
    input: R,
    output: W,
}

impl<R: BufRead, W: Write> Talk<R, W> {
    /// Reads from `input`, writes to `output`.
    pub fn new(input: R, output: W) -> Talk<R, W> {
        Talk { input, output }
    }

    /// Says something, on a line of its own.
    pub fn say(&mut self, text: impl Display) -> Result<(), Ended> {
        writeln!(self.output, "{text}")?;
        Ok(self.output.flush()?)
    }

    /// Asks and returns the answer, without blanks around it. `quit` and the end of the input end
    /// everything.
    pub fn ask(&mut self, question: impl Display) -> Result<String, Ended> {
        write!(self.output, "{question} ")?;
        self.output.flush()?;
        let mut bytes = Vec::new();
        if self.input.read_until(b'\n', &mut bytes)? == 0 {
            // The question should not be the last thing on the line.
            writeln!(self.output)?;
            return Err(Ended::Quit);
        }
        let answer = String::from_utf8_lossy(&bytes).trim().to_owned();
        match answer.to_lowercase().as_str() {
            "quit" | "exit" => Err(Ended::Quit),
            _ => Ok(answer),
        }
    }

    /// Asks until the answer makes sense. `read` returns what it means, or what is wrong with it.
    pub fn ask_until<T>(
        &mut self,
        question: impl Display,
        mut read: impl FnMut(&str) -> Result<T, String>,
    ) -> Result<T, Ended> {
        loop {
            let answer = self.ask(&question)?;
            match read(&answer) {
                Ok(value) => return Ok(value),
                Err(reason) => self.say(reason)?,
            }
        }
    }

    /// Asks for one of several things, by name, by the beginning of its name or by number; an
    /// empty answer is the one with index `usual`. Returns its index.
    pub fn choose(&mut self, what: &str, names: &[&str], usual: usize) -> Result<usize, Ended> {
        let listed = names.iter().enumerate().map(|(index, name)| format!("{} {name}", index + 1));
        let list = listed.collect::<Vec<_>>().join(", ");
        self.ask_until(format!("{what} ({list}) [{}]?", names[usual]), |answer| {
            if answer.is_empty() { Ok(usual) } else { pick(names, answer) }
        })
    }

    /// Asks for a whole number between limits; an empty answer is the usual one.
    pub fn number(&mut self, what: &str, limits: [u64; 2], usual: u64) -> Result<u64, Ended> {
        let [least, most] = limits;
        self.ask_until(format!("{what}, {least} to {most} [{usual}]?"), |answer| {
            if answer.is_empty() {
                return Ok(usual);
            }
            match answer.parse() {
                Ok(number) if (least..=most).contains(&number) => Ok(number),
                _ => Err(format!("'{answer}' is no whole number from {least} to {most}.")),
            }
        })
    }

    /// Asks a question that is answered with yes or no.
    pub fn confirm(&mut self, question: &str, usual: bool) -> Result<bool, Ended> {
        let usual_name = if usual { "yes" } else { "no" };
        self.ask_until(format!("{question} (yes, no) [{usual_name}]?"), |answer| {
            match answer.to_lowercase().as_str() {
                "" => Ok(usual),
                "y" | "yes" => Ok(true),
                "n" | "no" => Ok(false),
                _ => Err(format!("'{answer}' is neither yes nor no.")),
            }
        })
    }
}

/// The index of the name that is meant, or why none is.
fn pick(names: &[&str], answer: &str) -> Result<usize, String> {
    if let Ok(number) = answer.parse::<usize>() {
        return if (1..=names.len()).contains(&number) {
            Ok(number - 1)
        } else {
            Err(format!("There is no {number}: the numbers go from 1 to {}.", names.len()))
        };
    }
    let answer_lower = answer.to_lowercase();
    if let Some(index) = names.iter().position(|name| *name == answer_lower) {
        return Ok(index);
    }
    let fits: Vec<usize> =
        (0..names.len()).filter(|&index| names[index].starts_with(&answer_lower)).collect();
    match fits[..] {
        [index] => Ok(index),
        [] => Err(format!("'{answer}' is none of them: {}.", names.join(", "))),
        _ => Err(format!("'{answer}' may be more than one of them: {}.", names.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NAMES: [&str; 3] = ["smart", "small", "full"];

    #[test]
    fn names_beginnings_and_numbers_are_understood() {
        assert_eq!(pick(&NAMES, "Full"), Ok(2));
        assert_eq!(pick(&NAMES, "smar"), Ok(0));
        assert_eq!(pick(&NAMES, "2"), Ok(1));
        assert!(pick(&NAMES, "sm").unwrap_err().contains("more than one"));
        assert!(pick(&NAMES, "x").unwrap_err().contains("none of them"));
        assert!(pick(&NAMES, "4").unwrap_err().contains("1 to 3"));
    }

    #[test]
    fn wrong_answers_are_explained_and_asked_again() {
        let mut output = Vec::new();
        let mut talk = Talk::new(&b"12\nx\n\n"[..], &mut output);
        assert_eq!(talk.number("rows", [4, 10], 6).unwrap(), 6);
        let text = String::from_utf8(output).unwrap();
        assert_eq!(text.matches("rows, 4 to 10 [6]?").count(), 3);
        assert!(text.contains("'12' is no whole number from 4 to 10."));
    }

    #[test]
    fn quit_and_the_end_of_the_input_end_everything() {
        for input in ["QUIT\n", ""] {
            let mut talk = Talk::new(input.as_bytes(), Vec::new());
            assert!(matches!(talk.confirm("Again", true), Err(Ended::Quit)));
        }
    }

    proptest! {
        #[test]
        fn any_input_leads_to_an_answer_or_an_end(bytes: Vec<u8>) {
            let mut talk = Talk::new(&bytes[..], Vec::new());
            while let Ok(index) = talk.choose("one", &NAMES, 0) {
                prop_assert!(index < NAMES.len());
            }
        }
    }
}
