//! Finds Chromium, or installs it with apt-get.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The browser, which the environment variable `CHROMIUM` overrides.
pub fn chromium() -> &'static PathBuf {
    static FOUND: OnceLock<PathBuf> = OnceLock::new();
    FOUND.get_or_init(|| {
        if let Some(path) = std::env::var_os("CHROMIUM") {
            return path.into();
        }
        find().unwrap_or_else(|| {
            install();
            find().expect("these tests need Chromium: install it, or set CHROMIUM")
        })
    })
}

fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .flat_map(|directory| NAMES.map(|name| directory.join(name)))
        .find(|program| program.is_file())
}

/// Installs Debian's package. A failure is reported by [`chromium`].
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
