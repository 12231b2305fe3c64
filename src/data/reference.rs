//! How a data set is named: by the hash of its bytes, as a file of that hash, or as a set that everybody knows.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh64::{Xxh64, xxh64};

use super::known::{self, KnownSet};

/// Identifies a file by its bytes: xxh64, written as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Hash(u64);

impl Hash {
    /// The hash of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(xxh64(bytes, 0))
    }

    /// The hash with these 64 bits.
    pub(super) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

/// The bytes of a file and their hash.
#[derive(Debug)]
pub struct LoadedFile {
    /// What is in it.
    pub bytes: Vec<u8>,
    /// Of these bytes.
    pub hash: Hash,
}

impl From<Vec<u8>> for LoadedFile {
    fn from(bytes: Vec<u8>) -> Self {
        let hash = Hash::of(&bytes);
        Self { bytes, hash }
    }
}

/// A file that comes piece by piece; its hash is computed meanwhile, so that no step takes long.
#[derive(Default)]
pub struct IncomingFile {
    bytes: Vec<u8>,
    hash: Xxh64,
}

impl IncomingFile {
    /// Another piece.
    pub fn push(&mut self, piece: &[u8]) {
        self.bytes.extend_from_slice(piece);
        self.hash.update(piece);
    }

    /// How many bytes have come.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether nothing has come.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// All of it.
    pub fn finish(self) -> LoadedFile {
        LoadedFile { hash: Hash(self.hash.digest()), bytes: self.bytes }
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

/// Names a data set: a file, `iris.csv@0123456789abcdef`, or a known set, `sonar`. A name without a hash that is not
/// that of a known set could be any file of that name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataRef {
    /// The file's name, or that of the known set.
    pub name: String,
    /// What the file's bytes hash to.
    pub hash: Option<Hash>,
}

impl DataRef {
    /// A file of one's own.
    pub fn file(name: impl Into<String>, bytes: &[u8]) -> Self {
        Self { name: name.into(), hash: Some(Hash::of(bytes)) }
    }

    /// What a file of it is called that is saved under its hash.
    pub fn file_name(&self) -> String {
        let hash = self.hash.map_or(String::new(), |hash| format!("-{hash}"));
        format!("{}{hash}.bin", self.name)
    }

    /// Its name without an ending, of which files about it are named; `table` where there is none.
    pub fn stem(named: Option<&Self>) -> &str {
        let name = named.map_or("table", |named| &*named.name);
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// Reads `name`, `name@hash`, or nothing.
    pub fn parse(text: &str) -> Option<Self> {
        let hashed = text.rsplit_once('@').and_then(|(name, hash)| Some((name, hash.parse().ok()?)));
        match hashed {
            Some((name, hash)) => Some(Self { name: name.to_owned(), hash: Some(hash) }),
            None => (!text.is_empty()).then(|| {
                let name = known::find(text).map_or(text, |set| set.name);
                Self { name: name.to_owned(), hash: None }
            }),
        }
    }

    /// The known set of that name, unless a file is named by its hash.
    pub fn known(&self) -> Option<&'static KnownSet> {
        if self.hash.is_some() { None } else { known::find(&self.name) }
    }

    /// Whether it is a known set that needs no file.
    pub fn needs_no_file(&self) -> bool {
        self.known().is_some_and(|set| set.files.is_empty())
    }

    /// Hashes of all files that it stands for; none where no particular file is named.
    pub fn hashes(&self) -> impl Iterator<Item = Hash> + use<> {
        let known = self.known().into_iter().flat_map(|set| set.files.iter().map(|file| file.hash));
        self.hash.into_iter().chain(known)
    }

    /// Hash of the file that it stands for, or of the first of several; `None` for a file that is named without its hash.
    pub fn content(&self) -> Option<Hash> {
        self.hashes().next()
    }
}

impl fmt::Display for DataRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.hash.map_or(Ok(()), |hash| write!(f, "@{hash}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_reads_back() {
        for text in ["sonar.csv@0123456789abcdef", "a@b.csv@00000000000000ff", "a b.csv", "x@y"] {
            assert_eq!(DataRef::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(DataRef::parse(""), None);
        assert_eq!(DataRef::parse("a@b").unwrap().hash, None, "b is no hash");
    }

    #[test]
    fn the_hash_is_xxh64() {
        // The reference implementation's values.
        assert_eq!(Hash::of(b"").to_string(), "ef46db3751d8e999");
        assert_eq!(Hash::of(b"abc").to_string(), "44bc2cf5ad770999");
    }

    #[test]
    fn a_file_that_comes_in_pieces_has_the_hash_of_the_whole() {
        let whole: Vec<u8> = (0..1000_u32).map(|i| (i * i) as u8).collect();
        for size in [1, 7, 32, 999, 1000] {
            let mut coming = IncomingFile::default();
            whole.chunks(size).for_each(|piece| coming.push(piece));
            let given = coming.finish();
            assert_eq!((given.hash, &given.bytes), (Hash::of(&whole), &whole));
        }
    }

    #[test]
    fn a_known_set_has_hashes_of_its_own_and_a_file_of_that_name_its_own() {
        let sonar = DataRef::parse("sonar").unwrap();
        assert_eq!((sonar.hashes().count(), sonar.known().map(|set| set.name)), (1, Some("sonar")));
        assert_eq!(DataRef::parse("sonar.csv"), Some(sonar));
        assert_eq!(DataRef::parse("mnist").unwrap().hashes().count(), 4);
        let own = DataRef::file("sonar", b"a,y\n1,0\n");
        assert_eq!((own.known(), own.content()), (None, Some(Hash::of(b"a,y\n1,0\n"))));
        assert_eq!(DataRef::parse("mine.csv").unwrap().content(), None);
    }
}
