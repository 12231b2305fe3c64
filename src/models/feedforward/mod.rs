//! OW96: Opper & Winther, *A mean field approach to Bayes learning in feed-forward neural networks*, PRL 76, 1964
//! (1996). The README beside this file has the equations, the symbols and what differs from the paper.

pub mod curve;
pub mod exact;
pub mod fields;
pub mod single;
pub mod table;
pub mod tap;
pub mod theory;

pub use curve::{LearningCurve, TheoryCurve};
pub use single::SingleRun;
pub use table::OwnData;
