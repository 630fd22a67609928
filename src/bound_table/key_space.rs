//! Laws of the table over whole key spaces: its keys are so short that all of them are probed. Nothing is
//! answered that was not stored, and nothing is lost but what a store replaces in a full bucket.

use std::ops::Range;

use super::growth::rounds;
use super::*;

/// What a table says about a key of which it knows nothing.
const NOTHING: BoundEntry =
    BoundEntry { bounds: Bounds { lower: i32::MIN, upper: i32::MAX }, best_move: None };

const KEY_BITS: u32 = 11;
/// Index bits of the tables at first.
const SMALLEST: u32 = 3;

/// A table, all of its keys, and what it must answer for each of them.
struct KeySpace<K, const LOWEST: i32, const BOUND_BITS: u32, const MOVE_BITS: u32> {
    table: BoundTable<LOWEST, BOUND_BITS, MOVE_BITS>,
    mixer: KeyMixer<K>,
    /// The keys in an order of their own, in which buckets fill unevenly.
    shuffled: Vec<u16>,
    expected: Vec<BoundEntry>,
}

impl<K: TableKey + From<u16>, const LOWEST: i32, const BOUND_BITS: u32, const MOVE_BITS: u32>
    KeySpace<K, LOWEST, BOUND_BITS, MOVE_BITS>
{
    /// An empty table, of 8 buckets at first and 512 at most.
    fn new() -> Self {
        let bytes = BoundTable::<LOWEST, BOUND_BITS, MOVE_BITS>::bucket_bytes(K::SLOT_WORDS) << 9;
        let mut table = BoundTable::new::<K>(bytes, KEY_BITS, Pages::Default).expect("memory");
        table.reset_from::<K>(KEY_BITS, SMALLEST);
        let mut shuffled: Vec<u16> = (0..1 << KEY_BITS).collect();
        shuffled.sort_by_key(|&key| scrambled(key));
        let expected = vec![NOTHING; shuffled.len()];
        Self { table, mixer: KeyMixer::new(KEY_BITS), shuffled, expected }
    }

    /// The law: every key there is gets the answer expected.
    fn check(&self, context: impl Fn() -> String) {
        for (key, &expected) in (0..).zip(&self.expected) {
            let found = self.table.probe(self.mixer.mix(K::from(key)), NOTHING.bounds);
            assert!(found == expected, "{}: {key}: {found:?}, not {expected:?}", context());
        }
    }

    /// Stores what is true of `key`: a lower bound, an upper one, or both.
    fn store(&mut self, key: u16) {
        let chance = scrambled(key);
        let bound = LOWEST + 1 + (chance % ((1 << BOUND_BITS) - 2)) as i32;
        let nodes = 1 << ((chance >> 8) % 16);
        let best_move = (MOVE_BITS > 0).then_some((chance >> 12) as u8 % 15);
        let expected = &mut self.expected[usize::from(key)];
        expected.best_move = best_move;
        if !(chance >> 16).is_multiple_of(3) {
            expected.bounds.lower = bound;
            self.table.store(self.mixer.mix(K::from(key)), bound, false, nodes, best_move);
        }
        if (chance >> 16) % 3 != 1 {
            expected.bounds.upper = bound;
            self.table.store(self.mixer.mix(K::from(key)), bound, true, nodes, best_move);
        }
    }

    /// Whether storing `key` replaces another one: its bucket is full of others.
    fn is_crowded(&self, key: u16) -> bool {
        let bucket = self.table.bucket(self.mixer.mix(K::from(key)));
        let mut slots = bucket.chunks_exact(K::SLOT_WORDS);
        self.expected[usize::from(key)] == NOTHING && slots.all(|slot| slot[0].load(Relaxed) != 0)
    }

    /// Stores those of the shuffled keys that replace no other.
    fn fill(&mut self, places: Range<usize>) {
        for place in places {
            let key = self.shuffled[place];
            if !self.is_crowded(key) {
                self.store(key);
            }
        }
    }

    /// Empties the table and brings it to a stage of its growth.
    fn begin_at(&mut self, index_bits: u32, boundary: usize) {
        self.table.forget();
        self.expected.fill(NOTHING);
        loop {
            let bits = self.table.index_bits.load(Relaxed);
            if (bits, self.table.boundary.load(Relaxed)) == (index_bits, boundary) {
                return;
            }
            self.table.split_last::<K>(bits);
        }
    }

    /// Tries a law at every stage of the growth to `largest` buckets, with few keys, many, and full buckets.
    fn at_every_boundary(&mut self, most_bits: u32, law: impl Fn(&mut Self, &str)) {
        for index_bits in SMALLEST..=most_bits {
            for boundary in 1..=1 << index_bits {
                for quarters in [1, 3, 4] {
                    self.begin_at(index_bits, boundary);
                    self.table.shared = true;
                    self.fill(0..quarters * self.shuffled.len() / 4);
                    self.table.count_shared();
                    law(self, &format!("{index_bits} bits, boundary {boundary}, {quarters}/4"));
                }
            }
        }
    }

    /// What comes after a stage of the growth: a table for several threads, their stores, then one thread
    /// again.
    fn lead_on(&mut self, context: &str, threads: usize, share_of_thread: usize) {
        let half = self.shuffled.len() / 2;
        self.check(|| format!("{context}: before"));
        self.table.make_room(threads, 0, share_of_thread);
        self.check(|| format!("{context}: {threads} threads"));
        self.fill(0..half);
        self.table.count_shared();
        self.table.use_alone();
        self.fill(half..2 * half);
        self.check(|| format!("{context}: alone again"));
        self.table.make_room(threads, 1000, share_of_thread);
        self.check(|| format!("{context}: {threads} threads again"));
    }
}

