//! The game being played: how it started and its moves; and games in files.

use std::io;
use std::path::Path;

use ratlla::platform::files;
use ratlla::text::expected;

use crate::players::Player;

/// The longest file that is read as a saved game, in bytes.
const MAX_FILE: u64 = 1 << 20;
/// How the lines of the players begin. Engines take them for comments.
const PLAYER_LINES: [&str; 2] = ["# player 1:", "# player 2:"];

/// A game from its start position. Every query sends all of it, so a restarted engine needs no
/// other state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The arguments of `newgame`.
    pub game: String,
    /// The arguments of `position`, without the moves.
    pub start: String,
    /// The moves.
    pub moves: Vec<String>,
}

/// A game in a file. Files of others may say nothing about the players.
#[derive(Debug, PartialEq, Eq)]
pub struct SavedGame {
    /// The game.
    pub record: GameRecord,
    /// The players of the first and the second side.
    pub players: Option<[Player; 2]>,
}

impl GameRecord {
    /// A new game.
    pub fn new(game: String) -> GameRecord {
        GameRecord { game, start: "startpos".to_owned(), moves: vec![] }
    }

    /// The same game up to a move.
    pub fn up_to(&self, count: usize) -> GameRecord {
        GameRecord { moves: self.moves[..count].to_vec(), ..self.clone() }
    }

    /// The commands that set up the current position.
    pub fn commands(&self) -> [String; 2] {
        let moves = self.moves.join(" ");
        let moves = if moves.is_empty() { moves } else { format!(" moves {moves}") };
        [format!("newgame {}", self.game), format!("position {}{moves}", self.start)]
    }
}

impl SavedGame {
    /// The text of a file: commands of the protocol, and the players as comments.
    fn text(&self) -> String {
        let players = self.players.iter().flat_map(|players| PLAYER_LINES.iter().zip(players));
        let players = players.map(|(start, player)| format!("{start} {}\n", player.saved()));
        let commands = self.record.commands();
        format!("{}{}\n", players.collect::<String>(), commands.join("\n"))
    }

    /// Parses the text of a file. Moves are checked later, by the engine.
    fn parse(text: &str) -> Result<SavedGame, String> {
        let (mut game, mut position, mut players) = (None, None, [None, None]);
        for (number, line) in (1..).zip(text.lines().map(str::trim)) {
            let at_line = |reason: String| format!("line {number}: {reason}");
            let start = PLAYER_LINES.iter().position(|start| line.starts_with(start));
            if let Some(side) = start {
                let player = Player::parse(line[PLAYER_LINES[side].len()..].trim());
                players[side] = Some(player.map_err(at_line)?);
                continue;
            }
            let slot = match line.split_whitespace().next() {
                None => continue,
                Some(word) if word.starts_with('#') => continue,
                Some("newgame") => &mut game,
                Some("position") => &mut position,
                Some(word) => {
                    return Err(at_line(expected("newgame or position", word)));
                }
            };
            let arguments = line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ");
            if slot.replace(arguments).is_some() {
                return Err(at_line("a second game or position".to_owned()));
            }
        }
        let game = game.filter(|game| !game.is_empty()).ok_or("no 'newgame' line")?;
        let position = position.ok_or("no 'position' line")?;
        let (start, moves) = match position.strip_prefix("moves") {
            Some(moves) => ("startpos", moves),
            None => position.split_once(" moves").unwrap_or((&position, "")),
        };
        let record = GameRecord {
            game,
            start: start.to_owned(),
            moves: moves.split_whitespace().map(str::to_owned).collect(),
        };
        let players = match players {
            [Some(first), Some(second)] => Some([first, second]),
            [None, None] => None,
            _ => return Err("only one of the two players is given".to_owned()),
        };
        Ok(SavedGame { record, players })
    }

    /// Reads a file.
    pub fn load(path: &Path) -> Result<SavedGame, String> {
        let shown = path.display();
        let bytes = files::open_plain(path).and_then(|file| file.read_bounded(MAX_FILE));
        let bytes = bytes.map_err(|error| format!("cannot read {shown}: {error}"))?;
        let refused = |reason: String| format!("{shown} is not a saved game: {reason}");
        let text = String::from_utf8(bytes).map_err(|_| refused("not UTF-8 text".to_owned()))?;
        SavedGame::parse(&text).map_err(refused)
    }

