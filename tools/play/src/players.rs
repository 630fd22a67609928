//! Who plays, how strong, and what the players are called.

use std::fmt;
use std::time::Duration;

use ratlla::text::expected;

/// The levels of the strategy `full` in words, from 1. Those that the web board has mean the same there.
pub const LEVELS: [&str; 10] = [
    "Beginner", "Novice", "Casual", "Fair", "Club", "Skilled", "Strong", "Advanced", "Expert",
    "Perfect",
];
/// The level of a computer unless the user chooses another.
pub const DEFAULT_LEVEL: usize = 5;
/// The time per move unless the user chooses another, in milliseconds.
const DEFAULT_MOVETIME: u64 = 1000;
/// The most time for a move: an hour.
pub const MAX_MOVETIME: u64 = 3_600_000;
/// The strategy that has levels.
pub const FULL: &str = "full";
/// The strategies that do not look ahead, so that a depth means nothing to them.
const WITHOUT_SEARCH: [&str; 5] = ["random", "greedy", "easy", "hard", "simple"];

/// A level by its number or its word.
pub fn parse_level(text: &str) -> Result<usize, String> {
    let by_word =
        || LEVELS.iter().position(|word| word.eq_ignore_ascii_case(text)).map(|index| index + 1);
    let level = text.parse().ok().filter(|level| (1..=LEVELS.len()).contains(level));
    level.or_else(by_word).ok_or_else(|| {
        let [first, .., last] = LEVELS;
        format!("expected a level from 1 ({first}) to {} ({last})", LEVELS.len())
    })
}

/// Who makes the moves of a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Player {
    /// The user.
    Person,
    /// The engine.
    Computer(Computer),
}

/// How the engine plays. What is `None` is left to the engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Computer {
    /// The strategy.
    pub strategy: Option<String>,
    /// The level.
    pub level: Option<usize>,
    /// How many moves it looks ahead: no more than this, with a fixed depth exactly.
    pub depth: Option<u64>,
    /// The time per move, in milliseconds.
    pub movetime: Option<u64>,
}

impl Computer {
    /// The time per move.
    pub fn time(&self) -> Duration {
        Duration::from_millis(self.movetime.unwrap_or(DEFAULT_MOVETIME))
    }

    /// Whether it looks ahead at all.
    pub fn searches(&self) -> bool {
        !self.strategy.as_deref().is_some_and(|name| WITHOUT_SEARCH.contains(&name))
    }

    /// The command that asks it for a move.
    pub fn go(&self) -> String {
        let depth = self.depth.map_or(String::new(), |depth| format!(" depth {depth}"));
        format!("go movetime {}{depth}", self.time().as_millis())
    }

    /// The engine options that make it play like this: name and value.
    pub fn options(&self) -> Vec<(String, String)> {
        let option = |name: &str, value: Option<String>| Some((name.to_owned(), value?));
        // An engine at work for the user does not keep what it was told for another player.
        let strategy = self.strategy.clone().or_else(|| self.level.map(|_| FULL.to_owned()));
        let options = [
            option("Strategy", strategy),
            option("Level", self.level.map(|level| level.to_string())),
            option("Depth", self.depth.map(|depth| depth.to_string())),
        ];
        options.into_iter().flatten().collect()
    }
}

impl fmt::Display for Computer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.strategy.clone());
        parts.extend(self.level.map(|level| format!("level {level} ({})", LEVELS[level - 1])));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        parts.extend(self.movetime.map(|time| format!("{} s per move", time as f64 / 1000.0)));
        f.write_str(&parts.join(", "))
    }
}

/// What the players are called: by what they are, and by number if that is the same.
pub fn names(players: &[Player; 2]) -> [String; 2] {
    let names = match players {
        [Player::Person, Player::Person] => ["Player 1", "Player 2"],
        [Player::Computer(_), Player::Computer(_)] => ["Computer 1", "Computer 2"],
        [Player::Person, Player::Computer(_)] => ["You", "Computer"],
        [Player::Computer(_), Player::Person] => ["Computer", "You"],
    };
    names.map(str::to_owned)
}

impl Player {
    /// A line of a saved game: `me`, or `computer` and its properties.
    pub fn saved(&self) -> String {
        let Player::Computer(computer) = self else {
            return "me".to_owned();
        };
        let Computer { strategy, level, depth, movetime } = computer;
        let numbers = [
            ("level", level.map(|level| level as u64)),
            ("depth", *depth),
            ("movetime", *movetime),
        ];
        let mut words = vec!["computer".to_owned()];
        words.extend(strategy.iter().map(|name| format!("strategy {name}")));
        words
            .extend(numbers.iter().filter_map(|(key, value)| Some(format!("{key} {}", (*value)?))));
        words.join(" ")
    }

