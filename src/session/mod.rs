//! The session: one conversation with one client.
//!
//! One loop owns all state and is the only writer of the output. While a search runs, the game
//! and the transposition table belong to the thread that thinks, so nothing can change under
//! it: the session is either [`State::Idle`], with the engine at hand, or [`State::Busy`], with
//! nothing but the signals that reach the search.

mod answers;
pub(crate) mod input;
mod options;
pub mod output;
mod strength;
mod texts;
mod worker;

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, never, select};

use crate::games;
use crate::limits::SearchControl;
use crate::protocol::command::Command;
use crate::protocol::dialect::Dialect;
use crate::protocol::parse::parse_line;
use crate::protocol::reply::{OutputStyle, Reply};
use crate::search::transposition_table::TranspositionTable;
use crate::text::escaped;
use answers::Answer;
use input::{Input, read_lines};
use options::Options;
use output::{Destination, Output};
use texts::help;
use worker::{Engine, Event, Job};

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// As it should.
    Good,
    /// The one command it was started for was refused.
    Refused,
}

/// A search says how far it has come when it was silent for so long.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// After `quit`, a reader who takes nothing for so long is not waited for.
const QUIT_PATIENCE: Duration = Duration::from_secs(2);
/// After the end of the input neither, but people may pause before they read on.
const END_PATIENCE: Duration = Duration::from_secs(600);
/// Lines that wait for the end of a search take at most so much memory; then reading pauses.
const WAITING_BYTES: usize = 64 << 20;

/// Obeys the commands in `input` until it ends or says `quit`.
///
/// With `only` given, obeys that command and ends; `input` is then only heard while it runs.
/// A reader that goes away ends the session, quietly. One that takes nothing is waited for, but
/// after `quit` or the end of the input not without end.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Destination,
    only: Option<String>,
) -> io::Result<Ending> {
    let mut session = Session::new(Output::new(output)?).map_err(io::Error::other)?;
    let result = session.serve(&read_lines(input)?, only);
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Ending::Good),
        result => result,
    }
}

enum State {
    Idle(Box<Engine>),
    Busy {
        control: Arc<SearchControl>,
        /// Whether only a signal can end the search.
        endless: bool,
        /// When the search last said something.
        heard: Instant,
    },
    /// Between the two, while a command is carried out.
    Moving,
}

/// What a line says, nothing, or what is wrong with it.
type Parsed = Result<Option<Command>, String>;

/// A line that waits for the end of a search.
struct Waiting {
    line: Vec<u8>,
    /// Whether a `stop` came after it: what it starts is stopped at once.
    stopped: bool,
}

struct Session<D> {
    output: Output<D>,
    log: Option<File>,
    dialect: Dialect,
    options: Options,
    state: State,
    events: (Sender<Event>, Receiver<Event>),
    waiting: VecDeque<Waiting>,
    waiting_bytes: usize,
    input_ended: bool,
    quitting: bool,
    refused: bool,
}

