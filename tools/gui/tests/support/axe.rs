//! The accessibility audit, axe-core from npm.

use std::path::Path;
use std::process::Command;

use ratlla_workspace::{downloaded, npm};

/// The audit's script, installed below the target folder. `None` if the test is skipped.
pub fn script() -> Option<String> {
    let npm = npm()?;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("axe");
    let folder = downloaded("axe-core@4 from npm", &folder, |folder| {
        let mut npm = Command::new(npm);
        npm.args(["install", "--no-audit", "--no-fund", "--no-save", "axe-core@4"]);
        let status = npm.current_dir(folder).status().expect("npm starts");
        assert!(status.success(), "npm cannot install axe-core");
    })?;
    let file = folder.join("node_modules/axe-core/axe.min.js");
    Some(std::fs::read_to_string(file).expect("axe-core has this file"))
}
