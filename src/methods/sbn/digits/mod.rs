//! Images of digits: simulated pen strokes, and the pre-processing to binary images.

pub mod preprocessing;
pub mod strokes;
