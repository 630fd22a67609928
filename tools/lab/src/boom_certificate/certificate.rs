//! Certificates as text. The format is described in `docs/certificates.md`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context, Error, Result, bail, ensure};
use sha2::{Digest, Sha256};

use super::claim::{Claim, Walk};
use super::rules::{BOOM, Position, mirrored};

const MAGIC: &str = "ratlla certificate 1";
const GAME: &str = "game boom";

/// A claim and the moves that prove it.
#[derive(Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The claim.
    pub claim: Claim,
    /// The moves from the start to the position that the claim is about.
    pub moves: Vec<u8>,
    /// The claimant's move in each position, given for the lesser of two mirror images.
    pub entries: BTreeMap<Position, u8>,
}

impl Certificate {
    /// Verifies the claim by the rules alone. Returns the number of positions visited.
    pub fn check(&self) -> Result<usize> {
        let mut unused = self.entries.len();
        let visited = Walk::run(self.claim, &position_after(&self.moves)?, |position| {
            let (canonical, is_mirrored) = position.canonical();
            let entry = self.entries.get(&canonical);
            unused -= usize::from(entry.is_some());
            Ok(entry.map(|&mv| if is_mirrored { mirrored(mv) } else { mv }))
        })?;
        ensure!(unused == 0, "{unused} entries for positions that do not occur");
        Ok(visited)
    }

    /// The moves from the start to the position that the claim is about, in one line.
    pub fn moves_text(&self) -> String {
        let moves: Vec<String> = self.moves.iter().map(|&mv| move_text(mv)).collect();
        moves.join(" ")
    }

    /// The position that the claim is about, as the engine's command `position` has it.
    fn position_text(&self) -> String {
        match self.moves_text().as_str() {
            "" => "startpos".to_owned(),
            moves => format!("startpos moves {moves}"),
        }
    }

    /// The file's text, with its checksum.
    pub fn to_text(&self) -> String {
        let entries: String =
            self.entries.iter().map(|(at, &mv)| format!("{at} {}\n", move_text(mv))).collect();
        let mut text = format!(
            "{MAGIC}\n{GAME}\nposition {}\nclaim {}\nentries {}\n{entries}",
            self.position_text(),
            self.claim,
            self.entries.len()
        );
        text += &checksum_line(&text);
        text
    }

    /// Reads what [`Self::to_text`] writes, and nothing else.
    pub fn parse(text: &str) -> Result<Certificate> {
        ensure!(text.starts_with(MAGIC), "not a certificate: expected '{MAGIC}' in line 1");
        let (signed, _) = text.rsplit_once("sha256").context("damaged: no checksum")?;
        ensure!(text[signed.len()..] == checksum_line(signed), "damaged: wrong checksum");
        let mut lines = signed.lines();
        ensure!(lines.next() == Some(MAGIC), "line 1: expected '{MAGIC}'");
        ensure!(lines.next() == Some(GAME), "line 2: expected '{GAME}'");
        let mut value = |key: &str| {
            let value = lines.next().and_then(|line| line.strip_prefix(key));
            value.with_context(|| format!("expected a line '{key} ...'"))
        };
        let moves = value("position startpos")?.split_whitespace().skip(1);
        let moves = moves.map(parse_move).collect::<Result<_>>()?;
        let claim = value("claim ")?.parse().map_err(Error::msg)?;
        let count: usize = value("entries ")?.parse().context("entries: expected a number")?;
        let mut entries = BTreeMap::new();
        for line in lines {
            let (position, mv) = parse_entry(line)
                .with_context(|| format!("'{}' is not an entry", line.escape_debug()))?;
            entries.insert(position, mv);
        }
        ensure!(entries.len() == count, "expected {count} entries, found {}", entries.len());
        let certificate = Certificate { claim, moves, entries };
        ensure!(certificate.to_text() == text, "entries out of order, or superfluous characters");
        Ok(certificate)
    }
}

/// The position after `moves` from the start; the game must not be over.
pub fn position_after(moves: &[u8]) -> Result<Position> {
    let mut position = Position::start();
    for &mv in moves {
        let legal = position.winner().is_none() && position.legal_moves().contains(&mv);
        ensure!(legal, "move {} is illegal: '{}'", position.number, move_text(mv));
        position = position.after(mv);
    }
    ensure!(position.winner().is_none(), "the game is over after the moves");
    Ok(position)
}

/// Reads a move: a column or `boom`.
pub fn parse_move(text: &str) -> Result<u8> {
    match text.as_bytes() {
        b"boom" => Ok(BOOM),
        &[digit @ b'1'..=b'7'] => Ok(digit - b'0'),
        _ => bail!("expected a column (1..7) or 'boom', found '{}'", text.escape_debug()),
    }
}

fn move_text(mv: u8) -> String {
    if mv == BOOM { "boom".to_owned() } else { mv.to_string() }
}

fn parse_entry(line: &str) -> Result<(Position, u8)> {
    let [number, columns, mv] = line.split(' ').collect::<Vec<_>>()[..] else {
        bail!("expected a move number, the columns and a move");
    };
    let position = Position::parse(number, columns)
        .context("expected the pieces (1, 2, 4, 5) of seven columns, separated by '/'")?;
    ensure!(!position.canonical().1, "its mirror image comes first");
    Ok((position, parse_move(mv)?))
}

/// The last line: the SHA-256 checksum of everything before it.
pub fn checksum_line(text: &str) -> String {
    let mut line = "sha256 ".to_owned();
    for byte in Sha256::digest(text) {
        write!(line, "{byte:02x}").expect("writing to a string");
    }
    line + "\n"
}
