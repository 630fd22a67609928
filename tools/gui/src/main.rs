//! `ratlla-gui`: a local web server with one page, the board, and an engine for each tab.

use std::process::ExitCode;

use anyhow::Result;
use ratlla_gui::{options, server};

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
    let listener = server::listen(options.listen).await?;
    println!("The board is at http://{}/ (Ctrl-C ends it)", listener.local_addr()?);
    server::serve(listener, options.engines, options.hosts).await
}
