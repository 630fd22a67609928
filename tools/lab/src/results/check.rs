//! Solves games of the record again and compares.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use ratlla_common::progress::bar;

use super::record::Record;
use super::row::SolvedGame;

/// Runs the command of every row that took less than `limit` seconds, each as a process of its
/// own, as a reader of the page would. Prints what differs, and fails if anything does.
pub fn check(record: &Record, limit: Option<f64>) -> Result<()> {
    let fast = |row: &&SolvedGame| limit.is_none_or(|limit| row.seconds < limit);
    let rows: Vec<&SolvedGame> = record.rows.iter().filter(fast).collect();
    let progress = bar("results", rows.len());
    let mut wrong = 0;
    for row in &rows {
        progress.set_message(row.game.clone());
        let found = rerun(row).with_context(|| format!("'ratlla-lab {}'", row.arguments()))?;
        let differences = differences(row, &found);
        wrong += usize::from(!differences.is_empty());
        for difference in differences {
            progress.suspend(|| println!("{}: {difference}", row.game));
        }
        progress.inc(1);
    }
    drop(progress);
    ensure!(wrong == 0, "{wrong} of {} results differ from the record", rows.len());
    println!("{} of {} results found again", rows.len(), record.rows.len());
    Ok(())
}

/// The row that the command of a row prints now.
fn rerun(row: &SolvedGame) -> Result<SolvedGame> {
    let program = std::env::current_exe().context("cannot find the program itself")?;
    let output = Command::new(program)
        .args(row.arguments().split(' '))
        .arg("--json")
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()?;
    ensure!(output.status.success(), "it failed ({})", output.status);
    let text = String::from_utf8(output.stdout).context("its output is not text")?;
    SolvedGame::parse(text.trim_end())
}

/// What contradicts the record. Nodes and lines of best play may differ: there are many.
fn differences(recorded: &SolvedGame, found: &SolvedGame) -> Vec<String> {
    let mut differences = Vec::new();
    if recorded.game != found.game {
        differences.push(format!("solved '{}'", found.game));
    }
    if recorded.score != found.score {
        differences.push(format!("recorded {}, found {}", recorded.score, found.score));
    }
    for ((mv, recorded), (_, found)) in recorded.moves.iter().zip(&found.moves) {
        if recorded != found {
            differences.push(format!("move {mv}: recorded {recorded}, found {found}"));
        }
    }
    differences
}

#[cfg(test)]
mod tests {
    use super::super::row::tests::ROW;
    use super::super::value::Value;
    use super::*;

    #[test]
    fn every_difference_is_named() {
        let row = SolvedGame::parse(ROW).expect("a row");
        let same = SolvedGame { nodes: 1, seconds: 2.0, pv: "1".to_owned(), ..row.clone() };
        assert_eq!(differences(&row, &same), [""; 0]);
        let mut other = row.clone();
        other.score = Value::Margin(4);
        other.moves[0].1 = Value::Margin(4);
        let named =
            ["recorded margin 2, found margin 4", "move 1: recorded margin 0, found margin 4"];
        assert_eq!(differences(&row, &other), named);
    }
}
