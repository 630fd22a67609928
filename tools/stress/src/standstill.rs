//! Times in which the machine itself stood still.
//!
//! A virtual machine may get no processor for a while, and so may any process on a busy one. No
//! program can move in time then. To know of it there is a control: on each processor a thread that
//! does nothing but sleep for a millisecond and look at the clock. What it oversleeps is time that the
//! processor gave to nobody who was ready.

use std::num::NonZero;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use nix::sched::{CpuSet, sched_setaffinity};
use nix::unistd::Pid;

/// How long a thread means to sleep.
const NAP: Duration = Duration::from_millis(1);
/// Threads that are ready take turns of a few milliseconds: only more than that is a standstill.
const NOTED: Duration = Duration::from_millis(8);
/// How long standstills are remembered.
const MEMORY: Duration = Duration::from_secs(10);

/// Threads that watch, one on each processor, until the program ends.
pub struct Watch {
    processors: Vec<Arc<Mutex<Processor>>>,
}

/// What was seen of one processor.
#[derive(Default)]
struct Processor {
    /// When standstills ended, and how long they were.
    recent: Vec<(Instant, Duration)>,
    longest: Duration,
}

impl Watch {
    /// Begins to watch.
    pub fn start() -> std::io::Result<Watch> {
        let count = thread::available_parallelism().map_or(1, NonZero::get);
        let mut processors = Vec::new();
        for number in 0..count {
            let processor = Arc::new(Mutex::new(Processor::default()));
            processors.push(processor.clone());
            thread::Builder::new().spawn(move || watch(number, &processor))?;
        }
        Ok(Watch { processors })
    }

    /// How long the processor that stood still most has done so since then, a few seconds ago at
    /// most.
    pub fn since(&self, moment: Instant) -> Duration {
        let stood = |processor: &Arc<Mutex<Processor>>| -> Duration {
            let recent = &lock(processor).recent;
            recent.iter().filter(|(end, _)| *end >= moment).map(|(_, length)| length).sum()
        };
        self.processors.iter().map(stood).max().unwrap_or_default()
    }

    /// The longest standstill of all.
    pub fn longest(&self) -> Duration {
        self.processors.iter().map(|processor| lock(processor).longest).max().unwrap_or_default()
    }
}

fn watch(number: usize, processor: &Mutex<Processor>) {
    let mut only = CpuSet::new();
    // Where it may not choose its processor, any will do.
    if only.set(number).is_ok() {
        let _ = sched_setaffinity(Pid::from_raw(0), &only);
    }
    let mut last = Instant::now();
    loop {
        thread::sleep(NAP);
        let (now, length) = (Instant::now(), last.elapsed());
        last = now;
        if length >= NOTED {
            lock(processor).note(now, length);
        }
    }
}

impl Processor {
    fn note(&mut self, end: Instant, length: Duration) {
        self.recent.retain(|(earlier, _)| end - *earlier < MEMORY);
        self.recent.push((end, length));
        self.longest = self.longest.max(length);
    }
}

fn lock(processor: &Mutex<Processor>) -> MutexGuard<'_, Processor> {
    processor.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_since_then_counts_and_the_worst_processor() {
        let begin = Instant::now();
        let at = |milliseconds| begin + Duration::from_millis(milliseconds);
        let length = Duration::from_millis;
        let watch = Watch { processors: vec![Arc::default(), Arc::default()] };
        lock(&watch.processors[0]).note(at(100), length(50));
        lock(&watch.processors[0]).note(at(200), length(20));
        lock(&watch.processors[0]).note(at(300), length(30));
        lock(&watch.processors[1]).note(at(250), length(40));
        assert_eq!(watch.since(at(150)), length(50));
        assert_eq!(watch.since(at(210)), length(40));
        assert_eq!(watch.since(at(301)), Duration::ZERO);
        assert_eq!(watch.longest(), length(50));
        lock(&watch.processors[0]).note(at(20_000), length(10));
        assert_eq!(watch.since(at(0)), length(40), "the others are forgotten");
        assert_eq!(watch.longest(), length(50));
    }
}
