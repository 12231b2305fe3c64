//! References to data sets: a file with its hash, or the name of a known set.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::hash::Hash;
use super::known::{self, KnownSet};

/// A reference to a data set: a file (`iris.csv@0123456789abcdef`) or a known set (`sonar`). A file name without a hash does not
/// identify a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataRef {
    /// Name of the file or of the known set.
    pub name: String,
    /// Hash of the file.
    pub hash: Option<Hash>,
}

impl DataRef {
    /// Returns the reference to a file with these contents.
    pub fn file(name: impl Into<String>, bytes: &[u8]) -> Self {
        Self { name: name.into(), hash: Some(Hash::of(bytes)) }
    }

    /// Returns the reference to the known set that consists of this one file, in any of its forms.
    pub fn recognised(bytes: &[u8]) -> Option<Self> {
        let set = known::recognised(bytes)?;
        Some(Self { name: set.name.to_owned(), hash: None })
    }

    /// Returns the name under which the file is saved, with its hash.
    pub fn file_name(&self) -> String {
        let hash = self.hash.map_or(String::new(), |hash| format!("-{hash}"));
        format!("{}{hash}.bin", self.name)
    }

    /// Returns the name without its extension, for the names of derived files; `table` without a reference.
    pub fn stem(reference: Option<&Self>) -> &str {
        let name = reference.map_or("table", |reference| &*reference.name);
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// Parses `name` or `name@hash`; `None` if `text` is empty.
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

    /// Returns the known set of this name; `None` for a file with a hash.
    pub fn known(&self) -> Option<&'static KnownSet> {
        if self.hash.is_some() { None } else { known::find(&self.name) }
    }

    /// Returns true if this is a known set without files.
    pub fn needs_no_file(&self) -> bool {
        self.known().is_some_and(|set| set.files.is_empty())
    }

    /// Returns true if this is a known set whose file is shipped with the page and the command line.
    pub fn is_shipped(&self) -> bool {
        self.known().is_some_and(KnownSet::is_shipped)
    }

    /// Returns the hashes of all its files; none for a file name without a hash.
    pub fn hashes(&self) -> impl Iterator<Item = Hash> + use<> {
        let known = self.known().into_iter().flat_map(|set| set.files.iter().map(|file| file.hash));
        self.hash.into_iter().chain(known)
    }

    /// Returns the hash of its first file; `None` for a file name without a hash.
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
    fn parsed_references_print_as_the_same_text() {
        for text in ["sonar.csv@0123456789abcdef", "a@b.csv@00000000000000ff", "a b.csv", "x@y"] {
            assert_eq!(DataRef::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(DataRef::parse(""), None);
        assert_eq!(DataRef::parse("a@b").unwrap().hash, None, "b is not a hash");
    }

    #[test]
    fn a_file_is_not_taken_for_the_known_set_of_its_name() {
        let sonar = DataRef::parse("sonar").unwrap();
        assert_eq!((sonar.hashes().count(), sonar.known().map(|set| set.name)), (1, Some("sonar")));
        assert_eq!(DataRef::parse("sonar.csv"), Some(sonar));
        assert_eq!(DataRef::parse("mnist").unwrap().hashes().count(), 4);
        let file = DataRef::file("sonar", b"a,y\n1,0\n");
        assert_eq!((file.known(), file.content()), (None, Some(Hash::of(b"a,y\n1,0\n"))));
        assert_eq!(DataRef::parse("mine.csv").unwrap().content(), None);
    }
}
