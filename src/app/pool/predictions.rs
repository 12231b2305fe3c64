//! Predictions of the rows of a second file by the models of the run that is shown, computed here or restored from a file.

use std::rc::Rc;

use serde_bytes::ByteBuf;

use super::{Phase, Pool, Request, TrackedRun};
use crate::lab::{Queue, Values};

/// Models of a finished run.
pub(super) struct FinishedModels {
    /// Specification of the run.
    values: Values,
    /// Its snapshots in the order of the units.
    pub snapshots: Vec<ByteBuf>,
}

impl Pool {
    /// Returns the models of the last run, if the request predicts by them. Those of a run with a second file are not taken: its results
    /// hold the predictions of that file.
    pub(super) fn models_for(&self, request: &Request) -> Option<Rc<FinishedModels>> {
        let run = self.run(Queue::Run).filter(|run| run.task.meta().id == request.task.meta().id)?;
        let predicts_by = |values: &Values| request.task.predicts_by(&request.values, values);
        let is_again = run.phase == Phase::Finished && request.values == run.values;
        if is_again || matches!(run.phase, Phase::Failed(_)) {
            return None;
        }
        let models = run.models.clone().filter(|models| predicts_by(&models.values));
        let has_second_file = run.values.second_file(run.task.fields()).is_some();
        if models.is_some() || run.phase != Phase::Finished || has_second_file {
            return models;
        }
        predicts_by(&run.values).then(|| {
            let snapshots = run.finished_shards().into_iter().map(|(_, bytes)| bytes).collect();
            Rc::new(FinishedModels { values: run.values.clone(), snapshots })
        })
    }
}

impl TrackedRun {
    /// Replaces all units with one shard, the predictions of the rows of the second file by `models`.
    pub(super) fn predict_by(&mut self, models: Rc<FinishedModels>) {
        if self.phase.is_active() {
            // Parts of a saved run that had not finished would be merged with the finished one.
            self.discard_results();
            self.waiting = std::iter::once(0..self.plan.units()).collect();
            self.incidents.push(
                "Only the predictions of the new rows are computed; the other results are kept from the finished run."
                    .to_owned(),
            );
        } else if !self.awaits_data() {
            return;
        }
        (self.models, self.restored, self.recorded) = (Some(models), true, false);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::PoolHarness;
    use super::super::{Phase, Queue};
    use crate::data::Hash;
    use crate::lab::{Raw, SavedRun};

    const TABLE: &[u8] = b"a,b,y\n1,0,0\n2,1,1\n3,1,1\n4,1,1\n0,0,0\n1,2,0\n3,2,1\n0,1,0\n";
    const NEW: &[u8] = b"b,a\n1,2.5\n0,0.5\n";

    /// Starts a run on the table and finishes it.
    fn run(harness: &mut PoolHarness, link: &str) -> serde_json::Value {
        harness.start(link);
        // The files are read first.
        while matches!(harness.run().phase, Phase::AwaitingData(_)) {
            harness.turn();
        }
        harness.finish();
        assert_eq!(harness.run().phase, Phase::Finished, "{link}");
        harness.report()
    }

    #[test]
    fn new_rows_of_a_saved_run_are_predicted_by_its_model() {
        let new = Hash::of(NEW);
        for task in ["gp.data", "feedforward.data"] {
            let link = format!("#/{task}?fit=evidence&data=a.csv@{}", Hash::of(TABLE));
            let with_new = format!("{link}&predict=new.csv@{new}");
            let mut harness = PoolHarness::new(2);
            harness.pool.load("a.csv", TABLE.to_vec(), 0.0);
            run(&mut harness, &link);
            let saved = harness.pool.save(Raw::new(), harness.now).unwrap();
            let mut direct = PoolHarness::new(2);
            direct.pool.load("a.csv", TABLE.to_vec(), 0.0);
            direct.pool.load("new.csv", NEW.to_vec(), 0.0);
            let expected = run(&mut direct, &with_new);

            let mut other = PoolHarness::new(3);
            other.pool.open(SavedRun::read(&saved.to_bytes()).unwrap().unwrap(), 0.0);
            run(&mut other, &link);
            // The second file arrives after the run that names it.
            other.start(&with_new);
            assert!(matches!(other.run().phase, Phase::AwaitingData(Some(_))));
            other.pool.load("new.csv", NEW.to_vec(), other.now);
            assert_eq!(run(&mut other, &with_new), expected, "{task}");
            assert!(other.run().incidents.iter().any(|words| words.contains("kept from the finished run")));
            assert_eq!(other.run().snapshots().len(), 1, "one unit");
            // A saved run with these rows opens like any other.
            let again = other.pool.save(Raw::new(), other.now).unwrap();
            let mut third = PoolHarness::new(1);
            third.pool.open(again, 0.0);
            assert_eq!(run(&mut third, &with_new), expected);
            // A run with another model, or once more with the same settings, is computed.
            for link in [with_new.replace("a.csv", "b.csv") + "&seed=2", with_new] {
                other.start(&link);
                assert!(other.pool.run(Queue::Run).unwrap().models.is_none(), "{link}");
                other.finish();
            }
        }
    }

    #[test]
    fn new_rows_without_a_column_are_refused() {
        let bad = b"b\n1\n";
        let link = format!("#/gp.data?fit=none&data=a.csv@{}", Hash::of(TABLE));
        let mut harness = PoolHarness::new(2);
        harness.pool.load("a.csv", TABLE.to_vec(), 0.0);
        harness.pool.load("bad.csv", bad.to_vec(), 0.0);
        run(&mut harness, &link);
        harness.start(&format!("{link}&predict=bad.csv@{}", Hash::of(bad)));
        while !matches!(harness.run().phase, Phase::Rejected(_)) {
            harness.turn();
        }
        let [problem] = harness.run().phase.problems() else { panic!("{:?}", harness.run().phase) };
        assert_eq!(problem.field, "predict");
        assert!(problem.expected.contains("“a”"), "{problem}");
    }
}
