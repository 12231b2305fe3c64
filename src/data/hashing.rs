//! A reader that hashes what passes through it, so that a large file is in memory once.

use std::io::{self, Read};

use xxhash_rust::xxh64::Xxh64;

use super::reference::Hash;

/// See the module.
pub(super) struct HashingReader<R> {
    from: R,
    state: Xxh64,
}

impl<R: Read> HashingReader<R> {
    pub fn new(from: R) -> Self {
        Self { from, state: Xxh64::new(0) }
    }

    /// The hash of all bytes so far, as [`Hash::of`] has it.
    pub fn hash(&self) -> Hash {
        Hash::from_bits(self.state.digest())
    }
}

impl<R: Read> Read for HashingReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.from.read(into)?;
        self.state.update(&into[..n]);
        Ok(n)
    }
}
