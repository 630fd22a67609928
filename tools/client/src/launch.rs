//! Which program is the engine, and how it is started.

use std::ffi::{OsStr, OsString};
use std::io::{self, stdin, stdout};
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use ratlla::games::REGISTRY;
use ratlla::session;

/// A program started with this single argument is the engine and nothing else.
const ENGINE_ARGUMENT: &str = "--serve-as-engine";

/// How to start an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    program: PathBuf,
    arguments: Vec<OsString>,
    guarded: bool,
}

impl Launch {
    /// The engine that is built into this very program: it is started once more, as a process of
    /// its own. Its `main` must begin with [`serve_if_asked`].
    pub fn built_in() -> io::Result<Launch> {
        let program = std::env::current_exe()?;
        Ok(Launch { program, arguments: vec![ENGINE_ARGUMENT.into()], guarded: false })
    }

    /// The engine that a command line names. Words are split as a shell does it, but nothing
    /// else of a shell happens.
    pub fn from_command_line(text: &str) -> Result<Launch, String> {
        let words = shlex::split(text).ok_or_else(|| format!("'{text}' has an open quote"))?;
        let mut words = words.into_iter();
        let program = words.next().ok_or("an engine needs the name of a program")?.into();
        let arguments = words.map(OsString::from).collect();
        Ok(Launch { program, arguments, guarded: false })
    }

    /// The same, but the engine and all that it starts end with this program, however that ends, and
    /// with the thread that starts it. On Linux alone; elsewhere it makes no difference. The `main`
    /// of this program must begin with [`serve_if_asked`].
    #[must_use]
    pub fn guarded(self) -> Launch {
        Launch { guarded: cfg!(target_os = "linux"), ..self }
    }

    /// Whether it is.
    pub(crate) fn is_guarded(&self) -> bool {
        self.guarded
    }

    /// The program and its arguments.
    pub fn words(&self) -> Vec<String> {
        self.os_words().map(|word| word.to_string_lossy().into_owned()).collect()
    }

    fn os_words(&self) -> impl Iterator<Item = &OsStr> {
        std::iter::once(self.program.as_os_str()).chain(self.arguments.iter().map(|word| &**word))
    }

    /// Whether there is such a program that may be run. The error shows it as it was given: its
    /// name alone would not tell where it was looked for.
    pub fn check(&self) -> io::Result<()> {
        let refused = |_| {
            let reason = format!("'{}' is no program that can be run", self.program.display());
            io::Error::new(io::ErrorKind::NotFound, reason)
        };
        which::which(&self.program).map(drop).map_err(refused)
    }

    /// The operating system's command for it.
    pub(crate) fn command(&self) -> io::Result<Command> {
        #[cfg(target_os = "linux")]
        if self.guarded {
            // A guard could not tell why there is no engine.
            self.check()?;
            let words: Vec<&OsStr> = self.os_words().collect();
            let mut command = Command::new(std::env::current_exe()?);
            command.args(crate::guard::arguments(&words));
            return Ok(command);
        }
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        Ok(command)
    }

    /// What people call the program: its name without the directory.
    pub fn name(&self) -> String {
        let name = self.program.file_stem().unwrap_or(self.program.as_os_str());
        name.to_string_lossy().into_owned()
    }
}

/// Is the engine until its input ends, or the guard of one, if this program was started as that.
/// Otherwise `None`.
pub fn serve_if_asked() -> Option<ExitCode> {
    #[cfg(target_os = "linux")]
    if let Some(status) = crate::guard::run_if_asked() {
        return Some(status);
    }
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != ENGINE_ARGUMENT {
        return None;
    }
    Some(match session::run(REGISTRY, stdin(), stdout(), None) {
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
        let refused = launch.check().unwrap_err().to_string();
        assert_eq!(refused, "'/a b/engine.py' is no program that can be run");
        assert!(Launch::built_in().unwrap().check().is_ok());
        assert!(Launch::from_command_line(" ").unwrap_err().contains("name of a program"));
        assert!(Launch::from_command_line("a 'b").unwrap_err().contains("open quote"));
    }
}
