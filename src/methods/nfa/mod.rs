//! VL00: Lappalainen & Honkela, *Bayesian nonlinear independent component analysis by multi-layer perceptrons*, 2000.

pub mod solver;
