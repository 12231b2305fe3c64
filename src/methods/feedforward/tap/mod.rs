//! The TAP equations of a committee machine: what is to be learnt, one sweep, how a solve ends, and what a solution says.

pub mod likelihood;
pub mod own;
pub mod search;
pub mod solution;
mod sweep;
mod training_set;
pub mod votes;

pub use sweep::{Info, State, Tap};
pub use training_set::TrainingSet;
