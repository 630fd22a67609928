//! A match can be resumed however it was stopped, and leaves no process behind.

mod support;

use std::io::Write as _;
use std::process::{Child, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use ratlla_arena::record::{self, GameRecord};
use support::{FORFEITS, MatchDir, arena, count_lines, dummy, processes_with, wait_until};

const MATCH: [&str; 8] = ["--games", "40", "--nodes", "10", "--concurrency", "2", "--seed", "9"];

fn engines() -> Vec<String> {
    // Some time per move, so that there is something to interrupt.
    [dummy("a", "native", "nap"), dummy("b", "line", "nap"), dummy("c", "native", "")].concat()
}

fn start(dir: &MatchDir) -> Child {
    let mut command = arena(&["match", "--record"]);
    command.arg(dir.file("games.jsonl")).args(engines()).args(MATCH);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the arena starts")
}

fn resume(dir: &MatchDir) -> String {
    let mut command = arena(&["match", "--concurrency", "1", "--resume"]);
    let output = command.arg(dir.file("games.jsonl")).output().expect("the arena starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// All games, without the times, which differ from run to run.
fn games(dir: &MatchDir) -> Vec<GameRecord> {
    let (_, mut games) = record::read(&dir.file("games.jsonl")).expect("a record");
    for game in &mut games {
        game.times.clear();
    }
    games
}

#[test]
fn a_killed_match_resumes_and_ends_like_an_undisturbed_one() {
    let (calm, killed) = (MatchDir::new(), MatchDir::new());
    let undisturbed = calm.play(&[engines()], &MATCH);
    assert_eq!(undisturbed.games.len(), 120);
    for games_so_far in [20, 55] {
        let record = killed.file("games.jsonl");
        let mut child = if games_so_far == 20 {
            start(&killed)
        } else {
            let mut command = arena(&["match", "--resume"]);
            command.arg(&record).stdout(Stdio::null()).stderr(Stdio::null());
            command.spawn().expect("the arena starts")
        };
        wait_until("some games are played", || count_lines(&record) > games_so_far);
        child.kill().expect("a running arena");
        child.wait().expect("an ended arena");
        assert!(count_lines(&record) < 121, "the match ended before it could be killed");
        // The incomplete line that a power cut may leave.
        let mut file = std::fs::File::options().append(true).open(&record).expect("a record");
        file.write_all(b"{\"type\":\"game\",\"number\":1").expect("room on the disk");
    }
    assert_eq!(resume(&killed), undisturbed.text());
    assert_eq!(games(&killed), games(&calm));
    // Resuming a complete match plays nothing.
    assert_eq!(resume(&killed), undisturbed.text());
    assert_eq!(count_lines(&killed.file("games.jsonl")), 121);
}

/// Openings may be generated in another way by another version of the arena.
#[test]
fn a_round_that_has_begun_keeps_its_opening() {
    let dir = MatchDir::new();
    let engines = [dummy("a", "native", ""), dummy("b", "native", "")];
    let played = dir.play(&engines, &["--games", "4", "--depth", "1"]);
    let record = std::fs::read_to_string(dir.file("games.jsonl")).expect("a record");
    let [header, first, ..] = &record.lines().collect::<Vec<_>>()[..] else { panic!("a game") };
    let moves = |key: &str, list: &[String]| format!("\"{key}\":[\"{}\"]", list.join("\",\""));
    let opening = ["1", "7", "1", "7"].map(str::to_owned);
    assert_ne!(played.games[0].opening, opening);
    let first =
        first.replace(&moves("opening", &played.games[0].opening), &moves("opening", &opening));
    std::fs::write(dir.file("games.jsonl"), format!("{header}\n{first}\n")).expect("a file");
    resume(&dir);
    let openings: Vec<_> = games(&dir).into_iter().map(|game| game.opening).collect();
    assert_eq!(openings[..2], [opening.to_vec(), opening.to_vec()]);
    assert_eq!(openings[2..], [played.games[2].opening.clone(), played.games[3].opening.clone()]);
}

#[test]
fn an_interrupted_match_says_how_to_resume() {
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let dir = MatchDir::new();
        let record = dir.file("games.jsonl");
        let mut command = arena(&["match", "--record"]);
        command.arg(&record).args(engines()).args(MATCH);
        let child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the arena starts");
        wait_until("some games are played", || count_lines(&record) > 5);
        kill(Pid::from_raw(child.id().cast_signed()), signal).expect("a running arena");
        let output = child.wait_with_output().expect("an ended arena");
        assert_eq!(output.status.code(), Some(130));
        let hint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(hint.contains("--resume"), "{hint}");
        assert!(String::from_utf8_lossy(&output.stdout).contains(" of 120"));
        resume(&dir);
        assert_eq!(games(&dir).len(), 120);
    }
}

#[test]
fn a_damaged_record_is_refused_with_its_line() {
    let dir = MatchDir::new();
    let played = dir.play(&[engines()], &["--games", "2", "--nodes", "10"]);
    let text = std::fs::read_to_string(dir.file("games.jsonl")).expect("a record");
    let lines: Vec<&str> = text.lines().collect();
    let error = |content: &str| {
        let path = dir.write("damaged.jsonl", content);
        let output = arena(&["match", "--resume"]).arg(&path).output().expect("the arena starts");
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(error("").contains("the first line is not a match header"));
    assert!(error(&format!("{}\nnonsense\n", lines[0])).contains("line 2"));
    let twice = format!("{}\n{1}\n{1}\n", lines[0], lines[1]);
    assert!(error(&twice).contains("duplicate game number 0"));
    assert!(error(&format!("{}\n", lines[1])).contains("line 1: game before match header"));
    assert_eq!(played.games.len(), 6);
}

#[test]
fn a_record_in_use_is_locked() {
    let dir = MatchDir::new();
    let mut child = start(&dir);
    let record = dir.file("games.jsonl");
    wait_until("the match has begun", || count_lines(&record) > 0);
    let output = arena(&["match", "--resume"]).arg(&record).output().expect("the arena starts");
    assert!(String::from_utf8_lossy(&output.stderr).contains("in use by another arena"));
    child.kill().expect("a running arena");
    child.wait().expect("an ended arena");
}

/// Engines that never exit by themselves, started directly and by a shell that waits for them.
fn stubborn_engines(mark: &str) -> Vec<String> {
    let program = env!("CARGO_BIN_EXE_ratlla-arena-dummy");
    let shell = format!("cmd=sh -c '{program} native hang 2 {mark}; true'");
    let mut words = dummy("direct", "native", &format!("hang 2 {mark}"));
    words.extend(["--engine", "name=below a shell", &shell].map(str::to_owned));
    words
}

#[test]
fn no_engine_outlives_the_arena() {
    for signal in [Signal::SIGKILL, Signal::SIGTERM] {
        let mark = format!("mark-{}-{signal}", std::process::id());
        let mut command = arena(&["match", "--games", "2", "--depth", "1"]);
        command.args(stubborn_engines(&mark)).args(["--patience", "60000", "--concurrency", "2"]);
        let mut child =
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the arena starts");
        let dummy = format!("-dummy native hang 2 {mark}");
        // Both, each with its supervisor or its shell.
        wait_until("the engines run", || processes_with(&dummy).len() >= 4);
        kill(Pid::from_raw(child.id().cast_signed()), signal).expect("a running arena");
        child.wait().expect("an ended arena");
        wait_until("no engine is left", || processes_with(&mark).is_empty());
    }
}

#[test]
fn no_engine_outlives_its_supervisor() {
    let mark = format!("mark-{}-supervisor", std::process::id());
    let mut command = arena(&["match", "--games", "2", "--depth", "1", "--patience", "1000"]);
    command.args(stubborn_engines(&mark)).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the arena starts");
    let supervisors = || -> Vec<i32> {
        let lines = processes_with(&mark).into_iter().filter(|line| line.contains("__supervisor"));
        let pid = |line: String| line.split(':').next()?.rsplit('/').next()?.parse().ok();
        lines.filter_map(pid).collect()
    };
    wait_until("a supervisor runs", || !supervisors().is_empty());
    for supervisor in supervisors() {
        // It may have exited by now.
        let _ = kill(Pid::from_raw(supervisor), Signal::SIGKILL);
    }
    // The engines forfeit, or are refused if the match has not begun, and the arena ends by itself.
    let status = child.wait().expect("an ended arena").code();
    assert!(matches!(status, Some(1 | FORFEITS)), "{status:?}");
    wait_until("no engine is left", || processes_with(&mark).is_empty());
}

/// A game that could not be written does not count and is replayed on resuming.
#[test]
fn a_full_disk_ends_the_match_and_resuming_completes_it() {
    let dir = MatchDir::new();
    let record = dir.file("games.jsonl");
    let mut words = vec!["match".to_owned(), "--record".to_owned(), record.display().to_string()];
    words.extend(engines());
    words.extend(MATCH.map(str::to_owned));
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 20; exec \"$0\" \"$@\""]);
    let output = command.arg(env!("CARGO_BIN_EXE_ratlla-arena")).args(words).output().unwrap();
    assert!(!output.status.success());
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("cannot write to the record: File too large"), "{error}");
    let before = games(&dir);
    assert!(!before.is_empty() && before.len() < 120, "{} games", before.len());
    resume(&dir);
    let after = games(&dir);
    assert_eq!(after.len(), 120);
    assert!(before.iter().all(|game| after.contains(game)), "games on disk are kept");
}
