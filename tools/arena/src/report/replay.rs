//! Plays a recorded game again and says what each move changes on the board.
//!
//! A board is a list of numbers: the cells row by row from the top, then what lies beside the board.
//! A cell holds 0 if it is empty, 1 or 2 for a piece of player 1 or 2, 3 or 4 for a bomb of theirs, or
//! its number of seeds; beside the board are two stores, or two hands with pieces still to be dropped.

use ratlla::any_game::AnyGame;
use ratlla::endgames::EndgameStore;
use ratlla::game::Side;
use ratlla::game::state::{Board, Content, GameState, PerSide};
use ratlla::settings::Settings;
use serde::Serialize;

use crate::record::GameRecord;
use crate::rules;

/// What all boards of a match have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Layout {
    /// How to draw it.
    pub kind: BoardKind,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// What moves call the rows, from the top.
    pub row_names: Vec<String>,
    /// What moves call the columns, from the left.
    pub column_names: Vec<String>,
}

/// How a board looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BoardKind {
    /// Pieces fall down columns.
    Columns,
    /// Pieces stand on squares; two hands beside the board.
    Squares,
    /// Houses with seeds; two stores beside the board.
    Houses,
    /// The game does not say.
    Unknown,
}

/// A game played again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// The board before the first move.
    pub start: Vec<u32>,
    /// The legal moves of the opening and of the game, up to the first that is illegal.
    pub plies: Vec<Ply>,
    /// The cells that won the game.
    pub winning: Vec<usize>,
}

/// One move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// Who made it.
    pub side: Side,
    /// The cells that it changed, and what they hold now.
    pub changes: Vec<(usize, u32)>,
}

/// Replays the games of one match.
pub struct Replayer {
    game: Box<dyn AnyGame>,
    /// The same position without its history, which would make each state cost all moves before it.
    position: Box<dyn AnyGame>,
    settings: Settings,
    endgames: EndgameStore,
}

impl Replayer {
    /// Opens the game with this title.
    pub fn new(title: &str) -> anyhow::Result<Replayer> {
        Ok(Replayer {
            game: rules::open(title)?,
            position: rules::open(title)?,
            settings: Settings { own_book: false, ..Settings::default() },
            endgames: EndgameStore::default(),
        })
    }

    /// The layout of the boards, and the usual start position.
    pub fn layout(&mut self) -> (Layout, Vec<u32>) {
        // Every game has a start position.
        let _ = self.game.set_position(&[], &[]);
        let board = self.game.state(&self.settings, &self.endgames).board;
        let kind = match &board {
            board if board.rows.is_empty() => BoardKind::Unknown,
            Board { stores: Some(_), .. } => BoardKind::Houses,
            Board { row_names, .. } if row_names.is_empty() => BoardKind::Columns,
            _ => BoardKind::Squares,
        };
        let cells = cells(&board);
        let Board { rows, row_names, column_names, .. } = board;
        let columns = rows.first().map_or(0, Vec::len);
        (Layout { kind, rows: rows.len(), columns, row_names, column_names }, cells)
    }

    /// Replays a game. A position or move that breaks the rules ends the replay: records may come
    /// from anywhere.
    pub fn replay(&mut self, record: &GameRecord) -> Replay {
        let setup: Vec<&str> = record.setup.split_whitespace().collect();
        if self.game.set_position(&setup, &[]).is_err() {
            return Replay::default();
        }
        let mut board = self.board();
        let mut replay = Replay { start: board.clone(), ..Replay::default() };
        for mv in record.opening.iter().chain(&record.moves) {
            let side = self.game.side_to_move();
            if self.game.play(mv).is_err() {
                break;
            }
            let next = self.board();
            let changes = (0..).zip(&next).filter(|&(at, cell)| board.get(at) != Some(cell));
            replay
                .plies
                .push(Ply { side, changes: changes.map(|(at, &cell)| (at, cell)).collect() });
            board = next;
        }
        let GameState { ending, board, .. } = self.game.state(&self.settings, &self.endgames);
        let columns = board.rows.first().map_or(0, Vec::len);
        let winning = ending.map_or_else(Vec::new, |ending| ending.cells).into_iter();
        replay.winning = winning.map(|[row, column]| row * columns + column).collect();
        replay
    }

