//! The position for programs: see [`crate::game::state`].

use super::bits::Shape;
use super::board::{Board, MOST_QUIET, Move, Phase};
use crate::game::state::{
    self, Cell, Content, Describe, Description, GameEnd, MoveEffect, PerSide,
};
use crate::game::{Game, Outcome, Side};

impl<S: Shape> Describe for Board<S> {
    fn describe(&self, moves: &[Move]) -> Description {
        let (rows, columns) = (self.shape().rows(), self.shape().columns());
        let content = |[row, column]: Cell| {
            let place = (rows - 1 - row) * columns + column;
            let has_stone = |&side: &Side| self.stones(side) >> place & 1 == 1;
            let owner = [Side::P1, Side::P2].into_iter().find(has_stone);
            owner.map_or(Content::Empty, Content::Piece)
        };
        let cell = |place: u8| {
            let place = usize::from(place);
            [rows - 1 - place / columns, place % columns]
        };
        let effect = |&mv: &Move| match mv {
            Move::Drop(to) => MoveEffect { to: Some(cell(to)), ..MoveEffect::default() },
            Move::Step { from, to, captured } => MoveEffect {
                from: Some(cell(from)),
                to: Some(cell(to)),
                removed: captured.into_iter().map(cell).collect(),
                ..MoveEffect::default()
            },
            Move::Pass => MoveEffect::default(),
        };
        let ending = |outcome| match outcome {
            Outcome::Win(_) => GameEnd::because("stones gone"),
            Outcome::Draw if self.quiet() >= MOST_QUIET => GameEnd::because("no capture"),
            Outcome::Draw => GameEnd::because("repetition"),
        };
        let phase = match self.phase() {
            Phase::Drop => "drop",
            Phase::Move => "move",
        };
        Description {
            board: state::Board {
                row_names: (1..=rows).rev().map(|row| row.to_string()).collect(),
                column_names: ('a'..).take(columns).map(String::from).collect(),
                in_hand: Some(PerSide::of(|side| self.in_hand(side))),
                phase: Some(phase),
                quiet: Some(self.quiet().into()),
                ..state::Board::grid(rows, columns, content)
            },
            effects: moves.iter().map(effect).collect(),
            ending: self.outcome().map(ending),
        }
    }
}
