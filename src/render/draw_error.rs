//! Errors of drawing.

use plotters::drawing::DrawingAreaErrorKind;

/// An error of the drawing backend. A figure itself never causes one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the figure could not be drawn: {0}")]
pub struct DrawError(pub(super) String);

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for DrawError {
    fn from(e: DrawingAreaErrorKind<E>) -> Self {
        Self(e.to_string())
    }
}
