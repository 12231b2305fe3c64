//! OW96: Opper & Winther, *A mean field approach to Bayes learning in feed-forward neural networks*, PRL 76, 1964
//! (1996). The README beside this file has the equations, the symbols and what differs from the paper.

mod average;
pub mod channel;
mod controls;
pub mod curve;
pub mod errors;
mod lattice;
pub mod own;
pub mod posterior;
pub mod residual;
pub mod setting;
pub mod single;
pub mod solution;
pub mod tap;
pub mod theory;
mod track;
pub mod votes;

pub use curve::{LearningCurve, TheoryCurve};
pub use own::OwnData;
pub use single::SingleRun;
