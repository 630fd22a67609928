//! The format, the keys, and the contents of the embedded book.

use std::time::Duration;

use super::key::{COLUMNS, ROWS};
use super::*;
use crate::games::book_file::{seal, write_number};
use crate::games::connect4::solver::tests::Xorshift;
use crate::games::connect4::solver::{Solver, SolverLimits, loss_next, win_leaving, win_now};
use crate::platform::clock::Instant;

fn start() -> Position {
    Position::new(ROWS, COLUMNS).expect("6x7 is a board")
}

/// A position after at most `plies` random moves, not over.
fn random_position(random: &mut Xorshift, plies: u32) -> Position {
    let mut position = start();
    for _ in 0..random.below(plies + 1) {
        let columns: Vec<u32> = position.legal_columns().collect();
        let next =
            position.play(columns[random.below(columns.len() as u32) as usize]).expect("legal");
        if next.winner().is_some() {
            break;
        }
        position = next;
    }
    position
}

/// Positions with arbitrary scores that such positions may have.
fn arbitrary_entries(count: usize) -> Vec<(Position, SolverScore)> {
    let mut random = Xorshift(0x5DEE_CE66);
    let mut entries: Vec<(Position, SolverScore)> = Vec::new();
    while entries.len() < count {
        let position = random_position(&mut random, MAX_STONES);
        if entries.iter().all(|(other, _)| Key::of(other) != Key::of(&position)) {
            let lowest = loss_next(position.empties());
            let scores = (win_now(position.empties()) - lowest + 1) as u32;
            entries.push((position, lowest + random.below(scores) as SolverScore));
        }
    }
    entries
}

#[test]
fn an_encoded_book_parses() {
    let entries = arbitrary_entries(500);
    let book = Book::parse(&encode(&entries).expect("they fit")).expect("not damaged");
    for (position, score) in &entries {
        assert_eq!(book.score(position), Some(*score));
        assert_eq!(book.score(&position.mirrored()), Some(*score));
    }
    assert_eq!(book.sizes().iter().sum::<usize>(), entries.len());
}

/// Its stones are those of a position in the book, column by column, but the board or the line is not.
#[test]
fn a_position_of_another_board_or_line_is_not_in_the_book() {
    for moves in [&[][..], &[3], &[3, 3, 2]] {
        let at = |rows, columns, line| {
            let empty = Position::with_line(rows, columns, line).expect("a board");
            moves.iter().fold(empty, |here, &column| here.play(column).expect("legal"))
        };
        assert!(the_book().score(&at(ROWS, COLUMNS, 4)).is_some());
        for (rows, columns, line) in
            [(5, 7, 4), (7, 7, 4), (6, 6, 4), (6, 8, 4), (7, 6, 4), (6, 7, 3), (6, 7, 5)]
        {
            assert_eq!(the_book().score(&at(rows, columns, line)), None, "{rows} {columns} {line}");
        }
    }
}

#[test]
fn the_order_of_entries_does_not_matter() {
    let mut entries = arbitrary_entries(50);
    let bytes = encode(&entries);
    entries.reverse();
    assert_eq!(encode(&entries), bytes);
}

#[test]
fn what_no_position_of_the_board_has_is_neither_written_nor_read() {
    assert_eq!(encode(&[(Position::new(7, 6).expect("a board"), 0)]), None);
    // A position of no stones may have the first 3^7 keys, and scores up to 21 either way: a win with
    // the first stone, a loss to the second.
    for (key, score, is_possible) in [
        (0, 21, true),
        (0, 22, false),
        (0, -21, true),
        (0, -22, false),
        (0, 31, false),
        (0, -32, false),
        (2186, 0, true),
        (2187, 0, false),
    ] {
        let mut contents = vec![1];
        write_number(&mut contents, key << 6 | (score + 32) as u64);
        let read = Book::parse(&seal(format::MAGIC, &contents));
        assert_eq!(read.is_ok(), is_possible, "key {key}, score {score}");
        assert!(key > 0 || encode(&[(start(), score)]).is_some() == is_possible, "{score}");
    }
    let mut full = start();
    for column in [0, 1, 2, 4, 5, 6].repeat(5).into_iter().take(MAX_STONES as usize + 1) {
        full = full.play(column).expect("legal");
    }
    assert_eq!(encode(&[(full, 0)]), None, "too many stones");
    let no_levels = |count| Book::parse(&seal(format::MAGIC, &vec![0; count]));
    assert!(no_levels(MAX_STONES as usize + 1).is_ok());
    assert_eq!(no_levels(MAX_STONES as usize + 2), Err(BookError::Content));
}

