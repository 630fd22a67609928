//! Files of openings: the title of the game in the first line, an opening in each of the others.

use ratlla_arena::openings::OpeningSuite;
use ratlla_arena::rules;
use ratlla_arena::settings::OpeningSource;

use super::assert_message;

/// Lines beyond these are ignored.
const MAX_LINES: usize = 8;

/// An opening is rejected with a message, or is a position in which the game goes on, also as part of a
/// list.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut lines = text.lines();
    let title = lines.next().unwrap_or_default();
    let mut game = match rules::open(title) {
        Ok(game) => game,
        Err(error) => return assert_message(&error.to_string()),
    };
    for line in lines.take(MAX_LINES) {
        let position = rules::parse_position(line);
        match rules::set_up_opening(&mut *game, &position) {
            Err(error) => assert_message(&error.to_string()),
            Ok(()) => {
                assert!(!game.moves().is_empty());
                let list = OpeningSource::List(vec![line.to_owned()]);
                let suite = OpeningSuite::new(&list, title, 1).expect("a list of one opening");
                assert_eq!(suite.get(7).expect("it starts over"), position);
            }
        }
    }
}
