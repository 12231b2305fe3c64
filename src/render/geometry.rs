//! Positions of plot and axes, and the datum at a pixel.

use super::drawing::{Drawing, StyledMark};
use super::marks::bar_rect;
use super::pictures::PictureGrid;
use super::space::Projection;
use crate::figure::{Axis, Mark, Scale};

/// Distance that is added to that of a thread from the pointer, in CSS pixels.
const BEHIND: f64 = 10.0;

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

/// Mapping of an axis to pixels. Its range is finite and not empty, and positive on a logarithmic scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisMap {
    /// Scale of the axis.
    pub scale: Scale,
    /// Smallest and largest datum shown.
    pub range: (f64, f64),
    /// Pixels of these two values.
    pub px: (f64, f64),
}

impl AxisMap {
    /// Returns the pixel of a value, also beyond the axis; `None` if it is not finite, or not positive on a logarithmic scale.
    pub fn to_px(&self, v: f64) -> Option<f64> {
        if !v.is_finite() || (self.scale == Scale::Log && v <= 0.0) {
            return None;
        }
        let ((lo, hi), v) = match self.scale {
            Scale::Linear => (self.range, v),
            Scale::Log => ((self.range.0.log10(), self.range.1.log10()), v.log10()),
        };
        // Limited so that sums of pixels stay finite.
        let t = ((v - lo) / (hi - lo)).clamp(-1e6, 1e6);
        Some(self.px.0 + t * (self.px.1 - self.px.0))
    }

    /// Returns the value at a pixel.
    pub fn to_data(&self, p: f64) -> f64 {
        let t = (p - self.px.0) / (self.px.1 - self.px.0);
        let (lo, hi) = self.range;
        match self.scale {
            Scale::Linear => lo + t * (hi - lo),
            Scale::Log => 10f64.powf(lo.log10() + t * (hi.log10() - lo.log10())),
        }
    }
}

/// Positions of plot and axes, in CSS pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotGeometry {
    /// Width and height of the whole figure.
    pub size: (f64, f64),
    /// Area inside the axes; of a figure of panels, the area of all of them.
    pub plot: Rect,
    /// Horizontal axis.
    pub x: AxisMap,
    /// Vertical axis; its pixels increase downwards.
    pub y: AxisMap,
    /// Coordinates of the marks.
    pub geometry: Coordinates,
}

/// Coordinates of the marks of a figure.
#[derive(Clone, Debug, PartialEq)]
pub enum Coordinates {
    /// Plane of the axes.
    Plane,
    /// Projection of space.
    Space(Projection),
    /// Small pictures.
    Pictures(PictureGrid),
    /// Planes of the panels.
    Panels(Vec<PlotGeometry>),
}

/// The datum nearest to the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Index of the mark in its figure.
    pub mark: usize,
    /// Index of the datum in its mark.
    pub datum: usize,
    /// Position of the datum, in CSS pixels.
    pub at: (f64, f64),
    /// Distance from the pointer, in CSS pixels.
    pub distance: f64,
}

impl PlotGeometry {
    /// Returns the plane of a panel; of a figure without panels, the frame itself.
    pub fn panel(&self, index: usize) -> Option<&Self> {
        match &self.geometry {
            Coordinates::Panels(panels) => panels.get(index),
            _ => Some(self),
        }
    }

    /// Returns the panel whose plot contains a pixel, and its plane; of a figure without panels, 0 and the frame itself.
    pub fn panel_at(&self, at: (f64, f64)) -> Option<(usize, &Self)> {
        let mut panels = (0..).map_while(|index| self.panel(index).map(|plane| (index, plane)));
        match self.geometry {
            Coordinates::Panels(_) => panels.find(|(_, plane)| plane.plot.contains(at)),
            _ => self.plot.contains(at).then_some((0, self)),
        }
    }

    /// Returns the plane of the panel of a mark.
    fn of(&self, drawing: &Drawing, mark: usize) -> Option<&Self> {
        self.panel(drawing.figure.marks.get(mark)?.info().panel)
    }

    /// Returns the pixel of a point in data units; `None` outside the plot.
    pub fn to_px(&self, x: f64, y: f64) -> Option<(f64, f64)> {
        let at = (self.x.to_px(x)?, self.y.to_px(y)?);
        self.plot.contains(at).then_some(at)
    }

    /// Returns the point in data units at a pixel, which may be outside the plot.
    pub fn to_data(&self, px: f64, py: f64) -> (f64, f64) {
        (self.x.to_data(px), self.y.to_data(py))
    }

    /// Returns true if a pixel is inside the plot.
    pub fn contains(&self, px: f64, py: f64) -> bool {
        self.plot.contains((px, py))
    }

