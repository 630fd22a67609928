//! A match split into shards that several arenas can play, as lines of JSON on stdin and stdout.
//! Knows no files or threads.
//!
//! A game depends only on the match header and its own line. The lines of a [`plan`] can therefore
//! be played anywhere, in any order and more than once; together the games are the record that a
//! single arena would have written.

use std::io::{BufRead, Read as _, Write};

use anyhow::{Context as _, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::engine::EngineContext;
use crate::engine::dialect::Position;
use crate::jsonl::json_line;
use crate::match_state::MatchState;
use crate::openings::OpeningSuite;
use crate::preflight;
use crate::record::RecordLine;
use crate::rules;
use crate::settings::MatchSettings;
use crate::standings::SprtState;
use crate::text::say;
use crate::worker::Worker;

/// Longer lines are rejected, in bytes.
const MAX_LINE: u64 = 64 << 20;

/// A game to play. The number determines the engines; the opening is included because computing it
/// would take all openings before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlannedGame {
    /// The number of the game, from 0.
    due: u64,
    /// As in the record.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    setup: String,
    /// As in the record.
    opening: Vec<String>,
}

/// The state of a match after a game.
#[derive(Serialize)]
struct MatchStatus {
    /// Finished games.
    games: usize,
    /// The log-likelihood ratio, if the match has an SPRT.
    llr: Option<f64>,
    /// The number of games that count, once the SPRT is decided.
    decided: Option<u64>,
}

/// Writes the match header and a line for each game.
pub fn plan(settings: &MatchSettings, mut output: impl Write) -> anyhow::Result<()> {
    let openings = OpeningSuite::of(settings)?;
    output.write_all(&RecordLine::header(settings)?)?;
    for due in 0..settings.total_games() {
        let Position { setup, moves } = openings.get(settings.pairing(due).round)?;
        output.write_all(&json_line(&PlannedGame { due, setup, opening: moves })?)?;
    }
    Ok(output.flush()?)
}

/// Parses lines of JSON and counts them.
struct JsonLines<R> {
    input: R,
    number: u64,
}

impl<R: BufRead> JsonLines<R> {
    /// Reads the match header from the first line.
    fn open(input: R) -> anyhow::Result<(MatchSettings, JsonLines<R>)> {
        let mut lines = JsonLines { input, number: 0 };
        match lines.next().transpose()? {
            Some(RecordLine::Match(settings)) => {
                settings.check().context("line 1")?;
                Ok((*settings, lines))
            }
            Some(RecordLine::Game(_)) => bail!("line 1: game before match header"),
            None => bail!("expected a match header, found end of input"),
        }
    }

    /// The next line; `None` at the end of input. An incomplete line is an error, unlike in a
    /// record file.
    fn next<T: for<'a> Deserialize<'a>>(&mut self) -> Option<anyhow::Result<T>> {
        let mut line = String::new();
        self.number += 1;
        let read = self.input.by_ref().take(MAX_LINE).read_line(&mut line);
        match read.with_context(|| self.place()) {
            Ok(0) => None,
            Ok(length) if length as u64 == MAX_LINE => {
                Some(Err(anyhow!("{}: longer than {MAX_LINE} bytes", self.place())))
            }
            Ok(_) => Some(serde_json::from_str(&line).with_context(|| self.place())),
            Err(error) => Some(Err(error)),
        }
    }

    /// The current line, for messages.
    fn place(&self) -> String {
        format!("line {}", self.number)
    }
}

