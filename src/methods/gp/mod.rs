//! OW98: Opper & Winther, *Mean field methods for classification with Gaussian processes*, 1998. Symbols, equations and the table of
//! files are in the README.

pub mod exact;
pub mod fit;
pub mod inducing;
mod joint_gaussian;
pub mod propagation;
pub mod regression;
pub mod solver;
