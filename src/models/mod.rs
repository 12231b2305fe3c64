//! The registry: one line a task. The only place where types are erased.

pub mod feedforward;
pub mod gp;

#[cfg(feature = "solver")]
use std::any::Any;
use std::marker::PhantomData;
#[cfg(feature = "solver")]
use std::ops::Range;

use crate::data::Facts;
#[cfg(feature = "solver")]
use crate::data::Store;
#[cfg(feature = "solver")]
use crate::figure::Figure;
use crate::lab::{Checked, Field, Link, Meta, Problem, Raw, Spec, Values, View};
#[cfg(feature = "solver")]
use crate::lab::{Experiment, Progress, Run, RunError, Shown, Status};

/// Every task there is.
pub static TASKS: &[&dyn Task] = &[
    &Erased::<feedforward::LearningCurve>::NEW,
    &Erased::<feedforward::TheoryCurve>::NEW,
    &Erased::<feedforward::SingleRun>::NEW,
    &Erased::<feedforward::OwnData>::NEW,
    &Erased::<gp::Compare>::NEW,
    &Erased::<gp::LiveMap>::NEW,
    &Erased::<gp::OwnData>::NEW,
];

/// A paper of the lab and the task that its page opens with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// Name in links.
    pub id: &'static str,
    /// A few words for the navigation.
    pub name: &'static str,
    /// Authors and year.
    pub paper: &'static str,
    /// Title of the paper.
    pub title: &'static str,
    /// One sentence: what one will see.
    pub promise: &'static str,
}

/// The five papers, in the order of the navigation.
pub static MODELS: &[Model] = &[
    Model {
        id: "feedforward",
        name: "Perceptron",
        paper: "Opper & Winther 1996",
        title: "A mean field approach to Bayes learning in feed-forward neural networks",
        promise: "How fast a perceptron, or a committee of them, learns from examples: simulated runs, solved by \
                  the TAP equations, land on a curve that theory predicts without any data.",
    },
    Model {
        id: "gp",
        name: "Gaussian processes",
        paper: "Opper & Winther 1998",
        title: "Mean field methods for classification with Gaussian processes",
        promise: "Classify points of the plane with TAP and naive mean field, and see how far each is from the exact \
                  posterior.",
    },
    Model {
        id: "mlp",
        name: "Ensemble learning",
        paper: "Barber & Bishop 1998",
        title: "Ensemble learning for multi-layer networks",
        promise: "Error bars of a two-layer network: a fitted Gaussian against Laplace's approximation at the mode.",
    },
    Model {
        id: "nfa",
        name: "Nonlinear factors",
        paper: "Lappalainen & Honkela 2000",
        title: "Bayesian nonlinear independent component analysis by multi-layer perceptrons",
        promise: "Find the hidden sources behind nonlinear mixtures, with the uncertainty of every one.",
    },
    Model {
        id: "sbn",
        name: "Belief networks",
        paper: "Saul & Jordan 1998",
        title: "A mean field learning algorithm for unsupervised neural networks",
        promise: "Draw a digit and watch ten belief networks bound its probability.",
    },
];

/// The task of that id.
pub fn task(id: &str) -> Option<&'static dyn Task> {
    TASKS.iter().copied().find(|task| task.meta().id == id)
}

/// The task of that id, if it is a page of its own.
pub fn page(id: &str) -> Option<&'static dyn Task> {
    task(id).filter(|task| task.meta().tab.is_some())
}

/// The pages of a model, the one it opens with first.
pub fn pages(model: &str) -> impl Iterator<Item = &'static dyn Task> {
    TASKS.iter().copied().filter(move |task| task.meta().tab.is_some() && model_of(task.meta().id) == model)
}

/// The id of the model that a task belongs to.
pub fn model_of(task: &str) -> &str {
    task.split('.').next().unwrap_or(task)
}

/// Id of the task that a link is for: a model with a person's own `data` is another task than without.
pub fn route(link: &Link) -> String {
    let own = format!("{}.data", link.task);
    let data = link.raw.get("data").is_some_and(|data| !data.trim().is_empty());
    if data && task(&own).is_some() { own } else { link.task.clone() }
}

/// The paper of that id.
pub fn model(id: &str) -> Option<&'static Model> {
    MODELS.iter().find(|model| model.id == id)
}

/// A task whose types are forgotten: specifications are texts and values, snapshots are bytes.
pub trait Task: Sync {
    /// Names.
    fn meta(&self) -> &'static Meta;
    /// Its inputs.
    fn fields(&self) -> &'static [Field];
    /// Checks a specification.
    ///
    /// # Errors
    /// Every problem found.
    fn check(&self, raw: &Raw) -> Result<Values, Vec<Problem>>;
    /// Number of units of work of a checked specification; `facts` are those of the data set it names.
    fn units(&self, values: &Values, facts: Option<&Facts>) -> usize;
    /// Reads the snapshots of all shards, in the order of their units.
    ///
    /// # Errors
    /// If the bytes are no snapshots of this task: they come from another version.
    #[cfg(feature = "solver")]
    fn result(&self, values: &Values, parts: &[&[u8]]) -> Result<Box<dyn TaskResult>, String>;
    /// Starts an experiment over some of the units.
    ///
    /// # Errors
    /// Every problem found in the specification, and what of it does not fit the data set in `data`.
    #[cfg(feature = "solver")]
    fn start(
        &self,
        raw: &Raw,
        units: Range<usize>,
        data: &Store,
    ) -> Result<Box<dyn ErasedExperiment>, Vec<Problem>>;
}