/// Plays the games of a plan one after the other and writes their record. Says on stderr which
/// programs it starts, because a plan may come from elsewhere. Fails if cancelled.
pub fn play(
    input: impl BufRead,
    mut output: impl Write,
    context: impl FnOnce(&MatchSettings) -> EngineContext,
) -> anyhow::Result<()> {
    let (settings, mut lines) = JsonLines::open(input)?;
    for command in preflight::commands(&settings) {
        say(&command);
    }
    let context = context(&settings);
    preflight::check(&settings, &context)?;
    output.write_all(&RecordLine::header(&settings)?)?;
    let mut worker = Worker::new(&settings, &context);
    let mut game = rules::open(&settings.game)?;
    let total = settings.total_games();
    while let Some(planned) = lines.next().transpose()? {
        let PlannedGame { due, setup, opening } = planned;
        ensure!(
            due < total,
            "{}: game number {due} out of range: the match has {total} games",
            lines.place()
        );
        let opening = Position { setup, moves: opening };
        rules::set_up_opening(&mut *game, &opening).with_context(|| lines.place())?;
        let Some(played) = worker.play(&settings.pairing(due), &opening)? else {
            bail!("interrupted before game {due}")
        };
        output.write_all(&RecordLine::game(&played)?)?;
        output.flush()?;
    }
    Ok(())
}

/// Reads a growing record, games in any order, and writes the state of the match after each game.
pub fn follow(input: impl BufRead, mut output: impl Write) -> anyhow::Result<()> {
    let (settings, mut lines) = JsonLines::open(input)?;
    let mut state = MatchState::new(&settings, Vec::new(), None);
    while let Some(line) = lines.next().transpose()? {
        let RecordLine::Game(game) = line else { bail!("{}: second match header", lines.place()) };
        game.check(&settings).with_context(|| lines.place())?;
        state.add(*game)?;
        let status = MatchStatus {
            games: state.games().len(),
            llr: state.sprt().map(|sprt| sprt.llr),
            decided: state.sprt().and_then(SprtState::decided_after),
        };
        output.write_all(&json_line(&status)?)?;
        output.flush()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;
    use crate::record::GameRecord;
    use crate::settings::TournamentFormat;
    use crate::settings::tests::settings;

    fn next(input: impl BufRead) -> Option<anyhow::Result<u64>> {
        JsonLines { input, number: 0 }.next()
    }

    #[test]
    fn a_line_of_input_may_be_long_but_not_endless() {
        let blanks = || BufReader::new(std::io::repeat(b' '));
        let error = next(blanks()).unwrap().unwrap_err().to_string();
        assert_eq!(error, format!("line 1: longer than {MAX_LINE} bytes"));
        let longest = blanks().take(MAX_LINE - 3).chain(&b"7\n"[..]);
        assert_eq!(next(longest).unwrap().unwrap(), 7);
    }

    #[test]
    fn the_end_of_input_is_no_line_and_a_torn_line_is_an_error() {
        assert!(next(&b""[..]).is_none());
        assert!(next(&b"{\"due\":"[..]).unwrap().is_err());
        assert!(next(&b"\xff\n"[..]).unwrap().is_err());
    }

    #[test]
    fn what_follows_a_header_belongs_to_its_match() {
        let good = settings(2, TournamentFormat::RoundRobin);
        let header = RecordLine::header(&good).unwrap();
        let odd = RecordLine::header(&MatchSettings { games: 3, ..good.clone() }).unwrap();
        let game = |change: fn(&mut GameRecord)| {
            let [p1, p2] = ["e0", "e1"].map(str::to_owned);
            let mut game = GameRecord { p1, p2, ..GameRecord::default() };
            change(&mut game);
            RecordLine::game(&game).unwrap()
        };
        let error = |lines: &[&[u8]]| {
            let found = follow(&lines.concat()[..], std::io::sink());
            found.err().map(|error| format!("{error:#}"))
        };
        assert_eq!(error(&[&header, &game(|_| ())]), None);
        for (lines, reason) in [
            ([&header, &game(|game| game.number = 4)], "line 2: game number 4 out of range"),
            ([&header, &game(|game| game.round = 1)], "line 2: game 0 is in round 0 (got 1)"),
            ([&header, &header], "line 2: second match header"),
            ([&odd, &game(|_| ())], "line 1: games must be an even number"),
            ([&game(|_| ()), &header], "line 1: game before match header"),
        ] {
            let found = error(&lines.map(|line| &line[..])).unwrap();
            assert!(found.starts_with(reason), "{found}");
        }
    }
}
