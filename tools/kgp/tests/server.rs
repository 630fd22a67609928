//! The client with a small local server.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use ratlla_kgp::client::{self, Options};

/// Far more than any reply takes, even on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A server with one client connected to it.
struct Server {
    client: Child,
    input: BufReader<TcpStream>,
    output: TcpStream,
}

impl Server {
    fn start(arguments: &[&str]) -> Server {
        Server::start_in(arguments, &[])
    }

    /// With these environment variables.
    fn start_in(arguments: &[&str], variables: &[(&str, &str)]) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = Command::new(env!("CARGO_BIN_EXE_ratlla-kgp"))
            .args(arguments)
            .arg(listener.local_addr().unwrap().to_string())
            .env_remove("RUST_LOG")
            .env_remove("RATLLA_KGP_TOKEN")
            .envs(variables.iter().copied())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (output, _) = listener.accept().unwrap();
        output.set_read_timeout(Some(TIMEOUT)).unwrap();
        Server { client, input: BufReader::new(output.try_clone().unwrap()), output }
    }

    /// A server whose client has chosen its mode.
    fn in_freeplay(arguments: &[&str]) -> Server {
        let mut server = Server::start(arguments);
        server.introduction();
        server
    }

    /// What the client says of itself.
    fn introduction(&mut self) -> Vec<String> {
        self.send("kgp 1 0 1");
        let mut lines = Vec::new();
        while lines.last().is_none_or(|line| line != "mode freeplay") {
            lines.push(self.line());
        }
        lines
    }

    fn send(&mut self, line: &str) {
        self.output.write_all(format!("{line}\r\n").as_bytes()).unwrap();
    }

    /// The next line of the client.
    fn line(&mut self) -> String {
        let mut line = String::new();
        let length = self.input.read_line(&mut line).expect("the client replies in time");
        assert!(length > 0, "the client disconnected");
        assert!(line.ends_with("\r\n"), "{line:?}");
        line.trim_end().to_owned()
    }

    /// Reads moves for the state with this number until `yield`, and returns the last. Lines
    /// for `older`, a state that was stopped, may still come before them.
    fn decision_after(&mut self, older: Option<u32>, id: u32) -> usize {
        let mut last = None;
        loop {
            let line = self.line();
            if line == format!("@{id} yield") {
                return last.expect("a move before yield");
            }
            let is_late = older.is_some_and(|older| line.starts_with(&format!("@{older} ")));
            if !is_late {
                last = Some(move_of(&line, id));
            }
        }
    }

    fn decision(&mut self, id: u32) -> usize {
        self.decision_after(None, id)
    }

    /// Says goodbye and expects the client to end successfully.
    fn finish(mut self) {
        self.send("goodbye");
        assert!(self.client.wait().unwrap().success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Still running only if a test failed.
        drop(self.client.kill());
        drop(self.client.wait());
    }
}

fn move_of(line: &str, id: u32) -> usize {
    let number = line.strip_prefix(&format!("@{id} move "));
    number
        .and_then(|number| number.parse().ok())
        .unwrap_or_else(|| panic!("expected a move, found {line}"))
}

#[test]
fn the_example_of_the_specification() {
    let token = ("RATLLA_KGP_TOKEN", "a \"secret\"");
    let mut server = Server::start_in(&["--movetime", "100"], &[token]);
    assert_eq!(
        server.introduction(),
        [
            "set info:name \"ratlla\"",
            "set info:authors \"the ratlla authors\"",
            "set auth:token \"a \\\"secret\\\"\"",
            "mode freeplay",
        ]
    );
    server.send("4 state <3,0,0,3,3,3,3,3,3>");
    let first = server.line();
    assert!((1..=3).contains(&move_of(&first, 4)));
    server.send("6@4 stop");
    server.send("8 state <3,1,3,0,4,4,4,3,3>");
    let decision = server.decision_after(Some(4), 8);
    assert!([2, 3].contains(&decision));
    server.send("10@8 stop");
    server.finish();
}

/// Every line that a real server sent in its games, with its pings and stops.
#[test]
fn a_recorded_session_with_a_real_server() {
    let recording = include_str!("data/go_kgp.txt");
    // So long that only proofs and the server's stops end searches.
    let mut server = Server::start(&["--movetime", "100000", "--hash", "8"]);
    let mut moves = 0;
    for line in recording.lines().filter(|line| !line.starts_with('#')) {
        server.send(line);
        let id = line.split(['@', ' ']).next().unwrap();
        let wanted = match line.split(' ').nth(1).unwrap() {
            "kgp" => "mode freeplay".to_owned(),
            "ping" => format!("@{id} pong"),
            "state" => format!("@{id} move "),
            _ => continue,
        };
        let came = loop {
            let came = server.line();
            if came.starts_with(&wanted) {
                break came;
            }
        };
        if let Some((_, board)) = line.split_once('<') {
            let house = move_of(&came, id.parse().unwrap());
            let seeds = board.split(',').nth(2 + house).unwrap();
            assert_ne!(seeds, "0", "{came} after {line}");
            moves += 1;
        }
    }
    assert!(moves > 20);
    server.finish();
}

