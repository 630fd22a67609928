//! The lines through a cell that are still open, for explanations: shared by the games that are won by
//! lines of pieces on a grid.

use crate::game::Side;
use crate::game::explain::{Claim, Explain, Importance};
use crate::game::state::Cell;

/// A grid on which a line of `length` cells wins, and who owns its cells.
pub struct OpenLines<O> {
    pub rows: usize,
    pub columns: usize,
    pub length: usize,
    pub owner: O,
}

impl<O: Fn(Cell) -> Option<Side>> OpenLines<O> {
    /// Says how many lines through `cell` a piece there, of the side to move, belongs to and closes.
    pub fn claim(&self, game: &impl Explain, cell: Cell) -> Claim {
        let me = game.side_to_move();
        let [own, closed] = [me, !me].map(|side| self.count(cell, side));
        let lines = match own {
            0 => "no line".to_owned(),
            1 => "1 line".to_owned(),
            _ => format!("{own} lines"),
        };
        let closed = if closed == 0 { "none".to_owned() } else { closed.to_string() };
        let at = game.cell_text(cell);
        let sentence = format!(
            "At {at} it is part of {lines} still open to you and blocks {closed} of the opponent's."
        );
        Claim::new("lines", Importance::Fact, vec![cell], sentence)
    }

    /// The lines through `cell` without a piece of the opponent of `side`.
    fn count(&self, cell: Cell, side: Side) -> usize {
        let steps = [[0, 1], [1, 0], [1, 1], [1, -1]];
        let runs = steps.map(|[down, right]: [isize; 2]| {
            let run = |sign| self.open_run(cell, [sign * down, sign * right], side);
            1 + run(1) + run(-1)
        });
        runs.into_iter().map(|run| (run + 1).saturating_sub(self.length)).sum()
    }

    /// How many cells in a row from `cell` on, without itself, could be in a line with it.
    fn open_run(&self, [row, column]: Cell, [down, right]: [isize; 2], side: Side) -> usize {
        let cell = |distance: isize| {
            let row = row.checked_add_signed(distance * down).filter(|&row| row < self.rows)?;
            let column = column.checked_add_signed(distance * right)?;
            (column < self.columns).then_some([row, column])
        };
        let open = |cell: &Cell| (self.owner)(*cell) != Some(!side);
        (1..self.length as isize).map_while(cell).take_while(open).count()
    }
}
