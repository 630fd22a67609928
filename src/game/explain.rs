//! What can be said about a move: claims that the rules of the game verify.
//!
//! A game [explains](Explain) what only it knows; what holds in every game is in
//! [`crate::explain`]. A claim is a promise: it was checked by playing it out, or by a proof that
//! needs no search, before it is made.

use super::state::{Cell, Describe};
use super::{Game, Outcome, Side};

/// How much a claim says about a move, from most to least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Importance {
    /// It decides the game: nothing else matters.
    Decisive,
    /// It is the point of the move.
    Tactical,
    /// It is worth knowing.
    Detail,
    /// A plain fact about a quiet move, mentioned only if nothing is proved and there is
    /// nothing else to say.
    Fact,
}

/// Something true about a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// What it says, in one word of the list in `protocol.md`.
    pub kind: &'static str,
    /// How much it says.
    pub importance: Importance,
    /// The cells it is about.
    pub cells: Vec<Cell>,
    /// The same for people, in a sentence that begins with a capital letter.
    pub sentence: String,
    /// If it proves that the move wins: within how many plies, the move itself included.
    pub wins_within: Option<usize>,
}

impl Claim {
    /// A claim that does not prove a win.
    pub fn new(
        kind: &'static str,
        importance: Importance,
        cells: Vec<Cell>,
        sentence: String,
    ) -> Claim {
        Claim { kind, importance, cells, sentence, wins_within: None }
    }
}

/// A game whose moves can be explained. The defaults say what holds in every game.
pub trait Explain: Describe {
    /// Whether the sides are known to move in turn from here on, so that a number of plies gives the
    /// number of moves of each.
    fn alternates(&self) -> bool {
        false
    }

    /// What the game knows about `mv`, which is legal and does not end the game.
    fn claims(&self, _mv: Self::Move) -> Vec<Claim> {
        Vec::new()
    }

    /// The name of a cell, a word that begins with a small letter: a letter for the column and a
    /// number for the row, counted from the bottom.
    fn cell_text(&self, [row, column]: Cell) -> String {
        let rows = self.describe(&[]).board.rows.len();
        let letter = ('a'..='z').cycle().nth(column).unwrap_or('a');
        format!("{letter}{}", rows.saturating_sub(row))
    }

    /// The names of cells that all count, as a sentence lists them: "a1, b2 and c3".
    fn all_of(&self, cells: &[Cell]) -> String {
        listed(cells.iter().map(|&cell| self.cell_text(cell)), "and")
    }

    /// The names of cells each of which will do: "a1, b2 or c3".
    fn any_of(&self, cells: &[Cell]) -> String {
        listed(cells.iter().map(|&cell| self.cell_text(cell)), "or")
    }
}

fn listed(names: impl Iterator<Item = String>, conjunction: &str) -> String {
    let names: Vec<String> = names.collect();
    match &names[..] {
        [first @ .., last] if !first.is_empty() => {
            format!("{} {conjunction} {last}", first.join(", "))
        }
        _ => names.concat(),
    }
}

/// The moves with which the side to move wins in this turn, at most `most` of them, the fewest
/// possible.
pub fn winning_turn<G: Game>(game: &G, most: usize) -> Option<Vec<G::Move>> {
    (1..=most).find_map(|length| turn_of_length(&mut game.clone(), game.side_to_move(), length))
}

fn turn_of_length<G: Game>(game: &mut G, side: Side, length: usize) -> Option<Vec<G::Move>> {
    for mv in legal_moves(game) {
        let undo = game.play(mv);
        let found = match game.outcome() {
            Some(outcome) => (outcome == Outcome::Win(side)).then(Vec::new),
            None if length > 1 && game.side_to_move() == side => {
                turn_of_length(game, side, length - 1)
            }
            None => None,
        };
        game.undo(mv, undo);
        if let Some(mut rest) = found {
            rest.insert(0, mv);
            return Some(rest);
        }
    }
    None
}

/// The legal moves.
pub fn legal_moves<G: Game>(game: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves
}
