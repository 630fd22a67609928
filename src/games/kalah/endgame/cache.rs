//! The tables at hand in this process: one that the user chose, and one that was built.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

use super::build::{BuildError, build_in};
use super::{Endgames, Variant, file};
use crate::platform::memory::Pages;

struct TableCache {
    /// The one from disk.
    loaded: Option<Arc<Endgames>>,
    /// The one in memory.
    built: Option<Arc<Endgames>>,
}

static SHELF: Mutex<TableCache> = Mutex::new(TableCache { loaded: None, built: None });

fn cache() -> MutexGuard<'static, TableCache> {
    // Whoever panicked with the lock held has only moved pointers.
    SHELF.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Makes all searches that begin from now on use the table in this file, or none from disk if
/// the path is empty. If the table cannot be used, what was loaded before stays.
pub fn load_table(path: &str) -> Result<(), String> {
    let table = if path.is_empty() { None } else { Some(Arc::new(file::open(Path::new(path))?)) };
    cache().loaded = table;
    Ok(())
}

/// The largest table of this variant that need not be built.
fn best_on_hand(variant: Variant) -> Arc<Endgames> {
    let cache = cache();
    let tables = cache.loaded.iter().chain(&cache.built);
    let fitting = tables.filter(|table| table.variant() == variant);
    let best = fitting.max_by_key(|table| table.seeds());
    best.cloned().unwrap_or_else(|| Arc::new(Endgames::none(variant)))
}

/// A table of this variant for at least `seeds` in play: one at hand, or a new one, which is kept.
/// One that was built and has more than `most` positions is given up before.
/// `go_on` is asked every so often whether to go on building. If it ends with less than was
/// asked for, that is still right.
pub fn find_or_build(
    variant: Variant,
    seeds: usize,
    most: usize,
    pages: Pages,
    go_on: &dyn Fn() -> bool,
) -> Arc<Endgames> {
    {
        let built = &mut cache().built;
        built.take_if(|table| table.shares().len() > most);
    }
    let on_hand = best_on_hand(variant);
    if on_hand.seeds() >= seeds {
        return on_hand;
    }
    match build_in(pages, variant, seeds, Some(&on_hand), &mut |_| go_on()) {
        Ok(table) => {
            let table = Arc::new(table);
            cache().built = Some(Arc::clone(&table));
            table
        }
        Err(BuildError::Stopped) => on_hand,
        Err(BuildError::Impossible(reason)) => {
            log::warn!("no endgame table: {reason}");
            on_hand
        }
    }
}
