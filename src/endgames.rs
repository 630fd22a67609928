//! The endgame tables of one engine, loaded or built. Which types they have is the games'
//! business: the store keeps one value of each type.

use std::any::{Any, TypeId};
use std::collections::HashMap;

/// One value of each type that a game keeps its endgame tables in.
#[derive(Default)]
pub struct EndgameStore {
    tables: HashMap<TypeId, Box<dyn Any + Send>>,
}

impl EndgameStore {
    /// The value of type `T`, if there is one.
    pub fn get<T: Any + Send>(&self) -> Option<&T> {
        self.tables.get(&TypeId::of::<T>())?.downcast_ref()
    }

    /// The value of type `T`, made now if there is none yet.
    pub fn get_or_default<T: Any + Send + Default>(&mut self) -> &mut T {
        let table = self.tables.entry(TypeId::of::<T>()).or_insert_with(|| Box::<T>::default());
        table.downcast_mut().expect("a value is stored under its own type")
    }
}

/// The endgame tables of a game that users can have in a file.
#[derive(Debug)]
pub struct EndgameFile {
    /// The option that takes the path.
    pub option: &'static str,
    /// Loads the file at this path into the store, or drops the loaded one if the path is empty.
    /// If the file cannot be used, the store is unchanged.
    pub load: fn(&mut EndgameStore, &str) -> Result<(), String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_different_types_do_not_meet() {
        let mut store = EndgameStore::default();
        assert_eq!(store.get::<u32>(), None);
        *store.get_or_default::<u32>() = 7;
        *store.get_or_default::<u64>() += 1;
        assert_eq!(store.get::<u32>(), Some(&7));
        assert_eq!(store.get::<u64>(), Some(&1));
    }
}
