//! Ways of choosing a move. One trait, one file for each way that works for every game; a game
//! adds its own beside its rules.
//!
//! A strategy knows how to choose one move; threads are the business of the full search alone,
//! and nothing here knows of commands or move texts.

mod full;
mod minimax;
mod random;
mod turns;

use std::sync::Mutex;
use std::time::Duration;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::game::{Evaluate, Evaluator, Game};
use crate::limits::{Limits, SearchControl};
use crate::platform::random::random_seed;
use crate::platform::threads::useful_threads;
use crate::search::score::Value;
use crate::search::transposition_table::TranspositionTable;
use crate::search::{Pruning, Task};

pub use full::Full;
pub use minimax::Minimax;
pub use random::Random;
pub use turns::{Aim, Prove, take_turns};

/// What a strategy is asked.
pub struct SearchRequest<'a, G: Playable> {
    /// The position. It is not over.
    pub game: &'a G,
    /// The moves to choose from: legal ones, at least one.
    pub moves: &'a [G::Move],
    /// What may be used.
    pub limits: &'a Limits,
    /// How it can be stopped.
    pub control: &'a SearchControl,
    /// What earlier searches learnt.
    pub tt: &'a TranspositionTable,
    /// What the game's own strategies learnt.
    pub memory: &'a Mutex<G::Memory>,
    /// What the user chose.
    pub settings: &'a Settings,
}

impl<G: Playable> SearchRequest<'_, G> {
    /// The same question for the full search, within `limits` and for so many lines.
    pub fn task<'b>(&'b self, limits: &'b Limits, multi_pv: usize) -> Task<'b, G> {
        Task {
            game: self.game,
            moves: self.moves,
            limits,
            control: self.control,
            table: self.tt,
            multi_pv,
            threads: useful_threads(self.settings.threads),
            pruning: Pruning::FULL,
        }
    }

    /// Any one of `choices`, or of all moves if there are none.
    pub fn pick(&self, choices: &[G::Move]) -> SearchResult<G::Move> {
        let choices = if choices.is_empty() { self.moves } else { choices };
        let mv = choices[self.rng().random_range(0..choices.len())];
        SearchResult {
            depth: None,
            lines: vec![Line { standing: None, moves: vec![mv] }],
            nodes: self.moves.len() as u64,
            leaves: None,
            time: self.control.elapsed(),
            hashfull: None,
        }
    }

    /// Random numbers for this position: the same ones each time if the user gave a seed.
    pub fn rng(&self) -> Xoshiro256PlusPlus {
        match self.settings.seed {
            0 => Xoshiro256PlusPlus::seed_from_u64(random_seed()),
            seed => Xoshiro256PlusPlus::seed_from_u64(seed ^ self.game.key().rotate_left(17)),
        }
    }
}

/// What the user may choose, for strategies that heed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The strategy's name.
    pub strategy: String,
    /// How deep the plain strategies look if `go` does not say.
    pub depth: u32,
    /// Whether plain minimax prunes.
    pub pruning: bool,
    /// In which order the plain strategies try moves.
    pub order: MoveOrder,
    /// The name of the plain strategies' evaluation.
    pub evaluation: String,
    /// 0 for chance, any other number for the same choices each time.
    pub seed: u64,
    /// 1, the weakest, to [`Settings::FULL_LEVEL`], the full search at full strength.
    pub level: u8,
    /// How many best lines the full search tells about.
    pub multi_pv: usize,
    /// Threads of search and solver, as far as they are [of use](useful_threads).
    pub threads: usize,
    /// MiB for all that is remembered between searches.
    pub hash: usize,
    /// Whether known openings are played from memory.
    pub own_book: bool,
}

impl Settings {
    /// The level that holds nothing back.
    pub const FULL_LEVEL: u8 = 10;
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            strategy: FULL.to_owned(),
            depth: 4,
            pruning: false,
            order: MoveOrder::Left,
            evaluation: String::new(),
            seed: 0,
            level: Settings::FULL_LEVEL,
            multi_pv: 1,
            threads: 1,
            hash: 64,
            own_book: true,
        }
    }
}

/// The order in which a plain strategy tries moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveOrder {
    /// As the game lists them.
    Left,
    /// The other way round.
    Right,
    /// The middle of the list first, then outwards.
    Centre,
}

