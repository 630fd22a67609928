//! Which program is the engine, and how it is started.

use std::ffi::{OsStr, OsString};
use std::io::{self, stdin, stdout};
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use ratlla::games::REGISTRY;
use ratlla::session;

/// The sole argument that makes a program with a built-in engine run as that engine.
const ENGINE_ARGUMENT: &str = "--serve-as-engine";

/// How to start an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    program: PathBuf,
    arguments: Vec<OsString>,
    supervised: bool,
    in_background: bool,
}

impl Launch {
    /// A program with arguments.
    pub fn new<A: Into<OsString>>(
        program: impl Into<PathBuf>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Launch {
        let arguments = arguments.into_iter().map(Into::into).collect();
        Launch { program: program.into(), arguments, supervised: false, in_background: false }
    }

    /// The engine built into the calling program, which is started again as a child process. Its
    /// `main` must begin with [`serve_if_asked`].
    pub fn built_in() -> io::Result<Launch> {
        Ok(Launch::new(std::env::current_exe()?, [ENGINE_ARGUMENT]))
    }

    /// An engine given as a command line. Words are split and unquoted as in a shell; nothing is
    /// expanded.
    pub fn from_command_line(text: &str) -> Result<Launch, String> {
        let words = shlex::split(text).ok_or_else(|| format!("unclosed quote in '{text}'"))?;
        let mut words = words.into_iter();
        let program = words.next().ok_or("expected a program")?;
        Ok(Launch::new(program, words))
    }

    /// The same engine under a supervisor: it and all processes it starts are killed when the
    /// calling program or the thread that started it ends, for whatever reason. Has no effect
    /// outside Linux. The program's `main` must begin with [`serve_if_asked`].
    #[must_use]
    pub fn supervised(self) -> Launch {
        Launch { supervised: cfg!(target_os = "linux"), ..self }
    }

    /// The same engine in a process group of its own, so that Ctrl-C in the terminal reaches the
    /// calling program alone. Has no effect outside Unix.
    #[must_use]
    pub fn in_background(self) -> Launch {
        Launch { in_background: cfg!(unix), ..self }
    }

    pub(crate) fn is_supervised(&self) -> bool {
        self.supervised
    }

    /// The program and its arguments.
    pub fn words(&self) -> Vec<String> {
        self.os_words().map(|word| word.to_string_lossy().into_owned()).collect()
    }

    fn os_words(&self) -> impl Iterator<Item = &OsStr> {
        std::iter::once(self.program.as_os_str()).chain(self.arguments.iter().map(|word| &**word))
    }

    /// Checks that the program exists and is executable.
    pub fn check(&self) -> io::Result<()> {
        let not_found = |_| {
            let reason = format!("'{}' is not an executable program", self.program.display());
            io::Error::new(io::ErrorKind::NotFound, reason)
        };
        which::which(&self.program).map(drop).map_err(not_found)
    }

    pub(crate) fn command(&self) -> io::Result<Command> {
        #[allow(unused_mut, reason = "used on Unix only")]
        let mut command = self.plain_command()?;
        #[cfg(unix)]
        if self.in_background {
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
        }
        Ok(command)
    }

    fn plain_command(&self) -> io::Result<Command> {
        #[cfg(target_os = "linux")]
        if self.supervised {
            // The supervisor would start in any case, and could not report the cause.
            self.check()?;
            let words: Vec<&OsStr> = self.os_words().collect();
            let mut command = Command::new(std::env::current_exe()?);
            command.args(crate::supervisor::arguments(&words));
            return Ok(command);
        }
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        Ok(command)
    }

    /// The program's name without directory and extension.
    pub fn name(&self) -> String {
        let name = self.program.file_stem().unwrap_or(self.program.as_os_str());
        name.to_string_lossy().into_owned()
    }
}

/// Runs the built-in engine until its input ends, or an engine's supervisor, if this process was
/// started as one. Returns `None` otherwise.
pub fn serve_if_asked() -> Option<ExitCode> {
    #[cfg(target_os = "linux")]
    if let Some(status) = crate::supervisor::run_if_asked() {
        return Some(status);
    }
    if std::env::args_os().nth(1)? != ENGINE_ARGUMENT {
        return None;
    }
    Some(match session::run(REGISTRY, stdin(), stdout(), None) {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ratlla: {error}");
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
        assert_eq!(launch, Launch::new("/a b/engine.py", ["--level", "3", "x y"]));
        assert_eq!(launch.name(), "engine");
        let error = launch.check().unwrap_err().to_string();
        assert_eq!(error, "'/a b/engine.py' is not an executable program");
        assert!(Launch::built_in().unwrap().check().is_ok());
        assert!(Launch::from_command_line(" ").unwrap_err().contains("expected a program"));
        assert!(Launch::from_command_line("a 'b").unwrap_err().contains("unclosed quote"));
    }
}
