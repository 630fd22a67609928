//! A session in this process, without threads: what it answers to lines.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ratlla::games::REGISTRY;
use ratlla::session::embedded::{EmbeddedSession, Host};

/// Hands over one batch of lines at each turn and keeps the replies.
#[derive(Clone, Default)]
struct Script {
    batches: Arc<Mutex<VecDeque<String>>>,
    replies: Arc<Mutex<Vec<String>>>,
}

impl Host for Script {
    fn write(&self, text: &str) {
        self.replies.lock().expect("one thread").extend(text.lines().map(str::to_owned));
    }

    fn receive(&self, _patience: Duration) -> Option<Vec<u8>> {
        self.batches.lock().expect("one thread").pop_front().map(String::into_bytes)
    }
}

/// The replies of a new session. Lines of a batch arrive together; the next one comes when the session asks
/// for more, which it also does while it searches. The input ends after the last.
pub fn replies(batches: &[String]) -> Vec<String> {
    let script = Script::default();
    script.batches.lock().expect("one thread").extend(batches.iter().cloned());
    let session = EmbeddedSession::new(REGISTRY, script.clone()).expect("memory");
    // An empty batch is a pause.
    while session.run() {}
    let replies = script.replies.lock().expect("one thread");
    replies.clone()
}
