//! The command line: subcommands, flags and their help texts.

use std::fmt;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches, Parser, Subcommand};

use crate::tune_command::TuneArguments;
use ratlla_arena::config::{EngineConfig, MatchConfig, OpeningsConfig, from_words};
use ratlla_arena::settings::{Balance, ExactRule};

const EXAMPLE: &str = "\
Example:
  ratlla-arena match --engine cmd=./new --engine cmd=./old name=old \\
      --game \"6 7\" --games 1000 --movetime 100 --concurrency 2 --record games.jsonl";

/// What is wrong with the flags or the configuration file, found before anything is started. The exit
/// status is then the one that invalid flags have.
#[derive(Debug)]
pub struct UsageError(anyhow::Error);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.0)
    }
}

impl std::error::Error for UsageError {}

/// Makes every error a [`UsageError`].
pub fn usage<T>(result: anyhow::Result<T>) -> anyhow::Result<T> {
    result.map_err(|error| UsageError(error).into())
}

/// Play matches between engines and measure the difference in strength
///
/// Engines are programs that talk over stdin and stdout. docs/arena.md has a guide with examples.
#[derive(Parser)]
#[command(name = "ratlla-arena", version, after_help = EXAMPLE)]
pub struct CommandLine {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Play a match or a tournament
    Match(Box<MatchArguments>),
    /// Print the tables of a match record
    Report(ReportArguments),
    /// Test an engine for protocol compliance; exit status 1 if a check fails
    Check(CheckArguments),
    /// Print balanced random openings, one per line, for --openings
    Openings(OpeningsArguments),
    /// Tune engine options by self-play (SPSA)
    Tune(Box<TuneArguments>),
    /// Print a match header and one JSON line per game to play, with its opening; play nothing
    Plan(Box<ConfigArguments>),
    /// Play the games of a plan: header and game lines on stdin, match record on stdout
    Play,
    /// Read a growing match record on stdin and print the state of the match after each game
    Follow,
}

#[derive(Args)]
pub struct MatchArguments {
    #[command(flatten)]
    pub config: ConfigArguments,
    /// Resume the match in this record, which has all settings; flags say only how it is run:
    /// concurrency, affinity, log, reports and --recover
    #[arg(long, value_name = "FILE", conflicts_with_all = SETTINGS)]
    pub resume: Option<PathBuf>,
}

/// The flags whose values a record has.
pub const SETTINGS: [&str; 26] = [
    "engine", "each", "config", "game", "games", "format", "seeds", "tc", "st", "movetime",
    "depth", "nodes", "time", "inc", "plies", "balance", "openings", "seed", "sprt", "draw",
    "resign", "maxmoves", "exact", "margin", "patience", "record",
];

/// The flags that describe a match.
#[derive(Args)]
pub struct ConfigArguments {
    #[command(flatten)]
    engines: EngineArguments,
    /// Read a TOML file with these flags as keys; flags override it and add engines
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// What all engines have in common: the same words
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    each: Option<Vec<String>>,
    #[command(flatten)]
    flags: MatchConfig,
    /// Take openings from a file with one position per line: [file=]FILE [order=sequential|random]
    /// [start=1]
    #[arg(long, value_name = "FILE", num_args = 1..=3)]
    openings: Option<Vec<String>>,
    /// Adjudicate a draw if both engines see an even game: [movenumber=0] [movecount=1] [score=0]
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    draw: Option<Vec<String>>,
    /// Adjudicate a loss if an engine sees itself losing: score=N [movecount=1] [twosided=false]
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    resign: Option<Vec<String>>,
    /// Adjudicate the result with best play once the solver or an endgame table knows it:
    /// [nodes=100000] [table=FILE]
    #[arg(long, value_name = "KEY=VALUE", num_args = 0..)]
    exact: Option<Vec<String>>,
    /// Stop when a sequential probability ratio test is decided: elo0=0 elo1=10 [alpha=0.05]
    /// [beta=0.05] [model=normalized|logistic|bayesian]
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    sprt: Option<Vec<String>>,
}

impl ConfigArguments {
    /// The flags over the configuration file, if there is one.
    pub fn config(self) -> anyhow::Result<MatchConfig> {
        usage(self.parsed())
    }

