//! Wali, cell by cell, with its past.

use super::claims::{NaiveGame, counted, listed};
use super::support::naive_wali::NaiveWali;

#[derive(Clone)]
pub struct Naive {
    board: NaiveWali,
    /// The positions of the move phase since the last capture.
    past: Vec<NaiveWali>,
}

enum Step {
    Drop(usize),
    Move { from: usize, to: usize, captured: Option<usize> },
    Pass,
}

impl Naive {
    pub fn new(rows: usize, columns: usize, stones: usize) -> Naive {
        Naive { board: NaiveWali::new(rows, columns, stones), past: Vec::new() }
    }

    fn place(&self, cell: &str) -> usize {
        let column = usize::from(cell.as_bytes()[0] - b'a');
        (cell[1..].parse::<usize>().expect("a row") - 1) * self.board.columns + column
    }

    fn name(&self, cell: usize) -> String {
        let letter = char::from(b'a' + (cell % self.board.columns) as u8);
        format!("{letter}{}", cell / self.board.columns + 1)
    }

    fn parse(&self, mv: &str) -> Step {
        match mv.len() {
            2 => Step::Drop(self.place(mv)),
            4 if mv == "pass" => Step::Pass,
            _ => Step::Move {
                from: self.place(&mv[..2]),
                to: self.place(&mv[2..4]),
                captured: mv.get(5..).map(|cell| self.place(cell)),
            },
        }
    }

    /// The cells where a step of `player` would make three, if it were that player's turn.
    fn capturing_cells(&self, player: u8) -> Vec<String> {
        let cells = 0..self.board.cells.len();
        let makes_three = |&to: &usize| {
            self.board.cells[to] == 0
                && self.board.neighbours(to).into_iter().any(|from| {
                    let mut moved = self.board.clone();
                    moved.cells.swap(from, to);
                    self.board.cells[from] == player && moved.is_in_three(to)
                })
        };
        cells.filter(makes_three).map(|cell| self.name(cell)).collect()
    }
}

impl NaiveGame for Naive {
    fn longest(&self) -> usize {
        80
    }

    fn mover(&self) -> u8 {
        self.board.mover
    }

    fn moves(&self) -> Vec<String> {
        if self.result().is_some() {
            return Vec::new();
        }
        let board = &self.board;
        let mut moves = Vec::new();
        if board.dropping {
            moves.extend(board.drops(board.mover).into_iter().map(|cell| self.name(cell)));
        } else {
            let cells = 0..board.cells.len();
            for from in cells.clone().filter(|&cell| board.cells[cell] == board.mover) {
                for to in board.neighbours(from).into_iter().filter(|&to| board.cells[to] == 0) {
                    let mut moved = board.clone();
                    moved.cells.swap(from, to);
                    let step = format!("{}{}", self.name(from), self.name(to));
                    if moved.is_in_three(to) {
                        let enemies = cells.clone().filter(|&c| board.cells[c] == 3 - board.mover);
                        moves.extend(enemies.map(|cell| format!("{step}x{}", self.name(cell))));
                    } else {
                        moves.push(step);
                    }
                }
            }
        }
        if moves.is_empty() {
            moves.push("pass".to_owned());
        }
        moves
    }

    fn after(&self, mv: &str) -> Naive {
        let mut after = self.clone();
        let board = &mut after.board;
        let was_dropping = board.dropping;
        let mut captures = false;
        match self.parse(mv) {
            Step::Drop(cell) => {
                board.cells[cell] = board.mover;
                board.hand[usize::from(board.mover) - 1] -= 1;
            }
            Step::Move { from, to, captured } => {
                board.cells.swap(from, to);
                if let Some(cell) = captured {
                    board.cells[cell] = 0;
                    captures = true;
                }
            }
            Step::Pass => {}
        }
        board.mover = 3 - board.mover;
        if board.dropping && board.drops(1).is_empty() && board.drops(2).is_empty() {
            board.dropping = false;
            board.hand = [0; 2];
            board.mover = 1;
        }
        if captures || was_dropping {
            after.past.clear();
        } else {
            after.past.push(self.board.clone());
        }
        after
    }

    fn result(&self) -> Option<u8> {
        let board = &self.board;
        if board.dropping {
            None
        } else if board.stones(1) == 0 {
            Some(2)
        } else if board.stones(2) == 0 {
            Some(1)
        } else {
            let earlier = self.past.iter().filter(|&past| past == board).count();
            (earlier >= 2 || self.past.len() >= 100).then_some(0)
        }
    }

    fn alternates(&self) -> bool {
        !self.board.dropping
    }

    fn provable(&self) -> usize {
        3
    }

    fn check(&self, mv: &str, kind: &str, cells: Option<&[&str]>, sentence: &str) -> bool {
        let kind_is = |expected: &str| kind.is_empty() || kind == expected;
        let (me, opponent) = (self.board.mover, 3 - self.board.mover);
        let after = self.after(mv);
        if let Some(rest) = sentence.strip_prefix("Makes three in a row") {
            let (ways, rest) = rest.split_once(", ").expect("a three");
            let (three, taken) = rest.split_once(", and captures the stone at ").expect("a stone");
            let three = listed(three, "and");
            let Step::Move { to, captured: Some(captured), .. } = self.parse(mv) else {
                return false;
            };
            let named = [&three[..], &[taken]].concat();
            return kind_is("three")
                && cells.is_none_or(|cells| cells == named)
                && [(3, ""), (5, " both ways")].contains(&(three.len(), ways))
                && three.iter().all(|cell| after.owner(cell) == me)
                && three.contains(&self.name(to).as_str())
                && after.board.is_in_three(to)
                && self.place(taken) == captured
                && self.owner(taken) == opponent;
        }
        if sentence == "Ends the drop phase: from now on the stones move" {
            return kind_is("phase") && self.board.dropping && !after.board.dropping;
        }
        if let Some(rest) = sentence.strip_prefix("Leaves you ") {
            let (own, enemy) =
                rest.split_once(" to drop a stone and the opponent ").expect("two numbers");
            let enemy = if enemy == "none" { 0 } else { enemy.parse().expect("a number") };
            return kind_is("room")
                && self.board.dropping
                && after.board.dropping
                && counted(own, "place") == after.board.drops(me).len()
                && enemy == after.board.drops(opponent).len();
        }
        for (start, expected, player, wants) in [
            (
                "Stops the opponent from making three in a row with a step to ",
                "blocks",
                opponent,
                [true, false],
            ),
            (
                "Lets the opponent make three in a row with a step to ",
                "opens",
                opponent,
                [false, true],
            ),
            (
                "The opponent can still make three in a row with a step to ",
                "leaves",
                opponent,
                [true, true],
            ),
            ("Prepares to make three in a row with a step to ", "prepares", me, [false, true]),
        ] {
            if let Some(rest) = sentence.strip_prefix(start) {
                let (before, now) = (self.capturing_cells(player), after.capturing_cells(player));
                let named = listed(rest, "or");
                let holds = |cell: &&str| {
                    let among = |list: &[String]| list.iter().any(|other| other == cell);
                    [among(&before), among(&now)] == wants
                };
                return kind_is(expected)
                    && !self.board.dropping
                    && cells.is_none_or(|cells| cells == named)
                    && named.iter().all(holds);
            }
        }
        false
    }

    fn owner(&self, cell: &str) -> u8 {
        self.board.cells[self.place(cell)]
    }
}
