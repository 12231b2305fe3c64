//! Numerical atoms shared by the models: special functions, fixed-lane kernels, quadrature, random streams,
//! means with their standard errors.
//!
//! Everything here gives the same bits natively and in WebAssembly: no platform `libm`, no fused
//! multiply–add, sums in a fixed order.

// Tests compare to within a tolerance.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod anderson;
#[cfg(feature = "solver")]
pub mod annealing;
pub mod bayesian_regression;
pub mod binomial;
pub mod chains;
pub mod chebyshev;
pub mod cholesky;
pub mod covariance;
mod decimal;
pub mod eigen;
#[cfg(feature = "solver")]
pub mod hamiltonian;
#[cfg(feature = "solver")]
pub mod hmc;
pub mod lanes;
pub mod lbfgs;
pub mod logistic;
pub mod minimiser;
pub mod mixing;
pub mod owen;
pub mod product;
pub mod quadrature;
#[cfg(feature = "solver")]
pub mod random;
pub mod scg;
pub mod scores;
#[cfg(feature = "solver")]
pub mod signed_cholesky;
pub mod single;
pub mod solve;
pub mod special;
pub mod stats;
#[cfg(feature = "solver")]
pub mod tempering;

pub use decimal::decimal;
pub use solve::{Budget, Ending, largest, max_or_nan};
