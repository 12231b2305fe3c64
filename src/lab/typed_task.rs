//! A task as a model implements it: names, units of work, a resumable experiment, and its results.

use std::ops::Range;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::input_error::InputError;
use super::meta::Meta;
use super::plan::Plan;
use super::spec::{Checked, Spec};
use super::status::Status;
use super::units::{Experiment, Work};
use super::values::Raw;
use crate::data::{Facts, Store};
use crate::figure::{Figure, Records};

/// A task: names, settings, division of the work, solver and results.
pub trait TypedTask: 'static {
    /// Description.
    const META: Meta;
    /// Its settings.
    type Spec: Spec;
    /// Partial results: rows for each unit of work, never sums over units, so that the division of the work cannot change the result.
    /// Each redraw clones the rows so far: share large ones (`Rc`).
    type Snapshot: Serialize + DeserializeOwned + Clone + PartialEq;

    /// Divides the run into independent units of work: runs, digits, restarts, chains, grid points, left-out rows. `facts` are those
    /// of the data set that the specification names, once they are known.
    fn plan(spec: &Checked<Self::Spec>, facts: Option<&Facts>) -> Plan;
    /// Prepares the solver. `data` contains the named data sets; `before` is the merged snapshot of the earlier stages, `None` in the
    /// first stage.
    ///
    /// # Errors
    /// Returns an error for each setting that does not fit the data.
    fn prepare(
        spec: &Checked<Self::Spec>,
        data: &Store,
        before: Option<Self::Snapshot>,
    ) -> Result<Prepared<Self::Snapshot>, Vec<InputError>>;
    /// Merges the snapshots of several shards, in the order of their units.
    fn merge(parts: Vec<Self::Snapshot>) -> Self::Snapshot;
    /// Derives the status of the run from a merged snapshot.
    fn status(spec: &Checked<Self::Spec>, snapshot: &Self::Snapshot) -> Status;
    /// Makes the figures; pure and fast, from the first snapshot on.
    fn figures(spec: &Checked<Self::Spec>, snapshot: &Self::Snapshot) -> Vec<Figure>;
    /// Returns settings that the run has found, by key: those of the best fit so far, without a further fit, or advice where there is
    /// no solution. A run with them gives the fitted model.
    fn found(_spec: &Checked<Self::Spec>, _snapshot: &Self::Snapshot) -> Raw {
        Raw::new()
    }
    /// Returns one record for each row of a table, for a file; `None` without a table.
    fn records(_spec: &Checked<Self::Spec>, _snapshot: &Self::Snapshot) -> Option<Records> {
        None
    }
    /// Returns the numbers of the result as JSON: `result` in the output of `headless`.
    fn report(spec: &Checked<Self::Spec>, snapshot: &Self::Snapshot) -> serde_json::Value;

    /// Returns the preparation of predictions by the models of a finished run, if its snapshots contain them; `None` if they must be
    /// fitted again.
    fn predictor(_spec: &Checked<Self::Spec>) -> Option<Predictor<Self>> {
        None
    }

    /// Starts an experiment over a range of units, all of one stage.
    ///
    /// # Errors
    /// Returns an error for each setting that does not fit the data.
    fn start(
        spec: &Checked<Self::Spec>,
        units: Range<usize>,
        data: &Store,
        before: Option<Self::Snapshot>,
    ) -> Result<Experiment<Self::Snapshot>, Vec<InputError>> {
        let facts = spec.values().facts(data);
        Ok(Experiment::new(Self::prepare(spec, data, before)?, Self::plan(spec, facts), units))
    }
}

/// A solver ready to begin a unit.
pub type Prepared<S> = Box<dyn Work<Snapshot = S>>;

/// Prepares the predictions of the rows of a second file by the models of a finished run with otherwise the same settings, given its
/// merged snapshot. The work has one unit, whose last snapshot is that of a run that was given these rows from the beginning.
pub type Predictor<T> =
    fn(&Checked<<T as TypedTask>::Spec>, &Store, <T as TypedTask>::Snapshot) -> PreparedOf<T>;

/// The solver of a task, or an error for each setting that does not fit the data.
pub type PreparedOf<T> = Result<Prepared<<T as TypedTask>::Snapshot>, Vec<InputError>>;

/// Runs all units of a task, stage by stage.
///
/// # Errors
/// Returns an error for each setting that does not fit the data.
pub fn complete<T: TypedTask>(spec: &Checked<T::Spec>, data: &Store) -> Result<T::Snapshot, Vec<InputError>> {
    let facts = spec.values().facts(data);
    let plan = T::plan(spec, facts);
    let mut whole = None;
    for shard in plan.shards(1) {
        let before = (plan.stage_start(shard.start) > 0).then(|| whole.clone()).flatten();
        let mut run = T::start(spec, shard, data, before)?;
        while run.advance() != super::Progress::Done {}
        let parts: Vec<_> = whole.into_iter().chain([run.snapshot()]).collect();
        whole = Some(T::merge(parts));
    }
    Ok(whole.unwrap_or_else(|| T::merge(Vec::new())))
}
