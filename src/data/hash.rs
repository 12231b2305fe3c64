//! The hash that identifies a file.

use std::fmt;
use std::io::{self, Read};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh64::{Xxh64, xxh64};

/// The xxh64 hash of a file's bytes, written as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Hash(u64);

impl Hash {
    /// Returns the hash of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(xxh64(bytes, 0))
    }

    /// Returns the hash with these 64 bits.
    pub(super) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for Hash {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let digits = text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
        if digits { u64::from_str_radix(text, 16).map(Self).map_err(|_| ()) } else { Err(()) }
    }
}

/// The bytes of a file and their hash.
#[derive(Debug)]
pub struct LoadedFile {
    /// Contents.
    pub bytes: Vec<u8>,
    /// Hash of the contents.
    pub hash: Hash,
}

impl From<Vec<u8>> for LoadedFile {
    fn from(bytes: Vec<u8>) -> Self {
        let hash = Hash::of(&bytes);
        Self { bytes, hash }
    }
}

/// A file that arrives in pieces. Its hash is updated with each piece, so that no single step takes long.
#[derive(Default)]
pub struct IncomingFile {
    bytes: Vec<u8>,
    hash: Xxh64,
}

impl IncomingFile {
    /// Appends a piece.
    pub fn push(&mut self, piece: &[u8]) {
        self.bytes.extend_from_slice(piece);
        self.hash.update(piece);
    }

    /// Returns the number of bytes so far.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns true if no bytes have arrived.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the whole file.
    pub fn finish(self) -> LoadedFile {
        LoadedFile { hash: Hash(self.hash.digest()), bytes: self.bytes }
    }
}

/// A reader that hashes the bytes that pass through it, so that a large file is held in memory only once.
pub(super) struct HashingReader<R> {
    inner: R,
    state: Xxh64,
}

impl<R: Read> HashingReader<R> {
    pub fn new(inner: R) -> Self {
        Self { inner, state: Xxh64::new(0) }
    }

    /// Returns the hash of all bytes read so far.
    pub fn hash(&self) -> Hash {
        Hash(self.state.digest())
    }
}

impl<R: Read> Read for HashingReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(into)?;
        self.state.update(&into[..n]);
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_matches_the_reference_implementation() {
        assert_eq!(Hash::of(b"").to_string(), "ef46db3751d8e999");
        assert_eq!(Hash::of(b"abc").to_string(), "44bc2cf5ad770999");
    }

    #[test]
    fn a_file_in_pieces_has_the_hash_of_the_whole() {
        let whole: Vec<u8> = (0..1000_u32).map(|i| (i * i) as u8).collect();
        for size in [1, 7, 32, 999, 1000] {
            let mut incoming = IncomingFile::default();
            whole.chunks(size).for_each(|piece| incoming.push(piece));
            let file = incoming.finish();
            assert_eq!((file.hash, &file.bytes), (Hash::of(&whole), &whole));
        }
    }
}
