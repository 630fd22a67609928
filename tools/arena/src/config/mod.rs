//! A match as users describe it, in a TOML file or as flags with the same names. Turned into
//! [`MatchSettings`] with all defaults filled in and everything checked before the first game.

mod engine;
mod limits;
mod openings;

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, ensure};
use ratlla::platform::files::read_text_bounded;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::nearest::unknown;
use crate::openings::OpeningSuite;
use crate::processors::CpuList;
use crate::rules;
use crate::settings::{
    AdjudicationRules, Balance, DrawRule, EngineSpec, ExactRule, MatchSettings, OpeningSource,
    ResignRule, SearchLimits, TournamentFormat,
};
use crate::stats::sprt::Sprt;
pub use engine::{EngineConfig, OptionValue, check_dir, find_program};
pub use limits::{LimitConfig, TimeControl};
pub use openings::{OpeningsConfig, Order};

/// No configuration is longer, in bytes.
const LONGEST_FILE: u64 = 16 << 20;

/// The keys of a configuration file, which are also the flags of `match` and `plan`.
#[derive(Clone, Debug, Default, Deserialize, clap::Args)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MatchConfig {
    /// The game, as after newgame: "6 7", "boom", "kalah 6 4" [default: Connect Four, 6x7]
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Games per pair of engines; must be even [default: 100]
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// Tournament format [default: round-robin]
    #[arg(long, value_enum)]
    pub format: Option<TournamentFormat>,
    /// How many engines of a gauntlet, from the first, play all others [default: 1]
    #[arg(long, value_name = "N")]
    pub seeds: Option<usize>,
    /// Time control, as for other arenas.
    #[arg(
        long,
        value_name = "TC",
        conflicts_with_all = ["time", "inc"],
        help = "Time control in seconds: [moves/][minutes:]seconds[+increment], such as 40/60+0.6"
    )]
    pub tc: Option<TimeControl>,
    /// Time per move in seconds
    #[arg(long, value_name = "SECONDS", conflicts_with = "movetime")]
    pub st: Option<f64>,
    /// Time per move in milliseconds
    #[arg(long, value_name = "MS")]
    pub movetime: Option<u64>,
    /// Search depth in plies
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Nodes per move
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Base time on each clock in milliseconds
    #[arg(long, value_name = "MS")]
    pub time: Option<u64>,
    /// Increment per move in milliseconds
    #[arg(long, value_name = "MS")]
    pub inc: Option<u64>,
    /// Length of random openings in plies [default: 4]
    #[arg(long, value_name = "N", conflicts_with = "openings")]
    pub plies: Option<u32>,
    /// Which random openings are balanced [default: search]
    #[arg(long, value_enum, conflicts_with = "openings")]
    pub balance: Option<Balance>,
    /// Random seed [default: 1]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Games played at the same time [default: 1]
    #[arg(long, value_name = "N")]
    pub concurrency: Option<NonZeroUsize>,
    /// Allow more games at the same time than there are processors for
    #[arg(long)]
    #[serde(default)]
    pub force_concurrency: bool,
    /// Bind the engines of each game to processors of their own: to these, such as 0,2-5, or to any
    #[arg(long, value_name = "CPUS", num_args = 0..=1, default_missing_value = "")]
    pub affinity: Option<CpuList>,
    /// Go on, with a lost game, if an engine fails between games
    #[arg(long)]
    #[serde(default)]
    pub recover: bool,
    /// A game without a result is a draw after N moves by each player
    #[arg(long, value_name = "N")]
    pub maxmoves: Option<u32>,
    /// Tolerated time overrun per move in milliseconds [default: 50]
    #[arg(long, value_name = "MS")]
    pub margin: Option<u64>,
    /// How long an answer may be overdue before the engine forfeits, in milliseconds
    /// [default: 10000]
    #[arg(long, value_name = "MS")]
    pub patience: Option<u64>,
    /// Write the games to this new file (JSON lines)
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Append everything that engines read and write to this file
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Print a line with the score to stderr every N games
    #[arg(long, value_name = "N")]
    pub report_every: Option<NonZeroU64>,
    /// Take openings from a file
    #[arg(skip)]
    pub openings: Option<OpeningsConfig>,
    /// When a game is adjudicated as a draw
    #[arg(skip)]
    pub draw: Option<DrawRule>,
    /// When an engine resigns
    #[arg(skip)]
    pub resign: Option<ResignRule>,
    /// When a game ends with its result with best play
    #[arg(skip)]
    pub exact: Option<ExactRule>,
    /// What all engines have in common
    #[arg(skip)]
    #[serde(default)]
    pub each: EngineConfig,
    /// Stop a match of two engines when this test is decided
    #[arg(skip)]
    pub sprt: Option<Sprt>,
    /// The engines
    #[arg(skip)]
    #[serde(default)]
    pub engine: Vec<EngineConfig>,
}

