//! The rules of Kalah: perft counts, and invariants of random games and positions.

mod support;

use proptest::prelude::*;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::game::{Game, Notation, Outcome, Side};
use ratlla::games::REGISTRY;
use ratlla::games::kalah::board::Board;
use ratlla::games::kalah::row::Word;
use ratlla::games::kalah::sowing::Rules;
use ratlla::limits::SearchControl;
use support::laws::{check_position, check_text};
use support::random_play::random_move;

#[test]
fn perft_counts_agree_with_the_data_file() {
    for line in include_str!("data/kalah_perft.txt").lines() {
        let Some((parameters, counts)) = line.split_once(':').filter(|_| !line.starts_with('#'))
        else {
            continue;
        };
        let parameters: Vec<&str> = parameters.split_whitespace().collect();
        let game = REGISTRY.open("kalah", &parameters).unwrap();
        for (depth, count) in (1..).zip(counts.split_whitespace()) {
            let counted = game.perft(depth, &SearchControl::new(false, false), &mut |_, _| {});
            assert_eq!(counted, count.parse().ok(), "{parameters:?} depth {depth}");
        }
    }
}

fn seeds_of<W: Word>(board: &Board<W>, player: Side) -> u32 {
    let houses = (0..board.rules().houses()).map(|house| board.seeds(player, house));
    houses.sum::<u32>() + board.store(player)
}

/// Checks what holds in every position; with `laws`, also what holds in every game.
fn check_board<W: Word>(board: &Board<W>, laws: bool) {
    let all = seeds_of(board, Side::P1) + seeds_of(board, Side::P2);
    assert_eq!(all as usize, board.rules().total(), "{board:?}");
    if laws {
        check_position(board);
        check_text(board);
    }
}

/// Plays a random game to its end and undoes all of it.
fn play_out<W: Word>(start: &Board<W>, laws: bool, rng: &mut SmallRng) {
    let mut board = start.clone();
    let mut played = Vec::new();
    while let Some(mv) = random_move(&board, rng) {
        check_board(&board, laws);
        let (mover, store) = (board.side_to_move(), board.store(board.side_to_move()));
        let state = board.play(mv);
        let again = board.side_to_move() == mover;
        assert!(
            !again || board.store(mover) > store,
            "only a seed in the store gives another move"
        );
        played.push((mv, state));
        assert!(played.len() < 10_000, "the game never ends");
    }
    check_board(&board, laws);
    check_end(&board);
    while let Some((mv, state)) = played.pop() {
        board.undo(mv, state);
    }
    assert_eq!(&board, start);
}

fn check_end<W: Word>(board: &Board<W>) {
    let (first, second) = (board.store(Side::P1), board.store(Side::P2));
    assert_eq!((first + second) as usize, board.rules().total());
    let expected = match first.cmp(&second) {
        std::cmp::Ordering::Greater => Outcome::Win(Side::P1),
        std::cmp::Ordering::Less => Outcome::Win(Side::P2),
        std::cmp::Ordering::Equal => Outcome::Draw,
    };
    assert_eq!(board.outcome(), Some(expected));
}

#[test]
fn ten_thousand_random_games_end_with_every_seed_in_a_store() {
    let mut rng = SmallRng::seed_from_u64(20);
    for game in 0..10_000 {
        let (houses, seeds) = match game % 4 {
            0 | 1 => (6, 4),
            _ => (rng.random_range(1..=12), rng.random_range(1..=12)),
        };
        let rules = Rules::new(houses, seeds, game % 3 == 0).unwrap();
        // The laws take twenty times as long as the game.
        let laws = game % 10 == 0;
        if houses <= u64::HOUSES {
            play_out(&Board::<u64>::new(rules), laws, &mut rng);
        } else {
            play_out(&Board::<u128>::new(rules), laws, &mut rng);
        }
    }
}

#[test]
fn games_on_narrow_and_wide_words_are_the_same() {
    let mut rng = SmallRng::seed_from_u64(21);
    for _ in 0..200 {
        let rules = Rules::new(rng.random_range(1..=6), rng.random_range(1..=12), false).unwrap();
        let (mut narrow, mut wide) = (Board::<u64>::new(rules), Board::<u128>::new(rules));
        while let Some(mv) = random_move(&narrow, &mut rng) {
            narrow.play(mv);
            wide.play(mv);
            assert_eq!(narrow.position_text(), wide.position_text());
            assert_eq!(narrow.outcome(), wide.outcome());
        }
    }
}

#[test]
fn a_bad_position_leaves_the_game_unchanged() {
    let mut game = REGISTRY.open("kalah", &["3", "2"]).unwrap();
    game.set_position(&[], &["2"]).unwrap();
    let before = game.position_text();
    assert!(game.set_position(&["pits", "1"], &[]).is_err());
    let error = game.set_position(&[], &["2", "9"]).unwrap_err();
    assert!(error.contains("move 2, '9': house 9 does not exist (houses are 1..3)"), "{error}");
    let error = game.set_position(&[], &["2", "2"]).unwrap_err();
    assert!(error.contains("house 2 is empty"), "{error}");
    assert_eq!(game.position_text(), before);
}

proptest! {
    #[test]
    fn any_words_are_a_valid_position_or_refused(words in prop::collection::vec(
        prop_oneof![
            3 => "[0-9]{1,2}", 1 => "/|p1|p2|pits", 1 => "\\PC{0,6}"
        ], 0..12)
    ) {
        let start = Board::<u64>::new(Rules::new(2, 3, false).unwrap());
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let with_head: Vec<&str> = ["pits"].into_iter().chain(words.iter().copied()).collect();
        for words in [words, with_head] {
            if let Ok(board) = start.parse_position(&words) {
                check_board(&board, true);
            }
        }
    }

    #[test]
    fn every_distribution_of_the_seeds_is_a_position(
        cuts in prop::collection::vec(0u16..=24, 7), first_moves: bool
    ) {
        let start = Board::<u64>::new(Rules::new(3, 4, false).unwrap());
        let mut cuts = cuts;
        cuts.extend([0, 24]);
        cuts.sort();
        let pits: Vec<u16> = cuts.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let side = if first_moves { Side::P1 } else { Side::P2 };
        let board = start.with([&pits[..3], &pits[3..6]], [pits[6], pits[7]], side);
        check_board(&board, true);
    }
}
