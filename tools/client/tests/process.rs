//! Well-behaved and misbehaving engines, as real processes.
#![cfg(unix)]

use std::process::Command;
use std::time::{Duration, Instant};

use ratlla_client::{Engine, EngineError, Launch};

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
fn an_endless_line_ends_the_engine() {
    assert!(exit_status(&mut start("cat /dev/zero")).contains("too long"));
}

#[test]
fn a_missing_program_is_an_error() {
    assert!(Engine::start(&Launch::from_command_line("/no/such/engine").unwrap()).is_err());
}