#[test]
fn several_positions_at_once_and_pings_between() {
    let mut server = Server::in_freeplay(&["--movetime", "100000"]);
    // Large enough that nothing is proved before the stop.
    let start = "<8,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8>";
    for id in [2, 4, 6] {
        server.send(&format!("{id} state {start}"));
    }
    server.send("8 ping");
    server.send("10 ping \"are you there?\"");
    let mut moves = HashMap::new();
    let mut pongs = Vec::new();
    while moves.len() < 3 || pongs.len() < 2 {
        let line = server.line();
        if line.contains("pong") {
            pongs.push(line);
        } else {
            let id: u32 = line[1..].split(' ').next().unwrap().parse().unwrap();
            moves.insert(id, move_of(&line, id));
        }
    }
    assert_eq!(pongs, ["@8 pong", "@10 pong \"are you there?\""]);
    assert!(moves.values().all(|house| (1..=8).contains(house)));
    server.send("12@2 stop");
    server.send("14@4 stop");
    // A stopped search sends nothing more; the last one runs until everything is stopped.
    server.send("stop");
    server.send("16 ping");
    while server.line() != "@16 pong" {}
    server.send("18 state <2,0,0,1,0,0,1>");
    assert_eq!(server.decision(18), 1);
    server.finish();
}

#[test]
fn a_token_file_precedes_the_environment() {
    let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/token");
    std::fs::write(file, "from the file\n").unwrap();
    let arguments = ["--token-file", file];
    let environment = [("RATLLA_KGP_TOKEN", "from the environment")];
    let mut server = Server::start_in(&arguments, &environment);
    assert!(server.introduction().contains(&"set auth:token \"from the file\"".to_owned()));
    server.finish();
    let mut server = Server::start(&[]);
    assert!(!server.introduction().iter().any(|line| line.contains("token")));
    server.finish();
}

#[test]
fn an_empty_token_file_is_an_error() {
    let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/empty token");
    std::fs::write(file, "\n").unwrap();
    let mut client = Command::new(env!("CARGO_BIN_EXE_ratlla-kgp"));
    let output = client.args(["--token-file", file, "127.0.0.1:1"]).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(message, format!("ratlla-kgp: no token in {file}: the file is empty\n"));
}

#[test]
fn the_log_has_all_lines_but_the_token() {
    let variables = [("RATLLA_KGP_TOKEN", "swordfish"), ("RUST_LOG", "debug")];
    let mut server = Server::start_in(&[], &variables);
    assert!(server.introduction().contains(&"set auth:token \"swordfish\"".to_owned()));
    server.send("goodbye");
    let mut log = String::new();
    server.client.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert!(log.contains("< kgp 1 0 1") && log.contains("> mode freeplay"), "{log}");
    assert!(log.contains("auth:token") && !log.contains("swordfish"), "{log}");
    assert!(server.client.wait().unwrap().success());
}

/// All searches share the memory; what it does not suffice for is answered without a search.
#[test]
fn memory_is_bounded_over_all_positions() {
    let mut server = Server::in_freeplay(&["--movetime", "100000", "--hash", "2"]);
    let start = "<8,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8>";
    for id in [2, 4, 6] {
        server.send(&format!("{id} state {start}"));
    }
    let mut searched = Vec::new();
    loop {
        let line = server.line();
        if line == "@6 yield" {
            break;
        }
        searched.push(line);
    }
    assert!(searched.contains(&"@6 move 1".to_owned()));
    assert!(!searched.iter().any(|line| line.ends_with("yield")), "{searched:?}");
    server.send("stop");
    server.finish();
}

#[test]
fn the_servers_clock_is_respected() {
    let is_respected = || {
        let mut server = Server::in_freeplay(&[]);
        server.send("set time:mode absolute");
        server.send("set time:clock 2");
        let start = Instant::now();
        server.send("2 state <8,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8>");
        server.decision(2);
        let time = start.elapsed();
        server.finish();
        time < Duration::from_secs(2)
    };
    // A busy machine does not stall every time.
    assert!((0..5).any(|_| is_respected()));
}

