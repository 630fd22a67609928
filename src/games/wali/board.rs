//! The rules of Wali: position, make and unmake of moves, repetition and the end of the game.

use once_cell::sync::Lazy;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::bits::{self, MOST_CELLS, Shape, Standard};
use crate::game::{Game, Outcome, Side};

/// The game is a draw after this many plies of the move phase without a capture.
pub const MOST_QUIET: u16 = 100;
/// The game is a draw when a position of the move phase occurs this many times.
const OCCURRENCES: usize = 3;

/// Zobrist keys.
struct Keys {
    /// By side and cell.
    stone: [[u64; MOST_CELLS]; 2],
    /// For player 2 to move.
    side: u64,
    /// For the move phase.
    moving: u64,
}

static KEYS: Lazy<Keys> = Lazy::new(|| {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(0x7761_6c69);
    let mut keys = Keys { stone: [[0; MOST_CELLS]; 2], side: rng.random(), moving: rng.random() };
    // The cells of the usual board first.
    keys.stone.iter_mut().for_each(|side| rng.fill(&mut side[..30]));
    keys.stone.iter_mut().for_each(|side| rng.fill(&mut side[30..]));
    keys
});

/// A move. Cells are numbered as [`bits`] draws them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Drops a stone from the hand onto a cell.
    Drop(u8),
    /// Moves a stone to an adjacent cell, and captures an enemy stone if that makes three.
    Step {
        /// The cell it leaves.
        from: u8,
        /// The cell it moves to.
        to: u8,
        /// The cell of the captured stone.
        captured: Option<u8>,
    },
    /// Legal only if no other move is.
    Pass,
}

/// The two phases of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Stones are dropped.
    Drop,
    /// Stones are moved.
    Move,
}

/// An earlier position of the game, and the move played in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PastPosition {
    key: u64,
    mv: Move,
}

/// A position without its past; what a move is undone with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardState {
    stones: [u32; 2],
    side: Side,
    phase: Phase,
    outcome: Option<Outcome>,
    key: u64,
    /// Plies of the move phase since its start or the last capture.
    quiet: u16,
    /// How many of these plies are in the past of the board.
    recorded: u16,
    /// How many positions have occurred twice in them.
    twice: u16,
    /// How many plies ago this position occurred last, if it did in them.
    last_seen: Option<u16>,
}

/// A position with its past, which repetition depends on.
#[derive(Clone, Debug)]
pub struct Board<S: Shape = Standard> {
    shape: S,
    state: BoardState,
    /// The positions since the board was set up, the latest last.
    past: Vec<PastPosition>,
}

impl Board {
    /// The empty board of the usual size.
    pub fn new() -> Board {
        Board::empty_board(Standard)
    }
}

impl<S: Shape> Board<S> {
    /// The empty board of this shape.
    pub fn empty_board(shape: S) -> Board<S> {
        let state = BoardState {
            stones: [0; 2],
            side: Side::P1,
            phase: Phase::Drop,
            outcome: None,
            key: 0,
            quiet: 0,
            recorded: 0,
            twice: 0,
            last_seen: None,
        };
        Board { shape, state, past: Vec::new() }
    }

    /// A position without a past. In the drop phase a side must be able to drop and `quiet` is 0; in
    /// the move phase there is a stone and `quiet` is at most [`MOST_QUIET`].
    pub fn from_stones(
        shape: S,
        stones: [u32; 2],
        side: Side,
        phase: Phase,
        quiet: u16,
    ) -> Board<S> {
        let mut board = Board::empty_board(shape);
        board.state = BoardState { stones, side, phase, quiet, ..board.state };
        board.state.key = board.key_from_scratch();
        board.state.outcome = match [stones[0] == 0, stones[1] == 0] {
            _ if phase == Phase::Drop => None,
            [true, _] => Some(Outcome::Win(Side::P2)),
            [_, true] => Some(Outcome::Win(Side::P1)),
            _ => (quiet >= MOST_QUIET).then_some(Outcome::Draw),
        };
        board
    }

    /// The size of the board and the number of stones.
    pub fn shape(&self) -> S {
        self.shape
    }

