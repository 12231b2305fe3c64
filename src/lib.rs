//! Mean Field Lab: classic Bayesian mean-field methods beside the exact answer, as an interactive page (WebAssembly), a command
//! line (`headless`) and this library. Each model is one paper: TAP equations for perceptrons and Gaussian processes, ensemble
//! learning for neural networks and nonlinear factor analysis, and mean-field bounds for belief networks.
//!
//! # Two ways in
//!
//! **A task**, as the page and the command line run it. A permalink names the task and its settings; all other settings have their
//! defaults. The result has a status, figures, and a report in JSON.
//!
//! ```
//! use meanfield::data::Store;
//! use meanfield::lab::{Link, Outcome, Progress};
//! use meanfield::models::task;
//!
//! // Test error of a perceptron that learns from 10 and 40 examples in 20 dimensions, averaged over 5 runs.
//! let link = Link::parse("#/feedforward?inputs=20&alphas=0.5,2&runs=5");
//! let task = task(&link.task).expect("a task of that name");
//! let values = task.check(&link.raw).expect("valid settings");
//! let units = task.plan(&values, None).units();
//! let mut run = task.start(&values, 0..units, &Store::default(), &[]).expect("settings that fit the data");
//! while run.advance() != Progress::Done {}
//!
//! let result = task.result(&values, &[&run.snapshot()])?;
//! assert_eq!(result.status().outcome, Outcome::Converged);
//! let report = result.report();
//! let errors: Vec<f64> = report["curve"].as_array().unwrap().iter().map(|row| row["bayes"].as_f64().unwrap()).collect();
//! assert!(errors[1] < errors[0] && errors[0] < 0.5);
//! # Ok::<(), String>(())
//! ```
//!
//! **A solver**, with vectors of numbers: each model's module opens with an example ([`models::feedforward`], [`models::gp`],
//! [`models::mlp`], [`models::nfa`], [`models::sbn`]).
//!
//! # Modules
//!
//! | module | contents |
//! |---|---|
//! | [`math`] | special functions, kernels of fixed width, Cholesky, L-BFGS, samplers, quadrature, random streams |
//! | [`data`] | data sets, images, the store, readers of tables, generators |
//! | [`lab`] | what a task is: fields, specification, units, experiment, status, permalink |
//! | [`figure`] | a figure as a value, its data table and its CSV |
//! | [`models`] | one module for each paper, and the registry of their tasks |
//! | [`render`] | draws a figure on a canvas or as SVG |
//! | [`run_page`] | a run as one HTML page |
//! | [`ledger`] | claims of the papers beside what runs found: `REPRODUCTION.md` and the page of the papers |
//! | [`methods`] | the method of each paper, with its theory and the exact answer |
//! | [`protocol`] | messages between the page and its workers |
//! | [`worker`] | the loop around an experiment in a web worker |
//! | [`app`] | the page: pool of workers, state, components |
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `wide` (default) | kernels compiled for AVX2 as well, for the same bits in less time |
//! | `web` | the page and its web workers, for `wasm32-unknown-unknown` |
//!
//! # Invariants
//!
//! Each is held by a test.
//!
//! 1. Solvers are pure: no clock, no printing, no globals, no web types.
//! 2. The same specification gives the same bits natively, in one worker and in eight.
//! 3. Random numbers come from streams derived from (seed, purpose, unit).
//! 4. A run is its task and its [`lab::Spec`], with the hash of the data it names; the permalink is the specification.
//!    A setting that has no effect together with the others has its default, whatever was given.
//! 5. Not converging is a [`lab::Status`] with a reason; invalid input is a [`lab::InputError`] that names the field, what to enter
//!    and the nearest valid text.
//! 6. A snapshot never changes a run; paused and resumed equals uninterrupted.
//! 7. Only [`render`] uses plotters, only [`app`] and the web glue of [`worker`] use the browser, and types are erased in one
//!    file of [`lab`].

// Tests compare to within a tolerance.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

#[allow(clippy::disallowed_methods, reason = "pixels may differ in their last bits, results may not")]
pub mod app;
pub mod ledger;
pub mod models;
pub mod protocol;
#[allow(clippy::disallowed_methods, reason = "pixels may differ in their last bits, results may not")]
pub mod render;
pub mod run_page;
pub mod worker;

pub use meanfield_data as data;
pub use meanfield_figure as figure;
pub use meanfield_lab as lab;
pub use meanfield_lab::{choice, spec};
pub use meanfield_math as math;
pub use meanfield_methods as methods;
