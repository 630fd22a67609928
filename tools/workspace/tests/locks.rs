//! The lock files: that of the workspace, and those of packages that are kept out of it.

mod support;

use std::fs::read_to_string;

use support::root;

/// Packages outside the workspace, which depend on some inside.
const OUTSIDE: [&str; 2] = ["tools/bench/peers/connect-four-ai", "tools/checks/fuzz"];

/// The packages of a lock file, with their versions.
fn packages(folder: &str) -> Vec<(String, String)> {
    let text = read_to_string(root().join(folder).join("Cargo.lock")).expect("a lock file");
    let field = |package: &str, name: &str| {
        let value = package.lines().find_map(|line| line.strip_prefix(&format!("{name} = \"")));
        value.expect(name).trim_end_matches('"').to_owned()
    };
    let packages = text.split("[[package]]").skip(1);
    packages.map(|package| (field(package, "name"), field(package, "version"))).collect()
}

/// Otherwise they are built only without `--locked`, after a release for example.
#[test]
fn packages_outside_the_workspace_want_its_present_version() {
    for folder in OUTSIDE {
        let own = packages(folder)
            .into_iter()
            .filter(|(name, _)| name.starts_with("ratlla-") || name == "ratlla");
        let own: Vec<_> = own.filter(|(name, _)| name != "ratlla-fuzz").collect();
        assert!(!own.is_empty(), "{folder}");
        for (name, version) in own {
            assert_eq!(version, env!("CARGO_PKG_VERSION"), "{name} in {folder}");
        }
    }
}

/// Another solver is measured, not used: what it depends on is not ours to keep up to date.
#[test]
fn the_other_solver_is_outside() {
    let has = |folder| packages(folder).iter().any(|(name, _)| name == "connect-four-ai");
    assert!(has(OUTSIDE[0]));
    assert!(!has("."));
}
