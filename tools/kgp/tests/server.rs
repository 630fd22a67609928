//! The client with a small local server.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ratlla_kgp::client::{self, Options};

/// Far more than any reply takes, even on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A server with one client connected to it.
struct Server {
    client: Child,
    input: BufReader<TcpStream>,
    output: TcpStream,
    begin: Instant,
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
        let output = accept(&listener);
        output.set_read_timeout(Some(TIMEOUT)).unwrap();
        output.set_write_timeout(Some(TIMEOUT)).unwrap();
        let input = BufReader::new(output.try_clone().unwrap());
        Server { client, input, output, begin: Instant::now() }
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
        assert!(self.begin.elapsed() < 5 * TIMEOUT, "the client sends lines without end");
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
        let (status, log) = end_of(self);
        assert_eq!(status, Some(0), "{log}");
    }
}

/// The connection of a client, which may fail to connect.
fn accept(listener: &TcpListener) -> TcpStream {
    listener.set_nonblocking(true).unwrap();
    let begin = Instant::now();
    loop {
        if let Ok((stream, _)) = listener.accept() {
            stream.set_nonblocking(false).unwrap();
            return stream;
        }
        assert!(begin.elapsed() < TIMEOUT, "the client does not connect");
        std::thread::sleep(Duration::from_millis(5));
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
    let (status, log) = end_of(server);
    assert_eq!(status, Some(0));
    assert!(log.contains("< kgp 1 0 1") && log.contains("> mode freeplay"), "{log}");
    assert!(log.contains("auth:token") && !log.contains("swordfish"), "{log}");
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
    let is_respected = |mode: &str, seconds: u64| {
        let mut server = Server::in_freeplay(&[]);
        server.send(&format!("set time:mode {mode}"));
        server.send(&format!("set time:clock {seconds}"));
        let start = Instant::now();
        server.send("2 state <8,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8>");
        server.decision(2);
        let time = start.elapsed();
        server.finish();
        time < Duration::from_secs(seconds)
    };
    // A busy machine does not stall every time.
    for (mode, seconds) in [("absolute", 2), ("relative", 1)] {
        assert!((0..5).any(|_| is_respected(mode, seconds)), "{mode}");
    }
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

/// How the client ends by itself, and what it has logged.
fn end_of(mut server: Server) -> (Option<i32>, String) {
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = server.client.try_wait().unwrap() {
            break status;
        }
        assert!(begin.elapsed() < TIMEOUT, "the client waits for ever");
        std::thread::sleep(Duration::from_millis(10));
    };
    let mut log = String::new();
    server.client.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    (status.code(), log)
}

#[test]
fn a_hostile_server_cannot_fill_the_log() {
    let mut server = Server::in_freeplay(&["--movetime", "1", "--hash", "1"]);
    let wide = format!("state <13,0,0{}>", ",1".repeat(26));
    let long = "x".repeat(20_000);
    let noise = [
        "<<<".repeat(5000),
        "error \"\x1b[31m\"".to_owned(),
        format!("error {}", "y".repeat(15_000)),
        wide,
        long,
    ];
    for _ in 0..200 {
        for line in &noise {
            server.send(line);
        }
        // Neither side waits for the other to read.
        server.send("2 ping");
        while server.line() != "@2 pong" {}
    }
    server.send("goodbye");
    let (status, log) = end_of(server);
    assert_eq!(status, Some(0));
    assert!(log.len() < 32 << 10, "{} bytes", log.len());
    assert!(!log.contains('\x1b'));
    assert_eq!(log.matches("further messages about this server are suppressed").count(), 1);
    assert!(log.trim_end().ends_with("suppressed"), "{log}");
}

#[test]
fn a_few_messages_are_logged_in_full() {
    let mut server = Server::in_freeplay(&[]);
    for number in 0..20 {
        server.send(&format!("error \"this is message {number}.\""));
    }
    server.send("goodbye");
    let (status, log) = end_of(server);
    assert_eq!(status, Some(0));
    assert!((0..20).all(|number| log.contains(&format!("this is message {number}."))), "{log}");
    assert!(!log.contains("suppressed"), "{log}");
}

#[test]
fn a_server_that_vanishes_is_not_waited_for() {
    // Before it has said anything, and in the middle of a game.
    for in_a_game in [false, true] {
        let mut server = Server::start(&["--silence", "1", "--movetime", "100000"]);
        if in_a_game {
            server.introduction();
            server.send("2 state <8,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8>");
        }
        let (status, log) = end_of(server);
        assert_eq!(status, Some(1));
        assert!(log.contains("nothing came or went for too long"), "{log}");
    }
}

#[test]
fn a_server_that_does_not_read_is_not_waited_for() {
    let mut server = Server::in_freeplay(&["--silence", "1"]);
    let ping = format!("ping \"{}\"\r\n", "x".repeat(10_000));
    server.output.set_write_timeout(Some(Duration::from_millis(100))).unwrap();
    // Until the client, who waits for this server to read, reads no more itself.
    while server.output.write_all(ping.as_bytes()).is_ok() {}
    let (status, log) = end_of(server);
    assert_eq!(status, Some(1));
    assert!(log.contains("connection lost"), "{log}");
}

/// The limit is for silence, not for the whole session.
#[test]
fn a_server_that_pings_is_waited_for() {
    let mut server = Server::in_freeplay(&["--silence", "2"]);
    for _ in 0..8 {
        std::thread::sleep(Duration::from_millis(400));
        server.send("2 ping");
        assert_eq!(server.line(), "@2 pong");
    }
    server.finish();
}

/// Fails once after some writes. Counts those that come later.
struct Failing {
    left: usize,
    later: Arc<AtomicUsize>,
}

impl Write for Failing {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self.left {
            0 => drop(self.later.fetch_add(1, Ordering::Relaxed)),
            _ => self.left -= 1,
        }
        if self.left == 0 { Err(std::io::ErrorKind::BrokenPipe.into()) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn what_cannot_be_sent_ends_the_session() {
    for left in [1, 2, 6] {
        let later = Arc::new(AtomicUsize::new(0));
        let output = Failing { left, later: Arc::clone(&later) };
        // A server that would go on for ever.
        let input = BufReader::new(std::io::Read::chain(&b"kgp 1 0 0\n"[..], Pings));
        let reason = client::run(input, output, &options()).unwrap_err();
        assert!(reason.starts_with("connection lost: "), "{reason}");
        assert_eq!(later.load(Ordering::Relaxed), 0, "what follows a part of a line");
    }
}

fn options() -> Options {
    Options { name: "x".to_owned(), token: None, movetime: None, hash: 1 }
}

/// What the client replies to these lines.
fn replies(input: &str) -> String {
    let (mut reader, writer) = std::io::pipe().unwrap();
    client::run(input.as_bytes(), writer, &options()).unwrap();
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn a_line_has_a_longest_length() {
    const LONGEST: usize = 16384;
    let line = |length: usize| format!("1 ping{}\n", " ".repeat(length - 7));
    assert_eq!(replies(&(line(LONGEST) + "2 ping\n")), "@1 pong\r\n@2 pong\r\n");
    // Skipped to its end, which is no line of its own.
    for length in [LONGEST + 1, 5 * LONGEST] {
        let words = format!("1 ping{} 3 ping\n", " ".repeat(length - 14));
        assert_eq!(replies(&(words + "2 ping\n")), "@2 pong\r\n");
        let late = format!("{}1 ping\n2 ping\n", " ".repeat(LONGEST));
        assert_eq!(replies(&late), "@2 pong\r\n");
    }
}

#[test]
fn a_state_whose_number_is_taken_is_ignored() {
    let mut server = Server::in_freeplay(&["--movetime", "100000"]);
    let start = "<8,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8>";
    server.send(&format!("2 state {start}"));
    move_of(&server.line(), 2);
    server.send("2 state <2,0,0,1,0,0,1>");
    server.send("4 ping");
    loop {
        let line = server.line();
        if line == "@4 pong" {
            break;
        }
        move_of(&line, 2);
    }
    server.send("goodbye");
    assert!(end_of(server).1.contains("duplicate state"));
}

#[test]
fn a_state_without_a_number_takes_the_place_of_the_one_before() {
    let mut server = Server::in_freeplay(&["--movetime", "100000", "--hash", "64"]);
    // More than there is memory for at a time.
    for _ in 0..40 {
        server.send("state <8,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8>");
        while !server.line().starts_with("move ") {}
    }
    server.send("goodbye");
    let (status, log) = end_of(server);
    assert_eq!(status, Some(0));
    assert!(!log.contains("too many positions"), "{log}");
}

#[test]
fn a_stopped_search_sends_nothing_more() {
    let mut server = Server::in_freeplay(&["--movetime", "100000", "--hash", "64"]);
    let mut stopped = Vec::new();
    for id in (2..62).step_by(2) {
        let start = "<8,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8>";
        server.send(&format!("{id} state {start}\r\n@{id} stop\r\n1 ping"));
        loop {
            let line = server.line();
            if line == "@1 pong" {
                break;
            }
            assert!(!stopped.contains(&line), "{line}");
        }
        stopped.extend((1..=8).map(|house| format!("@{id} move {house}")));
        stopped.push(format!("@{id} yield"));
    }
    std::thread::sleep(Duration::from_millis(200));
    server.send("1 ping");
    assert_eq!(server.line(), "@1 pong");
    server.finish();
}

#[test]
fn any_number_is_a_clock() {
    for (clock, is_over) in [(i64::MIN, true), (-1, true), (0, true), (i64::MAX, false)] {
        let mut server = Server::in_freeplay(&["--hash", "1"]);
        server.send(&format!("set time:mode relative\r\nset time:clock {clock}"));
        server.send("2 state <8,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8>");
        match is_over {
            true => drop(server.decision(2)),
            false => drop(move_of(&server.line(), 2)),
        }
        server.finish();
    }
}

/// Pings without end.
struct Pings;

impl Read for Pings {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let ping = b"2 ping\n";
        buffer[..ping.len()].copy_from_slice(ping);
        Ok(ping.len())
    }
}

#[test]
fn other_versions_are_refused() {
    let mut server = Server::start(&[]);
    server.send("2 kgp 2 0 0");
    assert!(server.line().starts_with("@2 error "));
    assert_eq!(end_of(server).0, Some(1));
}

#[test]
fn what_a_server_sends_is_printed_without_control_characters() {
    let options = options();
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
