//! OW98: Opper & Winther, *Mean field methods for classification with Gaussian processes*, NIPS 11 (1998).

pub mod adjoint;
pub mod approximation;
mod damped;
pub mod factor;
pub mod fit;
pub mod gradient;
pub mod kernel;
pub mod laplace;
pub mod own;
pub mod play;
pub mod problem;
pub mod setting;
pub mod site;
pub mod tap;
pub mod truth;
pub mod watch;

pub use own::OwnData;
pub use play::{Compare, LiveMap};
