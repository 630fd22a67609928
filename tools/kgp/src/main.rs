//! `ratlla-kgp`: plays Kalah on a server of the Kalah Game Protocol.

use std::io::BufReader;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Error, Result, ensure};
use clap::Parser;
use ratlla_common::{manual, program};
use ratlla_kgp::client::{self, Options};

const DEFAULT_PORT: u16 = 2671;
const TOKEN_VARIABLE: &str = "RATLLA_KGP_TOKEN";

/// Play Kalah on a server of the Kalah Game Protocol until the server says goodbye.
///
/// The token that identifies the player is read from --token-file, or else from the environment
/// variable RATLLA_KGP_TOKEN. RUST_LOG=debug logs all lines sent and received, but not the token.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Address of the server; the default port is 2671
    #[arg(value_name = "HOST[:PORT]", default_value = "localhost")]
    server: String,
    /// Player name sent to the server
    #[arg(long, default_value = "ratlla")]
    name: String,
    /// File with the token that identifies the player to the server
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Time per position in milliseconds [default: the server's clock]
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Memory for all positions together in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256,
          value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
}

fn main() -> ExitCode {
    env_logger::init();
    let arguments: Arguments = manual::parse();
    program::run("ratlla-kgp", || play(arguments))
}

fn play(arguments: Arguments) -> Result<()> {
    let options = Options {
        name: arguments.name,
        token: token(arguments.token_file.as_deref())?,
        movetime: arguments.movetime.map(Duration::from_millis),
        hash: arguments.hash as usize,
    };
    let host = arguments.server;
    let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let address = if has_port { host } else { format!("{host}:{DEFAULT_PORT}") };
    let stream = TcpStream::connect(&address)
        .and_then(|stream| stream.set_nodelay(true).map(|()| stream))
        .with_context(|| format!("cannot connect to {address}"))?;
    let input = BufReader::new(stream.try_clone()?);
    client::run(input, stream, &options).map_err(Error::msg)
}

/// The player's token. Not an argument, which every user of the machine could read.
fn token(file: Option<&Path>) -> Result<Option<String>> {
    let Some(file) = file else { return Ok(std::env::var(TOKEN_VARIABLE).ok()) };
    let content = std::fs::read_to_string(file)
        .with_context(|| format!("cannot read the token from {}", file.display()))?;
    let token = content.trim();
    ensure!(!token.is_empty(), "no token in {}: the file is empty", file.display());
    Ok(Some(token.to_owned()))
}
