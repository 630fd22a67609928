//! The options: their names, limits and current values.

use std::collections::BTreeMap;
use std::time::Duration;

use super::strength::{LEAST_ELO, MOST_ELO, level_of_elo};
use crate::any_game::AnyGame;
use crate::games::{Endings, REGISTRY};
use crate::strategy::{self, MoveOrder, Settings};
use crate::text::escaped;

/// Everything that `setoption` can change.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether the client will think on the opponent's time.
    pub ponder: bool,
    /// What every move loses on its way to the opponent.
    pub move_overhead: Duration,
    /// Where all input and output is copied to; nowhere if empty.
    pub debug_log_file: String,
    /// The files with endings of games, by the option that takes the path.
    endings: BTreeMap<&'static str, String>,
    /// The game in progress, as the words after `newgame`.
    pub game: String,
    /// Whether scores come with the chances to win, draw and lose.
    pub shows_wdl: bool,
    /// The strength asked for; without one, `settings.level` decides.
    pub limits_strength: bool,
    /// That strength.
    pub elo: u64,
    /// What the strategies heed, but for the strength asked for in Elo.
    pub settings: Settings,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            ponder: false,
            move_overhead: Duration::from_millis(10),
            debug_log_file: String::new(),
            endings: BTreeMap::new(),
            game: CFOUR.1.to_owned(),
            shows_wdl: false,
            limits_strength: false,
            elo: MOST_ELO,
            settings: Settings::default(),
        }
    }
}

/// What chess programs call one of the games, and what it is here.
const CFOUR: (&str, &str) = ("cfour", "connect4 6 7 4");

/// What a change of an option asks the session to do before it holds.
#[derive(Debug)]
pub enum Effect {
    /// Nothing.
    None,
    /// Replace the transposition table by one of the new size.
    ResizeHash,
    /// Empty the transposition table.
    ClearHash,
    /// Open the log file.
    OpenLog,
    /// Load the file with these endings.
    LoadEndings(&'static Endings),
    /// Begin this game, told as the words after `newgame`.
    NewGame(String),
}

/// What values an option takes.
enum Kind {
    Check,
    Spin {
        min: u64,
        max: u64,
    },
    Combo(Vec<&'static str>),
    Button,
    /// Any text, none as well.
    Text,
    /// Any text but none.
    Words,
}

#[derive(Clone, Copy)]
enum Id {
    Hash,
    Threads,
    MultiPv,
    Ponder,
    OwnBook,
    MoveOverhead,
    ClearHash,
    Strategy,
    Depth,
    Pruning,
    Order,
    Evaluation,
    Seed,
    Level,
    DebugLogFile,
    Game,
    Variant,
    ShowWdl,
    LimitStrength,
    Elo,
    Endings(&'static Endings),
}

/// The options that do not belong to one game.
const NAMES: &[(Id, &str)] = &[
    (Id::Hash, "Hash"),
    (Id::Threads, "Threads"),
    (Id::MultiPv, "MultiPV"),
    (Id::Ponder, "Ponder"),
    (Id::OwnBook, "OwnBook"),
    (Id::MoveOverhead, "Move Overhead"),
    (Id::ClearHash, "Clear Hash"),
    (Id::Strategy, "Strategy"),
    (Id::Depth, "Depth"),
    (Id::Pruning, "Pruning"),
    (Id::Order, "Order"),
    (Id::Evaluation, "Evaluation"),
    (Id::Seed, "Seed"),
    (Id::Level, "Level"),
    (Id::DebugLogFile, "Debug Log File"),
    (Id::Game, "Game"),
    (Id::Variant, "UCI_Variant"),
    (Id::ShowWdl, "UCI_ShowWDL"),
    (Id::LimitStrength, "UCI_LimitStrength"),
    (Id::Elo, "UCI_Elo"),
];

/// All options.
fn names() -> impl Iterator<Item = (Id, &'static str)> {
    let endings = REGISTRY.iter().filter_map(|game| game.endings.as_ref());
    NAMES.iter().copied().chain(endings.map(|endings| (Id::Endings(endings), endings.option)))
}

const ORDERS: [(&str, MoveOrder); 3] =
    [("left", MoveOrder::Left), ("right", MoveOrder::Right), ("centre", MoveOrder::Centre)];

impl Options {
    /// The options in UCI's form, one on each line.
    pub fn list(&self, table: &dyn AnyGame) -> String {
        let line = |(id, name)| {
            let default = Options::default().value(id, table);
            let default = if default.is_empty() { "<empty>".to_owned() } else { default };
            match kind(id, table) {
                Kind::Check => format!("option name {name} type check default {default}"),
                Kind::Spin { min, max } => {
                    format!("option name {name} type spin default {default} min {min} max {max}")
                }
                Kind::Combo(choices) => {
                    let choices: String =
                        choices.iter().map(|word| format!(" var {word}")).collect();
                    format!("option name {name} type combo default {default}{choices}")
                }
                Kind::Button => format!("option name {name} type button"),
                Kind::Text | Kind::Words => {
                    format!("option name {name} type string default {default}")
                }
            }
        };
        names().map(line).collect::<Vec<_>>().join("\n")
    }

