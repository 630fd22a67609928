//! Opening books and endgame tables.

use ratlla::games::book_file::seal;
use ratlla::games::connect4::book::key::{Key, stones};
use ratlla::games::connect4::book::{Book, encode};
use ratlla::games::endgame_file::{HEADER, checksum};
use ratlla::games::kalah::book as kalah_book;
use ratlla::games::kalah::endgame::file as kalah;
use ratlla::games::kalah::endgame::index::Index;
use ratlla::games::wali::bits::AnyShape;
use ratlla::games::wali::endgame::file as wali;

use super::assert_message;

/// Bytes are rejected, or are a book that reads back; with and without a valid header and
/// checksum.
pub fn check_book(data: &[u8]) {
    check_connect4_book(data);
    check_connect4_book(&seal(b"RATLBOOK", data));
    check_kalah_book(data);
    check_kalah_book(&seal(b"RATLKALB", data));
}

fn check_kalah_book(bytes: &[u8]) {
    let book = match kalah_book::ShareBook::parse(bytes) {
        Ok(book) => book,
        Err(damage) => return assert_message(&damage.to_string()),
    };
    assert!(book.entries().count() <= 8 * bytes.len(), "an entry takes at least one bit");
    let written = kalah_book::ShareBook::encode(book.entries()).expect("a parsed book encodes");
    let read = kalah_book::ShareBook::parse(&written).expect("an encoded book parses");
    assert!(read.entries().eq(book.entries()));
}

fn check_connect4_book(bytes: &[u8]) {
    let book = match Book::parse(bytes) {
        Ok(book) => book,
        Err(damage) => return assert_message(&damage.to_string()),
    };
    assert!(book.entries().count() <= bytes.len(), "an entry takes at least one byte");
    let mut entries = Vec::new();
    for (level, key, score) in book.entries() {
        let Some(position) = key.position().filter(|position| stones(position) == level) else {
            continue;
        };
        assert_eq!(book.score(&position), Some(score));
        assert_eq!(book.score(&position.mirrored()), Some(score));
        entries.push((position, score));
    }
    let written = encode(&entries).expect("a parsed book encodes");
    let read = Book::parse(&written).expect("an encoded book parses");
    let expected =
        entries.iter().map(|(position, score)| (stones(position), Key::of(position), *score));
    assert!(read.entries().map(|(level, key, score)| (level, Some(key), score)).eq(expected));
}

/// Bytes are rejected, and so is a valid table with one byte changed or its end cut off.
pub fn check_wali(data: &[u8]) {
    match wali::check(data) {
        Err(message) => assert_message(&message),
        Ok(header) => assert_eq!(data.len() as u64, HEADER as u64 + header.payload_length()),
    }
    let Some((&[size, place, other_place, change], values)) = data.split_first_chunk() else {
        return;
    };
    // Small boards, because this runs often.
    let (rows, columns, most) = (2 + size % 2, 3 + size / 2 % 2, 3 + size / 4 % 2);
    let shape = AnyShape::new(rows.into(), columns.into(), 3).expect("a small board");
    let header = wali::TableHeader { shape, most: most.into() };
    let length = header.payload_length() as usize;
    let values: Vec<u8> = values.iter().copied().chain([change]).cycle().take(length).collect();
    let parameters = [rows, columns, most].map(u32::from);
    let mut table = sealed_table(2, parameters, values.len() as u64, &values);
    assert_eq!(wali::check(&table), Ok(header));
    let place = (usize::from(place) << 8 | usize::from(other_place)) % table.len();
    assert!(wali::check(&table[..place]).is_err(), "cut at {place}");
    table[place] ^= change.max(1);
    assert!(wali::check(&table).is_err(), "byte {place} changed");
}

/// Bytes are rejected, or are a table of the right size with possible values; with and without
/// valid checksums.
pub fn check_kalah(data: &[u8]) {
    check_kalah_bytes(data);
    let Some((&[houses, seeds, capture, place, change], shares)) = data.split_first_chunk() else {
        return;
    };
    check_kalah_bytes(&kalah_table([houses, seeds, capture], shares.len() as u64, shares));
    // A table of the right size, kept small because this runs often.
    let (houses, seeds) = (houses % 4 + 1, seeds % 7);
    let index = Index::new(houses.into(), seeds.into()).expect("a small table");
    let size = index.size(seeds.into());
    let shares: Vec<u8> =
        shares.iter().map(|share| share % 3).chain([0]).cycle().take(size as usize).collect();
    let mut table = kalah_table([houses, seeds, capture % 2], size, &shares);
    check_kalah_bytes(&table);
    let place = usize::from(place) % table.len();
    assert!(kalah::check(&table[..place]).is_err(), "cut at {place}");
    table[place] ^= change.max(1);
    assert!(kalah::check(&table).is_err(), "byte {place} changed");
}

fn check_kalah_bytes(bytes: &[u8]) {
    match kalah::check(bytes) {
        Err(message) => assert_message(&message),
        Ok((variant, seeds)) => {
            let index = Index::new(variant.houses, seeds).expect("a possible table");
            let shares = &bytes[HEADER..];
            assert_eq!(shares.len() as u64, index.size(seeds));
            assert!(shares.iter().all(|&share| usize::from(share) <= seeds));
        }
    }
}

fn kalah_table(parameters: [u8; 3], count: u64, shares: &[u8]) -> Vec<u8> {
    sealed_table(1, parameters.map(u32::from), count, shares)
}

/// A file with valid checksums, whether or not its numbers are consistent.
fn sealed_table(game: u32, parameters: [u32; 3], count: u64, payload: &[u8]) -> Vec<u8> {
    let mut table = b"RATLENDG".to_vec();
    for number in [2, game].into_iter().chain(parameters).chain([0]) {
        table.extend(number.to_le_bytes());
    }
    table.extend(count.to_le_bytes());
    table.extend(checksum(payload).to_le_bytes());
    table.extend(checksum(&table).to_le_bytes());
    table.extend([0; 8]);
    table.extend(payload);
    table
}
