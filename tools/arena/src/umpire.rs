//! The rules, from the library: what the arena knows of any game it knows from here.

use ratlla::any_game::{AnyGame, Request};
use ratlla::games::{self, REGISTRY};
use ratlla::limits::{Limits, SearchControl};
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::strategy::{ReportedScore, Settings};

use crate::engine::dialect::Position;

/// A table for the game with these words, as after `newgame`.
pub fn open(game: &str) -> Result<Box<dyn AnyGame>, String> {
    games::open_from_words(&game.split_whitespace().collect::<Vec<_>>())
}

/// Reads the words after `position`.
pub fn parse_position(words: &str) -> Position {
    let mut words = words.split_whitespace().peekable();
    words.next_if_eq(&"position");
    words.next_if_eq(&"startpos");
    let mut setup = Vec::new();
    while let Some(word) = words.next_if(|&word| word != "moves") {
        setup.push(word);
    }
    Position { setup: setup.join(" "), moves: words.skip(1).map(str::to_owned).collect() }
}

/// Sets up a position, or says what is wrong with it.
pub fn set_up(table: &mut dyn AnyGame, position: &Position) -> Result<(), String> {
    let setup: Vec<&str> = position.setup.split_whitespace().collect();
    let moves: Vec<&str> = position.moves.iter().map(String::as_str).collect();
    table.set_position(&setup, &moves)
}

/// How a game is won, in one word.
pub fn won_by(title: &str) -> &'static str {
    let name = title.split(' ').next().unwrap_or_default();
    REGISTRY.iter().find(|entry| entry.name == name).map_or("won", |entry| entry.won_by)
}

/// A quick look at positions, the same each time.
pub struct Glance {
    tt: TranspositionTable,
}

impl Glance {
    /// Deep enough to see what is about to happen, and quick on every board.
    const DEPTH: u32 = 8;
    const NODES: u64 = 20_000;
    /// The most that one side may be ahead in a balanced position.
    const BALANCE: i32 = 40;

    /// A look with a fresh mind.
    pub fn new() -> Result<Glance, String> {
        Ok(Glance { tt: TranspositionTable::new(1)? })
    }

    /// Whether neither side is clearly ahead, as far as a quick look can tell.
    pub fn is_balanced(&mut self, table: &dyn AnyGame) -> bool {
        self.tt.clear();
        let limits =
            Limits { depth: Some(Glance::DEPTH), nodes: Some(Glance::NODES), ..Limits::default() };
        let request = Request {
            limits: &limits,
            search_moves: &[],
            settings: &Settings { hash: 1, ..Settings::default() },
            solve: false,
            control: &SearchControl::new(false, false),
            tt: &self.tt,
        };
        let mut standing = None;
        table.think(&request, &mut |info| standing = info.standing.or(standing));
        match standing {
            Some(ReportedScore::Points(points)) => points.abs() <= Glance::BALANCE,
            Some(ReportedScore::Draw) => true,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_named_as_after_newgame() {
        let title = |words: &str| open(words).map(|table| table.title());
        assert_eq!(title("6 7").as_deref(), Ok("connect4 6 7 4"));
        assert_eq!(title("").as_deref(), Ok("connect4 6 7 4"));
        assert_eq!(title("kalah 4 3").as_deref(), Ok("kalah 4 3"));
        assert!(title("chess").unwrap_err().contains("no game is called 'chess'"));
        assert!(title("3 7").is_err());
    }

    #[test]
    fn positions_are_read_as_after_position() {
        let position = |setup: &str, moves: &[&str]| Position {
            setup: setup.into(),
            moves: moves.iter().map(|&mv| mv.into()).collect(),
        };
        assert_eq!(parse_position("moves 4 4"), position("", &["4", "4"]));
        assert_eq!(parse_position("position startpos moves 1"), position("", &["1"]));
        assert_eq!(parse_position("grid X../... p2 moves 3"), position("grid X../... p2", &["3"]));
        assert_eq!(parse_position("startpos"), position("", &[]));
    }

    #[test]
    fn a_lost_position_is_not_balanced() {
        let mut eval_after = Glance::new().unwrap();
        for entry in REGISTRY {
            let table = games::open(entry.name, &[]).unwrap();
            // What the start is worth depends on the game; that it can be asked does not.
            eval_after.is_balanced(&*table);
        }
        let mut table = open("6 7").unwrap();
        assert!(eval_after.is_balanced(&*table));
        set_up(&mut *table, &parse_position("moves 3 3 4 4 5")).unwrap();
        assert!(!eval_after.is_balanced(&*table));
    }
}