    /// The stones of `side`.
    pub fn stones(&self, side: Side) -> u32 {
        self.state.stones[side.index()]
    }

    /// Whether stones are dropped or moved.
    pub fn phase(&self) -> Phase {
        self.state.phase
    }

    /// Plies of the move phase since its start or the last capture.
    pub fn quiet(&self) -> u16 {
        self.state.quiet
    }

    /// The recorded moves of those plies, the latest last.
    pub fn quiet_moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.quiet_past().iter().map(|past| past.mv)
    }

    fn quiet_past(&self) -> &[PastPosition] {
        &self.past[self.past.len() - usize::from(self.state.recorded)..]
    }

    /// The empty cells.
    pub fn empty(&self) -> u32 {
        self.shape.board() & !(self.state.stones[0] | self.state.stones[1])
    }

    /// The number of stones `side` can still drop.
    pub fn in_hand(&self, side: Side) -> u32 {
        match self.state.phase {
            Phase::Drop => self.shape.stones() - self.stones(side).count_ones(),
            Phase::Move => 0,
        }
    }

    /// The cells where `side` may drop a stone.
    pub fn drops(&self, side: Side) -> u32 {
        if self.in_hand(side) == 0 {
            return 0;
        }
        self.empty() & !self.shape.around(self.stones(side))
    }

    /// Calls `found` for each step of the side to move: from, to, and whether it captures.
    #[inline]
    pub(super) fn each_step(&self, mut found: impl FnMut(u8, u8, bool)) {
        let own = self.stones(self.state.side);
        let empty = self.empty();
        let threes = bits::Threes::of(self.shape, own).arrivals;
        for (direction, cells) in self.shape.arrivals(own).into_iter().enumerate() {
            for to in bits::each(cells & empty) {
                let from = (to as i8 - self.shape.steps()[direction]) as u8;
                found(from, to, threes[direction] >> to & 1 == 1);
            }
        }
    }

    fn switch_sides(&mut self) {
        self.state.side = !self.state.side;
        self.state.key ^= KEYS.side;
    }

    fn toggle(&mut self, side: Side, cell: u8) {
        self.state.stones[side.index()] ^= 1 << cell;
        self.state.key ^= KEYS.stone[side.index()][usize::from(cell)];
    }

    /// Starts the move phase, with player 1 to move, if neither side can drop.
    fn end_drop_phase(&mut self) {
        if self.drops(Side::P1) | self.drops(Side::P2) == 0 {
            self.state.phase = Phase::Move;
            self.state.key ^= KEYS.moving;
            if self.state.side == Side::P2 {
                self.switch_sides();
            }
        }
    }

    /// Counts a quiet ply and the occurrences of this position.
    fn count_quiet(&mut self) {
        self.state.quiet += 1;
        self.state.recorded += 1;
        let past = self.quiet_past().iter().rev();
        let mut earlier =
            past.zip(1..).filter_map(|(past, plies)| (past.key == self.state.key).then_some(plies));
        let last_seen = earlier.next();
        let occurrences = 1 + usize::from(last_seen.is_some()) + earlier.count();
        self.state.last_seen = last_seen;
        self.state.twice += u16::from(occurrences == 2);
        if occurrences >= OCCURRENCES || self.state.quiet >= MOST_QUIET {
            self.state.outcome = Some(Outcome::Draw);
        }
    }

    fn reset_quiet(&mut self) {
        self.state = BoardState { quiet: 0, recorded: 0, twice: 0, last_seen: None, ..self.state };
    }
}

impl Default for Board {
    fn default() -> Board {
        Board::new()
    }
}

/// Boards are equal if the same moves lead to the same outcomes: the past before the last capture
/// does not count.
impl<S: Shape> PartialEq for Board<S> {
    fn eq(&self, other: &Board<S>) -> bool {
        self.shape == other.shape
            && self.state == other.state
            && self.quiet_past() == other.quiet_past()
    }
}

impl<S: Shape> Eq for Board<S> {}

impl<S: Shape> Game for Board<S> {
    type Move = Move;
    type Undo = BoardState;

