//! See [`crate::render::height`].

pub use crate::render::height;
