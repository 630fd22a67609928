//! What can be said about a move of BOOM: see [`crate::game::explain`].

use super::bits::{self, SIZE};
use super::board::{Board, Move};
use super::describe::cells;
use super::threats::wins;
use crate::game::explain::{Claim, Explain, Importance, winning_turn};
use crate::game::state::Cell;
use crate::game::{Game, Outcome, Side};
use crate::games::open_lines::OpenLines;

/// The moves of a turn.
const TURN: usize = 2;
/// The longest win in the next turn: the last move of this one, the opponent's turn, and the next.
const NEXT_TURN: usize = 1 + 2 * TURN;
/// The pieces of a line.
const LINE: usize = 4;

impl Explain for Board {
    fn claims(&self, mv: Move) -> Vec<Claim> {
        let me = self.side_to_move();
        let mut after = self.clone();
        after.play(mv);
        let mut claims = Vec::new();
        let mut claim = |kind, cells: Vec<Cell>, sentence: fn(&str) -> String| {
            let sentence = sentence(&self.all_of(&cells));
            claims.push(Claim::new(kind, Importance::Tactical, cells, sentence));
        };
        match mv {
            Move::Boom => match cells(self.victims(me)) {
                none if none.is_empty() => claim("bomb", none, |_| {
                    "The explosion removes nothing but the bomb.".to_owned()
                }),
                one if one.len() == 1 => claim("bomb", one, |at| {
                    format!("The explosion removes the opponent's piece at {at}.")
                }),
                several => claim("bomb", several, |at| {
                    format!("The explosion removes the opponent's pieces at {at}.")
                }),
            },
            Move::Drop(column) => {
                let cell = self.landing() & bits::column(column.into());
                if bits::completing(self.stones(!me)) & cell != 0 {
                    claim("block", cells(cell), |at| {
                        format!("Stops the opponent from completing a line at {at}.")
                    });
                }
            }
        }
        if after.side_to_move() != me && after.cannot_be_stopped(me) {
            claims.push(Claim {
                kind: "fork",
                importance: Importance::Tactical,
                cells: cells(wins(after.stones(me), after.landing())),
                sentence: "Makes more threats than the opponent can stop in one turn: you win on \
                           your next turn."
                    .to_owned(),
                wins_within: Some(NEXT_TURN),
            });
        }
        if let Move::Drop(column) = mv {
            let cells = cells(self.landing() & bits::column(column.into()));
            claims.extend(cells.first().map(|&cell| self.lines_through(cell)));
        }
        claims
    }
}

impl Board {
    /// The lines through the cell where the side to move drops a piece.
    fn lines_through(&self, cell: Cell) -> Claim {
        let owner = |[row, column]: Cell| {
            let cell = bits::cell(column, SIZE - 1 - row);
            [Side::P1, Side::P2].into_iter().find(|&side| self.stones(side) & cell != 0)
        };
        OpenLines { rows: SIZE, columns: SIZE, length: LINE, owner }.claim(self, cell)
    }

    /// Whether `side` wins in its next turn whatever the other side, which is to move, does in its
    /// own.
    fn cannot_be_stopped(&self, side: Side) -> bool {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.iter().all(|&mv| {
            let mut after = self.clone();
            after.play(mv);
            match after.outcome() {
                Some(outcome) => outcome == Outcome::Win(side),
                None if after.side_to_move() == side => winning_turn(&after, TURN).is_some(),
                None => after.cannot_be_stopped(side),
            }
        })
    }
}
