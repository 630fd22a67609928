//! The bound table stores what it is given, names one position per entry, and grows.

use super::*;
use std::collections::{HashMap, HashSet};

type Table = BoundTable<-32, 6, 0>;
type TableWithMoves = BoundTable<0, 9, 4>;

const NOTHING: Bounds = Bounds { lower: -100, upper: 100 };

fn table<K: TableKey>(mebibytes: usize, key_bits: u32) -> Table {
    let table = Table::new::<K>(mebibytes << 20, key_bits, Pages::Default);
    let mut table = table.expect("there is memory");
    table.reset::<K>(key_bits);
    table
}

/// Stores many bounds, checks that what is found is what was stored, and returns how many
/// positions are still found.
fn exercise<K: TableKey>(
    table: &Table,
    key_bits: u32,
    positions: u64,
    key: impl Fn(u64) -> K,
) -> usize {
    let mixer = KeyMixer::<K>::new(key_bits);
    let mut stored: HashMap<u64, Bounds> = HashMap::new();
    for number in 0..positions {
        // Consecutive keys, as siblings have them, and every key twice.
        let name = (number / 2) % (1 << (key_bits.min(64) - 1));
        let bound = (name % 7) as i32;
        let is_upper = number % 2 == 0;
        table.store(mixer.mix(key(name)), bound, is_upper, number, None);
        let known = stored.entry(name).or_insert(NOTHING);
        *(if is_upper { &mut known.upper } else { &mut known.lower }) = bound;
    }
    let found = |(&name, &expected): (&u64, &Bounds)| {
        let known = table.probe(mixer.mix(key(name)), NOTHING).bounds;
        assert!(known == NOTHING || known == expected, "{name}: {known:?} {expected:?}");
        known != NOTHING
    };
    stored.iter().filter(|&entry| found(entry)).count()
}

fn narrow(name: u64) -> u64 {
    name
}

/// Keys that differ in both halves.
fn wide(name: u64) -> u128 {
    u128::from(name) << 44 | u128::from(name % 3)
}

#[test]
fn growing_keeps_entries_apart() {
    let positions = 100_000;
    for key_bits in [25, 49, 57, 64] {
        let found = exercise(&table::<u64>(4, key_bits), key_bits, 2 * positions, narrow) as u64;
        assert!(found > positions / 2, "{key_bits} bits: {found}");
    }
    for key_bits in [65, 100, 128] {
        let found = exercise(&table::<u128>(8, key_bits), key_bits, 2 * positions, wide) as u64;
        assert!(found > positions / 2, "{key_bits} bits: {found}");
    }
}

#[test]
fn a_small_table_forgets_but_never_confuses() {
    let found = exercise(&table::<u64>(1, 64), 64, 1_000_000, narrow);
    assert!((10_000..500_000).contains(&found), "{found}");
    let found = exercise(&table::<u128>(1, 128), 128, 1_000_000, wide);
    assert!((10_000..500_000).contains(&found), "{found}");
}

/// Bucket and check of a key in a table that has not grown yet.
fn place<K: TableKey>(table: &Table, key: MixedKey<K>) -> (usize, u64, u64) {
    let bucket = table.bucket(key).as_ptr() as usize;
    let second = if K::SLOT_WORDS > 1 { table.second_check(key) } else { 0 };
    (bucket, table.check(key), second)
}

/// Multiplying by an odd number is one-to-one, so mixed keys are all there are; and each bit of
/// one is in its bucket's index or its check. So no two keys share both.
#[test]
fn no_table_is_too_small_to_keep_every_bit_of_a_key() {
    for key_bits in [20, 49, 63, 64] {
        let table = table::<u64>(0, key_bits);
        for bit in 64 - key_bits..64 {
            for mixed in [0, u64::MAX, 0x0123_4567_89AB_CDEF] {
                let neighbour = MixedKey(mixed ^ 1 << bit);
                assert_ne!(place(&table, MixedKey(mixed)), place(&table, neighbour), "{bit}");
            }
        }
    }
    for key_bits in [65, 112, 113, 128] {
        let table = table::<u128>(0, key_bits);
        for bit in 128 - key_bits..128 {
            for mixed in [0, u128::MAX, 0x0123_4567_89AB_CDEF << 30] {
                let neighbour = MixedKey(mixed ^ 1 << bit);
                assert_ne!(place(&table, MixedKey(mixed)), place(&table, neighbour), "{bit}");
            }
        }
    }
}

