//! A task as its model writes it: names, units of work, a resumable experiment, and what is made of its results.

use std::ops::Range;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::input_error::InputError;
use super::plan::Plan;
use super::spec::{Checked, Spec};
use super::task::{Meta, Status};
use super::units::{Experiment, Work};
use super::values::Raw;
use crate::data::{Facts, Store};
use crate::figure::{Figure, Records};

/// A task: its names, its settings, how its work is split, its solver, and what is made of the results.
pub trait Run: 'static {
    /// Names.
    const META: Meta;
    /// Its settings.
    type Spec: Spec;
    /// What a worker sends: rows per unit of work, never sums over units, so that how the work was split
    /// cannot change the result. Each picture clones what has come in so far: rows that are large are to be shared (`Rc`).
    type Snapshot: Serialize + DeserializeOwned + Clone + PartialEq;

    /// The independent units of work: runs, digits, restarts, chains, grid points, left-out rows.
    /// `facts` are those of the data set that the specification names, once they are known.
    fn plan(spec: &Checked<Self::Spec>, facts: Option<&Facts>) -> Plan;
    /// The solver, ready to begin a unit. `data` holds the data sets that are named; `before` is what the units of earlier stages
    /// gave, `None` in the first stage.
    ///
    /// # Errors
    /// What of the specification does not fit the data.
    fn prepare(
        spec: &Checked<Self::Spec>,
        data: &Store,
        before: Option<Self::Snapshot>,
    ) -> Result<Prepared<Self::Snapshot>, Vec<InputError>>;
    /// The snapshots of several shards as one, in the order of their units.
    fn merge(parts: Vec<Self::Snapshot>) -> Self::Snapshot;
    /// How the run ended, read off a merged snapshot.
    fn status(spec: &Checked<Self::Spec>, snapshot: &Self::Snapshot) -> Status;
    /// The figures; pure and cheap, drawable from the first snapshot on.
    fn figures(spec: &Checked<Self::Spec>, snapshot: &Self::Snapshot) -> Vec<Figure>;
    /// Settings that the run has found and a form can take, by key: those of the best fit so far and no fit any more, or what is
    /// advised where there is no solution. A run with them gives what this one was after.
    fn found(_spec: &Checked<Self::Spec>, _snapshot: &Self::Snapshot) -> Raw {
        Raw::new()
    }
    /// What it says of every row of a table, as a file that is made when it is saved; `None` where there is nothing.
    fn records(_spec: &Checked<Self::Spec>, _snapshot: &Self::Snapshot) -> Option<Records> {
        None
    }
    /// The `result` of `headless`.
    fn report(spec: &Checked<Self::Spec>, snapshot: &Self::Snapshot) -> serde_json::Value;

    /// An experiment over a range of the units, all of one stage.
    ///
    /// # Errors
    /// What of the specification does not fit the data.
    fn start(
        spec: &Checked<Self::Spec>,
        units: Range<usize>,
        data: &Store,
        before: Option<Self::Snapshot>,
    ) -> Result<Experiment<Self::Snapshot>, Vec<InputError>> {
        let facts = spec.values().data().and_then(|named| data.facts(named.content()?));
        Ok(Experiment::new(Self::prepare(spec, data, before)?, Self::plan(spec, facts), units))
    }
}

/// A solver ready to begin a unit.
pub type Prepared<S> = Box<dyn Work<Snapshot = S>>;

/// Runs all units of a task, stage by stage.
///
/// # Errors
/// What of the specification does not fit the data.
pub fn complete<T: Run>(spec: &Checked<T::Spec>, data: &Store) -> Result<T::Snapshot, Vec<InputError>> {
    let facts = spec.values().data().and_then(|named| data.facts(named.content()?));
    let plan = T::plan(spec, facts);
    let mut whole = None;
    for shard in plan.shards(1) {
        let before = (plan.stage_of(shard.start) > 0).then(|| whole.clone()).flatten();
        let mut run = T::start(spec, shard, data, before)?;
        while run.advance() != super::Progress::Done {}
        let parts: Vec<_> = whole.into_iter().chain([run.snapshot()]).collect();
        whole = Some(T::merge(parts));
    }
    Ok(whole.unwrap_or_else(|| T::merge(Vec::new())))
}
