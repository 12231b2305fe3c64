//! Work that predicts the rows of a second file by the models of a finished run.

use super::units::Work;
use crate::math::Budget;

/// Predictions by the models of a finished run, one step after the other.
pub trait Predictions {
    /// Results of the run.
    type Snapshot;

    /// Makes one step and subtracts its work from `budget`. Returns true after the last.
    fn step(&mut self, budget: &mut Budget) -> bool;
    /// Returns the estimated fraction that is done, 0 to 1.
    fn fraction(&self) -> f64;
    /// Returns the results of the run with the predictions. Called once, after the last step.
    fn complete(&mut self, finished: Self::Snapshot) -> Self::Snapshot;
}

/// The only unit of a run that predicts by the models of a finished one. The results of the finished run are shown until all rows are
/// predicted.
pub struct PredictionWork<P: Predictions> {
    predictions: P,
    snapshot: P::Snapshot,
}

impl<P: Predictions> PredictionWork<P> {
    /// Prepares predictions by the models in the snapshot of a `finished` run.
    pub fn new(predictions: P, finished: P::Snapshot) -> Self {
        Self { predictions, snapshot: finished }
    }
}

impl<P: Predictions<Snapshot: Clone>> Work for PredictionWork<P> {
    type Snapshot = P::Snapshot;

    fn begin(&mut self, _unit: usize) {}

    fn step(&mut self, budget: &mut Budget) -> bool {
        let done = self.predictions.step(budget);
        if done {
            self.snapshot = self.predictions.complete(self.snapshot.clone());
        }
        done
    }

    fn fraction(&self) -> f64 {
        self.predictions.fraction()
    }

    fn note(&self) -> String {
        "predictions of new rows".to_owned()
    }

    fn snapshot(&self) -> P::Snapshot {
        self.snapshot.clone()
    }
}
