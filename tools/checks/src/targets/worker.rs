//! What the page of the static edition sends to the worker with its engine: lines for a session without
//! threads, in one or more messages.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use arbitrary::Unstructured;
use ratlla::games::REGISTRY;
use ratlla::session::embedded::{EmbeddedSession, Host};

use crate::conversation::{MAX_LINES, next_line};
use crate::model::Model;
use crate::script::{Step, ends_job};

/// The page: hands over each line once the searches before it have ended, and keeps the replies.
#[derive(Clone, Default)]
struct Page {
    steps: Arc<Mutex<VecDeque<Step>>>,
    output: Arc<Mutex<Vec<String>>>,
}

impl Host for Page {
    fn write(&self, text: &str) {
        self.output.lock().expect("one thread").extend(text.lines().map(str::to_owned));
    }

    fn receive(&self, _patience: Duration) -> Option<Vec<u8>> {
        let mut steps = self.steps.lock().expect("one thread");
        let ended =
            self.output.lock().expect("one thread").iter().filter(|line| ends_job(line)).count();
        if steps.is_empty() {
            return None;
        }
        // Lines that may be sent together arrive together.
        let mut bytes = Vec::new();
        while let Some(step) = steps.pop_front_if(|step| step.after_jobs <= ended) {
            bytes.extend(step.line);
            bytes.push(b'\n');
        }
        Some(bytes)
    }
}

/// Derives a session from the bytes, runs it without threads and checks its output.
pub fn check(data: &[u8]) {
    let mut choices = Unstructured::new(data);
    let mut model = Model::new();
    for _ in 0..MAX_LINES {
        if let Some(line) = next_line(&mut choices, model.game()) {
            model.send(&line);
        }
    }
    let (steps, expected) = model.finish();
    let script: Vec<String> = steps
        .iter()
        .map(|step| format!("{} {}", step.after_jobs, String::from_utf8_lossy(&step.line)))
        .collect();
    let page = Page { steps: Arc::new(Mutex::new(steps.into())), ..Page::default() };
    let session = EmbeddedSession::new(REGISTRY, page.clone()).expect("memory for a small table");
    assert!(!session.run(), "the session waits for lines that wait for it");
    let output = page.output.lock().expect("one thread");
    if let Err(reason) = expected.check(&output) {
        panic!("{reason}\n{script:#?}\n{output:#?}");
    }
}
