//! Engines that behave and engines that do not, as real processes.
#![cfg(unix)]

use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use ratlla_client::{Engine, Event, Launch, Unheard};

const PATIENCE: Duration = Duration::from_secs(20);

fn start(command: &str) -> (Engine, Receiver<Event>) {
    let (sender, events) = channel();
    let launch = Launch::from_command_line(command).unwrap();
    (Engine::start(&launch, move |event| sender.send(event).is_ok()).unwrap(), events)
}

fn line(events: &Receiver<Event>) -> String {
    match events.recv_timeout(PATIENCE).unwrap() {
        Event::Line(line) => line,
        Event::Gone(how) => panic!("gone: {how}"),
    }
}

fn gone(events: &Receiver<Event>) -> String {
    loop {
        if let Event::Gone(how) = events.recv_timeout(PATIENCE).unwrap() {
            return how;
        }
    }
}

#[test]
fn lines_go_there_and_back() {
    let (engine, events) = start("cat");
    engine.send("isready").unwrap();
    engine.send("go depth 3").unwrap();
    assert_eq!(line(&events), "isready");
    assert_eq!(line(&events), "go depth 3");
}

#[test]
fn an_engine_that_ends_says_how() {
    let (_engine, events) = start("sh -c 'echo hello; exit 3'");
    assert_eq!(line(&events), "hello");
    assert!(gone(&events).contains('3'));
}

#[test]
fn a_killed_engine_is_noticed() {
    let (engine, events) = start("sh -c 'echo $$; exec sleep 60'");
    let id = line(&events);
    assert!(std::process::Command::new("kill").args(["-9", &id]).status().unwrap().success());
    // Until then, and after it, lines are lost in silence: the event is what tells.
    (0..100).for_each(|_| engine.send("isready").unwrap());
    assert!(gone(&events).contains("signal: 9"));
    engine.send("isready").unwrap();
}

#[test]
fn an_engine_that_is_no_longer_wanted_ends_at_once() {
    let (engine, events) = start("sh -c 'echo $$; exec sleep 60'");
    let id = line(&events);
    let before = Instant::now();
    drop(engine);
    assert!(before.elapsed() < Duration::from_secs(5));
    assert!(!std::process::Command::new("kill").args(["-0", &id]).status().unwrap().success());
}

#[test]
fn an_engine_that_does_not_read_never_blocks_its_user() {
    let (engine, _events) = start("sleep 60");
    let long = "x".repeat(1000);
    let heard = (0..5000).map(|_| engine.send(&long)).take_while(Result::is_ok).count();
    assert!((1000..5000).contains(&heard), "{heard}");
    assert_eq!(engine.send(&long), Err(Unheard));
}

#[test]
fn an_endless_line_ends_the_engine() {
    let (_engine, events) = start("cat /dev/zero");
    assert!(gone(&events).contains("too long"));
}

#[test]
fn a_program_that_is_not_there_is_an_error() {
    let launch = Launch::from_command_line("/no/such/engine").unwrap();
    assert!(Engine::start(&launch, |_| true).is_err());
}
