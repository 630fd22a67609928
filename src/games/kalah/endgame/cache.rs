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
