//! The approximations: TAP, naive mean field and Laplace, on one training set.

pub mod approximation;
mod damped;
mod double_loop;
pub mod factor;
pub mod kernel;
pub mod laplace;
pub mod parallel;
pub mod prediction;
pub mod sequential;
pub mod setting;
pub mod site;
pub mod solution;
pub mod tap;
pub mod training_set;
