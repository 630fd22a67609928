//! The format, and the contents of the embedded book.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::games::book_file::seal;
use crate::games::kalah::endgame::build::build;
use crate::games::kalah::row::Row;
use crate::games::kalah::solver::ShareSolver;

fn rules() -> Rules {
    Rules::new(6, 4, false).unwrap()
}

fn start() -> Rows<u64> {
    let row = Row::new(&[4; HOUSES]);
    Rows { own: row, other: row }
}

/// Random houses: a position that need not occur in any game.
fn random_rows(rng: &mut SmallRng) -> Rows<u64> {
    let mut row = || Row::new(&std::array::from_fn::<u16, HOUSES, _>(|_| rng.random_range(0..=4)));
    let rows = Rows { own: row(), other: row() };
    if rows.is_over() { random_rows(rng) } else { rows }
}

/// Different positions with arbitrary entries.
fn arbitrary_entries(count: usize) -> Vec<(Rows<u64>, BookEntry)> {
    let mut rng = SmallRng::seed_from_u64(8);
    let mut entries: Vec<(Rows<u64>, BookEntry)> = Vec::new();
    while entries.len() < count {
        let rows = random_rows(&mut rng);
        if entries.iter().all(|&(other, _)| other != rows) {
            let share = rng.random_range(0..=rows.in_play() as u8);
            entries.push((rows, BookEntry { share, rank: rng.random_range(0..6) }));
        }
    }
    entries
}

fn encode(entries: &[(Rows<u64>, BookEntry)]) -> Vec<u8> {
    let index = new_index();
    ShareBook::encode(entries.iter().map(|&(rows, entry)| (index.of(rows), entry))).unwrap()
}

#[test]
fn an_encoded_book_parses() {
    let entries = arbitrary_entries(500);
    let book = ShareBook::parse(&encode(&entries)).unwrap();
    for &(rows, entry) in &entries {
        assert_eq!(book.entry(rules(), rows), Some(entry));
    }
    assert_eq!(book.sizes().iter().sum::<usize>(), entries.len());
    assert!(book.entries().is_sorted_by_key(|(number, _)| number));
    assert_eq!(book.entries().count(), entries.len());
    assert_eq!(ShareBook::parse(&encode(&[])).unwrap().entries().count(), 0);
}

#[test]
fn only_games_of_six_houses_and_the_standard_capture_use_it() {
    let book = ShareBook::parse(&encode(&[(start(), BookEntry { share: 28, rank: 0 })])).unwrap();
    let entry = |houses, seeds, empty_capture| {
        book.entry(Rules::new(houses, seeds, empty_capture).unwrap(), start())
    };
    assert!(entry(6, 4, false).is_some() && entry(6, 6, false).is_some());
    assert!(entry(6, 4, true).is_none());
    let wide = Row::<u128>::new(&[4; 7]);
    assert_eq!(book.entry(Rules::new(7, 4, false).unwrap(), Rows { own: wide, other: wide }), None);
    let many = Row::<u64>::new(&[6; 6]);
    assert_eq!(book.entry(rules(), Rows { own: many, other: many }), None, "72 seeds");
}

#[test]
fn the_order_of_entries_does_not_matter() {
    let mut entries = arbitrary_entries(50);
    let bytes = encode(&entries);
    entries.reverse();
    assert_eq!(encode(&entries), bytes);
}

#[test]
fn what_does_not_fit_is_refused() {
    let index = new_index();
    let number = index.of(start());
    let encode = |number, share, rank| ShareBook::encode([(number, BookEntry { share, rank })]);
    assert!(encode(number, 48, 5).is_some());
    assert_eq!(encode(number, 49, 5), None);
    assert_eq!(encode(number, 48, 6), None);
    assert_eq!(encode(index.size(MOST_SEEDS), 0, 0), None);
}

#[test]
fn damage_is_detected() {
    let bytes = encode(&arbitrary_entries(40));
    for length in 0..bytes.len() {
        assert!(ShareBook::parse(&bytes[..length]).is_err(), "cut to {length} bytes");
    }
    for bit in 0..8 * bytes.len() {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(ShareBook::parse(&flipped).is_err(), "bit {bit}");
    }
}

