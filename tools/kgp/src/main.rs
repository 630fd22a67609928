//! `ratlla-kgp`: plays Kalah on a server of the Kalah Game Protocol.

use std::io::{self, BufReader};
use std::net::{Ipv6Addr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Error, Result, ensure};
use clap::Parser;
use ratlla::platform::files::read_text_bounded;
use ratlla_common::{manual, program};
use ratlla_kgp::client::{self, Options};

const DEFAULT_PORT: u16 = 2671;
const TOKEN_VARIABLE: &str = "RATLLA_KGP_TOKEN";
/// No file with a token is longer, in bytes.
const LONGEST_TOKEN: u64 = 1 << 16;

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
    /// End if the server sends nothing, or accepts nothing, for this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600,
          value_parser = clap::value_parser!(u64).range(1..=86400))]
    silence: u64,
}

fn main() -> ExitCode {
    let level = env_logger::Env::default().default_filter_or("info");
    env_logger::Builder::from_env(level).init();
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
    let address = address(&arguments.server)?;
    let silence = Duration::from_secs(arguments.silence);
    let stream = TcpStream::connect(&address)
        .and_then(|stream| prepared(stream, silence))
        .with_context(|| format!("cannot connect to {address}"))?;
    log::info!("connected to {address}");
    let input = BufReader::new(stream.try_clone()?);
    client::run(input, stream, &options).map_err(Error::msg)
}

/// A stream that sends at once, and that notices a server which has vanished: nothing else would tell.
fn prepared(stream: TcpStream, silence: Duration) -> io::Result<TcpStream> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(silence))?;
    stream.set_write_timeout(Some(silence))?;
    Ok(stream)
}

/// Host and port of a server. An IPv6 address without a port needs no brackets.
fn address(server: &str) -> Result<String> {
    if server.parse::<Ipv6Addr>().is_ok() {
        return Ok(format!("[{server}]:{DEFAULT_PORT}"));
    }
    match server.rsplit_once(':') {
        Some((_, port)) if !port.ends_with(']') => {
            ensure!(port.parse::<u16>().is_ok(), "expected a port of 0..65535, got '{port}'");
            Ok(server.to_owned())
        }
        _ => Ok(format!("{server}:{DEFAULT_PORT}")),
    }
}

/// The player's token. Not an argument, which every user of the machine could read.
fn token(file: Option<&Path>) -> Result<Option<String>> {
    let Some(file) = file else { return Ok(std::env::var(TOKEN_VARIABLE).ok()) };
    let content = read_text_bounded(file, LONGEST_TOKEN)
        .with_context(|| format!("cannot read the token from {}", file.display()))?;
    let token = content.trim();
    ensure!(!token.is_empty(), "no token in {}: the file is empty", file.display());
    Ok(Some(token.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn the_port_is_optional() {
        let cases = [
            ("localhost", "localhost:2671"),
            ("localhost:80", "localhost:80"),
            ("127.0.0.1", "127.0.0.1:2671"),
            ("::1", "[::1]:2671"),
            ("[::1]", "[::1]:2671"),
            ("[::1]:80", "[::1]:80"),
        ];
        for (server, expected) in cases {
            assert_eq!(address(server).unwrap(), expected);
        }
        assert!(address("localhost:99999").unwrap_err().to_string().contains("'99999'"));
    }
}
