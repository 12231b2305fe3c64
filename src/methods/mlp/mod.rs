//! BB98: Barber & Bishop, *Ensemble learning in Bayesian neural networks*, 1998.

pub mod exact;
pub mod solver;