    fn side_to_move(&self) -> Side {
        self.state.side
    }

    fn outcome(&self) -> Option<Outcome> {
        self.state.outcome
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        if self.state.outcome.is_some() {
            return;
        }
        let first = moves.len();
        match self.state.phase {
            Phase::Drop => moves.extend(bits::each(self.drops(self.state.side)).map(Move::Drop)),
            Phase::Move => {
                let enemies = self.stones(!self.state.side);
                self.each_step(|from, to, captures| {
                    let step = |captured| Move::Step { from, to, captured };
                    if captures {
                        moves.extend(bits::each(enemies).map(|cell| step(Some(cell))));
                    } else {
                        moves.push(step(None));
                    }
                });
            }
        }
        if moves.len() == first {
            moves.push(Move::Pass);
        }
    }

    fn play(&mut self, mv: Move) -> BoardState {
        debug_assert!(self.state.outcome.is_none());
        let before = self.state;
        let mover = self.state.side;
        self.past.push(PastPosition { key: self.state.key, mv });
        self.switch_sides();
        match mv {
            Move::Drop(cell) => self.toggle(mover, cell),
            Move::Step { from, to, captured } => {
                self.toggle(mover, from);
                self.toggle(mover, to);
                if let Some(cell) = captured {
                    self.toggle(!mover, cell);
                    self.reset_quiet();
                    if self.stones(!mover) == 0 {
                        self.state.outcome = Some(Outcome::Win(mover));
                    }
                    return before;
                }
            }
            Move::Pass => {}
        }
        match self.state.phase {
            Phase::Drop => self.end_drop_phase(),
            Phase::Move => self.count_quiet(),
        }
        before
    }

    fn undo(&mut self, _mv: Move, before: BoardState) {
        self.state = before;
        self.past.pop();
    }

    fn key(&self) -> u64 {
        self.state.key
    }

    fn key_after(&self, mv: Move) -> Option<u64> {
        let Move::Step { from, to, captured } = mv else {
            return None;
        };
        let (own, enemy) = (self.state.side.index(), (!self.state.side).index());
        let capture = captured.map_or(0, |cell| KEYS.stone[enemy][usize::from(cell)]);
        let stones = &KEYS.stone[own];
        Some(
            self.state.key
                ^ KEYS.side
                ^ stones[usize::from(from)]
                ^ stones[usize::from(to)]
                ^ capture,
        )
    }

    fn key_from_scratch(&self) -> u64 {
        let side = if self.state.side == Side::P2 { KEYS.side } else { 0 };
        let phase = match self.state.phase {
            Phase::Drop => 0,
            Phase::Move => KEYS.moving,
        };
        [Side::P1, Side::P2].into_iter().fold(side ^ phase, |key, owner| {
            let keys = &KEYS.stone[owner.index()];
            bits::each(self.stones(owner)).fold(key, |key, cell| key ^ keys[usize::from(cell)])
        })
    }

    /// ```text
    /// bit 0..5 to, or the cell of a drop   5..10 from, 31 for a drop   10..15 captured, 31 for none
    /// ```
    /// A pass is all ones.
    fn code(mv: Move) -> u16 {
        const NONE: u16 = 31;
        match mv {
            Move::Drop(cell) => u16::from(cell) | NONE << 5 | NONE << 10,
            Move::Step { from, to, captured } => {
                u16::from(to) | u16::from(from) << 5 | captured.map_or(NONE, u16::from) << 10
            }
            Move::Pass => u16::MAX,
        }
    }

    /// Every draw is by repetition or by the count of quiet plies.
    fn depends_on_history(&self) -> bool {
        self.state.outcome == Some(Outcome::Draw)
    }

    /// The shortest win never repeats a position. So unless a position has already occurred twice,
    /// none occurs a third time on the way, and only the count of quiet plies can spoil it.
    fn history_free_plies(&self) -> usize {
        if self.state.twice > 0 {
            0
        } else {
            usize::from(MOST_QUIET.saturating_sub(self.state.quiet))
        }
    }

    fn last_seen(&self) -> Option<usize> {
        self.state.last_seen.map(usize::from)
    }
}
