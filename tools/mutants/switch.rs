//! The switch of mutants, a module of each crate: the variable MUTANT is the number of the one that is on, and
//! with MUTANT_RECORD, the name of a file, every mutant that is reached is noted there.

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

const RECORD: u32 = u32::MAX - 1;
const UNKNOWN: u32 = u32::MAX;
const COUNT: usize = 4096;

static ACTIVE: AtomicU32 = AtomicU32::new(UNKNOWN);
static SEEN: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];

/// Whether mutant `id` is the one.
#[allow(dead_code)]
#[inline]
pub fn on(id: u32) -> bool {
    let active = ACTIVE.load(Relaxed);
    active == id || (active >= RECORD && rare(id))
}

#[cold]
#[inline(never)]
fn rare(id: u32) -> bool {
    let mut active = ACTIVE.load(Relaxed);
    if active == UNKNOWN {
        active = match std::env::var_os("MUTANT_RECORD") {
            Some(_) => RECORD,
            None => std::env::var("MUTANT").ok().and_then(|id| id.parse().ok()).unwrap_or(0),
        };
        ACTIVE.store(active, Relaxed);
    }
    if active == RECORD && !SEEN[id as usize].swap(true, Relaxed) {
        note(id);
    }
    active == id
}

fn note(id: u32) {
    let file = std::env::var_os("MUTANT_RECORD").unwrap_or_default();
    if let Ok(mut file) = std::fs::OpenOptions::new().create(true).append(true).open(file) {
        drop(file.write_all(format!("{id}\n").as_bytes()));
    }
}
