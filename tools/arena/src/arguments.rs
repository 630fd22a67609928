//! The words of the command line.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use clap::{ArgMatches, Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use ratlla_arena::config::{EngineConfig, MatchConfig, sprt_from_words};
use ratlla_arena::settings::Format;

/// Plays matches between engines and tells who is stronger.
///
/// Engines are programs that talk through pipes. docs/arena.md explains everything with examples.
#[derive(Parser)]
#[command(version)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play a match or a tournament.
    Match(Box<MatchWords>),
    /// Print the tables of a record again.
    Report(ReportArguments),
    /// Write the line of a match and one for each game that is due in it, with its opening; play
    /// nothing.
    Plan(Box<MatchWords>),
    /// Play games: read the line of a match and lines of games that are due, as plan writes them,
    /// and write the record of these games.
    Play,
    /// Read a record as it grows, games in any order, and after each write how the match stands.
    Follow,
    /// Try whether an engine does what it should, step by step; exit status 1 if it does not.
    Check(CheckWords),
}

const ENGINE_HELP: &str = "\
An engine, in words of the form key=value; once for each engine.
  cmd=PROGRAM    the program, and arguments if you like, in quotes
  args=WORDS     more arguments
  name=NAME      what to call it
  dir=DIRECTORY  where to start it
  proto=DIALECT  native, ugi, uci or line
  option.NAME=VALUE  an option; {seed} stands for a number that changes with the opening
  movetime=MS depth=N nodes=N time=MS inc=MS  its limits, instead of those of all engines
  preset=NAME    ninja1, ninja2 or ninja3: an opponent that needs no cmd";

#[derive(Args)]
struct MatchWords {
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., help = ENGINE_HELP)]
    engine: Vec<String>,
    /// A TOML file with all that; flags add to it or go before it.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The words after newgame, as "6 7", "boom" or "kalah 6 4".
    #[arg(long, value_name = "WORDS")]
    game: Option<String>,
    /// Games between each two engines: an even number [default: 100]
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Everybody against everybody, or the first against all others.
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Milliseconds for a move.
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Plies.
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Positions visited.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Milliseconds on the clock of each player.
    #[arg(long, value_name = "MS")]
    time: Option<u64>,
    /// Milliseconds that a clock gains with each move.
    #[arg(long, value_name = "MS")]
    inc: Option<u64>,
    /// Random moves at the beginning [default: 4]
    #[arg(long, value_name = "N", conflicts_with = "openings")]
    plies: Option<u32>,
    /// A file of positions to begin with, one on each line: the words after position.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// What all chance depends on [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Stop when one of two guesses is clearly better: elo0=0 elo1=10 alpha=0.05 beta=0.05
    /// model=normalized (or logistic).
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    sprt: Option<Vec<String>>,
    /// Games at the same time [default: 1]
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// Milliseconds that a move may be late without harm [default: 50]
    #[arg(long, value_name = "MS")]
    margin: Option<u64>,
    /// Milliseconds that an answer may be overdue before it is given up [default: 10000]
    #[arg(long, value_name = "MS")]
    patience: Option<u64>,
    /// The file to write the games to.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Go on with the match that this file records; only --concurrency may be given beside it.
    #[arg(long, value_name = "FILE", exclusive = false, conflicts_with_all = [
        "engine", "config", "game", "games", "format", "movetime", "depth", "nodes", "time", "inc",
        "plies", "openings", "seed", "sprt", "margin", "patience", "record",
    ])]
    resume: Option<PathBuf>,
}

#[derive(Args)]
struct CheckWords {
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., required = true, help = ENGINE_HELP)]
    engine: Vec<String>,
    /// The words after newgame, as "6 7", "boom" or "kalah 6 4".
    #[arg(long, value_name = "WORDS", default_value = "")]
    game: String,
    /// Milliseconds that a move may be late without harm.
    #[arg(long, value_name = "MS", default_value_t = 50)]
    margin: u64,
    /// Milliseconds that an answer may take which should come at once.
    #[arg(long, value_name = "MS", default_value_t = 3000)]
    patience: u64,
}

