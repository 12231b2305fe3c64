//! VL00: Lappalainen & Honkela, *Bayesian nonlinear independent component analysis by multi-layer perceptrons*, 2000.

pub mod monte_carlo;
pub mod solver;
