//! Whole sessions: random commands, also while searches run.

use arbitrary::{Result, Unstructured};
use ratlla::any_game::AnyGame;
use ratlla::game::Parameter;
use ratlla::games::REGISTRY;
use ratlla::protocol::parse::COMMANDS;

use crate::model::Model;
use crate::script::run_session;

/// The longest random session, in lines.
pub const MAX_LINES: usize = 30;

/// Derives a session from the bytes, runs it and checks its output.
pub fn check(data: &[u8]) {
    let mut choices = Unstructured::new(data);
    let quit = choices.ratio(1, 8).unwrap_or(false);
    let mut model = Model::new();
    for _ in 0..MAX_LINES {
        if let Some(line) = next_line(&mut choices, model.game()) {
            model.send(&line);
        }
    }
    check_model(model, quit);
}

/// A random line for a session with this game; `None` once `choices` is used up.
pub fn next_line(choices: &mut Unstructured<'_>, game: &dyn AnyGame) -> Option<Vec<u8>> {
    if choices.is_empty() { None } else { line(choices, game).ok() }
}

/// Runs a session with the lines of `model`, then `quit` if asked for, and checks its output.
pub fn check_model(mut model: Model, quit: bool) {
    if quit {
        model.send(b"quit");
    }
    let (steps, expected) = model.finish();
    let lines: Vec<_> =
        steps.iter().map(|step| String::from_utf8_lossy(&step.line).into_owned()).collect();
    let output = run_session(steps);
    if let Err(reason) = expected.check(&output) {
        panic!("{reason}\n{lines:#?}\n{output:#?}");
    }
}

/// A line that is mostly valid for this game.
fn line(choices: &mut Unstructured<'_>, game: &dyn AnyGame) -> Result<Vec<u8>> {
    let text = match choices.int_in_range(0..=23)? {
        0..=4 => format!("go {}", limits(choices, game)?),
        5 => format!("go solve {}", limits(choices, game)?),
        6 => format!("analyze {}", limits(choices, game)?),
        7 => format!("go perft {}", number(choices)?),
        8..=9 => format!("position moves {}", random_game(choices, game)?),
        10 => format!("position {}", game.position_text()),
        11..=12 => format!("play {}", some_move(choices, game)?),
        13 => new_game(choices)?,
        14..=15 => setting(choices, game)?,
        16..=17 => (*choices.choose(&["stop", "ponderhit", "isready", "undo"])?).to_owned(),
        18 => {
            let (name, ..) = choices.choose(COMMANDS)?;
            // `quit` is only sent at the end.
            (if *name == "quit" { "isready" } else { name }).to_owned()
        }
        19 => format!("explain {}", limits(choices, game)?),
        20 => format!("why not {} {}", some_move(choices, game)?, limits(choices, game)?),
        21 => tree(choices, game)?,
        22 => format!("eval {}", choices.choose(&["", "full", "lines", "stores", "x", "full 1"])?),
        _ => {
            let length = choices.int_in_range(0..=24)?;
            let bytes = choices.bytes(usize::min(length, choices.len()))?;
            return Ok(bytes.iter().copied().filter(|&byte| byte != b'\n').collect());
        }
    };
    Ok(text.into_bytes())
}

fn tree(choices: &mut Unstructured<'_>, game: &dyn AnyGame) -> Result<String> {
    let mut words = vec!["tree".to_owned()];
    for _ in 0..choices.int_in_range(0..=2)? {
        words.push(match choices.int_in_range(0..=3)? {
            0 => (*choices.choose(&["text", "json", "dot", "x"])?).to_owned(),
            _ => format!("depth {}", number(choices)?),
        });
    }
    if choices.ratio(1, 2)? {
        words.push(format!("moves {}", some_move(choices, game)?));
    }
    Ok(words.join(" "))
}

