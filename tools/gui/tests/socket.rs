//! Who may talk to the server, and what about: with sockets of our own making.

mod support;

use std::process::Command;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use support::Server;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

async fn connect(server: &Server, host: &str, origin: Option<&str>) -> Result<Socket, u16> {
    let mut request = format!("ws://{}/engines", server.address).into_client_request().unwrap();
    request.headers_mut().insert("host", host.parse().unwrap());
    if let Some(origin) = origin {
        request.headers_mut().insert("origin", origin.parse().unwrap());
    }
    match connect_async(request).await {
        Ok((socket, _)) => Ok(socket),
        Err(Error::Http(response)) => Err(response.status().as_u16()),
        Err(error) => panic!("{error}"),
    }
}

async fn connect_well(server: &Server) -> Socket {
    let origin = format!("http://{}", server.address);
    connect(server, &server.address, Some(&origin)).await.expect("a page of its own may ask")
}

async fn say(socket: &mut Socket, wish: Value) {
    socket.send(Message::text(wish.to_string())).await.unwrap();
}

async fn hear(socket: &mut Socket) -> Value {
    loop {
        let message = tokio::time::timeout(Duration::from_secs(30), socket.next()).await;
        if let Message::Text(text) = message.unwrap().unwrap().unwrap() {
            return serde_json::from_str(&text).unwrap();
        }
    }
}

