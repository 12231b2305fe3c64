//! How shards and runs end.

use std::ops::Range;

use super::{Action, Phase, Pool};
use crate::lab::Queue;

impl Pool {
    pub(super) fn shard_done(&mut self, queue: Queue, shard: Range<usize>, bytes: Vec<u8>, now: f64) {
        if let Some(run) = self.run_mut(queue) {
            run.shard_done(shard, bytes);
            if run.complete() {
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

    /// No worker will ever do: every run fails, now and later.
    pub(super) fn give_up(&mut self, why: &str, now: f64) {
        self.broken = Some(why.to_owned());
        for slot in std::mem::take(&mut self.slots) {
            self.actions.push(Action::Terminate(slot.id));
        }
        for run in self.runs.iter_mut().flatten().filter(|run| run.phase.active()) {
            run.end(Phase::Failed(why.to_owned()), now);
        }
    }
}
