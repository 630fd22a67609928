//! A disk that becomes full while the table is built: told, and the next run goes on where the
//! last whole part ended.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use ratlla::games::wali::endgame::file;
use ratlla::platform::files::beside;

fn folder() -> PathBuf {
    let path = std::env::temp_dir().join(format!("ratlla-walidb-{}", std::process::id()));
    std::fs::create_dir_all(&path).expect("a temporary folder");
    path
}

/// Builds the table where no file can have more than so many blocks.
fn build(blocks: u32, path: &Path) -> Output {
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" build \"$1\""));
    command.arg(env!("CARGO_BIN_EXE_ratlla-walidb")).arg(path).output().expect("the program starts")
}

/// The first line of a run, which is ended then.
fn first_word(path: &Path) -> String {
    let mut run = Command::new(env!("CARGO_BIN_EXE_ratlla-walidb"))
        .arg("build")
        .arg(path)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    BufReader::new(run.stdout.take().expect("a pipe")).read_line(&mut line).expect("text");
    run.kill().expect("it runs");
    run.wait().expect("it has ended");
    line.trim_end().to_owned()
}

#[test]
fn the_next_run_goes_on_from_the_last_whole_part() {
    let folder = folder();
    let path = folder.join("table");
    let part = beside(&path, "part");
    let story = |output: &Output| {
        let texts = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        format!("{}{}", texts[0], texts[1])
    };
    // No room for anything: nothing is left behind.
    let failed = build(20, &path);
    assert!(!failed.status.success());
    assert!(story(&failed).contains("File too large"), "{}", story(&failed));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    // Room for the first two classes, but not for the next.
    let failed = build(2000, &path);
    assert!(!failed.status.success());
    assert!(story(&failed).contains("File too large"), "{}", story(&failed));
    assert_eq!(file::read(&part).map(|(classes, _)| classes), Ok(2));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "nothing else is there");
    assert_eq!(first_word(&path), "going on after 2 of 5 classes");
    // A part that is damaged is no part.
    let mut bytes = std::fs::read(&part).unwrap();
    bytes[1000] ^= 1;
    std::fs::write(&part, bytes).unwrap();
    let said = first_word(&path);
    assert!(said.starts_with("starting anew: "), "{said}");
    std::fs::remove_dir_all(&folder).unwrap();
}
