//! The games as CSV, one row each, for spreadsheets and data frames.

use super::ReportData;
use super::escape::csv_text;
use crate::record::{GameRecord, GameResult};

const HEADER: [&str; 15] = [
    "number",
    "round",
    "p1",
    "p2",
    "result",
    "reason",
    "forfeit_by",
    "detail",
    "setup",
    "opening",
    "moves",
    "p1_time_ms",
    "p2_time_ms",
    "p1_nodes",
    "p2_nodes",
];

/// All games, under a row of headings. The totals of time and nodes are those of each engine.
pub fn csv(data: &ReportData) -> anyhow::Result<String> {
    let mut replayer = super::replay::Replayer::new(&data.settings.game)?;
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer.write_record(HEADER)?;
    for game in &data.games {
        let movers = replayer.replay(game).plies.into_iter().skip(game.opening.len());
        let movers: Vec<usize> = movers.map(|ply| ply.side.index()).collect();
        writer.write_record(row(data, game, &movers))?;
    }
    Ok(String::from_utf8(writer.into_inner().map_err(|error| error.into_error())?)?)
}

fn row(data: &ReportData, game: &GameRecord, movers: &[usize]) -> [String; 15] {
    let result = match game.result {
        GameResult::P1Win => "p1win",
        GameResult::P2Win => "p2win",
        GameResult::Draw => "draw",
    };
    let [p1, p2] = data.players(game).map(csv_text);
    let sum = |values: &dyn Fn(usize) -> Option<u64>| {
        let total = |side: usize| -> u64 {
            let own = movers.iter().enumerate().filter(|&(_, &mover)| mover == side);
            own.filter_map(|(at, _)| values(at)).sum()
        };
        [total(0), total(1)].map(|total| total.to_string())
    };
    let [p1_time, p2_time] = sum(&|at| game.times.get(at).copied());
    let [p1_nodes, p2_nodes] = sum(&|at| game.nodes.get(at).copied().flatten());
    let forfeit = game.forfeit.as_ref();
    [
        game.number.to_string(),
        game.round.to_string(),
        p1,
        p2,
        result.to_owned(),
        csv_text(&game.reason),
        forfeit.map_or_else(String::new, |forfeit| csv_text(&forfeit.engine)),
        ReportData::detail(game).map_or_else(String::new, csv_text),
        csv_text(&game.setup),
        csv_text(&game.opening.join(" ")),
        csv_text(&game.moves.join(" ")),
        p1_time,
        p2_time,
        p1_nodes,
        p2_nodes,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::example;

    #[test]
    fn every_game_is_a_row_that_reads_back() {
        let text = csv(&example()).unwrap();
        let mut reader = ::csv::Reader::from_reader(text.as_bytes());
        let rows: Vec<::csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 2);
        assert_eq!(&rows[0][2], "<b>e0</b> \"|\"");
        assert_eq!(&rows[0][3], "'=e1", "not a formula");
        assert_eq!((&rows[0][4], &rows[0][9], &rows[0][10]), ("p1win", "1 2", "1 2 1 2 1"));
        assert_eq!((&rows[0][11], &rows[0][12]), ("315", "4"), "times by player");
        assert_eq!(&rows[1][6], "'=e1");
    }
}
