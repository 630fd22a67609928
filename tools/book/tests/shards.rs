//! A book made in parts, by the real program.

use std::path::Path;
use std::process::{Command, Output};

/// Scores of one stone in each column, or in its mirror image, as lines of a journal.
const SCORES: [&str; 4] = ["1 6 2", "1 18 1", "1 54 0", "1 162 -1"];

fn journal(entries: &[&str]) -> String {
    let checksum = |entry: &str| {
        entry
            .bytes()
            .fold(0x811C_9DC5u32, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    };
    entries.iter().map(|entry| format!("{entry} {:08x}\n", checksum(entry))).collect()
}

fn generate(book: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ratlla-book"))
        .args(["generate", "--plies", "1", "--hash", "1", "--out"])
        .arg(book)
        .args(words)
        .output()
        .expect("it starts")
}

#[test]
fn parts_use_what_all_journals_know_and_a_whole_book_comes_of_them() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("book in parts");
    drop(std::fs::remove_dir_all(&folder));
    std::fs::create_dir_all(&folder).expect("the target folder can be written to");
    let (parts, whole) = (folder.join("parts.bin"), folder.join("whole.bin"));
    // Half of the scores were found elsewhere, the others by each part: nothing is left to solve.
    std::fs::write(folder.join("parts.bin.journal"), journal(&SCORES[..2])).expect("a journal");
    std::fs::write(folder.join("parts.bin.2-of-2.journal"), journal(&SCORES[2..])).expect("one");
    for shard in ["1/2", "2/2"] {
        let output = generate(&parts, &["--shard", shard]);
        assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
        assert!(!parts.exists(), "a part is no book");
    }
    std::fs::write(folder.join("whole.bin.journal"), journal(&SCORES)).expect("a journal");
    for book in [&parts, &whole] {
        let output = generate(book, &[]);
        assert!(output.status.success(), "{output:?}");
    }
    let bytes = |book| std::fs::read(book).expect("a book");
    assert_eq!(bytes(&parts), bytes(&whole));
}

#[test]
fn a_part_that_makes_no_sense_is_refused() {
    for shard in ["0/2", "3/2", "1", "a/b"] {
        let output = generate(Path::new("nowhere.bin"), &["--shard", shard]);
        let complaints = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{shard}");
        assert!(complaints.contains("not I/N with 1 <= I <= N"), "{complaints}");
    }
}