async fn wait_for_engines(server: &Server, count: usize) {
    let begin = Instant::now();
    while server.engines().len() != count {
        assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", server.engines());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The status line and headers of an answer to a plain request.
async fn get(server: &Server, path: &str, host: &str) -> String {
    let mut stream = TcpStream::connect(&server.address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn only_its_own_pages_may_ask() {
    let server = Server::start(&["--host", "board.test"]);
    let own = server.address.clone();
    for (host, origin) in [
        (own.as_str(), None),
        (own.as_str(), Some("http://evil.test")),
        (own.as_str(), Some("null")),
        ("evil.test", Some("http://evil.test")),
    ] {
        let answer = connect(&server, host, origin).await;
        assert_eq!(answer.err(), Some(403), "{host} {origin:?}");
    }
    assert_eq!(server.engines(), [0; 0]);
    assert!(connect(&server, "board.test", Some("http://board.test")).await.is_ok());
    connect_well(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_keeps_to_itself() {
    let server = Server::start(&[]);
    let page = get(&server, "/", &server.address).await;
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    assert!(page.contains("content-security-policy: default-src 'none'"), "{page}");
    assert!(page.contains("content-type: text/html"), "{page}");
    assert!(get(&server, "/", "evil.test").await.starts_with("HTTP/1.1 403"));
    assert!(get(&server, "/main.js", "evil.test").await.starts_with("HTTP/1.1 403"));
    assert!(get(&server, "/main.js", "localhost").await.contains("content-type: text/javascript"));
    for path in ["/no.js", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "/ui"] {
        let answer = get(&server, path, "localhost").await;
        assert!(answer.starts_with("HTTP/1.1 404"), "{path} {answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_answers_through_the_socket_and_ends_with_it() {
    let server = Server::start(&[]);
    let mut socket = connect_well(&server).await;
    assert_eq!(hear(&mut socket).await, json!({ "engines": ["ratlla"] }));
    say(&mut socket, json!({ "start": { "process": 7, "engine": 0 } })).await;
    say(&mut socket, json!({ "send": { "process": 7, "line": "moves" } })).await;
    let answer = json!({ "line": { "process": 7, "line": "moves 1 2 3 4 5 6 7" } });
    assert_eq!(hear(&mut socket).await, answer);
    // It would think for ever.
    say(&mut socket, json!({ "send": { "process": 7, "line": "newgame 8 8" } })).await;
    say(&mut socket, json!({ "send": { "process": 7, "line": "go infinite" } })).await;
    hear(&mut socket).await;
    wait_for_engines(&server, 1).await;
    drop(socket);
    wait_for_engines(&server, 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_can_be_ended_and_a_dead_one_is_told_of() {
    let server = Server::start(&[]);
    let mut socket = connect_well(&server).await;
    hear(&mut socket).await;
    say(&mut socket, json!({ "start": { "process": 1, "engine": 0 } })).await;
    wait_for_engines(&server, 1).await;
    say(&mut socket, json!({ "end": { "process": 1 } })).await;
    wait_for_engines(&server, 0).await;
    say(&mut socket, json!({ "start": { "process": 2, "engine": 0 } })).await;
    wait_for_engines(&server, 1).await;
    assert_eq!(server.kill_engines(), 1);
    let news = loop {
        let news = hear(&mut socket).await;
        // The first one tells of its end, too.
        if news["gone"]["process"] == 2 {
            break news;
        }
    };
    assert!(news["gone"]["how"].as_str().unwrap().contains("signal: 9"), "{news}");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_engine_outlives_a_server_that_is_told_to_end() {
    // Deaf to all that it is told, and with a child of its own.
    let deaf = r#"deaf=sh -c 'trap "" HUP INT TERM; sleep 1000 & while true; do sleep 0.1; done'"#;
    for signal in ["INT", "TERM", "KILL"] {
        let mut server = Server::start(&["--opponent", deaf]);
        let mut socket = connect_well(&server).await;
        for engine in [0, 1] {
            say(&mut socket, json!({ "start": { "process": engine, "engine": engine } })).await;
        }
        wait_for_engines(&server, 2).await;
        let begin = Instant::now();
        while !server.descendants().iter().any(|&id| is_sleeper(id)) {
            assert!(begin.elapsed() < Duration::from_secs(20), "the child of the deaf one");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let engines = server.descendants();
        server.end_by(signal);
        let is_there = |id: &u32| std::path::Path::new(&format!("/proc/{id}")).exists();
        let begin = Instant::now();
        while engines.iter().any(is_there) {
            assert!(begin.elapsed() < Duration::from_secs(20), "{signal}: {engines:?} are left");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

fn is_sleeper(id: u32) -> bool {
    std::fs::read(format!("/proc/{id}/cmdline")).is_ok_and(|words| words == b"sleep\x001000\x00")
}

#[tokio::test(flavor = "multi_thread")]
async fn wishes_that_make_no_sense_are_refused_and_harm_nothing() {
    let file = tempfile::tempdir().unwrap().path().join("log");
    let log = format!("setoption name Debug Log File value {}", file.display());
    let server = Server::start(&[]);
    let mut socket = connect_well(&server).await;
    hear(&mut socket).await;
    say(&mut socket, json!({ "start": { "process": 1, "engine": 0 } })).await;
    for wish in [
        json!({ "start": { "process": 1, "engine": 0 } }),
        json!({ "start": { "process": 2, "engine": 9 } }),
        json!({ "send": { "process": 1, "line": log } }),
        json!({ "send": { "process": 1, "line": "isready\nbench" } }),
        json!({ "dance": {} }),
        json!([]),
    ] {
        say(&mut socket, wish.clone()).await;
        let news = hear(&mut socket).await;
        assert!(news["refused"]["reason"].is_string(), "{wish} {news}");
    }
    for process in 2..=6 {
        say(&mut socket, json!({ "start": { "process": process, "engine": 0 } })).await;
    }
    say(&mut socket, json!({ "start": { "process": 7, "engine": 0 } })).await;
    let news = hear(&mut socket).await;
    assert!(news["refused"]["reason"].as_str().unwrap().contains("no more than 6"), "{news}");
    say(&mut socket, json!({ "send": { "process": 1, "line": "isready" } })).await;
    assert_eq!(hear(&mut socket).await["line"]["line"], "readyok");
    assert!(!file.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_is_too_long_ends_the_connection_only() {
    let server = Server::start(&[]);
    let mut socket = connect_well(&server).await;
    hear(&mut socket).await;
    // The server may hang up before all is written.
    drop(socket.send(Message::text("x".repeat(1 << 20))).await);
    let hang_up = async {
        // Until then it may ask for a sign of life.
        while let Some(Ok(Message::Ping(_))) = socket.next().await {}
    };
    tokio::time::timeout(Duration::from_secs(20), hang_up).await.expect("the server hangs up");
    assert!(!matches!(socket.next().await, Some(Ok(Message::Text(_)))));
    let mut other = connect_well(&server).await;
    assert_eq!(hear(&mut other).await["engines"][0], "ratlla");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_cannot_be_started_is_told_of() {
    let server = Server::start(&["--opponent", "Ghost=/no/such/program"]);
    let mut socket = connect_well(&server).await;
    assert_eq!(hear(&mut socket).await, json!({ "engines": ["ratlla", "Ghost"] }));
    say(&mut socket, json!({ "start": { "process": 1, "engine": 1 } })).await;
    let news = hear(&mut socket).await;
    assert!(news["gone"]["how"].as_str().unwrap().contains("cannot be started"), "{news}");
}

#[test]
fn there_is_no_page_without_the_engine_that_knows_the_rules() {
    let server = Command::new(env!("CARGO_BIN_EXE_ratlla-gui"))
        .args(["--port", "0", "--engine", "/no/such/program"])
        .output()
        .expect("the server starts");
    assert!(!server.status.success());
    let complaint = String::from_utf8_lossy(&server.stderr);
    assert!(complaint.contains("the engine program cannot be started"), "{complaint}");
}