/// How good a position is for the side to move, as users see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportedScore {
    /// An opinion.
    Points(i32),
    /// Proved: a win in that many plies.
    Win(usize),
    /// Proved: a loss in that many plies.
    Loss(usize),
    /// Proved: nobody can win.
    Draw,
    /// Proved: the game ends with this lead, in a game that counts more than winning.
    Margin(i32),
}

impl From<Value> for ReportedScore {
    fn from(value: Value) -> ReportedScore {
        match value.score.plies_to_end() {
            Some(plies) if value.score.is_win() => ReportedScore::Win(plies),
            Some(plies) => ReportedScore::Loss(plies),
            None if value.proved => ReportedScore::Draw,
            None => ReportedScore::Points(value.score.points()),
        }
    }
}

/// A line of play that a strategy tells about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<M> {
    /// What it is worth to the side to move, if the strategy has an opinion.
    pub standing: Option<ReportedScore>,
    /// The moves: at least one.
    pub moves: Vec<M>,
}

/// What a strategy tells while it thinks, and at last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult<M> {
    /// How deep it looked, and the greatest ply reached.
    pub depth: Option<(u32, u32)>,
    /// The best lines, best first: at least one.
    pub lines: Vec<Line<M>>,
    /// Positions visited.
    pub nodes: u64,
    /// Positions judged or over, for the strategies of fixed depth.
    pub leaves: Option<u64>,
    /// Time since the start.
    pub time: Duration,
    /// How full the transposition table is, if it was used.
    pub hashfull: Option<usize>,
}

/// One way of choosing a move.
pub trait Strategy<G: Playable> {
    /// Chooses: the first move of the first line of the returned report is the one to play.
    fn choose(
        &self,
        request: &SearchRequest<'_, G>,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move>;
}

/// A named way to make something for a game: a strategy or an evaluation.
pub struct Named<T: ?Sized> {
    /// What users call it.
    pub name: &'static str,
    /// Makes one.
    pub make: fn() -> Box<T>,
}

/// What a game brings to the strategies beside its rules.
pub trait Playable: Game {
    /// The opinion that drives the full search.
    type Evaluator: Evaluator<Self>;
    /// What the game's own strategies remember from one search to the next, if anything.
    type Memory: Default + Send + 'static;

    /// That opinion, not yet looking at anything.
    fn evaluator(&self) -> Self::Evaluator;

    /// Strategies that only this game has, from weak to strong.
    fn agents() -> &'static [Named<dyn Strategy<Self>>];

    /// Evaluations for the plain strategies, the default first: at least one.
    fn evaluations() -> &'static [Named<dyn Evaluate<Self>>];

    /// The default strategy, which a game may improve by what only it knows.
    fn full() -> Box<dyn Strategy<Self>> {
        Box::new(Full)
    }

    /// The strategy that finds the exact truth and nothing less, if there is one for this
    /// position. Asked for several best lines, it gives the exact standing of each.
    fn solver(&self) -> Option<Box<dyn Strategy<Self>>> {
        None
    }

    /// How many of `mebibytes` the transposition table of the full search gets; the rest is for
    /// [`Playable::Memory`].
    fn table_share(&self, mebibytes: usize) -> usize {
        mebibytes
    }
}

const RANDOM: &str = "random";
const MINIMAX: &str = "minimax";
const ALPHABETA: &str = "alphabeta";
/// The name of the default strategy.
pub const FULL: &str = "full";

/// The names of all strategies of a game, from weak to strong.
pub fn names<G: Playable>() -> Vec<&'static str> {
    let own = G::agents().iter().map(|agent| agent.name);
    [RANDOM].into_iter().chain(own).chain([MINIMAX, ALPHABETA, FULL]).collect()
}

/// The strategy that `settings` name, or the full search if the game has none of that name.
pub fn by_name<G: Playable>(settings: &Settings) -> Box<dyn Strategy<G>> {
    let name = settings.strategy.as_str();
    match name {
        RANDOM => Box::new(Random),
        MINIMAX => Box::new(Minimax::new(settings, settings.pruning)),
        ALPHABETA => Box::new(Minimax::new(settings, true)),
        _ => match G::agents().iter().find(|agent| agent.name == name) {
            Some(agent) => (agent.make)(),
            None => G::full(),
        },
    }
}
