//! The command line.

use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use anyhow::{Context, Result, bail};
use lexopt::prelude::*;
use ratlla_client::Launch;

/// What `--help` says.
pub const USAGE: &str = "\
usage: ratlla-gui [options]

Serves a board for the browser on this machine.

  --port N                the port; 8427 or, if that is taken, any free one, if not given
  --listen ADDRESS:PORT   listen there instead; other machines may then play too
  --host NAME             also accept this name of the machine from browsers
  --engine COMMAND        use this engine instead of the one that is built in
  --opponent NAME=COMMAND offer another engine to play against; may be given several times
  --help                  tell all that
";

/// The port if none is asked for.
const PORT: u16 = 8427;

/// An engine that the page may start.
#[derive(Clone, Debug)]
pub struct Choice {
    /// What people call it.
    pub name: String,
    /// How it is started.
    pub launch: Launch,
}

/// Where to listen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Just there.
    At(SocketAddr),
    /// There if it is free, else at any port.
    Near(SocketAddr),
}

/// What was asked for.
#[derive(Debug)]
pub struct Options {
    /// Where to listen.
    pub listen: Place,
    /// Names that browsers may call this machine by, besides addresses and `localhost`.
    pub hosts: Vec<String>,
    /// The engines. The first is the one that knows the rules.
    pub engines: Vec<Choice>,
}

/// Reads the arguments. `None` if help is wanted.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Option<Options>> {
    let loopback = |port| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
    let (mut listen, mut own_port) = (None, None);
    let mut engine = None;
    let (mut hosts, mut opponents) = (vec![], vec![]);
    let mut parser = lexopt::Parser::from_args(arguments);
    while let Some(argument) = parser.next()? {
        match argument {
            Long("port") => {
                let text = parser.value()?.string()?;
                let port = text.parse().ok();
                let port = port.with_context(|| {
                    format!("--port wants a number from 0 to 65535, not '{text}'")
                })?;
                own_port = Some(loopback(port));
            }
            Long("listen") => {
                let text = parser.value()?.string()?;
                let address = text.parse().with_context(|| {
                    format!("--listen wants an address and a port, 0.0.0.0:8427, not '{text}'")
                })?;
                listen = Some(address);
            }
            Long("host") => hosts.push(parser.value()?.string()?.to_ascii_lowercase()),
            Long("engine") => engine = Some(choice(&parser.value()?.string()?, None)?),
            Long("opponent") => {
                let text = parser.value()?.string()?;
                let Some((name, command)) =
                    text.split_once('=').filter(|(name, _)| !name.is_empty())
                else {
                    bail!("--opponent wants NAME=COMMAND, not '{text}'");
                };
                opponents.push(choice(command, Some(name))?);
            }
            Long("help") | Short('h') => return Ok(None),
            _ => return Err(argument.unexpected().into()),
        }
    }
    let listen = match (listen, own_port) {
        (Some(_), Some(_)) => bail!("--listen names a port too: not --port as well"),
        (Some(address), None) | (None, Some(address)) => Place::At(address),
        (None, None) => Place::Near(loopback(PORT)),
    };
    let first = match engine {
        Some(engine) => engine,
        None => Choice { name: "ratlla".to_owned(), launch: Launch::built_in()? },
    };
    let guarded = |Choice { name, launch }| Choice { name, launch: launch.guarded() };
    let engines = std::iter::once(first).chain(opponents).map(guarded).collect();
    Ok(Some(Options { listen, hosts, engines }))
}

fn choice(command: &str, name: Option<&str>) -> Result<Choice> {
    let launch = Launch::from_command_line(command).map_err(anyhow::Error::msg)?;
    let name = name.map_or_else(|| launch.name(), str::to_owned);
    Ok(Choice { name, launch })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &[&str]) -> Result<Option<Options>> {
        parse(words.iter().map(OsString::from))
    }

    #[test]
    fn without_arguments_it_stays_on_this_machine() {
        let options = parsed(&[]).unwrap().unwrap();
        assert_eq!(options.listen, Place::Near("127.0.0.1:8427".parse().unwrap()));
        assert_eq!(options.engines.len(), 1);
        assert!(options.hosts.is_empty());
    }

    #[test]
    fn all_arguments_are_understood() {
        let options = parsed(&[
            "--listen",
            "0.0.0.0:99",
            "--host",
            "Board.local",
            "--engine",
            "/bin/first -x",
            "--opponent",
            "Other=second --deep 3",
            "--opponent=Third=third",
        ]);
        let options = options.unwrap().unwrap();
        assert_eq!(options.listen, Place::At("0.0.0.0:99".parse().unwrap()));
        assert_eq!(options.hosts, ["board.local"]);
        let names: Vec<&str> = options.engines.iter().map(|choice| choice.name.as_str()).collect();
        assert_eq!(names, ["first", "Other", "Third"]);
        assert!(parsed(&["--help"]).unwrap().is_none());
    }

    #[test]
    fn what_makes_no_sense_is_explained() {
        for (words, part) in [
            (&["--port", "x"][..], "'x'"),
            (&["--port", "99999"], "from 0 to 65535"),
            (&["--opponent", "=engine"], "NAME=COMMAND"),
            (&["--listen", "here"], "0.0.0.0:8427"),
            (&["--port", "1", "--listen", "127.0.0.1:2"], "not --port as well"),
            (&["--opponent", "engine"], "NAME=COMMAND"),
            (&["--opponent", "A= "], "name of a program"),
            (&["--fast"], "--fast"),
        ] {
            let message = format!("{:#}", parsed(words).unwrap_err());
            assert!(message.contains(part), "{message}");
        }
    }
}
