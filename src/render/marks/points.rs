//! Points with sizes of their own.

use super::super::drawing::Shown;
use super::super::frame::Frame;
use super::super::pen::Pen;
use super::curve::{bar, sign, sign_radius};
use crate::figure::Points;

pub(super) fn points(pen: &Pen, frame: &Frame, points: &Points, shown: &Shown) {
    let ink = shown.ink(pen);
    for dot in &points.dots {
        if shown.style.thin.is_none() {
            bar(pen, frame, &dot.point, true, ink);
        }
        if let Some(at) = frame.to_px(dot.point.x, dot.point.y) {
            sign(pen, points.marker, at, sign_radius(shown.style) * dot.size, ink);
        }
    }
}