/// What to do.
pub enum Action {
    /// Play.
    Match(Box<MatchArguments>),
    /// Print tables.
    Report(ReportArguments),
    /// Tell what is to be played.
    Plan(Box<MatchConfig>),
    /// Play what is due.
    Play,
    /// Tell how a match stands.
    Follow,
    /// Examine an engine.
    Check(Box<CheckArguments>),
}

/// What to examine.
pub struct CheckArguments {
    /// The engine.
    pub engine: EngineConfig,
    /// The words after `newgame`.
    pub game: String,
    /// How much a move may be late without harm.
    pub margin: Duration,
    /// How long an answer may take which should come at once.
    pub patience: Duration,
}

/// How to play.
pub struct MatchArguments {
    /// File and flags together.
    pub config: MatchConfig,
    /// The record to go on with.
    pub resume: Option<PathBuf>,
}

/// What to print.
#[derive(Args)]
pub struct ReportArguments {
    /// The record.
    pub record: PathBuf,
    /// Draw the ratings and the scores to this file.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// Reads the command line; on a mistake, or a call for help, the program ends here.
pub fn read() -> anyhow::Result<Action> {
    let matches = CommandLine::command().get_matches();
    let line = CommandLine::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let words = matches.subcommand().map(|(_, words)| words).context("no subcommand")?;
    match line.command {
        Command::Report(arguments) => Ok(Action::Report(arguments)),
        Command::Check(flags) => {
            let mut engines = engines(words)?;
            ensure!(engines.len() == 1, "one engine is checked at a time, not {}", engines.len());
            Ok(Action::Check(Box::new(CheckArguments {
                engine: engines.remove(0),
                game: flags.game,
                margin: Duration::from_millis(flags.margin),
                patience: Duration::from_millis(flags.patience),
            })))
        }
        Command::Plan(flags) => {
            ensure!(flags.resume.is_none(), "plan: --resume is for match");
            Ok(Action::Plan(Box::new(match_arguments(*flags, words)?.config)))
        }
        Command::Play => Ok(Action::Play),
        Command::Follow => Ok(Action::Follow),
        Command::Match(flags) => Ok(Action::Match(Box::new(match_arguments(*flags, words)?))),
    }
}

fn match_arguments(flags: MatchWords, words: &ArgMatches) -> anyhow::Result<MatchArguments> {
    let mut config = match &flags.config {
        Some(path) => MatchConfig::read(path)?,
        None => MatchConfig::default(),
    };
    config.engine.extend(engines(words)?);
    let sprt = flags.sprt.as_deref().map(sprt_from_words).transpose().context("--sprt")?;
    // An opening file on the command line takes the place of plies in a file, and the reverse.
    if flags.plies.is_some() {
        config.openings = None;
    }
    if flags.openings.is_some() {
        config.plies = None;
    }
    let config = MatchConfig {
        game: flags.game.or(config.game),
        games: flags.games.or(config.games),
        format: flags.format.or(config.format),
        seed: flags.seed.or(config.seed),
        plies: flags.plies.or(config.plies),
        openings: flags.openings.or(config.openings),
        sprt: sprt.or(config.sprt),
        margin: flags.margin.or(config.margin),
        patience: flags.patience.or(config.patience),
        concurrency: flags.concurrency.or(config.concurrency),
        record: flags.record.or(config.record),
        movetime: flags.movetime.or(config.movetime),
        depth: flags.depth.or(config.depth),
        nodes: flags.nodes.or(config.nodes),
        time: flags.time.or(config.time),
        inc: flags.inc.or(config.inc),
        engine: config.engine,
    };
    ensure!(config.concurrency != Some(0), "concurrency: at least 1 game at a time is needed");
    Ok(MatchArguments { config, resume: flags.resume })
}

/// The engines of all `--engine` flags, in order.
fn engines(words: &ArgMatches) -> anyhow::Result<Vec<EngineConfig>> {
    let flags = words.get_occurrences::<String>("engine").into_iter().flatten();
    flags
        .map(|words| {
            let words: Vec<String> = words.cloned().collect();
            EngineConfig::from_words(&words)
                .with_context(|| format!("--engine {}", words.join(" ")))
        })
        .collect()
}
