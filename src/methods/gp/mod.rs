//! OW98: Opper & Winther, *Mean field methods for classification with Gaussian processes*, 1998.

pub mod exact;
pub mod fit;
pub mod solver;
