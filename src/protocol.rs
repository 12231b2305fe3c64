//! Messages between page and worker: commands one way, events the other, each encoded as bytes.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use crate::data::{DataError, Facts, Hash, ReadingChoices};
use crate::lab::{InputError, ReplayFrame, Values};
pub use crate::lab::{decode, encode};

/// Version and build. A page refuses workers of another build.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("MEANFIELD_BUILD"));

/// Id of a shard given to a worker, unique on a page.
pub type JobId = u64;

/// A message from page to worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Command {
    /// Start work on some units of a task.
    Start {
        /// Id of the job in every event about it.
        job: JobId,
        /// Id of the task.
        task: String,
        /// Its checked specification.
        values: Values,
        /// Units of the shard.
        units: Range<usize>,
        /// The snapshots of the stages before, in the order of their units; none in the first.
        before: Vec<ByteBuf>,
        /// True to begin paused, waiting for [`Command::Slice`] or [`Command::Resume`].
        paused: bool,
        /// True to send frames for a replay.
        record: bool,
    },
    /// Predict the rows of a second file by the models of a finished run, as one unit.
    Predict {
        /// Id of the job in every event about it.
        job: JobId,
        /// Id of the task.
        task: String,
        /// Its checked specification.
        values: Values,
        /// The snapshots of the finished run, in the order of their units.
        finished: Vec<ByteBuf>,
        /// True to begin paused.
        paused: bool,
    },
    /// Read a file (a table, images, an artefact) and keep it for the work to come; answered by [`Event::Loaded`] or
    /// [`Event::DataRejected`].
    Load {
        /// Hash of its bytes.
        hash: Hash,
        /// Its contents.
        #[serde(with = "serde_bytes")]
        bytes: Vec<u8>,
    },
    /// Read a table again, with choices; answered by [`Event::Read`].
    Read {
        /// Hash of the file.
        hash: Hash,
        /// Choices for the reading.
        choices: ReadingChoices,
    },
    /// Pause after the current slice.
    Pause(JobId),
    /// Resume a paused job.
    Resume(JobId),
    /// Do one slice of a paused job.
    Slice(JobId),
    /// Drop the job; answered by [`Event::Cancelled`].
    Cancel(JobId),
    /// The last snapshot is drawn; the next may be sent.
    Ack(JobId),
}

/// A message from worker to page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// The worker is ready; commands sent earlier would have been lost.
    Ready {
        /// [`VERSION`] of the worker.
        version: String,
    },
    /// Partial results of a job. The next snapshot waits for [`Command::Ack`].
    Snapshot {
        /// Id of the job.
        job: JobId,
        /// Fraction of its work done.
        fraction: f64,
        /// Present activity, in a few words.
        note: String,
        /// A snapshot of the task.
        #[serde(with = "serde_bytes")]
        bytes: Vec<u8>,
    },
    /// A frame of a job for the replay of the run.
    Frame {
        /// Id of the job.
        job: JobId,
        /// The frame.
        frame: ReplayFrame,
    },
    /// The job has made an artefact. See [`crate::data::Artefact`].
    Artefact {
        /// Id of the job.
        job: JobId,
        /// Kind of the artefact.
        kind: String,
        /// The file.
        #[serde(with = "serde_bytes")]
        bytes: Vec<u8>,
    },
    /// Progress of a job without a snapshot yet.
    Working {
        /// Id of the job.
        job: JobId,
        /// Fraction of its work done.
        fraction: f64,
        /// Present activity, in a few words.
        note: String,
    },
    /// All units are done; the last snapshot.
    Finished {
        /// Id of the job.
        job: JobId,
        /// A snapshot of the task.
        #[serde(with = "serde_bytes")]
        bytes: Vec<u8>,
    },
    /// The settings do not fit the data; the job is over.
    Rejected {
        /// Id of the job.
        job: JobId,
        /// Every invalid field.
        problems: Vec<InputError>,
    },
    /// The job has failed.
    Failed {
        /// Id of the job.
        job: JobId,
        /// Reason, for the user.
        error: String,
    },
    /// A file has been read.
    Loaded {
        /// Its hash.
        hash: Hash,
        /// Its facts.
        facts: Facts,
    },
    /// A file could not be read.
    DataRejected {
        /// Its hash.
        hash: Hash,
        /// Place and reason.
        problem: DataError,
    },
    /// A table has been read with choices.
    Read {
        /// Hash of the file.
        hash: Hash,
        /// Choices for the reading.
        choices: ReadingChoices,
        /// Its facts, or the reason why it is no table.
        facts: Result<Facts, DataError>,
    },
    /// The job is dropped and the worker is free.
    Cancelled(JobId),
    /// The worker has panicked, with this message.
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
            record: true,
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
