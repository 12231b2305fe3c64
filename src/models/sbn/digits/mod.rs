//! Digits of 10×10 binary pixels: where they come from and how they are made of larger, grey ones.

pub mod source;
pub mod table;

pub use meanfield_methods::sbn::digits::{prepare, strokes};
