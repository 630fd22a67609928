//! A match that is stopped, by whatever, goes on where it stopped, and leaves no process behind.

mod support;

use std::io::Write as _;
use std::process::{Child, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use ratlla_arena::record::{self, GameRecord};
use support::{Place, arena, dummy, lines_of, processes_with, wait_until};

const MATCH: [&str; 8] = ["--games", "40", "--nodes", "10", "--concurrency", "2", "--seed", "9"];

fn engines() -> Vec<String> {
    // A little thinking time, so that there is something to interrupt.
    [dummy("a", "native", "nap"), dummy("b", "line", "nap"), dummy("c", "native", "")].concat()
}

fn start(place: &Place) -> Child {
    let mut command = arena(&["match", "--record"]);
    command.arg(place.file("games.jsonl")).args(engines()).args(MATCH);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the arena starts")
}

fn resume(place: &Place) -> String {
    let mut command = arena(&["match", "--concurrency", "1", "--resume"]);
    let output = command.arg(place.file("games.jsonl")).output().expect("the arena starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// All games, without the times that no two runs share.
fn games(place: &Place) -> Vec<GameRecord> {
    let (_, mut games) = record::read(&place.file("games.jsonl")).expect("a record");
    for game in &mut games {
        game.times.clear();
    }
    games
}

#[test]
fn a_killed_match_goes_on_and_ends_as_if_nothing_had_happened() {
    let (calm, troubled) = (Place::new(), Place::new());
    let undisturbed = calm.play(&[engines()], &MATCH);
    assert_eq!(undisturbed.games.len(), 120);
    for games_so_far in [20, 55] {
        let record = troubled.file("games.jsonl");
        let mut child = if games_so_far == 20 {
            start(&troubled)
        } else {
            let mut command = arena(&["match", "--resume"]);
            command.arg(&record).stdout(Stdio::null()).stderr(Stdio::null());
            command.spawn().expect("the arena starts")
        };
        wait_until("some games are played", || lines_of(&record) > games_so_far);
        child.kill().expect("a running arena");
        child.wait().expect("an ended arena");
        assert!(lines_of(&record) < 121, "the match was over before it could be killed");
        // What a power cut may leave of the last line.
        let mut file = std::fs::File::options().append(true).open(&record).expect("a record");
        file.write_all(b"{\"type\":\"game\",\"number\":1").expect("room on the disk");
    }
    assert_eq!(resume(&troubled), undisturbed.text());
    assert_eq!(games(&troubled), games(&calm));
    // Once more, there is nothing left to do.
    assert_eq!(resume(&troubled), undisturbed.text());
    assert_eq!(lines_of(&troubled.file("games.jsonl")), 121);
}

#[test]
fn an_interrupted_match_says_how_to_go_on() {
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let place = Place::new();
        let record = place.file("games.jsonl");
        let mut command = arena(&["match", "--record"]);
        command.arg(&record).args(engines()).args(MATCH);
        let child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the arena starts");
        wait_until("some games are played", || lines_of(&record) > 5);
        kill(Pid::from_raw(child.id().cast_signed()), signal).expect("a running arena");
        let output = child.wait_with_output().expect("an ended arena");
        assert_eq!(output.status.code(), Some(130));
        let advice = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(advice.contains("--resume"), "{advice}");
        assert!(String::from_utf8_lossy(&output.stdout).contains(" of 120"));
        resume(&place);
        assert_eq!(games(&place).len(), 120);
    }
}

#[test]
fn a_damaged_record_is_refused_with_the_line() {
    let place = Place::new();
    let played = place.play(&[engines()], &["--games", "2", "--nodes", "10"]);
    let text = std::fs::read_to_string(place.file("games.jsonl")).expect("a record");
    let lines: Vec<&str> = text.lines().collect();
    let complaint = |content: &str| {
        let path = place.write("damaged.jsonl", content);
        let output = arena(&["match", "--resume"]).arg(&path).output().expect("the arena starts");
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(complaint("").contains("its first line is no match"));
    assert!(complaint(&format!("{}\nnonsense\n", lines[0])).contains("line 2"));
    let twice = format!("{}\n{1}\n{1}\n", lines[0], lines[1]);
    assert!(complaint(&twice).contains("stands there twice"));
    assert!(complaint(&format!("{}\n", lines[1])).contains("a game before the match"));
    assert_eq!(played.games.len(), 6);
}

#[test]
fn a_record_in_use_is_left_alone() {
    let place = Place::new();
    let mut child = start(&place);
    let record = place.file("games.jsonl");
    wait_until("the match has begun", || lines_of(&record) > 0);
    let output = arena(&["match", "--resume"]).arg(&record).output().expect("the arena starts");
    assert!(String::from_utf8_lossy(&output.stderr).contains("another arena is writing"));
    child.kill().expect("a running arena");
    child.wait().expect("an ended arena");
}

/// Engines that would go on for ever, alone or below a shell that waits for them.
fn stubborn_engines(mark: &str) -> Vec<String> {
    let program = env!("CARGO_BIN_EXE_ratlla-arena-dummy");
    let shell = format!("cmd=sh -c '{program} native deaf 1 {mark}; true'");
    let mut words = dummy("direct", "native", &format!("deaf 1 {mark}"));
    words.extend(["--engine", "name=below a shell", &shell].map(str::to_owned));
    words
}

#[test]
fn no_engine_outlives_the_arena_whatever_ends_it() {
    for signal in [Signal::SIGKILL, Signal::SIGTERM] {
        let mark = format!("mark-{}-{signal}", std::process::id());
        let mut command = arena(&["match", "--games", "2", "--depth", "1"]);
        command.args(stubborn_engines(&mark)).args(["--patience", "60000", "--concurrency", "2"]);
        let mut child =
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the arena starts");
        let dummy = format!("-dummy native deaf 1 {mark}");
        wait_until("the engines run", || processes_with(&dummy).len() >= 2);
        kill(Pid::from_raw(child.id().cast_signed()), signal).expect("a running arena");
        child.wait().expect("an ended arena");
        wait_until("no engine is left", || processes_with(&mark).is_empty());
    }
}

#[test]
fn no_engine_outlives_its_guard() {
    let mark = format!("mark-{}-guard", std::process::id());
    let mut command = arena(&["match", "--games", "2", "--depth", "1", "--patience", "1000"]);
    command.args(stubborn_engines(&mark)).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the arena starts");
    let guards = || -> Vec<i32> {
        let is_guard = |line: &String| line.contains("__supervisor") && line.contains(&mark);
        let guards = processes_with(&mark).into_iter().filter(is_guard);
        let pid = |line: String| line.split(':').next()?.rsplit('/').next()?.parse().ok();
        guards.filter_map(pid).collect()
    };
    wait_until("a guard runs", || !guards().is_empty());
    for guard in guards() {
        // It may be gone by now, which is as good.
        let _ = kill(Pid::from_raw(guard), Signal::SIGKILL);
    }
    // The games are lost, and the match ends by itself.
    assert!(child.wait().expect("an ended arena").success());
    wait_until("no engine is left", || processes_with(&mark).is_empty());
}

/// A game that could not be written does not count, and is played again when there is room.
#[test]
fn a_full_disk_ends_the_match_and_resuming_completes_it() {
    let place = Place::new();
    let record = place.file("games.jsonl");
    let mut words = vec!["match".to_owned(), "--record".to_owned(), record.display().to_string()];
    words.extend(engines());
    words.extend(MATCH.map(str::to_owned));
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 20; exec \"$0\" \"$@\""]);
    let output = command.arg(env!("CARGO_BIN_EXE_ratlla-arena")).args(words).output().unwrap();
    assert!(!output.status.success());
    let story = String::from_utf8_lossy(&output.stderr);
    assert!(story.contains("cannot write to the record: File too large"), "{story}");
    let before = games(&place);
    assert!(!before.is_empty() && before.len() < 120, "{} games", before.len());
    resume(&place);
    let after = games(&place);
    assert_eq!(after.len(), 120);
    assert!(before.iter().all(|game| after.contains(game)), "what was written stays");
}
