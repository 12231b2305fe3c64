//! BB98: Barber & Bishop, *Ensemble learning for multi-layer networks*, NIPS 10 (1998).

pub mod exact;
pub mod solver;