    /// Returns the nearest datum that is drawn, in a figure of panels in that of the pixel, except cells of maps; of several at one
    /// place, the one drawn last.
    pub fn nearest(&self, drawing: &Drawing, px: f64, py: f64) -> Option<Hit> {
        let mut best: Option<Hit> = None;
        let panel = match self.geometry {
            Coordinates::Panels(_) => Some(self.panel_at((px, py))?.0),
            _ => None,
        };
        let here = |styled: &StyledMark| panel.is_none_or(|panel| styled.mark.info().panel == panel);
        let read = drawing.shown().filter(|styled| !matches!(styled.mark, Mark::Grid(_)));
        for styled in read.filter(here) {
            for index in 0..styled.mark.len() {
                let Some(at) = self.position(drawing, styled.index, index) else { continue };
                let distance = self.distance(&styled, index, at, (px, py));
                if best.is_none_or(|b| distance <= b.distance) {
                    best = Some(Hit { mark: styled.index, datum: index, at, distance });
                }
            }
        }
        best
    }

    /// Returns the indices of the uppermost map at a pixel and of its cell. In the plane the cell has a value; in a small picture it
    /// may be a missing pixel.
    pub fn cell(&self, drawing: &Drawing, px: f64, py: f64) -> Option<(usize, usize)> {
        if let Coordinates::Pictures(pictures) = self.geometry {
            return pictures.under(drawing, (px, py));
        }
        let (panel, plane) =
            self.panel_at((px, py)).filter(|(_, plane)| plane.geometry == Coordinates::Plane)?;
        let (x, y) = plane.to_data(px, py);
        drawing.shown().rev().filter(|styled| styled.mark.info().panel == panel).find_map(|styled| {
            let Mark::Grid(grid) = styled.mark else { return None };
            let (column, row) = grid.cell(x, y)?;
            let cell = row * grid.columns + column;
            styled.mark.datum(cell).map(|_| (styled.index, cell))
        })
    }

    /// Returns the cell of a grid at a pixel of the screen, with or without a value.
    pub fn pixel(&self, drawing: &Drawing, mark: usize, at: (f64, f64)) -> Option<usize> {
        let Mark::Grid(grid) = drawing.figure.marks.get(mark)? else { return None };
        let plane = self.of(drawing, mark)?;
        match plane.geometry {
            Coordinates::Pictures(pictures) => {
                pictures.under(drawing, at).filter(|(found, _)| *found == mark).map(|(_, cell)| cell)
            }
            Coordinates::Plane if plane.contains(at.0, at.1) => {
                let (x, y) = plane.to_data(at.0, at.1);
                grid.cell(x, y).map(|(column, row)| row * grid.columns + column)
            }
            Coordinates::Plane | Coordinates::Space(_) | Coordinates::Panels(_) => None,
        }
    }

    /// Returns the centre of a cell of a grid on the screen.
    pub fn centre(&self, drawing: &Drawing, mark: usize, cell: usize) -> Option<(f64, f64)> {
        let Mark::Grid(grid) = drawing.figure.marks.get(mark)? else { return None };
        let plane = self.of(drawing, mark)?;
        match plane.geometry {
            Coordinates::Pictures(pictures) => pictures.centre(drawing, mark, cell),
            Coordinates::Plane if cell < grid.values.len() => {
                let (x, y) = grid.centre(cell % grid.columns, cell / grid.columns);
                plane.to_px(x, y)
            }
            Coordinates::Plane | Coordinates::Space(_) | Coordinates::Panels(_) => None,
        }
    }

    /// Returns the position of a datum; `None` if it is not drawn.
    pub fn position(&self, drawing: &Drawing, mark: usize, datum: usize) -> Option<(f64, f64)> {
        let found = drawing.figure.marks.get(mark)?.datum(datum)?;
        let plane = self.of(drawing, mark)?;
        match plane.geometry {
            Coordinates::Plane => plane.to_px(found.x, found.y),
            Coordinates::Space(projection) => {
                projection.project([found.x, found.y, found.z?]).map(|(at, _)| at)
            }
            Coordinates::Pictures(pictures) => pictures.centre(drawing, mark, datum),
            Coordinates::Panels(_) => None,
        }
    }

    /// Returns the distance of a pixel from a datum; from the nearest point of a bar or an interval. Threads are further away than they
    /// seem, so that the marks in front of them are read first.
    fn distance(&self, styled: &StyledMark, index: usize, at: (f64, f64), (px, py): (f64, f64)) -> f64 {
        let from = |r: Rect| {
            let (dx, dy) = (px - px.clamp(r.left, r.right), py - py.clamp(r.top, r.bottom));
            dx.hypot(dy)
        };
        let plane = self.panel(styled.mark.info().panel).unwrap_or(self);
        match styled.mark {
            Mark::Bars(bars) => bar_rect(plane, bars, &bars.bars[index]).map_or(f64::INFINITY, from),
            Mark::Band(band) => {
                let interval = band.intervals[index];
                let [top, bottom] =
                    [interval.upper, interval.lower].map(|y| plane.y.to_px(y).unwrap_or(at.1));
                from(Rect { left: at.0, top: top.min(bottom), right: at.0, bottom: bottom.max(top) })
            }
            Mark::Threads(_) => (at.0 - px).hypot(at.1 - py) + BEHIND,
            _ => (at.0 - px).hypot(at.1 - py),
        }
    }
}

