//! Gaussian approximations of the posterior over the weights of a two-layer network, BB98 section 2: ensemble learning and
//! Laplace's method.

pub mod correlation;
pub mod examples;
pub mod expectation;
mod factor_curvature;
pub mod fit;
pub mod gaussian;
pub mod hyperprior;
pub mod mode;
mod mode_search;
pub mod moments;
pub mod network;
pub mod options;
pub mod parametrisation;
pub mod precisions;
pub mod problem;
mod projection;
mod triangular;
