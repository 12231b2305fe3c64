//! Digits of 10×10 binary pixels: where they come from and how they are made of larger, grey ones.

pub mod prepare;
pub mod source;
pub mod strokes;
pub mod table;
