//! Makes certificates: the search proposes the claimant's moves.
//!
//! The search is not trusted: what it proposes is checked by the rules alone, here as in
//! [`Certificate::check`].

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Error, Result, bail};
use clap::Args;
use ratlla::endgames::EndgameStore;
use ratlla::game::{Game, Notation};
use ratlla::games::boom::board::{Board, Move};
use ratlla::limits::{Limits, SearchControl};
use ratlla::platform::files::replace;
use ratlla::search::result::ReportedScore;
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::search::{Pruning, SearchRequest, search};
use ratlla::settings::Settings;
use ratlla::strategy::Playable;
use ratlla_common::progress::counter;

use super::certificate::{Certificate, parse_move, position_after};
use super::claim::{Claim, Goal, Walk};
use super::rules::{BOOM, Position, mirrored};

/// Arguments of `boom-certificate make`.
#[derive(Args)]
pub struct Make {
    /// What to prove: 'p1 wins by N' or 'p1 unbeaten before N', or the same of p2
    claim: Claim,
    /// Certificate file to write
    file: PathBuf,
    /// Moves before the position that the claim is about
    #[arg(long, num_args = 1.., value_name = "MOVE", value_parser = parse_move)]
    moves: Vec<u8>,
    /// Transposition table size in MiB
    #[arg(long, default_value_t = 256, value_name = "MIB")]
    hash: usize,
}

impl Make {
    /// Writes the certificate; fails with the first position where the search finds no move that
    /// keeps the claim.
    pub fn run(&self) -> Result<()> {
        let certificate = make(self.claim, &self.moves, self.hash)?;
        replace(&self.file, &[certificate.to_text().as_bytes()])
            .with_context(|| format!("cannot write {}", self.file.display()))?;
        println!("{}: {} entries", self.file.display(), certificate.entries.len());
        Ok(())
    }
}

/// A certificate for a claim about the position after `moves`, with `hash` MiB for the search.
///
/// Checked already: the walk that collects the entries is the one that checks them.
pub fn make(claim: Claim, moves: &[u8], hash: usize) -> Result<Certificate> {
    let table = TranspositionTable::new(hash).map_err(Error::msg)?;
    let mut entries = BTreeMap::new();
    let progress = counter("entries");
    Walk::run(claim, &position_after(moves)?, |position| {
        if claim.is_met_soon(position) {
            return Ok(None);
        }
        let mv = propose(claim.goal, position, &table)?;
        let (canonical, is_mirrored) = position.canonical();
        entries.insert(canonical, if is_mirrored { mirrored(mv) } else { mv });
        progress.inc(1);
        Ok(Some(mv))
    })?;
    Ok(Certificate { claim, moves: moves.to_vec(), entries })
}

/// A move of the side to move that reaches its goal, as far as the search knows.
///
/// Fast wins make short certificates, so the search looks for one even where a defence would do.
fn propose(goal: Goal, position: &Position, table: &TranspositionTable) -> Result<u8> {
    let board = engine_board(position)?;
    let mut moves = Vec::new();
    board.legal_moves(&mut moves);
    let (plies, depth, pruning) = match goal {
        Goal::WinsBy(last) => {
            let plies = last + 1 - position.number;
            (plies, plies + 2, Pruning::FULL)
        }
        // Lossy pruning could hide that a defence loses.
        Goal::UnbeatenBefore(first) => {
            let plies = first - position.number;
            (plies, plies, Pruning::FULL.without_lossy())
        }
    };
    let limits = Limits { depth: Some(depth.into()), ..Limits::default() };
    let request = SearchRequest {
        game: &board,
        moves: &moves,
        limits: &limits,
        control: &SearchControl::new(false, false),
        tt: table,
        settings: &Settings::default(),
    };
    let evaluator = board.evaluator(&EndgameStore::default());
    let found = search(&request, &evaluator, pruning, &mut |_| {});
    let line = &found.lines[0];
    let plies = usize::from(plies);
    let keeps_claim = match (goal, line.score) {
        (Goal::WinsBy(_), Some(ReportedScore::Win(end))) => end <= plies,
        (Goal::WinsBy(_), _) => false,
        (Goal::UnbeatenBefore(_), Some(ReportedScore::Loss(end))) => end > plies,
        (Goal::UnbeatenBefore(_), _) => true,
    };
    match line.moves[0] {
        _ if !keeps_claim => bail!("the search finds no move for position {position}"),
        Move::Drop(column) => Ok(column + 1),
        Move::Boom => Ok(BOOM),
    }
}

/// The position as the engine has it.
pub fn engine_board(position: &Position) -> Result<Board> {
    let row = |row: usize| -> String {
        let symbol = |cell: u8| if cell == 0 { '.' } else { char::from(b'0' + cell) };
        (0..7).map(|column| symbol(position.cell(column, row))).collect()
    };
    let rows: Vec<String> = (0..7).rev().map(row).collect();
    let words = ["cells", &rows.join("/"), "move", &position.number.to_string()];
    Board::new().parse_position(&words).map_err(Error::msg)
}
