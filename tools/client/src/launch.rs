//! Which program is the engine, and how it is started.

use std::ffi::OsString;
use std::io::{self, stdin, stdout};
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use ratlla::session;

/// A program started with this single argument is the engine and nothing else.
const ENGINE_ARGUMENT: &str = "--serve-as-engine";

/// How to start an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    program: PathBuf,
    arguments: Vec<OsString>,
}

impl Launch {
    /// The engine that is built into this very program: it is started once more, as a process of
    /// its own. Its `main` must begin with [`serve_if_asked`].
    pub fn built_in() -> io::Result<Launch> {
        let program = std::env::current_exe()?;
        Ok(Launch { program, arguments: vec![ENGINE_ARGUMENT.into()] })
    }

    /// The engine that a command line names. Words are split as a shell does it, but nothing
    /// else of a shell happens.
    pub fn from_command_line(text: &str) -> Result<Launch, String> {
        let words = shlex::split(text).ok_or_else(|| format!("'{text}' has an open quote"))?;
        let mut words = words.into_iter();
        let program = words.next().ok_or("an engine needs the name of a program")?;
        Ok(Launch { program: program.into(), arguments: words.map(OsString::from).collect() })
    }

    /// The program and its arguments.
    pub fn words(&self) -> Vec<String> {
        let words =
            [self.program.as_os_str()].into_iter().chain(self.arguments.iter().map(|word| &**word));
        words.map(|word| word.to_string_lossy().into_owned()).collect()
    }

    /// The operating system's command for it.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        command
    }

    /// What people call the program: its name without the directory.
    pub fn name(&self) -> String {
        let name = self.program.file_stem().unwrap_or(self.program.as_os_str());
        name.to_string_lossy().into_owned()
    }
}

/// Is the engine until its input ends, if this program was started as that. Otherwise `None`.
pub fn serve_if_asked() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != ENGINE_ARGUMENT {
        return None;
    }
    Some(match session::run(stdin(), stdout(), None) {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_split_into_words() {
        let launch = Launch::from_command_line("'/a b/engine.py' --level 3 'x y'").unwrap();
        assert_eq!(launch.program, PathBuf::from("/a b/engine.py"));
        assert_eq!(launch.arguments, ["--level", "3", "x y"]);
        assert_eq!(launch.name(), "engine");
        assert!(Launch::from_command_line(" ").unwrap_err().contains("name of a program"));
        assert!(Launch::from_command_line("a 'b").unwrap_err().contains("open quote"));
    }
}
