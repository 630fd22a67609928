//! Commands, as values.

use std::time::Duration;

use super::dialect::Dialect;
use crate::game::Side;
use crate::limits::{Clock, Limits, less_overhead};

/// One line of input, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Switch to this dialect and identify the engine.
    SetDialect(Dialect),
    /// Begin a game: a name and parameters, or parameters alone.
    NewGame(Vec<String>),
    /// Begin the same game again.
    RestartGame,
    /// Set up a position.
    Position {
        /// The position's own words; none for the start position.
        setup: Vec<String>,
        /// The moves played from there.
        moves: Vec<String>,
    },
    /// Search: `go`, `go solve`, `analyze`, `explain` or `why not`.
    Go(Go),
    /// Count move sequences of this length.
    Perft(u32),
    /// Show the tree of a plain search.
    Tree(TreeRequest),
    /// Answer now.
    Stop,
    /// The expected move was played.
    PonderHit,
    /// Answer `readyok`.
    IsReady,
    /// End the process.
    Quit,
    /// Change an option.
    SetOption {
        /// Its name, in any case.
        name: String,
        /// Its new value; none for a button.
        value: Option<String>,
    },
    /// List the options.
    Options,
    /// Print the value of this option, or of all.
    GetOption(Option<String>),
    /// Print the version.
    Version,
    /// List the games.
    Games,
    /// List the legal moves.
    Moves,
    /// Play a move.
    Play(String),
    /// Take a move back.
    Undo,
    /// How did the game end?
    Result,
    /// A question about the position.
    Query(Query),
    /// Draw the board.
    Display,
    /// Describe the position for programs.
    State,
    /// The static evaluation with this name, or the one in use.
    Eval(Option<String>),
    /// Measure the speed of the search.
    Bench,
    /// List the commands.
    Help,
    /// A command that some clients send and that changes nothing.
    Ignored,
}

/// What can be asked about a position with `query`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Is it player 1's turn?
    FirstPlayersTurn,
    /// Is the game over?
    GameOver,
    /// How did the game end?
    Result,
}

/// Which tree to show, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeRequest {
    /// Its depth; if not given, that of the option.
    pub depth: Option<u32>,
    /// The moves from the current position to its root.
    pub moves: Vec<String>,
    /// How it is written.
    pub format: TreeFormat,
}

/// How a tree is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TreeFormat {
    /// An indented line for each node.
    #[default]
    Text,
    /// One line of JSON.
    Json,
    /// A graph in the language of Graphviz.
    Dot,
}

/// What a search is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// `go`: a good move.
    #[default]
    Move,
    /// `go solve`: the exact score.
    Solve,
    /// `analyze`: the score of every move.
    Analyze,
    /// `explain`: why each move is good or bad.
    Explain,
    /// `why not`: what is wrong with one move.
    Refute,
}

impl Goal {
    /// What the command is called in messages.
    pub fn command(self) -> &'static str {
        match self {
            Goal::Move | Goal::Solve => "go",
            Goal::Analyze => "analyze",
            Goal::Explain => "explain",
            Goal::Refute => "why not",
        }
    }

    /// Whether every move is scored, for a user who watches the scores.
    pub fn is_analysis(self) -> bool {
        matches!(self, Goal::Analyze | Goal::Explain | Goal::Refute)
    }
}

/// What the client asked of a search. Numbers beyond the range of their type are its largest
/// value; negative times are zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// What the search is for.
    pub goal: Goal,
    /// The deepest iteration.
    pub depth: Option<u32>,
    /// The same in moves of the winning side.
    pub mate: Option<u32>,
    /// How many nodes to search.
    pub nodes: Option<u64>,
    /// How long to search.
    pub movetime: Option<Duration>,
    /// Answer only after `stop`.
    pub infinite: bool,
    /// Search on the opponent's time.
    pub ponder: bool,
    /// What is left on the players' clocks.
    pub time: [Option<Duration>; 2],
    /// What the players' clocks gain each move.
    pub increment: [Duration; 2],
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// The only moves to search; all legal ones if empty.
    pub search_moves: Vec<String>,
    /// Whether nothing but a proof is wanted, not even after a stop. No command says so, but programs
    /// that solve many positions do.
    pub proof_only: bool,
    /// The move that `why not` asks about.
    pub asked: Option<String>,
    /// Unknown words, in dialects that skip them.
    pub unknown: Vec<String>,
}

impl Go {
    /// The deepest iteration that both words for it allow.
    pub fn deepest(&self) -> Option<u32> {
        // The winner's moves, and one less of the other side.
        let mate = self.mate.map(|moves| moves.saturating_mul(2).saturating_sub(1));
        self.depth.into_iter().chain(mate).min()
    }

    /// Whether something but a signal ends the search.
    pub fn has_limit(&self) -> bool {
        self.limits(Side::P1, Duration::ZERO).is_limited()
    }

    /// The limits that this sets for `side`, the side to move. `overhead` is what every move loses
    /// on its way to the opponent.
    pub fn limits(&self, side: Side, overhead: Duration) -> Limits {
        // A client that gives only the other side's clock still plays with clocks.
        let remaining = self.time[side.index()].or(self.time[(!side).index()]);
        let clock = remaining.map(|remaining| Clock {
            remaining,
            increment: self.increment[side.index()],
            moves_to_go: self.moves_to_go,
            overhead,
        });
        Limits {
            depth: self.deepest(),
            nodes: self.nodes,
            movetime: self.movetime.map(|time| less_overhead(time, overhead)),
            clock,
            may_be_stopped: self.goal.is_analysis(),
            proof_only: self.proof_only,
        }
    }
}
