//! What clients may use who do not know the token, and how long a page may be silent: what is just within each
//! limit works, and one more, or a moment longer, is dealt with.
#![cfg(unix)]

mod support;

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream as BlockingStream};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use ratlla_client::Launch;
use ratlla_gui::arguments::EngineChoice;
use ratlla_gui::server::{Limits, Server as WebBoard};
use ratlla_gui::token::Token;
use ratlla_gui::{connections, tab};
use support::{Server, processes};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// More than any answer takes.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Longer than the server needs to close a connection, if it does.
const MOMENT: Duration = Duration::from_millis(300);
/// A limit that no test reaches.
const NEVER: Duration = Duration::from_secs(600);
const TOKEN: &str = "0123456789abcdef";

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// The limits of the tests: few connections, and time without end.
fn few() -> connections::Limits {
    connections::Limits {
        strangers: 6,
        strangers_of_an_address: 4,
        acquaintances: 3,
        header_timeout: NEVER,
    }
}

fn patient() -> tab::Timeouts {
    tab::Timeouts { ping: Duration::from_millis(20), read: NEVER, write: NEVER }
}

/// A server within this process.
async fn board(limits: connections::Limits, pages: tab::Timeouts, engine: &str) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let launch = Launch::from_command_line(engine).unwrap();
    let board = WebBoard {
        token: Token::parse(TOKEN).unwrap(),
        engines: vec![EngineChoice { name: "engine".to_owned(), launch }],
        hosts: Vec::new(),
        share: None,
        limits: Limits { connections: limits, pages },
    };
    tokio::spawn(board.run(listener));
    address
}

async fn board_with(limits: connections::Limits) -> SocketAddr {
    board(limits, patient(), "cat").await
}

fn request(path: &str) -> String {
    format!("GET /{path} HTTP/1.1\r\nHost: localhost\r\n\r\n")
}

/// Sends a request and returns the status, without waiting for the connection to end. `None` if it is closed.
async fn ask(stream: &mut TcpStream, request: &str) -> Option<u16> {
    stream.write_all(request.as_bytes()).await.ok()?;
    status(stream).await
}

async fn status(stream: &mut TcpStream) -> Option<u16> {
    let mut bytes = vec![0; 1 << 16];
    let length =
        timeout(TIMEOUT, stream.read(&mut bytes)).await.expect("an answer in time").ok()?;
    let text = String::from_utf8_lossy(&bytes[..length]).into_owned();
    text.split(' ').nth(1)?.parse().ok()
}

fn page() -> String {
    request(&format!("{TOKEN}/icon.svg"))
}

/// Whether the server closes a connection on which nothing is sent.
async fn is_closed_within(stream: &mut TcpStream, time: Duration) -> bool {
    !matches!(timeout(time, stream.read(&mut [0])).await, Err(_) | Ok(Ok(1)))
}

async fn connect_from(last: u8, server: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    let address = IpAddr::V4(Ipv4Addr::new(127, 0, 0, last));
    socket.bind(SocketAddr::new(address, 0)).unwrap();
    socket.connect(server).await.unwrap()
}

async fn connect(server: SocketAddr) -> TcpStream {
    TcpStream::connect(server).await.unwrap()
}

/// A page's connection to its engines.
async fn open_tab(server: &str, token: &str) -> Socket {
    let mut request = format!("ws://{server}/{token}/engines").into_client_request().unwrap();
    request.headers_mut().insert("origin", format!("http://{server}").parse().unwrap());
    let mut socket = connect_async(request).await.expect("its own page is accepted").0;
    let first = timeout(TIMEOUT, socket.next()).await.expect("a message in time");
    assert!(first.unwrap().unwrap().is_text());
    socket
}

/// The status of a page requested by a browser that has just connected, and the time that took.
async fn page_of(server: &Server) -> (Option<u16>, Duration) {
    let begin = Instant::now();
    let mut stream = TcpStream::connect(&server.address).await.unwrap();
    let status = ask(&mut stream, &request(&format!("{}/", server.token))).await;
    (status, begin.elapsed())
}

