//! The match record: a file of JSON lines from which a match is reported and resumed.
//!
//! The first line is the match header with all settings; every other line is a game. A game counts
//! once it is on disk. An incomplete last line, left by a crash, is ignored and overwritten on
//! resuming.

use std::fmt;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use ratlla::platform::files;
use serde::{Deserialize, Serialize};

use crate::engine::forfeit::ForfeitKind;
use crate::jsonl::{LineFile, json_line, read_lines};
use crate::settings::MatchSettings;

/// A line of the record.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum RecordLine {
    /// The header: the first line.
    Match(Box<MatchSettings>),
    /// A finished game.
    Game(Box<GameRecord>),
}

impl RecordLine {
    /// The header of a match, as a line of text.
    pub fn header(settings: &MatchSettings) -> anyhow::Result<Vec<u8>> {
        json_line(&RecordLine::Match(Box::new(settings.clone())))
    }

    /// A game, as a line of text.
    pub fn game(game: &GameRecord) -> anyhow::Result<Vec<u8>> {
        json_line(&RecordLine::Game(Box::new(game.clone())))
    }
}

/// The result of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    /// Player 1 won.
    P1Win,
    /// Player 2 won.
    P2Win,
    /// A draw.
    #[default]
    Draw,
}

impl GameResult {
    /// The points of each player, doubled.
    pub fn half_points(self) -> [u64; 2] {
        match self {
            GameResult::P1Win => [2, 0],
            GameResult::P2Win => [0, 2],
            GameResult::Draw => [1, 1],
        }
    }
}

/// A forfeit as recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForfeitRecord {
    /// The engine that forfeited.
    pub engine: String,
    /// The kind of forfeit.
    pub kind: ForfeitKind,
    /// What happened, for people.
    #[serde(rename = "story")]
    pub detail: String,
    /// How late the answer was, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overshoot: Option<u64>,
}

/// The rule by which the arena ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AdjudicationKind {
    /// Both engines saw an even game.
    Draw,
    /// An engine saw itself losing.
    Resign,
    /// The game was too long.
    MaxMoves,
    /// The solver, or an endgame table, knew the result.
    Exact,
}

impl fmt::Display for AdjudicationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            AdjudicationKind::Draw => "adjudicated draw",
            AdjudicationKind::Resign => "resignation",
            AdjudicationKind::MaxMoves => "move limit",
            AdjudicationKind::Exact => "solved",
        })
    }
}

/// Why the arena ended a game that the rules of the game had not ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdjudicationRecord {
    /// The rule.
    pub kind: AdjudicationKind,
    /// How it applied, for people.
    #[serde(rename = "story")]
    pub detail: String,
}

/// A finished game. All lists but `opening` have an entry for each of `moves`; `clocks` and
/// `ponderhits` are empty if no engine had a clock or pondered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The number of the game, from 0.
    pub number: u64,
    /// The number of the opening, from 0.
    pub round: u64,
    /// The name of player 1.
    pub p1: String,
    /// The name of player 2.
    pub p2: String,
    /// The words of the position the opening starts from; empty for the start position.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub setup: String,
    /// The moves of the opening.
    pub opening: Vec<String>,
    /// The moves of the engines.
    pub moves: Vec<String>,
    /// Milliseconds per move.
    pub times: Vec<u64>,
    /// The score reported with each move, as the engine wrote it.
    pub scores: Vec<Option<String>>,
    /// The depth reported with each move.
    pub depths: Vec<Option<u32>>,
    /// The node count reported with each move.
    pub nodes: Vec<Option<u64>>,
    /// Milliseconds left on the mover's clock after each move, with its increment; `None` for an
    /// engine without a clock.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<Option<u64>>,
    /// Whether the engine had expected the opponent's turn before each move and pondered on it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ponderhits: Vec<bool>,
    /// The result.
    pub result: GameResult,
    /// The reason for it: what the game is won by, `draw`, a kind of forfeit or of adjudication.
    pub reason: String,
    /// The forfeit that ended the game.
    #[serde(rename = "fault", default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<ForfeitRecord>,
    /// The adjudication that ended the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudication: Option<AdjudicationRecord>,
}

