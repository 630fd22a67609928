//! Longer texts that commands are answered with.

use crate::any_game::{AnyGame, outcome_text};
use crate::game::Side;
use crate::games;
use crate::protocol::command::Query;
use crate::protocol::parse::COMMANDS;
use crate::protocol::reply::Reply;

/// The opinion of a position, seen by the first player, or why there is none.
pub(super) fn evaluation(table: &dyn AnyGame) -> Result<Reply, String> {
    let parts = table
        .evaluation()
        .ok_or_else(|| format!("eval: the game is over: {}", outcome_text(table.outcome())))?;
    let side = table.side_to_move();
    let parts: Vec<_> = parts.into_iter().map(|(name, points)| (name, side.view(points))).collect();
    Ok(Reply::Eval { total: parts.iter().map(|(_, points)| points).sum(), parts })
}

/// The answer to a question of one word.
pub(super) fn response(query: Query, table: &dyn AnyGame) -> &'static str {
    let truth = |is_true| if is_true { "true" } else { "false" };
    match query {
        Query::FirstPlayersTurn => truth(table.side_to_move() == Side::P1),
        Query::GameOver => truth(table.outcome().is_some()),
        Query::Result => outcome_text(table.outcome()),
    }
}

/// The position for people, and what is to be known about it.
pub(super) fn display(table: &dyn AnyGame) -> String {
    format!(
        "{}\ngame {}\nposition {}\nside {}\nkey {:016x}\nresult {}",
        table.drawing(),
        table.title(),
        table.position_text(),
        table.side_to_move(),
        table.key(),
        outcome_text(table.outcome())
    )
}

/// The games and their parameters, in the form of the options.
pub(super) fn game_list() -> String {
    let parameter = |parameter: &games::Parameter| match parameter {
        games::Parameter::Number { name, default, limits: [least, most] } => {
            format!(" parameter {name} type spin default {default} min {least} max {most}")
        }
        games::Parameter::Word(name) => format!(" parameter {name} type check default false"),
    };
    let game = |entry: &games::Entry| {
        let parameters: String = entry.choices.iter().map(parameter).collect();
        format!("game {}{parameters}", entry.name)
    };
    games::REGISTRY.iter().map(game).collect::<Vec<_>>().join("\n")
}

/// All commands and games.
pub(super) fn help() -> String {
    let line = |&(name, parameters, purpose): &(&str, &str, &str)| {
        format!("{}\n    {purpose}", format!("{name} {parameters}").trim_end())
    };
    let commands: Vec<String> = COMMANDS.iter().map(line).collect();
    let game = |entry: &games::Entry| format!("game {}", entry.usage());
    let games: Vec<String> = games::REGISTRY.iter().map(game).collect();
    format!("{}\n{}", commands.join("\n"), games.join("\n"))
}
