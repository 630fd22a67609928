//! Plays Kalah on a server that speaks the Kalah Game Protocol.

use std::io::BufReader;
use std::net::TcpStream;
use std::process::ExitCode;
use std::time::Duration;

use lexopt::prelude::*;
use ratlla_kgp::client::{Choices, converse};

const USAGE: &str = "\
usage: ratlla-kgp [--name NAME] [--token TEXT] [--movetime MS] [--hash MIB] [HOST[:PORT]]

Connects to a server of the Kalah Game Protocol (default: localhost:2671) and plays until it says
goodbye.

      --name NAME     what the server is told about who plays [default: ratlla]
      --token TEXT    proves to the server who plays
      --movetime MS   how long to think about each position [default: what the server says]
      --hash MIB      memory for each position that is being thought about [default: 64]
  -h, --help          this text

RUST_LOG=debug shows what is sent and received.";

const PORT: u16 = 2671;

fn main() -> ExitCode {
    env_logger::init();
    let (address, choices) = match parse(lexopt::Parser::from_env()) {
        Ok(Some(parsed)) => parsed,
        Ok(None) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("ratlla-kgp: {error}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match play(&address, &choices) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("ratlla-kgp: {reason}");
            ExitCode::FAILURE
        }
    }
}

/// The address and the choices; nothing if only help is wanted.
fn parse(mut parser: lexopt::Parser) -> Result<Option<(String, Choices)>, lexopt::Error> {
    let mut address = "localhost".to_owned();
    let mut choices = Choices { name: "ratlla".to_owned(), token: None, movetime: None, hash: 64 };
    while let Some(argument) = parser.next()? {
        match argument {
            Long("name") => choices.name = parser.value()?.string()?,
            Long("token") => choices.token = Some(parser.value()?.string()?),
            Long("movetime") => {
                choices.movetime = Some(Duration::from_millis(number(&mut parser, "--movetime")?));
            }
            Long("hash") => choices.hash = number(&mut parser, "--hash")?.clamp(1, 65536) as usize,
            Short('h') | Long("help") => return Ok(None),
            Value(value) => address = value.string()?,
            _ => return Err(argument.unexpected()),
        }
    }
    Ok(Some((address, choices)))
}

/// The value of an option that wants a number.
fn number(parser: &mut lexopt::Parser, option: &str) -> Result<u64, lexopt::Error> {
    let text = parser.value()?.string()?;
    let number = text.parse();
    Ok(number.map_err(|_| format!("{option} wants a whole number from 0 on, not '{text}'"))?)
}

fn play(address: &str, choices: &Choices) -> Result<(), String> {
    let has_port = address.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let address = if has_port { address.to_owned() } else { format!("{address}:{PORT}") };
    let connect = || {
        let stream = TcpStream::connect(&address)?;
        stream.set_nodelay(true)?;
        Ok((BufReader::new(stream.try_clone()?), stream))
    };
    let connected: std::io::Result<_> = connect();
    let (input, output) =
        connected.map_err(|error| format!("cannot connect to {address}: {error}"))?;
    converse(input, output, choices)
}
