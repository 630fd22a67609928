//! Strategies: ways of choosing a move. One trait, one file for each strategy that works for every
//! game; a game adds its own beside its rules.
//!
//! Knows games through their traits, requests and results; knows nothing of commands, move texts
//! or threads.

mod full;
mod hybrid;
mod level;
mod minimax;
mod prove;
mod random;
mod solver_work;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::bound_table::SavedTable;
use crate::endgames::EndgameStore;
use crate::game::{Evaluate, Evaluator, Game};
use crate::platform::random::random_seed;
use crate::search::SearchRequest;
use crate::search::result::{PvLine, SearchEnd, SearchResult};
use crate::settings::Settings;

pub use full::Full;
pub(crate) use hybrid::{HybridGoal, alternate};
pub use minimax::Minimax;
pub use prove::Prove;
pub use random::Random;
pub(crate) use solver_work::SolverWork;

/// A strategy chooses a move.
pub trait Strategy<G: Playable> {
    /// Chooses: the first move of the first line of the result is the one to play. `report` gets
    /// intermediate results.
    fn choose(
        &self,
        request: &SearchRequest<'_, G>,
        resources: &mut Resources<'_, G>,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move>;
}

/// What outlives a search, apart from the transposition table.
pub struct Resources<'a, G: Playable> {
    /// What the game's own strategies have learnt.
    pub memory: &'a mut G::Memory,
    /// The endgame tables at hand.
    pub endgames: &'a mut EndgameStore,
}

/// A named way to make something for a game: a strategy or an evaluation.
pub struct Named<T: ?Sized> {
    /// What users call it.
    pub name: &'static str,
    /// Makes one.
    pub make: fn() -> Box<T>,
}

/// What a game brings to the strategies besides its rules.
pub trait Playable: Game {
    /// The evaluator of the playing search.
    type Evaluator: Evaluator<Self>;
    /// What the game's own strategies keep from one search to the next, if anything.
    type Memory: Default + Send + 'static;

    /// An evaluator, not yet looking at any position.
    fn evaluator(&self, endgames: &EndgameStore) -> Self::Evaluator;

    /// The evaluator of the levels below full strength. It stays as it is when the other one improves,
    /// so that a level plays as it always did.
    fn classic_evaluator(&self, endgames: &EndgameStore) -> Self::Evaluator {
        self.evaluator(endgames)
    }

    /// How many plies harder it is for people to foresee how this game, which is over, was won than it is
    /// elsewhere.
    fn concealment(&self) -> u32 {
        0
    }

    /// Strategies that only this game has, from weak to strong.
    fn agents() -> &'static [Named<dyn Strategy<Self>>] {
        &[]
    }

    /// Evaluations for the fixed-depth strategies, the default first: at least one.
    fn evaluations() -> &'static [Named<dyn Evaluate<Self>>];

    /// The default strategy, which a game may improve by what only it knows.
    fn full() -> Box<dyn Strategy<Self>> {
        Box::new(Full)
    }

    /// The strategy that finds exact scores and nothing less, or why there is none for this position
    /// with a Hash of this many MiB and these endgame tables. Asked for several best lines, it gives the
    /// exact score of each.
    fn solver(
        &self,
        _hash: usize,
        _endgames: &EndgameStore,
    ) -> Result<Box<dyn Strategy<Self>>, String> {
        Err("the game has none".to_owned())
    }

    /// The table of proved bounds that the solver of this position keeps in `memory`, made now if it is
    /// not there yet; `None` if the solver has no such table. A solver that finds a loaded table there
    /// need not prove again what was proved when it was saved.
    fn solver_table<'m>(
        &self,
        _settings: &Settings,
        _memory: &'m mut Self::Memory,
    ) -> Result<Option<&'m mut dyn SavedTable>, String> {
        Ok(None)
    }

    /// Whether the game's opening book has this position.
    fn is_in_book(&self) -> bool {
        false
    }

    /// How many of `mebibytes` the transposition table of the playing search gets; the rest is
    /// for [`Playable::Memory`].
    fn tt_share(&self, mebibytes: usize) -> usize {
        mebibytes
    }
}

/// [`Playable::concealment`] of a diagonal line, which people notice later than a row or a column.
pub const DIAGONAL_CONCEALMENT: u32 = 2;

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

/// The strategy that `settings` name, or the default one if the game has none of that name.
pub fn by_name<G: Playable>(settings: &Settings) -> Box<dyn Strategy<G>> {
    let name = settings.strategy.as_str();
    match name {
        RANDOM => Box::new(Random),
        MINIMAX | ALPHABETA => Box::new(plain(settings)),
        _ => match G::agents().iter().find(|agent| agent.name == name) {
            Some(agent) => (agent.make)(),
            None => G::full(),
        },
    }
}

/// The plain strategy with these settings: `alphabeta` if they name it, else `minimax`.
pub fn plain(settings: &Settings) -> Minimax {
    Minimax::new(settings, settings.pruning || settings.strategy == ALPHABETA)
}

/// The game's evaluation with this name, if there is one.
pub fn evaluation<G: Playable>(name: &str) -> Option<Box<dyn Evaluate<G>>> {
    let named = G::evaluations().iter().find(|evaluation| evaluation.name == name);
    named.map(|evaluation| (evaluation.make)())
}

/// Whether what `settings` name searches on until it is stopped if `go` sets no limit: only the
/// default strategy at full strength does.
pub fn needs_limit(settings: &Settings) -> bool {
    settings.strategy == FULL && settings.level >= Settings::FULL_LEVEL
}

/// A random one of `choices`, or of all moves if there are none, as a result without a score.
pub fn pick<G: Game>(request: &SearchRequest<'_, G>, choices: &[G::Move]) -> SearchResult<G::Move> {
    let choices = if choices.is_empty() { request.moves } else { choices };
    let mv = choices[rng(request).random_range(0..choices.len())];
    SearchResult {
        depth: None,
        lines: vec![PvLine::new(None, vec![mv])],
        nodes: request.moves.len() as u64,
        tree: None,
        time: request.control.elapsed(),
        hashfull: None,
        end: SearchEnd::DeepEnough,
    }
}

/// Random numbers for this position: the same ones each time if the user gave a seed.
pub fn rng<G: Game>(request: &SearchRequest<'_, G>) -> Xoshiro256PlusPlus {
    match request.settings.seed {
        0 => Xoshiro256PlusPlus::seed_from_u64(random_seed()),
        seed => Xoshiro256PlusPlus::seed_from_u64(seed ^ request.game.key().rotate_left(17)),
    }
}
