//! A run as one file: its settings, its data and its results. It opens without computing again and predicts further rows.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use super::bytes::{decode, decode_beginning, encode};
use super::link::Link;
use super::replay::ReplayFrame;
use super::values::Raw;
use crate::data::{Artefact, DataError, DataRef};

/// Kind of the file.
const KIND: &str = "meanfield.run";
/// Version of the format.
const FORMAT: u32 = 2;

/// A run that was saved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedRun {
    /// Build that computed it; results of another build may differ.
    pub version: String,
    /// Id of the task.
    pub task: String,
    /// The whole specification.
    pub spec: Raw,
    /// Settings that the run found, such as fitted hyperparameters; a run with them gives the same model without a search.
    pub found: Raw,
    /// Files that the specification names, then artefacts of the run.
    pub files: Vec<ByteBuf>,
    /// Number of artefacts among these files.
    pub files_made: usize,
    /// Ranges of units and their snapshots.
    pub shards: Vec<(Range<usize>, ByteBuf)>,
    /// Frames for a replay; none if the run was not finished.
    pub frames: Vec<ReplayFrame>,
    /// Duration in milliseconds.
    pub elapsed_ms: u32,
}

impl SavedRun {
    /// Encodes the run as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        Artefact { kind: KIND.to_owned(), format: FORMAT, bytes: encode(self) }.to_bytes()
    }

    /// Returns true if a file is a saved run, also of another version or damaged after its head.
    pub fn is(file: &[u8]) -> bool {
        Artefact::beginning(file).is_some_and(|made| made.kind == KIND)
    }

    /// Reads the file of a saved run; `None` for another file.
    ///
    /// # Errors
    /// If it is damaged or of another version.
    pub fn read(file: &[u8]) -> Option<Result<Self, DataError>> {
        if !Artefact::is(file) {
            return None;
        }
        match Artefact::read(file) {
            Err(problem) => Some(Err(problem)),
            Ok(made) if made.kind != KIND => None,
            Ok(made) if made.format == FORMAT => Some(decode(&made.bytes).map_err(DataError::new)),
            Ok(_) => Some(Err(DataError::new("this run was saved by another version of Mean Field Lab"))),
        }
    }

    /// Returns the permalink of the run in a file of which only the first bytes are given; `None` for another file.
    pub fn link_of(head: &[u8]) -> Option<Link> {
        let made = Artefact::beginning(head).filter(|made| made.kind == KIND && made.format == FORMAT)?;
        let (_, task, raw): (String, String, Raw) = decode_beginning(&made.bytes)?;
        Some(Link { task, raw })
    }

    /// Returns the files that the run was given.
    pub fn given(&self) -> &[ByteBuf] {
        &self.files[..self.files.len().saturating_sub(self.files_made)]
    }

    /// Returns the artefacts of the run.
    pub fn made(&self) -> &[ByteBuf] {
        &self.files[self.given().len()..]
    }

    /// Returns the permalink of the run.
    pub fn link(&self) -> Link {
        Link { task: self.task.clone(), raw: self.spec.clone() }
    }

    /// Returns the name of its file: that of its data set, if it has one, and that of its task.
    pub fn file_name(&self) -> String {
        let data = self.link().data();
        let data = data.map_or_else(String::new, |data| format!("{}.", DataRef::stem(Some(&data))));
        format!("{data}{}.run.bin", self.task)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raw_of;

    #[test]
    fn a_saved_run_reads_back_and_other_files_are_none() {
        let run = SavedRun {
            version: "1".into(),
            task: "toy".into(),
            spec: raw_of([("a", "1")]),
            shards: vec![(0..2, ByteBuf::from(vec![1, 2, 3]))],
            elapsed_ms: 12,
            ..SavedRun::default()
        };
        let file = run.to_bytes();
        assert_eq!(SavedRun::read(&file), Some(Ok(run.clone())));
        assert_eq!(run.link().to_string(), "#/toy?a=1");
        assert_eq!(run.file_name(), "toy.run.bin");
        let named = SavedRun { spec: raw_of([("data", "iris.csv@0123456789abcdef")]), ..run.clone() };
        assert_eq!(named.file_name(), "iris.toy.run.bin");
        assert_eq!(
            SavedRun::link_of(&file[..file.len() - 5]),
            Some(run.link()),
            "the first bytes are enough"
        );
        assert_eq!(SavedRun::link_of(&file[..20]), None);
        assert!(SavedRun::read(b"a,y\n1,0\n").is_none() && SavedRun::link_of(b"a,y\n1,0\n").is_none());
        let network = Artefact { kind: "toy.net".into(), format: 1, bytes: vec![1] };
        assert!(
            SavedRun::read(&network.to_bytes()).is_none() && SavedRun::link_of(&network.to_bytes()).is_none()
        );
        assert!(SavedRun::read(&file[..file.len() - 1]).unwrap().is_err());
        let newer = Artefact { kind: KIND.into(), format: FORMAT + 1, bytes: vec![1] };
        assert!(SavedRun::read(&newer.to_bytes()).unwrap().is_err());
    }
}
