//! What is published: the packages, their versions, descriptions and files.

mod support;

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use support::{assert_success, root};

/// The packages that are published, those that others need first.
const PUBLISHED: [&str; 7] = [
    "ratlla",
    "ratlla-common",
    "ratlla-client",
    "ratlla-arena",
    "ratlla-gui",
    "ratlla-kgp",
    "ratlla-play",
];
/// Those of them that are no programs.
const LIBRARIES: [&str; 2] = ["ratlla-common", "ratlla-client"];

fn cargo(arguments: &[&str]) -> String {
    assert_success(Command::new(env!("CARGO")).current_dir(root()).args(arguments))
}

fn members() -> Vec<Value> {
    let text = cargo(&["metadata", "--no-deps", "--offline", "--locked", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&text).expect("JSON");
    metadata["packages"].as_array().expect("a list").clone()
}

#[test]
fn published_packages_are_described_and_need_published_ones_only() {
    let mut published = Vec::new();
    for package in members() {
        let name = package["name"].as_str().expect("a name").to_owned();
        if package["publish"] == Value::Array(Vec::new()) {
            continue;
        }
        for field in ["description", "license", "rust_version"] {
            assert!(package[field].is_string(), "{name} has no {field}");
        }
        for list in ["keywords", "categories"] {
            let count = package[list].as_array().expect("a list").len();
            assert!((1..=5).contains(&count), "{name} has {count} {list}");
        }
        for dependency in package["dependencies"].as_array().expect("a list") {
            let needed = dependency["name"].as_str().expect("a name");
            // A dependency of tests without a version is left out.
            if needed.starts_with("ratlla") && dependency["kind"] != "dev" {
                assert!(PUBLISHED.contains(&needed), "{name} needs {needed}");
                let version = format!("^{}", env!("CARGO_PKG_VERSION"));
                assert_eq!(dependency["req"], *version, "{name} needs {needed}");
            }
        }
        published.push(name);
    }
    published.sort_by_key(|name| PUBLISHED.iter().position(|known| known == name));
    assert_eq!(published, PUBLISHED);
}

#[test]
fn packages_contain_sources_and_what_these_embed() {
    for name in PUBLISHED {
        let list = cargo(&["package", "--list", "--allow-dirty", "--offline", "--package", name]);
        // Paths with the separator of this system.
        let files: Vec<String> = list.lines().map(|line| line.replace('\\', "/")).collect();
        let folder = if name == "ratlla" { root() } else { root().join("tools").join(&name[7..]) };
        for file in ["Cargo.toml", "LICENSE-MIT", "LICENSE-APACHE"] {
            assert!(files.iter().any(|found| found == file), "{name} lacks {file}");
        }
        assert_has_licences(&folder);
        let folders = ["src/", "page/", "examples/"];
        for file in &files {
            let is_expected = folders.iter().any(|start| file.starts_with(start))
                || !file.contains('/')
                    && (!file.starts_with('.') || file == ".cargo_vcs_info.json");
            assert!(is_expected, "{name} contains {file}");
        }
        for file in sources(&folder.join("src")).iter().chain(&sources(&folder.join("page"))) {
            let file = file.strip_prefix(&folder).expect("below it").to_string_lossy();
            assert!(files.contains(&file.replace('\\', "/")), "{name} lacks {file}");
        }
        let size: u64 = files
            .iter()
            .filter_map(|file| std::fs::metadata(folder.join(file)).ok())
            .map(|metadata| metadata.len())
            .sum();
        // Compressed, a registry takes 10 MB.
        assert!(size < 6_000_000, "{name}: {size} bytes");
    }
}

/// The texts themselves: a link to them leads nowhere in a package.
fn assert_has_licences(folder: &Path) {
    for file in ["LICENSE-MIT", "LICENSE-APACHE"] {
        let text = std::fs::read_to_string(folder.join(file)).expect("a licence");
        let expected = std::fs::read_to_string(root().join(file)).expect("a licence");
        assert!(text == expected, "{}: another text", folder.join(file).display());
    }
}

#[test]
fn python_packages_have_the_licences() {
    for name in ["python/licenses", "cluster"] {
        assert_has_licences(&root().join("tools").join(name));
    }
}

/// All files below a folder.
fn sources(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else {
            found.push(path);
        }
    }
    found
}

/// `cargo install` installs one program for each package.
#[test]
fn only_the_programs_are_installed() {
    for package in members() {
        let name = package["name"].as_str().expect("a name");
        if !PUBLISHED.contains(&name) {
            continue;
        }
        let default = &package["features"]["default"];
        let is_on = |feature: &Value| default.as_array().is_some_and(|on| on.contains(feature));
        let programs: Vec<&str> = package["targets"]
            .as_array()
            .expect("a list")
            .iter()
            .filter(|target| target["kind"] == serde_json::json!(["bin"]))
            .filter(|target| {
                let features = target["required-features"].as_array();
                features.is_none_or(|features| features.iter().all(is_on))
            })
            .filter_map(|target| target["name"].as_str())
            .collect();
        assert_eq!(programs, if LIBRARIES.contains(&name) { vec![] } else { vec![name] });
    }
}

/// The archive of a release is all that a user needs.
#[cfg(target_os = "linux")]
#[test]
fn an_archive_has_programs_manuals_and_all_that_its_documents_link_to() {
    let programs = PUBLISHED.into_iter().filter(|name| !LIBRARIES.contains(name));
    let programs: Vec<&str> = programs.collect();
    let folder = tempfile::tempdir().expect("a folder");
    let mut script = Command::new(root().join("tools/portability/archive"));
    // Programs with symbols are large; how well they are compressed does not matter here.
    script.current_dir(&folder).env("GZIP", "-1").arg("ratlla").arg(support::programs(&programs));
    assert_success(&mut script);
    assert_success(Command::new("tar").current_dir(&folder).args(["-xzf", "ratlla.tar.gz"]));
    let folder = folder.path().join("ratlla");
    let has = |file: &str| folder.join(file).is_file();
    for program in programs {
        assert!(has(program) && has(&format!("man/{program}.1")), "{program}");
        let has_completions = has(&format!("completions/{program}.bash"));
        assert_eq!(has_completions, program != "ratlla", "{program}");
    }
    assert!(has("man/ratlla-arena-match.1") && has("LICENSE-MIT"));
    let files = sources(&folder);
    let documents: Vec<_> =
        files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "md")).collect();
    assert!(documents.len() > 20, "{documents:#?}");
    for document in documents {
        let text = std::fs::read_to_string(document).expect("a document");
        let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        for link in links.filter(|link| !link.is_empty() && !link.starts_with("http")) {
            let target = document.with_file_name(link);
            assert!(target.exists(), "{} links to {link}", document.display());
        }
    }
}
