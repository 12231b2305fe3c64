//! Artefacts: results of a run that later work uses, such as a trained network, as files with a magic number.

use xxhash_rust::xxh64::xxh64;

use super::error::DataError;
use super::reference::DataRef;

/// Magic number of an artefact file, followed by the version of the header.
pub(crate) const MAGIC: &[u8; 7] = b"\0mflart";
/// Version of the header. It is followed by the checksum of the rest, the format, the length of the kind, the kind, and the contents.
const VERSION: u8 = 1;

/// A result of a run. References use the hash of [`Artefact::to_bytes`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artefact {
    /// Kind, such as `sbn.network`.
    pub kind: String,
    /// Version of the format of the contents.
    pub format: u32,
    /// Contents.
    pub bytes: Vec<u8>,
}

impl Artefact {
    /// Returns the bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let kind = self.kind.as_bytes();
        let length = (kind.len() as u16).to_be_bytes();
        let rest = [&self.format.to_be_bytes()[..], &length, kind, &self.bytes].concat();
        [MAGIC, &[VERSION][..], &xxh64(&rest, 0).to_be_bytes(), &rest].concat()
    }

    /// Returns true if a file begins with the magic number.
    pub fn is(file: &[u8]) -> bool {
        file.starts_with(MAGIC)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If the file is not an artefact, has another version, or is damaged.
    pub fn read(file: &[u8]) -> Result<Self, DataError> {
        let version = file.strip_prefix(MAGIC).and_then(<[u8]>::first);
        if version.is_some_and(|version| *version != VERSION) {
            return Err(DataError::new(
                "saved by another version of Mean Field Lab; save it again with this one",
            ));
        }
        let read = || {
            let (sum, rest) = file.strip_prefix(MAGIC)?.get(1..)?.split_first_chunk()?;
            if xxh64(rest, 0) != u64::from_be_bytes(*sum) {
                return None;
            }
            Self::beginning(file)
        };
        read().ok_or_else(|| DataError::new("damaged or incomplete"))
    }

    /// Returns the artefact in the first bytes of a file, with the contents as far as they are there, unchecked; `None` if the file is
    /// not an artefact of this version.
    pub fn beginning(head: &[u8]) -> Option<Self> {
        let rest = head.strip_prefix(MAGIC)?.strip_prefix(&[VERSION])?.get(size_of::<u64>()..)?;
        let (format, rest) = rest.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let (kind, bytes) = rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))?;
        let kind = std::str::from_utf8(kind).ok()?.to_owned();
        Some(Self { kind, format: u32::from_be_bytes(*format), bytes: bytes.to_vec() })
    }

    /// Returns a reference to the artefact.
    pub fn reference(&self) -> DataRef {
        DataRef::file(self.kind.clone(), &self.to_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_artefact_reads_back_and_is_identified_by_its_bytes() {
        let made = Artefact { kind: "toy.fit".into(), format: 3, bytes: vec![1, 2, 3] };
        let file = made.to_bytes();
        assert_eq!(Artefact::read(&file), Ok(made.clone()));
        let other = Artefact { bytes: vec![1, 2, 4], ..made.clone() };
        assert_ne!(made.reference(), other.reference());
        assert_eq!(made.reference().name, "toy.fit");
        assert!(Artefact::read(b"a,y\n1,0\n").is_err());
    }

    #[test]
    fn truncated_files_and_single_bit_errors_are_detected() {
        let file = Artefact { kind: "toy.fit".into(), format: 3, bytes: (0..50).collect() }.to_bytes();
        for end in 0..file.len() {
            assert!(Artefact::read(&file[..end]).is_err(), "{end} bytes");
            if let Some(beginning) = Artefact::beginning(&file[..end]) {
                assert_eq!(beginning.kind, "toy.fit");
                assert!((0..50).collect::<Vec<u8>>().starts_with(&beginning.bytes), "{end} bytes");
            }
        }
        for bit in 0..8 * file.len() {
            let mut changed = file.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let why = Artefact::read(&changed).unwrap_err().to_string();
            let version = bit / 8 == MAGIC.len();
            assert!(why.contains(if version { "another version" } else { "damaged" }), "bit {bit}: {why}");
        }
        assert!(Artefact::read(&[&file[..], b"\n"].concat()).is_err(), "trailing bytes");
    }
}
