//! The tables of `docs/results.md`.

use anyhow::Result;
use ratlla_common::page;

use super::record::Record;
use super::tables;

/// The page with every table written anew.
pub fn update(page: &str, record: &Record) -> Result<String> {
    page::update(page, |name| tables::table(name, record))
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
    fn tables_are_named() {
        let record = Record::parse(&format!("{ROW}\n")).expect("a record");
        let page = "<!-- table kalah -->\nold\n<!-- end -->\n";
        let updated = update(page, &record).expect("a page");
        assert!(updated.starts_with("<!-- table kalah -->\n\n| game "), "{updated}");
        let error = update("<!-- table chess -->\n<!-- end -->\n", &record).expect_err("refused");
        assert_eq!(error.to_string(), "there is no table 'chess'");
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
