//! One worker of the pool.

use std::ops::Range;

use super::WorkerId;
use crate::data::Hash;
use crate::lab::Queue;
use crate::protocol::JobId;

/// A worker of the pool.
#[derive(Debug)]
pub(super) struct Slot {
    pub id: WorkerId,
    pub state: WorkerState,
    /// Panic message of the worker.
    pub panic_message: Option<String>,
    /// Files sent to it.
    pub given: Vec<Hash>,
}

/// State of a worker.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum WorkerState {
    /// Starting since that time; it does not receive commands yet.
    Starting(f64),
    Idle,
    /// Reading a file.
    Reading(Hash),
    Busy {
        job: JobId,
        queue: Queue,
        shard: Range<usize>,
    },
    /// Cancelling a job; the worker is terminated if it has not answered by the deadline.
    Stopping {
        job: JobId,
        deadline: f64,
    },
}

impl Slot {
    /// Returns queue and shard of `job`, if the worker is busy with it.
    pub fn working_on(&self, job: JobId) -> Option<(Queue, Range<usize>)> {
        match &self.state {
            WorkerState::Busy { job: busy, queue, shard } if *busy == job => Some((*queue, shard.clone())),
            _ => None,
        }
    }

    /// Makes the worker idle if it is busy with `job`; returns queue and shard of the job.
    pub fn end_job(&mut self, job: JobId) -> Option<(Queue, Range<usize>)> {
        let ended = self.working_on(job)?;
        self.state = WorkerState::Idle;
        Some(ended)
    }
}

/// Returns the workers that are busy on a queue, with their jobs.
pub(super) fn busy(slots: &[Slot], on: Queue) -> impl Iterator<Item = (WorkerId, JobId)> {
    slots.iter().filter_map(move |slot| match slot.state {
        WorkerState::Busy { job, queue, .. } if queue == on => Some((slot.id, job)),
        _ => None,
    })
}
