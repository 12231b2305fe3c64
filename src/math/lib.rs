//! Numerical routines: special functions, SIMD kernels, linear algebra, optimisers, samplers, quadrature, random streams and
//! statistics.
//!
//! All routines give the same bits natively and in WebAssembly: no platform `libm`, no fused multiply–add, sums in a fixed order.

// Tests compare to within a tolerance.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod anderson;
pub mod annealed_walk;
pub mod annealing;
pub mod bayesian_regression;
pub mod binomial;
mod chain_stats;
pub mod chains;
pub mod chebyshev;
mod choice;
pub mod cholesky;
pub mod covariance;
mod decimal;
pub mod eigen;
pub mod exact_hmc;
pub mod gram;
pub mod hmc;
pub mod importance;
pub mod lanes;
pub mod lbfgs;
pub mod logistic;
pub mod minimiser;
pub mod mixing;
pub mod owen;
pub mod product;
pub mod quadrature;
pub mod random;
pub mod resampling;
mod residual;
pub mod scg;
pub mod scores;
pub mod signed_cholesky;
pub mod single;
pub mod solve;
pub mod special;
pub mod stats;
pub mod tempering;

pub use chain_stats::ChainStats;
pub use choice::Choice;
pub use decimal::decimal;
pub use residual::{Residual, SmallestResidual};
pub use solve::{Budget, Ending, largest, max_or_nan};
