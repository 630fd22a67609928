//! `solve` finds exact scores of every game, and says what it cannot do.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

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
fn a_reader_that_has_gone_away_is_no_error() {
    let mut lab = Command::new(LAB);
    lab.args(["solve", "connect4", "4", "4"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut lab = lab.spawn().expect("the program starts");
    drop(lab.stdout.take());
    let output = lab.wait_with_output().expect("the program ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !errors.contains("panicked"), "{errors}");
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
fn a_table_from_a_file_makes_larger_boards_solvable() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = folder.path().join("wali.table");
    let mut build = Command::new(LAB);
    build.args(["wali-table", "build"]).arg(&table);
    build.args(["--stones", "3", "--rows", "4", "--columns", "5"]);
    assert!(build.output().expect("the program starts").status.success());
    assert!(solve("wali 4 5 3").unwrap_err().contains("no solver"));
    let found = row(&format!("wali 4 5 3 --table '{}'", table.display()));
    assert_eq!(found["score"], "draw");
    assert_eq!(found["table"], table.to_str().expect("a plain name"));
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
        ("connect4 4 4 --checkpoint x --every 0", "expected a number of seconds"),
        ("connect4 4 4 --table x", "--table: connect4 4 4 4 has no endgame tables in files"),
        ("wali 3 3 3 --table /no/such/file", "--table: "),
        ("boom --checkpoint x", "this game's solver has nothing to save"),
        ("connect4 4 4 --checkpoint /no/such/folder/x", "cannot write /no/such/folder/x.lock"),
    ] {
        let error = solve(arguments).unwrap_err();
        assert!(error.contains(part), "{arguments}: {error}");
    }
}

/// Starts a job that is saved all the time.
fn start(game: &str, checkpoint: &Path) -> Child {
    Command::new(LAB)
        .arg("solve")
        .args(game.split(' '))
        .args(["--hash", "64", "--json", "--every", "0.02", "--checkpoint"])
        .arg(checkpoint)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// What a job prints at its end, or its error.
fn end(job: Child) -> Result<Value, String> {
    let output = job.wait_with_output().unwrap();
    match output.status.success() {
        true => Ok(serde_json::from_slice(&output.stdout).expect("one line of JSON")),
        false => Err(String::from_utf8(output.stderr).unwrap()),
    }
}

fn kill(mut job: Child) {
    job.kill().unwrap();
    job.wait().unwrap();
}

/// Where the text of a checkpoint ends and the table begins.
fn text_end(checkpoint: &[u8]) -> usize {
    16 + u64::from_le_bytes(checkpoint[8..16].try_into().unwrap()) as usize
}

/// The checkpoint of a job that was killed.
fn checkpoint_of(game: &str, path: &Path) -> Vec<u8> {
    let job = start(game, path);
    while !path.exists() {
        sleep(Duration::from_millis(1));
    }
    kill(job);
    fs::read(path).unwrap()
}

/// Kills come at any time, also while a checkpoint is being written.
#[test]
fn a_job_that_is_killed_again_and_again_finds_the_same() {
    for (game, least_kills) in [("connect4 5 6 --first-moves", 3), ("kalah 4 4 --first-moves", 1)] {
        let expected = row(game);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("job");
        let (mut kills, mut last_nodes) = (0, 0);
        let found = loop {
            let mut job = start(game, &path);
            sleep(Duration::from_millis(10 + 10 * kills));
            if kills == 8 || job.try_wait().unwrap().is_some() {
                break end(job).unwrap();
            }
            kill(job);
            kills += 1;
            if let Ok(bytes) = fs::read(&path) {
                let text: Value = serde_json::from_slice(&bytes[16..text_end(&bytes)]).unwrap();
                let nodes = text["effort"]["nodes"].as_u64().unwrap();
                assert!(nodes >= last_nodes, "totals only grow");
                last_nodes = nodes;
            }
        };
        assert!(kills >= least_kills, "{game}: only {kills} kills");
        for name in ["game", "score", "moves", "threads"] {
            assert_eq!(found[name], expected[name], "{name}");
        }
        assert!(found["nodes"].as_u64().unwrap() >= last_nodes);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "files are left over");
    }
}

#[test]
fn a_wrong_byte_another_job_or_a_second_process_is_refused() {
    const GAME: &str = "connect4 5 6 --first-moves";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("job");
    let good = checkpoint_of(GAME, &path);
    let refused = |game: &str, bytes: &[u8], part: &str| {
        fs::write(&path, bytes).unwrap();
        let error = end(start(game, &path)).unwrap_err();
        assert!(error.contains(part) && error.contains(path.to_str().unwrap()), "{part}: {error}");
        assert_eq!(fs::read(&path).unwrap(), bytes, "the file is kept");
    };
    let text = text_end(&good);
    let last = good.len() - 1;
    let regions = [8, 15, 16, text - 1, text, text + 8, text + 40, text + 56, text + 64, text + 72];
    for place in regions.into_iter().chain([text + 80, last / 2, last - 8, last - 7, last]) {
        let mut bad = good.clone();
        bad[place] ^= 1;
        refused(GAME, &bad, "a damaged checkpoint");
    }
    let mut bad = good.clone();
    bad[0] ^= 1;
    refused(GAME, &bad, "not a checkpoint");
    refused(GAME, b"", "not a checkpoint");
    for length in [8, 16, text, last / 16 * 8, last - 7, last] {
        refused(GAME, &good[..length], "a damaged checkpoint");
    }
    refused(GAME, &[&good[..], &[0; 8]].concat(), "a damaged checkpoint");
    refused("connect4 5 6 5", &good, "of connect4 5 6 4, expected one of connect4 5 6 5");
    refused("connect4 5 6 --moves 3", &good, "expected one of connect4 5 6 4 after 3");
    let lock = File::create(folder.path().join("job.lock")).unwrap();
    lock.lock().unwrap();
    refused(GAME, &good, "is in use");
    drop(lock);
    assert_eq!(end(start(GAME, &path)).unwrap()["score"], "draw");
}