/// A merged snapshot with its specification.
#[cfg(feature = "solver")]
pub trait TaskResult {
    /// How it ended, if it is complete.
    fn status(&self) -> Status;
    /// Its figures.
    fn figures(&self) -> Vec<Figure>;
    /// Its numbers.
    #[cfg(feature = "report")]
    fn report(&self) -> serde_json::Value;
    /// The snapshot itself, for tests that compare results bit for bit.
    fn as_any(&self) -> &dyn Any;
}

#[cfg(feature = "solver")]
impl dyn TaskResult {
    /// What is to be seen of it.
    pub fn shown(&self) -> Shown {
        Shown { status: self.status(), figures: self.figures() }
    }
}

/// An experiment whose snapshots are bytes.
#[cfg(feature = "solver")]
pub trait ErasedExperiment {
    /// See [`Experiment::advance`].
    ///
    /// # Errors
    /// What broke.
    fn advance(&mut self) -> Result<Progress, RunError>;
    /// See [`Experiment::snapshot`].
    ///
    /// # Errors
    /// If the snapshot cannot be written as bytes.
    fn snapshot(&self) -> Result<Vec<u8>, RunError>;
}

/// What a registered task must be: with solvers linked a [`Run`], on the page a [`View`].
#[cfg(feature = "solver")]
trait Registered: Run {}
#[cfg(feature = "solver")]
impl<T: Run> Registered for T {}
#[cfg(not(feature = "solver"))]
trait Registered: View {}
#[cfg(not(feature = "solver"))]
impl<T: View> Registered for T {}

struct Erased<T>(PhantomData<fn() -> T>);

impl<T> Erased<T> {
    const NEW: Self = Self(PhantomData);
}

impl<T: Registered> Task for Erased<T> {
    fn meta(&self) -> &'static Meta {
        const { &T::META }
    }

    fn fields(&self) -> &'static [Field] {
        T::Spec::fields()
    }

    fn check(&self, raw: &Raw) -> Result<Values, Vec<Problem>> {
        Checked::<T::Spec>::new(raw).map(|spec| spec.values().clone())
    }

    fn units(&self, values: &Values, facts: Option<&Facts>) -> usize {
        checked::<T>(values).map_or(0, |spec| T::units(&spec, facts))
    }

    #[cfg(feature = "solver")]
    fn result(&self, values: &Values, parts: &[&[u8]]) -> Result<Box<dyn TaskResult>, String> {
        let spec = checked::<T>(values)?;
        let parts: Result<Vec<T::Snapshot>, _> =
            parts.iter().map(|bytes| postcard::from_bytes(bytes)).collect();
        let snapshot = T::merge(parts.map_err(|e| format!("a worker sent something unreadable: {e}"))?);
        Ok(Box::new(Merged::<T> { spec, snapshot }))
    }

    #[cfg(feature = "solver")]
    fn start(
        &self,
        raw: &Raw,
        units: Range<usize>,
        data: &Store,
    ) -> Result<Box<dyn ErasedExperiment>, Vec<Problem>> {
        let spec = Checked::<T::Spec>::new(raw)?;
        Ok(Box::new(Bytes(T::start(&spec, units, data)?)))
    }
}

fn checked<T: View>(values: &Values) -> Result<Checked<T::Spec>, String> {
    Checked::<T::Spec>::new(&values.to_raw()).map_err(|problems| format!("{problems:?}"))
}

#[cfg(feature = "solver")]
struct Merged<T: Run> {
    spec: Checked<T::Spec>,
    snapshot: T::Snapshot,
}

#[cfg(feature = "solver")]
impl<T: Run> TaskResult for Merged<T> {
    fn status(&self) -> Status {
        T::status(&self.spec, &self.snapshot)
    }
    fn figures(&self) -> Vec<Figure> {
        T::figures(&self.spec, &self.snapshot)
    }
    #[cfg(feature = "report")]
    fn report(&self) -> serde_json::Value {
        T::report(&self.spec, &self.snapshot)
    }
    fn as_any(&self) -> &dyn Any {
        &self.snapshot
    }
}

#[cfg(feature = "solver")]
struct Bytes<S>(Box<dyn Experiment<Snapshot = S>>);

#[cfg(feature = "solver")]
impl<S: serde::Serialize> ErasedExperiment for Bytes<S> {
    fn advance(&mut self) -> Result<Progress, RunError> {
        self.0.advance()
    }
    fn snapshot(&self) -> Result<Vec<u8>, RunError> {
        postcard::to_stdvec(&self.0.snapshot())
            .map_err(|e| RunError(format!("a snapshot could not be written: {e}")))
    }
}