fn number(choices: &mut Unstructured<'_>) -> Result<String> {
    const UNUSUAL: [&str; 7] = ["-1", "99999999999999999999999999999", "x", "1.5", "", "07", "25"];
    Ok(match choices.int_in_range(0..=9)? {
        0 => (*choices.choose(&UNUSUAL)?).to_owned(),
        1 => choices.int_in_range(0..=3000)?.to_string(),
        _ => choices.int_in_range(0..=9)?.to_string(),
    })
}

fn limits(choices: &mut Unstructured<'_>, game: &dyn AnyGame) -> Result<String> {
    const COUNTS: [&str; 8] =
        ["depth", "nodes", "movetime", "p1time", "btime", "movestogo", "p1inc", "mate"];
    let mut words = Vec::new();
    for _ in 0..choices.int_in_range(0..=3)? {
        words.push(match choices.int_in_range(0..=7)? {
            0 => "infinite".to_owned(),
            1 => "ponder".to_owned(),
            2 => {
                format!("searchmoves {} {}", some_move(choices, game)?, some_move(choices, game)?)
            }
            _ => format!("{} {}", choices.choose(&COUNTS)?, number(choices)?),
        });
    }
    Ok(words.join(" "))
}

/// A move, legal in most cases.
fn some_move(choices: &mut Unstructured<'_>, game: &dyn AnyGame) -> Result<String> {
    let moves = game.moves();
    if moves.is_empty() || choices.ratio(1, 10)? {
        return number(choices);
    }
    Ok(choices.choose(&moves)?.clone())
}

/// The moves of a random game.
fn random_game(choices: &mut Unstructured<'_>, game: &dyn AnyGame) -> Result<String> {
    let title = game.title();
    let words: Vec<&str> = title.split_whitespace().collect();
    let mut game = REGISTRY.open(words[0], &words[1..]).expect("a title opens its game");
    let mut played = Vec::new();
    for _ in 0..choices.int_in_range(0..=40)? {
        let moves = game.moves();
        if moves.is_empty() || choices.is_empty() {
            break;
        }
        let mv = choices.choose(&moves)?.clone();
        game.play(&mv).expect("a legal move");
        played.push(mv);
    }
    Ok(played.join(" "))
}

fn new_game(choices: &mut Unstructured<'_>) -> Result<String> {
    let entry = choices.choose(REGISTRY.0)?;
    let mut line = format!("newgame {}", entry.name);
    if choices.arbitrary()? {
        return Ok(line);
    }
    for parameter in entry.parameters {
        match *parameter {
            Parameter::Number { limits: [min, max], .. } => {
                // Large boards take long.
                line += &format!(" {}", choices.int_in_range(min - 1..=max.min(9))?);
            }
            Parameter::Word(word) if choices.arbitrary()? => line += &format!(" {word}"),
            Parameter::Word(_) => {}
        }
    }
    Ok(line)
}

fn setting(choices: &mut Unstructured<'_>, game: &dyn AnyGame) -> Result<String> {
    const NUMBERS: [&str; 7] =
        ["Hash", "Threads", "MultiPV", "Depth", "Level", "Seed", "Move Overhead"];
    const SWITCHES: [&str; 4] = ["OwnBook", "Pruning", "Ponder", "UCI_ShowWDL"];
    let (name, value) = match choices.int_in_range(0..=6)? {
        0 => ("Strategy", (*choices.choose(&game.strategies())?).to_owned()),
        1 => ("Strategy", "full".to_owned()),
        2 => ("Evaluation", (*choices.choose(&game.evaluations())?).to_owned()),
        3 => ("Order", (*choices.choose(&["left", "right", "centre", "up"])?).to_owned()),
        4 => (*choices.choose(&SWITCHES)?, choices.arbitrary::<bool>()?.to_string()),
        5 => return Ok("setoption name Clear Hash".to_owned()),
        _ => (*choices.choose(&NUMBERS)?, number(choices)?),
    };
    Ok(format!("setoption name {name} value {value}"))
}