    /// Sets an option, or says why not and changes nothing.
    pub fn set(
        &mut self,
        name: &str,
        value: Option<&str>,
        table: &dyn AnyGame,
    ) -> Result<Effect, String> {
        let Some((id, name)) = names().find(|(_, known)| known.eq_ignore_ascii_case(name)) else {
            let known: Vec<&str> = names().map(|(_, name)| name).collect();
            return Err(format!(
                "no option is called '{}': there is {}",
                escaped(name),
                known.join(", ")
            ));
        };
        let value = match (kind(id, table), value) {
            (Kind::Button, None) => String::new(),
            (Kind::Button, Some(_)) => {
                return Err(format!("{name} is a button: it takes no value"));
            }
            (Kind::Text, value) => {
                value.filter(|&text| text != "<empty>").unwrap_or_default().to_owned()
            }
            (_, None | Some("")) => {
                return Err(format!("{name} wants a value, it stays {}", self.value(id, table)));
            }
            (kind, Some(value)) => kind.checked(value).map_err(|reason| {
                format!("{name}: '{}' {reason}, it stays {}", escaped(value), self.value(id, table))
            })?,
        };
        Ok(self.store(id, value))
    }

    /// What the strategies are to heed.
    pub fn in_force(&self) -> Settings {
        let level = if self.limits_strength { level_of_elo(self.elo) } else { self.settings.level };
        Settings { level, ..self.settings.clone() }
    }

    /// The file with these endings; none if empty.
    pub fn endings_file(&self, endings: &Endings) -> &str {
        self.endings.get(endings.option).map_or("", String::as_str)
    }

    /// Falls back on what the game of `table` has where an option names something else.
    pub fn adapt(&mut self, table: &dyn AnyGame) -> Option<String> {
        self.game = table.title();
        if !table.evaluations().contains(&self.settings.evaluation.as_str()) {
            self.settings.evaluation = table.evaluations()[0].to_owned();
        }
        if table.strategies().contains(&self.settings.strategy.as_str()) {
            return None;
        }
        let missing = std::mem::replace(&mut self.settings.strategy, strategy::FULL.to_owned());
        Some(format!("this game has no strategy {missing}: Strategy is {} now", strategy::FULL))
    }

    fn value(&self, id: Id, table: &dyn AnyGame) -> String {
        let settings = &self.settings;
        match id {
            Id::Hash => settings.hash.to_string(),
            Id::Threads => settings.threads.to_string(),
            Id::MultiPv => settings.multi_pv.to_string(),
            Id::Ponder => self.ponder.to_string(),
            Id::OwnBook => settings.own_book.to_string(),
            Id::MoveOverhead => self.move_overhead.as_millis().to_string(),
            Id::ClearHash => String::new(),
            Id::Strategy => settings.strategy.clone(),
            Id::Depth => settings.depth.to_string(),
            Id::Pruning => settings.pruning.to_string(),
            Id::Order => {
                let order = ORDERS.iter().find(|(_, order)| *order == settings.order);
                order.map_or("", |(name, _)| name).to_owned()
            }
            Id::Evaluation if settings.evaluation.is_empty() => table.evaluations()[0].to_owned(),
            Id::Evaluation => settings.evaluation.clone(),
            Id::Seed => settings.seed.to_string(),
            Id::Level => settings.level.to_string(),
            Id::DebugLogFile => self.debug_log_file.clone(),
            Id::Game => self.game.clone(),
            Id::Variant if self.game == CFOUR.1 => CFOUR.0.to_owned(),
            Id::Variant => format!("out of use with the game {}", self.game),
            Id::ShowWdl => self.shows_wdl.to_string(),
            Id::LimitStrength => self.limits_strength.to_string(),
            Id::Elo => self.elo.to_string(),
            Id::Endings(endings) => self.endings_file(endings).to_owned(),
        }
    }

