//! The tables of `docs/results.md`.
//!
//! A table stands between `<!-- table NAME -->` and `<!-- end -->`, and is written from the record
//! alone; the text around is written by hand.

use anyhow::{Context, Result, ensure};

use super::record::Record;
use super::tables;

const BEGIN: &str = "<!-- table ";
const END: &str = "<!-- end -->";

/// The page with every table written anew.
pub fn update(page: &str, record: &Record) -> Result<String> {
    let mut written = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        written += line;
        written.push('\n');
        let Some(rest) = line.strip_prefix(BEGIN) else { continue };
        let name = rest.strip_suffix(" -->").with_context(|| format!("'{line}' is incomplete"))?;
        loop {
            let old = lines.next().with_context(|| format!("'{line}' has no '{END}'"))?;
            if old == END {
                break;
            }
            ensure!(!old.starts_with(BEGIN), "'{line}' has no '{END}' before '{old}'");
        }
        written += &format!("\n{}\n{END}\n", tables::table(name, record)?);
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::{PAGE, RECORD};
    use super::*;
    use crate::solved_game::tests::ROW;

    /// A file of this repository's documents.
    fn document(name: &str) -> String {
        let path = format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("a document")
    }

    #[test]
    fn tables_are_replaced_and_text_is_kept() {
        let record = Record::parse(&format!("{ROW}\n")).expect("a record");
        let page = "# Title\n\n<!-- table kalah -->\nold\n<!-- end -->\ntext\n";
        let updated = update(page, &record).expect("a page");
        assert!(updated.starts_with("# Title\n\n<!-- table kalah -->\n\n| game "), "{updated}");
        assert!(updated.ends_with("|\n\n<!-- end -->\ntext\n"), "{updated}");
        assert!(!updated.contains("old"));
        assert_eq!(update(&updated, &record).expect("a page"), updated);
    }

    #[test]
    fn wrong_marks_are_refused() {
        for (page, reason) in [
            ("<!-- table chess -->\n<!-- end -->\n", "there is no table 'chess'"),
            ("<!-- table kalah\n", "incomplete"),
            ("<!-- table kalah -->\nold\n", "has no '<!-- end -->'"),
            ("<!-- table kalah -->\n<!-- table kalah -->\n<!-- end -->\n", "before"),
        ] {
            let error = update(page, &Record::default()).expect_err("refused");
            assert!(error.to_string().contains(reason), "{error}");
        }
    }

    #[test]
    fn the_page_is_up_to_date() {
        let record = Record::parse(&document(RECORD)).expect("the record");
        let page = document(PAGE);
        let updated = update(&page, &record).expect("the page");
        assert!(updated == page, "run 'ratlla-lab results page'");
        let text = page.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("Every game was solved with one thread"));
        for row in &record.games {
            assert_eq!(row.threads, 1, "{}", row.game);
            let command = format!("`ratlla-lab {}`", row.arguments());
            assert!(page.contains(&command), "'{}' is not on the page", row.game);
        }
        for claim in &record.claims {
            claim.check_text(&document(&claim.certificate)).expect("the same claim");
            let command = format!("`ratlla-lab {}`", claim.arguments());
            assert!(page.contains(&command), "'{}' is not on the page", claim.certificate);
        }
        for class in &record.classes {
            assert!(page.contains(&class.table_checksum), "{class:?} is not on the page");
        }
    }

    #[test]
    fn every_command_is_well_formed() {
        let page = document(PAGE);
        // In backquotes, or a line of its own.
        let mut commands: Vec<&str> = page.split(['`', '\n']).collect();
        commands.retain(|text| text.starts_with("ratlla-lab "));
        assert!(commands.len() > 20);
        for command in commands {
            let parsed = crate::Command::try_parse_from(command.split(' '));
            assert!(parsed.is_ok(), "{command}: {}", parsed.err().expect("an error"));
        }
    }
}