impl MatchConfig {
    /// Reads a file.
    pub fn read(path: &Path) -> anyhow::Result<MatchConfig> {
        let text = read_text_bounded(path, LONGEST_FILE)
            .with_context(|| format!("cannot read {}", path.display()))?;
        MatchConfig::parse(&text).with_context(|| path.display().to_string())
    }

    /// Parses the text of a file.
    pub fn parse(text: &str) -> anyhow::Result<MatchConfig> {
        toml::from_str(text).map_err(|error: toml::de::Error| {
            let start = error.span().map_or(0, |span| span.start);
            let line = 1 + text.bytes().take(start).filter(|&byte| byte == b'\n').count();
            anyhow!("line {line}: {}", in_our_words(error.message()))
        })
    }

    /// This configuration over another one: its values win, its engines come last.
    pub fn over(self, mut base: MatchConfig) -> MatchConfig {
        // Random openings and a file of openings replace each other.
        if self.plies.is_some() || self.balance.is_some() {
            base.openings = None;
        }
        if self.openings.is_some() {
            (base.plies, base.balance) = (None, None);
        }
        // So do the words for one limit.
        if self.tc.is_some() || self.time.is_some() || self.inc.is_some() {
            (base.tc, base.time, base.inc) = (None, None, None);
        }
        if self.st.is_some() || self.movetime.is_some() {
            (base.st, base.movetime) = (None, None);
        }
        base.engine.extend(self.engine);
        MatchConfig {
            game: self.game.or(base.game),
            games: self.games.or(base.games),
            format: self.format.or(base.format),
            seeds: self.seeds.or(base.seeds),
            tc: self.tc.or(base.tc),
            st: self.st.or(base.st),
            movetime: self.movetime.or(base.movetime),
            depth: self.depth.or(base.depth),
            nodes: self.nodes.or(base.nodes),
            time: self.time.or(base.time),
            inc: self.inc.or(base.inc),
            plies: self.plies.or(base.plies),
            balance: self.balance.or(base.balance),
            openings: self.openings.or(base.openings),
            seed: self.seed.or(base.seed),
            concurrency: self.concurrency.or(base.concurrency),
            force_concurrency: self.force_concurrency || base.force_concurrency,
            affinity: self.affinity.or(base.affinity),
            recover: self.recover || base.recover,
            maxmoves: self.maxmoves.or(base.maxmoves),
            margin: self.margin.or(base.margin),
            patience: self.patience.or(base.patience),
            record: self.record.or(base.record),
            log: self.log.or(base.log),
            report_every: self.report_every.or(base.report_every),
            draw: self.draw.or(base.draw),
            resign: self.resign.or(base.resign),
            exact: self.exact.or(base.exact),
            each: self.each.over(&base.each),
            sprt: self.sprt.or(base.sprt),
            engine: base.engine,
        }
    }

