//! Published certificates with the real program, and with the checker in Python, which shares
//! nothing with it: both accept and refuse the same files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use sha2::{Digest, Sha256};

fn certificate(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/certificates").join(name)
}

/// What the checkers answer: the program, and Python's if it is installed.
fn answers(file: &Path) -> Vec<Output> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("check_certificate.py");
    let program = Command::new(env!("CARGO_BIN_EXE_ratlla-lab"))
        .args(["boom-certificate", "check"])
        .arg(file)
        .output();
    let mut answers = vec![program.expect("the program starts")];
    if let Some(python) = ratlla_workspace::python() {
        answers.push(Command::new(python).arg(script).arg(file).output().expect("Python starts"));
    }
    answers
}

#[test]
fn both_checkers_accept_certificates_and_count_the_same() {
    let expected = [
        (
            "boom-1-p2-wins-by-18.txt",
            "p2 wins by 18 from startpos moves 1, 16 entries, 329 positions",
        ),
        (
            "boom-2-p2-wins-by-23.txt",
            "p2 wins by 23 from startpos moves 2, 204 entries, 4338 positions",
        ),
        (
            "boom-3-p2-unbeaten-before-33.txt",
            "p2 unbeaten before 33 from startpos moves 3, 1427 entries, 25144 positions",
        ),
    ];
    for (name, claim) in expected {
        let file = certificate(name);
        for Output { status, stdout, stderr } in answers(&file) {
            assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
            let line = format!("{}: {claim}\n", file.display());
            assert_eq!(String::from_utf8_lossy(&stdout), line);
        }
    }
}

#[test]
fn both_checkers_refuse_what_proves_nothing() {
    let text = fs::read_to_string(certificate("boom-1-p2-wins-by-18.txt")).unwrap();
    let signed = |text: &str| {
        let (signed, _) = text.rsplit_once("sha256").unwrap();
        let digest: String =
            Sha256::digest(signed).iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{signed}sha256 {digest}\n")
    };
    assert_eq!(signed(&text), text);
    let replaced = |old: &str, new: &str| {
        assert!(text.contains(old), "{old}");
        text.replacen(old, new, 1)
    };
    let wrong = [
        ("", "is not there"),
        ("no certificate", "is none"),
        (&replaced("///1 4", "///1 5"), "has another checksum"),
        (&signed(&replaced("///1 4", "///1 5")), "goes on without entries"),
        (&signed(&replaced("///1 4", "///1 boom")), "has an illegal move"),
        (&signed(&replaced("by 18", "by 17")), "claims too much"),
        (&signed(&replaced("p2 wins", "p1 wins")), "claims the opposite"),
        (&signed(&replaced("16\n2 //////1 4\n", "15\n")), "lacks an entry"),
        (&signed(&replaced("16\n", "17\n")), "counts wrongly"),
        (&signed(&replaced("16\n", "17\n2 /////1/ 4\n")), "has an entry too many"),
        (&signed(&replaced("game boom", "game kalah")), "is about another game"),
        (&signed(&replaced("moves 1", "moves 8")), "begins with an illegal move"),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (text, what) in wrong {
        let file = folder.path().join("certificate.txt");
        if !text.is_empty() {
            fs::write(&file, text).unwrap();
        }
        for Output { status, stdout, stderr } in answers(&file) {
            let stderr = String::from_utf8_lossy(&stderr);
            assert!(!status.success() && stdout.is_empty(), "{what}");
            assert!(stderr.contains("certificate.txt") && !stderr.contains("panicked"), "{stderr}");
        }
    }
}

#[test]
fn rows_for_the_record_are_those_in_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO_BIN_EXE_ratlla-lab"))
        .args(["boom-certificate", "check", "--json"])
        .args(["docs/certificates/boom-p1-wins-by-25.txt"])
        .args(["docs/certificates/boom-1-p2-wins-by-18.txt"])
        .current_dir(&root)
        .output()
        .expect("the program starts");
    let rows = String::from_utf8(output.stdout).unwrap();
    assert_eq!(rows.lines().count(), 2, "{}", String::from_utf8_lossy(&output.stderr));
    let record = fs::read_to_string(root.join("docs/results.jsonl")).unwrap();
    for row in rows.lines() {
        assert!(record.lines().any(|line| line == row), "{row}");
    }
}
