//! Binary images of digits, 10×10 pixels: their sources and their pre-processing.

pub mod source;
pub mod table;

pub use meanfield_methods::sbn::digits::{preprocessing, strokes};
