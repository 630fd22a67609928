//! What the user can type during a game.

use ratlla::text;
use ratlla_client::words;

use crate::arguments::OPTIONS;
use crate::players::LEVELS;

/// A line that the user typed.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    /// Nothing but Enter.
    Enter,
    /// A move, or nothing known.
    Move(String),
    /// Recommend a move.
    Hint,
    /// Say why each move is good or bad; this one, or all of them.
    Explain(Option<String>),
    /// Say why the last move was made.
    Why,
    /// Say what is wrong with a move.
    WhyNot(String),
    /// Go back to the person's last turn.
    Undo,
    /// Take that back.
    Redo,
    /// List the legal moves.
    Moves,
    /// Draw the board again.
    Board,
    /// Go through the game and mark its mistakes.
    Review,
    /// Explain the rules.
    Rules,
    /// Show the levels, or change the computer's.
    Level(Option<String>),
    /// Change sides.
    Swap,
    /// Write the game to a file.
    Save(Option<String>),
    /// Start or resume a game.
    New(Vec<String>),
    /// List the commands.
    Help,
    /// Leave the program.
    Quit,
    /// Too many or too few words: the right form.
    Misused(&'static str),
    /// Several words, the first of which is no command.
    Unknown(String),
}

/// The commands: how they are written, and what they do.
const COMMANDS: [(&str, &str); 16] = [
    ("MOVE", "play a move; 'moves' lists them, Tab completes"),
    ("hint", "recommend a move"),
    ("explain [MOVE]", "why each move is good or bad"),
    ("why [MOVE]", "why the last move, or this one, is good or bad"),
    ("why not MOVE", "what is wrong with a move"),
    ("undo", "go back to your last turn"),
    ("redo", "take back an undo"),
    ("moves", "list the legal moves"),
    ("board", "draw the board again"),
    ("rules", "how the game is played"),
    ("review", "mark the mistakes in the game so far"),
    ("level [N]", "the computer's strength, 1 to 10; '3,8' for two"),
    ("swap", "change sides with the other player"),
    ("save [FILE]", "save the game and its players"),
    ("new [GAME|FILE] [OPTIONS]", "start or resume a game"),
    ("quit", "leave; so does Ctrl-D"),
];

impl Command {
    /// Reads a line.
    pub fn parse(line: &str) -> Command {
        // Quotes allow file names with spaces; what is not quoted properly is taken as it is.
        let words = words::split(line)
            .unwrap_or_else(|| line.split_whitespace().map(str::to_owned).collect());
        let Some((first, rest)) = words.split_first() else {
            return Command::Enter;
        };
        let first_lower = first.to_lowercase();
        let one = |make: fn(Option<String>) -> Command, form: &'static str| match rest {
            [] => make(None),
            [word] if !word.is_empty() => make(Some(word.clone())),
            _ => Command::Misused(form),
        };
        let alone = |command: Command, form: &'static str| match rest {
            [] => command,
            _ => Command::Misused(form),
        };
        match first_lower.as_str() {
            "hint" => alone(Command::Hint, "hint"),
            "explain" => one(Command::Explain, "explain [MOVE]"),
            "why" => match rest {
                [] => Command::Why,
                [not, mv] if not.eq_ignore_ascii_case("not") => Command::WhyNot(mv.clone()),
                [mv] if !mv.eq_ignore_ascii_case("not") => Command::Explain(Some(mv.clone())),
                _ => Command::Misused("why, why MOVE or why not MOVE"),
            },
            "undo" | "u" => alone(Command::Undo, "undo"),
            "redo" => alone(Command::Redo, "redo"),
            "moves" => alone(Command::Moves, "moves"),
            "board" => alone(Command::Board, "board"),
            "review" => alone(Command::Review, "review"),
            "rules" => alone(Command::Rules, "rules"),
            "level" => one(Command::Level, "level [N]"),
            "swap" => alone(Command::Swap, "swap"),
            "save" => one(Command::Save, "save [FILE]"),
            "new" => Command::New(rest.to_vec()),
            "help" | "h" | "?" => Command::Help,
            "quit" | "exit" | "q" => Command::Quit,
            // As the engine itself has it.
            "play" => match rest {
                [mv] => Command::Move(mv.clone()),
                _ => Command::Misused("one move"),
            },
            _ if rest.is_empty() => Command::Move(first.clone()),
            _ => Command::Unknown(first.clone()),
        }
    }
}