/// Returns a range with which an axis can be drawn: finite, increasing and wide enough for its ticks to differ. `values` are the
/// data along it: a logarithmic scale whose range begins at or below zero begins at the smallest of them.
pub(super) fn drawable_range(axis: &Axis, values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = |v: f64, or: f64| if v.is_finite() { v.clamp(-1e200, 1e200) } else { or };
    let (a, b) = (finite(axis.range.0, 0.0), finite(axis.range.1, 1.0));
    let (lo, hi) = if a <= b { (a, b) } else { (b, a) };
    match axis.scale {
        Scale::Linear if hi - lo > 1e-9 * lo.abs().max(hi.abs()) && hi - lo > 1e-200 => (lo, hi),
        Scale::Linear => {
            let half = if lo == 0.0 { 1.0 } else { 0.5 * lo.abs().max(1e-100) };
            (lo - half, hi + half)
        }
        Scale::Log => {
            let hi = if hi > 1e-190 { hi } else { 1.0 };
            let smallest = values.filter(|v| *v > 1e-200 && *v < hi).fold(f64::INFINITY, f64::min);
            let lo = match lo {
                lo if lo > 1e-200 => lo,
                _ if smallest.is_finite() => 0.8 * smallest,
                _ => 1e-3 * hi,
            };
            if hi / lo > 1.0 + 1e-6 { (lo, hi) } else { (lo / 3.0, hi * 3.0) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Curve, Figure, Hue, Point};

    fn frame(scale: Scale) -> PlotGeometry {
        PlotGeometry {
            size: (300.0, 200.0),
            plot: Rect { left: 40.0, top: 10.0, right: 290.0, bottom: 170.0 },
            x: AxisMap { scale, range: (0.01, 10.0), px: (40.0, 290.0) },
            y: AxisMap { scale, range: (0.5, 2.0), px: (170.0, 10.0) },
            geometry: Coordinates::Plane,
        }
    }

    #[test]
    fn pixel_maps_are_inverse_to_data_maps() {
        for f in [frame(Scale::Linear), frame(Scale::Log)] {
            for (x, y) in [(0.01, 0.5), (0.3, 0.9), (10.0, 2.0)] {
                let (px, py) = f.to_px(x, y).unwrap();
                let (x2, y2) = f.to_data(px, py);
                assert!((x - x2).abs() < 1e-9 && (y - y2).abs() < 1e-9);
            }
            assert_eq!(f.to_px(11.0, 1.0), None);
            assert_eq!(f.to_px(f64::NAN, 1.0), None);
        }
        assert_eq!(frame(Scale::Log).to_px(-1.0, 1.0), None);
        assert_eq!(frame(Scale::Log).to_px(0.01, 0.5), Some((40.0, 170.0)));
    }

    #[test]
    fn the_nearest_visible_point_is_found() {
        let p = Point::new;
        let figure = Figure::new("", "")
            .x(Axis::linear("", (0.01, 10.0)))
            .y(Axis::linear("", (0.5, 2.0)))
            .mark(Curve::new("a", "a", Hue::Blue).points([p(1.0, 1.0), p(5.0, 1.0), p(5.0, 90.0)]))
            .mark(Curve::new("b", "b", Hue::Blue).points([p(5.0, 1.0)]));
        let drawing = Drawing::new(figure);
        let f = frame(Scale::Linear);
        let (px, py) = f.to_px(1.2, 1.1).unwrap();
        let hit = f.nearest(&drawing, px, py).unwrap();
        assert_eq!((hit.mark, hit.datum), (0, 0));
        let hit = f.nearest(&drawing, 200.0, -500.0).unwrap();
        assert_eq!((hit.mark, hit.datum), (1, 0));
        assert!(f.contains(px, py) && !f.contains(200.0, -500.0));
        assert_eq!(f.nearest(&Drawing::new(Figure::new("", "")), 0.0, 0.0), None);
    }

    #[test]
    fn any_range_becomes_drawable() {
        let wild = [0.0, 1.0, -1.0, 1e300, -1e300, f64::MIN_POSITIVE, 1e16, f64::NAN, f64::INFINITY];
        for a in wild {
            for b in wild {
                for scale in [Scale::Linear, Scale::Log] {
                    let axis = Axis { scale, ..Axis::linear("", (a, b)) };
                    let (lo, hi) = drawable_range(&axis, [0.0, -1.0, f64::NAN].into_iter());
                    assert!(lo.is_finite() && hi.is_finite() && lo < hi, "{a} {b} {scale:?}");
                    assert!(scale == Scale::Linear || lo > 0.0);
                }
            }
        }
        let axis = Axis { scale: Scale::Log, ..Axis::linear("", (0.0, 10.0)) };
        assert_eq!(drawable_range(&axis, [0.0, 0.5, 3.0].into_iter()), (0.4, 10.0));
    }
}
