//! The values of the options. Each option is a row of `rows`, with its name, kind, getter and setter.

mod rows;

use std::collections::BTreeMap;
use std::path::Path;

use super::strength::{MAX_ELO, level_of_elo};
use crate::any_game::AnyGame;
use crate::endgames::EndgameFile;
use crate::platform::files;
use crate::protocol::reply::OptionInfo;
use crate::registry::Registry;
use crate::settings::Settings;
use crate::text::escaped;
use rows::{Kind, OptionRow, find_row, rows};

/// The values of all options.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether the client will ponder.
    ponder: bool,
    /// Where all input and output is copied to; nowhere if empty.
    pub debug_log_file: String,
    /// The paths of endgame tables, by the option that takes them.
    endgame_paths: BTreeMap<&'static str, String>,
    /// The game in progress, as the words after `newgame`.
    pub game: String,
    /// The evaluation of the fixed-depth strategies where none was chosen.
    default_evaluation: &'static str,
    /// Whether scores come with win, draw and loss probabilities.
    pub shows_wdl: bool,
    /// Whether `elo` sets the strength, instead of `settings.level`.
    limits_strength: bool,
    elo: u64,
    /// What searches read, but for the strength set in Elo.
    pub settings: Settings,
}

/// What a changed option asks the session to do before the change holds.
#[derive(Clone, Copy, Debug)]
pub enum Effect {
    /// Nothing.
    None,
    /// Resize the tables.
    ResizeHash,
    /// Clear the tables.
    ClearHash,
    /// Open the log file.
    OpenLog,
    /// Load an endgame table.
    LoadEndgames(&'static EndgameFile),
    /// Begin the game that [`Options::game`] names.
    NewGame,
}

/// A change of an option that its row has accepted.
#[derive(Debug)]
pub struct Change {
    /// The option's name.
    pub name: &'static str,
    /// Its value before, as text.
    pub old: String,
    /// What is to be done.
    pub effect: Effect,
}

impl Options {
    /// The defaults. [`Options::adapt`] fills in what depends on the game.
    pub fn new() -> Options {
        Options {
            ponder: false,
            debug_log_file: String::new(),
            endgame_paths: BTreeMap::new(),
            game: String::new(),
            default_evaluation: "",
            shows_wdl: false,
            limits_strength: false,
            elo: MAX_ELO,
            settings: Settings::default(),
        }
    }

    /// All options with their defaults for `game`.
    pub fn list(&self, registry: Registry, game: &dyn AnyGame) -> Vec<OptionInfo> {
        let mut defaults = Options::new();
        defaults.adapt(game);
        if let Ok(default_game) = registry.open_from_words(&[]) {
            defaults.game = default_game.title();
        }
        rows(registry).iter().map(|row| row.info(registry, &defaults, game)).collect()
    }

    /// The current values of the option with this name, or of all but the buttons.
    pub fn values(
        &self,
        registry: Registry,
        name: Option<&str>,
    ) -> Result<Vec<(&'static str, String)>, String> {
        let mut rows = rows(registry);
        match name {
            None => rows.retain(|row| !matches!(row.kind, Kind::Button)),
            Some(name) => rows = vec![find_row(rows, name)?],
        }
        let value = |row: &OptionRow| match row.kind {
            Kind::Button => Err(format!("{} is a button and has no value", row.name)),
            _ => Ok((row.name, row.get(registry, self))),
        };
        rows.iter().map(value).collect()
    }

    /// Sets an option and returns what that asks for, or says why not and changes nothing.
    pub fn set(
        &mut self,
        registry: Registry,
        name: &str,
        value: Option<&str>,
        game: &dyn AnyGame,
    ) -> Result<Change, String> {
        let row = find_row(rows(registry), name)?;
        let old = match row.get(registry, self) {
            old if old.is_empty() => "<empty>".to_owned(),
            old => files::printable(Path::new(&old)),
        };
        row.set(registry, self, value, game).map_err(|expected| {
            let name = row.name;
            match (&row.kind, value) {
                (Kind::Button, _) => format!("{name} {expected}"),
                (_, None | Some("")) => format!("{name} {expected} (got no value); keeping {old}"),
                (_, Some(value)) => {
                    format!("{name} {expected} (got '{}'); keeping {old}", escaped(value))
                }
            }
        })?;
        Ok(Change { name: row.name, old, effect: row.effect })
    }

