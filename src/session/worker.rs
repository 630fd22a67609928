//! The worker thread: carries out what takes time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crossbeam_channel::Sender;

use crate::engine::{self, Engine};
use crate::limits::SearchControl;
use crate::platform::threads::THREAD_STACK;
use crate::protocol::command::{Go, Goal, TreeRequest};
use crate::protocol::reply::Reply;
use crate::protocol::tree_text::tree_text;
use crate::registry::Registry;
use crate::search::result::SearchResult;
use crate::settings::Settings;

/// Work that takes time.
pub enum Job {
    /// Carry out a `go`.
    Search(Box<(Go, Settings)>),
    /// Count move sequences.
    Perft(u32),
    /// Show a tree.
    Tree(Box<(TreeRequest, Settings)>),
    /// Search the bench positions.
    Bench(Registry),
}

impl Job {
    /// Whether it scores all moves for as long as that takes.
    pub fn is_open_analysis(&self) -> bool {
        match self {
            Job::Search(search) => {
                let (go, _) = &**search;
                go.goal == Goal::Analyze && !go.infinite && !go.ponder && !go.has_limit()
            }
            Job::Perft(_) | Job::Bench(_) => false,
        }
    }
}

/// What the worker sends to the session.
pub enum Event {
    /// Something to write.
    Reply(Reply),
    /// The job is done: the engine comes back with the closing reply, so that nobody can read
    /// that reply and find the engine still busy.
    Done(Box<Engine>, Reply),
}

/// Starts `job` on a thread of its own. If that fails, the engine comes back.
pub fn start(
    engine: Box<Engine>,
    job: Job,
    control: Arc<SearchControl>,
    events: Sender<Event>,
) -> Result<(), (Box<Engine>, String)> {
    // The engine goes through a channel, so that it is not lost if the thread cannot start.
    let (hand_over, take_over) = crossbeam_channel::bounded(1);
    let work = move || {
        let Ok(mut engine): Result<Box<Engine>, _> = take_over.recv() else {
            return;
        };
        let say = |reply| drop(events.send(Event::Reply(reply)));
        let result = catch_unwind(AssertUnwindSafe(|| run(&mut engine, &job, &control, &say)));
        let closing = result.unwrap_or_else(|_| after_panic(&engine, &job, &control, &say));
        drop(events.send(Event::Done(engine, closing)));
    };
    let builder = std::thread::Builder::new().name("worker".to_owned()).stack_size(THREAD_STACK);
    match builder.spawn(work) {
        Ok(_) => {
            drop(hand_over.send(engine));
            Ok(())
        }
        Err(error) => Err((engine, format!("cannot start a thread: {error}"))),
    }
}

/// Does the job and returns its closing reply.
fn run(engine: &mut Engine, job: &Job, control: &SearchControl, say: &dyn Fn(Reply)) -> Reply {
    match job {
        Job::Search(search) => {
            let (go, settings) = &**search;
            let mut report = |result| say(Reply::Info(result));
            let result = engine.search(go, settings, control, &mut report);
            match go.goal {
                Goal::Move | Goal::Solve => {}
                Goal::Analyze => analysis(engine, &result).for_each(say),
                Goal::Explain => {
                    engine.game.explain(go, &result).into_iter().map(Reply::Reason).for_each(say);
                }
                Goal::Refute => {
                    engine
                        .game
                        .refute(go, &result)
                        .map(Reply::Refutation)
                        .into_iter()
                        .for_each(say);
                }
            }
            let line = result.lines.into_iter().next().map(|line| line.moves).unwrap_or_default();
            let ponder = engine.game.expected_turn(&line).to_vec();
            Reply::BestMove { best: line.into_iter().next(), ponder }
        }
        Job::Perft(depth) => {
            let mut count = |mv, count| say(Reply::Perft(mv, count));
            match engine.game.perft(*depth, control, &mut count) {
                Some(total) => Reply::PerftTotal(total),
                None => Reply::Error("go perft: stopped before the end".to_owned()),
            }
        }
        Job::Tree(tree) => {
            let (request, settings) = &**tree;
            match engine.game.tree(request, settings, control) {
                Ok(tree) => Reply::Tree(tree_text(&tree, request.format)),
                Err(reason) => Reply::Error(format!("tree: {reason}")),
            }
        }
        Job::Bench(registry) => {
            let result = engine::bench(*registry, control, &mut |entry, position, nodes, best| {
                let moves = match position.moves {
                    "" => String::new(),
                    moves => format!("moves {moves}"),
                };
                let words = [entry.name, position.parameters, &moves];
                let position_words = words.iter().filter(|word| !word.is_empty());
                say(Reply::BenchPosition {
                    position: position_words.map(|&word| word.to_owned()).collect(),
                    depth: position.depth,
                    nodes,
                    best,
                });
            });
            match result {
                Ok(()) => Reply::Bench { nodes: control.nodes(), time: control.elapsed() },
                Err(reason) => Reply::Error(format!("bench: {reason}")),
            }
        }
    }
}

/// The score of each legal move that has one, in their natural order.
fn analysis(engine: &Engine, result: &SearchResult<String>) -> impl Iterator<Item = Reply> {
    engine.game.moves().into_iter().filter_map(|mv| {
        let line = result.lines.iter().find(|line| line.moves.first() == Some(&mv))?;
        Some(Reply::Analysis(mv, line.score?))
    })
}

/// After a panic in a search: an error, and a legal move as the closing reply, when it may be
/// given.
fn after_panic(engine: &Engine, job: &Job, control: &SearchControl, say: &dyn Fn(Reply)) -> Reply {
    let error = Reply::Error("internal error: the search failed".to_owned());
    let Job::Search(search) = job else {
        return error;
    };
    say(error);
    control.wait_for_release();
    let (go, _) = &**search;
    let legal = engine.game.moves().into_iter().next();
    Reply::BestMove { best: go.search_moves.first().cloned().or(legal), ponder: Vec::new() }
}
