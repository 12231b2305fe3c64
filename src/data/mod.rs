//! Data: what generators draw and, later, what readers read.

#[cfg(feature = "solver")]
pub mod teacher;
#[cfg(feature = "solver")]
pub mod toy;
