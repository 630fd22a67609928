//! A match in pieces, as lines of JSON: what is to be played, games played from such lines, and how
//! a match stands while its games come in from wherever they were played.
//!
//! Every game depends on the settings and its own line alone. So the lines of a [`plan`] may be
//! played anywhere, in any order and more than once; the games together are the record that one
//! arena would have written.

use std::io::{BufRead, Write};

use anyhow::{Context as _, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::engine::House;
use crate::engine::dialect::Position;
use crate::ledger::Ledger;
use crate::openings::OpeningList;
use crate::player::Player;
use crate::record::Entry;
use crate::settings::Settings;
use crate::umpire;

/// A game to be played. Its number tells the players; the opening is told because to make it takes
/// all openings before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Due {
    /// The number of the game, from 0.
    pub due: u64,
    /// As in the record.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub setup: String,
    /// As in the record.
    pub opening: Vec<String>,
}

/// How a match stands.
#[derive(Serialize)]
struct ReportedScore {
    /// How many games were played.
    games: usize,
    /// The logarithm of the likelihood ratio, if there is a test.
    llr: Option<f64>,
    /// How many games count, if the test is decided.
    decided: Option<u64>,
}

/// Writes the line of the match and a line for each of its games.
pub fn plan(settings: &Settings, mut output: impl Write) -> anyhow::Result<()> {
    let openings = OpeningList::of(settings)?;
    output.write_all(&Entry::Match(Box::new(settings.clone())).line()?)?;
    for number in 0..settings.total_games() {
        let Position { setup, moves } = openings.get(settings.fixture(number).round)?;
        let mut line = serde_json::to_vec(&Due { due: number, setup, opening: moves })?;
        line.push(b'\n');
        output.write_all(&line)?;
    }
    Ok(output.flush()?)
}

/// Lines that come in, with their numbers.
struct Lines<R> {
    input: R,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    /// Reads the line of the match, which must be the first.
    fn open(input: R) -> anyhow::Result<(Settings, Lines<R>)> {
        let mut lines = Lines { input, number: 0 };
        match lines.next().transpose()? {
            Some(Entry::Match(settings)) => Ok((*settings, lines)),
            Some(Entry::Game(_)) => bail!("line 1: a game before the match"),
            None => bail!("no match: its line must be the first"),
        }
    }

    /// The next line; nothing at the end. A line that was cut off is an error: a piece is whole.
    fn next<T: for<'a> Deserialize<'a>>(&mut self) -> Option<anyhow::Result<T>> {
        let mut line = String::new();
        self.number += 1;
        let place = || format!("line {}", self.number);
        match self.input.read_line(&mut line).with_context(place) {
            Ok(0) => None,
            Ok(_) => Some(serde_json::from_str(&line).with_context(place)),
            Err(error) => Some(Err(error)),
        }
    }
}

/// Plays the games that are due, one after the other, and writes the record of them. It ends early
/// if the house is told to stop.
pub fn play(
    input: impl BufRead,
    mut output: impl Write,
    house: impl FnOnce(&Settings) -> House,
) -> anyhow::Result<()> {
    let (settings, mut lines) = Lines::open(input)?;
    check_engines(&settings)?;
    output.write_all(&Entry::Match(Box::new(settings.clone())).line()?)?;
    let player = Player { settings: &settings, house: &house(&settings) };
    let mut engines = player.nobody();
    let mut table = umpire::open(&settings.game).map_err(anyhow::Error::msg)?;
    while let Some(due) = lines.next().transpose()? {
        let Due { due, setup, opening } = due;
        let place = || format!("line {}", lines.number);
        let total = settings.total_games();
        ensure!(due < total, "{}: the match has no game {due}, only {total} from 0", place());
        let opening = Position { setup, moves: opening };
        umpire::set_up(&mut *table, &opening).map_err(anyhow::Error::msg).with_context(place)?;
        ensure!(table.outcome().is_none(), "{}: the game is over there", place());
        let game = player.play(&settings.fixture(due), &opening, &mut engines)?;
        let Some(game) = game else { bail!("interrupted before game {due}") };
        output.write_all(&Entry::Game(Box::new(game)).line()?)?;
        output.flush()?;
    }
    Ok(())
}

/// Somebody else has made the settings, maybe elsewhere. An engine that is not here must not lose
/// games for it.
fn check_engines(settings: &Settings) -> anyhow::Result<()> {
    for engine in &settings.engines {
        let program = engine.command.first().map_or("", String::as_str);
        ensure!(
            which::which(program).is_ok(),
            "engine {}: there is no program '{program}' here that can be started",
            engine.name
        );
        if let Some(dir) = engine.dir.as_ref().filter(|dir| !dir.is_dir()) {
            bail!("engine {}: there is no directory {} here", engine.name, dir.display());
        }
    }
    Ok(())
}

/// Reads a record as it grows, its games in any order, and writes a line about the match after each
/// game.
pub fn follow(input: impl BufRead, mut output: impl Write) -> anyhow::Result<()> {
    let (settings, mut lines) = Lines::open(input)?;
    let mut ledger = Ledger::new(&settings, Vec::new(), None);
    while let Some(entry) = lines.next().transpose()? {
        let Entry::Game(game) = entry else { bail!("line {}: a second match", lines.number) };
        ledger.add(*game)?;
        let standing = ReportedScore {
            games: ledger.games().len(),
            llr: ledger.sprt().map(|sprt| sprt.ratio),
            decided: ledger.sprt().and_then(|sprt| sprt.decided_after()),
        };
        serde_json::to_writer(&mut output, &standing)?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
    Ok(())
}
