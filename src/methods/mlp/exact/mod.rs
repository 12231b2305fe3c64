//! References for the fits: the posterior of two weights by quadrature, and of any network by Hamiltonian Monte Carlo.

pub mod chain;
pub mod density;
pub mod two_weights;