    fn parsed(self) -> anyhow::Result<MatchConfig> {
        let file = self.config.as_deref().map(MatchConfig::read).transpose()?.unwrap_or_default();
        let each = self.each.as_deref().map(EngineConfig::from_words).transpose();
        let openings = self.openings.as_deref().map(OpeningsConfig::from_words).transpose();
        let exact = self.exact.as_deref().map(from_words::<ExactRule>).transpose();
        let flags = MatchConfig {
            sprt: self.sprt.as_deref().map(from_words).transpose().context("--sprt")?,
            draw: self.draw.as_deref().map(from_words).transpose().context("--draw")?,
            resign: self.resign.as_deref().map(from_words).transpose().context("--resign")?,
            exact: exact.context("--exact")?,
            each: each.context("--each")?.unwrap_or_default(),
            openings: openings.context("--openings")?,
            engine: self.engines.0,
            ..self.flags
        };
        Ok(flags.over(file))
    }
}

#[derive(Args)]
pub struct OpeningsArguments {
    /// The game, as after newgame: "6 7", "boom", "kalah 6 4"
    #[arg(long, default_value = "6 7")]
    pub game: String,
    /// How many openings
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub count: usize,
    /// Length of each in plies
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub plies: u32,
    /// Which openings are balanced
    #[arg(long, value_enum, default_value_t = Balance::Exact)]
    pub balance: Balance,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

#[derive(Args)]
pub struct ReportArguments {
    /// The match record
    pub record: PathBuf,
    /// Plot ratings and scores to this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write the games to this file as PGN, with scores and clocks as comments
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Write the games to this file as CSV, one row per game
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write a self-contained page to this file: tables, plots, and every game on a board
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

#[derive(Args)]
pub struct CheckArguments {
    #[command(flatten)]
    pub engines: EngineArguments,
    /// The game, as after newgame: "6 7", "boom", "kalah 6 4"
    #[arg(long, default_value = "6 7")]
    pub game: String,
    /// Tolerated time overrun per move in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 50)]
    pub margin: u64,
    /// How long an immediate answer may take in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 3000)]
    pub patience: u64,
}

const ENGINE_HELP: &str = "\
An engine as key=value words; for a match, repeat the flag for each engine
  cmd=PROGRAM        program and arguments, quoted as in a shell
  args=WORDS         more arguments
  name=NAME          name in tables [default: name of the program]
  dir=DIRECTORY      working directory
  proto=DIALECT      native, ugi, uci or line [default: native]
  option.NAME=VALUE  engine option; {seed} in it changes every round
  movetime=MS depth=N nodes=N time=MS inc=MS st=SECONDS tc=40/60+0.6
                     limits of this engine, replacing the common ones
  ponder             think on the opponent's time
  restart            start anew for every game
  preset=NAME        built-in opponent, needs no cmd: ninja1, ninja2, ninja3";

/// The engines of all `--engine` flags. Implemented by hand because each flag takes a group of
/// words, which clap's derive would flatten into one list.
pub struct EngineArguments(pub Vec<EngineConfig>);

impl FromArgMatches for EngineArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineArguments, clap::Error> {
        let groups = matches.get_occurrences::<String>("engine").into_iter().flatten();
        let engines = groups.map(|words| {
            let words: Vec<String> = words.cloned().collect();
            EngineConfig::from_words(&words).map_err(|error| {
                let message = format!("--engine {}: {error:#}", words.join(" "));
                clap::Error::raw(ErrorKind::ValueValidation, message)
            })
        });
        engines.collect::<Result<_, _>>().map(EngineArguments)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = EngineArguments::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for EngineArguments {
    fn augment_args(command: clap::Command) -> clap::Command {
        let engine = Arg::new("engine").long("engine").value_name("KEY=VALUE").help(ENGINE_HELP);
        command.arg(engine.num_args(1..).action(ArgAction::Append).next_line_help(true))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        EngineArguments::augment_args(command)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn a_resumed_match_takes_only_flags_about_the_run() {
        let command = CommandLine::command();
        let of_match = command.find_subcommand("match").expect("a subcommand");
        let flags: BTreeSet<&str> =
            of_match.get_arguments().map(|flag| flag.get_id().as_str()).collect();
        let run = [
            "resume",
            "help",
            "concurrency",
            "force_concurrency",
            "affinity",
            "recover",
            "log",
            "report_every",
        ];
        let settings: BTreeSet<&str> =
            flags.into_iter().filter(|flag| !run.contains(flag)).collect();
        assert_eq!(settings, BTreeSet::from(SETTINGS));
    }
}
