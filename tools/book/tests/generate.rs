//! Books made by the real program: in parts, and where there is no room.

use std::path::{Path, PathBuf};
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
    generate_after("", book, words)
}

/// The same after what a shell does before.
fn generate_after(before: &str, book: &Path, words: &[&str]) -> Output {
    Command::new("sh")
        .args(["-c", &format!("{before}\nexec \"$0\" \"$@\"")])
        .arg(env!("CARGO_BIN_EXE_ratlla-book"))
        .args(["generate", "--plies", "1", "--hash", "1", "--out"])
        .arg(book)
        .args(words)
        .output()
        .expect("it starts")
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    drop(std::fs::remove_dir_all(&folder));
    std::fs::create_dir_all(&folder).expect("the target folder can be written to");
    folder
}

#[test]
fn parts_use_what_all_journals_know_and_a_whole_book_comes_of_them() {
    let folder = folder("book in parts");
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

/// Whatever is written to the device does not fit, nor what is beyond a limit.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_the_book_that_is_there_stays() {
    use std::os::unix::fs::symlink;
    let folder = folder("book without room");
    let book = folder.join("book.bin");
    let journals = folder.join("book.bin.journal");
    std::fs::write(&book, "the old book").expect("a file");
    let refused = |before: &str, reason: &str| {
        let output = generate_after(before, &book, &[]);
        let complaints = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success());
        assert!(complaints.contains(reason), "{complaints}");
        assert!(complaints.contains("book.bin"), "{complaints}");
        assert_eq!(std::fs::read_to_string(&book).expect("the old book"), "the old book");
    };
    symlink("/dev/full", &journals).expect("a link");
    refused("", "No space left on device");
    std::fs::remove_file(&journals).expect("the link is there");
    std::fs::write(&journals, journal(&SCORES)).expect("a journal");
    refused("trap '' XFSZ; ulimit -f 0", "File too large");
    let names = std::fs::read_dir(&folder).expect("the folder").count();
    assert_eq!(names, 2, "nothing half-written is left behind");
    assert!(generate(&book, &[]).status.success(), "then there is room");
    assert_ne!(std::fs::read(&book).expect("a book"), b"the old book");
}