/// Connections that say nothing, as many as wanted.
fn idle_connections(server: &Server, count: usize) -> Vec<BlockingStream> {
    let connect = |_| BlockingStream::connect(&server.address).expect("the system accepts it");
    (0..count).map(connect).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_answered_beside_1100_idle_connections() {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    setrlimit(Resource::RLIMIT_NOFILE, soft.max(hard.min(4096)), hard).unwrap();
    let server = Server::start_with_open_files("", 1024);
    let mut tab = open_tab(&server.address, &server.token).await;
    let idle = idle_connections(&server, 1100);
    // A busy machine may delay an answer, but not each of them.
    let mut answers = Vec::new();
    for _ in 0..5 {
        answers.push(page_of(&server).await);
    }
    assert!(answers.iter().all(|(status, _)| *status == Some(200)), "{answers:?}");
    assert!(answers.iter().any(|(_, time)| *time < Duration::from_secs(1)), "{answers:?}");
    // The page that was there before still has its engines.
    tab.send(Message::text("?")).await.unwrap();
    assert!(next_text(&mut tab).await.expect("an answer").contains("invalid request"));
    drop(idle);
}

/// The next message, or `None` if the connection has ended.
async fn next_text(tab: &mut Socket) -> Option<String> {
    let text = async {
        loop {
            match tab.next().await {
                Some(Ok(Message::Text(text))) => return Some(text.to_string()),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    };
    timeout(TIMEOUT, text).await.expect("a message or an end in time")
}

/// Where the files run out before any other limit is reached.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_answered_when_no_more_files_can_be_opened() {
    let server = Server::start_with_open_files("", 40);
    let mut tab = open_tab(&server.address, &server.token).await;
    let idle = idle_connections(&server, 60);
    for _ in 0..3 {
        let (status, time) = page_of(&server).await;
        assert_eq!(status, Some(200));
        assert!(time < connections::Limits::default().header_timeout / 2, "{time:?}");
    }
    tab.send(Message::text("?")).await.unwrap();
    assert!(next_text(&mut tab).await.expect("an answer").contains("invalid request"));
    drop(idle);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_asks_for_the_files_it_needs() {
    let server = Server::start_with_open_files("-S", 40);
    let mut strangers = Vec::new();
    for _ in 0..60 {
        strangers.push(connect(server.address.parse().unwrap()).await);
    }
    assert_eq!(page_of(&server).await.0, Some(200));
    assert!(!is_closed_within(&mut strangers[0], MOMENT).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_oldest_stranger_makes_room_and_no_other() {
    let server = board_with(few()).await;
    let mut strangers = Vec::new();
    for _ in 0..4 {
        strangers.push(connect(server).await);
    }
    // A stranger who says something is one as long as the token is missing.
    assert_eq!(ask(&mut strangers[0], &request("")).await, Some(404));
    let no_host = format!("GET /{TOKEN}/ HTTP/1.1\r\nHost: evil.test\r\n\r\n");
    assert_eq!(ask(&mut strangers[0], &no_host).await, Some(403));
    for stranger in &mut strangers {
        assert!(!is_closed_within(stranger, MOMENT / 4).await, "as many as there may be");
    }
    strangers.push(connect(server).await);
    assert!(is_closed_within(&mut strangers[0], TIMEOUT).await);
    for stranger in &mut strangers[1..] {
        assert!(!is_closed_within(stranger, MOMENT / 4).await);
    }
    // Those who have gone leave room.
    for stranger in strangers.drain(2..) {
        leave(stranger).await;
    }
    for _ in 0..6 {
        let mut stream = connect(server).await;
        assert_eq!(ask(&mut stream, &request("")).await, Some(404));
        leave(stream).await;
    }
    assert!(!is_closed_within(&mut strangers[1], MOMENT).await);
}

/// Ends a connection, and waits until the server has noticed.
async fn leave(mut stream: TcpStream) {
    stream.shutdown().await.unwrap();
    assert!(is_closed_within(&mut stream, TIMEOUT).await);
    tokio::time::sleep(MOMENT / 10).await;
}

#[cfg(target_os = "linux")] // Others have fewer loopback addresses.
#[tokio::test(flavor = "multi_thread")]
async fn many_strangers_make_room_for_those_from_other_addresses() {
    let server = board_with(few()).await;
    let mut single = connect_from(9, server).await;
    let mut crowd = Vec::new();
    for _ in 0..4 {
        crowd.push(connect_from(1, server).await);
    }
    let mut second = connect_from(2, server).await;
    // Six are there: the limit for all. The next ones take the place of the crowd's oldest.
    let mut third = connect_from(3, server).await;
    let mut fourth = connect_from(4, server).await;
    for stranger in &mut crowd[..2] {
        assert!(is_closed_within(stranger, TIMEOUT).await);
    }
    let rest = crowd.iter_mut().skip(2).chain([&mut single, &mut second, &mut third, &mut fourth]);
    for stranger in rest {
        assert!(!is_closed_within(stranger, MOMENT / 4).await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_knows_the_token_is_not_closed_for_others_and_limited_too() {
    let server = board_with(few()).await;
    let mut known = Vec::new();
    for _ in 0..3 {
        let mut stream = connect(server).await;
        assert_eq!(ask(&mut stream, &page()).await, Some(200));
        known.push(stream);
    }
    let mut strangers = Vec::new();
    for _ in 0..20 {
        strangers.push(connect(server).await);
    }
    assert!(is_closed_within(&mut strangers[0], TIMEOUT).await);
    for stream in &mut known {
        assert_eq!(ask(stream, &page()).await, Some(200));
    }
    let mut one_more = connect(server).await;
    assert_eq!(ask(&mut one_more, &page()).await, Some(503));
    // A WebSocket takes no place once it is open, and one that has ended leaves its place.
    drop(known.pop());
    let begin = Instant::now();
    let mut tab = loop {
        let mut stream = connect(server).await;
        if ask(&mut stream, &page()).await == Some(200) {
            drop(stream);
            break open_tab_soon(server, begin).await;
        }
        assert!(begin.elapsed() < TIMEOUT);
    };
    let begin = Instant::now();
    while ask(&mut connect(server).await, &page()).await != Some(200) {
        assert!(begin.elapsed() < TIMEOUT, "the WebSocket has a place");
    }
    tab.send(Message::text("?")).await.unwrap();
    assert!(next_text(&mut tab).await.is_some());
}

/// Six connections for each of 32 tabs.
#[tokio::test(flavor = "multi_thread")]
async fn browsers_have_room_for_all_their_connections() {
    let server = board_with(connections::Limits::default()).await;
    let mut known = Vec::new();
    for _ in 0..6 * 32 {
        let mut stream = connect(server).await;
        assert_eq!(ask(&mut stream, &page()).await, Some(200));
        known.push(stream);
    }
    assert_eq!(ask(&mut connect(server).await, &page()).await, Some(503));
}

/// A tab, as soon as the server has noticed that another connection has ended.
async fn open_tab_soon(server: SocketAddr, begin: Instant) -> Socket {
    loop {
        let mut request = format!("ws://{server}/{TOKEN}/engines").into_client_request().unwrap();
        request.headers_mut().insert("origin", format!("http://{server}").parse().unwrap());
        match connect_async(request).await {
            Ok((socket, _)) => return socket,
            Err(error) => assert!(begin.elapsed() < TIMEOUT, "{error}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_and_slow_clients_are_closed_and_patient_ones_are_served() {
    let header_timeout = Duration::from_millis(600);
    let server = board_with(connections::Limits { header_timeout, ..few() }).await;
    // Nothing at all; and nothing more after an answer, whoever it is.
    for asked in [None, Some(request("")), Some(page())] {
        let mut stream = connect(server).await;
        if let Some(request) = &asked {
            assert!(ask(&mut stream, request).await.is_some());
        }
        let begin = Instant::now();
        assert!(is_closed_within(&mut stream, TIMEOUT).await, "{asked:?}");
        assert!(begin.elapsed() > header_timeout / 2, "{asked:?}");
    }
    // A header without end, a few bytes at a time.
    let mut slow = connect(server).await;
    let begin = Instant::now();
    slow.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n").await.unwrap();
    while slow.write_all(b"x: y\r\n").await.is_ok() {
        assert!(begin.elapsed() < TIMEOUT, "a slow header is read for ever");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // A busy machine may be slower than this client.
    for attempt in 0.. {
        if is_served_in_pieces(server).await {
            break;
        }
        assert!(attempt < 5, "a slow but honest client is closed");
    }
}

/// Whether two requests are answered that take half of the time each, more than it together.
async fn is_served_in_pieces(server: SocketAddr) -> bool {
    let mut stream = connect(server).await;
    for _ in 0..3 {
        for part in page().as_bytes().chunks(20) {
            if stream.write_all(part).await.is_err() {
                return false;
            }
            tokio::time::sleep(Duration::from_millis(60)).await;
        }
        if status(&mut stream).await != Some(200) {
            return false;
        }
    }
    true
}

#[tokio::test(flavor = "multi_thread")]
async fn a_header_has_a_longest_length() {
    const LONGEST: usize = 16 << 10;
    let server = board_with(few()).await;
    let of_length = |length: usize| {
        let short = page().replace("\r\n\r\n", "\r\nX: \r\n\r\n");
        short.replace("X: ", &format!("X: {}", "x".repeat(length - short.len())))
    };
    assert_eq!(ask(&mut connect(server).await, &of_length(LONGEST)).await, Some(200));
    assert_eq!(ask(&mut connect(server).await, &of_length(LONGEST + 1)).await, Some(431));
    // Without an end, however fast it comes.
    let mut endless = connect(server).await;
    let unfinished = of_length(LONGEST + 4).replace("\r\n\r\n", "xxxx");
    assert_eq!(ask(&mut endless, &unfinished).await, Some(431));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_does_not_answer_pings_is_disconnected() {
    let folder = tempfile::tempdir().unwrap();
    let id = folder.path().join("id");
    let engine = format!("sh -c 'echo $$ > {0}.new; mv {0}.new {0}; exec cat'", id.display());
    let read = Duration::from_millis(500);
    let server = board(few(), tab::Timeouts { read, ..patient() }, &engine).await;
    let address = server.to_string();
    // Replies to pings are sent when the next message is waited for.
    let mut living = open_tab(&address, TOKEN).await;
    let living = tokio::spawn(async move {
        let begin = Instant::now();
        while begin.elapsed() < 4 * read {
            if let Ok(None | Some(Err(_))) = timeout(read / 10, living.next()).await {
                return None;
            }
        }
        Some(living)
    });
    let mut dead = open_tab(&address, TOKEN).await;
    dead.send(Message::text(r#"{"start":{"process":1,"engine":0}}"#)).await.unwrap();
    let id = wait_for_id(&id).await;
    wait_for_end(id).await;
    assert!(living.await.unwrap().is_some(), "a page that answers was disconnected");
}

async fn wait_for_id(file: &std::path::Path) -> u32 {
    let begin = Instant::now();
    loop {
        if let Ok(text) = std::fs::read_to_string(file) {
            return text.trim().parse().unwrap();
        }
        assert!(begin.elapsed() < TIMEOUT, "the engine does not start");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

async fn wait_for_end(id: u32) {
    let begin = Instant::now();
    while !processes::arguments(id).iter().all(String::is_empty) {
        assert!(begin.elapsed() < TIMEOUT, "the engine of a dead page runs on");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_does_not_read_is_disconnected() {
    let folder = tempfile::tempdir().unwrap();
    let id = folder.path().join("id");
    let engine = format!("sh -c 'echo $$ > {0}.new; mv {0}.new {0}; exec yes'", id.display());
    let write = Duration::from_millis(500);
    let server = board(few(), tab::Timeouts { write, ..patient() }, &engine).await;
    let mut tab = open_tab(&server.to_string(), TOKEN).await;
    tab.send(Message::text(r#"{"start":{"process":1,"engine":0}}"#)).await.unwrap();
    let id = wait_for_id(&id).await;
    wait_for_end(id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_so_many_tabs_are_open() {
    let server = Server::start(&[]);
    let mut tabs = Vec::new();
    for _ in 0..32 {
        tabs.push(open_tab(&server.address, &server.token).await);
    }
    let mut upgrade = connect(server.address.parse().unwrap()).await;
    let request = format!(
        "GET /{}/engines HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nConnection: Upgrade\r\n\
         Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        server.token,
        address = server.address
    );
    assert_eq!(ask(&mut upgrade, &request).await, Some(503));
    drop(tabs.pop());
    let begin = Instant::now();
    while ask(&mut connect(server.address.parse().unwrap()).await, &request).await != Some(101) {
        assert!(begin.elapsed() < TIMEOUT, "a closed tab leaves no room");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