    /// Reads such a line.
    pub fn parse(text: &str) -> Result<Player, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            ["me"] => Ok(Player::Person),
            ["computer", ref properties @ ..] => {
                let mut computer = Computer::default();
                for pair in properties.chunks(2) {
                    let number =
                        |value: &str| value.parse::<u64>().map_err(|_| expected("a number", value));
                    match *pair {
                        ["strategy", name] => computer.strategy = Some(name.to_owned()),
                        ["level", level] => computer.level = Some(parse_level(level)?),
                        ["depth", depth] => computer.depth = Some(number(depth)?),
                        ["movetime", time] => {
                            let time = number(time)?;
                            if !(1..=MAX_MOVETIME).contains(&time) {
                                return Err(format!("movetime must be 1..{MAX_MOVETIME}"));
                            }
                            computer.movetime = Some(time);
                        }
                        _ => {
                            let what = "strategy, level, depth or movetime and a value";
                            return Err(expected(what, &pair.join(" ")));
                        }
                    }
                }
                Ok(Player::Computer(computer))
            }
            _ => Err(expected("'me' or 'computer'", text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn levels_have_numbers_and_words() {
        assert_eq!(parse_level("3"), Ok(3));
        assert_eq!(parse_level("perfect"), Ok(10));
        for text in ["0", "11", "", "grandmaster", "-1"] {
            assert!(parse_level(text).unwrap_err().contains("1 (Beginner) to 10 (Perfect)"));
        }
        let computer = Computer { level: Some(3), movetime: Some(2500), ..Computer::default() };
        assert_eq!(computer.to_string(), "level 3 (Casual), 2.5 s per move");
        assert_eq!(computer.options()[0], ("Strategy".to_owned(), "full".to_owned()));
    }

    #[test]
    fn a_computer_is_told_all_that_was_chosen() {
        let computer = Computer { level: Some(3), depth: Some(6), ..Computer::default() };
        assert_eq!(computer.go(), "go movetime 1000 depth 6");
        let options = computer.options();
        let options: Vec<_> =
            options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(options, [("Strategy", "full"), ("Level", "3"), ("Depth", "6")]);
        assert_eq!(Computer::default().go(), "go movetime 1000");
        assert_eq!(Computer::default().options(), []);
        let simple = Computer { strategy: Some("random".to_owned()), ..Computer::default() };
        assert_eq!(simple.options(), [("Strategy".to_owned(), "random".to_owned())]);
    }

    #[test]
    fn a_time_is_from_a_millisecond_to_an_hour() {
        let parse = |time: u64| Player::parse(&format!("computer movetime {time}"));
        for time in [1, MAX_MOVETIME] {
            let Ok(Player::Computer(computer)) = parse(time) else { panic!("{time}") };
            assert_eq!(computer.time(), Duration::from_millis(time));
        }
        for time in [0, MAX_MOVETIME + 1, u64::MAX] {
            assert_eq!(parse(time), Err("movetime must be 1..3600000".to_owned()));
        }
    }

    proptest! {
        #[test]
        fn saved_players_read_back(
            strategy in proptest::option::of("[a-z]{1,9}"),
            level in proptest::option::of(1_usize..=10),
            depth: Option<u64>,
            movetime in proptest::option::of(1..=MAX_MOVETIME),
        ) {
            let player = Player::Computer(Computer { strategy, level, depth, movetime });
            prop_assert_eq!(Player::parse(&player.saved()), Ok(player));
            prop_assert_eq!(Player::parse(&Player::Person.saved()), Ok(Player::Person));
        }

        #[test]
        fn any_text_is_a_player_or_an_error(text: String) {
            drop(Player::parse(&text));
        }
    }

    #[test]
    fn errors_say_what_was_expected() {
        for (text, reason) in [
            ("human", "expected 'me' or 'computer', got 'human'"),
            ("computer level", "got 'level'"),
            ("computer level 12", "1 (Beginner) to 10 (Perfect)"),
            ("computer depth x", "expected a number, got 'x'"),
            ("computer movetime 3600001", "movetime must be 1..3600000"),
        ] {
            assert!(Player::parse(text).unwrap_err().contains(reason), "{text}");
        }
    }
}
