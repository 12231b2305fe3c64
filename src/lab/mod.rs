//! What a task is: a specification with named fields, units of work, a resumable experiment, a result that
//! can be drawn, and how it ended. Models implement these traits; the page, the worker and the command line
//! know nothing else about them.

mod catalog;
mod field;
mod link;
mod spec;
mod task;

pub use catalog::{Catalog, Entry, Listing, Model, Task, model_of};
pub use field::{Field, Group, Kind, Problem, Value};
pub use link::Link;
#[cfg(feature = "solver")]
pub use spec::{Checked, Spec};
pub use spec::{Raw, Values, mend, only};
pub use task::{Channel, Meta, Outcome, Preset, RunError, Shown, Status, shards};
#[cfg(feature = "solver")]
pub use task::{Experiment, Progress, Run, Started, View};