    /// Validates the configuration and fills in defaults. `arena` is the path of the arena's
    /// executable.
    pub fn settings(&self, arena: &Path) -> anyhow::Result<MatchSettings> {
        let game = self.game.as_deref().unwrap_or_default();
        let title = rules::open(game).context("game")?.title();
        let (games, seed) = (self.games.unwrap_or(100), self.seed.unwrap_or(1));
        let settings = MatchSettings {
            openings: self.openings(&title, seed, games / 2)?,
            engines: self.engines(&title, arena)?,
            game: title,
            format: self.format.unwrap_or_default(),
            seeds: self.seeds.unwrap_or(1),
            games,
            seed,
            sprt: self.sprt,
            margin: self.margin.unwrap_or(50),
            patience: self.patience.unwrap_or(10_000),
            recover: self.recover,
            adjudication: self.adjudication()?,
        };
        ensure!(
            self.seeds.is_none() || settings.format == TournamentFormat::Gauntlet,
            "seeds requires the format gauntlet"
        );
        settings.check()?;
        // Openings that cannot exist are a mistake in the flags.
        OpeningSuite::of(&settings)?;
        Ok(settings)
    }

    /// The limits of engines without their own.
    fn common_limits(&self) -> anyhow::Result<SearchLimits> {
        let MatchConfig { movetime, depth, nodes, time, inc, tc, st, .. } = *self;
        let plain = SearchLimits { movetime, depth, nodes, time, inc, moves: None };
        LimitConfig { plain, tc, st }.limits()
    }

    /// Says if there are limits for all engines, but no engine of the match has them.
    pub fn unused_limits(&self, settings: &MatchSettings) -> Option<String> {
        let common = self.common_limits().ok().filter(SearchLimits::is_some)?;
        let is_unused = settings.engines.iter().all(|engine| engine.limits != common);
        is_unused.then(|| {
            "the limits for all engines are not used: every engine has limits of its own".to_owned()
        })
    }

    fn engines(&self, title: &str, arena: &Path) -> anyhow::Result<Vec<EngineSpec>> {
        let common = self.common_limits()?;
        for (key, is_set) in
            [("name", self.each.name.is_some()), ("preset", self.each.preset.is_some())]
        {
            ensure!(!is_set, "each: {key} is for a single engine");
        }
        let spec = |(index, config): (usize, &EngineConfig)| {
            let place = || {
                let name = config.name.as_ref().map_or_else(String::new, |name| format!(" {name}"));
                format!("engine {}{name}", index + 1)
            };
            let config = config.with_defaults(&self.each).with_context(place)?;
            config.spec(title, &common, arena).with_context(place)
        };
        self.engine.iter().enumerate().map(spec).collect()
    }

    fn openings(&self, title: &str, seed: u64, rounds: u64) -> anyhow::Result<OpeningSource> {
        let Some(openings) = &self.openings else {
            let balance = self.balance.unwrap_or_default();
            return Ok(OpeningSource::Random { plies: self.plies.unwrap_or(4), balance });
        };
        ensure!(self.plies.is_none(), "plies and openings exclude each other");
        ensure!(self.balance.is_none(), "balance and openings exclude each other");
        openings.read(title, seed, rounds)
    }

    fn adjudication(&self) -> anyhow::Result<AdjudicationRules> {
        let mut exact = self.exact.clone();
        if let Some(ExactRule { table: Some(table), .. }) = &mut exact {
            *table = std::path::absolute(&*table)?;
        }
        Ok(AdjudicationRules {
            draw: self.draw,
            resign: self.resign,
            max_moves: self.maxmoves,
            exact,
        })
    }
}

/// Parses the `key=value` words of a flag such as `--sprt`.
pub fn from_words<T: DeserializeOwned>(words: &[String]) -> anyhow::Result<T> {
    let mut keys = toml::Table::new();
    for word in words {
        let (key, value) = key_and_value(word)?;
        let value = match (value.parse::<i64>(), value.parse::<f64>(), value.parse::<bool>()) {
            (Ok(number), _, _) => number.into(),
            (_, Ok(number), _) => number.into(),
            (_, _, Ok(choice)) => choice.into(),
            _ => value.into(),
        };
        ensure!(keys.insert(key.to_owned(), value).is_none(), "{key} is given twice");
    }
    from_table(keys)
}

