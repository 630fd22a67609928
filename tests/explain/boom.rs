//! BOOM, cell by cell.

use super::claims::{NaiveGame, check_lines, listed, wins_within};

const SIZE: usize = 7;

/// A piece: its player, and whether it is a bomb.
type Piece = (u8, bool);

#[derive(Clone)]
pub struct Naive {
    /// By column, from the bottom.
    columns: [Vec<Piece>; SIZE],
    /// The number of the next move.
    number: usize,
    /// Who made the last move.
    last: u8,
}

impl Naive {
    pub fn new() -> Naive {
        Naive { columns: Default::default(), number: 1, last: 0 }
    }

    fn player_of(&self, column: isize, row: isize) -> u8 {
        let column = usize::try_from(column).ok().and_then(|column| self.columns.get(column));
        let piece = column.zip(usize::try_from(row).ok()).and_then(|(column, row)| column.get(row));
        piece.map_or(0, |&(player, _)| player)
    }

    /// Whether a piece of `player` in this cell would be part of a line.
    fn completes(&self, (column, row): (usize, usize), player: u8) -> bool {
        let (column, row) = (column as isize, row as isize);
        let run = |right: isize, up: isize| {
            (1..).take_while(|k| self.player_of(column + k * right, row + k * up) == player).count()
        };
        [(1, 0), (0, 1), (1, 1), (1, -1)]
            .into_iter()
            .any(|(right, up)| 1 + run(right, up) + run(-right, -up) >= 4)
    }

    fn has_line(&self, player: u8) -> bool {
        let cells = (0..SIZE).flat_map(|c| (0..self.columns[c].len()).map(move |r| (c, r)));
        let own = |&(c, r): &(usize, usize)| self.columns[c][r].0 == player;
        cells.into_iter().filter(own).any(|cell| self.completes(cell, player))
    }

    fn bomb_of(&self, player: u8) -> Option<(usize, usize)> {
        let cells = (0..SIZE).flat_map(|c| (0..self.columns[c].len()).map(move |r| (c, r)));
        cells.into_iter().find(|&(c, r)| self.columns[c][r] == (player, true))
    }

    fn place(cell: &str) -> (usize, usize) {
        (usize::from(cell.as_bytes()[0] - b'a'), cell[1..].parse::<usize>().expect("a row") - 1)
    }

    fn any_moves(&self) -> Vec<String> {
        let open = (0..SIZE).filter(|&column| self.columns[column].len() < SIZE);
        let mut moves: Vec<String> = open.map(|column| (column + 1).to_string()).collect();
        if self.bomb_of(self.mover()).is_some() {
            moves.push("boom".to_owned());
        }
        moves
    }
}

impl NaiveGame for Naive {
    fn longest(&self) -> usize {
        45
    }

    fn mover(&self) -> u8 {
        // Player 1 makes the first move, then each player two.
        if (self.number / 2).is_multiple_of(2) { 1 } else { 2 }
    }

    fn moves(&self) -> Vec<String> {
        if self.result().is_some() { Vec::new() } else { self.any_moves() }
    }

    fn after(&self, mv: &str) -> Naive {
        let me = self.mover();
        let mut after = self.clone();
        if mv == "boom" {
            let (bomb_column, row) = self.bomb_of(me).expect("a bomb");
            for (column, cells) in after.columns.iter_mut().enumerate() {
                let gone = cells.get(row).is_some_and(|&(player, _)| player != me);
                if gone || column == bomb_column {
                    cells.remove(row);
                }
            }
        } else {
            // Moves 12 to 15, 28 to 31 and so on.
            let is_bomb = (12..16).contains(&(self.number % 16)) && self.bomb_of(me).is_none();
            let column = mv.parse::<usize>().expect("a column") - 1;
            after.columns[column].push((me, is_bomb));
        }
        after.number += 1;
        after.last = me;
        after
    }

    fn result(&self) -> Option<u8> {
        if self.last == 0 {
            None
        } else if self.has_line(self.last) {
            Some(self.last)
        } else if self.has_line(3 - self.last) {
            Some(3 - self.last)
        } else if self.any_moves().is_empty() {
            Some(3 - self.mover())
        } else {
            (self.number > 300).then_some(0)
        }
    }

    fn alternates(&self) -> bool {
        false
    }

    fn provable(&self) -> usize {
        4
    }

    fn check(&self, mv: &str, kind: &str, cells: Option<&[&str]>, sentence: &str) -> bool {
        let kind_is = |expected: &str| kind.is_empty() || kind == expected;
        let same = |named: &[&str]| cells.is_none_or(|cells| cells == named);
        let (me, opponent) = (self.mover(), 3 - self.mover());
        let after = self.after(mv);
        let victims = || {
            let (_, row) = self.bomb_of(me).expect("a bomb");
            let columns = (0..SIZE)
                .filter(move |&column| self.player_of(column as isize, row as isize) == opponent);
            columns
                .map(move |c| format!("{}{}", char::from(b'a' + c as u8), row + 1))
                .collect::<Vec<_>>()
        };
        if let Some(rest) = sentence.strip_prefix("The explosion removes the opponent's piece") {
            let (plural, rest) = rest.split_once(" at ").expect("cells");
            let named = listed(rest, "and");
            assert_eq!(plural, if named.len() > 1 { "s" } else { "" });
            return kind_is("bomb") && same(&named) && mv == "boom" && victims() == named;
        }
        if sentence == "The explosion removes nothing but the bomb" {
            return kind_is("bomb") && same(&[]) && mv == "boom" && victims().is_empty();
        }
        if let Some(at) = sentence.strip_prefix("Stops the opponent from completing a line at ") {
            let place = Naive::place(at);
            return kind_is("block")
                && same(&[at])
                && mv.parse() == Ok(place.0 + 1)
                && place.1 == self.columns[place.0].len()
                && self.completes(place, opponent);
        }
        if sentence
            == "Makes more threats than the opponent can stop in one turn: you win on your next turn"
        {
            let playable = |cell: &&str| {
                let place = Naive::place(cell);
                after.columns[place.0].len() == place.1 && after.completes(place, me)
            };
            return kind_is("fork")
                && cells.is_none_or(|cells| cells.iter().all(playable))
                && after.mover() == opponent
                && wins_within(&after, me, 4);
        }
        let Ok(column) = mv.parse::<usize>() else { return false };
        let place = (column - 1, self.columns[column - 1].len());
        let owner = |column: usize, row: usize| self.player_of(column as isize, row as isize);
        kind_is("lines")
            && cells.is_none_or(|cells| cells.iter().all(|cell| Naive::place(cell) == place))
            && check_lines(sentence, (SIZE, SIZE), 4, place, me, owner)
    }

    fn owner(&self, cell: &str) -> u8 {
        let (column, row) = Naive::place(cell);
        self.player_of(column as isize, row as isize)
    }
}
