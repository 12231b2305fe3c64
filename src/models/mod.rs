//! The models, one folder for each paper. A folder describes its model in one static `MODEL`; this file lists them, and no other
//! source names one, except [`crate::methods`].

pub mod feedforward;
pub mod gp;
pub mod mlp;
pub mod nfa;
pub mod sbn;

use std::sync::LazyLock;

use crate::lab::{Catalog, Model, Task};

/// Every model, in the order of the navigation.
pub static MODELS: &[&Model] = &[&feedforward::MODEL, &gp::MODEL, &mlp::MODEL, &nfa::MODEL, &sbn::MODEL];

/// Every task of every model.
pub static TASKS: LazyLock<Vec<&'static dyn Task>> = LazyLock::new(|| catalog().tasks().collect());

/// Returns all models with their tasks.
pub fn catalog() -> Catalog {
    Catalog(MODELS)
}

/// Returns the task of that id.
pub fn task(id: &str) -> Option<&'static dyn Task> {
    catalog().task(id)
}
