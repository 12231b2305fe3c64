//! A rectangle of the screen.

/// A rectangle in CSS pixels from the upper left corner of the figure.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Rect {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Rect {
    /// Returns the part inside `other`.
    pub(super) fn within(&self, other: &Self) -> Self {
        Self {
            left: self.left.clamp(other.left, other.right),
            right: self.right.clamp(other.left, other.right),
            top: self.top.clamp(other.top, other.bottom),
            bottom: self.bottom.clamp(other.top, other.bottom),
        }
    }

    /// Returns the height.
    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// Returns true if a pixel lies inside or within half a pixel of the border.
    pub fn contains(&self, (px, py): (f64, f64)) -> bool {
        px >= self.left - 0.5 && px <= self.right + 0.5 && py >= self.top - 0.5 && py <= self.bottom + 0.5
    }
}
