//! `ratlla-gui`: a local web server with one page, the board, and engines for each tab.

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use ratlla_client::serve_if_asked;
use ratlla_common::{manual, program};
use ratlla_gui::arguments::{Arguments, EngineChoice};
use ratlla_gui::open_files;
use ratlla_gui::server::{self, Limits, Server};
use ratlla_gui::token::Token;

fn main() -> ExitCode {
    serve_if_asked().unwrap_or_else(|| program::run("ratlla-gui", run))
}

#[tokio::main]
async fn run() -> Result<()> {
    let arguments: Arguments = manual::parse();
    open_files::raise_limit();
    let engines = arguments.engines()?;
    check(&engines)?;
    let listener = server::listen(arguments.address()).await?;
    let token = arguments.token.clone().map_or_else(Token::random, Ok)?;
    println!("Board: http://{}/{token}/ (press Ctrl-C to quit)", listener.local_addr()?);
    let Arguments { hosts, share, .. } = arguments;
    let server = Server { token, engines, hosts, share, limits: Limits::default() };
    server.run(listener).await
}

/// Checks that the engines can be started, so that a misspelt name is reported before the page is
/// opened. Only the first engine, which knows the rules, is indispensable.
fn check(engines: &[EngineChoice]) -> Result<()> {
    for (index, EngineChoice { name, launch }) in engines.iter().enumerate() {
        match launch.check().with_context(|| format!("cannot start engine {name}")) {
            Err(error) if index == 0 => return Err(error),
            Err(error) => eprintln!("ratlla-gui: {error:#}"),
            Ok(()) => {}
        }
    }
    Ok(())
}
