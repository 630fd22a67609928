//! Who may be connected, how many, and how long they may be silent.
//!
//! Anyone who can reach the port can connect, but only the page knows the token. A connection is a *stranger's*
//! until it has asked for something at the address with the token. There is room for a few strangers: when one
//! more comes, the one who has been there longest is disconnected, so those who open connections and say
//! nothing are in nobody's way but their own. Connections that know the token are never closed for others.
//! A WebSocket is no longer counted here: the server limits tabs.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;
use tower::ServiceExt as _;

/// The longest header of a request, in bytes.
const MAX_HEADER: usize = 16 << 10;
/// How long to wait if no connection can be accepted, for example because too many files are open.
const PAUSE: Duration = Duration::from_millis(50);

/// The limits of all connections.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Strangers at a time.
    pub strangers: usize,
    /// Strangers at a time from one address. Everyone on this machine has the same.
    pub strangers_of_an_address: usize,
    /// Connections at a time that know the token, besides WebSockets. A browser opens up to six for a page.
    pub acquaintances: usize,
    /// The time for the whole header of a request, and to the next one on the same connection.
    pub header_timeout: Duration,
}

impl Default for Limits {
    /// With WebSockets and engines this is half of what 1024 open files allow, a common limit.
    fn default() -> Limits {
        Limits {
            strangers: 128,
            strangers_of_an_address: 64,
            acquaintances: 192,
            header_timeout: Duration::from_secs(10),
        }
    }
}

/// Answers requests, for ever.
pub async fn serve(listener: TcpListener, app: Router, limits: Limits) -> Infallible {
    let register = Register::new(limits);
    loop {
        match listener.accept().await {
            Ok((stream, address)) => register.admit(stream, address, &app),
            Err(error) if is_of_the_client(&error) => {}
            // Probably too many files are open.
            Err(_) => {
                register.lock().close_oldest(|_| true);
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// Whether a connection could not be accepted because the client had gone.
fn is_of_the_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Middleware for requests at the address with the token: their connection is no longer a stranger's.
pub async fn know(request: Request, next: Next) -> Response {
    let is_known = request.extensions().get::<Arc<Visit>>().is_none_or(|visit| visit.know());
    if is_known {
        return next.run(request).await;
    }
    let close = [(header::CONNECTION, "close")];
    (StatusCode::SERVICE_UNAVAILABLE, close, "Too many connections\n").into_response()
}

/// All connections.
#[derive(Clone)]
struct Register {
    limits: Limits,
    entries: Arc<Mutex<Entries>>,
}

#[derive(Default)]
struct Entries {
    /// The number of the next connection.
    next: u64,
    /// In the order in which they came.
    strangers: VecDeque<Stranger>,
    acquaintances: usize,
}

struct Stranger {
    number: u64,
    address: IpAddr,
    connection: AbortHandle,
}

/// A connection in the register, from which it is removed when this is dropped.
struct Visit {
    number: u64,
    knows_token: AtomicBool,
    register: Register,
}

impl Register {
    fn new(limits: Limits) -> Register {
        Register { limits, entries: Arc::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes room for a new stranger and answers their requests.
    fn admit(&self, stream: TcpStream, address: SocketAddr, app: &Router) {
        let address = address.ip().to_canonical();
        // Locked until the entry is there, so that its connection finds it.
        let mut entries = self.lock();
        entries.make_room(address, &self.limits);
        let number = entries.next;
        entries.next += 1;
        let visit = Visit { number, knows_token: AtomicBool::new(false), register: self.clone() };
        let connection = answer(stream, app.clone(), Arc::new(visit), self.limits.header_timeout);
        let connection = tokio::spawn(connection).abort_handle();
        entries.strangers.push_back(Stranger { number, address, connection });
    }
}

impl Entries {
    /// Disconnects strangers until there is room for one from this address.
    fn make_room(&mut self, address: IpAddr, limits: &Limits) {
        while self.count(address) >= limits.strangers_of_an_address.max(1) {
            self.close_oldest(|stranger| stranger.address == address);
        }
        while self.strangers.len() >= limits.strangers.max(1) {
            // An address with many yields to others.
            let addresses = self.strangers.iter().rev().map(|stranger| stranger.address);
            let most = addresses.max_by_key(|&address| self.count(address));
            self.close_oldest(|stranger| Some(stranger.address) == most);
        }
    }

    /// The strangers from an address.
    fn count(&self, address: IpAddr) -> usize {
        self.strangers.iter().filter(|stranger| stranger.address == address).count()
    }

    /// Disconnects the first of these strangers.
    fn close_oldest(&mut self, which: impl Fn(&Stranger) -> bool) {
        let oldest = self.strangers.iter().position(which);
        if let Some(stranger) = oldest.and_then(|index| self.strangers.remove(index)) {
            stranger.connection.abort();
        }
    }

    /// Removes a stranger, if it is still one.
    fn remove(&mut self, number: u64) {
        self.strangers.retain(|stranger| stranger.number != number);
    }
}

impl Visit {
    /// The token was given. False if too many others have given it.
    fn know(&self) -> bool {
        let mut entries = self.register.lock();
        if self.knows_token.load(Ordering::Relaxed) {
            return true;
        }
        let has_room = entries.acquaintances < self.register.limits.acquaintances;
        if has_room {
            entries.remove(self.number);
            entries.acquaintances += 1;
            self.knows_token.store(true, Ordering::Relaxed);
        }
        has_room
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        let mut entries = self.register.lock();
        entries.remove(self.number);
        entries.acquaintances -= usize::from(*self.knows_token.get_mut());
    }
}

/// Answers the requests of one connection.
async fn answer(stream: TcpStream, app: Router, visit: Arc<Visit>, header_timeout: Duration) {
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(visit.clone());
        app.clone().oneshot(request.map(Body::new))
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(header_timeout).max_header_size(MAX_HEADER);
    let connection = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
    // Fails if the client breaks off, or is silent for too long.
    drop(connection.await);
}
