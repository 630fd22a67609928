//! The position for programs: see [`crate::game::state`].

use super::board::{Board, Column, Size};
use crate::game::state::{self, Content, Describe, Description, GameEnd, MoveEffect};
use crate::game::{Game, Outcome};

impl Describe for Board {
    fn describe(&self, moves: &[Column]) -> Description {
        let Size { rows, columns, .. } = self.size();
        let content = |[row, column]: state::Cell| {
            self.stone(column, rows - 1 - row).map_or(Content::Empty, Content::Piece)
        };
        let landing = |&Column(column): &Column| {
            let column = usize::from(column);
            MoveEffect {
                to: Some([rows - 1 - self.height(column), column]),
                ..MoveEffect::default()
            }
        };
        let ending = |outcome| match outcome {
            Outcome::Draw => GameEnd::because("board full"),
            Outcome::Win(winner) => {
                let cells = state::Board::cells(rows, columns).filter(|&cell| {
                    let [row, column] = cell;
                    content(cell) == Content::Piece(winner)
                        && self.makes_line(self.size().cell(column, rows - 1 - row), winner)
                });
                GameEnd { reason: "line", cells: cells.collect() }
            }
        };
        Description {
            board: state::Board {
                column_names: (1..=columns).map(|column| column.to_string()).collect(),
                ..state::Board::grid(rows, columns, content)
            },
            effects: moves.iter().map(landing).collect(),
            ending: self.outcome().map(ending),
        }
    }
}