impl GameRecord {
    /// Checks that the game belongs to the match and that its lists fit together.
    pub fn check(&self, settings: &MatchSettings) -> anyhow::Result<()> {
        let (number, total) = (self.number, settings.total_games());
        ensure!(number < total, "game number {number} out of range: the match has {total} games");
        let pairing = settings.pairing(number);
        let [p1, p2] = pairing.engines.map(|engine| &settings.engines[engine].name);
        ensure!(
            (&self.p1, &self.p2) == (p1, p2),
            "game {number} is between '{p1}' and '{p2}' (got '{}' and '{}')",
            self.p1,
            self.p2
        );
        let round = pairing.round;
        ensure!(self.round == round, "game {number} is in round {round} (got {})", self.round);
        let moves = self.moves.len();
        for (name, length, may_be_empty) in [
            ("times", self.times.len(), false),
            ("scores", self.scores.len(), false),
            ("depths", self.depths.len(), false),
            ("nodes", self.nodes.len(), false),
            ("clocks", self.clocks.len(), true),
            ("ponderhits", self.ponderhits.len(), true),
        ] {
            ensure!(
                length == moves || (may_be_empty && length == 0),
                "game {number}: {name} must have {moves} entries, one per move (got {length})"
            );
        }
        Ok(())
    }
}

/// Appends games to a record, which it locks.
pub struct RecordWriter {
    file: LineFile,
}

impl RecordWriter {
    /// Creates a record. Never overwrites a file.
    pub fn create(path: &Path, settings: &MatchSettings) -> anyhow::Result<RecordWriter> {
        Ok(RecordWriter { file: LineFile::create(path, &RecordLine::header(settings)?)? })
    }

    /// Opens a record to continue it. Returns its settings and games as well.
    pub fn resume(path: &Path) -> anyhow::Result<(RecordWriter, MatchSettings, Vec<GameRecord>)> {
        let (file, (settings, games)) = LineFile::resume(path, |source| contents(source))?;
        Ok((RecordWriter { file }, settings, games))
    }

    /// One whose every write fails, as on a full disk.
    #[cfg(all(test, target_os = "linux"))]
    pub fn full() -> RecordWriter {
        RecordWriter { file: LineFile::full() }
    }

    /// Appends a game. When this returns, the game is on disk.
    pub fn add(&mut self, game: &GameRecord) -> anyhow::Result<()> {
        self.file.append(&RecordLine::game(game)?)
    }
}

/// Reads the settings and the games, in order, from a file.
pub fn read(path: &Path) -> anyhow::Result<(MatchSettings, Vec<GameRecord>)> {
    let file = files::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    read_from(BufReader::new(file)).with_context(|| path.display().to_string())
}

/// Reads the settings and the games, in order.
pub fn read_from(source: impl BufRead) -> anyhow::Result<(MatchSettings, Vec<GameRecord>)> {
    contents(source).map(|(contents, _)| contents)
}

type Contents = (MatchSettings, Vec<GameRecord>);