/// A number that looks like chance, another one for each key.
fn scrambled(key: u16) -> u32 {
    let chance = (u32::from(key) + 1).wrapping_mul(0x9E37_79B1);
    let chance = (chance ^ chance >> 15).wrapping_mul(0x85EB_CA6B);
    chance ^ chance >> 13
}

/// The laws, for each kind of table.
trait Laws {
    fn every_store(&mut self);
    fn every_handover(&mut self);
    fn every_copy(&mut self);
    fn every_reset(&mut self);
}

impl<K: TableKey + From<u16>, const LOWEST: i32, const BOUND_BITS: u32, const MOVE_BITS: u32> Laws
    for KeySpace<K, LOWEST, BOUND_BITS, MOVE_BITS>
{
    /// A table that grows alone loses one entry at most for each store, and only from a full bucket.
    fn every_store(&mut self) {
        self.begin_at(SMALLEST, 1 << SMALLEST);
        for place in 0..self.shuffled.len() {
            let key = self.shuffled[place];
            let is_crowded = self.is_crowded(key);
            self.store(key);
            if is_crowded {
                let answer =
                    |key: u16| self.table.probe(self.mixer.mix(K::from(key)), NOTHING.bounds);
                let is_lost = |&key: &u16| {
                    self.expected[usize::from(key)] != NOTHING && answer(key) == NOTHING
                };
                let lost: Vec<u16> = self.shuffled.iter().copied().filter(is_lost).collect();
                assert_eq!(lost.len(), 1, "a full bucket replaces one entry: {lost:?}");
                self.expected[usize::from(lost[0])] = NOTHING;
            }
            self.check(|| format!("after {place} stores"));
        }
    }

    fn every_handover(&mut self) {
        self.at_every_boundary(6, |space, context| {
            let boundary = *space.table.boundary.get_mut();
            space.lead_on(context, 1 + boundary % 3, usize::MAX);
        });
        // A thread for each bucket or two.
        self.at_every_boundary(SMALLEST, |space, context| {
            space.lead_on(context, 3, 1);
        });
    }

    fn every_copy(&mut self) {
        self.at_every_boundary(6, |space, context| {
            let mut bytes = Vec::new();
            space.table.save(&mut bytes).expect("saved");
            space.table.forget();
            space.table.load(&mut &bytes[..]).expect("a table that was saved");
            space.lead_on(&format!("{context}, loaded"), 2, usize::MAX);
        });
    }

    /// Nothing is left for the next game: not a word.
    fn every_reset(&mut self) {
        self.at_every_boundary(6, |space, context| {
            if context.ends_with("1/4") {
                space.table.make_room(2, 0, usize::MAX);
            }
            space.table.reset_from::<u64>(9, SMALLEST);
            let words = space.table.memory.words();
            assert!(words.iter().all(|word| word.load(Relaxed) == 0), "{context}");
            space.table.reset_from::<K>(KEY_BITS, SMALLEST);
        });
    }
}

/// The solvers' tables, and two whose slots have room for so few bits of a key that each is in one place only.
fn kinds() -> [Box<dyn Laws>; 5] {
    [
        Box::new(KeySpace::<u64, -32, 6, 0>::new()),
        Box::new(KeySpace::<u128, -32, 6, 0>::new()),
        Box::new(KeySpace::<u64, 0, 9, 4>::new()),
        Box::new(KeySpace::<u64, 0, 26, 0>::new()),
        Box::new(KeySpace::<u128, 0, 27, 0>::new()),
    ]
}

#[test]
fn a_store_changes_nothing_about_other_keys_but_in_a_full_bucket() {
    kinds().iter_mut().for_each(|kind| kind.every_store());
}

#[test]
fn a_table_is_handed_over_at_every_stage_of_its_growth() {
    kinds().iter_mut().for_each(|kind| kind.every_handover());
}

#[test]
fn a_table_is_saved_and_loaded_at_every_stage_of_its_growth() {
    kinds().iter_mut().for_each(|kind| kind.every_copy());
}

#[test]
fn a_table_is_reset_at_every_stage_of_its_growth() {
    kinds().iter_mut().for_each(|kind| kind.every_reset());
}

/// Whatever the order within a round: what its buckets become is free before it begins. Only bucket 0
/// becomes itself, and that in a round of its own.
#[test]
fn no_round_overwrites_what_is_still_to_be_read() {
    for boundary in 1..3000 {
        let mut is_full = vec![true; boundary];
        is_full.resize(2 * boundary, false);
        for round in rounds(boundary) {
            assert!(is_full[round.clone()].iter().all(|&full| full), "{boundary}: {round:?}");
            if round == (0..1) {
                is_full[0] = false;
            }
            let targets = 2 * round.start..2 * round.end;
            assert!(is_full[targets.clone()].iter().all(|&full| !full), "{boundary}: {round:?}");
            is_full[round].fill(false);
            is_full[targets].fill(true);
        }
        assert!(is_full.iter().all(|&full| full), "{boundary}");
    }
}
