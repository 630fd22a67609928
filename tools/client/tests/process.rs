//! Well-behaved and misbehaving engines, as real processes.
#![cfg(unix)]

use std::process::Command;
use std::time::{Duration, Instant};

use ratlla_client::{Engine, EngineError, Event, Launch, Process};

const TIMEOUT: Duration = Duration::from_secs(20);

fn start(command: &str) -> Engine {
    Engine::start(&Launch::from_command_line(command).unwrap()).unwrap()
}

fn next_line(engine: &mut Engine) -> String {
    engine.next_line(TIMEOUT).unwrap().text
}

/// How it exits, after any lines.
fn exit_status(engine: &mut Engine) -> String {
    match engine.lines_until(TIMEOUT, |_| false) {
        Err(EngineError::Exited(status)) => status,
        other => panic!("{other:?}"),
    }
}

fn signal(signal: &str, id: &str) -> bool {
    Command::new("kill").args([signal, id]).status().unwrap().success()
}

#[test]
fn lines_are_sent_and_received_in_order() {
    let mut engine = start("cat");
    let sent = engine.send("isready").unwrap();
    engine.send("go depth 3").unwrap();
    engine.send("stop").unwrap();
    let lines = engine.lines_until(TIMEOUT, |line| line.starts_with("go")).unwrap();
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(texts, ["isready", "go depth 3"]);
    assert!(sent < lines[0].at && lines[0].at <= lines[1].at);
    assert_eq!(next_line(&mut engine), "stop");
}

#[test]
fn a_silent_engine_times_out() {
    let mut engine = start("cat");
    assert_eq!(engine.next_line(Duration::from_millis(50)), Err(EngineError::Timeout));
}

#[test]
fn the_exit_status_is_reported() {
    let mut engine = start("sh -c 'echo hello; exit 3'");
    assert_eq!(next_line(&mut engine), "hello");
    assert!(exit_status(&mut engine).contains('3'));
}

#[test]
fn a_killed_engine_is_noticed() {
    let mut engine = start("sh -c 'echo $$; exec sleep 60'");
    let id = next_line(&mut engine);
    assert!(signal("-9", &id));
    // Lines sent to a dead process are dropped; reading reports its exit.
    for _ in 0..100 {
        engine.send("isready").unwrap();
    }
    assert!(exit_status(&mut engine).contains("signal: 9"));
    engine.send("isready").unwrap();
}

#[test]
fn dropping_an_engine_kills_it_at_once() {
    let mut engine = start("sh -c 'echo $$; exec sleep 60'");
    let id = next_line(&mut engine);
    let before = Instant::now();
    drop(engine);
    assert!(before.elapsed() < Duration::from_secs(5));
    assert!(!signal("-0", &id));
}

#[test]
fn an_engine_that_does_not_read_never_blocks_the_caller() {
    let engine = start("sleep 60");
    let long = "x".repeat(1000);
    let sent = (0..5000).map(|_| engine.send(&long)).take_while(Result::is_ok).count();
    assert!((1000..5000).contains(&sent), "{sent}");
    assert_eq!(engine.send(&long), Err(EngineError::NotReading));
}

#[test]
fn who_wants_no_more_lines_gets_none() {
    let (sender, events) = std::sync::mpsc::channel();
    let launch = Launch::from_command_line("yes").unwrap();
    let _engine = Process::start(&launch, move |event| {
        sender.send(event).unwrap();
        false
    });
    assert_eq!(events.recv_timeout(TIMEOUT).unwrap(), Event::Line("y".to_owned()));
    // The callback is dropped, and the sender with it.
    let end = events.recv_timeout(TIMEOUT).unwrap_err();
    assert_eq!(end, std::sync::mpsc::RecvTimeoutError::Disconnected);
}

#[test]
fn an_endless_line_ends_the_engine() {
    assert!(exit_status(&mut start("cat /dev/zero")).contains("too long"));
}

/// The limit is for all lines together: an engine that talks without end does not move it.
#[test]
fn lines_without_end_are_not_waited_for() {
    let mut engine = start("sh -c 'while true; do echo x; sleep 0.02; done'");
    let before = Instant::now();
    let limit = Duration::from_millis(300);
    assert_eq!(engine.lines_until(limit, |line| line == "y"), Err(EngineError::Timeout));
    assert!(before.elapsed() >= limit && before.elapsed() < TIMEOUT);
}

#[test]
fn an_engine_that_closes_its_output_is_ended() {
    let mut engine = start("sh -c 'echo $$; exec >&-; exec sleep 60'");
    let id = next_line(&mut engine);
    assert!(exit_status(&mut engine).contains("signal: 9"));
    assert!(!signal("-0", &id));
}

/// One that exits by itself has a moment to do so.
#[test]
fn an_engine_may_exit_after_it_has_closed_its_output() {
    let mut engine = start("sh -c 'exec >&-; sleep 0.05; exit 3'");
    assert!(exit_status(&mut engine).contains('3'));
}

#[test]
fn a_line_has_a_longest_length() {
    let line = |length: usize| format!("sh -c 'head -c {length} /dev/zero; echo; echo end'");
    let longest = (1 << 20) - 2;
    let mut engine = start(&line(longest));
    assert_eq!(next_line(&mut engine).len(), longest);
    assert_eq!(next_line(&mut engine), "end");
    assert!(exit_status(&mut start(&line(longest + 1))).contains("too long"));
}

#[test]
fn a_missing_program_is_an_error() {
    let launch = Launch::from_command_line("/no/such/engine").unwrap();
    assert!(Engine::start(&launch).is_err());
    // A supervisor would start without it.
    let error = Engine::start(&launch.supervised_by("true")).err().expect("no engine");
    assert!(error.to_string().contains("'/no/such/engine' is not an executable"), "{error}");
}