    /// The settings of the next search.
    pub fn in_force(&self) -> Settings {
        let level = if self.limits_strength { level_of_elo(self.elo) } else { self.settings.level };
        Settings { level, ..self.settings.clone() }
    }

    /// The evaluation of the fixed-depth strategies.
    fn evaluation(&self) -> &str {
        self.settings.evaluation.as_deref().unwrap_or(self.default_evaluation)
    }

    /// The path of an endgame table; empty if there is none.
    pub fn endgame_path(&self, file: &EndgameFile) -> &str {
        self.endgame_paths.get(file.option).map_or("", String::as_str)
    }

    /// Falls back to what `game` has where an option names something else, and says so.
    pub fn adapt(&mut self, game: &dyn AnyGame) -> Option<String> {
        self.game = game.title();
        let evaluations = game.evaluations();
        self.default_evaluation = evaluations[0];
        self.settings.evaluation.take_if(|chosen| !evaluations.contains(&chosen.as_str()));
        let strategies = game.strategies();
        if strategies.contains(&self.settings.strategy.as_str()) {
            return None;
        }
        let default = strategies[strategies.len() - 1];
        let missing = std::mem::replace(&mut self.settings.strategy, default.to_owned());
        Some(format!("this game has no strategy {missing}; Strategy is now {default}"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::strength::MIN_ELO;
    use super::*;
    use crate::games::REGISTRY;
    use crate::protocol::reply::OptionKind;

    fn game() -> Box<dyn AnyGame> {
        REGISTRY.open("connect4", &[]).unwrap()
    }

    fn defaults() -> Options {
        let mut options = Options::new();
        options.adapt(&*game());
        options
    }

    fn set(options: &mut Options, name: &str, value: Option<&str>) -> Result<Change, String> {
        options.set(REGISTRY, name, value, &*game())
    }

    #[test]
    fn every_option_is_listed() {
        let list = defaults().list(REGISTRY, &*game());
        assert_eq!(list.len(), rows(REGISTRY).len());
        let find = |name| list.iter().find(|option| option.name == name).unwrap();
        assert_eq!(find("Hash").kind, OptionKind::Spin { min: 1, max: 65536 });
        assert_eq!(find("Hash").default, "64");
        assert_eq!(find("Evaluation").kind, OptionKind::Combo(vec!["lines", "pairs"]));
        assert_eq!(find("Evaluation").default, "lines");
        assert_eq!(find("UCI_Variant").kind, OptionKind::Combo(vec!["cfour"]));
        assert_eq!(find("UCI_Variant").default, "cfour");
        assert_eq!(find("KalahTable").kind, OptionKind::Text);
    }

    #[test]
    fn names_and_choices_have_any_case() {
        let mut options = defaults();
        let change = set(&mut options, "hASH", Some("16")).unwrap();
        assert!(matches!(change.effect, Effect::ResizeHash));
        assert_eq!((change.name, change.old.as_str()), ("Hash", "64"));
        assert_eq!(options.settings.hash, 16);
        set(&mut options, "strategy", Some("MiniMax")).unwrap();
        assert_eq!(options.settings.strategy, "minimax");
        let change = set(&mut options, "clear hash", None).unwrap();
        assert!(matches!(change.effect, Effect::ClearHash));
    }

    #[test]
    fn each_option_keeps_what_it_is_given() {
        for (name, value) in [
            ("Hash", "3"),
            ("Threads", "2"),
            ("MultiPV", "5"),
            ("Ponder", "true"),
            ("OwnBook", "false"),
            ("Move Overhead", "77"),
            ("Strategy", "smart"),
            ("Depth", "9"),
            ("Pruning", "true"),
            ("Order", "centre"),
            ("Evaluation", "pairs"),
            ("Seed", "2147483647"),
            ("Level", "3"),
            ("KalahTable", "kalah.table"),
            ("WaliTable", "wali.table"),
            ("Debug Log File", "some file"),
            ("Game", "kalah 6 4"),
            ("UCI_ShowWDL", "true"),
            ("UCI_LimitStrength", "true"),
            ("UCI_Elo", "1000"),
        ] {
            let mut options = defaults();
            set(&mut options, name, Some(value)).unwrap();
            let values = options.values(REGISTRY, Some(name)).unwrap();
            assert_eq!(values, [(name, value.to_owned())]);
            assert!(options.values(REGISTRY, None).unwrap().contains(&values[0]));
        }
    }

    #[test]
    fn a_button_has_no_value() {
        let options = defaults();
        let error = options.values(REGISTRY, Some("clear hash")).unwrap_err();
        assert_eq!(error, "Clear Hash is a button and has no value");
        assert!(options.values(REGISTRY, Some("Hsah")).unwrap_err().contains("unknown option"));
        let all = options.values(REGISTRY, None).unwrap();
        assert_eq!(all.len(), rows(REGISTRY).len() - 1);
    }

    #[test]
    fn a_variant_names_a_game() {
        let mut options = defaults();
        options.game = "kalah 6 4".to_owned();
        let change = set(&mut options, "UCI_Variant", Some("CFour")).unwrap();
        assert!(matches!(change.effect, Effect::NewGame));
        assert_eq!(options.game, game().title());
        assert_eq!(change.old, "<none>");
    }

    #[test]
    fn elo_replaces_the_level_while_strength_is_limited() {
        let mut options = defaults();
        set(&mut options, "UCI_Elo", Some(&MIN_ELO.to_string())).unwrap();
        assert_eq!(options.in_force().level, Settings::FULL_LEVEL);
        set(&mut options, "UCI_LimitStrength", Some("true")).unwrap();
        assert_eq!(options.in_force().level, 1);
        set(&mut options, "Level", Some("5")).unwrap();
        assert_eq!(options.in_force().level, 1);
        set(&mut options, "UCI_LimitStrength", Some("false")).unwrap();
        assert_eq!(options.in_force().level, 5);
    }

    #[test]
    fn a_bad_value_changes_nothing() {
        let mut options = defaults();
        for (name, value, error) in [
            ("Hash", Some("0"), "Hash must be 1..65536 (got '0'); keeping 64"),
            ("Threads", Some("abc"), "Threads must be 1..256 (got 'abc'); keeping 1"),
            ("Threads", Some("-5"), "Threads must be 1..256 (got '-5'); keeping 1"),
            ("Threads", Some("99999999999999999999999"), "Threads must be 1..256 (got '99"),
            ("Ponder", Some("yes"), "Ponder must be one of true, false (got 'yes'); keeping false"),
            ("Strategy", Some("genius"), "Strategy must be one of random, greedy, smart, minimax"),
            ("UCI_Variant", Some("chess"), "UCI_Variant must be one of cfour (got 'chess')"),
            ("Hash", None, "Hash must be 1..65536 (got no value); keeping 64"),
            ("Game", None, "Game needs a value (got no value); keeping connect4 6 7 4"),
            ("Game", Some(""), "Game needs a value (got no value); keeping connect4 6 7 4"),
            ("Clear Hash", Some("true"), "Clear Hash is a button and takes no value"),
            ("Hsah", Some("1"), "unknown option 'Hsah' (available: Hash, Threads"),
        ] {
            let found = set(&mut options, name, value).unwrap_err();
            assert!(found.starts_with(error), "{name}: {found}");
        }
        assert_eq!(options.settings, defaults().settings);
    }
}
