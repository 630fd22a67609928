//! The command line.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};

use clap::Parser;
use ratlla_client::Launch;

use crate::token::Token;

/// The port if none is given.
const DEFAULT_PORT: u16 = 8427;

/// Serve a web page to play and analyse the games of ratlla, and print its address
#[derive(Debug, Parser)]
#[command(name = "ratlla-gui", version, args_override_self = true)]
pub struct Arguments {
    /// Port on this machine [default: 8427, or any free port if it is taken]
    #[arg(long, value_name = "N", conflicts_with = "listen")]
    port: Option<u16>,
    /// Listen on this address, for example 0.0.0.0:8427 for other devices in the network. Whoever
    /// knows the printed address can use your CPU
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,
    /// Use these letters and digits in the address, instead of random ones
    #[arg(long, value_name = "TOKEN", value_parser = Token::parse)]
    pub token: Option<Token>,
    /// Accept this host name from browsers, besides localhost and IP addresses; repeatable
    #[arg(long = "host", value_name = "NAME")]
    pub hosts: Vec<String>,
    /// Begin links to share with this address, of a copy of the page that others can open
    #[arg(long, value_name = "URL", value_parser = parse_share)]
    pub share: Option<String>,
    /// Use this engine instead of the built-in one
    #[arg(long, value_name = "COMMAND", value_parser = Launch::from_command_line)]
    engine: Option<Launch>,
    /// Offer another engine to play against; repeatable
    #[arg(long = "opponent", value_name = "NAME=COMMAND", value_parser = parse_opponent)]
    opponents: Vec<EngineChoice>,
}

/// An engine that the page may start.
#[derive(Clone, Debug)]
pub struct EngineChoice {
    /// The name shown to users.
    pub name: String,
    /// How it is started.
    pub launch: Launch,
}

/// Where to listen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListenAddress {
    /// This address and port.
    Fixed(SocketAddr),
    /// This port, or any free one if it is taken.
    Preferred(SocketAddr),
}

impl Arguments {
    /// Where to listen.
    pub fn address(&self) -> ListenAddress {
        let local = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        match self.listen.or(self.port.map(local)) {
            Some(address) => ListenAddress::Fixed(address),
            None => ListenAddress::Preferred(local(DEFAULT_PORT)),
        }
    }

    /// The engines. The first one knows the rules.
    pub fn engines(&self) -> io::Result<Vec<EngineChoice>> {
        let first = match self.engine.clone() {
            Some(launch) => EngineChoice { name: launch.name(), launch },
            None => EngineChoice { name: "ratlla".to_owned(), launch: Launch::built_in()? },
        };
        let all = std::iter::once(first).chain(self.opponents.iter().cloned());
        all.map(|EngineChoice { name, launch }| {
            Ok(EngineChoice { name, launch: launch.supervised()? })
        })
        .collect()
    }
}

fn parse_opponent(text: &str) -> Result<EngineChoice, String> {
    match text.split_once('=') {
        Some((name, command)) if !name.is_empty() => {
            Ok(EngineChoice { name: name.to_owned(), launch: Launch::from_command_line(command)? })
        }
        _ => Err("expected NAME=COMMAND".to_owned()),
    }
}

/// An address without what would follow a game.
fn parse_share(text: &str) -> Result<String, String> {
    let is_web = text.starts_with("https://") || text.starts_with("http://");
    let is_whole = !text.contains(['#', '?']) && !text.contains(char::is_whitespace);
    if is_web && is_whole {
        Ok(text.to_owned())
    } else {
        Err("expected an http(s) address without # and ?".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from([&["ratlla-gui"], words].concat())
    }

    #[test]
    fn the_defaults_are_local_and_the_built_in_engine() {
        let arguments = parse(&[]).unwrap();
        let address = "127.0.0.1:8427".parse().unwrap();
        assert_eq!(arguments.address(), ListenAddress::Preferred(address));
        assert_eq!(arguments.engines().unwrap().len(), 1);
        assert!(arguments.hosts.is_empty());
    }

    #[test]
    fn all_arguments_are_understood() {
        let arguments = parse(&[
            "--listen",
            "0.0.0.0:99",
            "--host",
            "Board.local",
            "--engine",
            "/bin/first -x",
            "--opponent",
            "Other=second --deep 3",
            "--opponent=Third=third",
        ])
        .unwrap();
        assert_eq!(arguments.address(), ListenAddress::Fixed("0.0.0.0:99".parse().unwrap()));
        assert_eq!(arguments.hosts, ["Board.local"]);
        let engines = arguments.engines().unwrap();
        let names: Vec<&str> = engines.iter().map(|engine| engine.name.as_str()).collect();
        assert_eq!(names, ["first", "Other", "Third"]);
        let address = "127.0.0.1:1".parse().unwrap();
        assert_eq!(parse(&["--port", "1"]).unwrap().address(), ListenAddress::Fixed(address));
    }

    #[test]
    fn invalid_arguments_are_explained() {
        for (words, part) in [
            (&["--port", "x"][..], "'x'"),
            (&["--port", "99999"], "0..=65535"),
            (&["--listen", "here"], "'here'"),
            (&["--port", "1", "--listen", "127.0.0.1:2"], "cannot be used with"),
            (&["--opponent", "=engine"], "NAME=COMMAND"),
            (&["--opponent", "engine"], "NAME=COMMAND"),
            (&["--opponent", "A= "], "expected a program"),
            (&["--token", "short"], "at least 16 letters"),
            (&["--share", "example.org"], "http(s) address"),
            (&["--share", "https://example.org/#c4:"], "without # and ?"),
            (&["--fast"], "--fast"),
        ] {
            let message = parse(words).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
