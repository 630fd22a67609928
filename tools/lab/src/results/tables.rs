//! The tables, by their names on the page.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use indicatif::HumanCount;
use ratlla_common::table::{Align, Table};

use super::endgames::{self, ClassStats};
use super::record::Record;
use crate::solved_game::SolvedGame;

/// The table with this name.
pub fn table(name: &str, record: &Record) -> Result<String> {
    let table = match name {
        "kalah" | "wali" => details(record.of(name)),
        "boom" => boom_claims(record),
        "wali-classes" => wali_classes(record),
        "kalah-values" => kalah_values(record, false),
        "kalah-empty-values" => kalah_values(record, true),
        _ => match name.strip_prefix("connect4-").map(|rest| rest.split_once('-')) {
            Some(None) => details(lines_of(record, &name["connect4-".len()..])),
            Some(Some((line, "values"))) => connect4_values(record, line),
            _ => bail!("there is no table '{name}'"),
        },
    };
    Ok(table.to_string())
}

/// The boards of Connect Four with lines of this length.
fn lines_of<'a>(record: &'a Record, line: &'a str) -> impl Iterator<Item = &'a SolvedGame> {
    record.of("connect4").filter(move |row| line_length(row).to_string() == line)
}

/// The length of a line in a game of Connect Four.
pub fn line_length(row: &SolvedGame) -> usize {
    row.numbers().get(2).copied().unwrap_or_default()
}

/// Every row with everything that is known about it.
fn details<'a>(rows: impl Iterator<Item = &'a SolvedGame>) -> Table {
    let mut table = Table::new(&[
        ("game", Align::Left),
        ("value", Align::Left),
        ("first moves", Align::Left),
        ("nodes", Align::Right),
        ("time", Align::Right),
        ("memory", Align::Right),
        ("command", Align::Left),
        ("found before by", Align::Left),
    ]);
    for row in rows {
        table.row([
            label(row),
            row.score.to_string(),
            first_moves(row),
            HumanCount(row.nodes).to_string(),
            duration(row.seconds),
            row.memory_mib.map_or_else(String::new, |mib| format!("{} MiB", HumanCount(mib))),
            commands(row),
            row.known.clone().unwrap_or_default(),
        ]);
    }
    table
}

/// The command that finds a row again, after the one that builds the table it takes.
fn commands(row: &SolvedGame) -> String {
    let commands = row.table_arguments().into_iter().chain([row.arguments()]);
    commands
        .map(|arguments| format!("`ratlla-lab {arguments}`"))
        .collect::<Vec<_>>()
        .join(", then ")
}

/// The usual short name of a game: `6x7` for a board, `(6,4)` for houses and seeds.
fn label(row: &SolvedGame) -> String {
    match (row.name(), &row.numbers()[..]) {
        ("connect4", [rows, columns, ..]) => format!("{rows}x{columns}"),
        ("kalah", [houses, seeds]) if row.has_word("empty") => format!("({houses},{seeds}) empty"),
        ("kalah", [houses, seeds]) => format!("({houses},{seeds})"),
        ("wali", [rows, columns, stones]) => format!("{rows}x{columns}x{stones}"),
        _ => row.game.clone(),
    }
}

/// The value of every first move, the best ones in bold.
fn first_moves(row: &SolvedGame) -> String {
    let moves = row.moves.iter().map(|(_, value)| match *value == row.score {
        true => format!("**{}**", value.short()),
        false => value.short(),
    });
    moves.collect::<Vec<_>>().join(" ")
}

/// The values of Kalah by houses and seeds.
fn kalah_values(record: &Record, empty: bool) -> Table {
    let rows = record.of("kalah").filter(|row| row.has_word("empty") == empty);
    grid("houses \\ seeds", rows)
}

/// The values of Connect Four by rows and columns.
fn connect4_values(record: &Record, line: &str) -> Table {
    grid("rows \\ columns", lines_of(record, line))
}

/// The values of games by their first two parameters.
fn grid<'a>(corner: &str, rows: impl Iterator<Item = &'a SolvedGame>) -> Table {
    let cells: Vec<(usize, usize, String)> = rows
        .filter_map(|row| match row.numbers()[..] {
            [down, across, ..] => {
                let text = row.score.short();
                // What nobody is known to have published stands out.
                let text = if row.known.is_none() { format!("**{text}**") } else { text };
                Some((down, across, text))
            }
            _ => None,
        })
        .collect();
    let down: BTreeSet<usize> = cells.iter().map(|&(down, _, _)| down).collect();
    let across: BTreeSet<usize> = cells.iter().map(|&(_, across, _)| across).collect();
    let headings: Vec<String> = across.iter().map(usize::to_string).collect();
    let mut columns = vec![(corner, Align::Right)];
    columns.extend(headings.iter().map(|heading| (heading.as_str(), Align::Right)));
    let mut table = Table::new(&columns);
    for &row in &down {
        let value = |column: usize| {
            let mut found =
                cells.iter().filter(|&&(down, across, _)| (down, across) == (row, column));
            found.next().map_or_else(String::new, |(_, _, text)| text.clone())
        };
        let mut line = vec![format!("**{row}**")];
        line.extend(across.iter().map(|&column| value(column)));
        table.row(line);
    }
    table
}

