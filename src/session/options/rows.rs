//! The rows of the options: names, kinds with getters and setters, effects.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::{Effect, Options};
use crate::any_game::AnyGame;
use crate::endgames::EndgameFile;
use crate::protocol::reply::{OptionInfo, OptionKind};
use crate::registry::Registry;
use crate::session::strength::{MAX_ELO, MIN_ELO};
use crate::settings::{MoveOrder, Settings};
use crate::text::unknown;

type Get<T> = fn(&Options) -> T;
type Set<T> = fn(&mut Options, T);

/// What values an option takes, and how it reads and writes them.
#[derive(Clone)]
pub enum Kind {
    /// `true` or `false`.
    Check(Get<bool>, Set<bool>),
    /// A number in this range.
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
    /// No value: setting it does something.
    Button,
}

/// An option.
#[derive(Clone)]
pub struct OptionRow {
    /// Its name.
    pub name: &'static str,
    /// Its values.
    pub kind: Kind,
    /// What a change asks for.
    pub effect: Effect,
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
pub fn rows(registry: Registry) -> Vec<OptionRow> {
    let endgame_file = |file: &'static EndgameFile| OptionRow {
        name: file.option,
        kind: Kind::EndgameFile(file),
        effect: Effect::LoadEndgames(file),
    };
    ROWS.iter().cloned().chain(registry.endgame_files().map(endgame_file)).collect()
}

/// The option with this name, in any case.
pub fn find_row(rows: Vec<OptionRow>, name: &str) -> Result<OptionRow, String> {
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
    pub fn get(&self, registry: Registry, options: &Options) -> String {
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
    pub fn set(
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
    pub fn info(&self, registry: Registry, defaults: &Options, game: &dyn AnyGame) -> OptionInfo {
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