/// The value that these keys describe.
fn from_table<T: DeserializeOwned>(keys: toml::Table) -> anyhow::Result<T> {
    keys.try_into().map_err(|error: toml::de::Error| {
        // The message of the error alone is one line; below it stands the key, if it is about a value.
        let text = error.to_string();
        let key = text.trim_end().rsplit_once("in `").map(|(_, key)| key.trim_end_matches('`'));
        let reason = in_our_words(error.message());
        key.map_or_else(|| anyhow!("{reason}"), |key| anyhow!("{key}: {reason}"))
    })
}

/// What serde says about keys and values, as we say it.
fn in_our_words(message: &str) -> String {
    if let Some(rest) = message.strip_prefix("missing field `") {
        return format!("missing key '{}'", rest.trim_end_matches('`'));
    }
    let Some((found, expected)) = message.split_once(", expected ") else {
        return message.to_owned();
    };
    let mut names: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
    let quoted = || found.split(['`', '"']).nth(1);
    match found.split_once([':', '`']) {
        Some(("unknown field ", key)) => {
            let key = key.trim_end_matches('`');
            // On the command line every option is a key of its own: `option.Hash`.
            let option = key.split_once('.').map(|(_, name)| format!("option.{name}"));
            let any_option = names.iter_mut().find(|name| **name == "option");
            if let (Some(option), Some(any_option)) = (&option, any_option) {
                *any_option = option;
            }
            unknown("key", key, &names)
        }
        Some(("unknown variant ", name)) => unknown("value", name.trim_end_matches('`'), &names),
        Some(("invalid type" | "invalid value", found)) => {
            let expected = match expected {
                "f64" => "a number",
                "u32" | "u64" | "usize" => "a whole number, 0 or more",
                other => other,
            };
            let found = quoted().map_or(found.trim().to_owned(), |value| format!("'{value}'"));
            format!("expected {expected}, got {found}")
        }
        _ => message.to_owned(),
    }
}

fn key_and_value(word: &str) -> anyhow::Result<(&str, &str)> {
    word.split_once('=').with_context(|| format!("expected key=value, got '{word}'"))
}

#[cfg(test)]
mod tests {
    use clap::Args as _;

    use super::*;

    const ENGINES: &str =
        "[[engine]]\nname = 'a'\ncmd = 'sh'\n[[engine]]\nname = 'b'\ncmd = 'sh'\n";

    fn config(text: &str) -> MatchConfig {
        MatchConfig::parse(text).unwrap()
    }

    fn settings(text: &str) -> MatchSettings {
        config(&format!("{text}\n{ENGINES}")).settings(Path::new("arena")).unwrap()
    }

    /// They stand in the help and the documents.
    #[test]
    fn defaults_are_those_of_the_help() {
        let found = settings("depth = 1");
        assert_eq!(found.game, "connect4 6 7 4");
        assert_eq!((found.games, found.seed, found.seeds), (100, 1, 1));
        assert_eq!((found.margin, found.patience, found.recover), (50, 10_000, false));
        assert_eq!(found.format, TournamentFormat::RoundRobin);
        let openings = OpeningSource::Random { plies: 4, balance: Balance::Search };
        assert_eq!((found.openings, found.sprt), (openings, None));
        assert_eq!(found.adjudication, AdjudicationRules::default());
        let flags = MatchConfig::augment_args(clap::Command::new("match"));
        for (flag, default) in [
            ("games", "100"),
            ("plies", "4"),
            ("margin", "50"),
            ("patience", "10000"),
            ("seed", "1"),
        ] {
            let flag = flags.get_arguments().find(|found| found.get_id() == flag);
            let help = flag.and_then(|flag| flag.get_help()).map(ToString::to_string);
            let text = format!("[default: {default}]");
            assert!(help.as_ref().is_some_and(|help| help.ends_with(&text)), "{help:?}");
        }
    }

