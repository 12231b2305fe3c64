//! OW96: Opper & Winther, *Mean field approach to Bayes learning in feed-forward neural networks*, 1996.

pub mod exact;
pub mod tap;
pub mod theory;
