//! What the fits are compared with: the posterior of two weights by quadrature, and of more by Hamiltonian Monte Carlo.

pub mod chain;
pub mod plane;
