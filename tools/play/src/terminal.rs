//! The dialogue with the user: a line editor on a terminal, plain lines in a pipe.

use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal, Read, Write};

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

/// The longest line accepted from the user, in bytes.
const MAX_LINE: u64 = 1 << 16;
/// The width of text where there is no terminal to measure.
const DEFAULT_WIDTH: usize = 80;
/// Longer lines of text are hard to read.
const MAX_TEXT_WIDTH: usize = 100;

/// Why the program stops.
#[derive(Debug)]
pub enum Stop {
    /// The user quit, or the input ended.
    Quit,
    /// Reading or writing failed.
    Io(io::Error),
    /// The engine failed.
    Engine(String),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Io(error)
    }
}

/// What the user typed.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// A line, without white space at its ends.
    Line(String),
    /// Ctrl-C instead of a line.
    Interrupted,
}

/// The user's terminal, or the pipes in its place.
pub struct Terminal {
    input: Input,
}

enum Input {
    Editor(Box<Editor<Completions, MemHistory>>),
    Plain(Box<dyn BufRead>),
}

impl Terminal {
    /// The standard input and output of the process.
    pub fn standard() -> io::Result<Terminal> {
        let input = if io::stdin().is_terminal() && io::stdout().is_terminal() {
            // Without bracketed paste, so that pasted lines are read one by one.
            let config = Config::builder()
                .completion_type(CompletionType::List)
                .bracketed_paste(false)
                .build();
            let editor = Editor::with_history(config, MemHistory::new());
            let mut editor = editor.map_err(io::Error::other)?;
            editor.set_helper(Some(Completions::default()));
            Input::Editor(Box::new(editor))
        } else {
            Input::Plain(Box::new(io::stdin().lock()))
        };
        Ok(Terminal { input })
    }

    /// Whether a person sits at a terminal.
    pub fn is_interactive(&self) -> bool {
        matches!(self.input, Input::Editor(_))
    }

    /// The number of columns for drawings.
    pub fn width(&self) -> usize {
        let size = if self.is_interactive() { terminal_size::terminal_size() } else { None };
        match size {
            Some((terminal_size::Width(columns), _)) if columns > 0 => columns.into(),
            _ => DEFAULT_WIDTH,
        }
    }

    /// Prints a line as it is.
    pub fn print(&mut self, line: impl Display) -> Result<(), Stop> {
        let mut output = anstream::stdout().lock();
        writeln!(output, "{line}")?;
        Ok(output.flush()?)
    }

    /// Prints a text, wrapped at the width of a terminal.
    pub fn say(&mut self, text: impl Display) -> Result<(), Stop> {
        self.say_indented(text, 0)
    }

    /// Says why something is refused.
    pub fn refuse(&mut self, reason: &str) -> Result<(), Stop> {
        self.say(sentence(reason))
    }

    /// The same as [`Terminal::say`], with all lines but the first indented.
    pub fn say_indented(&mut self, text: impl Display, indent: usize) -> Result<(), Stop> {
        let text = text.to_string();
        if !self.is_interactive() {
            return self.print(text);
        }
        let indent = " ".repeat(indent);
        let width = self.width().min(MAX_TEXT_WIDTH);
        let options = textwrap::Options::new(width).subsequent_indent(&indent);
        self.print(textwrap::fill(&text, options))
    }

    /// Shows a text on the current line of a terminal until [`Terminal::erase`]; nothing in a pipe.
    pub fn show(&mut self, text: &str) -> Result<(), Stop> {
        // A text that wraps could not be erased.
        match strip_str(text).to_string().len() < self.width() {
            true => self.overwrite(text),
            false => Ok(()),
        }
    }

    /// Erases what [`Terminal::show`] showed.
    pub fn erase(&mut self) -> Result<(), Stop> {
        let blank = " ".repeat(self.width().saturating_sub(1));
        self.overwrite(&format!("{blank}\r"))
    }

    fn overwrite(&mut self, text: &str) -> Result<(), Stop> {
        if !self.is_interactive() {
            return Ok(());
        }
        let mut output = anstream::stdout().lock();
        write!(output, "\r{text}")?;
        Ok(output.flush()?)
    }

    /// Asks for a line; in a pipe without a prompt, which would be mixed into the output. Tab
    /// completes it to one of `lines`. The end of the input is [`Stop::Quit`].
    pub fn ask(&mut self, question: &str, lines: Vec<String>) -> Result<Answer, Stop> {
        match &mut self.input {
            Input::Editor(editor) => {
                editor.set_helper(Some(Completions { lines }));
                edited_line(editor, &format!("{question} "))
            }
            Input::Plain(input) => plain_line(input),
        }
    }
}

/// A reason as a sentence, without the engine's command, which the user did not type.
fn sentence(reason: &str) -> String {
    let plain =
        ["newgame: ", "setoption: "].iter().find_map(|command| reason.strip_prefix(command));
    let mut letters = plain.unwrap_or(reason).chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}

/// The last line of a program that the user quits.
pub fn farewell() -> io::Result<()> {
    writeln!(anstream::stdout(), "Goodbye.")
}

