//! `solve` finds exact scores of every game, and says what it cannot do.

use std::process::Command;

use serde_json::{Value, json};

const LAB: &str = env!("CARGO_BIN_EXE_ratlla-lab");

/// What `solve` prints with these arguments, or its error.
fn solve(arguments: &str) -> Result<String, String> {
    let output = Command::new(LAB)
        .arg("solve")
        .args(shlex::split(arguments).expect("the test quotes well"))
        .output()
        .expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("the program prints text");
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

fn row(arguments: &str) -> Value {
    let line = solve(&format!("{arguments} --json")).unwrap();
    serde_json::from_str(&line).expect("one line of JSON")
}

#[test]
fn every_game_is_solved_through_the_registry() {
    for (game, title, score) in [
        ("connect4 4 5", "connect4 4 5 4", "draw"),
        ("4 4 3", "connect4 4 4 3", "win 9"),
        ("kalah 3 3", "kalah 3 3", "margin 2"),
        ("wali 3 4 3", "wali 3 4 3", "draw"),
        ("boom --moves '4 3 3 3 3 6 3 4 6 4 4 4 3 5 3 4 6 6 2 2'", "boom", "win 5"),
    ] {
        let row = row(game);
        assert_eq!((&row["game"], &row["score"]), (&json!(title), &json!(score)), "{game}");
        assert!(row["nodes"].as_u64() > Some(0) && row["pv"].is_string(), "{row}");
        assert_eq!((&row["threads"], &row["hash_mib"]), (&json!(1), &json!(1024)));
        assert_eq!(row.get("moves"), None);
    }
}

#[test]
fn first_moves_have_scores_of_their_own() {
    let row = row("connect4 4 4 3 --first-moves --hash 16");
    assert_eq!(row["score"], "win 9");
    let moves = json!([["1", "win 15"], ["2", "win 9"], ["3", "win 9"], ["4", "win 15"]]);
    assert_eq!(row["moves"], moves);
    let [value_nodes, nodes] = ["value_nodes", "nodes"].map(|name| row[name].as_u64().unwrap());
    assert!(0 < value_nodes && value_nodes < nodes, "{row}");
    let text = solve("connect4 4 4 3 --first-moves --moves 2").unwrap();
    assert!(text.starts_with("connect4 4 4 3 after 2: loss 8\nmove 1: loss "), "{text}");
}

#[test]
fn bad_arguments_are_told() {
    for (arguments, part) in [
        ("chess", "unknown game 'chess'"),
        ("connect4 6", "expected 0, 2 or 3 numbers, got 1"),
        ("connect4 6 7 --moves '4 9'", "--moves: move 2, '9'"),
        ("connect4 6 7 --moves '1 2 1 2 1 2 1'", "the game is over (p1win)"),
        ("wali", "no solver for wali 5 6 12"),
        ("connect4 12 12", "no solver for connect4 12 12 4"),
        ("connect4 4 4 --hash 0", "--hash"),
        ("connect4 4 4 --threads x", "--threads"),
    ] {
        let error = solve(arguments).unwrap_err();
        assert!(error.contains(part), "{arguments}: {error}");
    }
}

/// A job that would take too long, in this folder.
const JOB: &str = "connect4 5 7 --first-moves --json --every 1 --hash 64 --checkpoint";

/// Starts a job and kills it when its checkpoint has been replaced, or returns what it printed if
/// it was faster.
fn run_until_saved(job: &str, checkpoint: &Path) -> Option<Value> {
    let saved = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    let before = saved(checkpoint);
    let mut process = Command::new(LAB)
        .arg("solve")
        .args(job.split(' '))
        .arg(checkpoint)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    loop {
        if process.try_wait().unwrap().is_some() {
            let output = process.wait_with_output().unwrap();
            assert!(output.status.success());
            return Some(serde_json::from_slice(&output.stdout).unwrap());
        }
        if saved(checkpoint) != before {
            process.kill().unwrap();
            process.wait().unwrap();
            return None;
        }
        sleep(Duration::from_millis(20));
    }
}
