//! Checks that player 1 wins Conecta-4 BOOM from the start, without believing the search.
//!
//! ```text
//! cargo run --release -p ratlla-boomproof -- [MOVES]
//! ```
//!
//! The search proposes one move for player 1 in each position; against it *every* legal reply of
//! player 2 is tried, and so on until player 1 has a line. Only the rules decide what is legal
//! and who has won: the judge's pruning, the table and the depth of the search can make the
//! check fail, but not succeed wrongly. MOVES is the length of the game, 25 unless given.

use std::collections::HashSet;

use ratlla::game::{Game, Notation, Outcome, Side};
use ratlla::games::boom::board::{Board, Move, Pieces};
use ratlla::limits::{Limits, SearchControl};
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::search::{Pruning, Task, think};
use ratlla::strategy::Playable;

/// Everything that the rest of a game depends on.
type Position = (Pieces, u16);

struct Proof {
    /// The number of the last move that player 1 may need.
    last: u16,
    memory: TranspositionTable,
    /// Positions with player 2 to move that are won for player 1 by the last move.
    won: HashSet<Position>,
    searches: u64,
}

impl Proof {
    /// Whether player 1, to move or not, has been shown to win from here. The line that could
    /// not be shown is the error.
    fn check(&mut self, board: &mut Board) -> Result<(), String> {
        match board.outcome() {
            Some(Outcome::Win(Side::P1)) => return Ok(()),
            Some(_) => return Err(board.position_text()),
            None if board.number() > self.last => return Err(board.position_text()),
            None => {}
        }
        if board.side_to_move() == Side::P1 {
            let mv = self.proposal(board)?;
            return self.after(board, mv);
        }
        let position = (*board.pieces(), board.number());
        if self.won.contains(&position) {
            return Ok(());
        }
        for mv in legal_moves(board) {
            self.after(board, mv)?;
        }
        self.won.insert(position);
        if self.won.len().is_multiple_of(100_000) {
            println!("{} positions, {} searches", self.won.len(), self.searches);
        }
        Ok(())
    }

    fn after(&mut self, board: &mut Board, mv: Move) -> Result<(), String> {
        let undo = board.play(mv);
        let result = self.check(board);
        board.undo(mv, undo);
        result
    }

    /// A move of player 1 that should win in time.
    fn proposal(&mut self, board: &Board) -> Result<Move, String> {
        self.searches += 1;
        let plies = usize::from(self.last + 1 - board.number());
        let limits = Limits { depth: Some(plies as u32 + 2), ..Limits::default() };
        let task = Task {
            game: board,
            moves: &legal_moves(board),
            limits: &limits,
            control: &SearchControl::new(false, false),
            table: &self.memory,
            multi_pv: 1,
            threads: 1,
            pruning: Pruning::FULL,
        };
        let found = think(&task, &board.evaluator(), &mut |_| {});
        let line = &found.lines[0];
        let in_time = line.value.score.is_win()
            && line.value.score.plies_to_end().is_some_and(|end| end <= plies);
        if in_time {
            Ok(line.moves[0])
        } else {
            Err(format!("no win in {plies}: {}", board.position_text()))
        }
    }
}

fn legal_moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.legal_moves(&mut moves);
    moves
}

fn main() -> Result<(), String> {
    let last = match std::env::args().nth(1) {
        None => 25,
        Some(word) => word.parse().map_err(|_| format!("{word}: no number"))?,
    };
    let mut proof =
        Proof { last, memory: TranspositionTable::new(256)?, won: HashSet::new(), searches: 0 };
    proof.check(&mut Board::new())?;
    println!(
        "player 1 wins by move {last}: {} positions of player 2 checked, {} searches",
        proof.won.len(),
        proof.searches
    );
    Ok(())
}
