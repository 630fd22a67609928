//! A session on threads: one reads the input, one writes what the client is slow to read, one
//! searches. The main loop waits for whatever comes first.

use std::io::{self, Read};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, never, select};

use super::conversation::{Conversation, Replies};
use super::decision::Activity;
use super::input::read_lines;
use super::job::Event;
use super::output::{Destination, Output};
use super::worker;
use crate::lines::{Input, LONGEST_LINE};
use crate::registry::Registry;

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// As it should.
    Good,
    /// The one command it was started for was refused.
    Refused,
}

/// How long a client that does not read is waited for after `quit`.
const QUIT_PATIENCE: Duration = Duration::from_secs(2);
/// The same after the end of the input: people may pause before they read on.
const END_PATIENCE: Duration = Duration::from_secs(600);

/// How long the output of a search is held, so that what follows it at once is written with it. A short
/// search then wakes its client once.
const LONGEST_HELD: Duration = Duration::from_millis(1);

/// Carries out the commands in `input` until it ends or says `quit`.
///
/// With `only` given, carries out that command and ends; `input` is then read only while it runs.
/// A client that goes away ends the session quietly. One that does not read is waited for, but
/// after `quit` or the end of the input not for ever.
pub fn run(
    registry: Registry,
    input: impl Read + Send + 'static,
    output: impl Destination,
    only: Option<String>,
) -> io::Result<Ending> {
    let conversation = Conversation::new(registry, Output::new(output)?);
    let mut session = ThreadedSession {
        conversation: conversation.map_err(io::Error::other)?,
        events: bounded(64),
        unreadable: None,
    };
    let result = session.serve(&read_lines(input)?, only);
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Ending::Good),
        result => result,
    }
}

impl Replies for Output {
    fn write_line(&mut self, text: String) {
        Output::write_line(self, &text);
    }

    fn has_room(&self) -> bool {
        Output::has_room(self)
    }
}

struct ThreadedSession {
    conversation: Conversation<Output>,
    events: (Sender<Event>, Receiver<Event>),
    /// Why the input could not be read to its end.
    unreadable: Option<String>,
}

impl ThreadedSession {
    fn serve(&mut self, lines: &Receiver<Input>, only: Option<String>) -> io::Result<Ending> {
        let once = only.is_some();
        if let Some(command) = only {
            self.conversation.take_line(command.into_bytes());
        }
        while !self.is_given_up() {
            if let Some(task) = self.conversation.take_task() {
                if let Err((task, reason)) = worker::start(task, self.events.0.clone()) {
                    self.conversation.abandon_task(*task, reason);
                }
                continue;
            }
            let idle = self.conversation.activity() == Activity::Idle;
            if idle && (self.conversation.is_quitting() || once) {
                break;
            }
            if self.conversation.take_queued() {
                continue;
            }
            if idle && self.conversation.has_ended() {
                break;
            }
            self.wait(lines)?;
        }
        let (patience, quitting) = (self.patience(), self.conversation.is_quitting());
        match self.conversation.output.drain(patience) {
            // A client that sent `quit` need not read to the end.
            Err(error) if quitting && error.kind() == io::ErrorKind::TimedOut => {}
            drained => drained?,
        }
        match self.unreadable.take() {
            // A single command needs no input.
            Some(reason) if !once => {
                Err(io::Error::other(format!("cannot read the input: {reason}")))
            }
            _ if once && self.conversation.has_refused() => Ok(Ending::Refused),
            _ => Ok(Ending::Good),
        }
    }

    /// How long a client that does not read is waited for.
    fn patience(&self) -> Duration {
        if self.conversation.is_quitting() { QUIT_PATIENCE } else { END_PATIENCE }
    }

    /// Whether no more commands will come and the client does not read.
    fn is_given_up(&self) -> bool {
        let conversation = &self.conversation;
        (conversation.is_quitting() || conversation.input_ended())
            && conversation.output.stalled() >= self.patience()
    }

    /// Waits for whatever comes first: a line, something from the worker, progress of the client's
    /// reading, or a heartbeat. A worker that writes more than is read has to wait.
    fn wait(&mut self, lines: &Receiver<Input>) -> io::Result<()> {
        let conversation = &mut self.conversation;
        let held = conversation.output.gathered_for().map(|time| LONGEST_HELD.saturating_sub(time));
        let is_searching = conversation.activity() != Activity::Idle;
        let held = held.filter(|time| is_searching && !time.is_zero());
        if held.is_none() {
            conversation.output.flush();
        }
        let longest_wait = conversation.longest_wait();
        let no_lines = never();
        let lines = if conversation.may_read() { lines } else { &no_lines };
        let events = if conversation.output.has_room() { self.events.1.clone() } else { never() };
        let taken = conversation.output.write_results().clone();
        select! {
            recv(taken) -> taken => conversation.output.record(taken.ok())?,
            recv(events) -> event => if let Ok(event) = event { conversation.take_event(event) },
            recv(lines) -> input => match input {
                Ok(Input::Line(line)) => {
                    conversation.take_line(line);
                    conversation.output.flush();
                }
                Ok(Input::TooLong(length)) => conversation.refuse(format!(
                    "line skipped: {length} bytes long, at most {LONGEST_LINE} are allowed"
                )),
                Ok(Input::Unreadable(reason)) => {
                    self.unreadable = Some(reason);
                    conversation.end_input();
                }
                Ok(Input::End) | Err(_) => conversation.end_input(),
            },
            default(held.map_or(longest_wait, |time| time.min(longest_wait))) => {}
        }
        conversation.heartbeat(|| !self.events.1.is_empty());
        conversation.meet_deadline();
        Ok(())
    }
}
