//! Every way in which a command can be wrong, for the law that a refused command changes nothing.

use std::sync::LazyLock;

use ratlla::any_game::AnyGame;
use ratlla::game::Parameter;
use ratlla::games::REGISTRY;

use super::embedded::replies;

/// Lines that are wrong in every position of every game, in the native dialect.
const ALWAYS: &[&str] = &[
    "positon moves 1",
    "GO",
    "1 2 3",
    "\u{1b}[31m",
    "newgame chess",
    "newgame connect4 x",
    "newgame boom 7",
    "newgame kalah 6 4 emty",
    "newgame 99999999999999999999999999999 7",
    "position",
    "position fen",
    "position startpos 1",
    "position nonsense",
    "position moves zz",
    "play",
    "play zz",
    "play 1 2",
    "undo 1",
    "go dept 4",
    "go depth",
    "go depth x",
    "go depth -1",
    "go nodes 1.5",
    "go movetime",
    "go infinite mate",
    "go searchmoves",
    "go searchmoves zz",
    "go perft",
    "go perft -1",
    "go perft 1 2",
    "go solve perft 1",
    "analyze solve",
    "analyze searchmoves zz",
    "explain nodes x",
    "explain searchmoves zz",
    "why",
    "why not",
    "why not zz",
    "tree 3",
    "tree depth",
    "tree depth 0",
    "tree moves zz",
    "eval nope",
    "eval full now",
    "query",
    "query p2turn",
    "getoption name",
    "getoption name Hsah",
    "setoption",
    "setoption Hash 1",
    "setoption name value 3",
    "setoption name Hsah value 3",
    "stop now",
    "isready 1",
    "ucinewgame 1",
    "bench 1",
];

/// Values of each option that are wrong, most of them just beyond its limits, as lines.
static SETTINGS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let options = replies(&["options\n".to_owned()]);
    let lines: Vec<String> = options.iter().flat_map(|option| wrong_values(option)).collect();
    assert!(lines.len() > 50, "{lines:#?}");
    lines
});

/// Wrong values of an option as `options` lists it.
fn wrong_values(option: &str) -> Vec<String> {
    let (name, kind) = option
        .strip_prefix("option name ")
        .and_then(|rest| rest.split_once(" type "))
        .unwrap_or_else(|| panic!("an option: {option}"));
    let number = |word: &str| -> i64 {
        let mut words = kind.split(' ').skip_while(|&next| next != word).skip(1);
        words.next().and_then(|number| number.parse().ok()).expect("a limit")
    };
    let line = |value: &str| format!("setoption name {name} value {value}");
    let mut lines = vec![format!("setoption name {name}")];
    match (kind.split(' ').next(), name) {
        (Some("spin"), _) => {
            for beyond in [number("min") - 1, number("max") + 1] {
                lines.push(line(&beyond.to_string()));
            }
            lines.extend(["", "x", "1.5", "99999999999999999999999"].map(line));
        }
        (Some("check"), _) => lines.extend(["", "yes", "1"].map(line)),
        (Some("combo"), _) => lines.extend(["", "nothing of the kind"].map(line)),
        (Some("button"), _) => lines = vec![line("true")],
        (_, "Game") => lines.extend(["chess", "connect4 3 3"].map(line)),
        // Without a value, a path is cleared.
        _ => lines = vec![line("/there/is/no/such/folder/file")],
    }
    lines
}

/// Lines that a session in the native dialect refuses while no search runs, in this game after these words of
/// a position and these moves: each names what is wrong as late as it can.
pub fn refused_lines(game: &dyn AnyGame, setup: &[String], played: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = ALWAYS.iter().map(|&line| line.to_owned()).collect();
    lines.extend(SETTINGS.iter().cloned());
    for entry in REGISTRY.0 {
        for (wrong, parameter) in entry.parameters.iter().enumerate() {
            let Parameter::Number { limits, .. } = *parameter else { continue };
            for beyond in [limits[0] - 1, limits[1] + 1] {
                lines.push(format!("newgame {}", entry.name));
                for (index, parameter) in entry.parameters.iter().enumerate() {
                    if let Parameter::Number { default, .. } = *parameter {
                        let value = if index == wrong { beyond } else { default };
                        lines.last_mut().expect("just begun").push_str(&format!(" {value}"));
                    }
                }
            }
        }
    }
    // A game that went on for a while before its first wrong move.
    let setup = setup.join(" ");
    for good in 0..=played.len() {
        lines.push(format!("position {setup} moves {} zz", played[..good].join(" ")));
    }
    lines.push(format!("position {} moves zz", game.position_text()));
    lines.push(format!("position {} x", game.position_text()));
    if played.is_empty() {
        lines.push("undo".to_owned());
    }
    if game.outcome().is_some() {
        // What was legal a moment ago.
        lines.extend(played.last().map(|mv| format!("play {mv}")));
        lines.push("eval".to_owned());
    }
    lines
}
