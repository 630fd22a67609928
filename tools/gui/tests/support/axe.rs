//! The accessibility audit, axe-core from npm.

use std::path::Path;
use std::process::Command;

/// The audit's script, installed below the target folder; `None` without npm.
pub fn script() -> Option<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("axe");
    let file = folder.join("node_modules/axe-core/axe.min.js");
    if !file.exists() {
        std::fs::create_dir_all(&folder).expect("a folder below the target folder");
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--no-save", "axe-core@4"]);
        match npm.current_dir(&folder).status() {
            Ok(status) => assert!(status.success(), "npm cannot install axe-core"),
            Err(_) => return None,
        }
    }
    Some(std::fs::read_to_string(file).expect("axe-core has this file"))
}
