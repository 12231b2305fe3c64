//! OW98: Opper & Winther, *Mean field methods for classification with Gaussian processes*, NIPS 11 (1998).

pub mod exact;
pub mod fields;
pub mod fit;
pub mod play;
pub mod solver;
pub mod table;

pub use play::{Compare, LiveMap};
pub use table::OwnData;
