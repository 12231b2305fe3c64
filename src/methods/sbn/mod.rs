//! Sigmoid belief networks: Saul & Jordan, *A mean field learning algorithm for unsupervised neural networks*, 1998 (SJ98).

pub mod baselines;
pub mod digits;
pub mod network;
