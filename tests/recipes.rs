//! The recipes in `docs/clients.md` do what they say: blocks marked `test` are run, and what they
//! print is what stands below them.

use std::path::{Path, PathBuf};
use std::process::Command;

const DOCUMENT: &str = include_str!("../docs/clients.md");

/// A block that is run, and the output told below it.
#[derive(Default)]
struct Recipe<'a> {
    language: &'a str,
    script: String,
    output: Vec<&'a str>,
}

fn recipes() -> Vec<Recipe<'static>> {
    let mut found: Vec<Recipe> = Vec::new();
    let mut lines = DOCUMENT.lines();
    while let Some(line) = lines.next() {
        let Some(kind) = line.strip_prefix("```").filter(|kind| !kind.is_empty()) else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|&line| line != "```").collect();
        if let Some(language) = kind.strip_suffix(" test") {
            found.push(Recipe { language, script: block.join("\n"), ..Recipe::default() });
        } else if kind == "output" {
            found.last_mut().expect("an output is below a recipe").output = block;
        }
    }
    found
}

/// A folder of its own for each recipe, empty.
fn folder(number: usize) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("recipe {number}"));
    drop(std::fs::remove_dir_all(&folder));
    std::fs::create_dir_all(&folder).expect("the target folder can be written to");
    folder
}

/// What a recipe prints; nothing if there is nobody to run it.
fn run(recipe: &Recipe<'_>, number: usize) -> Option<String> {
    let program = if recipe.language == "python" { "python3" } else { recipe.language };
    if Command::new(program).args(["-c", ""]).output().is_err() {
        return None;
    }
    let engine = Path::new(env!("CARGO_BIN_EXE_ratlla"));
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let paths =
        engine.parent().into_iter().map(Path::to_path_buf).chain(std::env::split_paths(&paths));
    let output = Command::new(program)
        .args(["-c", &recipe.script])
        .current_dir(folder(number))
        .env("PATH", std::env::join_paths(paths).expect("paths as they were"))
        .env("PYTHONPATH", Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/python"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env_remove("RATLLA")
        .env_remove("RUST_LOG")
        .output()
        .expect("it starts");
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{complaints}", recipe.script);
    Some(String::from_utf8(output.stdout).expect("text"))
}

/// Whether a line has the form that was told: `<M>` and `<N>` stand for a word, `<M...>` for one
/// or more.
fn matches(told: &str, line: &str) -> bool {
    let mut words = line.split([' ', ',']);
    told.split([' ', ',']).all(|word| match word {
        "<M...>" => words.by_ref().count() > 0,
        "<M>" | "<N>" => words.next().is_some_and(|word| !word.is_empty()),
        _ => words.next() == Some(word),
    }) && words.next().is_none()
}

#[test]
fn every_recipe_prints_what_is_told() {
    let recipes = recipes();
    assert!(recipes.len() >= 6, "only {} recipes were found", recipes.len());
    for (number, recipe) in recipes.iter().enumerate() {
        assert!(!recipe.output.is_empty(), "no output is told for\n{}", recipe.script);
        let Some(printed) = run(recipe, number) else { continue };
        let lines: Vec<&str> = printed.lines().collect();
        let same = lines.len() == recipe.output.len()
            && recipe.output.iter().zip(&lines).all(|(told, line)| matches(told, line));
        assert!(same, "{}\nprints\n{printed}\nand not\n{:#?}", recipe.script, recipe.output);
    }
}

#[test]
fn recipes_are_short() {
    for recipe in recipes() {
        assert!(recipe.script.lines().count() <= 10, "{}", recipe.script);
    }
}
