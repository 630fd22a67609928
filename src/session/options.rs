//! The options: one row each, with its name, kind, getter and setter.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

use super::strength::{MAX_ELO, MIN_ELO, level_of_elo};
use crate::any_game::AnyGame;
use crate::endgames::EndgameFile;
use crate::platform::files;
use crate::protocol::reply::{OptionInfo, OptionKind};
use crate::registry::Registry;
use crate::settings::{MoveOrder, Settings};
use crate::text::{escaped, unknown};

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

type Get<T> = fn(&Options) -> T;
type Set<T> = fn(&mut Options, T);

/// What values an option takes, and how it reads and writes them.
#[derive(Clone)]
enum Kind {
    Check(Get<bool>, Set<bool>),
    Spin(RangeInclusive<u64>, Get<u64>, Set<u64>),
    /// One of the words that a game has.
    Combo(fn(&dyn AnyGame) -> Vec<&'static str>, Get<String>, Set<String>),
    /// Any text.
    Text(Get<String>, Set<String>),
    /// Any text but an empty one.
    Words(Get<String>, Set<String>),
    /// A chess program's name for one of the games.
    Variant,
    /// The path of an endgame table.
    EndgameFile(&'static EndgameFile),
    Button,
}

#[derive(Clone)]
struct OptionRow {
    name: &'static str,
    kind: Kind,
    effect: Effect,
}

const fn row(name: &'static str, kind: Kind) -> OptionRow {
    OptionRow { name, kind, effect: Effect::None }
}

/// The options that do not come from the registry.
const ROWS: &[OptionRow] = &[
    OptionRow {
        name: "Hash",
        kind: Kind::Spin(
            1..=65536,
            |options| options.settings.hash as u64,
            |options, value| options.settings.hash = value as usize,
        ),
        effect: Effect::ResizeHash,
    },
    row(
        "Threads",
        Kind::Spin(
            1..=256,
            |options| options.settings.threads as u64,
            |options, value| options.settings.threads = value as usize,
        ),
    ),
    row(
        "MultiPV",
        Kind::Spin(
            1..=500,
            |options| options.settings.multi_pv as u64,
            |options, value| options.settings.multi_pv = value as usize,
        ),
    ),
    row("Ponder", Kind::Check(|options| options.ponder, |options, value| options.ponder = value)),
    row(
        "OwnBook",
        Kind::Check(
            |options| options.settings.own_book,
            |options, value| options.settings.own_book = value,
        ),
    ),
    row(
        "Move Overhead",
        Kind::Spin(
            0..=5000,
            |options| options.settings.move_overhead.as_millis() as u64,
            |options, value| options.settings.move_overhead = Duration::from_millis(value),
        ),
    ),
    OptionRow { name: "Clear Hash", kind: Kind::Button, effect: Effect::ClearHash },
    row(
        "Strategy",
        Kind::Combo(
            |game| game.strategies(),
            |options| options.settings.strategy.clone(),
            |options, value| options.settings.strategy = value,
        ),
    ),
    row(
        "Depth",
        Kind::Spin(
            1..=100,
            |options| options.settings.depth.into(),
            |options, value| options.settings.depth = value as u32,
        ),
    ),
    row(
        "Pruning",
        Kind::Check(
            |options| options.settings.pruning,
            |options, value| options.settings.pruning = value,
        ),
    ),
    row(
        "Order",
        Kind::Combo(
            |_| ORDERS.iter().map(|&(name, _)| name).collect(),
            |options| order_name(options.settings.order).to_owned(),
            |options, value| options.settings.order = order_of_name(&value),
        ),
    ),
    row(
        "Evaluation",
        Kind::Combo(
            |game| game.evaluations(),
            |options| options.evaluation().to_owned(),
            |options, value| options.settings.evaluation = Some(value),
        ),
    ),
    row(
        "Seed",
        // Clients read 32-bit numbers.
        Kind::Spin(
            0..=i32::MAX as u64,
            |options| options.settings.seed,
            |options, value| options.settings.seed = value,
        ),
    ),
    row(
        "Level",
        Kind::Spin(
            1..=Settings::FULL_LEVEL as u64,
            |options| options.settings.level.into(),
            |options, value| options.settings.level = value as u8,
        ),
    ),
    OptionRow {
        name: "Debug Log File",
        kind: Kind::Text(
            |options| options.debug_log_file.clone(),
            |options, value| options.debug_log_file = value,
        ),
        effect: Effect::OpenLog,
    },
    OptionRow {
        name: "Game",
        kind: Kind::Words(|options| options.game.clone(), |options, value| options.game = value),
        effect: Effect::NewGame,
    },
    OptionRow { name: "UCI_Variant", kind: Kind::Variant, effect: Effect::NewGame },
    row(
        "UCI_ShowWDL",
        Kind::Check(|options| options.shows_wdl, |options, value| options.shows_wdl = value),
    ),
    row(
        "UCI_LimitStrength",
        Kind::Check(
            |options| options.limits_strength,
            |options, value| options.limits_strength = value,
        ),
    ),
    row(
        "UCI_Elo",
        Kind::Spin(MIN_ELO..=MAX_ELO, |options| options.elo, |options, value| options.elo = value),
    ),
];

/// All options: [`ROWS`], and one for each endgame table of the registry.
fn rows(registry: Registry) -> Vec<OptionRow> {
    let endgame_file = |file: &'static EndgameFile| OptionRow {
        name: file.option,
        kind: Kind::EndgameFile(file),
        effect: Effect::LoadEndgames(file),
    };
    ROWS.iter().cloned().chain(registry.endgame_files().map(endgame_file)).collect()
}

/// The option with this name, in any case.
fn find_row(rows: Vec<OptionRow>, name: &str) -> Result<OptionRow, String> {
    let known: Vec<&str> = rows.iter().map(|row| row.name).collect();
    let found = rows.iter().find(|row| row.name.eq_ignore_ascii_case(name)).cloned();
    found.ok_or_else(|| unknown("option", name, &known))
}

const ORDERS: [(&str, MoveOrder); 3] =
    [("left", MoveOrder::Left), ("right", MoveOrder::Right), ("centre", MoveOrder::Centre)];

fn order_name(order: MoveOrder) -> &'static str {
    ORDERS.iter().find(|(_, known)| *known == order).map_or("", |(name, _)| name)
}

