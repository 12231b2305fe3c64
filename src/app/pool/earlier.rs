//! Finished runs of pages visited before: coming back shows them again without work.

use super::{Phase, Pool, Request, TrackedRun};
use crate::lab::Queue;

/// Maximum number of such runs.
const KEPT: usize = 3;
/// Least duration of such a run, in milliseconds: a shorter one is soon computed again.
const LONG_MS: f64 = 1_000.0;

impl Pool {
    /// Keeps the last run before a run of another task begins, if it is finished and took long.
    pub(super) fn keep_earlier(&mut self, request: &Request, now: f64) {
        let id = request.task.meta().id;
        let is_worth_it = |run: &mut TrackedRun| {
            run.phase == Phase::Finished && run.task.meta().id != id && run.elapsed_ms(now) > LONG_MS
        };
        if request.task.meta().queue == Queue::Run
            && let Some(run) = self.runs[Queue::Run as usize].take_if(is_worth_it)
        {
            self.earlier.retain(|known| !known.is_of(&run.request()));
            self.earlier.insert(0, run);
            self.earlier.truncate(KEPT);
        }
    }

    /// Returns the earlier run of this request, with a number of its own.
    pub(super) fn take_earlier(&mut self, request: &Request) -> Option<TrackedRun> {
        let place = self.earlier.iter().position(|run| run.is_of(request))?;
        let mut run = self.earlier.remove(place);
        run.number = self.next_run;
        self.next_run += 1;
        Some(run)
    }
}

impl TrackedRun {
    /// True if a request asks for this run.
    fn is_of(&self, request: &Request) -> bool {
        self.task.meta().id == request.task.meta().id && self.values == request.values
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::Bench;
    use super::*;

    const ONE: &str = "#/feedforward?inputs=20&alphas=1,3&runs=40";
    const OTHER: &str = "#/feedforward.run?inputs=10&beta=1&alpha=2&draws=100";

    #[test]
    fn coming_back_to_a_page_computes_nothing_again() {
        let mut bench = Bench::new(2);
        let run = |bench: &mut Bench, link: &str, ms: f64| {
            bench.start(link);
            bench.turn();
            bench.now += ms;
            bench.finish();
            bench.report()
        };
        let long = run(&mut bench, ONE, 2.0 * LONG_MS);
        let number = bench.run().number;
        run(&mut bench, OTHER, 0.0);
        bench.start(ONE);
        assert_eq!((&bench.run().phase, bench.busy(), bench.report()), (&Phase::Finished, 0, long));
        assert!(bench.run().number > number);
        // Run again on the same page computes, and so does a short run.
        bench.start(ONE);
        assert_eq!(bench.run().phase, Phase::Running);
        bench.finish();
        run(&mut bench, OTHER, 0.0);
        bench.start(ONE);
        assert_eq!(bench.run().phase, Phase::Running);
    }
}
