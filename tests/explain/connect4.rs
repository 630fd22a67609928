//! Connect Four, cell by cell.

use ratlla::game::ExactValue;
use ratlla::games::connect4::solver::{Position, Solver, SolverLimits, exact_value};

use super::claims::{NaiveGame, check_lines, listed};

#[derive(Clone)]
pub struct Naive {
    rows: usize,
    line: usize,
    /// By column, from the bottom: the players.
    columns: Vec<Vec<u8>>,
    mover: u8,
}

impl Naive {
    pub fn new(rows: usize, columns: usize, line: usize) -> Naive {
        Naive { rows, line, columns: vec![Vec::new(); columns], mover: 1 }
    }

    fn at(&self, column: isize, row: isize) -> u8 {
        let column = usize::try_from(column).ok().and_then(|column| self.columns.get(column));
        let cell = column.zip(usize::try_from(row).ok()).and_then(|(column, row)| column.get(row));
        cell.copied().unwrap_or(0)
    }

    /// Whether a stone of `player` in this cell would be part of a line.
    fn completes(&self, (column, row): (usize, usize), player: u8) -> bool {
        let (column, row) = (column as isize, row as isize);
        let run = |right: isize, up: isize| {
            (1..).take_while(|k| self.at(column + k * right, row + k * up) == player).count()
        };
        [(1, 0), (0, 1), (1, 1), (1, -1)]
            .into_iter()
            .any(|(right, up)| 1 + run(right, up) + run(-right, -up) >= self.line)
    }

    fn place(cell: &str) -> (usize, usize) {
        let column = cell.as_bytes()[0] - b'a';
        (column.into(), cell[1..].parse::<usize>().expect("a row") - 1)
    }

    fn is_empty(&self, (column, row): (usize, usize)) -> bool {
        row < self.rows && row >= self.columns[column].len()
    }

    fn is_playable(&self, (column, row): (usize, usize)) -> bool {
        row < self.rows && row == self.columns[column].len()
    }

    fn is_threat(&self, cell: &str, player: u8) -> bool {
        let place = Naive::place(cell);
        self.is_empty(place) && self.completes(place, player)
    }

    fn empties(&self) -> usize {
        self.columns.iter().map(|column| self.rows - column.len()).sum()
    }

    fn landing(&self, mv: &str) -> (usize, usize) {
        let column = mv.parse::<usize>().expect("a column") - 1;
        (column, self.columns[column].len())
    }

    /// The score by the solver, with the sign of the side to move.
    fn solver_score(&self) -> i32 {
        let mut position =
            Position::with_line(self.rows as u32, self.columns.len() as u32, self.line as u32)
                .expect("a board that the solver knows");
        let stride = self.rows + 1;
        let mut stones = [0u128; 2];
        for (column, cells) in self.columns.iter().enumerate() {
            for (row, &player) in cells.iter().enumerate() {
                stones[usize::from(player != self.mover)] |= 1 << (column * stride + row);
            }
        }
        position = position.with_stones(stones[0], stones[1]).expect("a position");
        let mut solver = Solver::new(1, 1).expect("memory");
        let proof = solver.bounds(&position, &SolverLimits::default(), &mut |_| {});
        proof.bounds.score().expect("solved")
    }
}

impl NaiveGame for Naive {
    fn longest(&self) -> usize {
        self.rows * self.columns.len() - 1
    }

    fn mover(&self) -> u8 {
        self.mover
    }

    fn moves(&self) -> Vec<String> {
        if self.result().is_some() {
            return Vec::new();
        }
        let open = (0..self.columns.len()).filter(|&column| self.columns[column].len() < self.rows);
        open.map(|column| (column + 1).to_string()).collect()
    }

    fn after(&self, mv: &str) -> Naive {
        let mut after = self.clone();
        after.columns[mv.parse::<usize>().expect("a column") - 1].push(self.mover);
        after.mover = 3 - self.mover;
        after
    }

    fn result(&self) -> Option<u8> {
        for (column, stones) in self.columns.iter().enumerate() {
            for (row, &player) in stones.iter().enumerate() {
                if self.completes((column, row), player) {
                    return Some(player);
                }
            }
        }
        (self.empties() == 0).then_some(0)
    }

    fn alternates(&self) -> bool {
        true
    }

    fn provable(&self) -> usize {
        4
    }

    fn solved(&self) -> Option<(u8, usize)> {
        // On 6x7 with so few empty cells it takes no time.
        if self.empties() > 18 {
            return None;
        }
        Some(match exact_value(self.solver_score(), self.empties() as u32) {
            ExactValue::Win(plies) => (self.mover, plies),
            ExactValue::Loss(plies) => (3 - self.mover, plies),
            ExactValue::Draw => (0, 0),
        })
    }