impl<D: Destination> Session<D> {
    fn new(output: Output<D>) -> Result<Session<D>, String> {
        let mut options = Options::default();
        let table = games::open_from_words(&[])?;
        options.adapt(&*table);
        let tt = TranspositionTable::new(table.table_share(options.settings.hash))?;
        Ok(Session {
            output,
            log: None,
            dialect: Dialect::default(),
            options,
            state: State::Idle(Box::new(Engine { table, tt })),
            events: bounded(64),
            waiting: VecDeque::new(),
            waiting_bytes: 0,
            input_ended: false,
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
            let idle = matches!(self.state, State::Idle(_));
            if idle && (self.quitting || once) {
                break;
            }
            // Behind an endless search nothing waits: it is refused, as if it came only now.
            let endless = matches!(self.state, State::Busy { endless: true, .. });
            if (idle || endless)
                && self.output.has_room()
                && let Some(Waiting { line, stopped }) = self.waiting.pop_front()
            {
                self.waiting_bytes -= line.len();
                let command = parse_line(&line, self.dialect);
                self.dispatch(line, command);
                if stopped {
                    self.stop();
                }
                continue;
            }
            if idle && self.input_ended && self.waiting.is_empty() {
                break;
            }
            self.wait(lines)?;
        }
        match self.output.drain(self.patience()) {
            // Whoever says `quit` need not read to the end.
            Err(error) if self.quitting && error.kind() == io::ErrorKind::TimedOut => {}
            drained => drained?,
        }
        Ok(if once && self.refused { Ending::Refused } else { Ending::Good })
    }

    /// How long a reader who takes nothing is waited for.
    fn patience(&self) -> Duration {
        if self.quitting { QUIT_PATIENCE } else { END_PATIENCE }
    }

    /// Whether there will be no more commands, and nobody reads what is said.
    fn is_given_up(&self) -> bool {
        (self.quitting || self.input_ended) && self.output.stalled() >= self.patience()
    }

    /// Waits for whatever comes first: a line, something from the worker, a reader who has taken
    /// something, or a long silence. A worker who says more than is read has to wait.
    fn wait(&mut self, lines: &Receiver<Input>) -> io::Result<()> {
        let no_lines = never();
        let may_read = !self.input_ended && self.waiting_bytes < WAITING_BYTES;
        let lines = if may_read { lines } else { &no_lines };
        let has_room = self.output.has_room();
        let events = if has_room { self.events.1.clone() } else { never() };
        let taken = self.output.taken().clone();
        select! {
            recv(taken) -> taken => self.output.note(taken.ok())?,
            recv(events) -> event => if let Ok(event) = event { self.take_event(event) },
            recv(lines) -> input => match input {
                Ok(Input::Line(line)) => self.take_line(line),
                Ok(Input::TooLong(length)) => {
                    let most = input::LONGEST_LINE;
                    self.refuse(format!(
                        "a line of {length} bytes is too long, {most} is the most: skipped"
                    ));
                }
                Ok(Input::End) | Err(_) => self.end_input(),
            },
            default(HEARTBEAT) => {}
        }
        self.beat();
        Ok(())
    }

    /// The input has ended: what has an end is still done, what has none ends now.
    fn end_input(&mut self) {
        self.input_ended = true;
        if matches!(self.state, State::Busy { endless: true, .. }) {
            self.stop();
        }
    }

    /// Says how far the search has come if nothing else was said for a while. This also notices
    /// a reader that has gone away.
    fn beat(&mut self) {
        let State::Busy { control, heard, .. } = &mut self.state else {
            return;
        };
        if heard.elapsed() < HEARTBEAT || !self.output.has_room() {
            return;
        }
        *heard = Instant::now();
        let (nodes, time) = (control.nodes(), control.elapsed());
        self.say(Reply::Progress { nodes, time });
    }

    fn take_event(&mut self, event: Event) {
        match event {
            Event::Reply(reply) => {
                if let State::Busy { heard, .. } = &mut self.state {
                    *heard = Instant::now();
                }
                self.say(reply);
            }
            Event::Done(engine, closing) => {
                self.state = State::Idle(engine);
                self.say(closing);
            }
        }
    }

    fn take_line(&mut self, line: Vec<u8>) {
        self.note(">", &String::from_utf8_lossy(&line));
        let command = parse_line(&line, self.dialect);
        // A signal is also for searches that were asked for before it and are still waiting.
        if !self.waiting.is_empty() {
            match &command {
                Ok(Some(Command::Stop)) => {
                    self.waiting.iter_mut().for_each(|waiting| waiting.stopped = true);
                }
                Ok(Some(Command::PonderHit)) => self.keep(line.clone()),
                _ => {}
            }
        }
        self.dispatch(line, command);
    }

    /// Keeps a line until the search is done.
    fn keep(&mut self, line: Vec<u8>) {
        self.waiting_bytes += line.len();
        self.waiting.push_back(Waiting { line, stopped: false });
    }

    /// Obeys the command of a line at once, or keeps the line until the search is done, or refuses it because the
    /// search will not be done by itself.
    ///
    /// While nobody reads, what would be answered is kept.
    fn dispatch(&mut self, line: Vec<u8>, command: Parsed) {
        let has_room = self.output.has_room();
        let endless = match self.state {
            State::Busy { endless, .. } => endless,
            _ if has_room => return self.obey_parsed(command),
            _ => false,
        };
        match command {
            Ok(Some(Command::Stop)) => self.stop(),
            Ok(Some(Command::PonderHit)) => self.ponder_hit(),
            Ok(Some(Command::Quit)) => self.quit(),
            Ok(None | Some(Command::Ignored)) => {}
            _ if !has_room => self.keep(line),
            Ok(Some(Command::IsReady)) => self.say(Reply::ReadyOk),
            _ if !endless => self.keep(line),
            Ok(Some(Command::Help)) => self.say(Reply::Text(help())),
            Ok(Some(_)) => {
                self.refuse("a search is running until 'stop': send that first".to_owned());
            }
            Err(reason) => self.refuse(reason),
        }
    }

    fn ponder_hit(&mut self) {
        if let State::Busy { control, endless, .. } = &mut self.state
            && control.is_pondering()
        {
            control.ponder_hit();
            *endless = control.is_endless() && !control.is_stopped();
        }
    }

    fn quit(&mut self) {
        self.quitting = true;
        self.waiting.clear();
        self.waiting_bytes = 0;
        self.stop();
    }

    /// Asks a running search for its answer. From now on it has an end, so others may wait for
    /// it.
    fn stop(&mut self) {
        if let State::Busy { control, endless, .. } = &mut self.state {
            control.stop();
            *endless = false;
        }
    }

    fn obey_parsed(&mut self, command: Parsed) {
        match command {
            Ok(None) => {}
            Ok(Some(command)) => self.obey(command),
            Err(reason) => self.refuse(reason),
        }
    }

    /// Carries out a command. The engine is at hand.
    fn obey(&mut self, command: Command) {
        let State::Idle(mut engine) = std::mem::replace(&mut self.state, State::Moving) else {
            return;
        };
        if let Command::Go(go) | Command::Analyze(go) = &command
            && !go.unknown.is_empty()
        {
            let words = escaped(&go.unknown.join(" "));
            self.say(Reply::Remark(format!("go: passed over '{words}'")));
        }
        let job = match self.answer(command, &mut engine) {
            Ok(Answer::Nothing) => None,
            Ok(Answer::Reply(reply)) => {
                self.say(reply);
                None
            }
            Ok(Answer::Start(job, control)) => Some((job, control)),
            Err(reason) => {
                self.refuse(reason);
                None
            }
        };
        match job {
            None => self.state = State::Idle(engine),
            Some((job, control)) => self.start(engine, job, control),
        }
    }

    fn start(&mut self, engine: Box<Engine>, job: Job, control: SearchControl) {
        let control = Arc::new(control);
        let mut endless = control.is_endless() || control.is_pondering();
        if endless && self.input_ended {
            control.stop();
            endless = false;
        }
        match worker::start(engine, job, control.clone(), self.events.0.clone()) {
            Ok(()) => self.state = State::Busy { control, endless, heard: Instant::now() },
            Err((engine, reason)) => {
                self.state = State::Idle(engine);
                self.refuse(reason);
            }
        }
    }

    fn say(&mut self, reply: Reply) {
        let manner = OutputStyle { dialect: self.dialect, shows_wdl: self.options.shows_wdl };
        let text = reply.text(manner);
        for line in text.lines() {
            self.note("<", line);
        }
        self.output.say(text);
    }

    fn refuse(&mut self, reason: String) {
        self.refused = true;
        self.say(Reply::Error(reason));
    }

    /// Copies a line to the log file, if there is one: `>` before what came in, `<` before what
    /// went out. A full disk is no reason to stop playing.
    fn note(&mut self, direction: &str, line: &str) {
        if let Some(log) = &mut self.log
            && let Err(error) = writeln!(log, "{direction} {}", line.trim_end())
        {
            log::warn!("no more is written to the log file: {error}");
            self.log = None;
        }
    }
}
