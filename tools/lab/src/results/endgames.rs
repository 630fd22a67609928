//! Rows about the endgame tables of Wali, as `ratlla-lab wali-table stats --json` prints them.

use anyhow::{Result, ensure};

pub use crate::wali_table::ClassStats;

/// Reads a row and checks that its numbers agree: those of won, lost and drawn positions with
/// their sum and their histograms.
pub fn parse(line: &str) -> Result<ClassStats> {
    let row: ClassStats = serde_json::from_str(line)?;
    let ClassStats { game, own, enemy, positions, won, lost, drawn, .. } = &row;
    ensure!(game == "wali" || game.starts_with("wali "), "expected a game of wali, got '{game}'");
    let sum = |histogram: &[(usize, u64)]| histogram.iter().map(|&(_, count)| count).sum::<u64>();
    let longest = |histogram: &[(usize, u64)]| histogram.last().map(|&(plies, _)| plies);
    ensure!(
        won + lost + drawn == *positions
            && sum(&row.histogram) == *won
            && sum(&row.loss_histogram) == *lost
            && longest(&row.histogram) == row.longest_win
            && longest(&row.loss_histogram) == row.longest_loss,
        "the numbers of {own} against {enemy} do not add up"
    );
    Ok(row)
}

/// The arguments of `ratlla-lab` that build the table with this class, and those that print it.
pub fn arguments(row: &ClassStats, all: &[ClassStats]) -> [String; 2] {
    let same = all.iter().filter(|other| other.table_checksum == row.table_checksum);
    let stones = same.map(|class| class.own.max(class.enemy)).max().unwrap_or_default();
    let board = match row.game.split(' ').collect::<Vec<_>>()[..] {
        [_, rows, columns, ..] => format!(" --rows {rows} --columns {columns}"),
        _ => String::new(),
    };
    [
        format!("wali-table build wali.table --stones {stones}{board}"),
        "wali-table stats wali.table --json".to_owned(),
    ]
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub const ROW: &str = r#"{"game":"wali 2 3","own":3,"enemy":1,"positions":60,"won":50,"lost":4,"drawn":6,"longest_win":3,"longest_loss":2,"example":"grid XX./XO. p1 move","histogram":[[1,40],[3,10]],"loss_histogram":[[2,4]],"table_checksum":"00000000000000ff"}"#;

    #[test]
    fn a_row_reads_back_and_a_wrong_one_is_refused() {
        let row = parse(ROW).expect("a row");
        assert_eq!(serde_json::to_string(&row).expect("JSON"), ROW);
        for (from, to) in [
            ("\"won\":50", "\"won\":51"),
            ("[3,10]", "[5,10]"),
            ("[[2,4]]", "[]"),
            ("wali 2 3", "kalah 2 3"),
            ("\"own\"", "\"mine\""),
        ] {
            let line = ROW.replacen(from, to, 1);
            assert!(parse(&line).is_err(), "{line}");
        }
    }

    #[test]
    fn the_command_builds_the_whole_table() {
        let row = parse(ROW).expect("a row");
        let larger = parse(&ROW.replacen("\"enemy\":1", "\"enemy\":4", 1)).expect("a row");
        let [build, stats] = arguments(&row, &[row.clone(), larger]);
        assert_eq!(build, "wali-table build wali.table --stones 4 --rows 2 --columns 3");
        assert_eq!(stats, "wali-table stats wali.table --json");
    }
}
