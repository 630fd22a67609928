//! Computes results of the record again and compares.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use indicatif::ProgressBar;
use ratlla_common::progress::bar;

use super::certificates::CertifiedClaim;
use super::endgames::{self, ClassStats};
use super::record::Record;
use crate::solved_game::SolvedGame;

/// Positions of endgames that are computed in a second, at the least.
const POSITIONS_PER_SECOND: f64 = 3e6;

/// Runs the commands of all rows that take less than `limit` seconds, each as a process of its
/// own, as a reader of the page would. Prints what differs, and fails if anything does.
///
/// Certificates are always verified; they are files in the folder `docs`.
pub fn check(record: &Record, docs: &Path, limit: Option<f64>) -> Result<()> {
    let limit = limit.unwrap_or(f64::INFINITY);
    // Building a table may take longer than everything else.
    let fast =
        |row: &&SolvedGame| row.seconds < limit && (row.table.is_none() || limit.is_infinite());
    let games: Vec<&SolvedGame> = record.games.iter().filter(fast).collect();
    let folder = tempfile::tempdir().context("no temporary folder")?;
    let tables = fast_tables(&record.classes, limit);
    let progress = bar("results", games.len() + record.claims.len() + tables.len());
    let mut wrong = 0;
    for game in &games {
        progress.set_message(game.game.clone());
        if let Some(build) = game.table_arguments() {
            run(&build, folder.path())?;
        }
        let output = run(&format!("{} --json", game.arguments()), folder.path())?;
        let found = SolvedGame::parse(output.trim_end())?;
        wrong += report(&progress, &game.game, differences(game, &found));
        if let Some(table) = &game.table {
            fs::remove_file(folder.path().join(table)).context("cannot remove the table")?;
        }
    }
    for claim in &record.claims {
        progress.set_message(claim.certificate.clone());
        wrong += report(&progress, &claim.certificate, claim_differences(claim, docs)?);
    }
    for table in &tables {
        progress.set_message(table[0].game.clone());
        wrong += report(&progress, &table[0].game, table_differences(table)?);
    }
    drop(progress);
    let count =
        games.len() + record.claims.len() + tables.iter().map(|table| table.len()).sum::<usize>();
    ensure!(wrong == 0, "{wrong} of {count} results differ from the record");
    let (certificates, slow) = (record.claims.len(), record.len() - count);
    println!("{count} results found again, {certificates} of them certificates that were verified");
    if slow > 0 {
        println!("{slow} results skipped, which take longer than {limit} s or need a table");
    }
    Ok(())
}

/// Prints what differs in one result, and returns how many results are wrong: none or one.
fn report(progress: &ProgressBar, name: &str, differences: Vec<String>) -> usize {
    for difference in &differences {
        progress.suspend(|| println!("{name}: {difference}"));
    }
    progress.inc(1);
    usize::from(!differences.is_empty())
}

/// The output of this program with these arguments, in a folder.
fn run(arguments: &str, folder: &Path) -> Result<String> {
    let program = std::env::current_exe().context("cannot find the program itself")?;
    let mut command = Command::new(program);
    command.args(arguments.split(' ')).current_dir(folder);
    command.stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = command.output().with_context(|| format!("'ratlla-lab {arguments}'"))?;
    ensure!(output.status.success(), "'ratlla-lab {arguments}' failed ({})", output.status);
    String::from_utf8(output.stdout).context("the output is not text")
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
    if recorded.moves.len() != found.moves.len() {
        differences.push(format!(
            "{} first moves instead of {}",
            found.moves.len(),
            recorded.moves.len()
        ));
    }
    for ((mv, recorded), (_, found)) in recorded.moves.iter().zip(&found.moves) {
        if recorded != found {
            differences.push(format!("move {mv}: recorded {recorded}, found {found}"));
        }
    }
    differences
}

/// Verifies a certificate and compares it with its row.
fn claim_differences(claim: &CertifiedClaim, docs: &Path) -> Result<Vec<String>> {
    let path = docs.join(&claim.certificate);
    let text = super::read(&path)?;
    if let Err(difference) = claim.check_text(&text) {
        return Ok(vec![difference.to_string()]);
    }
    let output = run(&format!("boom-certificate check {}", claim.certificate), docs)?;
    let verdict = output.trim_end().strip_prefix(&format!("{}: ", claim.certificate));
    let agrees = verdict == Some(&claim.verdict());
    Ok((!agrees)
        .then(|| format!("recorded '{}', found '{output}'", claim.verdict()))
        .into_iter()
        .collect())
}

/// The classes of each table that is built within `limit` seconds.
fn fast_tables(classes: &[ClassStats], limit: f64) -> Vec<Vec<ClassStats>> {
    let mut tables: Vec<Vec<ClassStats>> = Vec::new();
    for class in classes {
        let same = |table: &&mut Vec<ClassStats>| table[0].table_checksum == class.table_checksum;
        match tables.iter_mut().find(same) {
            Some(table) => table.push(class.clone()),
            None => tables.push(vec![class.clone()]),
        }
    }
    let positions = |table: &[ClassStats]| table.iter().map(|class| class.positions).sum::<u64>();
    tables.retain(|table| positions(table) as f64 / POSITIONS_PER_SECOND < limit);
    tables
}

/// Builds a table again and compares its classes.
fn table_differences(table: &[ClassStats]) -> Result<Vec<String>> {
    let folder = tempfile::tempdir().context("no temporary folder")?;
    let [build, stats] = endgames::arguments(&table[0], table);
    run(&build, folder.path())?;
    let output = run(&stats, folder.path())?;
    let found: Vec<ClassStats> = output.lines().map(endgames::parse).collect::<Result<_>>()?;
    let differs = table.iter().filter(|class| !found.contains(class));
    Ok(differs.map(|class| format!("{} against {} differs", class.own, class.enemy)).collect())
}

#[cfg(test)]
mod tests {
    use super::super::endgames::tests::ROW as CLASS;
    use super::*;
    use crate::solved_game::tests::ROW;
    use crate::value::Value;

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
        other = SolvedGame { moves: Vec::new(), ..row.clone() };
        assert_eq!(differences(&row, &other), ["0 first moves instead of 2"]);
    }

    #[test]
    fn classes_of_one_table_belong_together() {
        let class = endgames::parse(CLASS).expect("a row");
        let other = ClassStats { table_checksum: "1".to_owned(), ..class.clone() };
        let large = ClassStats { positions: 1 << 40, ..other.clone() };
        let tables = fast_tables(&[class.clone(), other, class.clone(), large], 1.0);
        assert_eq!(tables, [[class.clone(), class]]);
    }
}
