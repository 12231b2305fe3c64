//! The models: one folder for each paper. A folder says everything of its model in one static `MODEL`; here they are listed, and
//! nothing else in the sources names one, but [`crate::methods`].

mod erased;
mod registry;

pub mod feedforward;
pub mod gp;
pub mod mlp;
pub mod nfa;
pub mod sbn;

pub use erased::{Drawing, Erased, ErasedExperiment, Runnable, TaskResult, Tasks};
pub use registry::{Model, TASKS, Takes, catalog, catalog_of, find, task};

registry::models![feedforward, gp, mlp, nfa, sbn];
