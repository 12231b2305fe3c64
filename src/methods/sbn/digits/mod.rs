//! Images of digits: how they are drawn, and how they become binary.

pub mod prepare;
pub mod strokes;
