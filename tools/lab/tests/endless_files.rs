//! No file that a user can name makes the program read without end.

#![cfg(target_os = "linux")]

use std::path::Path;

use ratlla_workspace::files::check_endless_files;

#[test]
fn no_argument_reads_a_file_without_end() {
    let folder = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_ratlla-lab"));
    let calls = [
        ("book check book", "book check {}"),
        ("book extend --out", ""),
        ("book generate --out", ""),
        ("boom-certificate check files", "boom-certificate check {}"),
        ("boom-certificate make file", ""),
        ("fit games --out", "fit games --game wali --out {}"),
        ("fit network --out", ""),
        ("fit network games", "fit network {} --out networks"),
        ("fit weights --out", ""),
        ("fit weights games", "fit weights boom {}"),
        // After the book: see `kalah-table check`.
        ("kalah-book check --table", ""),
        ("kalah-book check book", "kalah-book check {}"),
        ("kalah-book generate --out", ""),
        ("kalah-book generate --table", "kalah-book generate --out book --table {}"),
        ("kalah-book verify --table", ""),
        ("kalah-table build file", "kalah-table build 3 5 {}"),
        ("kalah-table check file", "kalah-table check {}"),
        ("results add --docs", ""),
        ("results add files", "results add {} --docs ."),
        ("results check --docs", "results check --docs {}"),
        ("results page --docs", "results page --docs {}"),
        ("results plots --docs", "results plots --docs {}"),
        // A lock is written beside it first: see `tests/solve.rs`.
        ("solve --checkpoint", ""),
        ("solve --table", "solve wali 3 3 3 --table {}"),
        ("wali-table build file", "wali-table build --rows 3 --columns 3 {}"),
        ("wali-table check file", "wali-table check {}"),
        ("wali-table stats file", "wali-table stats {}"),
    ];
    check_endless_files(program, folder.path(), &calls);
}