    /// Flags over a file: words for the same thing replace each other, whichever is used.
    #[test]
    fn a_flag_replaces_all_that_a_file_says_about_the_same_thing() {
        let over = |flags: &str, file: &str| config(flags).over(config(file));
        let clocks = |config: &MatchConfig| (config.tc.is_some(), config.time, config.inc);
        assert_eq!(clocks(&over("tc = '1+1'", "time = 5\ninc = 6")), (true, None, None));
        assert_eq!(clocks(&over("time = 5", "tc = '1+1'")), (false, Some(5), None));
        assert_eq!(clocks(&over("time = 5", "time = 7\ninc = 6")), (false, Some(5), None));
        assert_eq!(clocks(&over("inc = 6", "tc = '1+1'")), (false, None, Some(6)));
        assert_eq!(clocks(&over("depth = 1", "time = 7\ninc = 6")), (false, Some(7), Some(6)));
        let times = |config: &MatchConfig| (config.st, config.movetime);
        assert_eq!(times(&over("st = 2.0", "movetime = 5")), (Some(2.0), None));
        assert_eq!(times(&over("movetime = 5", "st = 2.0")), (None, Some(5)));
        assert_eq!(times(&over("depth = 5", "st = 2.0")), (Some(2.0), None));
        let openings =
            |config: &MatchConfig| (config.openings.is_some(), config.plies, config.balance);
        let exact = Some(Balance::Exact);
        assert_eq!(openings(&over("plies = 3", "openings = 'x'")), (false, Some(3), None));
        assert_eq!(openings(&over("balance = 'exact'", "openings = 'x'")), (false, None, exact));
        let random = "plies = 3\nbalance = 'exact'";
        assert_eq!(openings(&over("openings = 'x'", random)), (true, None, None));
        assert_eq!(openings(&over("depth = 1", random)), (false, Some(3), exact));
        // Engines add up, those of the flags last.
        let engine = |name: &str| format!("[[engine]]\nname = '{name}'\n");
        let both = over(&engine("flag"), &engine("file"));
        let names: Vec<_> = both.engine.iter().map(|engine| engine.name.as_deref()).collect();
        assert_eq!(names, [Some("file"), Some("flag")]);
    }

    #[test]
    fn an_engine_has_its_own_limits_or_those_of_all() {
        let all = "depth = 3\n[[engine]]\nname = 'a'\ncmd = 'sh'\ntc = '40/60+0.5'\n\
                   [[engine]]\nname = 'b'\ncmd = 'sh'\n";
        let config = config(all);
        let settings = config.settings(Path::new("arena")).unwrap();
        let [a, b] = &settings.engines[..] else { panic!("two engines") };
        let own = SearchLimits {
            moves: Some(40),
            time: Some(60_000),
            inc: Some(500),
            ..SearchLimits::default()
        };
        assert_eq!((a.limits, b.limits.depth, b.limits.time), (own, Some(3), None));
        assert_eq!(config.unused_limits(&settings), None);
    }

    #[test]
    fn seconds_per_move_are_not_negative() {
        for (st, movetime) in
            [("0.25", Some(250)), ("0.0004", Some(0)), ("-0.1", None), ("nan", None), ("inf", None)]
        {
            let limits = config(&format!("st = {st}")).common_limits();
            assert_eq!(limits.ok().and_then(|limits| limits.movetime), movetime, "{st}");
        }
    }

    #[test]
    fn openings_of_a_file_start_where_they_are_told() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("openings");
        std::fs::write(&file, "# comment\n\nmoves 1\nmoves 2\nmoves 3\n").unwrap();
        let read = |start: usize, rounds: u64| {
            let openings = OpeningsConfig { file: file.clone(), order: Order::Sequential, start };
            match openings.read("6 7", 1, rounds) {
                Ok(OpeningSource::List(list)) => Ok(list.join(" ").replace("moves ", "")),
                Ok(other) => panic!("{other:?}"),
                Err(error) => Err(error.to_string()),
            }
        };
        assert_eq!(read(1, 9).unwrap(), "1 2 3");
        assert_eq!(read(2, 9).unwrap(), "2 3 1");
        assert_eq!(read(3, 2).unwrap(), "3 1");
        assert_eq!(read(1, 0).unwrap(), "1");
        for start in [0, 4] {
            let reason = format!("start must be 1..3, the number of openings (got {start})");
            assert!(read(start, 9).unwrap_err().ends_with(&reason));
        }
    }
}
