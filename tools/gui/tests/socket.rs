//! The server's access checks and messages, with plain sockets.

mod support;

use std::process::Command;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use support::Server;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Bytes;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// More than any answer takes.
const TIMEOUT: Duration = Duration::from_secs(30);

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

async fn connect(server: &Server, host: &str, origin: Option<&str>) -> Result<Socket, u16> {
    let url = format!("ws://{}/{}/engines", server.address, server.token);
    let mut request = url.into_client_request().unwrap();
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

async fn connect_as_page(server: &Server) -> Socket {
    let origin = format!("http://{}", server.address);
    connect(server, &server.address, Some(&origin)).await.expect("its own page is accepted")
}

async fn send(socket: &mut Socket, request: Value) {
    socket.send(Message::text(request.to_string())).await.unwrap();
}

/// The next message, however many pings come before it.
async fn receive(socket: &mut Socket) -> Value {
    let message = async {
        loop {
            if let Message::Text(text) = socket.next().await.expect("a message").unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    };
    tokio::time::timeout(TIMEOUT, message).await.expect("a message in time")
}

/// The first message that is `wanted`, however many others come before it.
async fn receive_until(socket: &mut Socket, wanted: impl Fn(&Value) -> bool) -> Value {
    let begin = Instant::now();
    loop {
        let message = receive(socket).await;
        if wanted(&message) {
            return message;
        }
        assert!(begin.elapsed() < TIMEOUT, "the last of many messages was {message}");
    }
}

async fn wait_for_engines(server: &Server, count: usize) {
    let begin = Instant::now();
    while server.engines().len() != count {
        assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", server.engines());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The response to a plain request for a path below the token.
async fn get(server: &Server, path: &str, host: &str) -> String {
    get_with(server, &format!("/{}{path}", server.token), &format!("Host: {host}\r\n")).await
}

/// The response to a plain request with these headers.
async fn get_with(server: &Server, path: &str, headers: &str) -> String {
    let mut stream = TcpStream::connect(&server.address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut response = Vec::new();
    let read = tokio::time::timeout(TIMEOUT, stream.read_to_end(&mut response)).await;
    read.expect("a response in time").unwrap();
    String::from_utf8_lossy(&response).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn only_own_pages_are_accepted() {
    let server = Server::start(&["--host", "board.test"]);
    let own = server.address.clone();
    for (host, origin) in [
        (own.as_str(), None),
        (own.as_str(), Some("http://evil.test")),
        (own.as_str(), Some("null")),
        ("evil.test", Some("http://evil.test")),
    ] {
        let result = connect(&server, host, origin).await;
        assert_eq!(result.err(), Some(403), "{host} {origin:?}");
    }
    assert_eq!(server.engines(), [0; 0]);
    assert!(connect(&server, "board.test", Some("http://board.test")).await.is_ok());
    connect_as_page(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_page_is_served_with_security_headers() {
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
async fn without_the_token_nothing_is_served() {
    let server = Server::start(&[]);
    assert_eq!(server.token.len(), 32);
    for path in ["/", "/main.js", "/engines", "/0123456789abcdef0123456789abcdef/"] {
        let answer = get_with(&server, path, "Host: localhost\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 404"), "{path} {answer}");
    }
    let other = Server::start(&[]);
    assert_ne!(server.token, other.token);
    let chosen = Server::start(&["--token", "0123456789abcdefX"]);
    assert_eq!(chosen.token, "0123456789abcdefX");
    connect_as_page(&chosen).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_may_offer_https() {
    let server = Server::start(&["--host", "board.test"]);
    assert!(connect(&server, "board.test", Some("https://board.test")).await.is_ok());
    assert!(connect(&server, "board.test", Some("https://evil.test")).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_compressed_and_kept() {
    let server = Server::start(&[]);
    let path = format!("/{}/main.js", server.token);
    let ask = async |headers: &str| {
        get_with(&server, &path, &format!("Host: localhost\r\n{headers}")).await
    };
    let plain = ask("").await;
    assert!(!plain.contains("content-encoding"), "{plain}");
    let packed = ask("Accept-Encoding: br, gzip;q=0.5\r\n").await;
    assert!(packed.contains("content-encoding: gzip") && packed.len() < plain.len(), "{packed}");
    let tag = plain.lines().find_map(|line| line.strip_prefix("etag: ")).expect("a tag").trim();
    let kept = ask(&format!("If-None-Match: {tag}\r\n")).await;
    assert!(kept.starts_with("HTTP/1.1 304"), "{kept}");
    assert!(ask("If-None-Match: \"other\"\r\n").await.starts_with("HTTP/1.1 200"));
}

#[tokio::test(flavor = "multi_thread")]
async fn all_tabs_together_have_a_budget() {
    let server = Server::start(&[]);
    let hash = |process: u32| json!({ "send": { "process": process, "line": "setoption name Hash value 1024" } });
    let mut tabs = Vec::new();
    for _ in 0..2 {
        let mut tab = connect_as_page(&server).await;
        receive(&mut tab).await;
        for process in 0..4 {
            send(&mut tab, json!({ "start": { "process": process, "engine": 0 } })).await;
        }
        tabs.push(tab);
    }
    // Eight engines may have 8 GiB together, but a ninth one uses some of it.
    let mut third = connect_as_page(&server).await;
    receive(&mut third).await;
    send(&mut third, json!({ "start": { "process": 0, "engine": 0 } })).await;
    wait_for_engines(&server, 9).await;
    for tab in &mut tabs {
        for process in 0..4 {
            send(tab, hash(process)).await;
            send(tab, json!({ "send": { "process": process, "line": "isready" } })).await;
        }
    }
    let mut rejected = 0;
    for tab in &mut tabs {
        let mut ready = 0;
        let begin = Instant::now();
        while ready < 4 {
            assert!(begin.elapsed() < TIMEOUT, "{ready} of 4 engines have answered");
            let message = receive(tab).await;
            if let Some(reason) = message["rejected"]["reason"].as_str() {
                assert!(reason.contains("8192 MiB of memory"), "{reason}");
                rejected += 1;
            } else {
                ready += u32::from(message["line"]["line"] == "readyok");
            }
        }
    }
    assert_eq!(rejected, 1);
    // What a closed tab had is there for others.
    tabs.clear();
    wait_for_engines(&server, 1).await;
    send(&mut third, hash(0)).await;
    send(&mut third, json!({ "send": { "process": 0, "line": "isready" } })).await;
    assert_eq!(receive(&mut third).await["line"]["line"], "readyok");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_replies_through_the_socket_and_ends_with_it() {
    let server = Server::start(&[]);
    let mut socket = connect_as_page(&server).await;
    assert_eq!(receive(&mut socket).await, json!({ "engines": ["ratlla"] }));
    send(&mut socket, json!({ "start": { "process": 7, "engine": 0 } })).await;
    send(&mut socket, json!({ "send": { "process": 7, "line": "moves" } })).await;
    let answer = json!({ "line": { "process": 7, "line": "moves 1 2 3 4 5 6 7" } });
    assert_eq!(receive(&mut socket).await, answer);
    // This search never ends by itself.
    send(&mut socket, json!({ "send": { "process": 7, "line": "newgame 8 8" } })).await;
    send(&mut socket, json!({ "send": { "process": 7, "line": "go infinite" } })).await;
    receive(&mut socket).await;
    wait_for_engines(&server, 1).await;
    drop(socket);
    wait_for_engines(&server, 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_can_be_ended_and_a_crash_is_reported() {
    let server = Server::start(&[]);
    let mut socket = connect_as_page(&server).await;
    receive(&mut socket).await;
    send(&mut socket, json!({ "start": { "process": 1, "engine": 0 } })).await;
    wait_for_engines(&server, 1).await;
    send(&mut socket, json!({ "end": { "process": 1 } })).await;
    wait_for_engines(&server, 0).await;
    send(&mut socket, json!({ "start": { "process": 2, "engine": 0 } })).await;
    wait_for_engines(&server, 1).await;
    assert_eq!(server.kill_engines(), 1);
    // The first one is reported, too.
    let message = receive_until(&mut socket, |message| message["exited"]["process"] == 2).await;
    assert!(message["exited"]["status"].as_str().unwrap().contains("signal: 9"), "{message}");
}

/// Engines that do not end at once are waited for elsewhere: neither their tab nor any other waits for them.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_waits_for_dismissed_engines() {
    let server = Server::start(&[]);
    let mut socket = connect_as_page(&server).await;
    receive(&mut socket).await;
    send(&mut socket, json!({ "start": { "process": 0, "engine": 0 } })).await;
    wait_for_engines(&server, 1).await;
    let answering = server.engines();
    // A machine that is busy for a second may miss it once.
    for attempt in 0.. {
        for process in 1..=5 {
            send(&mut socket, json!({ "start": { "process": process, "engine": 0 } })).await;
        }
        wait_for_engines(&server, 6).await;
        let stopped = server.engines().into_iter().filter(|id| !answering.contains(id));
        for id in stopped {
            let status = Command::new("kill").args(["-s", "STOP", &id.to_string()]).status();
            assert!(status.expect("kill runs").success());
        }
        for process in 1..=5 {
            send(&mut socket, json!({ "end": { "process": process } })).await;
        }
        send(&mut socket, json!({ "send": { "process": 0, "line": "isready" } })).await;
        receive_until(&mut socket, |message| message["line"]["line"] == "readyok").await;
        let left = server.engines().len();
        wait_for_engines(&server, 1).await;
        if left > 1 {
            return;
        }
        assert!(attempt < 5, "the tab waited for its engines");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_engine_outlives_the_server() {
    // Ignores signals and has a child of its own.
    let stubborn =
        r#"stubborn=sh -c 'trap "" HUP INT TERM; sleep 1000 & while true; do sleep 0.1; done'"#;
    for signal in ["INT", "TERM", "KILL"] {
        let mut server = Server::start(&["--opponent", stubborn]);
        let mut socket = connect_as_page(&server).await;
        for engine in [0, 1] {
            send(&mut socket, json!({ "start": { "process": engine, "engine": engine } })).await;
        }
        wait_for_engines(&server, 2).await;
        let begin = Instant::now();
        while !server.descendants().iter().any(|&id| is_sleeper(id)) {
            assert!(begin.elapsed() < Duration::from_secs(20), "the engine has no child");
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
async fn invalid_requests_are_rejected_without_effect() {
    let file = tempfile::tempdir().unwrap().path().join("log");
    let log = format!("setoption name Debug Log File value {}", file.display());
    let server = Server::start(&[]);
    let mut socket = connect_as_page(&server).await;
    receive(&mut socket).await;
    send(&mut socket, json!({ "start": { "process": 1, "engine": 0 } })).await;
    for request in [
        json!({ "start": { "process": 1, "engine": 0 } }),
        json!({ "start": { "process": 2, "engine": 9 } }),
        json!({ "send": { "process": 1, "line": log } }),
        json!({ "send": { "process": 1, "line": "isready\nbench" } }),
        json!({ "dance": {} }),
        json!([]),
    ] {
        send(&mut socket, request.clone()).await;
        let message = receive(&mut socket).await;
        assert!(message["rejected"]["reason"].is_string(), "{request} {message}");
    }
    for process in 2..=6 {
        send(&mut socket, json!({ "start": { "process": process, "engine": 0 } })).await;
    }
    send(&mut socket, json!({ "start": { "process": 7, "engine": 0 } })).await;
    let message = receive(&mut socket).await;
    assert!(message["rejected"]["reason"].as_str().unwrap().contains("at most 6"), "{message}");
    send(&mut socket, json!({ "send": { "process": 1, "line": "isready" } })).await;
    assert_eq!(receive(&mut socket).await["line"]["line"], "readyok");
    assert!(!file.exists());
}

/// Whether the connection is closed before any answer.
async fn is_closed(socket: &mut Socket) -> bool {
    let answer = async {
        loop {
            match socket.next().await {
                Some(Ok(Message::Text(_))) => return false,
                Some(Ok(Message::Close(_)) | Err(_)) | None => return true,
                Some(Ok(_)) => {}
            }
        }
    };
    tokio::time::timeout(TIMEOUT, answer).await.expect("an answer or an end in time")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_overlong_message_closes_only_its_connection() {
    const LONGEST: usize = 64 << 10;
    let server = Server::start(&[]);
    let text = |length: usize| Bytes::from("x".repeat(length));
    let frame = |length, opcode, is_last| {
        Message::Frame(Frame::message(text(length), OpCode::Data(opcode), is_last))
    };
    for (frames, is_accepted) in [
        (vec![frame(LONGEST, Data::Text, true)], true),
        (vec![frame(LONGEST + 1, Data::Text, true)], false),
        (
            vec![frame(LONGEST / 2, Data::Text, false), frame(LONGEST / 2, Data::Continue, true)],
            true,
        ),
        (
            vec![
                frame(LONGEST / 2, Data::Text, false),
                frame(LONGEST / 2 + 1, Data::Continue, true),
            ],
            false,
        ),
    ] {
        let mut socket = connect_as_page(&server).await;
        receive(&mut socket).await;
        for frame in frames {
            // The server may close the connection before all is written.
            drop(socket.send(frame).await);
        }
        // What is not too long is answered: it is no request.
        assert_eq!(is_closed(&mut socket).await, !is_accepted);
    }
    // One that is announced is not waited for.
    let mut socket = connect_as_page(&server).await;
    receive(&mut socket).await;
    let header = [&[0x81, 0xff][..], &(LONGEST as u64 + 1).to_be_bytes(), &[0; 4]].concat();
    socket.get_mut().write_all(&header).await.unwrap();
    assert!(is_closed(&mut socket).await);
    let mut other = connect_as_page(&server).await;
    assert_eq!(receive(&mut other).await["engines"][0], "ratlla");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_cannot_be_started_is_reported() {
    let server = Server::start(&["--opponent", "Ghost=/no/such/program"]);
    let mut socket = connect_as_page(&server).await;
    assert_eq!(receive(&mut socket).await, json!({ "engines": ["ratlla", "Ghost"] }));
    send(&mut socket, json!({ "start": { "process": 1, "engine": 1 } })).await;
    let message = receive(&mut socket).await;
    assert!(message["exited"]["status"].as_str().unwrap().contains("cannot start"), "{message}");
}

#[test]
fn the_first_engine_is_indispensable() {
    let server = Command::new(env!("CARGO_BIN_EXE_ratlla-gui"))
        .args(["--port", "0", "--engine", "/no/such/program"])
        .output()
        .expect("the server starts");
    assert!(!server.status.success());
    let message = String::from_utf8_lossy(&server.stderr);
    assert!(message.contains("cannot start engine program"), "{message}");
}
