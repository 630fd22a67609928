//! Rows about claims that have a certificate, which `ratlla-lab boom-certificate check` verifies.

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

/// A claim and the file that proves it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertifiedClaim {
    /// The words after `newgame`.
    pub game: String,
    /// The moves from its start to the position that the claim is about.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub after: String,
    /// What is claimed, in the words of the certificate.
    pub claim: String,
    /// The file, in the folder of the documents.
    pub certificate: String,
    /// The checksum in the last line of the file.
    pub checksum: String,
    /// Positions for which the certificate has a move.
    pub entries: usize,
    /// Positions that the checker visits.
    pub positions: usize,
}

/// Reads a row.
pub fn parse(line: &str) -> Result<CertifiedClaim> {
    let row: CertifiedClaim = serde_json::from_str(line)?;
    ensure!(row.game == "boom", "expected the game boom, got '{}'", row.game);
    Ok(row)
}

impl CertifiedClaim {
    /// The arguments of `ratlla-lab` that verify it, from the folder above the documents.
    pub fn arguments(&self) -> String {
        format!("boom-certificate check docs/{}", self.certificate)
    }

    /// Compares the row with the text of its certificate.
    pub fn check_text(&self, text: &str) -> Result<()> {
        let line = |name: &str| {
            let found = text.lines().find_map(|line| line.strip_prefix(name));
            found.map(str::trim).with_context(|| format!("{}: no '{name}'", self.certificate))
        };
        let entries = self.entries.to_string();
        let position = self.position();
        for (name, expected) in [
            ("position", &position),
            ("claim", &self.claim),
            ("entries", &entries),
            ("sha256", &self.checksum),
        ] {
            let found = line(name)?;
            let file = &self.certificate;
            ensure!(found == expected, "{file}: {name} is '{found}', recorded '{expected}'");
        }
        Ok(())
    }

    /// What the checker prints about the certificate, after its name.
    pub fn verdict(&self) -> String {
        let CertifiedClaim { claim, entries, positions, .. } = self;
        format!("{claim} from {}, {entries} entries, {positions} positions", self.position())
    }

    /// The position that the claim is about, in the words of a `position` command.
    fn position(&self) -> String {
        match self.after.as_str() {
            "" => "startpos".to_owned(),
            moves => format!("startpos moves {moves}"),
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub const ROW: &str = r#"{"game":"boom","after":"1","claim":"p2 wins by 18","certificate":"certificates/x.txt","checksum":"ab","entries":16,"positions":99}"#;

    #[test]
    fn a_row_is_compared_with_its_certificate() {
        let row = parse(ROW).expect("a row");
        assert_eq!(serde_json::to_string(&row).expect("JSON"), ROW);
        let text = "ratlla certificate 1\ngame boom\nposition startpos moves 1\nclaim p2 wins by 18\nentries 16\nsha256 ab\n";
        row.check_text(text).expect("agreement");
        for (from, to) in [("moves 1", "moves"), ("by 18", "by 19"), (" ab", " ac"), ("sha256", "")]
        {
            assert!(row.check_text(&text.replacen(from, to, 1)).is_err(), "{to}");
        }
        assert!(parse(&ROW.replace("boom", "wali")).is_err());
        assert!(parse(&ROW.replace("\"after\"", "\"before\"")).is_err());
    }
}
