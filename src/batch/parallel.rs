//! Several lines at a time: answers are made on many threads and come out in the order of the lines. A
//! single job needs no other thread.
//!
//! Knows lines, threads and order; knows nothing of what an answer is.

use std::io::{self, BufRead};

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::lines::{Input, LONGEST_LINE, next_line};
use crate::platform::threads::spawn_named;

/// Lines read ahead for each job: enough that none waits while a hard line holds up the output, and few
/// enough that memory stays bounded.
const READ_AHEAD: usize = 256;

/// A line to answer, and where the answer goes.
type Task<A> = (Input, Sender<A>);

/// The answers to the lines of an input, in order. The last line is [`Input::End`] or
/// [`Input::Unreadable`].
pub type Answers<A> = Box<dyn Iterator<Item = io::Result<A>>>;

/// Answers the lines of `input`, each by one of the `jobs`.
pub fn answers<A: Send + 'static, F: FnMut(Input) -> A + Send + 'static>(
    mut input: impl BufRead + Send + 'static,
    mut jobs: Vec<F>,
) -> io::Result<Answers<A>> {
    if jobs.len() > 1 {
        return Ok(Box::new(ParallelAnswers::start(input, jobs)?));
    }
    let mut job = jobs.pop().ok_or_else(|| io::Error::other("no jobs"))?;
    let mut ended = false;
    Ok(Box::new(std::iter::from_fn(move || {
        let line = (!ended).then(|| next_line(&mut input, LONGEST_LINE))?;
        ended = is_last(&line);
        Some(Ok(job(line)))
    })))
}

fn is_last(line: &Input) -> bool {
    matches!(line, Input::End | Input::Unreadable(_))
}

/// The answers of several threads. Nothing waits for them: they end with the process, or when this is
/// dropped.
struct ParallelAnswers<A> {
    pending: Receiver<Receiver<A>>,
}

impl<A: Send + 'static> ParallelAnswers<A> {
    fn start<F: FnMut(Input) -> A + Send + 'static>(
        input: impl BufRead + Send + 'static,
        jobs: Vec<F>,
    ) -> io::Result<ParallelAnswers<A>> {
        let (ask, pending) = bounded(READ_AHEAD * jobs.len());
        let (give, tasks) = bounded::<Task<A>>(READ_AHEAD * jobs.len());
        for mut job in jobs {
            let tasks = tasks.clone();
            spawn("job", move || {
                for (line, answer) in tasks {
                    // Nobody waits for it if the output is closed.
                    drop(answer.send(job(line)));
                }
            })?;
        }
        spawn("input", move || read(input, &ask, &give))?;
        Ok(ParallelAnswers { pending })
    }
}

impl<A> Iterator for ParallelAnswers<A> {
    type Item = io::Result<A>;

    fn next(&mut self) -> Option<io::Result<A>> {
        let answer = self.pending.recv().ok()?;
        Some(answer.recv().map_err(|_| io::Error::other("internal error: a job has failed")))
    }
}

/// Hands out the lines of `input` to its end, or until nobody wants the answers.
fn read<A>(mut input: impl BufRead, ask: &Sender<Receiver<A>>, give: &Sender<Task<A>>) {
    loop {
        let line = next_line(&mut input, LONGEST_LINE);
        let ended = is_last(&line);
        let (sender, receiver) = bounded(1);
        if ask.send(receiver).is_err() || give.send((line, sender)).is_err() || ended {
            return;
        }
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let started = spawn_named(name, work).map(drop);
    started.map_err(|error| io::Error::other(format!("cannot start a thread: {error}")))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// A job that takes the longer the earlier in the alphabet its line is, and says the line.
    fn job(input: Input) -> String {
        match input {
            Input::Line(line) => {
                let first = line.first().copied().unwrap_or(b'z');
                std::thread::sleep(Duration::from_micros(20 * u64::from(b'z' - first)));
                String::from_utf8(line).unwrap()
            }
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn answers_come_in_the_order_of_the_lines() {
        let lines: Vec<String> = (0..2000u32)
            .map(|number| format!("{}{number}", char::from(b'a' + (number * 7 % 26) as u8)))
            .collect();
        let text = lines.join("\n");
        for jobs in [1, 2, 5] {
            let input = io::Cursor::new(text.clone());
            let found = answers(input, vec![job; jobs]).unwrap();
            let answers: Vec<String> = found.map(Result::unwrap).collect();
            assert_eq!(answers.last().map(String::as_str), Some("End"));
            assert_eq!(answers[..answers.len() - 1], lines, "{jobs} jobs");
        }
    }

    #[test]
    fn a_job_that_fails_ends_the_run() {
        let fail = |_: Input| -> String { panic!("this panic is part of a test") };
        let mut answers = answers(&b"a\nb\n"[..], vec![fail; 2]).unwrap();
        let error = answers.next().unwrap().unwrap_err();
        assert!(error.to_string().contains("a job has failed"));
    }
}
