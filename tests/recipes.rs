//! The recipes in `docs/clients.md` work: blocks marked `test` are run, and print the `output` block
//! that follows.

mod support;

use std::path::Path;
use std::process::Command;

const DOCUMENT: &str = include_str!("../docs/clients.md");

/// A block that is run, and its expected output.
#[derive(Default)]
struct Recipe<'a> {
    language: &'a str,
    script: String,
    expected: Vec<&'a str>,
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
            found.last_mut().expect("an output follows a recipe").expected = block;
        }
    }
    found
}

/// What a recipe prints.
fn run(recipe: &Recipe<'_>) -> String {
    let program = if recipe.language == "python" { "python3" } else { recipe.language };
    let engine = Path::new(env!("CARGO_BIN_EXE_ratlla"));
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let paths =
        engine.parent().into_iter().map(Path::to_path_buf).chain(std::env::split_paths(&paths));
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new(program)
        .args(["-c", &recipe.script])
        .current_dir(&folder)
        .env("PATH", std::env::join_paths(paths).expect("the paths were joined before"))
        .env("PYTHONPATH", Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/python"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env_remove("RATLLA")
        .env_remove("RUST_LOG")
        .output()
        .expect("the interpreter starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{stderr}", recipe.script);
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Whether a line matches a pattern, in which `<M>` and `<N>` stand for any word.
fn matches(pattern: &str, line: &str) -> bool {
    let mut words = line.split([' ', ',']);
    pattern.split([' ', ',']).all(|word| match word {
        "<M>" | "<N>" => words.next().is_some_and(|word| !word.is_empty()),
        _ => words.next() == Some(word),
    }) && words.next().is_none()
}

#[test]
fn every_recipe_prints_its_output() {
    let has_python = support::requirements::python().is_some();
    let recipes = recipes();
    assert!(recipes.len() >= 6, "found only {} recipes", recipes.len());
    for recipe in &recipes {
        assert!(!recipe.expected.is_empty(), "no output follows\n{}", recipe.script);
        let needs_python = recipe.language == "python" || recipe.script.contains("python3");
        if needs_python && !has_python {
            continue;
        }
        let printed = run(recipe);
        let lines: Vec<&str> = printed.lines().collect();
        let same = lines.len() == recipe.expected.len()
            && recipe.expected.iter().zip(&lines).all(|(pattern, line)| matches(pattern, line));
        assert!(same, "{}\nprinted\n{printed}\nexpected\n{:#?}", recipe.script, recipe.expected);
    }
}

#[test]
fn recipes_are_short() {
    for recipe in recipes() {
        assert!(recipe.script.lines().count() <= 10, "{}", recipe.script);
    }
}
