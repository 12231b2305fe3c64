//! Images of digits: simulated pen strokes, and the pre-processing to binary images.

pub mod prepare;
pub mod strokes;
