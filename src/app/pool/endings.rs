//! Ends of shards, runs and workers.

use std::ops::Range;

use super::slot::{Slot, WorkerState};
use super::{Action, MAX_CRASHES, Phase, Pool, START_MS, WorkerId};
use crate::lab::Queue;

impl Pool {
    /// Replaces a worker that has crashed or could not be started. Its units are computed again by another one.
    pub fn replace_worker(&mut self, worker: WorkerId, why: &str, now: f64) {
        let Some(place) = self.slots.iter().position(|slot| slot.id == worker) else { return };
        let slot = self.slots.remove(place);
        self.actions.push(Action::Terminate(worker));
        let why = slot.panic_message.unwrap_or_else(|| why.to_owned());
        let was_reading = self.retry_chosen_reading(worker, &why, now);
        let at_work = was_reading || !matches!(slot.state, WorkerState::Idle | WorkerState::Stopping { .. });
        match slot.state {
            WorkerState::Starting(_) => {
                self.failed_starts += 1;
                if self.failed_starts > 2 {
                    self.give_up(
                        &format!("the browser cannot start a worker ({why}). Reload the page to try again."),
                        now,
                    );
                }
            }
            WorkerState::Busy { queue, shard, .. } => {
                if let Some(run) = self.run_mut(queue)
                    && run.requeue_crashed(shard, &why) >= MAX_CRASHES
                {
                    let why = format!("{MAX_CRASHES} workers crashed on the same work: {why}");
                    self.give_up_run(queue, Phase::Failed(why), now);
                }
            }
            WorkerState::Reading(hash) => self.retry_reading(hash, &why, now),
            WorkerState::Idle | WorkerState::Stopping { .. } => {}
        }
        if at_work {
            self.crash = Some(why);
        }
        self.spawn(now);
        self.dispatch();
    }

    /// Replaces workers that have not answered a stop or not become ready in time.
    pub fn tick(&mut self, now: f64) {
        let late = |slot: &&Slot| match slot.state {
            WorkerState::Stopping { deadline, .. } => now >= deadline,
            WorkerState::Starting(since) => now >= since + START_MS,
            _ => false,
        };
        let late: Vec<(WorkerId, &str)> = (self.slots.iter().filter(|slot| late(slot)))
            .map(|slot| match slot.state {
                WorkerState::Starting(_) => (slot.id, "the worker did not start within 60 s"),
                _ => (slot.id, "the worker did not answer a stop"),
            })
            .collect();
        for (worker, why) in late {
            self.replace_worker(worker, why, now);
        }
    }

    pub(super) fn finish_shard(&mut self, queue: Queue, shard: Range<usize>, bytes: Vec<u8>, now: f64) {
        if let Some(run) = self.run_mut(queue) {
            run.finish_shard(shard, bytes);
            if run.is_complete() {
                run.end(Phase::Finished, now);
            }
        }
    }

    /// Ends a run that cannot go on.
    pub(super) fn give_up_run(&mut self, queue: Queue, phase: Phase, now: f64) {
        self.release(queue, now);
        if let Some(run) = self.run_mut(queue) {
            run.end(phase, now);
        }
    }

    /// Returns the panic message of the worker that crashed last since the run began.
    pub fn crash(&self) -> Option<&str> {
        self.crash.as_deref()
    }

    /// Gives up all workers: every run fails, now and later.
    pub(super) fn give_up(&mut self, why: &str, now: f64) {
        self.broken = Some(why.to_owned());
        for slot in std::mem::take(&mut self.slots) {
            self.actions.push(Action::Terminate(slot.id));
        }
        for run in self.runs.iter_mut().flatten().filter(|run| run.phase.is_active()) {
            run.end(Phase::Failed(why.to_owned()), now);
        }
    }
}