#[test]
fn every_short_key_has_its_own_bucket_and_check() {
    let table = table::<u64>(0, 16);
    let mixer = KeyMixer::<u64>::new(16);
    let places: HashSet<_> = (0..1 << 16).map(|key| place(&table, mixer.mix(key))).collect();
    assert_eq!(places.len(), 1 << 16);
}

/// Two threads may have stored one position twice, with true bounds whose bits must not be
/// mixed.
#[test]
fn a_probe_takes_one_of_several_matching_slots() {
    let table = table::<u64>(1, 49);
    let key = KeyMixer::<u64>::new(49).mix(77);
    table.store(key, 5, false, 1, None);
    let bucket = table.bucket(key);
    let first = bucket[0].load(Relaxed);
    bucket[0].store(0, Relaxed);
    table.store(key, 2, false, 1, None);
    bucket[1].store(first, Relaxed);
    let lower = table.probe(key, NOTHING).bounds.lower;
    assert!(lower == 2 || lower == 5, "{lower}");
}

#[test]
fn a_half_written_slot_of_two_words_is_a_miss() {
    let table = table::<u128>(1, 100);
    let mixer = KeyMixer::<u128>::new(100);
    let (one, other) = (mixer.mix(1), mixer.mix(2));
    table.store(one, 5, false, 1, None);
    let old = table.bucket(one)[0].load(Relaxed);
    table.bucket(one)[0].store(old ^ 1, Relaxed);
    assert_eq!(table.probe(one, NOTHING).bounds, NOTHING);
    assert_eq!(table.probe(other, NOTHING).bounds, NOTHING);
    table.bucket(one)[0].store(old, Relaxed);
    assert_eq!(table.probe(one, NOTHING).bounds.lower, 5);
}

/// The check of every answer while tests solve finds what it is for.
#[test]
#[should_panic(expected = "answered Bounds { lower: 5, upper: 31 }, but stored was")]
fn an_answer_for_another_key_is_noticed() {
    let mut table = table::<u64>(1, 49);
    table.keep_whole_keys();
    let [one, other] = [1, 2].map(|key| KeyMixer::<u64>::new(49).mix(key));
    table.store(one, 5, false, 1, None);
    assert_eq!(table.probe(one, NOTHING).bounds.lower, 5);
    assert_eq!(table.probe(other, NOTHING).bounds, NOTHING);
    let entry = table.bucket(one)[0].load(Relaxed) & Table::PAYLOAD;
    table.bucket(other)[0].store(entry | table.check(other), Relaxed);
    table.probe(other, NOTHING);
}

#[test]
fn a_reset_table_is_empty_and_takes_keys_of_another_length() {
    let mut table = table::<u128>(1, 128);
    exercise(&table, 128, 10_000, wide);
    table.reset::<u64>(49);
    exercise(&table, 49, 10_000, narrow);
    table.reset::<u64>(49);
    let key = KeyMixer::<u64>::new(49).mix(1);
    assert_eq!(table.probe(key, NOTHING).bounds, NOTHING);
    table.store(key, 3, true, 1, None);
    assert_eq!(table.probe(key, NOTHING).bounds, Bounds { upper: 3, ..NOTHING });
    table.reset::<u128>(128);
    let found = exercise(&table, 128, 10_000, wide);
    assert!(found > 4_000, "{found}");
}

#[test]
fn a_shared_table_grows_only_on_request() {
    let mut table = table::<u64>(1, 49);
    let found = exercise(&table, 49, 2_000, narrow);
    let mut room = table.make_room_to_share(2, 0);
    assert!(exercise(&table, 49, 2_000, narrow) >= found);
    while room < u64::MAX {
        exercise(&table, 49, 200_000, narrow);
        table.count_shared();
        let before = std::mem::replace(&mut room, table.make_room_to_share(2, 0));
        assert!(room >= before);
    }
    assert!(exercise(&table, 49, 40_000, narrow) > 19_000);
}