#[test]
fn invalid_lines_are_errors_and_the_session_continues() {
    let mut server = Server::in_freeplay(&["--movetime", "50"]);
    for line in ["", "<<<>>>", "set", "set x", "dance 1 2", "state", "state 5", "99@98 stop", "ok"]
    {
        server.send(line);
    }
    server.send(&"x".repeat(40_000));
    server.send("2 state <3,0,0,1>");
    assert_eq!(server.line(), "@2 error \"expected 3 houses per side, got 1 in total\"");
    // Too large for the engine; and a game that is over.
    server.send(&format!("4 state <13,0,0{}>", ",1".repeat(26)));
    assert_eq!(server.decision(4), 1);
    server.send("6 state <2,1,3,0,0,1,1>");
    assert_eq!(server.line(), "@6 yield");
    // Without an id.
    server.send("state <2,0,0,0,1,1,0>");
    assert_eq!(server.line(), "move 2");
    assert_eq!(server.line(), "yield");
    server.finish();
}

#[test]
fn other_versions_are_refused() {
    let mut server = Server::start(&[]);
    server.send("2 kgp 2 0 0");
    assert!(server.line().starts_with("@2 error "));
    assert_eq!(server.client.wait().unwrap().code(), Some(1));
}

#[test]
fn what_a_server_sends_is_printed_without_control_characters() {
    let options = Options { name: "x".to_owned(), token: None, movetime: None, hash: 1 };
    let result = client::run(&b"kgp 2 \"\x1b[31m\x07\"\r\n"[..], Vec::new(), &options);
    let message = result.unwrap_err();
    assert!(message.contains("kgp 2") && !message.contains(char::is_control), "{message:?}");
}

/// An independent implementation of the rules: south's houses and store, then north's.
struct Game {
    size: usize,
    pits: Vec<u32>,
}

impl Game {
    fn new(size: usize, seeds: u32) -> Game {
        let side: Vec<u32> = (0..=size).map(|pit| if pit < size { seeds } else { 0 }).collect();
        Game { size, pits: [side.clone(), side].concat() }
    }

    /// The position as the player `side` (0 south, 1 north) sees it.
    fn state(&self, side: usize) -> String {
        let half = self.size + 1;
        let pit = |player: usize, pit: usize| self.pits[((side + player) % 2) * half + pit];
        let mut numbers = vec![self.size as u32, pit(0, self.size), pit(1, self.size)];
        for player in 0..2 {
            numbers.extend((0..self.size).map(|house| pit(player, house)));
        }
        let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
        format!("<{}>", numbers.join(","))
    }

    fn is_over(&self) -> bool {
        let half = self.size + 1;
        [0, half].iter().any(|&first| self.pits[first..first + self.size].iter().all(|&n| n == 0))
    }

    /// Sows from a house of `side`, counted from 1; returns the side to move.
    fn sow(&mut self, side: usize, house: usize) -> usize {
        let (size, half) = (self.size, self.size + 1);
        let (store, other_store) = (side * half + size, (1 - side) * half + size);
        let mut pit = side * half + house - 1;
        let mut seeds = std::mem::take(&mut self.pits[pit]);
        assert!(seeds > 0, "house {house} is empty");
        while seeds > 0 {
            pit = (pit + 1) % (2 * half);
            if pit != other_store {
                self.pits[pit] += 1;
                seeds -= 1;
            }
        }
        let own = side * half..store;
        if own.contains(&pit) && self.pits[pit] == 1 {
            let opposite = 2 * size - pit;
            if self.pits[opposite] > 0 {
                self.pits[store] += self.pits[opposite] + 1;
                self.pits[opposite] = 0;
                self.pits[pit] = 0;
            }
        }
        if pit == store { side } else { 1 - side }
    }

    /// South's lead once each player has taken the seeds in their houses.
    fn lead(&self) -> i64 {
        let half = self.size + 1;
        let sum = |pits: &[u32]| pits.iter().map(|&seeds| i64::from(seeds)).sum::<i64>();
        sum(&self.pits[..half]) - sum(&self.pits[half..])
    }
}

#[test]
fn whole_games_against_an_opponent_that_plays_the_first_legal_house() {
    let mut server = Server::in_freeplay(&["--movetime", "20"]);
    let mut id = 0;
    for ours in [0, 1] {
        let mut game = Game::new(6, 4);
        let mut side = 0;
        while !game.is_over() {
            let house = if side == ours {
                id += 2;
                server.send(&format!("{id} state {}", game.state(side)));
                server.decision(id)
            } else {
                let houses = side * 7..side * 7 + 6;
                houses.clone().position(|pit| game.pits[pit] > 0).unwrap() + 1
            };
            side = game.sow(side, house);
        }
        let lead = if ours == 0 { game.lead() } else { -game.lead() };
        assert!(lead > 0, "lead {lead} against the simplest opponent");
    }
    server.finish();
}