fn order_of_name(name: &str) -> MoveOrder {
    ORDERS.iter().find(|(known, _)| *known == name).map_or(MoveOrder::Left, |&(_, order)| order)
}

impl OptionRow {
    /// The current value as text.
    fn get(&self, registry: Registry, options: &Options) -> String {
        match &self.kind {
            Kind::Check(get, _) => get(options).to_string(),
            Kind::Spin(_, get, _) => get(options).to_string(),
            Kind::Combo(_, get, _) | Kind::Text(get, _) | Kind::Words(get, _) => get(options),
            Kind::Variant => {
                let variant = registry.uci_variants().find(|(_, game)| *game == options.game);
                variant.map_or("<none>", |(name, _)| name).to_owned()
            }
            Kind::EndgameFile(file) => options.endgame_path(file).to_owned(),
            Kind::Button => String::new(),
        }
    }

    /// Parses and sets a value, or says what was expected.
    fn set(
        &self,
        registry: Registry,
        options: &mut Options,
        value: Option<&str>,
        game: &dyn AnyGame,
    ) -> Result<(), String> {
        let text = value.filter(|&text| text != "<empty>").unwrap_or_default();
        match &self.kind {
            Kind::Check(_, set) => set(options, choice(&["true", "false"], value)? == "true"),
            Kind::Spin(range, _, set) => {
                let number = value.and_then(|value| value.parse().ok());
                let number = number.filter(|number| range.contains(number));
                let expected = || format!("must be {}..{}", range.start(), range.end());
                set(options, number.ok_or_else(expected)?);
            }
            Kind::Combo(choices, _, set) => {
                set(options, choice(&choices(game), value)?.to_owned());
            }
            Kind::Text(_, set) => set(options, text.to_owned()),
            Kind::Words(_, set) => match value {
                None | Some("") => return Err("needs a value".to_owned()),
                Some(value) => set(options, value.to_owned()),
            },
            Kind::Variant => {
                let variants: Vec<_> = registry.uci_variants().collect();
                let names: Vec<&str> = variants.iter().map(|(name, _)| *name).collect();
                let name = choice(&names, value)?;
                let words = variants.iter().find(|(known, _)| *known == name);
                options.game = words.map_or("", |(_, words)| words).to_owned();
            }
            Kind::EndgameFile(file) => {
                options.endgame_paths.insert(file.option, text.to_owned());
            }
            Kind::Button if value.is_some() => {
                return Err("is a button and takes no value".to_owned());
            }
            Kind::Button => {}
        }
        Ok(())
    }

    /// The option as clients see it.
    fn info(&self, registry: Registry, defaults: &Options, game: &dyn AnyGame) -> OptionInfo {
        let kind = match &self.kind {
            Kind::Check(..) => OptionKind::Check,
            Kind::Spin(range, ..) => OptionKind::Spin { min: *range.start(), max: *range.end() },
            Kind::Combo(choices, ..) => OptionKind::Combo(choices(game)),
            Kind::Variant => {
                OptionKind::Combo(registry.uci_variants().map(|(name, _)| name).collect())
            }
            Kind::Text(..) | Kind::Words(..) | Kind::EndgameFile(_) => OptionKind::Text,
            Kind::Button => OptionKind::Button,
        };
        OptionInfo { name: self.name, kind, default: self.get(registry, defaults) }
    }
}

/// The one of `choices` that `value` names, in any case.
fn choice<'a>(choices: &[&'a str], value: Option<&str>) -> Result<&'a str, String> {
    let named = |choice: &&&str| value.is_some_and(|value| choice.eq_ignore_ascii_case(value));
    let found = choices.iter().find(named);
    found.copied().ok_or_else(|| format!("must be one of {}", choices.join(", ")))
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
    use super::*;
    use crate::games::REGISTRY;

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