    /// Writes a file, completely or not at all. An existing one is replaced only if `replace`.
    pub fn save(&self, path: &Path, replace: bool) -> io::Result<()> {
        let write = if replace { files::replace } else { files::create };
        write(path, &[self.text().as_bytes()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::Computer;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn saved_games_read_back(
            game in "[a-z]{1,8}( [0-9]{1,2}){0,3}",
            start in "startpos|cells [.12/]{1,20} p1",
            moves in proptest::collection::vec("[a-z0-9]{1,5}", 0..6),
            has_players: bool,
        ) {
            let computer = Player::Computer(Computer { level: Some(7), ..Computer::default() });
            let players = has_players.then_some([Player::Person, computer]);
            let saved = SavedGame { record: GameRecord { game, start, moves }, players };
            prop_assert_eq!(SavedGame::parse(&saved.text()), Ok(saved));
        }

        #[test]
        fn any_text_is_a_game_or_an_error(text: String) {
            drop(SavedGame::parse(&text));
        }
    }

    #[test]
    fn damaged_files_are_refused() {
        for (text, reason) in [
            ("position startpos moves 4", "no 'newgame' line"),
            ("newgame connect4 6 7 4\n", "no 'position' line"),
            ("newgame 6 7\nposition moves 4\nnewgame 6 8\n", "line 3: a second game"),
            (
                "newgame boom\nposition startpos\n\u{1b}[2J!",
                r"line 3: expected newgame or position, got '\u{1b}[2J!'",
            ),
            ("# player 1: you\n", "line 1: expected 'me' or 'computer', got 'you'"),
            ("# player 1: me\nnewgame boom\nposition startpos", "only one of the two players"),
        ] {
            let error = SavedGame::parse(text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn a_file_may_be_as_long_as_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game");
        let game = "newgame boom\nposition startpos\n";
        for (excess, is_read) in [(0, true), (1, false)] {
            let comment = "#".repeat(MAX_FILE as usize + excess - game.len());
            std::fs::write(&path, format!("{game}{comment}")).unwrap();
            let loaded = SavedGame::load(&path);
            assert_eq!(loaded.is_ok(), is_read, "{excess}");
            assert!(is_read || loaded.unwrap_err().ends_with("longer than 1048576 bytes"));
        }
    }

    #[test]
    fn an_interrupted_or_doubled_file_is_no_game() {
        let whole = "# player 1: me\n# player 2: computer level 3\nnewgame boom 5\nposition startpos moves 4 4\n";
        let saved = SavedGame::parse(whole).unwrap();
        for end in 0..whole.len() {
            // Any beginning is an error, or a game that has no other players and no other moves.
            if let Ok(part) = SavedGame::parse(&whole[..end]) {
                assert_eq!(
                    (&part.record.game, &part.players),
                    (&saved.record.game, &saved.players)
                );
                assert!(saved.record.moves.starts_with(&part.record.moves), "{end}");
            }
        }
        for (text, reason) in [
            ("newgame\nposition startpos\n", "no 'newgame' line"),
            ("newgame boom\nposition startpos\nposition startpos\n", "line 3: a second game"),
            ("# player 2: me\nnewgame boom\nposition startpos\n", "only one of the two players"),
        ] {
            assert!(SavedGame::parse(text).unwrap_err().contains(reason), "{text}");
        }
    }

    #[test]
    fn games_of_others_are_read() {
        let saved = SavedGame::parse("# ours\nnewgame 6 7\n\nposition moves 4 4\n").unwrap();
        assert_eq!(saved.record.commands()[1], "position startpos moves 4 4");
        assert_eq!(saved.players, None);
    }

    #[test]
    fn an_existing_file_is_replaced_only_on_request() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game");
        let saved = |moves: &[&str]| SavedGame {
            record: GameRecord {
                moves: moves.iter().map(|&mv| mv.to_owned()).collect(),
                ..GameRecord::new("6 7".to_owned())
            },
            players: None,
        };
        saved(&["4"]).save(&path, false).unwrap();
        let error = saved(&[]).save(&path, false).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(SavedGame::load(&path), Ok(saved(&["4"])));
        saved(&["4", "5"]).save(&path, true).unwrap();
        assert_eq!(SavedGame::load(&path), Ok(saved(&["4", "5"])));
        let error = SavedGame::load(folder.path()).unwrap_err();
        assert!(error.contains("a folder, not a regular file"), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
