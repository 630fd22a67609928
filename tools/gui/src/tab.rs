//! One tab of a browser: its engines, and the messages between them and the page.
//!
//! Everything a tab has ends with it. When the page is closed, or is silent for too long though
//! it was asked for a sign of life, its engines are dropped and so their processes end.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket};
use ratlla_client::{Engine, Event};
use serde::Serialize;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::options::Choice;
use crate::wish::{Wish, permitted};

/// So many engines may a page have at a time.
const MOST_ENGINES: usize = 6;
/// How often a page is asked for a sign of life.
const PING: Duration = Duration::from_secs(20);
/// A page that gives none for so long has gone.
const SILENCE: Duration = Duration::from_secs(65);
/// A page that does not take its messages for so long has gone.
const WRITE_PATIENCE: Duration = Duration::from_secs(30);
/// So many lines of engines may wait for the page; then the engines wait.
const WAITING_LINES: usize = 256;

/// What a page is told.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum News<'a> {
    /// First of all: the names of the engines.
    Engines(Vec<&'a str>),
    /// What an engine said.
    Line { process: u32, line: String },
    /// An engine has ended, how, and without being asked to.
    Gone { process: u32, how: String },
    /// A wish could not be granted.
    Refused { reason: String },
}

/// Serves a page until it goes away.
pub async fn serve(socket: WebSocket, choices: &[Choice]) {
    let (sender, events) = channel(WAITING_LINES);
    let tab = Tab { socket, choices, engines: HashMap::new(), sender };
    // An error says that the page has gone: there is nobody left to tell.
    drop(tab.run(events).await);
}

/// The page has gone, or behaves as if it had.
struct Gone;

struct Tab<'a> {
    socket: WebSocket,
    choices: &'a [Choice],
    engines: HashMap<u32, Engine>,
    sender: Sender<(u32, Event)>,
}

impl Tab<'_> {
    async fn run(mut self, mut events: Receiver<(u32, Event)>) -> Result<(), Gone> {
        let names = self.choices.iter().map(|choice| choice.name.as_str()).collect();
        self.tell(&News::Engines(names)).await?;
        let mut ping = tokio::time::interval(PING);
        let mut heard = Instant::now();
        loop {
            tokio::select! {
                message = self.socket.recv() => {
                    heard = Instant::now();
                    match message.ok_or(Gone)?.map_err(|_| Gone)? {
                        Message::Text(text) => self.grant(&text).await?,
                        Message::Binary(_) => self.refuse("a message must be text".to_owned()).await?,
                        Message::Close(_) => return Ok(()),
                        Message::Ping(_) | Message::Pong(_) => {}
                    }
                }
                Some((process, event)) = events.recv() => self.pass_on(process, event).await?,
                _ = ping.tick() => {
                    if heard.elapsed() > SILENCE {
                        return Ok(());
                    }
                    self.write(Message::Ping(Bytes::new())).await?;
                }
            }
        }
    }

    /// Does what the page asks for, or says why not.
    async fn grant(&mut self, text: &str) -> Result<(), Gone> {
        let done = match Wish::parse(text) {
            Ok(Wish::Start { process, engine }) => self.start(process, engine),
            Ok(Wish::Send { process, line }) => self.send(process, &line),
            Ok(Wish::End { process }) => {
                self.engines.remove(&process);
                Ok(())
            }
            Err(reason) => Err(reason),
        };
        match done {
            Ok(()) => Ok(()),
            Err(reason) => self.refuse(reason).await,
        }
    }

    fn start(&mut self, process: u32, engine: usize) -> Result<(), String> {
        let choice = self.choices.get(engine).ok_or("there is no such engine")?;
        if self.engines.contains_key(&process) {
            return Err(format!("process {process} is there already"));
        }
        if self.engines.len() >= MOST_ENGINES {
            return Err(format!("no more than {MOST_ENGINES} engines at a time"));
        }
        let sender = self.sender.clone();
        let hear = move |event| sender.blocking_send((process, event)).is_ok();
        match Engine::start(&choice.launch, hear) {
            Ok(engine) => {
                self.engines.insert(process, engine);
            }
            Err(error) => {
                let how = format!("it cannot be started: {error}");
                // Full or closed: the page does not listen anyway.
                drop(self.sender.try_send((process, Event::Gone(how))));
            }
        }
        Ok(())
    }

    fn send(&mut self, process: u32, line: &str) -> Result<(), String> {
        if let Some(reason) = permitted::refusal(line) {
            return Err(reason);
        }
        match self.engines.get(&process) {
            Some(engine) => engine.send(line).map_err(|unheard| unheard.to_string()),
            // It has just ended, and the page will hear of it.
            None => Ok(()),
        }
    }

    async fn pass_on(&mut self, process: u32, event: Event) -> Result<(), Gone> {
        match event {
            Event::Line(line) => self.tell(&News::Line { process, line }).await,
            Event::Gone(how) => {
                self.engines.remove(&process);
                self.tell(&News::Gone { process, how }).await
            }
        }
    }

    async fn refuse(&mut self, reason: String) -> Result<(), Gone> {
        self.tell(&News::Refused { reason }).await
    }

    async fn tell(&mut self, news: &News<'_>) -> Result<(), Gone> {
        let text = serde_json::to_string(news).map_err(|_| Gone)?;
        self.write(Message::Text(text.into())).await
    }

    async fn write(&mut self, message: Message) -> Result<(), Gone> {
        let sent = tokio::time::timeout(WRITE_PATIENCE, self.socket.send(message)).await;
        sent.map_err(|_| Gone)?.map_err(|_| Gone)
    }
}
