//! Data sets by the hash of their bytes, each read once.

use std::collections::BTreeMap;

use super::{DataProblem, Facts, Hash, Table};

/// What a worker, or the command line, has been given.
#[derive(Clone, Debug, Default)]
pub struct Store {
    sets: BTreeMap<Hash, (Table, Facts)>,
}

impl Store {
    /// Reads a file, unless it is here already.
    ///
    /// # Errors
    /// What makes it no table.
    pub fn load(&mut self, name: &str, bytes: &[u8]) -> Result<&Facts, DataProblem> {
        let hash = Hash::of(bytes);
        let set = match self.sets.entry(hash) {
            std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::btree_map::Entry::Vacant(place) => {
                let table = Table::read(name, bytes)?;
                let facts = table.facts(hash);
                place.insert((table, facts))
            }
        };
        Ok(&set.1)
    }

    /// The table of that hash.
    pub fn table(&self, hash: Hash) -> Option<&Table> {
        self.sets.get(&hash).map(|(table, _)| table)
    }

    /// What is known of it.
    pub fn facts(&self, hash: Hash) -> Option<&Facts> {
        self.sets.get(&hash).map(|(_, facts)| facts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_by_its_hash_and_read_once() {
        let mut store = Store::default();
        let hash = store.load("a.csv", b"x,y\n1,0\n").unwrap().hash;
        assert_eq!(store.load("b.csv", b"x,y\n1,0\n").unwrap().name, "a.csv");
        assert_eq!(store.table(hash).unwrap().rows(), 1);
        assert!(store.load("c.csv", b"").is_err());
        assert!(store.facts(Hash::of(b"")).is_none());
    }
}
