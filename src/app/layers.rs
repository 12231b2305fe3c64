//! See [`crate::render::overlay`].

use crate::render::Drawing;
pub use crate::render::{Layer, overlay};

/// See [`Drawing::fade`].
pub fn stale(drawing: &mut Drawing) {
    drawing.fade();
}

/// See [`Drawing::outdate`].
pub fn outlived(drawing: &mut Drawing) {
    drawing.outdate();
}
