//! What can be said about a move of Connect Four: see [`crate::game::explain`].

use super::board::{Board, Column, Size};
use super::hybrid::solver_position;
use super::solver::zugzwang_threat;
use crate::game::explain::{Claim, Explain, Importance};
use crate::game::state::Cell;
use crate::game::{Game, Side};
use crate::games::open_lines::OpenLines;

impl Explain for Board {
    fn alternates(&self) -> bool {
        true
    }

    fn claims(&self, mv: Column) -> Vec<Claim> {
        let (me, opponent) = (self.side_to_move(), !self.side_to_move());
        let Column(column) = mv;
        let cell = self.landing_cell(column.into());
        let mut after = self.clone();
        after.play(mv);
        let mut claims = Vec::new();
        if self.makes_line(cell, opponent) {
            claims.push(self.claim("block", Importance::Tactical, &[cell], |at| {
                format!("Stops the opponent from completing a line at {at}.")
            }));
        }
        let can_win = after.playable_threats(opponent);
        if !after.is_column_full(column.into()) && can_win.contains(&(cell + 1)) {
            claims.push(self.claim("above", Importance::Decisive, &[cell + 1], |at| {
                format!("Lets the opponent play {at}, the cell above, and complete a line.")
            }));
        }
        if !can_win.is_empty() {
            return claims;
        }
        if let Some((cells, sentence)) = after.fork(me) {
            let fork = self.claim("fork", Importance::Tactical, &cells, sentence);
            claims.push(Claim { wins_within: Some(FORK_PLIES), ..fork });
            return claims;
        }
        claims.extend(after.zugzwang().map(|threat| {
            let below = self.cell_text(self.described(threat - 1));
            let claim = self.claim("zugzwang", Importance::Tactical, &[threat], |at| {
                format!(
                    "Wins the waiting game: once all other columns are full, the opponent must \
                     play {below}, and then {at} above it completes your line."
                )
            });
            Claim { wins_within: Some(self.last_own_ply()), ..claim }
        }));
        claims.extend(self.new_threats(&after, me));
        claims.push(self.lines_through(cell));
        claims
    }
}

/// A fork wins with the next stone: the move, a reply, the win.
const FORK_PLIES: usize = 3;

/// A sentence about cells, given their names.
type About = fn(String) -> String;

impl Board {
    /// A claim about cells, given as the board numbers them.
    fn claim(
        &self,
        kind: &'static str,
        importance: Importance,
        cells: &[usize],
        sentence: impl Fn(String) -> String,
    ) -> Claim {
        let cells: Vec<Cell> = cells.iter().map(|&cell| self.described(cell)).collect();
        let sentence = sentence(self.all_of(&cells));
        Claim::new(kind, importance, cells, sentence)
    }

    fn described(&self, cell: usize) -> Cell {
        let (column, row) = self.size().place_of(cell);
        [self.size().rows - 1 - row, column]
    }

    /// The empty cells where a stone of `side` would complete a line.
    fn threats(&self, side: Side) -> impl Iterator<Item = usize> + '_ {
        let Size { rows, columns, .. } = self.size();
        let empty = (0..columns)
            .flat_map(move |column| (self.height(column)..rows).map(move |row| (column, row)));
        let cells = empty.map(|(column, row)| self.size().cell(column, row));
        cells.filter(move |&cell| self.makes_line(cell, side))
    }

    /// Those where its next stone could land.
    fn playable_threats(&self, side: Side) -> Vec<usize> {
        self.threats(side).filter(|&cell| self.is_landing(cell)).collect()
    }

    /// Two threats of `side`, just moved, of which the opponent, who cannot win at once, can stop
    /// only one.
    fn fork(&self, side: Side) -> Option<(Vec<usize>, About)> {
        let mut playable = self.playable_threats(side);
        playable.truncate(2);
        if playable.len() > 1 {
            return Some((playable, |at| {
                format!("Makes two threats at once, at {at}: the opponent can stop only one.")
            }));
        }
        let &first = playable.first()?;
        let stacked = self.threats(side).any(|cell| cell == first + 1);
        stacked.then_some((vec![first, first + 1], |at| {
            format!(
                "Makes two threats, one above the other, at {at}: the opponent must block the \
                 lower one, and then you can play the upper one."
            )
        }))
    }

    /// The number of the last ply on this board that the side to move makes.
    fn last_own_ply(&self) -> usize {
        let stones: usize = (0..self.size().columns).map(|column| self.height(column)).sum();
        let empty = self.size().cells() - stones;
        empty - (1 - empty % 2)
    }

    /// A threat of the side that just moved that wins by zugzwang.
    fn zugzwang(&self) -> Option<usize> {
        let (column, row) = zugzwang_threat(&solver_position(self)?)?;
        Some(self.size().cell(column as usize, row as usize))
    }

    /// The lines through the cell where the side to move puts a stone.
    fn lines_through(&self, cell: usize) -> Claim {
        let Size { rows, columns, line } = self.size();
        let owner = |[row, column]: Cell| self.stone(column, rows - 1 - row);
        OpenLines { rows, columns, length: line, owner }.claim(self, self.described(cell))
    }

    /// The threats of `side` that there were not before its move, which led to `after`.
    fn new_threats(&self, after: &Board, side: Side) -> Option<Claim> {
        let before: Vec<usize> = self.threats(side).collect();
        let new: Vec<usize> = after.threats(side).filter(|cell| !before.contains(cell)).collect();
        let (now, later): (Vec<usize>, Vec<usize>) =
            new.iter().partition(|&&cell| after.is_landing(cell));
        let any_of = |cells: &[usize]| {
            self.any_of(&cells.iter().map(|&cell| self.described(cell)).collect::<Vec<_>>())
        };
        let sentence = match (&now[..], &later[..]) {
            ([], []) => return None,
            (now, []) => format!("Threatens to complete a line at {}.", any_of(now)),
            ([], later) => format!(
                "Makes a threat for later: a stone at {} would complete a line.",
                any_of(later)
            ),
            (now, later) => format!(
                "Threatens to complete a line at {}, and later at {}.",
                any_of(now),
                any_of(later)
            ),
        };
        Some(self.claim("threat", Importance::Detail, &[now, later].concat(), |_| sentence.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::connect4::board::Column;

    #[test]
    fn the_side_to_move_makes_every_other_ply_until_the_board_is_full() {
        let mut board = Board::new(Size::new(4, 5, 5).unwrap());
        for empty in (1..=20).rev() {
            let own = (1..=empty).step_by(2).last();
            assert_eq!(Some(board.last_own_ply()), own, "{empty} empty cells");
            board.play(Column((empty % 5) as u8));
        }
    }
}