    /// Stores a value that [`Kind::checked`] has passed.
    fn store(&mut self, id: Id, value: String) -> Effect {
        let number: u64 = value.parse().unwrap_or_default();
        let settings = &mut self.settings;
        match id {
            Id::Hash => {
                settings.hash = number as usize;
                return Effect::ResizeHash;
            }
            Id::Threads => settings.threads = number as usize,
            Id::MultiPv => settings.multi_pv = number as usize,
            Id::Ponder => self.ponder = value == "true",
            Id::OwnBook => settings.own_book = value == "true",
            Id::MoveOverhead => self.move_overhead = Duration::from_millis(number),
            Id::ClearHash => return Effect::ClearHash,
            Id::Strategy => settings.strategy = value,
            Id::Depth => settings.depth = number as u32,
            Id::Pruning => settings.pruning = value == "true",
            Id::Order => {
                let order = ORDERS.iter().find(|(name, _)| *name == value);
                settings.order = order.map_or(MoveOrder::Left, |&(_, order)| order);
            }
            Id::Evaluation => settings.evaluation = value,
            Id::Seed => settings.seed = number,
            Id::Level => settings.level = number as u8,
            Id::DebugLogFile => {
                self.debug_log_file = value;
                return Effect::OpenLog;
            }
            Id::Game => return Effect::NewGame(value),
            Id::Variant => return Effect::NewGame(CFOUR.1.to_owned()),
            Id::ShowWdl => self.shows_wdl = value == "true",
            Id::LimitStrength => self.limits_strength = value == "true",
            Id::Elo => self.elo = number,
            Id::Endings(endings) => {
                self.endings.insert(endings.option, value);
                return Effect::LoadEndings(endings);
            }
        }
        Effect::None
    }
}

fn kind(id: Id, table: &dyn AnyGame) -> Kind {
    match id {
        Id::Hash => Kind::Spin { min: 1, max: 65536 },
        Id::Threads => Kind::Spin { min: 1, max: 256 },
        Id::MultiPv => Kind::Spin { min: 1, max: 500 },
        Id::MoveOverhead => Kind::Spin { min: 0, max: 5000 },
        Id::Depth => Kind::Spin { min: 1, max: 100 },
        // Clients read numbers of 32 bits.
        Id::Seed => Kind::Spin { min: 0, max: i32::MAX as u64 },
        Id::Level => Kind::Spin { min: 1, max: Settings::FULL_LEVEL.into() },
        Id::Elo => Kind::Spin { min: LEAST_ELO, max: MOST_ELO },
        Id::Ponder | Id::OwnBook | Id::Pruning | Id::ShowWdl | Id::LimitStrength => Kind::Check,
        Id::ClearHash => Kind::Button,
        Id::Strategy => Kind::Combo(table.strategies()),
        Id::Order => Kind::Combo(ORDERS.iter().map(|&(name, _)| name).collect()),
        Id::Evaluation => Kind::Combo(table.evaluations()),
        Id::Variant => Kind::Combo(vec![CFOUR.0]),
        Id::DebugLogFile | Id::Endings(_) => Kind::Text,
        Id::Game => Kind::Words,
    }
}

impl Kind {
    /// The value in its own spelling, or why it is none.
    fn checked(&self, value: &str) -> Result<String, String> {
        let listed = |choices: &[&str]| {
            let found = choices.iter().find(|choice| choice.eq_ignore_ascii_case(value));
            found
                .map(|&choice| choice.to_owned())
                .ok_or_else(|| format!("is none of {}", choices.join(", ")))
        };
        match self {
            Kind::Check => listed(&["true", "false"]),
            Kind::Combo(choices) => listed(choices),
            Kind::Spin { min, max } => match value.parse::<u64>() {
                Ok(number) if (*min..=*max).contains(&number) => Ok(number.to_string()),
                _ => Err(format!("is no number from {min} to {max}")),
            },
            Kind::Button | Kind::Text | Kind::Words => Ok(value.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;

    fn table() -> Box<dyn AnyGame> {
        games::open("connect4", &[]).unwrap()
    }

    #[test]
    fn every_option_is_listed_in_ucis_form() {
        let list = Options::default().list(&*table());
        assert_eq!(list.lines().count(), names().count());
        for line in [
            "option name Hash type spin default 64 min 1 max 65536",
            "option name Ponder type check default false",
            "option name Clear Hash type button",
            "option name Evaluation type combo default lines var lines var pairs",
            "option name Debug Log File type string default <empty>",
            "option name KalahTable type string default <empty>",
        ] {
            assert!(list.lines().any(|listed| listed == line), "{line} is not in\n{list}");
        }
    }

    #[test]
    fn names_and_choices_have_any_case() {
        let mut options = Options::default();
        let table = table();
        assert!(matches!(options.set("hASH", Some("16"), &*table), Ok(Effect::ResizeHash)));
        assert_eq!(options.settings.hash, 16);
        assert!(matches!(options.set("strategy", Some("MiniMax"), &*table), Ok(Effect::None)));
        assert_eq!(options.settings.strategy, "minimax");
        assert!(matches!(options.set("clear hash", None, &*table), Ok(Effect::ClearHash)));
    }

    #[test]
    fn each_option_keeps_what_it_is_given() {
        let table = table();
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
            ("UCI_ShowWDL", "true"),
            ("UCI_LimitStrength", "true"),
            ("UCI_Elo", "1000"),
        ] {
            let mut options = Options::default();
            options.set(name, Some(value), &*table).unwrap();
            let (id, _) = names().find(|(_, known)| *known == name).unwrap();
            assert_eq!(options.value(id, &*table), value, "{name}");
        }
    }

    #[test]
    fn a_game_can_be_chosen_by_name_or_as_a_variant() {
        let mut options = Options::default();
        let table = table();
        for (name, value, game) in
            [("Game", "kalah 6 4", "kalah 6 4"), ("UCI_Variant", "cfour", "connect4 6 7 4")]
        {
            let effect = options.set(name, Some(value), &*table).unwrap();
            assert!(matches!(effect, Effect::NewGame(words) if words == game), "{name}");
        }
        assert_eq!(table.title(), options.game);
    }

    #[test]
    fn strength_in_elo_takes_the_place_of_the_level_while_it_is_asked_for() {
        let mut options = Options::default();
        let table = table();
        options.set("UCI_Elo", Some(&LEAST_ELO.to_string()), &*table).unwrap();
        assert_eq!(options.in_force().level, Settings::FULL_LEVEL);
        options.set("UCI_LimitStrength", Some("true"), &*table).unwrap();
        assert_eq!(options.in_force().level, 1);
        options.set("Level", Some("5"), &*table).unwrap();
        assert_eq!(options.in_force().level, 1);
        options.set("UCI_LimitStrength", Some("false"), &*table).unwrap();
        assert_eq!(options.in_force().level, 5);
    }

    #[test]
    fn a_bad_value_changes_nothing() {
        let mut options = Options::default();
        let table = table();
        for (name, value, part) in [
            ("Hash", Some("0"), "no number from 1 to 65536, it stays 64"),
            ("Threads", Some("abc"), "no number from 1 to 256"),
            ("Threads", Some("-5"), "no number from 1 to 256"),
            ("Threads", Some("999999999999999999999999999999"), "no number from 1 to 256"),
            ("Ponder", Some("yes"), "none of true, false"),
            ("Strategy", Some("genius"), "none of random, greedy, smart"),
            ("Hash", None, "wants a value, it stays 64"),
            ("Game", None, "wants a value, it stays connect4 6 7 4"),
            ("Game", Some(""), "wants a value, it stays connect4 6 7 4"),
            ("Clear Hash", Some("true"), "takes no value"),
            ("Hsah", Some("1"), "no option is called 'Hsah': there is Hash, Threads"),
        ] {
            let error = options.set(name, value, &*table).unwrap_err();
            assert!(error.contains(part), "{name}: {error}");
        }
        assert_eq!(options.settings, Settings::default());
    }
}
