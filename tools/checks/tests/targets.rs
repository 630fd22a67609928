//! Runs every target on its corpus, which includes inputs that once revealed defects, and on
//! pseudorandom variations of it: a short, repeatable fuzzing run.

use std::fs;
use std::path::{Path, PathBuf};

use peak_alloc::PeakAlloc;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla_checks::targets::TARGETS;

/// Number of variations; sessions take longer than texts.
fn variations(target: &str) -> usize {
    match target {
        "conversation" | "worker_lines" => 300,
        "wali_table" | "explain" | "certificate" => 1000,
        _ => 10_000,
    }
}

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Memory limit of one check in MiB: far more than needed, far less than a claimed size.
const MAX_MEMORY: f32 = 64.0;

fn corpus(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{target}: {error}"));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

/// Bytes that are likely to matter: limits of numbers, digits and separators.
const BYTES: &[u8] = b"\0\x01\x7f\x80\xff \n\t-0123456789/.\"{}[]<>=,#xXoO";

/// An input with a few changes.
fn variation(inputs: &[(PathBuf, Vec<u8>)], rng: &mut SmallRng) -> Vec<u8> {
    let mut bytes = inputs[rng.random_range(0..inputs.len())].1.clone();
    for _ in 0..rng.random_range(1..5) {
        let place = rng.random_range(0..=bytes.len());
        let byte = BYTES[rng.random_range(0..BYTES.len())];
        match rng.random_range(0..6) {
            0 => bytes.truncate(place),
            1 => bytes.insert(place, byte),
            2 if place < bytes.len() => drop(bytes.remove(place)),
            3 if place < bytes.len() => bytes[place] ^= 1 << rng.random_range(0..8),
            4 if place < bytes.len() => bytes[place] = byte,
            _ => {
                // Splice the end of any input.
                let other = &inputs[rng.random_range(0..inputs.len())].1;
                let from = rng.random_range(0..=other.len());
                bytes.truncate(place);
                bytes.extend(&other[from..]);
            }
        }
        bytes.truncate(4096);
    }
    bytes
}

/// A single test, so that the memory in use is that of one input. The environment variable
/// `RATLLA_TARGETS` may limit it to some targets, names separated by spaces.
#[test]
fn no_input_reveals_a_defect_or_takes_much_memory() {
    let chosen = std::env::var("RATLLA_TARGETS").ok();
    let is_chosen =
        |name| chosen.as_ref().is_none_or(|names| names.split(' ').any(|it| it == name));
    for target in TARGETS.iter().filter(|target| is_chosen(target.name)) {
        let inputs = corpus(target.name);
        let mut rng = SmallRng::seed_from_u64(1);
        let check = |bytes: &[u8], name: &str| {
            let before = MEMORY.current_usage_as_mb();
            MEMORY.reset_peak_usage();
            let result = std::panic::catch_unwind(|| (target.check)(bytes));
            assert!(
                result.is_ok(),
                "{} {name}: {:?}",
                target.name,
                bytes.escape_ascii().to_string()
            );
            let used = MEMORY.peak_usage_as_mb() - before;
            assert!(used < MAX_MEMORY, "{} {name}: {used} MiB for {bytes:?}", target.name);
        };
        for (path, bytes) in &inputs {
            check(bytes, &path.display().to_string());
        }
        for number in 0..variations(target.name) {
            check(&variation(&inputs, &mut rng), &format!("variation {number}"));
        }
    }
}

#[test]
fn every_target_has_a_fuzzer_and_vice_versa() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let mut programs: Vec<String> = fs::read_dir(folder.join("fuzz_targets"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    programs.sort();
    let mut targets: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    targets.sort_unstable();
    assert_eq!(programs, targets);
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    for target in targets {
        assert!(manifest.contains(&format!("name = \"{target}\"")), "{target}");
        let program = folder.join(format!("fuzz_targets/{target}.rs"));
        let text = fs::read_to_string(program).unwrap();
        assert!(text.contains(&format!("check(\"{target}\", data)")), "{target}");
    }
}
