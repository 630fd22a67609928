//! What the user can choose about a game, on the command line, at the start and after `new`.

use std::ffi::OsString;

use clap::{Args, Parser, ValueEnum};

use crate::players::{Computer, FULL, MAX_MOVETIME, Player, parse_level};

/// Which game, and who plays it.
#[derive(Args, Clone, Debug, Default)]
pub struct GameArguments {
    /// A game and its parameters, for example 'kalah 6 4', or a saved game to resume
    #[arg(value_name = "GAME|FILE")]
    pub words: Vec<OsString>,
    /// People at the keyboard: 0, 1 or 2 [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=2))]
    players: Option<u8>,
    /// Who has the first move [default: me]
    #[arg(long)]
    first: Option<First>,
    /// Level of the computer from 1 to 10, or beginner to perfect; '3,8' for two [default: 5]
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = parse_level)]
    level: Vec<usize>,
    /// Strategy of the computer, in place of a level; 'random,minimax' for two
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    strategy: Vec<String>,
    /// How many moves the computer looks ahead at most; minimax, alphabeta and smart always that many
    #[arg(long, value_name = "N", value_delimiter = ',')]
    depth: Vec<u64>,
    /// Longest time of the computer for a move, in milliseconds [default: 1000]
    #[arg(long, value_name = "MS", value_delimiter = ',',
        value_parser = clap::value_parser!(u64).range(1..=MAX_MOVETIME))]
    movetime: Vec<u64>,
    /// Random seed; 0: another game every time
    #[arg(long, value_name = "N")]
    seed: Option<u32>,
    /// Another option of the engine, for example 'Threads=2'; repeatable
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_option)]
    option: Vec<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum First {
    Me,
    Computer,
}

/// The same arguments as a line that the user types.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true, args_override_self = true)]
struct GameLine {
    #[command(flatten)]
    arguments: GameArguments,
}

/// The options in a line that the user types, for Tab and for `help`.
pub const OPTIONS: [&str; 8] = [
    "--level",
    "--players",
    "--first",
    "--strategy",
    "--depth",
    "--movetime",
    "--seed",
    "--option",
];

fn parse_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

impl GameArguments {
    /// Reads them from a line, split into words.
    pub fn from_words(words: &[String]) -> Result<GameArguments, String> {
        let line = GameLine::try_parse_from(words).map_err(|error| {
            let text = error.to_string();
            text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
        })?;
        Ok(line.arguments)
    }

    /// Whether the user leaves everything open.
    pub fn are_empty(&self) -> bool {
        let GameArguments { words, players, first, level, strategy, depth, movetime, seed, option } =
            self;
        words.is_empty()
            && (players.is_none() && first.is_none() && seed.is_none())
            && (level.is_empty() && strategy.is_empty() && depth.is_empty())
            && (movetime.is_empty() && option.is_empty())
    }

    /// The engine options other than the computers', over those of the game before.
    pub fn options(&self, before: &[(String, String)]) -> Vec<(String, String)> {
        let seed = self.seed.map(|seed| ("Seed".to_owned(), seed.to_string()));
        let mut options = before.to_vec();
        for (name, value) in self.option.iter().cloned().chain(seed) {
            options.retain(|(other, _)| !other.eq_ignore_ascii_case(&name));
            options.push((name, value));
        }
        options
    }

    /// The players: those of `base` with what is asked for. New computers are like `default`.
    pub fn players(&self, base: &[Player; 2], default: &Computer) -> Result<[Player; 2], String> {
        let computer_of = |player: &Player| match player {
            Player::Computer(computer) => Some(computer.clone()),
            Player::Person => None,
        };
        let people_before = base.iter().filter(|player| **player == Player::Person).count();
        let people = match (self.players, self.first) {
            (Some(people), _) => usize::from(people),
            (None, Some(_)) => 1,
            (None, None) => people_before,
        };
        if self.first.is_some() && people != 1 {
            return Err("--first needs one person and one computer".to_owned());
        }
        let person = match self.first {
            Some(First::Computer) => 1,
            None if people_before == 1 && base[1] == Player::Person => 1,
            _ => 0,
        };
        let mut computers = 0;
        let mut players = [Player::Person, Player::Person];
        for side in 0..2 {
            if people == 2 || (people == 1 && side == person) {
                continue;
            }
            let mut computer = [&base[side], &base[1 - side]].into_iter().find_map(computer_of);
            let computer = computer.get_or_insert_with(|| default.clone());
            self.apply(computer, computers)?;
            players[side] = Player::Computer(computer.clone());
            computers += 1;
        }
        self.check_counts(computers)?;
        self.check_depth(&players)?;
        Ok(players)
    }

    /// Changes what is asked for about a computer, the first or the second one.
    fn apply(&self, computer: &mut Computer, number: usize) -> Result<(), String> {
        if let Some(strategy) = nth(&self.strategy, number) {
            computer.strategy = Some(strategy.clone());
            if strategy != FULL {
                computer.level = None;
            }
        }
        if let Some(&level) = nth(&self.level, number) {
            match nth(&self.strategy, number) {
                Some(other) if other != FULL => {
                    return Err(format!("--level: the strategy '{other}' has no levels"));
                }
                _ => computer.strategy = None,
            }
            computer.level = Some(level);
        }
        computer.depth = nth(&self.depth, number).copied().or(computer.depth);
        computer.movetime = nth(&self.movetime, number).copied().or(computer.movetime);
        Ok(())
    }

