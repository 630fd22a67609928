//! Finds Chromium, and installs it where that is easy.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The browser. Another one can be named with the environment variable `CHROMIUM`.
pub fn chromium() -> &'static PathBuf {
    static FOUND: OnceLock<PathBuf> = OnceLock::new();
    FOUND.get_or_init(|| {
        if let Some(path) = std::env::var_os("CHROMIUM") {
            return path.into();
        }
        find().unwrap_or_else(|| {
            install();
            find().expect("Chromium is needed for these tests: install it, or name it in CHROMIUM")
        })
    })
}

fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .flat_map(|directory| NAMES.map(|name| directory.join(name)))
        .find(|program| program.is_file())
}

/// With Debian's packages, if they are there and we may. What goes wrong is told by [`chromium`].
fn install() {
    for arguments in [&["update"][..], &["install", "--yes", "--no-install-recommends", "chromium"]]
    {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        match command.status() {
            Ok(status) if status.success() => {}
            failure => eprintln!("apt-get {}: {failure:?}", arguments.join(" ")),
        }
    }
}
