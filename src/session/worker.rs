//! What happens on the thread that thinks.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crossbeam_channel::Sender;

use crate::any_game::{AnyGame, Choice, Request};
use crate::games::REGISTRY;
use crate::limits::{Limits, SearchControl};
use crate::platform::threads::THREAD_STACK;
use crate::protocol::reply::Reply;
use crate::search::transposition_table::TranspositionTable;
use crate::strategy::Settings;

/// What a search works with: handed to the worker and back, so that nothing can change it in
/// the meantime.
pub struct Engine {
    /// The game in progress.
    pub table: Box<dyn AnyGame>,
    /// What earlier searches learnt.
    pub tt: TranspositionTable,
}

/// Work that takes time.
pub enum Job {
    /// Choose a move.
    Think(Box<Thought>),
    /// Count move sequences.
    Perft(u32),
    /// Measure the speed of the search.
    Bench,
}

/// What is wanted of the position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// A good move.
    Move,
    /// The exact truth.
    Solution,
    /// What each move is worth.
    Analysis,
}

/// A position to be thought about.
pub struct Thought {
    /// What is wanted.
    pub aim: Aim,
    /// What may be used.
    pub limits: Limits,
    /// The only moves to consider, if any.
    pub search_moves: Vec<String>,
    /// What the user chose.
    pub settings: Settings,
}

/// What the worker tells the session.
pub enum Event {
    /// Something to write.
    Reply(Reply),
    /// The job is done: the engine comes back with the closing reply, so that nobody can read
    /// that reply and find the engine still busy.
    Done(Box<Engine>, Reply),
}

/// Starts `job` on a thread of its own. If there is none to be had, the engine comes back.
pub fn start(
    engine: Box<Engine>,
    job: Job,
    control: Arc<SearchControl>,
    events: Sender<Event>,
) -> Result<(), (Box<Engine>, String)> {
    // The engine goes through a channel, so that it is not lost with a thread that cannot start.
    let (hand_over, take_over) = crossbeam_channel::bounded(1);
    let work = move || {
        let Ok(engine): Result<Box<Engine>, _> = take_over.recv() else {
            return;
        };
        let say = |reply| drop(events.send(Event::Reply(reply)));
        let result = catch_unwind(AssertUnwindSafe(|| run(&engine, &job, &control, &say)));
        let closing = result.unwrap_or_else(|_| {
            let failure = Reply::Error("internal error: the search has failed".to_owned());
            let Job::Think(thought) = &job else {
                return failure;
            };
            say(failure);
            let legal = engine.table.moves().into_iter().next();
            let best = thought.search_moves.first().cloned().or(legal);
            Reply::BestMove(Choice { best, ponder: None })
        });
        drop(events.send(Event::Done(engine, closing)));
    };
    match std::thread::Builder::new().name("worker".to_owned()).stack_size(THREAD_STACK).spawn(work)
    {
        Ok(_) => {
            drop(hand_over.send(engine));
            Ok(())
        }
        Err(error) => Err((engine, format!("no thread can be started: {error}"))),
    }
}

/// Does the job and returns its closing reply.
fn run(engine: &Engine, job: &Job, control: &SearchControl, say: &dyn Fn(Reply)) -> Reply {
    match job {
        Job::Think(thought) => {
            let request = Request {
                limits: &thought.limits,
                search_moves: &thought.search_moves,
                settings: &thought.settings,
                solve: thought.aim == Aim::Solution,
                control,
                tt: &engine.tt,
            };
            let mut tell = |info| say(Reply::Info(info));
            let choice = if thought.aim == Aim::Analysis {
                let (standings, choice) = engine.table.analyze(&request, &mut tell);
                standings.into_iter().for_each(|(mv, worth)| say(Reply::Analysis(mv, worth)));
                choice
            } else {
                engine.table.think(&request, &mut tell)
            };
            Reply::BestMove(choice)
        }
        Job::Perft(depth) => {
            let mut count = |mv, count| say(Reply::Perft(mv, count));
            match engine.table.perft(*depth, control, &mut count) {
                Some(total) => Reply::PerftTotal(total),
                None => Reply::Error("go perft: stopped before it was done".to_owned()),
            }
        }
        Job::Bench => match bench(control, say) {
            Ok(total) => total,
            Err(reason) => Reply::Error(format!("bench: {reason}")),
        },
    }
}

/// Searches the registry's bench positions with a fresh table each, one thread and a fixed
/// depth: the same nodes on every run, whatever was done before.
fn bench(control: &SearchControl, say: &dyn Fn(Reply)) -> Result<Reply, String> {
    const HASH: usize = 16;
    let settings = Settings::default();
    for entry in REGISTRY {
        for (parameters, moves, depth) in entry.bench {
            let words = |text: &'static str| text.split_whitespace().collect::<Vec<_>>();
            let mut table = crate::games::open(entry.name, &words(parameters))?;
            table.set_position(&[], &words(moves))?;
            let nodes_before = control.nodes();
            let choice = table.think(
                &Request {
                    limits: &Limits { depth: Some(*depth), ..Limits::default() },
                    search_moves: &[],
                    settings: &settings,
                    solve: false,
                    control,
                    tt: &TranspositionTable::new(HASH)?,
                },
                &mut |_| {},
            );
            if control.is_stopped() {
                return Err("stopped before it was done".to_owned());
            }
            let nodes = control.nodes() - nodes_before;
            let best = choice.best.unwrap_or_default();
            let words = [("", entry.name), ("", *parameters), ("moves ", *moves)];
            let said = words.iter().filter(|(_, text)| !text.is_empty());
            let position: String = said.map(|(word, text)| format!(" {word}{text}")).collect();
            say(Reply::Text(format!(
                "bench{position} depth {depth} nodes {nodes} bestmove {best}"
            )));
        }
    }
    Ok(Reply::Bench { nodes: control.nodes(), time: control.elapsed() })
}
