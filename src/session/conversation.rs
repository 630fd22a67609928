//! A conversation with one client, apart from how its lines come in and where its jobs run.
//!
//! While a job runs, the engine belongs to it, so nothing can change under it: the conversation is
//! either [`State::Idle`], with the engine at hand, or [`State::Busy`], with nothing but the
//! control that reaches the job.

use std::collections::VecDeque;
use std::sync::Arc;

use super::decision::{Activity, Decision, Parsed, Signal, decide};
use super::execute::{Answer, Context};
use super::job::{Event, Job, Task};
#[cfg(feature = "cli")]
use super::running_search::HEARTBEAT;
use super::running_search::{ANALYSIS_PATIENCE, RunningSearch};
use crate::engine::Engine;
use crate::limits::SearchControl;
use crate::protocol::command::Command;
use crate::protocol::parse::parse_line;
use crate::protocol::reply::Reply;
use crate::registry::Registry;
use crate::text::escaped;

/// Where replies go.
pub(super) trait Replies {
    /// Takes one or more lines, without the last line end. Never blocks.
    fn write_line(&mut self, text: String);

    /// Whether the client has read enough of what was written to be sent more.
    fn has_room(&self) -> bool {
        true
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

/// See the module's description.
pub(super) struct Conversation<R> {
    /// Where its replies go.
    pub output: R,
    context: Context,
    state: State,
    /// What the last command has started, until it is taken.
    task: Option<Task>,
    queue: VecDeque<QueuedLine>,
    queued_bytes: usize,
    input_ended: bool,
    quitting: bool,
    refused: bool,
}

impl<R: Replies> Conversation<R> {
    /// A conversation that has just begun: the default game, default options.
    pub fn new(registry: Registry, output: R) -> Result<Conversation<R>, String> {
        let (context, engine) = Context::new(registry)?;
        Ok(Conversation {
            output,
            context,
            state: State::Idle(Box::new(engine)),
            task: None,
            queue: VecDeque::new(),
            queued_bytes: 0,
            input_ended: false,
            quitting: false,
            refused: false,
        })
    }

    /// What the engine is doing.
    pub fn activity(&self) -> Activity {
        match &self.state {
            State::Idle(_) => Activity::Idle,
            State::Busy(search) => search.activity(),
        }
    }

    /// Whether the client has sent `quit`.
    pub fn is_quitting(&self) -> bool {
        self.quitting
    }

    /// Whether no more lines will come, and none is queued.
    pub fn has_ended(&self) -> bool {
        self.input_ended && self.queue.is_empty()
    }

    /// What the last command has started. Whoever takes it runs it and reports its events.
    pub fn take_task(&mut self) -> Option<Task> {
        self.task.take()
    }

    /// Carries out the next line of the queue, if its time has come. Behind an endless search nothing
    /// waits: it is refused, as if it came only now.
    pub fn take_queued(&mut self) -> bool {
        if self.activity() == Activity::Searching || !self.output.has_room() {
            return false;
        }
        let Some(queued) = self.queue.pop_front() else {
            return false;
        };
        self.queued_bytes -= queued.bytes();
        let parsed = parse_line(&queued.line, self.context.dialect());
        self.dispatch(queued.line, parsed);
        if queued.stopped {
            self.signal(Signal::Stop);
        }
        true
    }

    /// The input has ended: what ends by itself is still done, the rest ends now or soon.
    pub fn end_input(&mut self) {
        if !std::mem::replace(&mut self.input_ended, true)
            && let State::Busy(search) = &mut self.state
        {
            search.end_input();
        }
    }

    /// Stops a search whose time is up, and says so.
    pub fn meet_deadline(&mut self) {
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
    /// notices a client that has gone away. `is_report_due`: whether an event of the search is on the way.
    pub fn heartbeat(&mut self, is_report_due: impl FnOnce() -> bool) {
        if let State::Busy(search) = &mut self.state
            && self.output.has_room()
            && let Some(progress) = search.heartbeat(is_report_due)
        {
            self.say(progress);
        }
    }

    /// Takes what a task has to say.
    pub fn take_event(&mut self, event: Event) {
        match event {
            Event::Reply(mut reply) => {
                if let State::Busy(search) = &mut self.state {
                    search.record_output(&mut reply);
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

    /// Takes a line of the client.
    pub fn take_line(&mut self, line: Vec<u8>) {
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
            (Decision::Refuse, Err(reason)) => {
                let hint = self.play_hint(&line);
                self.refuse(reason + &hint);
            }
            (Decision::Signal(signal), _) => self.signal(signal),
            (Decision::Enqueue, _) => self.enqueue(line),
            (Decision::RefuseWhileSearching, _) => {
                self.refuse("search in progress: send 'stop' first".to_owned());
            }
            (Decision::Execute | Decision::Refuse | Decision::Ignore, _) => {}
        }
    }

    /// What to add to an error about a line that is a legal move and nothing else.
    fn play_hint(&self, line: &[u8]) -> String {
        let word = str::from_utf8(line).unwrap_or_default().trim();
        match &self.state {
            State::Idle(engine) if engine.game.moves().iter().any(|mv| mv == word) => {
                format!(", did you mean 'play {word}'?")
            }
            _ => String::new(),
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
            Command::Go(go) if !go.unknown.is_empty() => {
                let words = escaped(&go.unknown.join(" "));
                Some(format!("{}: ignored unknown words '{words}'", go.goal.command()))
            }
            _ => None,
        };
        let answer = self.context.execute(command, engine);
        if let Some(note) = skipped {
            self.say(Reply::Note(note));
        }
        match answer {
            Ok(Answer::Nothing) => {}
            Ok(Answer::Reply(reply)) => self.say(reply),
            Ok(Answer::Start(job, control)) => self.start(job, control),
            Err(reason) => self.refuse(reason),
        }
    }

    /// Moves the engine to a task.
    fn start(&mut self, job: Job, control: SearchControl) {
        let control = Arc::new(control);
        let mut search = RunningSearch::new(&job, Arc::clone(&control));
        if self.input_ended {
            search.end_input();
        }
        let busy = State::Busy(search);
        if let State::Idle(engine) = std::mem::replace(&mut self.state, busy) {
            self.task = Some(Task { engine, job, control });
        }
    }

    fn say(&mut self, reply: Reply) {
        let text = reply.text(self.context.output_style());
        for line in text.lines() {
            self.context.log("<", line);
        }
        self.output.write_line(text);
    }

    /// Reports what is wrong.
    pub fn refuse(&mut self, reason: String) {
        self.refused = true;
        self.say(Reply::Error(reason));
    }
}

/// What only a session on threads needs.
#[cfg(feature = "cli")]
impl<R: Replies> Conversation<R> {
    /// How long to wait at most for what comes next.
    pub fn longest_wait(&self) -> std::time::Duration {
        match &self.state {
            State::Idle(_) => HEARTBEAT,
            State::Busy(search) => search.longest_wait(),
        }
    }

    /// Whether a command was refused.
    pub fn has_refused(&self) -> bool {
        self.refused
    }

    /// Whether no more lines will come.
    pub fn input_ended(&self) -> bool {
        self.input_ended
    }

    /// Whether there is room for more lines.
    pub fn may_read(&self) -> bool {
        /// The memory of queued lines at which reading pauses.
        const QUEUE_BYTES: usize = 64 << 20;
        !self.input_ended && self.queued_bytes < QUEUE_BYTES
    }

    /// A task could not be started.
    pub fn abandon_task(&mut self, task: Task, reason: String) {
        let Task { engine, job, .. } = task;
        self.refuse(reason);
        if let Some(answer) = job.answer_without_search(&engine) {
            self.say(answer);
        }
        self.state = State::Idle(engine);
    }
}
