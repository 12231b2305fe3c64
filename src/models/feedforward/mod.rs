//! OW96: Opper & Winther, *A mean field approach to Bayes learning in feed-forward neural networks*, PRL 76, 1964
//! (1996). The README beside this file has the equations, the symbols and what differs from the paper.

#[cfg(feature = "solver")]
mod average;
#[cfg(feature = "solver")]
pub mod channel;
pub mod curve;
#[cfg(feature = "solver")]
pub mod errors;
pub mod own;
#[cfg(feature = "solver")]
pub mod posterior;
pub mod residual;
pub mod setting;
pub mod single;
#[cfg(feature = "solver")]
pub mod solution;
#[cfg(feature = "solver")]
pub mod tap;
#[cfg(feature = "solver")]
pub mod theory;
#[cfg(feature = "solver")]
pub mod votes;

pub use curve::{LearningCurve, TheoryCurve};
pub use own::OwnData;
pub use single::SingleRun;
