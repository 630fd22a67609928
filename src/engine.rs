//! The engine below the session: a game in progress and everything its searches work with.
//!
//! Knows games through [`AnyGame`] and the [`Registry`]; knows nothing of input, output, dialects
//! or threads of the session. A search borrows the whole engine, so nothing can change under it.

use crate::any_game::AnyGame;
use crate::endgames::EndgameStore;
use crate::limits::SearchControl;
use crate::protocol::command::Go;
use crate::registry::{BenchPosition, GameEntry, Registry};
use crate::search::result::SearchResult;
use crate::search::transposition_table::TranspositionTable;
use crate::settings::Settings;

/// A game in progress, the transposition table and the endgame tables.
pub struct Engine {
    /// The game in progress.
    pub game: Box<dyn AnyGame>,
    /// The endgame tables at hand.
    pub endgames: EndgameStore,
    tt: TranspositionTable,
}

impl Engine {
    /// An engine with `game` and `mebibytes` of memory for tables.
    pub fn new(game: Box<dyn AnyGame>, mebibytes: usize) -> Result<Engine, String> {
        // All of it must be there, though solvers allocate their share only when needed.
        drop(TranspositionTable::new(mebibytes)?);
        let tt = TranspositionTable::new(game.tt_share(mebibytes))?;
        Ok(Engine { game, tt, endgames: EndgameStore::default() })
    }

    /// Begins `game` with empty tables. On an error the old game goes on; its tables may be empty then.
    pub fn new_game(&mut self, game: Box<dyn AnyGame>, mebibytes: usize) -> Result<(), String> {
        self.resize_tt(game.tt_share(mebibytes))?;
        self.game = game;
        Ok(())
    }

    /// Gives an empty transposition table this size. What a solver has learnt makes room if it has to.
    fn resize_tt(&mut self, mebibytes: usize) -> Result<(), String> {
        self.tt.resize(mebibytes).or_else(|_| {
            self.game.clear_memory();
            self.tt.resize(mebibytes)
        })
    }

    /// Empties all tables and gives them `mebibytes` of memory, or keeps what they have if the
    /// system refuses.
    pub fn resize_hash(&mut self, mebibytes: usize) -> Result<(), String> {
        // All of it, as in `new`.
        self.resize_tt(mebibytes)?;
        self.tt.resize(self.game.tt_share(mebibytes))?;
        self.game.clear_memory();
        Ok(())
    }

    /// Empties all tables but the endgame tables.
    pub fn clear_hash(&mut self) {
        self.tt.clear();
        self.game.clear_memory();
    }

    /// Carries out a `go` whose control comes from [`AnyGame::prepare`].
    pub fn search(
        &mut self,
        go: &Go,
        settings: &Settings,
        control: &SearchControl,
        report: &mut dyn FnMut(SearchResult<String>),
    ) -> SearchResult<String> {
        let Engine { game, tt, endgames } = self;
        game.search(go, settings, control, tt, endgames, report)
    }
}

/// Searches every bench position of the registry with a fresh engine, one thread and a fixed
/// depth: the same nodes on every run. `report` gets each position with its nodes and best move;
/// all nodes are counted by `control`.
pub fn bench(
    registry: Registry,
    control: &SearchControl,
    report: &mut dyn FnMut(&GameEntry, &BenchPosition, u64, String),
) -> Result<(), String> {
    const HASH: usize = 16;
    let words = |text: &'static str| text.split_whitespace().collect::<Vec<_>>();
    let settings = Settings::default();
    for entry in registry.0 {
        for position in entry.bench {
            let mut game = registry.open(entry.name, &words(position.parameters))?;
            game.set_position(&[], &words(position.moves))?;
            let tt = TranspositionTable::new(HASH)?;
            let go = Go { depth: Some(position.depth), ..Go::default() };
            let nodes_before = control.nodes();
            let endgames = &mut EndgameStore::default();
            let result = game.search(&go, &settings, control, &tt, endgames, &mut |_| {});
            if control.is_stopped() {
                return Err("stopped before the end".to_owned());
            }
            let best = result.best_move().cloned().unwrap_or_default();
            report(entry, position, control.nodes() - nodes_before, best);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::REGISTRY;

    /// More than any system allocates.
    const TOO_MUCH: usize = usize::MAX >> 22;

    #[test]
    fn a_new_game_without_memory_leaves_the_old_one_and_its_table() {
        let open = |name| REGISTRY.open(name, &[]).unwrap();
        let mut engine = Engine::new(open("wali"), 8).unwrap();
        engine.game.play("a1").unwrap();
        let (before, size) = (engine.game.position_text(), engine.tt.bytes());
        let error = engine.new_game(open("boom"), TOO_MUCH).unwrap_err();
        assert!(error.starts_with("cannot allocate "), "{error}");
        assert!(engine.resize_hash(TOO_MUCH).is_err());
        assert_eq!((engine.game.position_text(), engine.tt.bytes()), (before, size));
    }

    /// What is left is for solvers; games without one leave nothing.
    #[test]
    fn the_transposition_table_gets_its_share_of_the_memory() {
        let game = |title: &str| {
            let words: Vec<&str> = title.split(' ').collect();
            REGISTRY.open_from_words(&words).unwrap()
        };
        let mut engine = Engine::new(game("boom"), 8).unwrap();
        let mebibytes = |engine: &Engine| engine.tt.bytes() >> 20;
        assert_eq!(mebibytes(&engine), 8);
        for (title, sixteenths) in [
            ("connect4 6 7", 4),
            ("connect4 6 7 5", 12),
            ("connect4 25 25", 16),
            ("boom", 16),
            ("kalah 6 4", 4),
            ("wali", 16),
        ] {
            assert_eq!(mebibytes(&Engine::new(game(title), 16).unwrap()), sixteenths, "{title}");
            engine.new_game(game(title), 16).unwrap();
            assert_eq!(mebibytes(&engine), sixteenths, "{title}");
            engine.resize_hash(32).unwrap();
            assert_eq!(mebibytes(&engine), 2 * sixteenths, "{title}");
        }
        // What cannot be had is refused, and the table stays.
        assert!(engine.resize_hash(usize::MAX).is_err());
        assert!(engine.new_game(game("boom"), usize::MAX).is_err());
        assert_eq!((mebibytes(&engine), engine.game.title().as_str()), (32, "wali 5 6 12"));
        assert!(Engine::new(game("boom"), usize::MAX).is_err());
    }
}
