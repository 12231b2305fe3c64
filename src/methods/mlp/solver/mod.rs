//! BB98: a Gaussian over the weights of a two-layer network, fitted by its free energy or by Laplace's method.

pub mod coordinates;
pub mod correlation;
pub mod expectation;
pub mod fit;
mod forms;
pub mod gaussian;
pub mod hyper;
pub mod inputs;
pub mod mode;
pub mod moments;
pub mod network;
