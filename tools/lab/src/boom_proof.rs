//! Proves that player 1 wins Conecta-4 BOOM from the start.
//!
//! The search proposes one move for player 1 in each position; against it *every* legal reply of
//! player 2 is tried, until player 1 has a line. Only the rules decide what is legal and who has
//! won: errors of the evaluator's pruning, the transposition table or the search depth can make the
//! proof fail, but not succeed wrongly.

use std::collections::HashSet;

use anyhow::{Error, Result, bail};
use clap::Args;
use ratlla::endgames::EndgameStore;
use ratlla::game::{Game, Notation, Outcome, Side};
use ratlla::games::boom::board::{Board, Move, Pieces};
use ratlla::limits::{Limits, SearchControl};
use ratlla::search::result::ReportedScore;
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::search::{Pruning, SearchRequest, search};
use ratlla::settings::Settings;
use ratlla::strategy::Playable;

/// Transposition table of the proposing search, in MiB.
const HASH: usize = 256;

/// Arguments of `boom-proof`.
#[derive(Args)]
pub struct BoomProof {
    /// Number of the move by which player 1 must have won
    #[arg(default_value_t = 25)]
    last_move: u16,
}

impl BoomProof {
    /// Prints the size of the proof; fails with the first line that is not won in time.
    pub fn run(&self) -> Result<()> {
        let table = TranspositionTable::new(HASH).map_err(Error::msg)?;
        let mut proof =
            Proof { last_move: self.last_move, table, won: HashSet::new(), searches: 0 };
        proof.prove(&mut Board::new())?;
        println!(
            "player 1 wins by move {}: {} positions of player 2 checked, {} searches",
            self.last_move,
            proof.won.len(),
            proof.searches
        );
        Ok(())
    }
}

/// Everything that the rest of a game depends on.
type Position = (Pieces, u16);

struct Proof {
    last_move: u16,
    table: TranspositionTable,
    /// Positions with player 2 to move from which player 1 wins in time.
    won: HashSet<Position>,
    searches: u64,
}

impl Proof {
    /// Fails, with the position, unless player 1 wins in time.
    fn prove(&mut self, board: &mut Board) -> Result<()> {
        match board.outcome() {
            Some(Outcome::Win(Side::P1)) => return Ok(()),
            None if board.number() <= self.last_move => {}
            _ => bail!("not won: {}", board.position_text()),
        }
        if board.side_to_move() == Side::P1 {
            let mv = self.proposed_move(board)?;
            return self.prove_after(board, mv);
        }
        let position = (*board.pieces(), board.number());
        if !self.won.contains(&position) {
            for mv in legal_moves(board) {
                self.prove_after(board, mv)?;
            }
            self.won.insert(position);
        }
        Ok(())
    }

    fn prove_after(&mut self, board: &mut Board, mv: Move) -> Result<()> {
        let undo = board.play(mv);
        let result = self.prove(board);
        board.undo(mv, undo);
        result
    }

    /// A move of player 1 that the search takes for a win in time.
    fn proposed_move(&mut self, board: &Board) -> Result<Move> {
        self.searches += 1;
        let plies = usize::from(self.last_move + 1 - board.number());
        let limits = Limits { depth: Some(plies as u32 + 2), ..Limits::default() };
        let request = SearchRequest {
            game: board,
            moves: &legal_moves(board),
            limits: &limits,
            control: &SearchControl::new(false, false),
            tt: &self.table,
            settings: &Settings::default(),
        };
        let evaluator = board.evaluator(&EndgameStore::default());
        let found = search(&request, &evaluator, Pruning::FULL, &mut |_| {});
        let line = &found.lines[0];
        match line.score {
            Some(ReportedScore::Win(end)) if end <= plies => Ok(line.moves[0]),
            _ => bail!("no win in {plies} plies: {}", board.position_text()),
        }
    }
}

fn legal_moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.legal_moves(&mut moves);
    moves
}
