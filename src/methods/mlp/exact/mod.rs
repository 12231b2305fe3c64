//! References for the fits: the posterior of two weights by quadrature, of any network by
//! Hamiltonian Monte Carlo, and the evidence of any network by annealed importance sampling.

pub mod chain;
pub mod density;
pub mod evidence;
pub mod two_weights;
