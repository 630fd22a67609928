//! The rules: stones are dropped, then moved; three in a line takes an enemy stone.

use once_cell::sync::Lazy;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::bits::{self, BOARD, CELLS};
use crate::game::{Game, Outcome, Side};

/// Stones that each player may drop.
pub const STONES: u32 = 12;
/// The game is a draw after this many plies of the move phase without a capture.
pub const MOST_QUIET: u16 = 100;
/// The game is a draw when a position of the move phase occurs so often.
const OCCURRENCES: usize = 3;

struct Keys {
    stone: [[u64; CELLS]; 2],
    /// For player 2 being on the move.
    side: u64,
    /// For the move phase.
    moving: u64,
}

static KEYS: Lazy<Keys> = Lazy::new(|| {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(0x7761_6c69);
    let mut keys = Keys { stone: [[0; CELLS]; 2], side: rng.random(), moving: rng.random() };
    keys.stone.iter_mut().for_each(|side| rng.fill(&mut side[..]));
    keys
});

/// A move. Cells are numbered as [`bits`](super::bits) draws them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// A stone from the hand onto a cell.
    Drop(u8),
    /// A stone steps to a neighbouring cell, and may take an enemy stone from a third.
    Step {
        /// Where it stands.
        from: u8,
        /// Where it goes.
        to: u8,
        /// The enemy stone taken.
        captured: Option<u8>,
    },
    /// There is no other move.
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

/// A position that was left by a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Past {
    key: u64,
    mv: Move,
}

/// What a position is apart from its past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Now {
    stones: [u32; 2],
    side: Side,
    phase: Phase,
    outcome: Option<Outcome>,
    key: u64,
    /// Plies of the move phase since its start or the last capture.
    quiet: u16,
    /// Of the past positions, so many at the end belong to those plies.
    remembered: u16,
    /// How many positions have occurred twice in those plies.
    twice: u16,
    /// How many plies ago this one occurred before, if it did in them.
    last_seen: Option<u16>,
}

/// A position with as much of its past as repetition needs.
#[derive(Clone, Debug)]
pub struct Board {
    now: Now,
    /// The positions before this one since the board was set up, the last one last.
    past: Vec<Past>,
}

/// What [`Game::undo`] needs: the position before the move, without its past.
pub struct Before(Now);

impl Board {
    /// The empty board.
    pub fn new() -> Board {
        let now = Now {
            stones: [0; 2],
            side: Side::P1,
            phase: Phase::Drop,
            outcome: None,
            key: 0,
            quiet: 0,
            remembered: 0,
            twice: 0,
            last_seen: None,
        };
        Board { now, past: Vec::new() }
    }

    /// A position without a past. In the drop phase somebody can drop and `quiet` is 0; in the
    /// move phase somebody has a stone and `quiet` is at most [`MOST_QUIET`].
    pub fn from_stones(stones: [u32; 2], side: Side, phase: Phase, quiet: u16) -> Board {
        let mut board = Board::new();
        board.now = Now { stones, side, phase, quiet, ..board.now };
        board.now.key = board.key_from_scratch();
        board.now.outcome = match [stones[0] == 0, stones[1] == 0] {
            _ if phase == Phase::Drop => None,
            [true, _] => Some(Outcome::Win(Side::P2)),
            [_, true] => Some(Outcome::Win(Side::P1)),
            _ => (quiet >= MOST_QUIET).then_some(Outcome::Draw),
        };
        board
    }

    /// The stones of `side`.
    pub fn stones(&self, side: Side) -> u32 {
        self.now.stones[side.index()]
    }

    /// Whether stones are dropped or moved.
    pub fn phase(&self) -> Phase {
        self.now.phase
    }

    /// Plies of the move phase since its start or the last capture.
    pub fn quiet(&self) -> u16 {
        self.now.quiet
    }