/// What is proved about BOOM.
fn boom_claims(record: &Record) -> Table {
    let mut table = Table::new(&[
        ("after", Align::Left),
        ("claim", Align::Left),
        ("positions", Align::Right),
        ("certificate", Align::Left),
        ("entries", Align::Right),
        ("sha256", Align::Left),
        ("command", Align::Left),
    ]);
    for claim in &record.claims {
        let file = claim.certificate.rsplit('/').next().unwrap_or_default();
        table.row([
            if claim.after.is_empty() { "the start".to_owned() } else { claim.after.clone() },
            claim.claim.clone(),
            HumanCount(claim.positions as u64).to_string(),
            format!("[{file}]({})", claim.certificate),
            HumanCount(claim.entries as u64).to_string(),
            format!("{}…", claim.checksum.get(..16).unwrap_or(&claim.checksum)),
            format!("`ratlla-lab {}`", claim.arguments()),
        ]);
    }
    table
}

/// The endgames of Wali on its usual board, with the tables they come from.
fn wali_classes(record: &Record) -> Table {
    let headings =
        ["own", "enemy", "positions", "won", "lost", "drawn", "longest win", "longest loss"];
    let mut table = Table::new(&headings.map(|heading| (heading, Align::Right)));
    let classes: Vec<ClassStats> =
        record.classes.iter().filter(|class| class.game == "wali").cloned().collect();
    let plies = |plies: Option<usize>| plies.map_or_else(String::new, |plies| plies.to_string());
    for class in &classes {
        let ClassStats { own, enemy, positions, won, lost, drawn, .. } = class;
        let counts = [positions, won, lost, drawn].map(|count| HumanCount(*count).to_string());
        let mut cells = vec![own.to_string(), enemy.to_string()];
        cells.extend(counts);
        cells.extend([class.longest_win, class.longest_loss].map(plies));
        table.row(cells);
    }
    let mut checksums: Vec<&str> = Vec::new();
    for class in &classes {
        if !checksums.contains(&class.table_checksum.as_str()) {
            checksums.push(&class.table_checksum);
            let [build, stats] = endgames::arguments(class, &classes);
            let checksum = &class.table_checksum;
            table.note(format!("Table {checksum}: `ratlla-lab {build}`, `ratlla-lab {stats}`"));
        }
    }
    table
}

/// A time for people: `0.02 s`, `12 s`, `3 min 20 s`, `2 h 05 min`.
pub fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..10 => format!("{seconds:.2} s"),
        10..100 => format!("{whole} s"),
        100..3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::Row;
    use super::*;
    use crate::solved_game::tests::ROW;

    #[test]
    fn a_grid_has_gaps_where_nothing_was_solved() {
        let mut record = Record::default();
        let row = SolvedGame::parse(ROW).expect("a row");
        for (game, known) in [("kalah 2 1", None), ("kalah 3 4", Some("Author 2000".to_owned()))] {
            record.add(Row::Game(SolvedGame { game: game.to_owned(), known, ..row.clone() }));
        }
        let text = table("kalah-values", &record).expect("a table");
        let cells: Vec<Vec<&str>> = text
            .lines()
            .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
            .collect();
        assert_eq!(cells[0], ["houses \\ seeds", "1", "4"]);
        assert_eq!(cells[2], ["**2**", "**+2**", ""]);
        assert_eq!(cells[3], ["**3**", "", "+2"]);
    }

    #[test]
    fn lines_of_other_lengths_have_tables_of_their_own() {
        let mut record = Record::default();
        let row = SolvedGame::parse(ROW).expect("a row");
        for game in ["connect4 4 5 4", "connect4 5 5 5", "connect4 6 5 4"] {
            record.add(Row::Game(SolvedGame { game: game.to_owned(), ..row.clone() }));
        }
        let four = table("connect4-4", &record).expect("a table");
        assert!(four.contains("| 4x5 ") && four.contains("| 6x5 "), "{four}");
        assert!(table("connect4-5", &record).expect("a table").contains("| 5x5 "));
        assert!(table("connect4-5-values", &record).expect("a table").contains("**5**"));
        assert!(table("connect5", &record).is_err());
    }

    #[test]
    fn durations_are_readable() {
        for (seconds, text) in [
            (0.021, "0.02 s"),
            (12.4, "12 s"),
            (200.0, "3 min 20 s"),
            (7500.0, "2 h 05 min"),
            (9.6, "10 s"),
        ] {
            assert_eq!(duration(seconds), text);
        }
    }
}
