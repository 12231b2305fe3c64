//! Mean Field Lab: classic Bayesian mean-field learning methods, run live beside the truth.
//!
//! | module | what is in it |
//! |---|---|
//! | [`math`] | special functions, fixed-lane kernels, Cholesky, L-BFGS, samplers, quadrature, random streams |
//! | [`data`] | examples, who draws them, and the tables that people bring |
//! | [`lab`] | what a task is: fields, specification, units, experiment, status, permalink |
//! | `ledger` | claims of the papers beside what runs found: `REPRODUCTION.md` and the page of the papers |
//! | [`figure`] | a figure as a value, its table and CSV |
//! | [`render`] | draws a figure on any plotters backend |
//! | [`methods`] | the method of each paper, with its theory and the exact answer |
//! | [`models`] | the pages of each paper, and the registry of their tasks |
//! | [`protocol`] | what page and worker say to each other |
//! | [`worker`] | the solvers' program: the loop around an experiment, answers to the page, and the web glue |
//! | [`app`] | the page: pool of workers, run state, components |
//!
//! Invariants, each held by a test:
//!
//! 1. Solvers are pure: no clock, no printing, no globals, no web types.
//! 2. The same specification gives the same bits natively, in one worker and in eight.
//! 3. Random numbers come from streams derived from (seed, unit of work).
//! 4. A run is its task and its [`lab::Spec`], with the hash of the data it names; the permalink is the specification.
//!    A setting that has no effect with the others has its default in it, whatever was given.
//! 5. Not converging is a [`lab::Status`] with a reason; input that is not valid is a [`lab::InputError`] that
//!    names the field, what to enter and the nearest valid text.
//! 6. A snapshot never changes a run; paused and resumed equals uninterrupted.
//! 7. Only [`render`] knows plotters, only [`app`] and the worker's glue know the web, and types are erased in
//!    one file, [`models`].

// Tests compare to within a tolerance.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

#[allow(clippy::disallowed_methods, reason = "pixels may differ in their last bits, results may not")]
pub mod app;
#[cfg(feature = "report")]
pub mod ledger;
#[cfg(feature = "solver")]
pub mod models;
pub mod protocol;
#[allow(clippy::disallowed_methods, reason = "pixels may differ in their last bits, results may not")]
pub mod render;
#[cfg(feature = "solver")]
pub mod worker;

pub use meanfield_data as data;
pub use meanfield_figure as figure;
pub use meanfield_lab as lab;
pub use meanfield_lab::{choice, spec};
pub use meanfield_math as math;
#[cfg(feature = "solver")]
pub use meanfield_methods as methods;