/// Slots whose first word has four bits of the key: 2^12 buckets can be split four times.
#[test]
fn no_table_has_more_buckets_than_a_split_can_tell_apart() {
    const KEYS: u128 = 1 << 18;
    let mut table = BoundTable::<0, 28, 0>::new::<u128>(1 << 23, 18, Pages::Default).unwrap();
    table.reset::<u128>(18);
    let mixer = KeyMixer::<u128>::new(18);
    (0..KEYS).for_each(|key| table.store(mixer.mix(key), key as i32 + 1, false, 1, None));
    let answers = |table: &BoundTable<0, 28, 0>| -> Vec<i32> {
        (0..KEYS).map(|key| table.probe(mixer.mix(key), NOTHING).bounds.lower).collect()
    };
    let before = answers(&table);
    assert!((0..).zip(&before).all(|(key, &bound)| bound == key + 1 || bound == NOTHING.lower));
    assert_eq!(table.make_room_to_share(1, u64::MAX), u64::MAX);
    assert_eq!(table.usage().capacity, SLOTS << 16);
    assert!(answers(&table) == before);
}

/// Tables that are large enough for threads to split them, at an odd stage of their growth. All keys are
/// probed; `key_space.rs` does the same at every stage.
fn check_large_handover<K: TableKey>(key: impl Fn(u32) -> K) {
    const INDEX_BITS: u32 = 17;
    let mixer = KeyMixer::<K>::new(18);
    for (threads, splits) in [(1, 1), (2, 1001), (3, 34_567)] {
        let mut table = table::<K>(64, 18);
        table.make_room_to_share(1, (LOAD << (INDEX_BITS - 1)) as u64 + 1);
        for name in (0..1 << 18).filter(|name| name % 7 < 4) {
            table.store(mixer.mix(key(name)), (name % 32) as i32, name % 3 == 0, 1, None);
        }
        (0..splits).for_each(|_| table.split_last::<K>(INDEX_BITS));
        let answers = |table: &Table| -> Vec<Bounds> {
            let answer = |name| table.probe(mixer.mix(key(name)), NOTHING).bounds;
            (0..1 << 18).map(answer).collect()
        };
        let before = answers(&table);
        let stored = (0..).zip(&before).filter(|&(_, &bounds)| bounds != NOTHING);
        assert!(stored.clone().all(|(name, _)| name % 7 < 4) && stored.count() > 100_000);
        assert_eq!(*table.boundary.get_mut(), (1 << INDEX_BITS) - splits);
        table.make_room_to_share(threads, 0);
        assert_eq!(*table.index_bits.get_mut(), INDEX_BITS + 1);
        assert!(answers(&table) == before, "{threads} threads");
    }
}

#[test]
fn threads_hand_over_a_large_table() {
    check_large_handover(u64::from);
    check_large_handover(u128::from);
}

#[test]
fn a_move_and_both_bounds_are_kept() {
    let trivial = Bounds { lower: 0, upper: 288 };
    let mut table = TableWithMoves::new::<u64>(1 << 16, 40, Pages::Default).unwrap();
    table.reset::<u64>(40);
    let mixer = KeyMixer::<u64>::new(40);
    let probe = |key| table.probe(mixer.mix(key), trivial);
    assert_eq!(probe(77), BoundEntry { bounds: trivial, best_move: None });
    table.store(mixer.mix(77), 9, false, 1, Some(11));
    table.store(mixer.mix(78), 9, true, 1000, Some(0));
    table.store(mixer.mix(77), 288, true, 1, Some(3));
    assert_eq!(
        probe(77),
        BoundEntry { bounds: Bounds { lower: 9, upper: 288 }, best_move: Some(3) }
    );
    assert_eq!(probe(78), BoundEntry { bounds: Bounds { lower: 0, upper: 9 }, best_move: Some(0) });
    // However much work it was.
    table.store(mixer.mix(79), 9, true, u64::MAX, Some(4));
    table.store(mixer.mix(79), 5, false, u64::MAX, Some(5));
    let bounds = Bounds { lower: 5, upper: 9 };
    assert_eq!(probe(79), BoundEntry { bounds, best_move: Some(5) });
    table.store(mixer.mix(0), 0, true, 0, None);
    assert_eq!(probe(0).bounds, Bounds::exact(0));
}

#[test]
fn a_full_bucket_replaces_what_took_the_least_work() {
    let mut table = TableWithMoves::new::<u64>(0, 30, Pages::Default).unwrap();
    table.reset::<u64>(30);
    let probe = |key: u64| table.probe(MixedKey(key << 40), NOTHING).bounds.lower;
    for key in 1..5u64 {
        table.store(MixedKey(key << 40), key as i32, false, 1 << (2 * key), None);
    }
    table.store(MixedKey(100u64 << 40), 100, false, 1, None);
    assert_eq!(probe(1), NOTHING.lower);
    assert!((2..5).all(|key| probe(key) == key as i32));
    assert_eq!(probe(100), 100);
}

