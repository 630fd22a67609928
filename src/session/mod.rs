//! The session: one conversation with one client.
//!
//! One loop owns all state and is the only writer of the output. While a search runs, the engine
//! belongs to the worker thread, so nothing can change under it: the session is either
//! [`State::Idle`], with the engine at hand, or [`State::Busy`], with nothing but the control
//! that reaches the search.

mod decision;
mod execute;
mod input;
mod log_file;
mod options;
pub mod output;
mod running_search;
mod strength;
mod worker;

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, never, select};

use crate::engine::Engine;
use crate::limits::SearchControl;
use crate::lines::{Input, LONGEST_LINE};
use crate::protocol::command::Command;
use crate::protocol::parse::parse_line;
use crate::protocol::reply::Reply;
use crate::registry::Registry;
use crate::text::escaped;
use decision::{Activity, Decision, Parsed, Signal, decide};
use execute::{Answer, Context};
use input::read_lines;
use output::{Destination, Output};
use running_search::{ANALYSIS_PATIENCE, RunningSearch};
use worker::{Event, Job};

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
/// The memory of queued lines at which reading pauses.
const QUEUE_BYTES: usize = 64 << 20;

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
    let mut session = Session::new(registry, Output::new(output)?).map_err(io::Error::other)?;
    let result = session.serve(&read_lines(input)?, only);
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Ending::Good),
        result => result,
    }
}

enum State {
    Idle(Box<Engine>),
    Busy(RunningSearch),
}

/// A line that waits for the end of a search.
struct QueuedLine {
    line: Vec<u8>,
    /// Whether a `stop` came after it: what it starts is stopped at once.
    stopped: bool,
}

impl QueuedLine {
    /// The memory it takes, with a generous guess at the allocator's share.
    fn bytes(&self) -> usize {
        self.line.capacity() + size_of::<QueuedLine>() + 32
    }
}

struct Session<D> {
    output: Output<D>,
    context: Context,
    state: State,
    events: (Sender<Event>, Receiver<Event>),
    queue: VecDeque<QueuedLine>,
    queued_bytes: usize,
    input_ended: bool,
    /// Why the input could not be read to its end.
    unreadable: Option<String>,
    quitting: bool,
    refused: bool,
}

impl<D: Destination> Session<D> {
    fn new(registry: Registry, output: Output<D>) -> Result<Session<D>, String> {
        let (context, engine) = Context::new(registry)?;
        Ok(Session {
            output,
            context,
            state: State::Idle(Box::new(engine)),
            events: bounded(64),
            queue: VecDeque::new(),
            queued_bytes: 0,
            input_ended: false,
            unreadable: None,
            quitting: false,
            refused: false,
        })
    }

    fn serve(&mut self, lines: &Receiver<Input>, only: Option<String>) -> io::Result<Ending> {
        let once = only.is_some();
        if let Some(command) = only {
            self.take_line(command.into_bytes());
        }
        while !self.is_given_up() {
            let activity = self.activity();
            let idle = activity == Activity::Idle;
            if idle && (self.quitting || once) {
                break;
            }
            // Behind an endless search nothing waits: it is refused, as if it came only now.
            if activity != Activity::Searching
                && self.output.has_room()
                && let Some(queued) = self.queue.pop_front()
            {
                self.queued_bytes -= queued.bytes();
                let parsed = parse_line(&queued.line, self.context.dialect());
                self.dispatch(queued.line, parsed);
                if queued.stopped {
                    self.signal(Signal::Stop);
                }
                continue;
            }
            if idle && self.input_ended && self.queue.is_empty() {
                break;
            }
            self.wait(lines)?;
        }
        match self.output.drain(self.patience()) {
            // A client that sent `quit` need not read to the end.
            Err(error) if self.quitting && error.kind() == io::ErrorKind::TimedOut => {}
            drained => drained?,
        }
        match self.unreadable.take() {
            // A single command needs no input.
            Some(reason) if !once => {
                Err(io::Error::other(format!("cannot read the input: {reason}")))
            }
            _ if once && self.refused => Ok(Ending::Refused),
            _ => Ok(Ending::Good),
        }
    }

    fn activity(&self) -> Activity {
        match &self.state {
            State::Idle(_) => Activity::Idle,
            State::Busy(search) => search.activity(),
        }
    }

    /// How long a client that does not read is waited for.
    fn patience(&self) -> Duration {
        if self.quitting { QUIT_PATIENCE } else { END_PATIENCE }
    }

    /// Whether no more commands will come and the client does not read.
    fn is_given_up(&self) -> bool {
        (self.quitting || self.input_ended) && self.output.stalled() >= self.patience()
    }

    /// Waits for whatever comes first: a line, something from the worker, progress of the client's
    /// reading, or a heartbeat. A worker that writes more than is read has to wait.
    fn wait(&mut self, lines: &Receiver<Input>) -> io::Result<()> {
        let no_lines = never();
        let may_read = !self.input_ended && self.queued_bytes < QUEUE_BYTES;
        let lines = if may_read { lines } else { &no_lines };
        let events = if self.output.has_room() { self.events.1.clone() } else { never() };
        let taken = self.output.write_results().clone();
        select! {
            recv(taken) -> taken => self.output.record(taken.ok())?,
            recv(events) -> event => if let Ok(event) = event { self.take_event(event) },
            recv(lines) -> input => match input {
                Ok(Input::Line(line)) => self.take_line(line),
                Ok(Input::TooLong(length)) => self.refuse(format!(
                    "line skipped: {length} bytes long, at most {LONGEST_LINE} are allowed"
                )),
                Ok(Input::Unreadable(reason)) => {
                    self.unreadable = Some(reason);
                    self.end_input();
                }
                Ok(Input::End) | Err(_) => self.end_input(),
            },
            default(self.longest_wait()) => {}
        }
        self.heartbeat();
        self.meet_deadline();
        Ok(())
    }

