//! The approximations on one training set: TAP, naive mean field and Laplace's.
//!
//! | file | content |
//! |---|---|
//! | `approximation.rs` | all approximations behind one interface |
//! | `mean_field.rs`, `state.rs` | the solver of OW98 eqs. (12) and (13) |
//! | `double_loop.rs` (progress: `outer_loop.rs`), `damped.rs` | its two iterations |
//! | `parallel.rs`, `sequential.rs` | two plain iterations, for comparison |
//! | `cavity.rs` | cavity means and variances, the Onsager reaction term |
//! | `site.rs` | the averaged likelihood of one example and its derivatives |
//! | `factor.rs` | I + S C, factored |
//! | `solution.rs` | −G, OW98 eqs. (10) and (11), leave-one-out fields |
//! | `posterior.rs`, `prediction.rs` | the posterior of any approximation, and its predictions |
//! | `joint.rs` | the joint posterior of the fields at several new inputs |
//! | `laplace.rs` | Laplace's approximation |
//! | `kernel/` | covariance functions, one a file |

pub mod approximation;
pub mod cavity;
mod damped;
mod double_loop;
pub mod factor;
pub mod hyperparameters;
pub mod joint;
pub mod kernel;
pub mod laplace;
pub mod mean_field;
mod outer_loop;
pub mod parallel;
pub mod posterior;
pub mod prediction;
pub mod sequential;
pub mod site;
pub mod solution;
pub mod state;
pub mod theory;
pub mod training_set;
