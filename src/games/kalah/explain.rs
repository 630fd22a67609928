//! What can be said about a move of Kalah: see [`crate::game::explain`].

use super::board::{Board, House};
use super::row::Word;
use crate::game::Game;
use crate::game::explain::{Claim, Explain, Importance};
use crate::game::state::{Cell, Describe, MoveEffect, Place};

impl<W: Word> Explain for Board<W> {
    /// The owner and the number of a house, as its moves call it.
    fn cell_text(&self, [row, column]: Cell) -> String {
        match row {
            0 => format!("p2-{}", self.rules().houses() - column),
            _ => format!("p1-{}", column + 1),
        }
    }

    fn claims(&self, mv: House) -> Vec<Claim> {
        let mut after = self.clone();
        after.play(mv);
        let mut claims = Vec::new();
        let mut claim = |kind, importance, cells, sentence| {
            claims.push(Claim { kind, importance, cells, sentence });
        };
        let moves_again = after.side_to_move() == self.side_to_move();
        if moves_again {
            let sentence = "The last seed falls into your store, so you move again.".to_owned();
            claim("again", Importance::Tactical, Vec::new(), sentence);
        }
        let (captured, cells) = self.captured_by(mv);
        if captured > 0 {
            let sentence = format!("Captures {}.", seeds(captured));
            claim("captures", Importance::Tactical, cells, sentence);
        }
        let left = if moves_again { None } else { after.greatest_capture() };
        let danger = self.with_turn(!self.side_to_move()).greatest_capture();
        if !moves_again
            && let Some((threatened, cells, _)) = danger
            && left.as_ref().is_none_or(|&(lost, ..)| lost < threatened)
        {
            let sentence = format!("Saves seeds: the opponent threatened to capture {threatened}.");
            claim("saves", Importance::Tactical, cells, sentence);
        }
        if let Some((lost, cells, House(house))) = left {
            let sentence = format!(
                "Leaves {} that the opponent can capture with house {}.",
                seeds(lost),
                house + 1
            );
            claim("leaves", Importance::Detail, cells, sentence);
        }
        let gained = after.store(self.side_to_move()) - self.store(self.side_to_move());
        if !moves_again && captured == 0 && gained > 0 {
            let sentence = format!("Brings {} into your store.", seeds(gained));
            claim("stores", Importance::Fact, Vec::new(), sentence);
        }
        claims
    }
}

impl<W: Word> Board<W> {
    /// The seeds that a move captures, its own last one included, and the houses they were in.
    fn captured_by(&self, mv: House) -> (u32, Vec<Cell>) {
        let MoveEffect { gain, path, removed, .. } =
            self.describe(&[mv]).effects.pop().unwrap_or_default();
        let stored = path.iter().filter(|place| matches!(place, Place::Store(_))).count() as u32;
        (gain.unwrap_or_default() - stored, removed)
    }

    /// The move of the side to move that captures most, if any does.
    fn greatest_capture(&self) -> Option<(u32, Vec<Cell>, House)> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        let captures = moves.into_iter().map(|mv| {
            let (captured, cells) = self.captured_by(mv);
            (captured, cells, mv)
        });
        captures.filter(|&(captured, ..)| captured > 0).max_by_key(|&(captured, ..)| captured)
    }
}

fn seeds(number: u32) -> String {
    match number {
        1 => "1 seed".to_owned(),
        _ => format!("{number} seeds"),
    }
}
