//! The position of Kalah: houses, stores and side to move. [`Sowing`] has the rules of a move.

use std::sync::Arc;

use super::row::{Row, Word};
use super::sowing::{Rows, Rules, Sowing};
use crate::game::{Game, Outcome, Side};

/// A house of the side to move, counted from 0 in sowing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct House(pub u8);

/// A position. Once the game is over every seed is in a store.
#[derive(Clone, PartialEq)]
pub struct Board<W> {
    sowing: Arc<Sowing<W>>,
    state: BoardState<W>,
}

/// What a move changes, and is undone with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardState<W> {
    /// By player.
    rows: [Row<W>; 2],
    /// By player.
    stores: [u16; 2],
    side: Side,
}

impl<W: Word> Board<W> {
    /// The start position: player 1 to move.
    pub fn new(rules: Rules) -> Board<W> {
        let row = Row::new(&vec![rules.seeds() as u16; rules.houses()]);
        Board {
            sowing: Arc::new(Sowing::new(rules)),
            state: BoardState { rows: [row; 2], stores: [0; 2], side: Side::P1 },
        }
    }

    /// A position of the same game: the houses of each player, the stores and the side to move.
    /// They must hold all seeds of the game. If one side has no seeds in its houses the game is over,
    /// and the other side stores the rest.
    pub fn with(&self, houses: [&[u16]; 2], stores: [u16; 2], side: Side) -> Board<W> {
        let mut board = Board {
            sowing: Arc::clone(&self.sowing),
            state: BoardState { rows: houses.map(Row::new), stores, side },
        };
        debug_assert!(houses.iter().all(|row| row.len() == self.rules().houses()));
        debug_assert_eq!(board.all_seeds(), self.rules().total() as u32);
        board.state.sweep_if_over();
        board
    }

    /// The same houses and stores with `side` to move.
    pub(super) fn with_turn(&self, side: Side) -> Board<W> {
        Board { sowing: Arc::clone(&self.sowing), state: BoardState { side, ..self.state } }
    }

    /// The number of houses and seeds, and the capture rule.
    pub fn rules(&self) -> Rules {
        self.sowing.rules()
    }

    /// What a move does.
    pub fn sowing(&self) -> &Sowing<W> {
        &self.sowing
    }

    /// The number of seeds `player` has in `house`, counted from 0.
    pub fn seeds(&self, player: Side, house: usize) -> u32 {
        self.state.rows[player.index()].get(house)
    }

    /// The number of seeds in the store of `player`.
    pub fn store(&self, player: Side) -> u32 {
        u32::from(self.state.stores[player.index()])
    }

    /// The lead of the side to move, counting stores alone.
    #[inline]
    pub fn store_lead(&self) -> i32 {
        let [first, second] = self.state.stores.map(i32::from);
        self.state.side.view(first - second)
    }

    /// The houses as seen by the side to move.
    #[inline]
    pub fn rows(&self) -> Rows<W> {
        let own = self.state.side.index();
        Rows { own: self.state.rows[own], other: self.state.rows[1 - own] }
    }

    /// The number of seeds in all houses and stores.
    fn all_seeds(&self) -> u32 {
        let stores: u32 = self.state.stores.iter().map(|&store| u32::from(store)).sum();
        stores + self.rows().in_play()
    }

    /// The state after a move.
    #[inline]
    fn state_after(&self, House(house): House) -> BoardState<W> {
        let mut after = self.state;
        let mover = after.side;
        let sown = self.sowing.sow(self.rows(), usize::from(house));
        after.rows[mover.index()] = sown.rows.own;
        after.rows[(!mover).index()] = sown.rows.other;
        after.stores[mover.index()] += sown.gain as u16;
        if !sown.again {
            after.side = !mover;
        }
        after.sweep_if_over();
        after
    }
}

impl<W: Word> BoardState<W> {
    #[inline]
    fn sweep_if_over(&mut self) {
        let [first, second] = self.rows;
        if first.is_empty() || second.is_empty() {
            self.stores[0] += first.total() as u16;
            self.stores[1] += second.total() as u16;
            self.rows = [Row::default(); 2];
        }
    }

    /// A hash of the houses, one store and the side to move. The other store follows, as the number of
    /// seeds is fixed.
    #[inline]
    fn key(&self) -> u64 {
        let [first, second] = self.rows.map(Row::word);
        let rest = u64::from(self.stores[0]) << 1 | self.side.index() as u64;
        let wide = mix(first.high() ^ 0x9e37_79b9_7f4a_7c15, second.high() ^ rest);
        mix(
            mix(first.low() ^ 0xd1b5_4a32_d192_ed03, second.low() ^ wide),
            0x8bb8_4b93_962e_acc9 ^ wide,
        )
    }
}

impl<W: Word> std::fmt::Debug for Board<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {:?}", self.rules(), self.state)
    }
}

impl<W: Word> Game for Board<W> {
    type Move = House;
    type Undo = BoardState<W>;

