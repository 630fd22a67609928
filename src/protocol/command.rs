//! Commands, as values.

use std::time::Duration;

use super::dialect::Dialect;

/// One line of input, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Speak this dialect from now on, and say who you are.
    SetDialect(Dialect),
    /// Begin the game that these words tell: a name and parameters, or parameters alone.
    NewGame(Vec<String>),
    /// Begin the same game anew.
    RestartGame,
    /// Set up a position.
    Position {
        /// The position's own words; none for the start position.
        setup: Vec<String>,
        /// The moves played from there.
        moves: Vec<String>,
    },
    /// Think.
    Go(Go),
    /// Tell what each move is worth.
    Analyze(Go),
    /// Count move sequences of this length.
    Perft(u32),
    /// Answer now.
    Stop,
    /// The expected move was played.
    PonderHit,
    /// Are you there?
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
    /// Evaluator the position.
    Eval,
    /// Measure the speed of the search.
    Bench,
    /// List the commands.
    Help,
    /// A courtesy that changes nothing.
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

/// The words of `go`. Numbers too large for the machine are the largest it has; negative times
/// are none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The deepest iteration.
    pub depth: Option<u32>,
    /// The same in moves of the side that wins.
    pub mate: Option<u32>,
    /// How many nodes to visit.
    pub nodes: Option<u64>,
    /// How long to think.
    pub movetime: Option<Duration>,
    /// Find the exact truth.
    pub solve: bool,
    /// Give no answer until told to stop.
    pub infinite: bool,
    /// Think on the opponent's time.
    pub ponder: bool,
    /// What is left on the players' clocks.
    pub time: [Option<Duration>; 2],
    /// What the players' clocks gain each move.
    pub increment: [Duration; 2],
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// The only moves to consider.
    pub search_moves: Vec<String>,
    /// Words that mean nothing, in dialects that pass over them.
    pub unknown: Vec<String>,
}

impl Go {
    /// The deepest iteration that both words for it allow.
    pub fn deepest(&self) -> Option<u32> {
        // So many moves of the winner, and one less of the other side.
        let mate = self.mate.map(|moves| moves.saturating_mul(2).saturating_sub(1));
        self.depth.into_iter().chain(mate).min()
    }
}
