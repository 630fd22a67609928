//! Man pages and shell completions, from the description of the command line.

use std::ffi::OsString;
use std::path::Path;
use std::process::exit;
use std::{fs, io};

use clap::{CommandFactory, Parser};
use clap_complete::Shell;

use crate::program;

/// The option that writes them. Not a part of the command line that it describes.
const OPTION: &str = "--write-manual";
const SHELLS: [Shell; 4] = [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell];

/// The parsed command line, like [`program::parse`]. With `--write-manual FOLDER` alone, writes man pages
/// and shell completions into the folder and exits.
pub fn parse<A: Parser>() -> A {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    match &arguments[..] {
        [option, folder] if option == OPTION => {
            let written = write::<A>(Path::new(folder));
            if let Err(error) = &written {
                eprintln!("cannot write to {}: {error}", Path::new(folder).display());
            }
            exit(i32::from(written.is_err()));
        }
        [option, ..] if option == OPTION => {
            eprintln!("{OPTION}: expected one folder, got {} words", arguments.len() - 1);
            exit(2);
        }
        _ => program::parse(),
    }
}

fn write<A: CommandFactory>(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut command = A::command();
    let name = command.get_name().to_owned();
    clap_mangen::generate_to(command.clone(), folder)?;
    for shell in SHELLS {
        clap_complete::generate_to(shell, &mut command, &name, folder)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Parser)]
    #[command(name = "tool")]
    enum Arguments {
        /// Play a match
        Match {
            /// How many games
            #[arg(long)]
            games: u32,
        },
    }

    #[test]
    fn every_subcommand_has_a_page_and_every_shell_its_completions() {
        let folder = tempfile::tempdir().unwrap();
        write::<Arguments>(&folder.path().join("new")).unwrap();
        let read = |name: &str| fs::read_to_string(folder.path().join("new").join(name)).unwrap();
        assert!(read("tool.1").contains("Play a match"));
        assert!(read("tool-match.1").contains("How many games"));
        for file in ["tool.bash", "_tool", "tool.fish", "_tool.ps1"] {
            assert!(read(file).contains("games"), "{file}");
        }
        let Arguments::Match { games } = Arguments::parse_from(["tool", "match", "--games", "3"]);
        assert_eq!(games, 3);
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_an_error() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(write::<Arguments>(file.path()).is_err());
    }
}
