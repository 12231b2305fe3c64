//! Messages between page and worker: commands one way, events the other, each encoded as bytes.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use crate::data::{DataProblem, Facts, Hash};
use crate::lab::{InputError, Values};
pub use crate::lab::{decode, encode};

/// Identifies the build. Page and worker of different builds refuse each other's messages.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("MEANFIELD_BUILD"));

/// Names one shard given to one worker; never used twice on a page.
pub type JobId = u64;

/// From page to worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Command {
    /// Work on some units of a task.
    Start {
        /// Name of the work in every event about it.
        job: JobId,
        /// Id of the task.
        task: String,
        /// Its checked specification.
        values: Values,
        /// Which units.
        units: Range<usize>,
        /// The snapshots of the stages before, in the order of their units; none in the first.
        before: Vec<ByteBuf>,
        /// Begin paused, waiting for [`Command::Step`] or [`Command::Resume`].
        paused: bool,
    },
    /// Read a file (a table, images, an artefact) and keep it for the work to come; answered by [`Event::Loaded`] or
    /// [`Event::DataRejected`].
    Load {
        /// Of its bytes.
        hash: Hash,
        /// What is in it.
        #[serde(with = "serde_bytes")]
        bytes: Vec<u8>,
    },
    /// Hold after the slice under way.
    Pause(JobId),
    /// Go on.
    Resume(JobId),
    /// Advance a paused job by one slice.
    Step(JobId),
    /// Forget the job; answered by [`Event::Cancelled`].
    Cancel(JobId),
    /// The last snapshot was drawn: the next may come.
    Ack(JobId),
}

/// From worker to page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// The first word of a worker: messages sent earlier would have been lost.
    Ready {
        /// [`VERSION`] of the worker.
        version: String,
    },
    /// What there is to see of a job. The next one waits for [`Command::Ack`].
    Snapshot {
        /// Which job.
        job: JobId,
        /// Fraction of its work done.
        fraction: f64,
        /// What it is doing, in a few words.
        note: String,
        /// A snapshot of the task.
        #[serde(with = "serde_bytes")]
        bytes: Vec<u8>,
    },
    /// The job has made something that other work may take, as a file: see [`crate::data::Artefact`].
    Artefact {
        /// Which job.
        job: JobId,
        /// What it is.
        kind: String,
        /// The file.
        #[serde(with = "serde_bytes")]
        bytes: Vec<u8>,
    },
    /// How far a job is that has nothing to show yet.
    Working {
        /// Which job.
        job: JobId,
        /// Fraction of its work done.
        fraction: f64,
        /// What it is doing, in a few words.
        note: String,
    },
    /// All units are done; the last snapshot.
    Finished {
        /// Which job.
        job: JobId,
        /// A snapshot of the task.
        #[serde(with = "serde_bytes")]
        bytes: Vec<u8>,
    },
    /// The specification is invalid, by itself or for the data; the job is over.
    Rejected {
        /// Which job.
        job: JobId,
        /// Every field that is wrong.
        problems: Vec<InputError>,
    },
    /// Something broke; the job is over.
    Failed {
        /// Which job.
        job: JobId,
        /// What, for people.
        error: String,
    },
    /// A file is read.
    Loaded {
        /// Which.
        hash: Hash,
        /// What is in it.
        facts: Facts,
    },
    /// A file cannot be read.
    DataRejected {
        /// Which.
        hash: Hash,
        /// Where and why.
        problem: DataProblem,
    },
    /// The job is forgotten and the worker free.
    Cancelled(JobId),
    /// The worker is about to die, with these last words.
    Trapped(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_decoded_as_they_were_encoded() {
        let task = crate::models::task("feedforward").unwrap();
        let values = task.check(&crate::lab::raw_of([("beta", "inf")])).unwrap();
        let start = Command::Start {
            job: 7,
            task: "feedforward".into(),
            values,
            units: 3..9,
            before: vec![ByteBuf::from([1, 2])],
            paused: true,
        };
        assert_eq!(decode::<Command>(&encode(&start)), Ok(start));
        let bytes = b"x,y\n1,0\n".to_vec();
        let load = Command::Load { hash: Hash::of(&bytes), bytes };
        assert_eq!(decode::<Command>(&encode(&load)), Ok(load));
        let snapshot = Event::Snapshot { job: 7, fraction: 0.5, note: "run 3".into(), bytes: vec![1, 2, 3] };
        assert_eq!(decode::<Event>(&encode(&snapshot)), Ok(snapshot));
    }

    #[test]
    fn bytes_that_are_no_message_are_an_error() {
        assert!(decode::<Command>(&[250, 1, 2]).is_err());
        assert!(decode::<Event>(&[]).is_err());
    }
}
