//! What can be said about a move of Kalah: see [`crate::game::explain`].

use super::board::{Board, House};
use super::row::Word;
use crate::game::Game;
use crate::game::explain::{Claim, Explain, Importance, legal_moves};
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
            claims.push(Claim::new(kind, importance, cells, sentence));
        };
        let moves_again = after.side_to_move() == self.side_to_move();
        if moves_again {
            let sentence = "The last seed lands in your store, so you move again.".to_owned();
            claim("again", Importance::Tactical, Vec::new(), sentence);
        }
        let captured = self.capture_by(mv);
        if let Some(Capture { cell, house, seeds, .. }) = captured {
            let seeds = counted(seeds);
            let sentence = format!("Captures {seeds} from the opponent's house {}.", house + 1);
            claim("captures", Importance::Tactical, vec![cell], sentence);
        }
        let threats = if moves_again { Vec::new() } else { after.captures() };
        let left = greatest(&threats);
        if !moves_again
            && let Some(danger) = greatest(&self.with_turn(!self.side_to_move()).captures())
            && left.is_none_or(|left| left.seeds < danger.seeds)
            && threats.iter().all(|threat| threat.cell != danger.cell)
        {
            let sentence = format!("Stops the opponent from capturing {}.", danger.victims());
            claim("saves", Importance::Tactical, vec![danger.cell], sentence);
        }
        if let Some(left) = left {
            let House(reply) = left.by;
            let sentence = format!(
                "Lets the opponent capture {} by playing house {}.",
                left.victims(),
                reply + 1
            );
            claim("leaves", Importance::Detail, vec![left.cell], sentence);
        }
        let gained = after.store(self.side_to_move()) - self.store(self.side_to_move());
        if !moves_again && captured.is_none() && gained > 0 {
            let sentence = format!("Adds {} to your store.", counted(gained));
            claim("stores", Importance::Fact, Vec::new(), sentence);
        }
        claims
    }
}

/// A move that captures seeds of the other side.
#[derive(Clone, Copy)]
struct Capture {
    by: House,
    /// The house that they are in, counted from 0 by its owner, and its cell.
    house: usize,
    cell: Cell,
    /// How many are captured from there. A long move may have put one of them there itself.
    seeds: u32,
    /// Whether some of them lie there already.
    is_loss: bool,
}

impl Capture {
    /// The seeds that the side which does not move may lose.
    fn victims(&self) -> String {
        format!("{} from your house {}", counted(self.seeds), self.house + 1)
    }
}

/// The capture of most seeds, of those that cost the other side some.
fn greatest(captures: &[Capture]) -> Option<Capture> {
    captures.iter().copied().filter(|capture| capture.is_loss).max_by_key(|capture| capture.seeds)
}

impl<W: Word> Board<W> {
    /// What a move captures of the other side's seeds: the last seed, captured with them, was not its.
    fn capture_by(&self, by: House) -> Option<Capture> {
        let MoveEffect { gain, path, removed, .. } =
            self.describe(&[by]).effects.pop().unwrap_or_default();
        let &[_, cell @ [row, column]] = &removed[..] else {
            return None;
        };
        let stored = path.iter().filter(|place| matches!(place, Place::Store(_))).count() as u32;
        let house = if row == 0 { self.rules().houses() - 1 - column } else { column };
        let is_loss = self.seeds(!self.side_to_move(), house) > 0;
        Some(Capture { by, house, cell, seeds: gain.unwrap_or_default() - stored - 1, is_loss })
    }

    /// The captures that the side to move can make.
    fn captures(&self) -> Vec<Capture> {
        legal_moves(self).into_iter().filter_map(|mv| self.capture_by(mv)).collect()
    }
}

fn counted(seeds: u32) -> String {
    match seeds {
        1 => "1 seed".to_owned(),
        _ => format!("{seeds} seeds"),
    }
}
