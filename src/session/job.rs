//! What takes time: searches, perft and bench, apart from where they run.

use std::sync::Arc;

use crate::engine::{self, Engine};
use crate::limits::SearchControl;
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

/// A job with all it needs.
pub struct Task {
    /// The engine, which belongs to the task until it is done.
    pub engine: Box<Engine>,
    /// What to do.
    pub job: Job,
    /// What reaches the job meanwhile.
    pub control: Arc<SearchControl>,
}

/// What comes back from a task.
pub enum Event {
    /// Something to write.
    Reply(Reply),
    /// The job is done: the engine comes back with the closing reply, so that nobody can read
    /// that reply and find the engine still busy.
    Done(Box<Engine>, Reply),
}

impl Job {
    /// Whether it scores all moves for as long as that takes.
    pub fn is_open_analysis(&self) -> bool {
        match self {
            Job::Search(search) => {
                let (go, _) = &**search;
                go.goal == Goal::Analyze && !go.infinite && !go.ponder && !go.has_limit()
            }
            Job::Perft(_) | Job::Tree(_) | Job::Bench(_) => false,
        }
    }

    /// The closing reply to a search that cannot be made, since each has one: a legal move.
    pub fn answer_without_search(&self, engine: &Engine) -> Option<Reply> {
        let Job::Search(search) = self else {
            return None;
        };
        let (go, _) = &**search;
        let legal = engine.game.moves().into_iter().next();
        let best = go.search_moves.first().cloned().or(legal);
        Some(Reply::BestMove { best, ponder: Vec::new() })
    }

    /// Does the job and returns its closing reply.
    pub fn run(&self, engine: &mut Engine, control: &SearchControl, say: &dyn Fn(Reply)) -> Reply {
        match self {
            Job::Search(search) => {
                let (go, settings) = &**search;
                let mut report = |result| say(Reply::Info(result));
                let result = engine.search(go, settings, control, &mut report);
                match go.goal {
                    Goal::Move | Goal::Solve => {}
                    Goal::Analyze => analysis(engine, &result).for_each(say),
                    Goal::Explain => {
                        engine
                            .game
                            .explain(go, &result)
                            .into_iter()
                            .map(Reply::Reason)
                            .for_each(say);
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
                let line =
                    result.lines.into_iter().next().map(|line| line.moves).unwrap_or_default();
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
                let result =
                    engine::bench(*registry, control, &mut |entry, position, nodes, best| {
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
}

/// The score of each legal move that has one, in their natural order.
fn analysis(engine: &Engine, result: &SearchResult<String>) -> impl Iterator<Item = Reply> {
    engine.game.moves().into_iter().filter_map(|mv| {
        let line = result.lines.iter().find(|line| line.moves.first() == Some(&mv))?;
        Some(Reply::Analysis(mv, line.score?))
    })
}
