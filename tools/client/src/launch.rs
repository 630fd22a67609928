//! Which program is the engine, and how it is started.

use std::ffi::OsString;
use std::io::{self, stdin, stdout};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use ratlla::games::REGISTRY;
use ratlla::platform::files;
use ratlla::session;

use crate::supervisor::{self, Supervision};
use crate::{EngineChild, words};

/// The sole argument that makes a program with a built-in engine run as that engine.
const ENGINE_ARGUMENT: &str = "--serve-as-engine";

/// How to start an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    program: PathBuf,
    arguments: Vec<OsString>,
    /// The program that supervises it, if any.
    supervisor: Option<PathBuf>,
    folder: Option<PathBuf>,
}

impl Launch {
    /// A program with arguments.
    pub fn new<A: Into<OsString>>(
        program: impl Into<PathBuf>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Launch {
        let arguments = arguments.into_iter().map(Into::into).collect();
        Launch { program: program.into(), arguments, supervisor: None, folder: None }
    }

    /// The engine built into the calling program, which is started again as a child process. Its
    /// `main` must begin with [`serve_if_asked`].
    pub fn built_in() -> io::Result<Launch> {
        Ok(Launch::new(std::env::current_exe()?, [ENGINE_ARGUMENT]))
    }

    /// An engine given as a command line of [words](crate::words).
    pub fn from_command_line(text: &str) -> Result<Launch, String> {
        let words = words::split(text).ok_or_else(|| format!("unclosed quote in '{text}'"))?;
        let mut words = words.into_iter();
        let program = words.next().ok_or("expected a program")?;
        Ok(Launch::new(program, words))
    }

    /// The same engine [under supervision](crate::supervisor): it and all processes it starts are
    /// killed when it is dropped, and where the system allows it when the calling program or the thread
    /// that started it ends, for whatever reason. Ctrl-C in the terminal reaches the calling program
    /// alone. The program's `main` must begin with [`serve_if_asked`].
    pub fn supervised(self) -> io::Result<Launch> {
        Ok(self.supervised_by(std::env::current_exe()?))
    }

    /// The same under the supervision of another program, whose `main` begins with
    /// [`supervisor::run_if_asked`].
    #[must_use]
    pub fn supervised_by(self, program: impl Into<PathBuf>) -> Launch {
        Launch { supervisor: Some(program.into()), ..self }
    }

    /// The same engine, started in a folder. A program given by a relative path is looked up there.
    #[must_use]
    pub fn in_folder(self, folder: impl Into<PathBuf>) -> Launch {
        Launch { folder: Some(folder.into()), ..self }
    }

    /// The program and its arguments.
    pub fn words(&self) -> Vec<String> {
        let words = std::iter::once(self.program.as_os_str());
        let words = words.chain(self.arguments.iter().map(|word| &**word));
        words.map(|word| word.to_string_lossy().into_owned()).collect()
    }

    /// Checks that the program exists and is executable.
    pub fn check(&self) -> io::Result<()> {
        self.find().map(drop)
    }

    /// Where the program is: a supervisor would start without it, and could not report that.
    fn find(&self) -> io::Result<PathBuf> {
        let folder = self.folder.clone().map_or_else(std::env::current_dir, Ok)?;
        which::which_in(&self.program, std::env::var_os("PATH"), folder).map_err(|_| {
            let reason = format!("'{}' is not an executable program", self.program.display());
            io::Error::new(io::ErrorKind::NotFound, reason)
        })
    }

    /// Starts the engine with pipes for its input and output.
    pub fn spawn(&self, stderr: Stdio) -> io::Result<EngineChild> {
        let program = self.find()?;
        let mut command = match &self.supervisor {
            Some(supervisor) => Supervision::command(supervisor, program.as_os_str()),
            None => Command::new(program),
        };
        command.args(&self.arguments).stderr(stderr);
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        EngineChild::spawn(command, self.supervisor.is_some())
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
    if let Some(status) = supervisor::run_if_asked() {
        return Some(status);
    }
    if std::env::args_os().nth(1)? != ENGINE_ARGUMENT {
        return None;
    }
    files::survive_size_limit();
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
