//! No file that a user can name makes the program read without end.

#![cfg(target_os = "linux")]

use std::path::Path;

use ratlla_workspace::files::check_endless_files;

#[test]
fn no_argument_reads_a_file_without_end() {
    let folder = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_ratlla-kgp"));
    check_endless_files(program, folder.path(), &[("--token-file", "--token-file {}")]);
}
