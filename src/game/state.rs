//! What programs are told about a position: the reply to `state`.
//!
//! A game [describes](Describe) what only it knows; everything else in a [`GameState`] is the same for
//! all games. The field names are the keys of the JSON, which `protocol.md` documents.

use serde::{Serialize, Serializer};

use super::{Game, Outcome, Side};

/// A cell as an index into [`Board::rows`]: the row, counted from 0 at the top, and the column,
/// counted from 0 on the left.
pub type Cell = [usize; 2];

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Content {
    /// Nothing.
    Empty,
    /// A piece of this side.
    Piece(Side),
    /// This many seeds.
    Seeds(u32),
}

/// Where a seed falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Place {
    /// A house.
    Cell(Cell),
    /// The store of this side.
    Store(Side),
}

/// A value for each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PerSide<T> {
    /// That of player 1.
    pub p1: T,
    /// That of player 2.
    pub p2: T,
}

impl<T> PerSide<T> {
    /// The value of each side.
    pub fn of(value: impl Fn(Side) -> T) -> PerSide<T> {
        PerSide { p1: value(Side::P1), p2: value(Side::P2) }
    }
}

/// A bomb on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bomb {
    /// Where it is.
    pub cell: Cell,
    /// The enemy pieces that it would remove now.
    pub removes: Vec<Cell>,
}

/// The board. What a game does not have is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Board {
    /// The rows from the top, each with its cells from the left.
    pub rows: Vec<Vec<Content>>,
    /// What moves call the rows, from the top.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub row_names: Vec<String>,
    /// What moves call the columns, from the left.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub column_names: Vec<String>,
    /// Seeds in the stores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stores: Option<PerSide<u32>>,
    /// Pieces that can still be dropped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_hand: Option<PerSide<u32>>,
    /// The phase of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<&'static str>,
    /// Plies since the last capture, where they count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiet: Option<u32>,
    /// The number of the next move, where it matters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub move_number: Option<u32>,
    /// How many moves the side to move has left in its turn, where turns have a fixed length.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves_left: Option<u32>,
    /// The bombs on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bombs: Option<PerSide<Option<Bomb>>>,
}

impl Board {
    /// The cells of a board of this size, row by row from the top.
    pub fn cells(rows: usize, columns: usize) -> impl Iterator<Item = Cell> {
        (0..rows).flat_map(move |row| (0..columns).map(move |column| [row, column]))
    }

    /// A board of this size with nothing but its cells.
    pub fn grid(rows: usize, columns: usize, content: impl Fn(Cell) -> Content) -> Board {
        let row = |row| (0..columns).map(|column| content([row, column])).collect();
        Board { rows: (0..rows).map(row).collect(), ..Board::default() }
    }
}

/// What a move does. What does not apply is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MoveEffect {
    /// The cell that is left: by a piece that moves, by seeds, by a bomb that explodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Cell>,
    /// The cell where the piece comes to rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<Cell>,
    /// Whether that piece is a bomb.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub bomb: bool,
    /// Where the seeds fall, one by one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<Place>,
    /// The cells that a capture or an explosion empties.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<Cell>,
    /// The pieces that fall after an explosion: from where, and to where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub falls: Option<Vec<[Cell; 2]>>,
    /// Seeds that the mover stores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<u32>,
}

/// Why a game is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameEnd {
    /// The reason, in the game's words.
    pub reason: &'static str,
    /// The cells that won the game, if it was won by cells.
    pub cells: Vec<Cell>,
}

impl GameEnd {
    /// An ending without winning cells.
    pub fn because(reason: &'static str) -> GameEnd {
        GameEnd { reason, cells: Vec::new() }
    }

    /// Whether the game was won by one diagonal line and no other: each row and column has one cell of it.
    pub fn is_diagonal(&self) -> bool {
        let all_differ = |axis: usize| {
            let mut places: Vec<usize> = self.cells.iter().map(|cell| cell[axis]).collect();
            places.sort_unstable();
            places.windows(2).all(|pair| pair[0] != pair[1])
        };
        !self.cells.is_empty() && all_differ(0) && all_differ(1)
    }
}

/// What only the game knows about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The board.
    pub board: Board,
    /// What each of the moves asked about does, in their order.
    pub effects: Vec<MoveEffect>,
    /// Why the game is over, exactly if it is.
    pub ending: Option<GameEnd>,
}

/// A game that programs can look at.
pub trait Describe: Game {
    /// The position, and what each of `moves`, which are legal, would do. The default has no cells:
    /// clients are left with the drawing.
    fn describe(&self, moves: &[Self::Move]) -> Description {
        Description {
            board: Board::default(),
            effects: vec![MoveEffect::default(); moves.len()],
            ending: self.outcome().map(|_| GameEnd::because("game over")),
        }
    }
}

/// A move and what it does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveState {
    /// Its text.
    #[serde(rename = "move")]
    pub text: String,
    /// Who makes it.
    pub side: Side,
    /// Whether the same side moves again after it.
    pub again: bool,
    /// What it does to the board.
    #[serde(flatten)]
    pub effect: MoveEffect,
}

/// A position as programs see it, but for the game's parameters, which the registry knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameState {
    /// The words of a `position` command that sets it up.
    pub position: String,
    /// The side to move.
    pub side: Side,
    /// How the game ended.
    #[serde(serialize_with = "result")]
    pub result: Option<Outcome>,
    /// Why.
    pub ending: Option<GameEnd>,
    /// The board.
    pub board: Board,
    /// The legal moves.
    pub moves: Vec<MoveState>,
    /// The texts of the moves since the position was set up.
    pub history: Vec<String>,
    /// The last of them.
    pub last: Option<MoveState>,
    /// Whether `go solve` works here.
    pub solver: bool,
    /// Whether the opening book has this position and is used.
    pub book: bool,
    /// The board for people.
    pub drawing: Vec<String>,
}

impl Serialize for Side {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A result as `result` prints it.
fn result<S: Serializer>(outcome: &Option<Outcome>, serializer: S) -> Result<S::Ok, S::Error> {
    match outcome {
        Some(outcome) => serializer.collect_str(outcome),
        None => serializer.serialize_str("none"),
    }
}
