//! The worker thread: carries out what takes time.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crossbeam_channel::Sender;

use super::job::{Event, Job, Task};
use crate::engine::Engine;
use crate::limits::SearchControl;
use crate::platform::threads::spawn_named;
use crate::protocol::reply::Reply;

/// Starts a task on a thread of its own. If that fails, it comes back with the reason.
pub fn start(task: Task, events: Sender<Event>) -> Result<(), (Box<Task>, String)> {
    // The task goes through a channel, so that it is not lost if the thread cannot start.
    let (hand_over, take_over) = crossbeam_channel::bounded(1);
    let work = move || {
        let Ok(Task { mut engine, job, control }) = take_over.recv() else {
            return;
        };
        let say = |reply| drop(events.send(Event::Reply(reply)));
        let result = catch_unwind(AssertUnwindSafe(|| job.run(&mut engine, &control, &say)));
        let closing = result.unwrap_or_else(|_| after_panic(&engine, &job, &control, &say));
        drop(events.send(Event::Done(engine, closing)));
    };
    match spawn_named("worker", work) {
        Ok(_) => {
            drop(hand_over.send(task));
            Ok(())
        }
        Err(error) => Err((Box::new(task), format!("cannot start a thread: {error}"))),
    }
}

/// After a panic in a search: an error, and a legal move as the closing reply, when it may be
/// given.
fn after_panic(engine: &Engine, job: &Job, control: &SearchControl, say: &dyn Fn(Reply)) -> Reply {
    let error = Reply::Error("internal error: the search failed".to_owned());
    match job.answer_without_search(engine) {
        Some(answer) => {
            say(error);
            control.wait_for_release();
            answer
        }
        None => error,
    }
}
