//! One browser tab: its engines, and the messages between them and the page.
//!
//! When the page is closed or stops answering pings, its engines are dropped, which kills their
//! processes. That may take a while, so it happens on threads of its own.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket};
use ratlla_client::{Event, Process};
use serde::Serialize;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::arguments::EngineChoice;
use crate::budget::{Budget, Share};
use crate::request::{Request, allowlist};

/// Engines that a page may run at a time.
const MAX_ENGINES: usize = 6;
/// Lines of engines that may be queued for the page; when full, the engines block.
const QUEUED_LINES: usize = 256;

/// How long a page may be silent.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// How often a page is pinged.
    pub ping: Duration,
    /// A page that sends nothing for this long, not even replies to pings, is disconnected.
    pub read: Duration,
    /// A page that does not accept a message for this long is disconnected.
    pub write: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        let [ping, read, write] = [20, 65, 30].map(Duration::from_secs);
        Timeouts { ping, read, write }
    }
}

/// A message to the page.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum ServerMessage<'a> {
    /// The names of the engines; the first message.
    Engines(Vec<&'a str>),
    /// What links to games begin with, if not with the page's address.
    Share(&'a str),
    /// A line of an engine's output.
    Line { process: u32, line: String },
    /// An engine exited by itself, or could not be started.
    Exited { process: u32, status: String },
    /// A request was rejected: with the process if it was to start it.
    Rejected {
        #[serde(skip_serializing_if = "Option::is_none")]
        process: Option<u32>,
        reason: String,
    },
}

/// Serves a page until it disconnects. Its engines use a share of the budget. Links begin with `link_base`, if
/// given.
pub async fn serve(
    socket: WebSocket,
    choices: &[EngineChoice],
    budget: &Arc<Budget>,
    link_base: Option<&str>,
    timeouts: Timeouts,
) {
    let (sender, events) = channel(QUEUED_LINES);
    let mut tab = Tab { socket, choices, budget, timeouts, engines: HashMap::new(), sender };
    // Disconnecting is the normal end of a tab.
    drop(tab.run(events, link_base).await);
    for (_, engine) in tab.engines.drain() {
        dismiss(engine);
    }
}

/// An engine and what it may use.
struct Running {
    process: Process,
    share: Share,
}

/// Ends an engine without waiting for it.
fn dismiss(engine: Running) {
    tokio::task::spawn_blocking(move || drop(engine));
}

/// The page has disconnected or does not respond.
struct Disconnected;

struct Tab<'a> {
    socket: WebSocket,
    choices: &'a [EngineChoice],
    budget: &'a Arc<Budget>,
    timeouts: Timeouts,
    engines: HashMap<u32, Running>,
    sender: Sender<(u32, Event)>,
}

impl Tab<'_> {
    async fn run(
        &mut self,
        mut events: Receiver<(u32, Event)>,
        link_base: Option<&str>,
    ) -> Result<(), Disconnected> {
        let names = self.choices.iter().map(|choice| choice.name.as_str()).collect();
        self.send(&ServerMessage::Engines(names)).await?;
        if let Some(url) = link_base {
            self.send(&ServerMessage::Share(url)).await?;
        }
        let mut ping = tokio::time::interval(self.timeouts.ping);
        let mut last_received = Instant::now();
        loop {
            tokio::select! {
                message = self.socket.recv() => {
                    last_received = Instant::now();
                    match message.ok_or(Disconnected)?.map_err(|_| Disconnected)? {
                        Message::Text(text) => self.handle(&text).await?,
                        Message::Binary(_) => self.reject(None, "expected a text message".to_owned()).await?,
                        Message::Close(_) => return Ok(()),
                        Message::Ping(_) | Message::Pong(_) => {}
                    }
                }
                Some((process, event)) = events.recv() => self.forward(process, event).await?,
                _ = ping.tick() => {
                    if last_received.elapsed() > self.timeouts.read {
                        return Ok(());
                    }
                    self.write(Message::Ping(Bytes::new())).await?;
                }
            }
        }
    }

    /// Handles a request, or tells the page why it is rejected.
    async fn handle(&mut self, text: &str) -> Result<(), Disconnected> {
        let (started, result) = match Request::parse(text) {
            Ok(Request::Start { process, engine }) => {
                (Some(process), self.start_engine(process, engine))
            }
            Ok(Request::Send { process, line }) => (None, self.send_to_engine(process, &line)),
            Ok(Request::End { process }) => {
                self.engines.remove(&process).into_iter().for_each(dismiss);
                (None, Ok(()))
            }
            Err(reason) => (None, Err(reason)),
        };
        match result {
            Ok(()) => Ok(()),
            Err(reason) => self.reject(started, reason).await,
        }
    }

    fn start_engine(&mut self, process: u32, engine: usize) -> Result<(), String> {
        let choice = self.choices.get(engine).ok_or_else(|| format!("unknown engine {engine}"))?;
        if self.engines.contains_key(&process) {
            return Err(format!("process {process} already exists"));
        }
        if self.engines.len() >= MAX_ENGINES {
            return Err(format!("at most {MAX_ENGINES} engines may run at a time"));
        }
        let share = self.budget.share()?;
        let sender = self.sender.clone();
        let on_event = move |event| sender.blocking_send((process, event)).is_ok();
        match Process::start(&choice.launch, on_event) {
            Ok(engine) => {
                self.engines.insert(process, Running { process: engine, share });
            }
            Err(error) => {
                let status = format!("cannot start: {error}");
                // Fails only if the page does not read.
                drop(self.sender.try_send((process, Event::Exited(status))));
            }
        }
        Ok(())
    }

    fn send_to_engine(&mut self, process: u32, line: &str) -> Result<(), String> {
        if let Some(reason) = allowlist::rejection(line) {
            return Err(reason);
        }
        match self.engines.get_mut(&process) {
            Some(engine) => {
                engine.share.adapt_to(line)?;
                engine.process.send(line).map_err(|error| error.to_string())
            }
            // It has just exited, which the page will be told.
            None => Ok(()),
        }
    }

    async fn forward(&mut self, process: u32, event: Event) -> Result<(), Disconnected> {
        match event {
            Event::Line(line) => self.send(&ServerMessage::Line { process, line }).await,
            Event::Exited(status) => {
                self.engines.remove(&process).into_iter().for_each(dismiss);
                self.send(&ServerMessage::Exited { process, status }).await
            }
        }
    }

    async fn reject(&mut self, process: Option<u32>, reason: String) -> Result<(), Disconnected> {
        self.send(&ServerMessage::Rejected { process, reason }).await
    }

    async fn send(&mut self, message: &ServerMessage<'_>) -> Result<(), Disconnected> {
        let text = serde_json::to_string(message).map_err(|_| Disconnected)?;
        self.write(Message::Text(text.into())).await
    }

    async fn write(&mut self, message: Message) -> Result<(), Disconnected> {
        let sent = tokio::time::timeout(self.timeouts.write, self.socket.send(message)).await;
        sent.map_err(|_| Disconnected)?.map_err(|_| Disconnected)
    }
}
