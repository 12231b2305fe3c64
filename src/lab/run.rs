//! A task as its model writes it: names, units of work, a resumable experiment, and what is made of its results.

use std::ops::Range;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::field::InputError;
use super::spec::{Checked, Spec};
use super::task::{Meta, RunError, Status};
use crate::data::{Artefact, Facts, Store};
use crate::figure::Figure;

/// What a task is called, what it can be told, and how its work is split.
pub trait View: 'static {
    /// Names.
    const META: Meta;
    /// What it can be told.
    type Spec: Spec;

    /// How many independent units of work there are: runs, digits, restarts, grid points, left-out rows.
    /// `facts` are those of the data set that the specification names, once they are known.
    fn units(spec: &Checked<Self::Spec>, facts: Option<&Facts>) -> usize;
}

/// A task whole: the solver, and what is made of its results.
pub trait Run: View {
    /// What a worker sends: rows per unit of work, never sums over units, so that how the work was split
    /// cannot change the result.
    type Snapshot: Serialize + DeserializeOwned + Clone + PartialEq;

    /// The snapshots of several shards as one, in the order of their units.
    fn merge(parts: Vec<Self::Snapshot>) -> Self::Snapshot;
    /// How the run ended, read off a merged snapshot.
    fn status(spec: &Checked<Self::Spec>, snapshot: &Self::Snapshot) -> Status;
    /// The figures; pure and cheap, drawable from the first snapshot on.
    fn figures(spec: &Checked<Self::Spec>, snapshot: &Self::Snapshot) -> Vec<Figure>;
    /// A resumable experiment over a range of the units; `data` holds the data set that is named.
    ///
    /// # Errors
    /// What of the specification does not fit the data.
    fn start(
        spec: &Checked<Self::Spec>,
        units: Range<usize>,
        data: &Store,
    ) -> Result<Started<Self::Snapshot>, Vec<InputError>>;
    /// The `result` of `headless`.
    #[cfg(feature = "report")]
    fn report(spec: &Checked<Self::Spec>, snapshot: &Self::Snapshot) -> serde_json::Value;
}

/// An experiment ready to be advanced.
pub type Started<S> = Box<dyn Experiment<Snapshot = S>>;

/// A run that can be watched: resumable, in slices of at most about 20 ms.
pub trait Experiment {
    /// What can be seen of it.
    type Snapshot;

    /// Works for a slice.
    ///
    /// # Errors
    /// What broke; not converging is no error but a status.
    fn advance(&mut self) -> Result<Progress, RunError>;
    /// What there is so far. Never changes the run.
    fn snapshot(&self) -> Self::Snapshot;
    /// What it has made since this was last asked, for other work to take: a trained network, a fitted state. Asked after
    /// every slice.
    fn artefacts(&mut self) -> Vec<Artefact> {
        Vec::new()
    }
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// Not there yet.
    Running {
        /// Fraction done, 0 to 1.
        fraction: f64,
        /// What is being done, in a few words (`run 37, α = 4`).
        note: String,
    },
    /// Nothing is left to do.
    Done,
}
