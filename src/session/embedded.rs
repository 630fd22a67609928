//! A session without threads of its own, for a program that embeds the engine where there are none, as
//! in a browser.
//!
//! Everything but the work of a search's helpers happens on the caller's thread, between two calls of
//! [`EmbeddedSession::run`] or while a search polls its control: then the host gets a turn, and the
//! lines that have come in meanwhile are taken as they would be on threads. So `stop` and `isready`
//! reach a running search, and its tables are kept.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

use super::conversation::{Conversation, Replies};
use super::job::{Event, Task};
use super::running_search::HEARTBEAT;
use crate::limits::SignalSource;
use crate::platform::clock::Instant;
use crate::registry::Registry;

/// Time between two turns of the host while a search runs: `stop` takes effect within it, and the
/// turns cost a search less than a hundredth.
const TURN_INTERVAL: Duration = Duration::from_millis(8);

/// The program around the engine.
pub trait Host: Send + Sync + 'static {
    /// Takes a reply: one or more lines, without the last line end.
    fn write(&self, text: &str);

    /// Lets the program do other work, waiting up to `patience` for a line of the client. Returns
    /// the lines that have come in since the last call, each with its line end, possibly none;
    /// `None` if no more will come.
    fn receive(&self, patience: Duration) -> Option<Vec<u8>>;
}

/// A conversation that its host drives.
pub struct EmbeddedSession<H>(Arc<Shared<H>>);

struct Shared<H> {
    host: Arc<H>,
    conversation: Mutex<Conversation<HostReplies<H>>>,
    turns: Mutex<Turns>,
}

struct Turns {
    /// The thread that runs the session: no other one may talk to the host.
    thread: ThreadId,
    last: Instant,
}

/// The host as the place where replies go.
struct HostReplies<H>(Arc<H>);

impl<H: Host> Replies for HostReplies<H> {
    fn write_line(&mut self, text: String) {
        self.0.write(&text);
    }
}

impl<H: Host> EmbeddedSession<H> {
    /// A session that has just begun.
    pub fn new(registry: Registry, host: H) -> Result<EmbeddedSession<H>, String> {
        let host = Arc::new(host);
        let conversation = Conversation::new(registry, HostReplies(Arc::clone(&host)))?;
        let turns = Mutex::new(Turns { thread: thread::current().id(), last: Instant::now() });
        let conversation = Mutex::new(conversation);
        Ok(EmbeddedSession(Arc::new(Shared { host, conversation, turns })))
    }

    /// Carries out all lines that have come in, and those that come in meanwhile. Returns whether
    /// the session goes on: not after `quit` and the end of the input.
    pub fn run(&self) -> bool {
        let shared = &self.0;
        shared.turns().thread = thread::current().id();
        loop {
            let task = shared.conversation().take_task();
            match task {
                Some(task) => shared.run_task(task),
                // What has waited comes before what has not.
                None if shared.conversation().take_queued() => {}
                None if shared.receive(Duration::ZERO) => {}
                None => {
                    let conversation = shared.conversation();
                    return !conversation.is_quitting() && !conversation.has_ended();
                }
            }
        }
    }

    /// Gives the host a turn if one is due. For a search that waits for its helpers instead of polling
    /// its control; other threads may call it, too, without effect.
    #[cfg(all(target_family = "wasm", target_feature = "atomics"))]
    pub fn take_turn(&self) {
        self.0.poll();
    }
}

impl<H: Host> Shared<H> {
    fn conversation(&self) -> MutexGuard<'_, Conversation<HostReplies<H>>> {
        self.conversation.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn turns(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the host a turn and takes the lines that have come in. Returns whether there were any.
    fn receive(&self, patience: Duration) -> bool {
        let received = self.host.receive(patience);
        let mut conversation = self.conversation();
        if received.is_none() {
            conversation.end_input();
        }
        // Behind an endless search what has waited is refused, before anything that comes later.
        while conversation.take_queued() {}
        let bytes = received.unwrap_or_default();
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            conversation.take_line(line.strip_suffix(b"\n").unwrap_or(line).to_vec());
        }
        self.turns().last = Instant::now();
        !bytes.is_empty()
    }

    /// Does what is due while a search runs.
    fn keep_time(&self) {
        let mut conversation = self.conversation();
        conversation.heartbeat(|| false);
        conversation.meet_deadline();
    }

