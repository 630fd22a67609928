//! Threads store, probe and split: an answer is what was stored for that very key, or nothing.
//!
//! A slot has room for four bits of a key in its first word, so short keys need both words.

use loom::model::Builder;
use loom::sync::Arc;
use loom::thread::spawn;
use ratlla_loom::bound_table::{BoundTable, Bounds, KeyMixer, TableKey};
use ratlla_loom::platform::memory::Pages;

/// Bounds as different as keys.
type Table = BoundTable<0, 28, 0>;

const NOTHING: Bounds = Bounds { lower: -1, upper: i32::MAX };

/// Tries everything that can happen if a thread is interrupted this often where it could go on.
fn check(interruptions: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(interruptions);
    builder.max_branches = 100_000;
    builder.check(model);
}

/// Bits of the keys of one word, and of two: one for two buckets, four for the first word, five for the second.
fn key_bits<K: TableKey>() -> u32 {
    if K::SLOT_WORDS == 1 { 5 } else { 10 }
}

/// An empty table of two buckets, of eight at most.
fn table<K: TableKey>() -> Table {
    let bytes = 8 * 32 * K::SLOT_WORDS;
    let mut table = Table::new::<K>(bytes, key_bits::<K>(), Pages::Default).expect("memory");
    table.reset_from::<K>(key_bits::<K>(), 1);
    table
}

/// Keys of one bucket; if they have two words, they differ in the second one alone.
fn crowd<K: TableKey + From<u16>>() -> Vec<K> {
    let mixer = KeyMixer::<K>::new(key_bits::<K>());
    let common = if K::SLOT_WORDS == 1 { 1 } else { 5 };
    let keys = (0..1 << key_bits::<K>()).map(K::from);
    keys.filter(|&key| mixer.mix(key).hash() >> (64 - common) == common >> 2).collect()
}

fn store<K: TableKey>(table: &Table, key: K, bound: i32, is_upper: bool) {
    table.store(KeyMixer::<K>::new(key_bits::<K>()).mix(key), bound, is_upper, 1, None);
}

fn probe<K: TableKey>(table: &Table, key: K) -> Bounds {
    table.probe(KeyMixer::<K>::new(key_bits::<K>()).mix(key), NOTHING).bounds
}

/// Two threads store different keys in a bucket with so many others: in its last free slot, or instead of the
/// same entry. A third thread probes meanwhile.
fn different_keys<K: TableKey + From<u16> + Send + Sync + 'static>(others: usize) {
    check(2, move || {
        let mut table = table::<K>();
        table.make_room(1, 0, usize::MAX);
        let keys = crowd::<K>();
        let bound = |place| 10 + place as i32;
        (0..others).for_each(|place| store(&table, keys[place], bound(place), false));
        let table = Arc::new(table);
        let threads = [others, others + 1].map(|place| {
            let (table, key) = (Arc::clone(&table), keys[place]);
            spawn(move || store(&table, key, bound(place), false))
        });
        let check = |place: usize| {
            let found = probe(&table, keys[place]);
            let stored = Bounds { lower: bound(place), ..NOTHING };
            let is_right = found == NOTHING || place < others + 2 && found == stored;
            assert!(is_right, "{place}: {found:?}");
        };
        (others..keys.len().min(others + 3)).for_each(check);
        threads.into_iter().for_each(|thread| thread.join().expect("it ends"));
        (0..keys.len()).for_each(check);
    });
}

#[test]
fn stores_of_different_keys() {
    for others in [3, 4] {
        different_keys::<u64>(others);
        different_keys::<u128>(others);
    }
}

/// One thread finds that a score is at least 10, another one that it is at most 20.
fn one_key<K: TableKey + From<u16> + Send + Sync + 'static>() {
    check(3, || {
        let mut table = table::<K>();
        table.make_room(1, 0, usize::MAX);
        let keys = crowd::<K>();
        let (table, key) = (Arc::new(table), keys[0]);
        let threads = [(10, false), (20, true)].map(|(bound, is_upper)| {
            let table = Arc::clone(&table);
            spawn(move || store(&table, key, bound, is_upper))
        });
        let check = |found: Bounds| {
            assert!([10, NOTHING.lower].contains(&found.lower), "{found:?}");
            assert!([20, NOTHING.upper].contains(&found.upper), "{found:?}");
        };
        check(probe(&table, key));
        threads.into_iter().for_each(|thread| thread.join().expect("it ends"));
        check(probe(&table, key));
        keys[1..].iter().for_each(|&key| assert_eq!(probe(&table, key), NOTHING));
    });
}

#[test]
fn stores_of_one_key() {
    one_key::<u64>();
    one_key::<u128>();
}

/// Threads split all buckets, after one thread has split some alone: every answer stays what it was.
fn handover<K: TableKey + From<u16> + Send + Sync + 'static>(entries: u16) {
    check(3, move || {
        let mut table = table::<K>();
        let keys = (0..1 << key_bits::<K>()).map(K::from);
        for number in 0..entries {
            store(&table, K::from(number), 10 + i32::from(number), false);
        }
        let answers = |table: &Table| keys.clone().map(|key| probe(table, key)).collect::<Vec<_>>();
        let before = answers(&table);
        table.make_room(2, 0, 1);
        assert_eq!(answers(&table), before);
    });
}

#[test]
fn splits_by_two_threads() {
    for entries in [0, 7, 13, 16, 20] {
        handover::<u64>(entries);
        handover::<u128>(entries);
    }
}
