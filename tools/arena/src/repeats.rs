//! Finds games that repeat an earlier one move for move. Knows nothing of how results are counted.
//!
//! Engines that always choose the same moves play the same game again if its opening comes again. Such
//! a game is no new evidence, but nothing in it shows that: engines that play at random repeat games by
//! chance on a small board, and those results are independent. So repeated games count, as in other
//! arenas, and are reported.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::record::GameRecord;
use crate::settings::{MatchSettings, OpeningSource};

/// The games seen so far, by what was played in them.
#[derive(Clone, Debug, Default)]
pub struct SeenGames {
    /// The number of the first game with this hash.
    first: HashMap<u64, u64>,
    repeated: u64,
}

impl SeenGames {
    /// Adds a game of the match. Returns the number of the game that it repeats: the same engines on
    /// the same sides, the same opening, moves and end.
    pub fn add(&mut self, settings: &MatchSettings, game: &GameRecord) -> Option<u64> {
        let mut hasher = DefaultHasher::new();
        let GameRecord { setup, opening, moves, reason, .. } = game;
        let engines = settings.pairing(game.number).engines;
        (engines, setup, opening, moves, reason).hash(&mut hasher);
        let first = *self.first.entry(hasher.finish()).or_insert(game.number);
        let is_repeated = first != game.number;
        self.repeated += u64::from(is_repeated);
        is_repeated.then_some(first)
    }

    /// How many of them repeat another one.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }
}

/// What to know about the results of `games` games if `repeated` of them repeat another one.
pub fn note(games: u64, repeated: u64) -> Option<String> {
    if repeated == 0 {
        return None;
    }
    let distinct = games - repeated;
    // Each distinct game stands for this many, which divides the apparent variance by as much.
    let factor = (games as f64 / distinct.max(1) as f64).sqrt();
    Some(format!(
        "Warning: only {distinct} of {games} games are distinct; the others repeat one of them move \
         for move. All are counted as independent. If the engines are deterministic, the true error \
         is about {factor:.1} times the one shown, and an SPRT proves nothing: use more openings, or \
         option.Seed={{seed}}"
    ))
}

/// Says if a match has more rounds than openings.
pub fn opening_shortage(settings: &MatchSettings) -> Option<String> {
    let rounds = settings.games / 2;
    let openings = match &settings.openings {
        OpeningSource::List(list) => list.len() as u64,
        OpeningSource::Random { plies: 0, .. } => 1,
        // How many there are turns out as they are generated.
        OpeningSource::Random { .. } => return None,
    };
    let plural = if openings == 1 { "" } else { "s" };
    (openings < rounds).then(|| {
        format!(
            "{openings} opening{plural} for {rounds} game pairs: openings repeat, and with \
             deterministic engines the games do too"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::tests::settings;
    use crate::settings::{Balance, TournamentFormat};

    fn game(number: u64, moves: &[&str]) -> GameRecord {
        let moves = moves.iter().map(|&mv| mv.to_owned()).collect();
        GameRecord { number, moves, ..GameRecord::default() }
    }

    #[test]
    fn a_game_is_repeated_by_the_same_engines_and_moves() {
        let settings = settings(2, TournamentFormat::RoundRobin);
        let mut seen = SeenGames::default();
        assert_eq!(seen.add(&settings, &game(0, &["4", "4"])), None);
        // The sides are swapped, then the moves are others.
        assert_eq!(seen.add(&settings, &game(1, &["4", "4"])), None);
        assert_eq!(seen.add(&settings, &game(2, &["4", "3"])), None);
        assert_eq!(seen.add(&settings, &game(3, &["4", "4"])), Some(1));
        let other_opening = GameRecord { opening: vec!["1".to_owned()], ..game(2, &["4", "4"]) };
        assert_eq!(seen.add(&settings, &other_opening), None);
        assert_eq!(seen.repeated(), 1);
    }

    /// Whatever differs makes another game.
    #[test]
    fn a_game_with_another_start_or_end_is_no_repeat() {
        let settings = settings(2, TournamentFormat::RoundRobin);
        let mut seen = SeenGames::default();
        let plain = || game(0, &["4"]);
        let words = |text: &str| vec![text.to_owned()];
        for (number, game) in [
            plain(),
            GameRecord { setup: "grid X p2".to_owned(), ..plain() },
            GameRecord { opening: words("4"), moves: Vec::new(), ..plain() },
            GameRecord { reason: "crash".to_owned(), ..plain() },
        ]
        .into_iter()
        .enumerate()
        {
            let game = GameRecord { number: 2 * number as u64, ..game };
            assert_eq!(seen.add(&settings, &game), None, "{game:?}");
            let again = GameRecord { number: game.number + 100, ..game.clone() };
            assert_eq!(seen.add(&settings, &again), Some(game.number));
        }
    }

    #[test]
    fn the_note_says_how_much_larger_the_error_is() {
        assert_eq!(note(40, 0), None);
        let note = note(40, 30).unwrap();
        assert!(note.contains("only 10 of 40 games are distinct"), "{note}");
        assert!(note.contains("about 2.0 times"), "{note}");
    }

    #[test]
    fn a_short_list_of_openings_is_noticed_before_the_match() {
        let mut settings = settings(2, TournamentFormat::RoundRobin);
        settings.games = 6;
        assert_eq!(opening_shortage(&settings), None);
        settings.openings = OpeningSource::List(vec!["moves 1".to_owned(); 3]);
        assert_eq!(opening_shortage(&settings), None);
        settings.games = 8;
        assert!(opening_shortage(&settings).unwrap().starts_with("3 openings for 4 game pairs"));
        let random = |plies: u32| OpeningSource::Random { plies, balance: Balance::Search };
        settings.openings = random(0);
        assert!(opening_shortage(&settings).unwrap().starts_with("1 opening for 4 game pairs"));
        settings.openings = random(1);
        assert_eq!(opening_shortage(&settings), None);
    }
}
