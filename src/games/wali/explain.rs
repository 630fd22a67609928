//! What can be said about a move of Wali: see [`crate::game::explain`].

use super::bits::{self, Shape, THREE, Threes};
use super::board::{Board, Move, Phase};
use crate::game::explain::{Claim, Explain, Importance};
use crate::game::state::Cell;
use crate::game::{Game, Side};

impl<S: Shape> Explain for Board<S> {
    /// Player 1 begins the move phase, no matter who made the last drop.
    fn alternates(&self) -> bool {
        self.phase() == Phase::Move
    }

    fn claims(&self, mv: Move) -> Vec<Claim> {
        let (me, opponent) = (self.side_to_move(), !self.side_to_move());
        let mut after = self.clone();
        after.play(mv);
        let mut claims = Vec::new();
        if let Move::Step { to, captured: Some(captured), .. } = mv {
            let three = cells(self, after.three_through(to, me));
            let taken = cells(self, 1 << captured);
            // A stone can complete a row and a column at once.
            let both = if three.len() > THREE { " both ways" } else { "" };
            let sentence = format!(
                "Makes three in a row{both}, {}, and captures the stone at {}.",
                self.all_of(&three),
                self.all_of(&taken)
            );
            let cells = [three, taken].concat();
            claims.push(Claim::new("three", Importance::Tactical, cells, sentence));
        }
        if after.phase() != self.phase() {
            let sentence = "Ends the drop phase: from now on the stones move.".to_owned();
            claims.push(Claim::new("phase", Importance::Detail, Vec::new(), sentence));
        } else if self.phase() == Phase::Drop {
            let [own, enemy] = [me, opponent].map(|side| after.drops(side).count_ones());
            let own = match own {
                0 => "no place".to_owned(),
                1 => "1 place".to_owned(),
                _ => format!("{own} places"),
            };
            let enemy = if enemy == 0 { "none".to_owned() } else { enemy.to_string() };
            let sentence = format!("Leaves you {own} to drop a stone and the opponent {enemy}.");
            claims.push(Claim::new("room", Importance::Fact, Vec::new(), sentence));
        } else {
            let (before, now) = (self.capturing_cells(opponent), after.capturing_cells(opponent));
            let prepared = after.capturing_cells(me) & !self.capturing_cells(me);
            let mut claim = |kind, importance, set, sentence: fn(&str) -> String| {
                let cells = cells(self, set);
                if !cells.is_empty() {
                    let sentence = sentence(&self.any_of(&cells));
                    claims.push(Claim::new(kind, importance, cells, sentence));
                }
            };
            claim("blocks", Importance::Tactical, before & !now, |at| {
                format!("Stops the opponent from making three in a row with a step to {at}.")
            });
            claim("opens", Importance::Tactical, now & !before, |at| {
                format!("Lets the opponent make three in a row with a step to {at}.")
            });
            claim("leaves", Importance::Detail, now & before, |at| {
                format!("The opponent can still make three in a row with a step to {at}.")
            });
            claim("prepares", Importance::Detail, prepared, |at| {
                format!("Prepares to make three in a row with a step to {at}.")
            });
        }
        claims
    }
}

impl<S: Shape> Board<S> {
    /// The cells where a stone of `side` would make three if it were that side's turn.
    fn capturing_cells(&self, side: Side) -> u32 {
        let stones = self.stones(side);
        let arriving = self.shape().arrivals(stones).into_iter();
        let threes = Threes::of(self.shape(), stones).arrivals;
        arriving.zip(threes).fold(0, |cells, (to, makes_three)| cells | to & makes_three)
            & self.empty()
    }

    /// The stones of `side` that are three in a row with the one in `cell`.
    fn three_through(&self, cell: u8, side: Side) -> u32 {
        let (shape, stones) = (self.shape(), self.stones(side));
        let grown = |lower: &dyn Fn(u32) -> u32, higher: &dyn Fn(u32) -> u32| {
            let grow = |run: u32| (run | lower(run) | higher(run)) & stones;
            // One more than a three could need.
            (0..THREE).fold(1 << cell, |run, _| grow(run))
        };
        let row = grown(&|cells| shape.left(cells), &|cells| shape.right(cells));
        let column = grown(&|cells| shape.down(cells), &|cells| shape.up(cells));
        let is_three = |run: &u32| run.count_ones() as usize == THREE;
        [row, column].into_iter().filter(is_three).fold(0, |cells, run| cells | run)
    }
}

/// The cells of a set.
fn cells<S: Shape>(board: &Board<S>, set: u32) -> Vec<Cell> {
    let (rows, columns) = (board.shape().rows(), board.shape().columns());
    let cell = |place: u8| {
        let place = usize::from(place);
        [rows - 1 - place / columns, place % columns]
    };
    bits::each(set).map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::wali::shape;

    #[test]
    fn only_in_the_move_phase_the_sides_alternate_for_certain() {
        let shape = shape(&["4", "4", "3"]).unwrap();
        let at = |phase| Board::from_stones(shape, [7, 7 << 8], Side::P1, phase, 0);
        assert!(at(Phase::Move).alternates());
        assert!(!at(Phase::Drop).alternates());
    }
}
