//! Connect Four's perft counts against published ones and a second, naive implementation.

mod support;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::any_game::AnyGame;
use ratlla::game::Outcome;
use ratlla::games::REGISTRY;
use ratlla::limits::SearchControl;
use support::naive::NaiveBoard;

fn open(rows: usize, columns: usize, line: usize) -> Box<dyn AnyGame> {
    let words = [rows, columns, line].map(|number| number.to_string());
    REGISTRY.open("connect4", &words.each_ref().map(String::as_str)).expect("a valid size")
}

/// The perft count, checked to be the sum over the root moves.
fn perft(game: &dyn AnyGame, depth: u32) -> u64 {
    let mut sum = 0;
    let mut moves = Vec::new();
    let total = game.perft(depth, &SearchControl::new(false, false), &mut |mv, count| {
        moves.push(mv);
        sum += count;
    });
    let total = total.expect("not stopped");
    if depth > 0 {
        assert_eq!((sum, moves), (total, game.moves()));
    }
    total
}

#[test]
fn the_classic_board_has_the_published_counts() {
    let game = open(6, 7, 4);
    let published = [1, 7, 49, 343, 2401, 16807, 117_649, 823_536, 5_673_234];
    for (depth, count) in published.into_iter().enumerate() {
        assert_eq!(perft(&*game, depth as u32), count, "depth {depth}");
    }
}

#[test]
fn other_sizes_and_lines_agree_with_the_naive_rules() {
    for (rows, columns, line, depth) in [
        (4, 4, 4, 9),
        (4, 4, 3, 9),
        (4, 4, 2, 6),
        (4, 5, 4, 8),
        (5, 4, 3, 9),
        (6, 7, 3, 6),
        (6, 7, 5, 6),
        (5, 5, 5, 7),
        (4, 7, 6, 6),
        (8, 8, 4, 5),
        (10, 12, 4, 4),
        (25, 25, 4, 3),
        (25, 4, 3, 8),
        (4, 25, 2, 3),
    ] {
        let count = perft(&*open(rows, columns, line), depth);
        let expected = NaiveBoard::new(rows, columns, line).perft(depth);
        assert_eq!(count, expected, "{rows} {columns} {line} depth {depth}");
    }
}

/// Perft from the start sees few long games, so compare every move of whole games too.
#[test]
fn whole_random_games_agree_with_the_naive_rules() {
    let mut rng = SmallRng::seed_from_u64(1);
    for (rows, columns, line) in [
        (4, 4, 4),
        (6, 7, 4),
        (6, 7, 3),
        (6, 7, 5),
        (8, 8, 4),
        (9, 5, 6),
        (10, 12, 5),
        (25, 25, 7),
        (4, 25, 20),
        (25, 4, 10),
    ] {
        for _ in 0..20 {
            let mut game = open(rows, columns, line);
            let mut naive = NaiveBoard::new(rows, columns, line);
            loop {
                let moves = naive.moves();
                let names: Vec<String> = moves.iter().map(|mv| (mv + 1).to_string()).collect();
                assert_eq!(game.moves(), names, "{}", game.position_text());
                let winner = game.outcome().and_then(|outcome| match outcome {
                    Outcome::Win(side) => Some(side.index() as u8 + 1),
                    Outcome::Draw => None,
                });
                assert_eq!(winner, naive.winner(), "{}", game.position_text());
                assert_eq!(game.outcome().is_some(), moves.is_empty());
                if moves.is_empty() {
                    break;
                }
                let index = rng.random_range(0..moves.len());
                naive.play(moves[index]);
                game.play(&names[index]).expect("a legal move");
            }
        }
    }
}
