//! Finished runs of previously visited pages, kept so that returning to a page does not compute them again.

use super::{Phase, Pool, Request, TrackedRun};
use crate::lab::Queue;

/// Maximum number of runs kept.
const MAX_KEPT: usize = 3;
/// Minimum duration of a kept run, in milliseconds; a shorter run is quickly repeated.
const LONG_MS: f64 = 1_000.0;

impl Pool {
    /// Keeps the last run when a run of another task begins, if it has finished and took long enough.
    pub(super) fn keep_earlier(&mut self, request: &Request, now: f64) {
        let id = request.task.meta().id;
        let is_worth_keeping = |run: &mut TrackedRun| {
            run.phase == Phase::Finished && run.task.meta().id != id && run.elapsed_ms(now) > LONG_MS
        };
        if request.task.meta().queue == Queue::Run
            && let Some(run) = self.runs[Queue::Run as usize].take_if(is_worth_keeping)
        {
            self.earlier.retain(|known| !known.matches(&run.request()));
            self.earlier.insert(0, run);
            self.earlier.truncate(MAX_KEPT);
        }
    }

    /// Takes the kept run that matches the request and gives it a new number.
    pub(super) fn take_earlier(&mut self, request: &Request) -> Option<TrackedRun> {
        let index = self.earlier.iter().position(|run| run.matches(request))?;
        let mut run = self.earlier.remove(index);
        run.number = self.next_run;
        self.next_run += 1;
        Some(run)
    }
}

impl TrackedRun {
    /// Returns true if the request has the task and the settings of this run.
    fn matches(&self, request: &Request) -> bool {
        self.task.meta().id == request.task.meta().id && self.values == request.values
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::PoolHarness;
    use super::*;

    const ONE: &str = "#/feedforward?inputs=20&alphas=1,3&runs=40";
    const OTHER: &str = "#/feedforward.run?inputs=10&beta=1&alpha=2&draws=100";

    #[test]
    fn returning_to_a_page_does_not_repeat_its_run() {
        let mut harness = PoolHarness::new(2);
        let run = |harness: &mut PoolHarness, link: &str, ms: f64| {
            harness.start(link);
            harness.turn();
            harness.now += ms;
            harness.finish();
            harness.report()
        };
        let long = run(&mut harness, ONE, 2.0 * LONG_MS);
        let number = harness.run().number;
        run(&mut harness, OTHER, 0.0);
        harness.start(ONE);
        assert_eq!((&harness.run().phase, harness.busy(), harness.report()), (&Phase::Finished, 0, long));
        assert!(harness.run().number > number);
        // Starting the run again on its page computes it; so does returning to a short run.
        harness.start(ONE);
        assert_eq!(harness.run().phase, Phase::Running);
        harness.finish();
        run(&mut harness, OTHER, 0.0);
        harness.start(ONE);
        assert_eq!(harness.run().phase, Phase::Running);
    }
}