/// With a valid checksum, only the parser protects the engine from bad content.
#[test]
fn impossible_content_is_refused() {
    let mut rng = SmallRng::seed_from_u64(9);
    let good = encode(&arbitrary_entries(40));
    let contents = &good[9..good.len() - 8];
    for _ in 0..20_000 {
        let mut changed = contents.to_vec();
        for _ in 0..rng.random_range(1..4) {
            let place = rng.random_range(0..changed.len());
            changed[place] = rng.random();
        }
        changed.truncate(rng.random_range(changed.len() / 2..=changed.len()));
        if let Ok(book) = ShareBook::parse(&seal(format::MAGIC, &changed)) {
            let index = new_index();
            for (number, entry) in book.entries() {
                let seeds = (0..).find(|&seeds| number < index.size(seeds)).unwrap();
                assert!(usize::from(entry.share) <= seeds && usize::from(entry.rank) < HOUSES);
            }
        }
    }
    for contents in [&[][..], &[0xFF; 100], &[0; 1000]] {
        assert_eq!(
            ShareBook::parse(&seal(format::MAGIC, contents)).err(),
            Some(BookError::Content)
        );
    }
}

/// All positions of at least this many seeds are in the book, whatever the opponent plays.
const ALL_SEEDS: u32 = 32;

/// The engine's positions on a random line: the book's moves for one side, any for the other, until
/// the engine is to move in a position that is not in the book.
fn random_line(book: &ShareBook, engine_first: bool, rng: &mut SmallRng) -> Vec<Rows<u64>> {
    let sowing = Sowing::<u64>::new(rules());
    let mut rows = start();
    let mut engines_turn = engine_first;
    let mut line = Vec::new();
    while !rows.is_over() {
        let house = if engines_turn {
            line.push(rows);
            let Some(entry) = book.entry(rules(), rows) else { break };
            usize::from(by_preference(&sowing, rows)[usize::from(entry.rank)].0)
        } else {
            let houses: Vec<usize> = rows.own.occupied().collect();
            houses[rng.random_range(0..houses.len())]
        };
        let sown = sowing.sow(rows, house);
        rows = if sown.again { sown.rows } else { sown.rows.turned() };
        engines_turn = engines_turn == sown.again;
    }
    line
}

#[test]
fn it_covers_every_reply_to_its_own_moves() {
    let book = embedded().expect("not damaged");
    let mut rng = SmallRng::seed_from_u64(11);
    for round in 0..2000 {
        for rows in random_line(book, round % 2 == 0, &mut rng) {
            let known = book.entry(rules(), rows).is_some();
            assert!(known || rows.in_play() < ALL_SEEDS, "{rows:?}");
        }
    }
}

#[test]
fn the_embedded_book_agrees_with_the_solver() {
    /// Where the solver is quick.
    const MOST_SEEDS: u32 = 36;
    const SAMPLE: usize = 8;
    let book = embedded().expect("not damaged");
    let sowing = Sowing::<u64>::new(rules());
    let first = book.entry(rules(), start()).expect("the first position");
    assert_eq!(first.share, 28);
    assert_eq!(by_preference(&sowing, start())[usize::from(first.rank)], House(2));
    let endgames = build(rules().into(), 13, None, &mut |_| true).unwrap();
    let solver = ShareSolver::<u64>::new(rules(), &endgames, 64 << 20).unwrap();
    let mut rng = SmallRng::seed_from_u64(10);
    let lines = std::iter::from_fn(|| {
        let engine_first = rng.random();
        Some(random_line(book, engine_first, &mut rng))
    });
    let quick = |&rows: &Rows<u64>| rows.in_play() <= MOST_SEEDS;
    let known = |rows: Rows<u64>| Some((rows, book.entry(rules(), rows)?));
    for (rows, entry) in lines.flatten().filter(quick).filter_map(known).take(SAMPLE) {
        let share = u32::from(entry.share);
        assert_eq!(solver.share(rows, None).0, Some(share), "{rows:?}");
        let House(house) = by_preference(&sowing, rows)[usize::from(entry.rank)];
        assert!(solver.reaches(rows, house.into(), share), "{rows:?}");
        assert!(!solver.reaches(rows, house.into(), share + 1), "{rows:?}");
    }
}