/// The command that was probably meant by a word that is none.
pub fn nearest(word: &str) -> Option<&'static str> {
    let names = COMMANDS[1..].iter().filter_map(|(form, _)| form.split(' ').next());
    text::nearest(word, names.chain(["help"]))
}

/// The text of `help`.
pub fn help() -> Vec<String> {
    let width = COMMANDS.iter().map(|(form, _)| form.len()).max().unwrap_or(0);
    let commands = COMMANDS.iter().map(|(form, text)| format!("  {form:<width$}  {text}"));
    let options = OPTIONS.chunks(4).enumerate().map(|(index, names)| {
        let heading = if index == 0 { "OPTIONS:" } else { "" };
        format!("  {heading:<8} {}", names.join(" "))
    });
    let keys = "  Ctrl-C makes the computer stop thinking, and pauses two computers.".to_owned();
    commands.chain(options).chain([keys]).collect()
}

/// The lines that Tab completes to, given the legal moves and the games.
pub fn completions<'a>(
    moves: impl Iterator<Item = &'a str> + Clone,
    games: impl Iterator<Item = &'a str>,
) -> Vec<String> {
    let mut lines: Vec<String> = moves.clone().map(str::to_owned).collect();
    for (form, _) in &COMMANDS[1..] {
        let words = form.split(' ').take_while(|word| word.starts_with(char::is_lowercase));
        lines.push(words.collect::<Vec<_>>().join(" "));
    }
    lines.push("help".to_owned());
    for mv in moves {
        lines.extend([format!("why not {mv}"), format!("why {mv}"), format!("explain {mv}")]);
    }
    lines.extend(LEVELS.iter().map(|word| format!("level {}", word.to_lowercase())));
    lines.extend(games.map(|game| format!("new {game}")));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_are_commands_or_moves() {
        let some = |word: &str| Some(word.to_owned());
        for (line, command) in [
            ("", Command::Enter),
            ("a2b2xc4", Command::Move("a2b2xc4".to_owned())),
            ("HINT", Command::Hint),
            ("why", Command::Why),
            ("why 4", Command::Explain(some("4"))),
            ("Why Not 4", Command::WhyNot("4".to_owned())),
            ("why not", Command::Misused("why, why MOVE or why not MOVE")),
            ("save 'my game'", Command::Save(some("my game"))),
            ("save it's", Command::Save(some("it's"))),
            ("save ''", Command::Misused("save [FILE]")),
            ("save a b", Command::Misused("save [FILE]")),
            ("new kalah 6 4", Command::New(["kalah", "6", "4"].map(str::to_owned).to_vec())),
            ("undo 3", Command::Misused("undo")),
            ("4 4", Command::Unknown("4".to_owned())),
            ("play 4", Command::Move("4".to_owned())),
            ("play", Command::Misused("one move")),
            ("help me", Command::Help),
            ("q", Command::Quit),
        ] {
            assert_eq!(Command::parse(line), command, "{line}");
        }
    }

    #[test]
    fn every_command_in_the_help_exists() {
        for (form, _) in &COMMANDS[1..] {
            let line = form.replace("MOVE", "4").replace(['[', ']'], "").to_lowercase();
            let command = Command::parse(&line);
            let is_known =
                !matches!(command, Command::Move(_) | Command::Misused(_) | Command::Unknown(_));
            assert!(is_known, "{form}");
        }
        let longest = help().iter().map(String::len).max();
        assert!(longest < Some(80), "{:#?}", help());
    }

    #[test]
    fn a_typo_gets_the_nearest_command() {
        for (word, meant) in [
            ("wahy", Some("why")),
            ("Reveiw", Some("review")),
            ("hlep", Some("help")),
            ("lvel", Some("level")),
            ("9", None),
            ("a1b2", None),
            ("boom", None),
            ("", None),
        ] {
            assert_eq!(nearest(word), meant, "{word}");
        }
        assert_eq!(nearest(&"why".repeat(20)), None);
    }

    #[test]
    fn tab_knows_moves_and_commands() {
        let lines = completions(["1", "2"].into_iter(), ["kalah"].into_iter());
        for line in ["2", "hint", "why not 2", "level", "level beginner", "new kalah", "help"] {
            assert!(lines.contains(&line.to_owned()), "{line}: {lines:?}");
        }
    }

    proptest! {
        #[test]
        fn any_line_is_understood_or_refused(line: String) {
            drop(Command::parse(&line));
        }
    }
}
