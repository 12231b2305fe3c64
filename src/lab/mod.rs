//! What a task is: a specification with named fields, units of work, a resumable experiment, a result that
//! can be drawn, and how it ended. Models implement the traits of `run.rs`; the page knows the catalog.

mod catalog;
mod field;
mod kept;
mod link;
#[cfg(feature = "solver")]
pub mod own;
mod plan;
#[cfg(feature = "solver")]
mod run;
mod spec;
mod task;
#[cfg(feature = "solver")]
mod units;

pub use catalog::{Catalog, Entry, Listing, ModelInfo, Paper, Task, model_of};
pub use field::{Field, Group, InputError, Kind, Value};
pub use link::Link;
pub use plan::Plan;
#[cfg(feature = "solver")]
#[cfg(test)]
pub use run::complete;
#[cfg(feature = "solver")]
pub use run::{Prepared, Run};
#[cfg(feature = "solver")]
pub use spec::{Checked, Spec};
pub use spec::{Raw, Values, mend, only};
pub use task::{Meta, Outcome, Preset, Queue, Shown, Status};
#[cfg(feature = "solver")]
pub use units::{Experiment, Progress, Work};

pub use crate::math::{Budget, Ending};
