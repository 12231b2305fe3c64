//! What a run makes for later work to take: a trained network, a fitted state. It travels and is kept as a file whose first
//! bytes say what it is.

use super::{DataProblem, DataRef};

/// What every artefact begins with.
pub(crate) const MAGIC: &[u8; 8] = b"\0mflart\x01";

/// What a run has made, named by the hash of [`Artefact::to_bytes`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artefact {
    /// What it is, for who wants to take it (`sbn.network`).
    pub kind: String,
    /// Version of the format of its bytes: one that is not known must not be read.
    pub format: u32,
    /// The thing itself.
    pub bytes: Vec<u8>,
}

impl Artefact {
    /// As a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let kind = self.kind.as_bytes();
        let mut all = Vec::with_capacity(MAGIC.len() + 6 + kind.len() + self.bytes.len());
        all.extend(MAGIC);
        all.extend(self.format.to_be_bytes());
        all.extend((kind.len() as u16).to_be_bytes());
        all.extend(kind);
        all.extend(&self.bytes);
        all
    }

    /// Reads such a file.
    ///
    /// # Errors
    /// If it is none, or cut short.
    pub fn read(file: &[u8]) -> Result<Self, DataProblem> {
        let read = || {
            let rest = file.strip_prefix(MAGIC)?;
            let (format, rest) = rest.split_first_chunk()?;
            let (length, rest) = rest.split_first_chunk()?;
            let (kind, bytes) = rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))?;
            let kind = std::str::from_utf8(kind).ok()?.to_owned();
            Some(Self { kind, format: u32::from_be_bytes(*format), bytes: bytes.to_vec() })
        };
        read().ok_or_else(|| DataProblem::new("not a result of a run of this project, or cut short"))
    }

    /// How a specification names it.
    pub fn named(&self) -> DataRef {
        DataRef::file(self.kind.clone(), &self.to_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_artefact_reads_back_and_is_named_by_its_bytes() {
        let made = Artefact { kind: "toy.fit".into(), format: 3, bytes: vec![1, 2, 3] };
        let file = made.to_bytes();
        assert_eq!(Artefact::read(&file), Ok(made.clone()));
        let other = Artefact { bytes: vec![1, 2, 4], ..made.clone() };
        assert_ne!(made.named(), other.named());
        assert_eq!(made.named().name, "toy.fit");
        assert!(Artefact::read(&file[..16]).is_err() && Artefact::read(b"a,y\n1,0\n").is_err());
    }
}