    fn check(&self, mv: &str, kind: &str, cells: Option<&[&str]>, sentence: &str) -> bool {
        let (me, opponent) = (self.mover, 3 - self.mover);
        let place = self.landing(mv);
        let after = self.after(mv);
        let kind_is = |expected: &str| kind.is_empty() || kind == expected;
        let same = |named: &[&str]| cells.is_none_or(|cells| cells == named);
        let opponent_cannot_win = || {
            let wins = |mv: &String| after.after(mv).result() == Some(opponent);
            !after.moves().iter().any(wins)
        };
        if let Some(at) = sentence.strip_prefix("Stops the opponent from completing a line at ") {
            return kind_is("block")
                && same(&[at])
                && Naive::place(at) == place
                && self.completes(place, opponent);
        }
        if let Some(rest) = sentence.strip_prefix("Lets the opponent play ") {
            let at = rest.strip_suffix(", the cell above, and complete a line");
            let at = at.expect("the same words");
            let (column, row) = place;
            return kind_is("above")
                && same(&[at])
                && Naive::place(at) == (column, row + 1)
                && after.is_playable((column, row + 1))
                && after.completes((column, row + 1), opponent);
        }
        if let Some(rest) = sentence.strip_prefix("Makes two threats at once, at ") {
            let named = listed(rest.split(':').next().expect("cells"), "and");
            let threatens =
                |cell: &&str| after.is_threat(cell, me) && after.is_playable(Naive::place(cell));
            return kind_is("fork")
                && same(&named)
                && named.len() > 1
                && named.iter().all(threatens)
                && opponent_cannot_win();
        }
        if let Some(rest) = sentence.strip_prefix("Makes two threats, one above the other, at ") {
            let named = listed(rest.split(':').next().expect("cells"), "and");
            let [low, high] = [named[0], named[1]].map(Naive::place);
            return kind_is("fork")
                && same(&named)
                && named.iter().all(|cell| after.is_threat(cell, me))
                && after.is_playable(low)
                && high == (low.0, low.1 + 1)
                && opponent_cannot_win();
        }
        if let Some(rest) = sentence.strip_prefix(
            "Wins the waiting game: once all other columns are full, the opponent must play ",
        ) {
            let (below, rest) = rest.split_once(", and then ").expect("a threat");
            let at = rest.strip_suffix(" above it completes your line").expect("the same words");
            let (low, high) = (Naive::place(below), Naive::place(at));
            return kind_is("zugzwang")
                && same(&[at])
                && high == (low.0, low.1 + 1)
                && after.is_empty(low)
                && after.is_threat(at, me)
                && (after.empties() > 24 || after.solver_score() < 0);
        }
        let threat = match sentence.strip_prefix("Threatens to complete a line at ") {
            Some(rest) => Some(
                rest.split_once(", and later at ")
                    .map_or((listed(rest, "or"), Vec::new()), |(now, later)| {
                        (listed(now, "or"), listed(later, "or"))
                    }),
            ),
            None => sentence
                .strip_prefix("Makes a threat for later: a stone at ")
                .and_then(|rest| rest.strip_suffix(" would complete a line"))
                .map(|later| (Vec::new(), listed(later, "or"))),
        };
        if let Some((now, later)) = threat {
            let named = [&now[..], &later].concat();
            let is_new = |cell: &&str| after.is_threat(cell, me) && !self.is_threat(cell, me);
            let playable = |cell: &&str| after.is_playable(Naive::place(cell));
            let is_told = |cell: &String| named.contains(&cell.as_str());
            let cells = (0..self.columns.len())
                .flat_map(|column| (0..self.rows).map(move |row| (column, row)))
                .map(|(column, row)| format!("{}{}", char::from(b'a' + column as u8), row + 1));
            return kind_is("threat")
                && same(&named)
                && now.iter().all(playable)
                && !later.iter().any(playable)
                && cells.filter(|cell| is_new(&cell.as_str())).all(|cell| is_told(&cell))
                && named.iter().all(is_new);
        }
        let size = (self.columns.len(), self.rows);
        let owner = |column: usize, row: usize| self.at(column as isize, row as isize);
        kind_is("lines")
            && cells.is_none_or(|cells| cells.iter().all(|cell| Naive::place(cell) == place))
            && check_lines(sentence, size, self.line, place, me, owner)
    }

    fn owner(&self, cell: &str) -> u8 {
        let (column, row) = Naive::place(cell);
        self.at(column as isize, row as isize)
    }
}
