//! Puts many mutants of the sources behind one switch at run time, so that one build serves for all of them.
//!
//! Reads rows of the sample, located in the tree by `sample.py`, from stdin: one JSON object a line. Rewrites the
//! files of the tree in place, and writes to stdout where each mutant stands in the new text, as one JSON object:
//! what the compiler says about that place is about that mutant.
//!
//! A mutant becomes a choice between the changed code and the present: `(if on(7) { a - b } else { a + b })`. The
//! operator is replaced in the syntax tree, not in the text: it keeps its operands.

mod compiled;
mod edits;
mod find;

use std::collections::BTreeMap;
use std::io::{Read, stdin};
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// A line and a column, both from 1, the column in characters: as cargo-mutants counts.
#[derive(Clone, Copy, Deserialize)]
struct Place {
    line: usize,
    column: usize,
}

#[derive(Clone, Copy, Deserialize)]
struct Stretch {
    start: Place,
    end: Place,
}

#[derive(Clone, Copy, Deserialize)]
enum Genre {
    FnValue,
    BinaryOperator,
    UnaryOperator,
    MatchArm,
    MatchArmGuard,
    StructField,
}

/// A mutant of the sample that the tree has.
#[derive(Deserialize)]
struct Mutant {
    id: u32,
    file: String,
    genre: Genre,
    to: String,
    span: Stretch,
}

/// Where mutants stand in the new text, in bytes.
#[derive(Serialize)]
struct Region {
    ids: Vec<u32>,
    start: usize,
    end: usize,
}

#[derive(Default, Serialize)]
struct Answer {
    regions: BTreeMap<String, Vec<Region>>,
    /// Mutants that are not in what is compiled on this system.
    not_found: Vec<u32>,
}

fn main() -> Result<()> {
    let mut input = String::new();
    stdin().read_to_string(&mut input)?;
    let mut files: BTreeMap<String, Vec<Mutant>> = BTreeMap::new();
    for line in input.lines() {
        let mutant: Mutant = serde_json::from_str(line).with_context(|| line.to_string())?;
        files.entry(mutant.file.clone()).or_default().push(mutant);
    }
    let tree = std::env::args().nth(1).context("usage: ratlla-mutants TREE <ROWS")?;
    let mut answer = Answer::default();
    for (file, mutants) in files {
        let path = Path::new(&tree).join(&file);
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let (edits, not_found) = find::edits(&text, &mutants).with_context(|| file.clone())?;
        let (new, regions) = edits::apply(&text, &edits);
        std::fs::write(&path, new)?;
        answer.not_found.extend(not_found);
        answer.regions.insert(file, regions);
    }
    println!("{}", serde_json::to_string(&answer)?);
    Ok(())
}
