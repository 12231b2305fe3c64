//! OW98: Opper & Winther, *Mean field methods for classification with Gaussian processes*, NIPS 11 (1998).

#[cfg(feature = "solver")]
pub mod adjoint;
#[cfg(feature = "solver")]
pub mod factor;
#[cfg(feature = "solver")]
pub mod fit;
#[cfg(feature = "solver")]
pub mod gradient;
#[cfg(feature = "solver")]
pub mod grid;
#[cfg(feature = "solver")]
pub mod kernel;
#[cfg(feature = "solver")]
pub mod laplace;
#[cfg(feature = "solver")]
pub mod loo;
pub mod own;
pub mod play;
#[cfg(feature = "solver")]
pub mod problem;
pub mod setting;
#[cfg(feature = "solver")]
pub mod site;
#[cfg(feature = "solver")]
pub mod tap;
#[cfg(feature = "solver")]
pub mod truth;
#[cfg(feature = "solver")]
pub mod watch;

pub use own::OwnData;
pub use play::{Compare, LiveMap};