    fn run_task(self: &Arc<Self>, Task { mut engine, job, control }: Task) {
        control.poll_signals_from(Arc::clone(self) as Arc<dyn SignalSource>);
        let say = |reply| self.conversation().take_event(Event::Reply(reply));
        let closing = job.run(&mut engine, &control, &say);
        self.conversation().take_event(Event::Done(engine, closing));
    }
}

impl<H: Host> SignalSource for Shared<H> {
    fn poll(&self) {
        let is_due = {
            let turns = self.turns();
            turns.thread == thread::current().id() && turns.last.elapsed() >= TURN_INTERVAL
        };
        if is_due {
            self.receive(Duration::ZERO);
            self.keep_time();
        }
    }

    fn wait(&self) {
        self.receive(HEARTBEAT);
        self.keep_time();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;
    use crate::games::REGISTRY;

    /// Hands over one batch of lines at each turn, and keeps the replies.
    #[derive(Clone, Default)]
    struct Script {
        batches: Arc<Mutex<VecDeque<&'static str>>>,
        replies: Arc<Mutex<Vec<String>>>,
        /// Whether the input ends after the last batch.
        ends: bool,
    }

    impl Host for Script {
        fn write(&self, text: &str) {
            self.replies.lock().unwrap().extend(text.lines().map(str::to_owned));
        }

        fn receive(&self, _patience: Duration) -> Option<Vec<u8>> {
            match self.batches.lock().unwrap().pop_front() {
                None if self.ends => None,
                batch => Some(batch.unwrap_or_default().as_bytes().to_vec()),
            }
        }
    }

    /// The replies to these batches, without those on the way of a search, and whether the session
    /// goes on.
    fn replies(batches: &[&'static str], ends: bool) -> (Vec<String>, bool) {
        let script = Script { ends, ..Script::default() };
        script.batches.lock().unwrap().extend(batches);
        let session = EmbeddedSession::new(REGISTRY, script.clone()).unwrap();
        let goes_on = session.run();
        let replies = script.replies.lock().unwrap().clone();
        (replies.into_iter().filter(|line| !line.starts_with("info ")).collect(), goes_on)
    }

    #[test]
    fn a_running_search_answers_refuses_and_stops() {
        let batches = ["newgame 8 8\ngo infinite\n", "isready\n", "d\n", "", "stop\nmoves\n"];
        let (replies, goes_on) = replies(&batches, false);
        let [ready, refused, best, moves] = &replies[..] else { panic!("{replies:?}") };
        assert_eq!(ready, "readyok");
        assert_eq!(refused, "error search in progress: send 'stop' first");
        assert!(best.starts_with("bestmove "), "{best}");
        assert_eq!(moves, "moves 1 2 3 4 5 6 7 8");
        assert!(goes_on);
    }

    #[test]
    fn an_answer_that_is_ready_waits_for_the_stop() {
        let batches = ["newgame 4 4 3\ngo infinite\n", "", "", "isready\n", "stop\n"];
        let (replies, _) = replies(&batches, false);
        let [ready, best] = &replies[..] else { panic!("{replies:?}") };
        assert_eq!(ready, "readyok");
        assert!(best.starts_with("bestmove "), "{best}");
    }

    #[test]
    fn lines_behind_a_search_wait_for_its_end() {
        let (replies, _) = replies(&["go movetime 60\nmoves\n", "result\n"], false);
        let [best, moves, result] = &replies[..] else { panic!("{replies:?}") };
        assert!(best.starts_with("bestmove "), "{best}");
        assert!(moves.starts_with("moves ") && result.starts_with("result "), "{replies:?}");
    }

    #[test]
    fn lines_that_waited_are_refused_behind_an_endless_search() {
        // More turns than the first search takes.
        let batches = ["go nodes 100\ngo infinite\nplay 3\n", "", "", "", "", "", "", "stop\nd\n"];
        let (replies, _) = replies(&batches, false);
        let [first, refused, best, board @ ..] = &replies[..] else { panic!("{replies:?}") };
        assert!(first.starts_with("bestmove ") && best.starts_with("bestmove "), "{replies:?}");
        assert_eq!(refused, "error search in progress: send 'stop' first");
        assert!(!board.iter().any(|line| line.contains('X')), "{board:?}");
    }

    #[test]
    fn quit_and_the_end_of_the_input_end_the_session() {
        for (batches, ends) in
            [(["newgame 9 9\ngo infinite\n", "quit\n"], false), (["go infinite\n", ""], true)]
        {
            let (replies, goes_on) = replies(&batches, ends);
            assert!(replies.len() == 1 && replies[0].starts_with("bestmove "), "{replies:?}");
            assert!(!goes_on);
        }
    }
}
