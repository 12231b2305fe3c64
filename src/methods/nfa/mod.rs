//! Nonlinear factor analysis: Lappalainen & Honkela, *Bayesian nonlinear independent component analysis by multi-layer
//! perceptrons*, 2000 (LH00), with the moments of Lappalainen, *Posterior mean and variance of f(s(t))*, 2000 (VL00).

pub mod monte_carlo;
pub mod solver;