    #[inline]
    fn side_to_move(&self) -> Side {
        self.state.side
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if !self.state.rows[0].is_empty() {
            return None;
        }
        let [first, second] = self.state.stores;
        Some(match first.cmp(&second) {
            std::cmp::Ordering::Greater => Outcome::Win(Side::P1),
            std::cmp::Ordering::Less => Outcome::Win(Side::P2),
            std::cmp::Ordering::Equal => Outcome::Draw,
        })
    }

    fn legal_moves(&self, moves: &mut Vec<House>) {
        let own = self.rows().own;
        let houses = (0..self.rules().houses()).filter(|&house| own.get(house) > 0);
        moves.extend(houses.map(|house| House(house as u8)));
    }

    #[inline]
    fn play(&mut self, mv: House) -> BoardState<W> {
        let before = self.state;
        self.state = self.state_after(mv);
        before
    }

    #[inline]
    fn undo(&mut self, _mv: House, before: BoardState<W>) {
        self.state = before;
    }

    #[inline]
    fn key(&self) -> u64 {
        self.state.key()
    }

    #[inline]
    fn key_after(&self, mv: House) -> Option<u64> {
        Some(self.state_after(mv).key())
    }

    /// Sowing changes most of the position, so an incremental hash would gain nothing.
    fn key_from_scratch(&self) -> u64 {
        self.state.key()
    }

    fn code(House(house): House) -> u16 {
        u16::from(house)
    }
}

/// Folds the product of two words, so that each bit depends on all bits of both.
#[inline]
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kalah(houses: usize, seeds: usize) -> Board<u64> {
        Board::new(Rules::new(houses, seeds, false).unwrap())
    }

    fn moves(board: &Board<u64>) -> Vec<u8> {
        let mut moves = Vec::new();
        board.legal_moves(&mut moves);
        moves.iter().map(|&House(house)| house + 1).collect()
    }

    #[test]
    fn a_last_seed_in_the_store_gives_another_move() {
        let mut board = kalah(6, 4);
        board.play(House(2));
        assert_eq!((board.side_to_move(), board.store(Side::P1)), (Side::P1, 1));
        board.play(House(5));
        assert_eq!((board.side_to_move(), board.store(Side::P1)), (Side::P2, 2));
        assert_eq!(board.seeds(Side::P2, 0), 5);
    }

    #[test]
    fn empty_houses_cannot_be_played() {
        let mut board = kalah(6, 4);
        board.play(House(2));
        assert_eq!(moves(&board), [1, 2, 4, 5, 6]);
    }

    #[test]
    fn the_game_ends_when_the_mover_has_no_seeds_left() {
        let mut board = kalah(2, 2).with([&[0, 1], &[2, 1]], [2, 2], Side::P1);
        board.play(House(1));
        assert_eq!(board.outcome(), Some(Outcome::Win(Side::P2)));
        assert_eq!((board.store(Side::P1), board.store(Side::P2)), (3, 5));
        assert!(moves(&board).is_empty());
    }

    #[test]
    fn the_game_ends_when_the_other_side_has_no_seeds_left() {
        let mut board = kalah(2, 2).with([&[1, 0], &[3, 0]], [2, 2], Side::P1);
        board.play(House(0));
        assert_eq!(board.outcome(), Some(Outcome::Win(Side::P1)));
        assert_eq!((board.store(Side::P1), board.store(Side::P2)), (6, 2));
    }

    #[test]
    fn equal_stores_are_a_draw() {
        let mut board = kalah(2, 2).with([&[0, 1], &[1, 0]], [3, 3], Side::P1);
        board.play(House(1));
        assert_eq!(board.outcome(), Some(Outcome::Draw));
    }

    #[test]
    fn a_position_without_seeds_on_one_side_is_over() {
        let board = kalah(2, 2).with([&[0, 0], &[2, 1]], [2, 3], Side::P1);
        assert_eq!(board.outcome(), Some(Outcome::Win(Side::P2)));
        assert_eq!(board.store(Side::P2), 6);
    }

    #[test]
    fn the_key_covers_houses_stores_and_the_side_to_move() {
        let start = kalah(2, 2);
        let keys = [
            start.with([&[1, 1], &[2, 1]], [2, 1], Side::P1).key(),
            start.with([&[1, 1], &[2, 1]], [2, 1], Side::P2).key(),
            start.with([&[1, 1], &[2, 1]], [1, 2], Side::P1).key(),
            start.with([&[2, 0], &[2, 1]], [2, 1], Side::P1).key(),
            start.with([&[1, 1], &[1, 2]], [2, 1], Side::P1).key(),
            start.with([&[2, 1], &[1, 1]], [2, 1], Side::P1).key(),
        ];
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(key), "{index}");
        }
    }

    #[test]
    fn undo_restores_the_position() {
        let mut board = kalah(6, 4);
        let before = board.clone();
        let state = board.play(House(4));
        assert_ne!(board, before);
        board.undo(House(4), state);
        assert_eq!(board, before);
    }
}
