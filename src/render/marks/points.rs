//! Points with their own sizes.

use super::super::drawing::StyledMark;
use super::super::geometry::PlotGeometry;
use super::super::pen::Pen;
use super::curve::{error_bar, marker_radius, markers};
use crate::figure::Points;

/// Draws points.
pub(super) fn points(pen: &Pen, geometry: &PlotGeometry, points: &Points, styled: &StyledMark) {
    let inks = || (0..points.dots.len()).map(|index| styled.point_ink(pen, index));
    if styled.style.thin.is_none() {
        points.dots.iter().zip(inks()).for_each(|(dot, ink)| error_bar(pen, geometry, &dot.point, true, ink));
    }
    let all = points.dots.iter().zip(inks()).filter_map(|(dot, ink)| {
        Some((geometry.to_px(dot.point.x, dot.point.y)?, marker_radius(styled.style) * dot.size, ink))
    });
    markers(pen, points.marker, &all.collect::<Vec<_>>());
}