    fn longest_wait(&self) -> Duration {
        match &self.state {
            State::Idle(_) => QUIT_PATIENCE,
            State::Busy(search) => search.longest_wait(),
        }
    }

    /// The input has ended: what ends by itself is still done, the rest ends now or soon.
    fn end_input(&mut self) {
        self.input_ended = true;
        if let State::Busy(search) = &mut self.state {
            search.end_input();
        }
    }

    /// Stops a search whose time is up, and says so.
    fn meet_deadline(&mut self) {
        if let State::Busy(search) = &mut self.state
            && search.meet_deadline()
        {
            let seconds = ANALYSIS_PATIENCE.as_secs();
            self.say(Reply::Note(format!(
                "analyze: stopped {seconds} s after the end of the input; set movetime, nodes or depth"
            )));
        }
    }

    /// Writes how far the search has come if nothing else was written for a while. This also
    /// notices a client that has gone away.
    fn heartbeat(&mut self) {
        let State::Busy(search) = &mut self.state else {
            return;
        };
        if !search.needs_heartbeat() || !self.output.has_room() {
            return;
        }
        search.record_output();
        let (nodes, time) = (search.control.nodes(), search.control.elapsed());
        self.say(Reply::Progress { nodes, time });
    }

    fn take_event(&mut self, event: Event) {
        match event {
            Event::Reply(reply) => {
                if let State::Busy(search) = &mut self.state {
                    search.record_output();
                }
                self.say(reply);
            }
            Event::Done(engine, closing) => {
                self.state = State::Idle(engine);
                self.refused |= matches!(closing, Reply::Error(_));
                self.say(closing);
            }
        }
    }

    fn take_line(&mut self, line: Vec<u8>) {
        self.context.log(">", &String::from_utf8_lossy(&line));
        let parsed = parse_line(&line, self.context.dialect());
        // A signal is also for searches that were asked for before it and are still queued.
        if !self.queue.is_empty() {
            match &parsed {
                Ok(Some(Command::Stop)) => {
                    self.queue.iter_mut().for_each(|queued| queued.stopped = true);
                }
                Ok(Some(Command::PonderHit)) => self.enqueue(line.clone()),
                _ => {}
            }
        }
        self.dispatch(line, parsed);
    }

    /// Keeps a line until the search is done.
    fn enqueue(&mut self, mut line: Vec<u8>) {
        line.shrink_to_fit();
        let queued = QueuedLine { line, stopped: false };
        self.queued_bytes += queued.bytes();
        self.queue.push_back(queued);
    }

    fn dispatch(&mut self, line: Vec<u8>, parsed: Parsed) {
        match (decide(self.activity(), self.output.has_room(), &parsed), parsed) {
            (Decision::Execute, Ok(Some(command))) => self.execute(command),
            (Decision::Refuse, Err(reason)) => self.refuse(reason),
            (Decision::Signal(signal), _) => self.signal(signal),
            (Decision::Enqueue, _) => self.enqueue(line),
            (Decision::RefuseWhileSearching, _) => {
                self.refuse("search in progress: send 'stop' first".to_owned());
            }
            (Decision::Execute | Decision::Refuse | Decision::Ignore, _) => {}
        }
    }

    /// Passes a signal to the running search, if there is one.
    fn signal(&mut self, signal: Signal) {
        if signal == Signal::Quit {
            self.quitting = true;
            self.queue.clear();
            self.queued_bytes = 0;
        }
        let State::Busy(RunningSearch { control, .. }) = &self.state else {
            return;
        };
        match signal {
            Signal::Stop | Signal::Quit => control.stop(),
            Signal::PonderHit if control.is_pondering() => control.ponder_hit(),
            Signal::PonderHit => {}
        }
    }

    /// Carries out a command. While a search runs, only those come here that need no engine.
    fn execute(&mut self, command: Command) {
        let State::Idle(engine) = &mut self.state else {
            match command {
                Command::IsReady => self.say(Reply::ReadyOk),
                _ => self.say(self.context.help()),
            }
            return;
        };
        let skipped = match &command {
            Command::Go(go) if !go.unknown.is_empty() => Some(escaped(&go.unknown.join(" "))),
            _ => None,
        };
        let answer = self.context.execute(command, engine);
        if let Some(words) = skipped {
            self.say(Reply::Note(format!("go: ignored unknown words '{words}'")));
        }
        match answer {
            Ok(Answer::Nothing) => {}
            Ok(Answer::Reply(reply)) => self.say(reply),
            Ok(Answer::Start(job, control)) => self.start(job, control),
            Err(reason) => self.refuse(reason),
        }
    }

    /// Moves the engine to the worker.
    fn start(&mut self, job: Job, control: SearchControl) {
        let control = Arc::new(control);
        let mut search = RunningSearch::new(&job, Arc::clone(&control));
        if self.input_ended {
            search.end_input();
        }
        let busy = State::Busy(search);
        let State::Idle(engine) = std::mem::replace(&mut self.state, busy) else {
            return;
        };
        if let Err((engine, reason)) = worker::start(engine, job, control, self.events.0.clone()) {
            self.state = State::Idle(engine);
            self.refuse(reason);
        }
    }

    fn say(&mut self, reply: Reply) {
        let text = reply.text(self.context.output_style());
        for line in text.lines() {
            self.context.log("<", line);
        }
        self.output.write_line(text);
    }

    fn refuse(&mut self, reason: String) {
        self.refused = true;
        self.say(Reply::Error(reason));
    }
}