    fn board(&mut self) -> Vec<u32> {
        let text = self.game.position_text();
        let words: Vec<&str> = text.split_whitespace().collect();
        let state = match self.position.set_position(&words, &[]) {
            Ok(()) => self.position.state(&self.settings, &self.endgames),
            Err(_) => self.game.state(&self.settings, &self.endgames),
        };
        cells(&state.board)
    }
}

fn cells(board: &Board) -> Vec<u32> {
    let content = |content: &Content| match content {
        Content::Empty => 0,
        Content::Piece(Side::P1) => 1,
        Content::Piece(Side::P2) => 2,
        Content::Seeds(seeds) => *seeds,
    };
    let columns = board.rows.first().map_or(0, Vec::len);
    let mut cells: Vec<u32> = board.rows.iter().flatten().map(content).collect();
    if let Some(PerSide { p1, p2 }) = &board.bombs {
        for (bomb, code) in [(p1, 3), (p2, 4)] {
            if let Some(bomb) = bomb {
                cells[bomb.cell[0] * columns + bomb.cell[1]] = code;
            }
        }
    }
    let beside = board.stores.or(board.in_hand);
    cells.extend(beside.into_iter().flat_map(|PerSide { p1, p2 }| [p1, p2]));
    cells
}

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    /// A random game, with the board that `state` shows after each move.
    fn random_game(title: &str, seed: u64) -> (GameRecord, Vec<Vec<u32>>) {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut game = rules::open(title).unwrap();
        let mut record = GameRecord::default();
        let mut boards = Vec::new();
        while game.outcome().is_none() && record.moves.len() < 120 {
            let mut moves = game.moves();
            let mv = moves.swap_remove(rng.random_range(0..moves.len()));
            game.play(&mv).unwrap();
            record.moves.push(mv);
            let state = game.state(&Settings::default(), &EndgameStore::default());
            boards.push(cells(&state.board));
        }
        (record, boards)
    }

    #[test]
    fn changes_add_up_to_the_boards_of_every_game() {
        for title in ["6 7", "9 5 3", "boom", "wali", "kalah", "kalah 4 3 empty"] {
            let mut replayer = Replayer::new(title).unwrap();
            for seed in 0..20 {
                let (record, boards) = random_game(title, seed);
                let replay = replayer.replay(&record);
                assert_eq!(replay.plies.len(), record.moves.len(), "{title}");
                let mut board = replay.start.clone();
                for (ply, expected) in replay.plies.iter().zip(&boards) {
                    for &(at, cell) in &ply.changes {
                        board[at] = cell;
                    }
                    assert_eq!(&board, expected, "{title}, seed {seed}");
                }
            }
        }
    }

    #[test]
    fn the_winning_line_is_marked() {
        let moves = "1 2 1 2 1 2 1".split(' ').map(str::to_owned).collect();
        let record = GameRecord { moves, ..GameRecord::default() };
        let replay = Replayer::new("6 7").unwrap().replay(&record);
        assert_eq!(replay.winning.len(), 4);
        assert!(replay.winning.iter().all(|cell| cell % 7 == 0));
        let sides: Vec<usize> = replay.plies.iter().map(|ply| ply.side.index()).collect();
        assert_eq!(sides, [0, 1, 0, 1, 0, 1, 0]);
    }

    #[test]
    fn broken_games_are_replayed_as_far_as_they_go() {
        let mut replayer = Replayer::new("6 7").unwrap();
        let moves = ["4", "9", "4"].map(str::to_owned).to_vec();
        let record = GameRecord { moves, ..GameRecord::default() };
        assert_eq!(replayer.replay(&record).plies.len(), 1);
        let record = GameRecord { setup: "nonsense".into(), ..record };
        assert_eq!(replayer.replay(&record), Replay::default());
    }
}