#[test]
fn damage_is_detected() {
    let bytes = encode(&arbitrary_entries(40)).expect("they fit");
    for length in 0..bytes.len() {
        assert!(Book::parse(&bytes[..length]).is_err(), "cut to {length} bytes");
    }
    for bit in 0..8 * bytes.len() {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(Book::parse(&flipped).is_err(), "bit {bit}");
    }
    assert_eq!(Book::parse(b"RATLBOOK\x02"), Err(BookError::Version(2)));
    assert_eq!(Book::parse(b"another file"), Err(BookError::NotABook));
}

/// With a valid checksum, only the parser protects the engine from bad content.
#[test]
fn impossible_content_is_refused() {
    let mut random = Xorshift(0xB0B5);
    for _ in 0..20_000 {
        let content: Vec<u8> =
            (0..random.below(60)).map(|_| (random.below(256) | random.below(256)) as u8).collect();
        let bytes = seal(format::MAGIC, &content);
        if let Ok(book) = Book::parse(&bytes) {
            assert!(book.entries().count() <= bytes.len());
        }
    }
    let endless = seal(format::MAGIC, b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01");
    assert_eq!(Book::parse(&endless), Err(BookError::Content));
}

#[test]
fn keys_are_unique_up_to_mirror_symmetry() {
    let mut random = Xorshift(0xC0FFEE);
    for _ in 0..20_000 {
        let position = random_position(&mut random, MAX_STONES);
        let key = Key::of(&position).expect("few stones on a 6x7 board");
        assert_eq!(Key::of(&position.mirrored()), Some(key));
        assert!(key.0 < 3u64.pow(stones(&position) + COLUMNS));
        let back = key.position().expect("it is a key");
        assert!(back == position || back == position.mirrored());
    }
}

#[test]
fn mirror_images_have_mirrored_preferences() {
    let mut random = Xorshift(0xFACE);
    for _ in 0..1000 {
        let position = random_position(&mut random, 20);
        let keys = |position: &Position| -> Vec<_> {
            by_preference(position).iter().map(|(_, next)| Key::of(next)).collect()
        };
        assert_eq!(keys(&position), keys(&position.mirrored()));
    }
}

fn the_book() -> &'static Book {
    embedded().expect("the embedded book is not damaged")
}

#[test]
fn the_embedded_book_opens_quickly_and_is_small() {
    let bytes = include_bytes!("../book.bin");
    assert!(bytes.len() < 2_000_000);
    let book = Book::parse(bytes).expect("not damaged");
    // A generous limit and several attempts, for busy machines.
    assert!((0..5).any(|_| {
        let started = Instant::now();
        Book::parse(bytes).is_ok_and(|_| started.elapsed() < Duration::from_millis(500))
    }));
    assert!(book.entries().all(|(stones, key, _)| {
        key.position().is_some_and(|position| super::stones(&position) == stones)
    }));
}

#[test]
fn the_first_moves_have_their_known_scores() {
    let move_score = |column| the_book().score(&start().play(column)?).map(|score| -score);
    let scores: Vec<_> = (0..COLUMNS).map(move_score).collect();
    assert_eq!(scores, [-2, -1, 0, 1, 0, -1, -2].map(Some));
    assert_eq!(the_book().score(&start()), Some(1));
}

#[test]
fn the_embedded_scores_are_consistent() {
    let book = the_book();
    for (_, key, score) in book.entries() {
        let position = key.position().expect("it is a key");
        assert_eq!(position.winner(), None);
        let move_score = |next: &Position| match next.winner() {
            Some(_) => Some(win_leaving(next.empties())),
            None => book.score(next).map(|score| -score),
        };
        let moves = by_preference(&position);
        let known: Vec<SolverScore> =
            moves.iter().filter_map(|(_, next)| move_score(next)).collect();
        let best = known.iter().copied().max();
        assert!(best <= Some(score), "{key:?}");
        if known.len() == moves.len() {
            assert_eq!(best, Some(score), "{key:?}");
        }
    }
}

#[test]
fn the_solver_agrees_with_the_embedded_book() {
    let mut solver = Solver::new(16, 1).expect("memory");
    // The half with more stones, which is easier to solve.
    let mut entries: Vec<_> = the_book().entries().collect();
    let entries = entries.split_off(entries.len() / 2);
    let mut random = Xorshift(0xBEEF);
    let mut solved = 0;
    for _ in 0..30 {
        let (_, key, score) = entries[random.below(entries.len() as u32) as usize];
        let position = key.position().expect("it is a key");
        let limits = SolverLimits { nodes: Some(400_000), ..SolverLimits::default() };
        let bounds = solver.bounds(&position, &limits, &mut |_| {}).bounds;
        assert!(bounds.lower <= score && score <= bounds.upper, "{key:?}");
        solved += usize::from(bounds.score().is_some());
    }
    assert!(solved > 0, "no position of the sample was solved");
}
