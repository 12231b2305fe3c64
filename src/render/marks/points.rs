//! Points with their own sizes.

use super::super::drawing::StyledMark;
use super::super::geometry::PlotGeometry;
use super::super::pen::Pen;
use super::curve::{error_bar, marker, marker_radius};
use crate::figure::Points;

/// Draws points.
pub(super) fn points(pen: &Pen, frame: &PlotGeometry, points: &Points, styled: &StyledMark) {
    for (index, dot) in points.dots.iter().enumerate() {
        let ink = styled.point_ink(pen, index);
        if styled.style.thin.is_none() {
            error_bar(pen, frame, &dot.point, true, ink);
        }
        if let Some(at) = frame.to_px(dot.point.x, dot.point.y) {
            marker(pen, points.marker, at, marker_radius(styled.style) * dot.size, ink);
        }
    }
}
