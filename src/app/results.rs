//! Results of the runs that are shown. Each snapshot is decoded once, and figures are computed once for each state of a run.

use std::cell::OnceCell;

use super::pool::{Phase, TrackedRun};
use crate::figure::{Figure, Records};
use crate::lab::{Attempt, Decoder, ErasedResult, Queue, Raw, Status, Values};

/// Result of a run so far.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult {
    /// Outcome of the run, if it is complete.
    pub status: Status,
    /// Its figures.
    pub figures: Vec<Figure>,
    /// Settings that it found. See [`crate::lab::TypedTask::found`].
    pub found: Raw,
}

/// The last result of each queue.
#[derive(Default)]
pub struct Results {
    /// Last result of each queue.
    last: [Option<Entry>; 2],
    /// Replayed run of each queue.
    replay: [Option<ReplayEntry>; 2],
}

/// The frame of a replay that is shown.
struct ReplayEntry {
    /// Number of the run.
    run: u64,
    decoder: Box<dyn Decoder>,
    /// Number of the frame and settings for which `figures` were computed.
    state: (usize, Values),
    figures: Vec<Figure>,
}

struct Entry {
    /// Number of the run.
    run: u64,
    /// Id of its task.
    task: &'static str,
    decoder: Box<dyn Decoder>,
    /// Revision and settings of `result`.
    state: (u64, Values),
    result: Box<dyn ErasedResult>,
    shown: RunResult,
    attempt: OnceCell<Option<Attempt>>,
}

impl Results {
    /// Returns the result of a run with these settings, which differ from its own at most in those that only affect figures; `None`
    /// before there is one. A live task keeps its last result until then.
    ///
    /// # Errors
    /// If the snapshots cannot be read.
    pub fn of(
        &mut self,
        queue: Queue,
        run: &TrackedRun,
        values: &Values,
    ) -> Result<Option<RunResult>, String> {
        let slot = &mut self.last[queue as usize];
        let task = run.task.meta().id;
        let parts = run.snapshots();
        if parts.is_empty() {
            let last = slot.as_ref().filter(|last| queue == Queue::Live && last.task == task);
            return Ok(last.map(|last| last.shown.clone()));
        }
        let state = (run.revision, values.clone());
        if let Some(known) = slot.as_ref().filter(|known| known.run == run.number && known.state == state) {
            return Ok(Some(known.shown.clone()));
        }
        let known = slot.take().filter(|known| known.run == run.number);
        let mut decoder = known.map_or_else(|| run.task.decoder(), |known| known.decoder);
        decoder.update(&parts).map_err(|why| format!("the result cannot be shown: {why}"))?;
        let result = decoder.result(values);
        let shown = RunResult { status: result.status(), figures: result.figures(), found: result.found() };
        let attempt = OnceCell::new();
        *slot = Some(Entry { run: run.number, task, decoder, state, result, shown: shown.clone(), attempt });
        Ok(Some(shown))
    }

    /// Compares the result of a finished run with the challenge of its task; `None` without a challenge, or before the result has been
    /// read. A live task keeps the comparison of its last result until there is another.
    pub fn attempt(&self, queue: Queue, run: &TrackedRun) -> Option<Attempt> {
        let last = self.last[queue as usize].as_ref().filter(|last| last.task == run.task.meta().id)?;
        if queue == Queue::Live && run.snapshots().is_empty() {
            return last.attempt.get().cloned().flatten();
        }
        let is_final = run.phase == Phase::Finished && (last.run, last.state.0) == (run.number, run.revision);
        let challenge = run.task.meta().challenge.filter(|_| is_final)?;
        last.attempt.get_or_init(|| challenge.attempt(&last.result.report())).clone()
    }

