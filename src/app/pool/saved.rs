//! Saved runs in the pool.

use serde_bytes::ByteBuf;

use super::{Phase, Pool, TrackedRun};
use crate::data::{Artefact, DataRef};
use crate::lab::{Queue, Raw, SavedRun};
use crate::protocol::VERSION;

impl Pool {
    /// Returns the run that is shown with the settings that it has found; `None` before a unit is done.
    pub fn save(&self, found: Raw, now: f64) -> Option<SavedRun> {
        let run = self.run(Queue::Run)?;
        let shards = run.finished_shards();
        let made = run.artefacts.iter().filter_map(DataRef::content);
        let bytes = |hash| Some(ByteBuf::from(self.bytes(hash)?));
        let made: Vec<_> = made.filter_map(bytes).collect();
        (!shards.is_empty()).then(|| SavedRun {
            version: VERSION.to_owned(),
            task: run.task.meta().id.to_owned(),
            spec: run.values.to_raw(),
            found,
            files_made: made.len(),
            files: run.data().filter_map(bytes).chain(made).collect(),
            shards,
            frames: run.frames().to_vec(),
            elapsed_ms: run.elapsed_ms(now) as u32,
        })
    }

    /// Loads the files of a saved run; the next request with its settings gets its results.
    pub fn open(&mut self, mut saved: SavedRun, now: f64) {
        for file in &saved.files {
            self.load("", file.to_vec(), now);
        }
        saved.files.drain(..saved.given().len());
        self.saved = Some(saved);
    }

    /// Gives a new run its saved results, with a notice. Results of another build are computed again.
    pub(super) fn restore(&mut self, run: &mut TrackedRun, now: f64) {
        let is = |saved: &mut SavedRun| saved.task == run.task.meta().id && saved.spec == run.values.to_raw();
        if run.awaits_data() || !run.phase.is_active() {
            return;
        }
        let Some(saved) = self.saved.take_if(is) else { return };
        if saved.version != VERSION {
            let why = format!("The run was saved by version {}: it is computed again.", saved.version);
            run.incidents.push(why);
            return;
        }
        run.incidents.push("Results of a saved run: they were not computed again.".to_owned());
        for file in &saved.files {
            if let Ok(made) = Artefact::read(file) {
                run.add_artefact(DataRef::file(made.kind, file));
            }
        }
        run.restore(saved.shards, saved.frames, f64::from(saved.elapsed_ms));
        if run.is_complete() {
            run.end(Phase::Finished, now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::PoolHarness;
    use super::*;

    const TABLE: &[u8] = b"a,y\n1,0\n2,1\n3,1\n4,1\n0,0\n";

    fn finished(link: &str, file: Option<&[u8]>) -> PoolHarness {
        let mut harness = PoolHarness::new(2);
        if let Some(file) = file {
            harness.pool.load("a.csv", file.to_vec(), harness.now);
            harness.carry_out();
        }
        harness.start(link);
        harness.turn();
        harness.finish();
        harness
    }

    #[test]
    fn a_saved_run_is_shown_again_without_work() {
        let own = format!("#/feedforward.data?data=a.csv@{}", crate::data::Hash::of(TABLE));
        for (link, file) in
            [("#/feedforward?inputs=20&alphas=1,3&runs=40", None), (own.as_str(), Some(TABLE))]
        {
            let harness = finished(link, file);
            let saved = harness.pool.save(Raw::new(), harness.now).unwrap();
            let saved = SavedRun::read(&saved.to_bytes()).unwrap().unwrap();
            let mut other = PoolHarness::new(1);
            other.pool.open(saved.clone(), 0.0);
            other.carry_out();
            other.start(&saved.link().to_string());
            if file.is_some() {
                // The table is read first.
                other.turn();
            }
            assert_eq!((&other.run().phase, other.busy()), (&Phase::Finished, 0), "{link}");
            assert_eq!(other.report(), harness.report());
            // The results are used once: a second request computes.
            other.start(&saved.link().to_string());
            assert_eq!(other.run().phase, Phase::Running);
        }
    }

    #[test]
    fn what_is_missing_or_of_another_version_is_computed() {
        let link = "#/feedforward?inputs=20&alphas=1,3&runs=40";
        let harness = finished(link, None);
        let whole = harness.pool.save(Raw::new(), harness.now).unwrap();
        let mut part = whole.clone();
        part.shards.remove(1);
        part.shards.push((100..101, ByteBuf::new()));
        part.shards.push(part.shards[0].clone());
        for (saved, current) in [(part, true), (SavedRun { version: "0".into(), ..whole }, false)] {
            let mut other = PoolHarness::new(3);
            other.pool.open(saved, 0.0);
            other.start(link);
            assert_eq!(other.run().phase, Phase::Running);
            assert_eq!(other.run().fraction() > 0.5, current);
            assert_eq!(other.run().incidents[0].contains("by version 0"), !current);
            other.finish();
            assert_eq!(other.report(), harness.report());
        }
        assert!(PoolHarness::new(1).pool.save(Raw::new(), 0.0).is_none());
    }
}