#[test]
fn too_much_memory_is_an_error() {
    for bytes in [usize::MAX, usize::MAX >> 4] {
        let error = Table::new::<u64>(bytes, 49, Pages::Default).err().expect("refused");
        assert!(error.to_string().starts_with("cannot allocate "), "{error}");
    }
    assert_eq!(Table::least_bytes::<u64>(49), 64);
    assert_eq!(TableWithMoves::least_bytes::<u64>(38), 0);
}

fn saved(table: &mut Table) -> Vec<u8> {
    let mut bytes = Vec::new();
    table.save(&mut bytes).unwrap();
    bytes
}

/// Checks that a table filled with this many positions reads back as it was, and works on.
fn check_saving<K: TableKey>(key_bits: u32, positions: u64, key: impl Fn(u64) -> K) {
    let mut original = table::<K>(4, key_bits);
    exercise(&original, key_bits, 2 * positions, &key);
    let bytes = saved(&mut original);
    let mut copy = table::<K>(8, key_bits);
    exercise(&copy, key_bits, 100, &key);
    copy.load(&mut &bytes[..]).unwrap();
    assert_eq!(saved(&mut copy), bytes);
    assert_eq!(copy.usage().entries, original.usage().entries);
    let mixer = KeyMixer::<K>::new(key_bits);
    for name in 0..positions {
        let key = mixer.mix(key(name));
        assert_eq!(copy.probe(key, NOTHING), original.probe(key, NOTHING), "{name}");
    }
    assert!(exercise(&copy, key_bits, 4 * positions, &key) as u64 >= positions);
}

#[test]
fn a_saved_table_reads_back_at_every_stage_of_its_growth() {
    for positions in [0, 1, 30, 100, 1000, 1500, 12_345, 60_000] {
        check_saving(49, positions, narrow);
        check_saving(100, positions, wide);
    }
}

#[test]
fn tables_that_mean_something_else_or_do_not_fit_are_refused() {
    let mut original = table::<u64>(4, 49);
    exercise(&original, 49, 100_000, narrow);
    let bytes = saved(&mut original);
    let refusal = |table: &mut dyn SavedTable, bytes: &[u8]| {
        let reason = table.load(&mut &bytes[..]).unwrap_err().to_string();
        assert_eq!(table.usage().entries, 0, "the table is empty");
        reason
    };
    for mut other in [table::<u64>(4, 48), table::<u128>(4, 100)] {
        assert_eq!(refusal(&mut other, &bytes), "a table of another kind");
    }
    let mut with_moves = TableWithMoves::new::<u64>(1 << 22, 49, Pages::Default).unwrap();
    with_moves.reset::<u64>(49);
    assert_eq!(refusal(&mut with_moves, &bytes), "a table of another kind");
    let mut small = table::<u64>(0, 49);
    assert_eq!(refusal(&mut small, &bytes), "a table that is larger than this one may be");
    let mut same = table::<u64>(4, 49);
    let mut newer = bytes.clone();
    newer[0] += 1;
    assert_eq!(refusal(&mut same, &newer), "a table of version 2, expected version 1");
    for (word, value) in [(7, u64::MAX), (7, 63), (7, 0), (8, u64::MAX), (8, 0), (9, u64::MAX)] {
        let mut damaged = bytes.clone();
        damaged[8 * word..][..8].copy_from_slice(&value.to_le_bytes());
        refusal(&mut same, &damaged);
    }
    refusal(&mut same, &bytes[..bytes.len() - 1]);
    same.load(&mut &bytes[..]).unwrap();
    assert_eq!(same.usage().entries, original.usage().entries);
}

/// Saved tables outlive the code that wrote them. If this fails, slots or keys have changed:
/// raise the version in `saved.rs`.
#[test]
fn the_saved_form_is_that_of_its_version() {
    let mut one = table::<u64>(1, 49);
    one.store(KeyMixer::<u64>::new(49).mix(77), 5, false, 1000, None);
    let bytes = saved(&mut one);
    let words: Vec<u64> = bytes
        .as_chunks()
        .0
        .iter()
        .map(|&word| u64::from_le_bytes(word))
        .filter(|&word| word != 0)
        .collect();
    assert_eq!(words, [1, -32i64 as u64, 6, 49, 3, 1, 3, 8, 1, 0xb57ce65a4b444025]);
}