    /// Returns the figures of frame `number` of a finished run, see [`Self::of`]; `None` if it has no such frame.
    ///
    /// # Errors
    /// If the snapshots cannot be read.
    pub fn of_frame(
        &mut self,
        queue: Queue,
        run: &TrackedRun,
        values: &Values,
        number: usize,
    ) -> Result<Option<Vec<Figure>>, String> {
        let Some(frame) = run.frames().get(number) else { return Ok(None) };
        let parts = run.snapshots();
        let state = (number, values.clone());
        let slot = &mut self.replay[queue as usize];
        let known = slot.take().filter(|known| known.run == run.number);
        let entry = match known {
            Some(known) if known.state == state => known,
            known => {
                let mut decoder = known.map_or_else(|| run.task.decoder(), |known| known.decoder);
                let updated = decoder.update(&frame.parts(&parts));
                updated.map_err(|why| format!("the frame cannot be shown: {why}"))?;
                let figures = decoder.result(values).figures();
                ReplayEntry { run: run.number, decoder, state, figures }
            }
        };
        Ok(Some(slot.insert(entry).figures.clone()))
    }

    /// Returns one record for each row of a table, if the run that is shown has them.
    pub fn records(&self, queue: Queue) -> Option<Records> {
        self.last[queue as usize].as_ref()?.result.records()
    }
}

#[cfg(test)]
mod tests {
    use super::super::pool::tests::PoolHarness;
    use super::*;
    use crate::data::Hash;

    fn shown(results: &mut Results, harness: &PoolHarness) -> RunResult {
        let run = harness.run();
        results.of(Queue::Run, run, &run.values).unwrap().unwrap()
    }

    /// Parts that arrive one by one give the figures of all parts at once.
    #[test]
    fn parts_that_come_in_one_by_one_give_the_figures_of_the_whole() {
        let mut harness = PoolHarness::new(2);
        harness.start("#/feedforward?inputs=20&alphas=1,2&runs=6");
        let mut results = Results::default();
        let mut looks = 0;
        while harness.run().phase.is_active() {
            harness.carry_out();
            harness.turn();
            let run = harness.run();
            looks += usize::from(results.of(Queue::Run, run, &run.values).unwrap().is_some());
        }
        assert!(looks > 2, "{looks} looks");
        assert_eq!(shown(&mut results, &harness), shown(&mut Results::default(), &harness));
    }

    #[test]
    fn only_the_result_of_a_finished_run_is_compared_with_the_challenge() {
        let mut harness = PoolHarness::new(1);
        harness.start("#/feedforward?inputs=20&alphas=1,2&runs=6");
        let mut results = Results::default();
        assert_eq!(results.attempt(Queue::Run, harness.run()), None);
        harness.turn();
        results.of(Queue::Run, harness.run(), &harness.run().values).unwrap();
        assert_eq!(results.attempt(Queue::Run, harness.run()), None);
        harness.finish();
        assert_eq!(results.attempt(Queue::Run, harness.run()), None, "its last parts have not been read");
        shown(&mut results, &harness);
        assert!(results.attempt(Queue::Run, harness.run()).is_some());
    }

    /// A setting that only affects figures changes them without another run.
    #[test]
    fn figures_follow_a_setting_for_display() {
        let table = b"a,y\n1,0\n2,0\n3,1\n4,0\n5,1\n6,1\n".to_vec();
        let link = format!("#/gp.data?data=t.csv@{}", Hash::of(&table));
        let mut harness = PoolHarness::new(1);
        harness.pool.load("t.csv", table, 0.0);
        harness.carry_out();
        harness.turn();
        harness.start(&link);
        harness.finish();
        let run = harness.run();
        let mut results = Results::default();
        let mut confusion = |threshold: &str| {
            let mut raw = run.values.to_raw();
            raw.insert("threshold".to_owned(), threshold.to_owned());
            let values = run.task.check(&raw).unwrap();
            assert!(values.run_as(&run.values, run.task.fields()));
            let shown = results.of(Queue::Run, run, &values).unwrap().unwrap();
            shown.figures.into_iter().find(|figure| figure.id == "confusion").unwrap().finding.clone()
        };
        let (half, none) = (confusion("0.5"), confusion("1"));
        assert!(none.contains("3 of 6"), "nothing is predicted positive: {none}");
        assert_ne!(half, none);
        assert_eq!(confusion("0.5"), half);
    }
}