fn edited_line(
    editor: &mut Editor<Completions, MemHistory>,
    question: &str,
) -> Result<Answer, Stop> {
    let raw = strip_str(question).to_string();
    let styled = match AutoStream::choice(&io::stdout()) {
        ColorChoice::Never => raw.clone(),
        _ => question.to_owned(),
    };
    let prompt = (raw, styled);
    loop {
        match editor.readline(&prompt) {
            Ok(line) => {
                let line = line.trim().to_owned();
                if !line.is_empty() {
                    editor.add_history_entry(&line).map_err(io::Error::other)?;
                }
                return Ok(Answer::Line(line));
            }
            Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => {
                return Ok(Answer::Interrupted);
            }
            Err(ReadlineError::Eof) => return Err(Stop::Quit),
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                writeln!(io::stdout(), "\nThe line is not UTF-8 text and was ignored.")?;
            }
            Err(ReadlineError::Io(error)) => return Err(Stop::Io(error)),
            Err(error) => return Err(Stop::Io(io::Error::other(error))),
        }
    }
}

fn plain_line(mut input: &mut dyn BufRead) -> Result<Answer, Stop> {
    loop {
        let mut bytes = Vec::new();
        let read = (&mut input).take(MAX_LINE).read_until(b'\n', &mut bytes);
        let unreadable = |error| io::Error::other(format!("cannot read the input: {error}"));
        if read.map_err(unreadable)? == 0 {
            return Err(Stop::Quit);
        }
        if bytes.len() as u64 == MAX_LINE && bytes.last() != Some(&b'\n') {
            input.skip_until(b'\n')?;
            let mut output = anstream::stdout().lock();
            writeln!(output, "The line is longer than {MAX_LINE} bytes and was ignored.")?;
            output.flush()?;
            continue;
        }
        return Ok(Answer::Line(String::from_utf8_lossy(&bytes).trim().to_owned()));
    }
}

/// The lines that Tab can complete to, in order.
#[derive(Default)]
struct Completions {
    lines: Vec<String>,
}

impl Completions {
    /// Where the last word of `typed` starts, and what it can become.
    fn words(&self, typed: &str) -> (usize, Vec<String>) {
        let start = typed.rfind(' ').map_or(0, |space| space + 1);
        let mut words: Vec<String> = Vec::new();
        for line in &self.lines {
            let begins = line.get(..typed.len()).is_some_and(|it| it.eq_ignore_ascii_case(typed));
            if !begins {
                continue;
            }
            let word = line[start..].split(' ').next().unwrap_or_default().to_owned();
            if !word.is_empty() && !words.contains(&word) {
                words.push(word);
            }
        }
        (start, words)
    }
}

impl Completer for Completions {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.words(&line[..position]))
    }
}

impl Hinter for Completions {
    type Hint = String;
}

impl Highlighter for Completions {}
impl Validator for Completions {}
impl Helper for Completions {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reasons_become_sentences() {
        assert_eq!(sentence("newgame: unknown game 'go'"), "Unknown game 'go'.");
        assert_eq!(sentence("--level: no computer plays"), "--level: no computer plays.");
        assert_eq!(sentence("setoption: Hash must be 1"), "Hash must be 1.");
    }

    #[test]
    fn tab_completes_word_by_word() {
        let lines = ["4", "why", "why not 4", "why not 5", "Undo"].map(str::to_owned).to_vec();
        let completions = Completions { lines };
        let words = |typed: &str| {
            let (start, words) = completions.words(typed);
            (start, words.join(" "))
        };
        assert_eq!(words(""), (0, "4 why Undo".to_owned()));
        assert_eq!(words("u"), (0, "Undo".to_owned()));
        assert_eq!(words("why "), (4, "not".to_owned()));
        assert_eq!(words("why not "), (8, "4 5".to_owned()));
        assert_eq!(words("x"), (0, String::new()));
    }

    proptest! {
        #[test]
        fn any_bytes_are_lines_or_the_end(bytes: Vec<u8>, typed: String) {
            let mut input = &bytes[..];
            while let Ok(Answer::Line(line)) = plain_line(&mut input) {
                prop_assert_eq!(line.trim(), &line);
            }
            let completions = Completions { lines: vec!["é ü".to_owned(), typed.clone()] };
            let (start, _) = completions.words(&typed);
            prop_assert!(start <= typed.len());
        }
    }

    #[test]
    fn input_that_cannot_be_read_is_an_error() {
        struct Unreadable;
        impl Read for Unreadable {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::IsADirectory.into())
            }
        }
        let stop = plain_line(&mut io::BufReader::new(Unreadable)).unwrap_err();
        let Stop::Io(error) = stop else { panic!("{stop:?}") };
        assert_eq!(error.to_string(), "cannot read the input: is a directory");
    }

    /// The limit counts the end of the line; the lines around one that is too long are all there.
    #[test]
    fn a_line_may_be_as_long_as_the_limit() {
        let most = MAX_LINE as usize;
        for (length, is_read) in [(0, true), (most - 2, true), (most - 1, true), (most, false)] {
            let text = format!("before\n{}\nafter\n", "x".repeat(length));
            let mut input = text.as_bytes();
            let mut lines = Vec::new();
            while let Ok(Answer::Line(line)) = plain_line(&mut input) {
                lines.push(line.len());
            }
            let expected = if is_read { vec![6, length, 5] } else { vec![6, 5] };
            assert_eq!(lines, expected, "{length}");
        }
        // The last line need not end.
        let answer = plain_line(&mut &b"last"[..]).unwrap();
        assert_eq!(answer, Answer::Line("last".to_owned()));
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped() {
        let text = format!("{}\nnext\n", "x".repeat(3 * MAX_LINE as usize));
        let answer = plain_line(&mut text.as_bytes()).unwrap();
        assert_eq!(answer, Answer::Line("next".to_owned()));
    }
}