    /// A depth must mean something to one of the computers.
    fn check_depth(&self, players: &[Player; 2]) -> Result<(), String> {
        let searches = |player: &Player| match player {
            Player::Computer(computer) => computer.searches(),
            Player::Person => false,
        };
        match self.depth.is_empty() || players.iter().any(searches) {
            true => Ok(()),
            false => {
                let names = self.strategy.join(", ");
                Err(format!("--depth: the strategy '{names}' does not look ahead"))
            }
        }
    }

    fn check_counts(&self, computers: usize) -> Result<(), String> {
        let counts = [
            ("--level", self.level.len()),
            ("--strategy", self.strategy.len()),
            ("--depth", self.depth.len()),
            ("--movetime", self.movetime.len()),
        ];
        match counts.iter().find(|&&(_, count)| count > computers) {
            Some((name, _)) if computers == 0 => Err(format!("{name}: no computer plays")),
            Some((name, count)) => {
                let play = if computers == 1 { "computer plays" } else { "computers play" };
                Err(format!("{name}: {count} values, but only {computers} {play}"))
            }
            None => Ok(()),
        }
    }
}

/// The value for the computer with this number: the last one holds for all that follow.
fn nth<T>(values: &[T], number: usize) -> Option<&T> {
    values.get(number).or(values.last())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn players(line: &str, base: &[Player; 2]) -> Result<String, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let default = Computer { level: Some(5), ..Computer::default() };
        let players = GameArguments::from_words(&words)?.players(base, &default)?;
        Ok(players.map(|player| player.saved()).join(" / "))
    }

    #[test]
    fn players_follow_from_the_arguments_and_the_game_before() {
        let computer =
            |level| Player::Computer(Computer { level: Some(level), ..Computer::default() });
        let usual = [Player::Person, computer(5)];
        let turned = [computer(7), Player::Person];
        for (line, base, expected) in [
            ("", &usual, "me / computer level 5"),
            ("kalah 6 4 --level 3", &usual, "me / computer level 3"),
            ("--level perfect", &turned, "computer level 10 / me"),
            ("--first computer", &usual, "computer level 5 / me"),
            ("--first me", &turned, "me / computer level 7"),
            ("--players 2", &usual, "me / me"),
            ("--players 0 --level 3,8", &usual, "computer level 3 / computer level 8"),
            ("--players 0", &turned, "computer level 7 / computer level 7"),
            ("--players 1", &[computer(2), computer(3)], "me / computer level 3"),
            ("--strategy minimax --depth 2", &usual, "me / computer strategy minimax depth 2"),
            ("--depth 2", &usual, "me / computer level 5 depth 2"),
            (
                "--players 0 --strategy random,minimax --depth 2",
                &usual,
                "computer strategy random depth 2 / computer strategy minimax depth 2",
            ),
            (
                "--strategy full --movetime 50",
                &usual,
                "me / computer strategy full level 5 movetime 50",
            ),
        ] {
            assert_eq!(players(line, base).as_deref(), Ok(expected), "{line}");
        }
        for (line, reason) in [
            ("--players 3", "3 is not in 0..=2"),
            ("--level 11", "1 (Beginner) to 10 (Perfect)"),
            ("--level 3,4", "--level: 2 values, but only 1 computer plays"),
            ("--players 0 --level 3,4,5", "--level: 3 values, but only 2 computers play"),
            ("--players 2 --level 3", "--level: no computer plays"),
            ("--players 0 --first me", "--first needs one person"),
            ("--strategy greedy --level 3", "'greedy' has no levels"),
            ("--strategy random --depth 3", "the strategy 'random' does not look ahead"),
            (
                "--players 0 --strategy greedy,random --depth 3",
                "'greedy, random' does not look ahead",
            ),
            ("--movetime 0", "0 is not in 1..=3600000"),
            ("--option Hash", "expected NAME=VALUE"),
            ("--loud", "unexpected argument '--loud'"),
        ] {
            let error = players(line, &usual).unwrap_err();
            assert!(error.contains(reason), "{line}: {error}");
        }
    }

    #[test]
    fn a_later_option_replaces_an_earlier_one() {
        let words = ["--option", "hash=128", "--seed", "7"].map(str::to_owned);
        let options = GameArguments::from_words(&words).unwrap();
        let before = [("Hash".to_owned(), "16".to_owned())];
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(options.options(&before), [pair("hash", "128"), pair("Seed", "7")]);
    }

    #[test]
    fn every_option_is_listed() {
        for option in OPTIONS {
            let error = GameArguments::from_words(&[option.to_owned()]).unwrap_err();
            assert!(error.contains("a value is required"), "{option}: {error}");
        }
    }
}
