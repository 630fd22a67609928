//! `ratlla-gui`: a local web server with one page, the board, and an engine for each tab.

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use ratlla_gui::options::{self, Choice};
use ratlla_gui::server;

fn main() -> ExitCode {
    if let Some(code) = ratlla_client::serve_if_asked() {
        return code;
    }
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ratlla-gui: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[tokio::main]
async fn run() -> Result<()> {
    let Some(options) = options::parse(std::env::args_os().skip(1))? else {
        print!("{}", options::USAGE);
        return Ok(());
    };
    look_for(&options.engines)?;
    let listener = server::listen(options.listen).await?;
    println!("The board is at http://{}/ (Ctrl-C ends it)", listener.local_addr()?);
    server::serve(listener, options.engines, options.hosts).await
}

/// Looks for the programs of all engines: who has misspelt a name is to know before the page is
/// open. There is no page without the first one.
fn look_for(engines: &[Choice]) -> Result<()> {
    for (index, Choice { name, launch }) in engines.iter().enumerate() {
        match launch.check().with_context(|| format!("the engine {name} cannot be started")) {
            Err(error) if index == 0 => return Err(error),
            Err(error) => eprintln!("ratlla-gui: {error:#}"),
            Ok(()) => {}
        }
    }
    Ok(())
}