    /// The moves of those plies that were seen, the last one last.
    pub fn quiet_moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.quiet_past().iter().map(|past| past.mv)
    }

    fn quiet_past(&self) -> &[Past] {
        &self.past[self.past.len() - usize::from(self.now.remembered)..]
    }

    /// The cells without a stone.
    pub fn empty(&self) -> u32 {
        BOARD & !(self.now.stones[0] | self.now.stones[1])
    }

    /// Stones that `side` has not dropped yet.
    pub fn in_hand(&self, side: Side) -> u32 {
        match self.now.phase {
            Phase::Drop => STONES - self.stones(side).count_ones(),
            Phase::Move => 0,
        }
    }

    /// The cells where `side` may drop a stone.
    pub fn drops(&self, side: Side) -> u32 {
        if self.in_hand(side) == 0 { 0 } else { self.empty() & !bits::around(self.stones(side)) }
    }

    /// Calls `found` with from, to and whether it captures, for each step of the side to move.
    #[inline]
    pub(super) fn each_step(&self, mut found: impl FnMut(u8, u8, bool)) {
        let own = self.stones(self.now.side);
        let empty = self.empty();
        let threes = bits::Threes::of(own).arrivals;
        for (direction, cells) in bits::arrivals(own).into_iter().enumerate() {
            for to in bits::each(cells & empty) {
                let from = (to as i8 - bits::STEPS[direction]) as u8;
                found(from, to, threes[direction] >> to & 1 == 1);
            }
        }
    }

    fn pass_the_turn(&mut self) {
        self.now.side = !self.now.side;
        self.now.key ^= KEYS.side;
    }

    fn toggle(&mut self, side: Side, cell: u8) {
        self.now.stones[side.index()] ^= 1 << cell;
        self.now.key ^= KEYS.stone[side.index()][usize::from(cell)];
    }

    /// Starts the move phase, which player 1 does, if nobody can drop any more.
    fn end_drops(&mut self) {
        if self.drops(Side::P1) | self.drops(Side::P2) == 0 {
            self.now.phase = Phase::Move;
            self.now.key ^= KEYS.moving;
            if self.now.side == Side::P2 {
                self.pass_the_turn();
            }
        }
    }

    /// Counts a ply of the move phase without a capture, and looks whether this position has
    /// occurred before.
    fn count_quiet(&mut self) {
        self.now.quiet += 1;
        self.now.remembered += 1;
        let past = self.quiet_past().iter().rev();
        let mut earlier =
            past.zip(1..).filter_map(|(past, plies)| (past.key == self.now.key).then_some(plies));
        let last_seen = earlier.next();
        let occurrences = 1 + usize::from(last_seen.is_some()) + earlier.count();
        self.now.last_seen = last_seen;
        self.now.twice += u16::from(occurrences == 2);
        if occurrences >= OCCURRENCES || self.now.quiet >= MOST_QUIET {
            self.now.outcome = Some(Outcome::Draw);
        }
    }

    fn forget_quiet(&mut self) {
        self.now = Now { quiet: 0, remembered: 0, twice: 0, last_seen: None, ..self.now };
    }
}

impl Default for Board {
    fn default() -> Board {
        Board::new()
    }
}

/// Boards are equal if they will be equal whatever is played: their earlier past is left out.
impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.now == other.now && self.quiet_past() == other.quiet_past()
    }
}

impl Eq for Board {}

impl Game for Board {
    type Move = Move;
    type Undo = Before;

    fn side_to_move(&self) -> Side {
        self.now.side
    }

    fn outcome(&self) -> Option<Outcome> {
        self.now.outcome
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        if self.now.outcome.is_some() {
            return;
        }
        let first = moves.len();
        match self.now.phase {
            Phase::Drop => moves.extend(bits::each(self.drops(self.now.side)).map(Move::Drop)),
            Phase::Move => {
                let enemies = self.stones(!self.now.side);
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

    fn play(&mut self, mv: Move) -> Before {
        debug_assert!(self.now.outcome.is_none());
        let before = Before(self.now);
        let mover = self.now.side;
        self.past.push(Past { key: self.now.key, mv });
        self.pass_the_turn();
        match mv {
            Move::Drop(cell) => self.toggle(mover, cell),
            Move::Step { from, to, captured } => {
                self.toggle(mover, from);
                self.toggle(mover, to);
                if let Some(cell) = captured {
                    self.toggle(!mover, cell);
                    self.forget_quiet();
                    if self.stones(!mover) == 0 {
                        self.now.outcome = Some(Outcome::Win(mover));
                    }
                    return before;
                }
            }
            Move::Pass => {}
        }
        match self.now.phase {
            Phase::Drop => self.end_drops(),
            Phase::Move => self.count_quiet(),
        }
        before
    }

    fn undo(&mut self, _mv: Move, Before(now): Before) {
        self.now = now;
        self.past.pop();
    }

    fn key(&self) -> u64 {
        self.now.key
    }

    fn key_after(&self, mv: Move) -> Option<u64> {
        let Move::Step { from, to, captured } = mv else {
            return None;
        };
        let (own, enemy) = (self.now.side.index(), (!self.now.side).index());
        let taken = captured.map_or(0, |cell| KEYS.stone[enemy][usize::from(cell)]);
        let stones = &KEYS.stone[own];
        Some(self.now.key ^ KEYS.side ^ stones[usize::from(from)] ^ stones[usize::from(to)] ^ taken)
    }

    fn key_from_scratch(&self) -> u64 {
        let side = if self.now.side == Side::P2 { KEYS.side } else { 0 };
        let phase = match self.now.phase {
            Phase::Drop => 0,
            Phase::Move => KEYS.moving,
        };
        [Side::P1, Side::P2].into_iter().fold(side ^ phase, |key, owner| {
            let numbers = &KEYS.stone[owner.index()];
            bits::each(self.stones(owner)).fold(key, |key, cell| key ^ numbers[usize::from(cell)])
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

    /// Every draw is one by repetition or by the count of quiet plies.
    fn depends_on_history(&self) -> bool {
        self.now.outcome == Some(Outcome::Draw)
    }

    /// The shortest way to win never repeats a position, so as long as none has occurred twice,
    /// none can occur a third time on it. Beside that only the count of quiet plies matters.
    fn history_free_plies(&self) -> usize {
        if self.now.twice > 0 { 0 } else { usize::from(MOST_QUIET.saturating_sub(self.now.quiet)) }
    }

    fn last_seen(&self) -> Option<usize> {
        self.now.last_seen.map(usize::from)
    }
}
