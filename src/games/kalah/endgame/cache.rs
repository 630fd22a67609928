//! The endgame tables at hand: one that the user loaded, and one that was built.

use std::path::Path;
use std::sync::Arc;

use super::build::{BuildError, Means, build_in};
use super::{Endgames, Variant, file};
use crate::endgames::EndgameStore;

/// At most one table from a file and one built in memory.
#[derive(Default)]
pub struct TableCache {
    loaded: Option<Arc<Endgames>>,
    built: Option<Arc<Endgames>>,
}

/// Loads the table in this file, or drops the loaded one if the path is empty. If the table cannot
/// be used, the store is unchanged.
pub fn load_table(endgames: &mut EndgameStore, path: &str) -> Result<(), String> {
    let table = if path.is_empty() { None } else { Some(Arc::new(file::open(Path::new(path))?)) };
    endgames.get_or_default::<TableCache>().loaded = table;
    Ok(())
}

impl TableCache {
    /// The largest table of this variant that need not be built.
    fn best_on_hand(&self, variant: Variant) -> Arc<Endgames> {
        let tables = self.loaded.iter().chain(&self.built);
        let fitting = tables.filter(|table| table.variant() == variant);
        let best = fitting.max_by_key(|table| table.seeds());
        best.cloned().unwrap_or_else(|| Arc::new(Endgames::none(variant)))
    }

    /// A table of this variant for at least `seeds` in play: one at hand, or a new one, which is
    /// kept. A built table with more than `most` positions is dropped first. `go_on` is asked
    /// regularly whether to go on building; if it says no, the result covers fewer seeds.
    pub fn find_or_build(
        &mut self,
        variant: Variant,
        seeds: usize,
        most: usize,
        means: Means,
        go_on: &dyn Fn() -> bool,
    ) -> Arc<Endgames> {
        self.built.take_if(|table| table.shares().len() > most);
        let on_hand = self.best_on_hand(variant);
        if on_hand.seeds() >= seeds {
            return on_hand;
        }
        match build_in(means, variant, seeds, Some(&on_hand), &mut |_| go_on()) {
            Ok(table) => {
                let table = Arc::new(table);
                self.built = Some(Arc::clone(&table));
                table
            }
            Err(BuildError::Stopped) => on_hand,
            Err(BuildError::Impossible(reason)) => {
                log::warn!("no endgame table: {reason}");
                on_hand
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::build::build;
    use super::*;
    use crate::platform::memory::Pages;

    const MEANS: Means = Means { pages: Pages::Default, threads: 1 };
    const VARIANT: Variant = Variant { houses: 3, empty_capture: false };

    fn table(variant: Variant, seeds: usize) -> Option<Arc<Endgames>> {
        Some(Arc::new(build(variant, seeds, None, &mut |_| true).unwrap()))
    }

    fn find(cache: &mut TableCache, variant: Variant, seeds: usize) -> Arc<Endgames> {
        cache.find_or_build(variant, seeds, usize::MAX, MEANS, &|| true)
    }

    #[test]
    fn the_largest_table_of_the_variant_is_used_and_no_other() {
        for [loaded, built] in [[4, 6], [6, 4]] {
            let mut cache =
                TableCache { loaded: table(VARIANT, loaded), built: table(VARIANT, built) };
            let largest = if loaded > built { &cache.loaded } else { &cache.built };
            let largest = largest.clone().unwrap();
            for seeds in 0..=6 {
                assert!(Arc::ptr_eq(&find(&mut cache, VARIANT, seeds), &largest), "{seeds}");
            }
            for other in [
                Variant { empty_capture: true, ..VARIANT },
                Variant { houses: 2, ..VARIANT },
                Variant { houses: 4, ..VARIANT },
            ] {
                let found = find(&mut cache, other, 0);
                assert_eq!((found.variant(), found.seeds()), (other, 0));
            }
        }
    }

    #[test]
    fn a_larger_table_is_built_once_unless_it_is_stopped() {
        let mut cache = TableCache { loaded: table(VARIANT, 3), built: None };
        let stopped = cache.find_or_build(VARIANT, 6, usize::MAX, MEANS, &|| false);
        assert_eq!(stopped.seeds(), 3);
        assert!(cache.built.is_none());
        let built = find(&mut cache, VARIANT, 6);
        assert_eq!(built.shares(), table(VARIANT, 6).unwrap().shares());
        for seeds in [3, 6] {
            assert!(Arc::ptr_eq(&find(&mut cache, VARIANT, seeds), &built));
        }
        // One more than there are: the table at hand has to do.
        assert!(Arc::ptr_eq(&find(&mut cache, VARIANT, 1000), &built));
    }

    #[test]
    fn a_built_table_beyond_the_memory_is_dropped() {
        let mut cache = TableCache { loaded: None, built: table(VARIANT, 6) };
        let size = cache.built.as_ref().unwrap().shares().len();
        let mut seeds = |most| cache.find_or_build(VARIANT, 0, most, MEANS, &|| true).seeds();
        assert_eq!([seeds(size), seeds(size - 1), seeds(size)], [6, 0, 0]);
    }
}
