//! The modules of `src` use each other only as ARCHITECTURE.md allows, type names are unique, and
//! a game can be added from outside as the guide says.

#[allow(dead_code)]
#[path = "../examples/nim.rs"]
mod nim;
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ratlla::game::{Evaluator, Side};
use ratlla::session::{self, Ending};
use support::laws::check_laws;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every source file below `folder` with its text.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).expect("UTF-8");
            files.push((path, text));
        }
    }
    files
}

/// The module that a file belongs to, as ARCHITECTURE.md counts them: a top-level module, or the
/// folder of a game.
fn module_of(path: &Path) -> String {
    let inside = path.strip_prefix(root().join("src")).expect("a file of src");
    let parts: Vec<&str> = inside.iter().map(|part| part.to_str().expect("a plain name")).collect();
    match parts[..] {
        ["games", game, _, ..] => format!("games::{game}"),
        [first, ..] => first.trim_end_matches(".rs").to_owned(),
        [] => String::new(),
    }
}

/// The code of a file without comments and without its unit tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    text.lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

/// The modules that a piece of code names through `crate::` or `ratlla::`.
fn uses(code: &str) -> BTreeSet<String> {
    let starts = code.match_indices("crate::").chain(code.match_indices("ratlla::"));
    let path = |(start, prefix): (usize, &str)| {
        let rest = &code[start + prefix.len()..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
        let mut parts = rest[..end.unwrap_or(rest.len())].split("::");
        match (parts.next().unwrap_or_default(), parts.next()) {
            ("games", Some(game))
                if game.chars().all(|c| c.is_lowercase() || c.is_numeric() || c == '_')
                    && !game.is_empty() =>
            {
                format!("games::{game}")
            }
            (first, _) => first.to_owned(),
        }
    };
    starts.map(path).filter(|module| !module.is_empty()).collect()
}

/// The table of ARCHITECTURE.md between the fences marked `modules`: a module on each line and the
/// modules it may use.
fn allowed() -> BTreeMap<String, BTreeSet<String>> {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the document");
    let (_, table) = text.split_once("```modules\n").expect("a table of modules");
    let (table, _) = table.split_once("```").expect("its end");
    let line = |line: &str| {
        let mut words = line.split_whitespace().map(str::to_owned);
        (words.next().expect("a module"), words.collect())
    };
    table.lines().map(line).collect()
}

#[test]
fn modules_use_only_what_architecture_md_allows() {
    let allowed = allowed();
    let mut seen = BTreeSet::new();
    for (path, text) in sources(&root().join("src")) {
        let module = module_of(&path);
        // Helpers of the games' folder count as modules of their own.
        let module = match path.file_stem().and_then(|stem| stem.to_str()) {
            Some(stem) if module == "games" && stem != "mod" => format!("games::{stem}"),
            _ => module,
        };
        let row = match module.as_str() {
            "lib" => continue,
            game if game.starts_with("games::")
                && path.parent() != Some(&root().join("src/games")) =>
            {
                "games::*"
            }
            other => other,
        };
        let permitted = allowed.get(row).unwrap_or_else(|| panic!("{row} has no row"));
        seen.insert(row.to_owned());
        for used in uses(&code(&text)) {
            let is_own = used == module || module == "main" && used == "main";
            let is_game = used.starts_with("games::") && row == "games";
            assert!(
                is_own || is_game || permitted.contains(&used),
                "{} uses {used}, which ARCHITECTURE.md does not allow {row}",
                path.display()
            );
        }
    }
    let rows: BTreeSet<String> = allowed.keys().cloned().collect();
    assert_eq!(rows, seen, "the rows of the table are the modules of src");
}

/// The modules that are public but hidden, with the path of their parents.
fn hidden() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (path, text) in sources(&root().join("src")) {
        let folder = path.parent().and_then(|folder| folder.strip_prefix(root().join("src")).ok());
        let parents: Vec<&str> =
            folder.into_iter().flatten().filter_map(|part| part.to_str()).collect();
        for (before, line) in text.lines().zip(text.lines().skip(1)) {
            let module = line.strip_prefix("pub mod ").and_then(|rest| rest.strip_suffix(';'));
            if let (Some(module), "#[doc(hidden)]") = (module, before) {
                found.insert([&parents[..], &[module]].concat().join("::"));
            }
        }
    }
    found
}

#[test]
fn hidden_modules_are_listed() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the document");
    let (_, list) = text.split_once("```hidden\n").expect("a list of hidden modules");
    let (list, _) = list.split_once("```").expect("its end");
    let modules = |line: &str| -> Vec<String> {
        let (modules, _) = line.split_once("   ").expect("a reason");
        modules.split(' ').map(str::to_owned).collect()
    };
    let listed: BTreeSet<String> = list.lines().flat_map(modules).collect();
    assert_eq!(listed, hidden());
}

#[test]
fn a_type_name_is_defined_once_unless_games_or_systems_share_the_idea() {
    // Each game has these; each memory back end has `Words`, and there may be files or not.
    const SHARED: &[&str] = &[
        "Board",
        "BoardState",
        "Endgames",
        "HybridStrategy",
        "Keys",
        "LogFile",
        "Move",
        "PairsEvaluation",
        "Solver",
        "SolverSession",
        "Words",
    ];
    let mut seen = BTreeSet::new();
    for (path, text) in sources(&root().join("src")) {
        for line in text.lines().map(str::trim_start) {
            let line = line.strip_prefix("pub").map_or(line, |rest| {
                rest.trim_start_matches(|c| c == '(' || c == ')' || char::is_lowercase(c))
                    .trim_start()
            });
            let definition =
                ["struct ", "enum ", "trait "].iter().find_map(|kind| line.strip_prefix(kind));
            let Some(definition) = definition else { continue };
            let end = definition.find(|c: char| !c.is_alphanumeric()).unwrap_or(definition.len());
            let name = &definition[..end];
            assert!(
                SHARED.contains(&name) || seen.insert(name.to_owned()),
                "{} defines {name} a second time",
                path.display()
            );
        }
    }
    assert!(seen.len() > 100, "the definitions are found");
}

#[test]
fn the_example_game_is_short_obeys_the_laws_and_plays_through_the_protocol() {
    let file = root().join("examples/nim.rs");
    let text = std::fs::read_to_string(file).expect("the example");
    assert!(text.lines().count() <= 150, "{} lines", text.lines().count());
    check_laws(&nim::Heap { stones: 21, side: Side::P1 }, 20);
    // What it does not say of its evaluation is no claim: without a margin nothing is pruned.
    assert_eq!(nim::Even.futility_margin(), None);
    let written = support::sink::Sink::default();
    let input = "newgame nim 22\ngo depth 30\nplay 2\nd\nplay 4\nnewgame nim 0\ngames\n";
    let ending = session::run(nim::REGISTRY, input.as_bytes(), written.clone(), None);
    assert_eq!(ending.expect("a session"), Ending::Good);
    let output = written.text();
    let has =
        |line: &str| assert!(output.lines().any(|written| written == line), "{line} in\n{output}");
    // 22 stones are 2 more than a multiple of 4: taking these wins.
    has("bestmove 2 ponder 1");
    has("position heap 20 p2");
    has("error play '4': expected 1..3 stones");
    has("error newgame: expected a number of stones, 1..255 (newgame nim [stones])");
    has("game nim parameter stones type spin default 21 min 1 max 255");
}
