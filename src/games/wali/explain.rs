//! What can be said about a move of Wali: see [`crate::game::explain`].

use super::bits::{self, Shape, THREE, Threes};
use super::board::{Board, Move, Phase};
use crate::game::explain::{Claim, Explain, Importance};
use crate::game::state::Cell;
use crate::game::{Game, Side};

impl<S: Shape> Explain for Board<S> {
    /// Player 1 begins the move phase, whoever made the last drop.
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
            let sentence = format!(
                "Makes three in a row, {}, and takes the stone at {}.",
                self.cells_text(&three),
                self.cells_text(&taken)
            );
            let cells = [three, taken].concat();
            claims.push(Claim { kind: "three", importance: Importance::Tactical, cells, sentence });
        }
        if after.phase() != self.phase() {
            let sentence = "Ends the drop phase: from now on the stones move.".to_owned();
            let importance = Importance::Detail;
            claims.push(Claim { kind: "phase", importance, cells: Vec::new(), sentence });
        } else if self.phase() == Phase::Drop {
            let [own, enemy] = [me, opponent].map(|side| places(after.drops(side)));
            let sentence = format!("Leaves you {own} to drop a stone, and the opponent {enemy}.");
            let importance = Importance::Fact;
            claims.push(Claim { kind: "room", importance, cells: Vec::new(), sentence });
        } else {
            let (before, now) = (self.capturing_cells(opponent), after.capturing_cells(opponent));
            let prepared = after.capturing_cells(me) & !self.capturing_cells(me);
            let mut claim = |kind, importance, set, sentence: fn(&str) -> String| {
                let cells = cells(self, set);
                if !cells.is_empty() {
                    let sentence = sentence(&self.cells_text(&cells));
                    claims.push(Claim { kind, importance, cells, sentence });
                }
            };
            claim("blocks", Importance::Tactical, before & !now, |at| {
                format!("Stops the opponent from making three with a step to {at}.")
            });
            claim("opens", Importance::Tactical, now & !before, |at| {
                format!("Lets the opponent make three with a step to {at}.")
            });
            claim("leaves", Importance::Detail, now & before, |at| {
                format!("The opponent can still make three with a step to {at}.")
            });
            claim("prepares", Importance::Detail, prepared, |at| {
                format!("Prepares another three: a step to {at} would make it.")
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

fn places(cells: u32) -> String {
    match cells.count_ones() {
        0 => "no place".to_owned(),
        1 => "1 place".to_owned(),
        number => format!("{number} places"),
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
