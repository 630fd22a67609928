//! The tables of `docs/reliability.md`.

use anyhow::{Result, bail};
use indicatif::HumanCount;
use ratlla_common::page;
use ratlla_common::table::Align::{Left, Right};
use ratlla_common::table::Table;

use super::{Kind, Row, Under};

/// The page with every table written anew.
pub fn update(page: &str, record: &[Row]) -> Result<String> {
    page::update(page, |name| {
        let table = match name {
            "fuzz" => fuzz(record),
            "instrumented" => instrumented(record),
            "sequences" => sequences(record),
            "soak" => soak(record),
            _ => bail!("there is no table '{name}'"),
        };
        Ok(table.to_string())
    })
}

fn fuzz(record: &[Row]) -> Table {
    let mut table = Table::new(&[
        ("target", Left),
        ("seconds", Right),
        ("inputs", Right),
        ("coverage", Right),
        ("new", Right),
        ("date", Left),
        ("machine", Left),
    ]);
    for Row { date, on, kind } in record {
        let Kind::Fuzz { target, seconds, inputs, coverage, new } = kind else { continue };
        table.row([
            format!("`{target}`"),
            count(*seconds),
            count(*inputs),
            count(*coverage),
            count(*new),
            date.clone(),
            on.clone(),
        ]);
    }
    table
}

fn instrumented(record: &[Row]) -> Table {
    let mut table =
        Table::new(&[("under", Left), ("passed", Left), ("date", Left), ("machine", Left)]);
    for Row { date, on, kind } in record {
        let (under, passed) = match kind {
            Kind::Tests { under, tests } => (under, format!("{} tests", count(*tests))),
            Kind::Sequences { under: Some(under), sequences, searches, .. } => {
                (under, format!("{} sequences, {} searches", count(*sequences), count(*searches)))
            }
            _ => continue,
        };
        table.row([name(*under).to_owned(), passed, date.clone(), on.clone()]);
    }
    table
}

fn name(under: Under) -> &'static str {
    match under {
        Under::AddressSanitizer => "address sanitizer",
        Under::ThreadSanitizer => "thread sanitizer",
        Under::Miri => "Miri",
    }
}

fn sequences(record: &[Row]) -> Table {
    let mut table = Table::new(&[
        ("sequences", Right),
        ("`go`", Right),
        ("perft counts, trees", Right),
        ("seconds", Right),
        ("memory: first", Right),
        ("last", Right),
        ("max", Right),
        ("date", Left),
        ("machine", Left),
    ]);
    for Row { date, on, kind } in record {
        let Kind::Sequences { under: None, sequences, searches, counts, seconds, memory } = kind
        else {
            continue;
        };
        let [first, last, max] = match memory {
            Some(memory) => [memory.first, memory.last, memory.max].map(mebibytes),
            None => ["", "", ""].map(str::to_owned),
        };
        table.row([
            count(*sequences),
            count(*searches),
            counts.map(count).unwrap_or_default(),
            seconds.map(count).unwrap_or_default(),
            first,
            last,
            max,
            date.clone(),
            on.clone(),
        ]);
    }
    table
}

fn soak(record: &[Row]) -> Table {
    let mut table = Table::new(&[
        ("minutes", Right),
        ("games", Right),
        ("moves", Right),
        ("faults", Right),
        ("late during a stall", Right),
        ("slowest other move", Right),
        ("longest stall", Right),
        ("max memory", Right),
        ("date", Left),
        ("machine", Left),
    ]);
    for Row { date, on, kind } in record {
        let Kind::Soak {
            minutes,
            games,
            moves,
            excused,
            slowest_ms,
            longest_stall_ms,
            max_memory_mib,
        } = kind
        else {
            continue;
        };
        table.row([
            count(*minutes),
            count(*games),
            count(*moves),
            // A run with a fault has no row.
            "0".to_owned(),
            count(*excused),
            format!("{slowest_ms} ms"),
            longest_stall_ms.map(|stall| format!("{stall} ms")).unwrap_or_default(),
            mebibytes(*max_memory_mib),
            date.clone(),
            on.clone(),
        ]);
    }
    table
}

fn mebibytes(size: f64) -> String {
    format!("{size:.1} MiB")
}

fn count(number: u64) -> String {
    HumanCount(number).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_under_a_tool_is_not_among_the_others() {
        let sequences = |under| Kind::Sequences {
            under,
            sequences: 777,
            searches: 2,
            counts: Some(3),
            seconds: Some(4),
            memory: None,
        };
        let row = |kind| Row { date: "2026-01-31".to_owned(), on: "2 CPUs".to_owned(), kind };
        let plain = [row(sequences(None))];
        let instrumented = [row(sequences(Some(Under::ThreadSanitizer)))];
        let has = |record: &[Row], name: &str| {
            let page = format!("<!-- table {name} -->\n<!-- end -->\n");
            update(&page, record).expect("a page").contains("777")
        };
        assert!(has(&plain, "sequences") && !has(&plain, "instrumented"));
        assert!(!has(&instrumented, "sequences") && has(&instrumented, "instrumented"));
        let error = update("<!-- table chess -->\n<!-- end -->\n", &plain).expect_err("refused");
        assert_eq!(error.to_string(), "there is no table 'chess'");
    }
}