/// The settings and the games, in order, and the length of all complete lines.
fn contents(source: impl BufRead) -> anyhow::Result<(Contents, u64)> {
    let mut settings: Option<MatchSettings> = None;
    let mut games: Vec<GameRecord> = Vec::new();
    let complete_bytes = read_lines(source, |number, line| {
        let place = || format!("line {number}");
        let entry = serde_json::from_slice(line)
            .with_context(|| format!("{}: not a line of a match record", place()))?;
        match (entry, &settings) {
            (RecordLine::Match(found), None) => {
                found.check().with_context(place)?;
                settings = Some(*found);
            }
            (RecordLine::Game(game), Some(settings)) => {
                game.check(settings).with_context(place)?;
                games.push(*game);
            }
            (RecordLine::Match(_), Some(_)) => bail!("{}: second match header", place()),
            (RecordLine::Game(_), None) => bail!("{}: game before match header", place()),
        }
        Ok(())
    })?;
    let settings = settings.context("not a match record: the first line is not a match header")?;
    games.sort_by_key(|game| game.number);
    if let Some([game, _]) = games.windows(2).find(|pair| pair[0].number == pair[1].number) {
        bail!("duplicate game number {}", game.number);
    }
    Ok(((settings, games), complete_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::TournamentFormat;
    use crate::settings::tests::settings;

    /// A game of two moves that belongs to the match.
    fn game(settings: &MatchSettings, number: u64) -> GameRecord {
        let pairing = settings.pairing(number);
        let [p1, p2] = pairing.engines.map(|engine| settings.engines[engine].name.clone());
        GameRecord {
            number,
            round: pairing.round,
            p1,
            p2,
            moves: vec!["1".to_owned(); 2],
            times: vec![5; 2],
            scores: vec![None; 2],
            depths: vec![None; 2],
            nodes: vec![None; 2],
            ..GameRecord::default()
        }
    }

    #[test]
    fn a_game_belongs_to_its_match_in_every_field() {
        let settings = settings(3, TournamentFormat::RoundRobin);
        let total = settings.total_games();
        for number in 0..total {
            game(&settings, number).check(&settings).unwrap();
        }
        let wrong = |change: &dyn Fn(&mut GameRecord), reason: &str| {
            let mut game = game(&settings, 7);
            change(&mut game);
            let error = game.check(&settings).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        };
        wrong(&|game| game.number = total, "game number 12 out of range: the match has 12 games");
        wrong(&|game| game.number = u64::MAX, "out of range");
        wrong(
            &|game| std::mem::swap(&mut game.p1, &mut game.p2),
            "game 7 is between 'e1' and 'e0'",
        );
        wrong(&|game| game.p2 = "x".to_owned(), "(got 'e1' and 'x')");
        // Its neighbour has other sides, and the next round other openings.
        wrong(&|game| game.number = 6, "game 6 is between");
        wrong(&|game| game.round += 1, "game 7 is in round 1 (got 2)");
        wrong(&|game| game.round -= 1, "game 7 is in round 1 (got 0)");
    }

    #[test]
    fn every_list_has_an_entry_for_each_move() {
        let settings = settings(2, TournamentFormat::RoundRobin);
        type Resize = fn(&mut GameRecord, usize);
        let lists: [(&str, Resize, bool); 6] = [
            ("times", |game, length| game.times.resize(length, 0), false),
            ("scores", |game, length| game.scores.resize(length, None), false),
            ("depths", |game, length| game.depths.resize(length, None), false),
            ("nodes", |game, length| game.nodes.resize(length, None), false),
            ("clocks", |game, length| game.clocks.resize(length, None), true),
            ("ponderhits", |game, length| game.ponderhits.resize(length, false), true),
        ];
        for (name, resize, may_be_empty) in lists {
            for length in 0..4 {
                let mut game = game(&settings, 0);
                resize(&mut game, length);
                let is_right = length == 2 || (may_be_empty && length == 0);
                let found = game.check(&settings);
                assert_eq!(found.is_ok(), is_right, "{name}: {length}");
                if let Err(error) = found {
                    let text = format!("{name} must have 2 entries, one per move (got {length})");
                    assert!(error.to_string().ends_with(&text), "{error}");
                }
            }
        }
    }

    #[test]
    fn a_record_is_its_header_and_games_in_any_order_each_once() {
        let settings = settings(2, TournamentFormat::RoundRobin);
        let header = RecordLine::header(&settings).unwrap();
        let line = |number: u64| RecordLine::game(&game(&settings, number)).unwrap();
        let read = |lines: &[&[u8]]| read_from(&lines.concat()[..]);
        let error = |lines: &[&[u8]]| format!("{:#}", read(lines).unwrap_err());
        let (found, games) = read(&[&header, &line(2), &line(0), &line(1)]).unwrap();
        assert_eq!(found, settings);
        assert_eq!(games, [0, 1, 2].map(|number| game(&settings, number)));
        // A line that is not terminated is not there, even if it is whole.
        let torn = line(1);
        assert_eq!(read(&[&header, &line(0), &torn[..torn.len() - 1]]).unwrap().1.len(), 1);
        assert_eq!(error(&[&header, &line(1), &line(0), &line(1)]), "duplicate game number 1");
        assert_eq!(error(&[&header, &line(0), &header]), "line 3: second match header");
        assert_eq!(error(&[&line(0), &header]), "line 1: game before match header");
        assert!(error(&[&header, b"{}\n"]).starts_with("line 2: not a line of a match record"));
        for nothing in [&b""[..], &header[..header.len() - 1]] {
            assert!(error(&[nothing]).starts_with("not a match record: the first line is not"));
        }
        let odd = MatchSettings { games: 3, ..settings.clone() };
        let odd = RecordLine::header(&odd).unwrap();
        assert!(error(&[&odd]).starts_with("line 1: games must be an even number"));
        let other = GameRecord { round: 9, ..game(&settings, 0) };
        let other = RecordLine::game(&other).unwrap();
        assert_eq!(error(&[&header, &other]), "line 2: game 0 is in round 0 (got 9)");
    }
}
