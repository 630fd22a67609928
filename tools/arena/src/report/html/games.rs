//! The games as the page reads them: compact, since there may be thousands.

use ratlla::game::Side;
use serde::Serialize;

use super::super::ReportData;
use super::super::replay::{Layout, Replay, Replayer};
use crate::record::{GameRecord, GameResult};

/// A game. Lists with an entry per move are strings with separators: a fraction of the length of
/// JSON arrays.
#[derive(Serialize)]
pub struct GameData {
    number: u64,
    /// Player 1 and player 2, as indices.
    players: [usize; 2],
    /// The winner, 1 or 2; 0 for a draw.
    winner: u8,
    reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    /// Whether a player forfeited.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    forfeit: bool,
    /// Plies of the opening.
    opening: usize,
    /// The start position, if it is not the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<Vec<u32>>,
    moves: String,
    /// `1` or `2` for each move.
    sides: String,
    /// For each move, the cells it changed: `cell.content cell.content,…`
    changes: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    winning: Vec<usize>,
    /// For each move after the opening.
    scores: String,
    depths: String,
    nodes: String,
    times: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    clocks: String,
    /// Moves that could not be replayed.
    #[serde(skip_serializing_if = "is_zero")]
    broken: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// All games, their layout and the usual start position.
pub fn replayed(data: &ReportData) -> anyhow::Result<(Layout, Vec<u32>, Vec<GameData>)> {
    let mut replayer = Replayer::new(&data.settings.game)?;
    let (layout, start) = replayer.layout();
    let mut game = |record: &GameRecord| {
        let players = data.settings.pairing(record.number).engines;
        game_data(record, players, replayer.replay(record), &start)
    };
    let games = data.games.iter().map(&mut game).collect();
    Ok((layout, start, games))
}

fn game_data(
    record: &GameRecord,
    players: [usize; 2],
    replay: Replay,
    usual_start: &[u32],
) -> GameData {
    let Replay { start, plies, winning } = replay;
    let moves: Vec<&str> = record.opening.iter().chain(&record.moves).map(String::as_str).collect();
    let change = |&(cell, content): &(usize, u32)| format!("{cell}.{content}");
    let changes = plies.iter().map(|ply| joined(ply.changes.iter().map(change), " "));
    let side = |side: Side| if side == Side::P1 { '1' } else { '2' };
    GameData {
        number: record.number,
        players,
        winner: match record.result {
            GameResult::Draw => 0,
            GameResult::P1Win => 1,
            GameResult::P2Win => 2,
        },
        reason: record.reason.clone(),
        detail: ReportData::detail(record).map(str::to_owned),
        forfeit: record.forfeit.is_some(),
        opening: record.opening.len().min(plies.len()),
        start: (start != usual_start).then_some(start),
        moves: moves[..plies.len()].join(" "),
        sides: plies.iter().map(|ply| side(ply.side)).collect(),
        changes: joined(changes, ","),
        winning,
        scores: optional(record.scores.iter().map(|score| Some(score.as_ref()?.replace(',', " ")))),
        depths: optional(record.depths.iter().copied()),
        nodes: optional(record.nodes.iter().copied()),
        times: joined(record.times.iter(), ","),
        clocks: optional(record.clocks.iter().copied()),
        broken: moves.len() - plies.len(),
    }
}

fn joined(values: impl Iterator<Item = impl ToString>, separator: &str) -> String {
    values.map(|value| value.to_string()).collect::<Vec<_>>().join(separator)
}

/// Values with nothing between the commas where there is none.
fn optional<T: ToString>(values: impl Iterator<Item = Option<T>>) -> String {
    let text = |value: Option<T>| value.map_or_else(String::new, |value| value.to_string());
    joined(values.map(text), ",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::example;

    /// What is usual is left out of the page, which has thousands of games.
    #[test]
    fn only_broken_games_say_how_many_moves_are_missing() {
        let mut data = example();
        let broken = |data: &ReportData| {
            let (_, _, games) = replayed(data).unwrap();
            let first = serde_json::to_value(&games[0]).unwrap();
            first.get("broken").cloned()
        };
        assert_eq!(broken(&data), None);
        data.games[0].moves[3] = "99".to_owned();
        assert_eq!(broken(&data), Some(2.into()));
    }
}
