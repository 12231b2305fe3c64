//! Positions of plot and axes, and the datum at a pixel.

use super::axis_map::AxisMap;
use super::drawing::{Drawing, StyledMark};
use super::picture_grid::PictureGrid;
use super::projection::Projection;
use super::rect::Rect;
use crate::figure::{Bar, Bars, Mark};

/// Distance that is added to that of a thread from the pointer, in CSS pixels.
const BEHIND: f64 = 10.0;

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
    pub coordinates: Coordinates,
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
    /// Returns the plane of a panel; of a figure without panels, itself.
    pub fn panel(&self, index: usize) -> Option<&Self> {
        match &self.coordinates {
            Coordinates::Panels(panels) => panels.get(index),
            _ => Some(self),
        }
    }

    /// Returns the panel whose plot contains a pixel, and its plane; of a figure without panels, 0 and itself.
    pub fn panel_at(&self, at: (f64, f64)) -> Option<(usize, &Self)> {
        let mut panels = (0..).map_while(|index| self.panel(index).map(|plane| (index, plane)));
        match self.coordinates {
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
        let panel = match self.coordinates {
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
        if let Coordinates::Pictures(pictures) = self.coordinates {
            return pictures.under(drawing, (px, py));
        }
        let (panel, plane) =
            self.panel_at((px, py)).filter(|(_, plane)| plane.coordinates == Coordinates::Plane)?;
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
        match plane.coordinates {
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
        match plane.coordinates {
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
        match plane.coordinates {
            Coordinates::Plane => plane.to_px(found.x, found.y),
            Coordinates::Space(projection) => {
                projection.project([found.x, found.y, found.z?]).map(|(at, _)| at)
            }
            Coordinates::Pictures(pictures) => pictures.centre(drawing, mark, datum),
            Coordinates::Panels(_) => None,
        }
    }

    /// Returns the rectangle of a bar, clipped at the border of the plot; `None` if it is outside.
    pub(super) fn bar_rect(&self, bars: &Bars, bar: &Bar) -> Option<Rect> {
        let plot = &self.plot;
        let (along, across) = if bars.horizontal { (&self.y, &self.x) } else { (&self.x, &self.y) };
        let [from, to] = [-0.5, 0.5].map(|side| along.to_px(bar.at + side * bars.width));
        let (from, to) = (from?, to?);
        // On a logarithmic scale, a bar begins at the border.
        let border = if bars.horizontal { plot.left } else { plot.bottom };
        let (base, end) = (across.to_px(bar.base).unwrap_or(border), across.to_px(bar.value)?);
        let [(left, right), (top, bottom)] = if bars.horizontal {
            [(base.min(end), base.max(end)), (from.min(to), from.max(to))]
        } else {
            [(from.min(to), from.max(to)), (base.min(end), base.max(end))]
        };
        let whole = Rect { left, top, right, bottom };
        let inside =
            whole.right >= plot.left && whole.left <= plot.right && top <= plot.bottom && bottom >= plot.top;
        inside.then(|| whole.within(plot))
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
            Mark::Bars(bars) => plane.bar_rect(bars, &bars.bars[index]).map_or(f64::INFINITY, from),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Axis, Curve, Figure, Hue, Point, Scale};

    fn geometry(scale: Scale) -> PlotGeometry {
        PlotGeometry {
            size: (300.0, 200.0),
            plot: Rect { left: 40.0, top: 10.0, right: 290.0, bottom: 170.0 },
            x: AxisMap { scale, range: (0.01, 10.0), px: (40.0, 290.0) },
            y: AxisMap { scale, range: (0.5, 2.0), px: (170.0, 10.0) },
            coordinates: Coordinates::Plane,
        }
    }

    #[test]
    fn pixel_maps_are_inverse_to_data_maps() {
        for f in [geometry(Scale::Linear), geometry(Scale::Log)] {
            for (x, y) in [(0.01, 0.5), (0.3, 0.9), (10.0, 2.0)] {
                let (px, py) = f.to_px(x, y).unwrap();
                let (x2, y2) = f.to_data(px, py);
                assert!((x - x2).abs() < 1e-9 && (y - y2).abs() < 1e-9);
            }
            assert_eq!(f.to_px(11.0, 1.0), None);
            assert_eq!(f.to_px(f64::NAN, 1.0), None);
        }
        assert_eq!(geometry(Scale::Log).to_px(-1.0, 1.0), None);
        assert_eq!(geometry(Scale::Log).to_px(0.01, 0.5), Some((40.0, 170.0)));
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
        let f = geometry(Scale::Linear);
        let (px, py) = f.to_px(1.2, 1.1).unwrap();
        let hit = f.nearest(&drawing, px, py).unwrap();
        assert_eq!((hit.mark, hit.datum), (0, 0));
        let hit = f.nearest(&drawing, 200.0, -500.0).unwrap();
        assert_eq!((hit.mark, hit.datum), (1, 0));
        assert!(f.contains(px, py) && !f.contains(200.0, -500.0));
        assert_eq!(f.nearest(&Drawing::new(Figure::new("", "")), 0.0, 0.0), None);
    }
}
