//! Values of a figure, shown one by one under the pointer or by keys.

use std::iter::successors;

use crate::figure::{Axis, Datum, FigureKind, Grid, Mark, rounded};
use crate::render::{Drawing, PlotGeometry};

/// Largest distance between the pointer and the point whose values are shown, in CSS pixels; smaller over a map, whose cells are
/// read between the points.
const REACH: f64 = 40.0;
const REACH_ON_A_MAP: f64 = 12.0;

/// The datum that is read, with its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Readout {
    /// Index of the mark in its figure.
    pub mark: usize,
    /// Index of the datum in its mark.
    pub datum: usize,
    /// Position in CSS pixels from the corner of the figure.
    pub at: (f64, f64),
}

/// Returns the datum under the pointer: the nearest one, or else a cell of a map.
pub fn under(drawing: &Drawing, geometry: &PlotGeometry, (px, py): (f64, f64)) -> Option<Readout> {
    let map = || geometry.cell(drawing, px, py);
    let reach = if map().is_some() { REACH_ON_A_MAP } else { REACH };
    match geometry.nearest(drawing, px, py).filter(|hit| hit.distance < reach) {
        Some(hit) => Some(Readout { mark: hit.mark, datum: hit.datum, at: hit.at }),
        None => map().map(|(mark, datum)| Readout { mark, datum, at: (px, py) }),
    }
}

/// Returns the datum after `from` in the direction of a key; without `from`, the first datum of the uppermost mark. `across` and
/// `up` are steps of −1, 0 or 1: along a mark, and from mark to mark; on a grid from cell to cell, and from its lower and upper
/// edge to another mark.
pub fn step(
    drawing: &Drawing,
    geometry: &PlotGeometry,
    from: Option<Readout>,
    across: isize,
    up: isize,
) -> Option<Readout> {
    let marks = &drawing.figure.marks;
    let visible = |mark: usize, datum: usize| {
        let place =
            || geometry.position(drawing, mark, datum).or_else(|| geometry.centre(drawing, mark, datum));
        let at = drawing.shows(mark).then(place).flatten()?;
        Some(Readout { mark, datum, at })
    };
    let Some(Readout { mark: now, datum, .. }) = from.filter(|from| drawing.shows(from.mark)) else {
        return (0..marks.len()).rev().find_map(|m| (0..marks[m].len()).find_map(|d| visible(m, d)));
    };
    let columns = if let Mark::Grid(grid) = &marks[now] { grid.columns } else { 0 };
    let along = if across != 0 { across } else { up * columns as isize };
    let next = |from: &usize| {
        let to = from.checked_add_signed(along).filter(|to| along != 0 && *to < marks[now].len())?;
        // Steps across stay in their row of a grid.
        (across == 0 || columns == 0 || to / columns == from / columns).then_some(to)
    };
    let found = successors(next(&datum), next).find_map(|to| visible(now, to));
    if found.is_some() {
        return found;
    }
    if across != 0 {
        return None;
    }
    let x = marks[now].datum(datum)?.x;
    // The order is that of the names: the mark drawn first is at the top.
    let mut other = now.checked_add_signed(-up)?;
    while let Some(mark) = marks.get(other) {
        let far = |d: usize| mark.datum(d).map_or(f64::INFINITY, |datum| (datum.x - x).abs());
        let nearest = (0..mark.len())
            .filter(|&d| visible(other, d).is_some())
            .min_by(|&a, &b| far(a).total_cmp(&far(b)));
        if let Some(d) = nearest {
            return visible(other, d);
        }
        other = other.checked_add_signed(-up)?;
    }
    None
}

/// Describes the datum that is read.
pub fn describe(drawing: &Drawing, reading: Readout) -> Option<String> {
    let figure = &drawing.figure;
    let mark = figure.marks.get(reading.mark).filter(|_| drawing.shows(reading.mark))?;
    if let (Mark::Grid(grid), None) = (mark, mark.datum(reading.datum)) {
        let (column, row) = (reading.datum % grid.columns, reading.datum / grid.columns);
        let (x, y) = grid.centre(column, row);
        return Some(format!("missing at column {x:.0}, row {y:.0}"));
    }
    let datum = mark.datum(reading.datum)?;
    let entry = mark.info();
    let (x_axis, y_axis) = figure.axes(entry.panel);
    let (across, up) = (x_axis.symbol(), y_axis.symbol());
    let label = if entry.label.is_empty() { String::new() } else { format!("{}: ", entry.label) };
    let own = if datum.label.is_empty() { String::new() } else { format!(" ({})", datum.label) };
    match (mark, &figure.kind) {
        (Mark::Grid(grid), FigureKind::Pictures { .. }) => {
            let value = rounded(datum.get("value")?);
            return Some(format!(
                "{label}{value}{}{own} at column {:.0}, row {:.0}",
                spaced(&grid.unit),
                datum.x,
                datum.y
            ));
        }
        (Mark::Grid(grid), _) if grid.is_table() => {
            let [x, y] = [(x_axis, datum.x), (y_axis, datum.y)].map(|(axis, v)| named(axis, v));
            let (x, y, count) = (x.unwrap_or_default(), y.unwrap_or_default(), datum.get("count")?);
            return Some(format!("{label}{count}; {up} {y}, {across} {x}"));
        }
        (Mark::Grid(grid), _) => {
            let value = valued(grid, datum.get("value")?);
            return Some(format!("{value} at {across} = {:.2}, {up} = {:.2}", datum.x, datum.y));
        }
        (Mark::Ellipses(_), _) => {
            let [xx, xy, yy] = ["var_x", "cov_xy", "var_y"].map(|name| datum.get(name).unwrap_or_default());
            let (x, y, sx, sy) = (rounded(datum.x), rounded(datum.y), rounded(xx.sqrt()), rounded(yy.sqrt()));
            let r = rounded(xy / (xx * yy).sqrt());
            let mean = format!("mean {across} = {x}, {up} = {y}");
            return Some(format!("{label}{mean}; standard deviations {sx} and {sy}, correlation {r}{own}"));
        }
        (_, FigureKind::Space { z: axis }) => {
            let z = rounded(datum.z?);
            let radius = datum.get("radius").map_or(String::new(), |r| format!(", radius {}", rounded(r)));
            let (x, y, third) = (rounded(datum.x), rounded(datum.y), axis.symbol());
            let own = own + &shade(mark, &datum);
            return Some(format!("{label}{across} = {x}, {up} = {y}, {third} = {z}{radius}{own}"));
        }
        _ => {}
    }
    let here = figure.under(entry.panel, datum.x, datum.y);
    let here = here.map_or(String::new(), |(value, grid)| format!("; {}", valued(grid, value.into())));
    let se = datum.get("se").map_or(String::new(), |se| format!(" ± {se:.4}"));
    let x = named(x_axis, datum.x).unwrap_or_else(|| format!("{across} = {}", fixed(datum.x, 3)));
    let y = match datum.get("lower").zip(datum.get("upper")) {
        Some((lower, upper)) => format!("{up} from {lower:.4} to {upper:.4}"),
        None => named(y_axis, datum.y).unwrap_or_else(|| format!("{up} = {}", fixed(datum.y, 4))),
    };
    Some(format!("{label}{y}{se} at {x}{own}{}{here}", shade(mark, &datum)))
}

/// Describes the value that the colour of a datum shows; empty if there is none.
fn shade(mark: &Mark, datum: &Datum) -> String {
    let value = mark.shades().zip(datum.get("colour"));
    value.map_or(String::new(), |(shades, value)| format!("; {} {}", shades.label, rounded(value)))
}

/// Returns the name in place of a number on an axis.
fn named(axis: &Axis, value: f64) -> Option<String> {
    axis.name(value).map(str::to_owned)
}

/// Formats a number with that many decimals; a whole number, such as a count or a rank, without decimals.
fn fixed(value: f64, digits: usize) -> String {
    let digits = if value.fract() == 0.0 { 0 } else { digits };
    format!("{value:.digits$}")
}

/// Formats a value of a grid with its label and unit.
fn valued(grid: &Grid, value: f64) -> String {
    format!("{} {value:.3}{}", grid.info.label, spaced(&grid.unit))
}

/// Returns a unit with a space before it, or nothing without a unit.
fn spaced(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(" {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Colours, Curve, Figure, Hue, Point, Scale};
    use crate::render::{AxisMap, Rect};

    fn figure() -> Figure {
        let curve = |key: &str, y: f64| {
            Curve::new(key, key, Hue::Ink).points([0.2, 0.4, 0.6].map(|x| Point::new(x, y)))
        };
        Figure::new("f", "")
            .x(Axis::linear("load, α = m/N", (0.0, 1.0)))
            .y(Axis::linear("error, ε", (0.0, 1.0)))
            .marks([curve("a", 0.1), curve("b", 0.2).hidden(), curve("c", 0.3)])
    }

    fn geometry() -> PlotGeometry {
        let map = |px| AxisMap { scale: Scale::Linear, range: (0.0, 1.0), px };
        PlotGeometry {
            size: (100.0, 100.0),
            plot: Rect { left: 0.0, top: 0.0, right: 100.0, bottom: 100.0 },
            x: map((0.0, 100.0)),
            y: map((100.0, 0.0)),
            coordinates: crate::render::Coordinates::Plane,
        }
    }

    #[test]
    fn keys_go_from_point_to_point_and_over_curves_that_are_not_shown() {
        let (drawing, geometry) = (Drawing::new(figure()), geometry());
        let at = |reading: Readout| (reading.mark, reading.datum);
        let first = step(&drawing, &geometry, None, 1, 0).unwrap();
        assert_eq!(at(first), (2, 0));
        let next = step(&drawing, &geometry, Some(first), 1, 0).unwrap();
        assert_eq!(at(next), (2, 1));
        let above = step(&drawing, &geometry, Some(next), 0, 1).unwrap();
        assert_eq!(at(above), (0, 1));
        assert_eq!(step(&drawing, &geometry, Some(above), 0, 1), None);
        assert_eq!(describe(&drawing, above).unwrap(), "a: ε = 0.1000 at α = 0.400");
    }

    #[test]
    fn maps_are_read_between_the_points_and_cell_by_cell() {
        let extent = ((0.0, 1.0), (0.0, 1.0));
        let map = Grid::map("m", "height", 2, vec![0.25, 0.75, f32::NAN, 0.5], extent, Colours::Probability);
        let (drawing, geometry) = (Drawing::new(figure().mark(map.unit("km"))), geometry());
        let say = |at| describe(&drawing, under(&drawing, &geometry, at)?);
        assert_eq!(say((20.0, 88.0)).unwrap(), "a: ε = 0.1000 at α = 0.200; height 0.250 km");
        assert_eq!(say((70.0, 40.0)).unwrap(), "height 0.500 km at α = 0.75, ε = 0.75");
        assert_eq!([say((120.0, 40.0)), say((20.0, 20.0))], [None, None]);
        let on_the_map = under(&drawing, &geometry, (70.0, 40.0)).unwrap();
        let go =
            |from, across, up| step(&drawing, &geometry, Some(from), across, up).map(|r| (r.mark, r.datum));
        assert_eq!(go(on_the_map, 1, 0), None, "the row ends");
        assert_eq!(go(on_the_map, 0, -1), Some((3, 1)));
        assert_eq!(go(on_the_map, 0, 1), Some((2, 2)), "above the map is another mark");
    }

    #[test]
    fn a_curve_switched_off_while_it_is_read_falls_silent() {
        let (mut drawing, geometry) = (Drawing::new(figure()), geometry());
        let reading = step(&drawing, &geometry, None, 1, 0).unwrap();
        drawing.styles[2].hidden = true;
        assert_eq!(describe(&drawing, reading), None);
        let first = step(&drawing, &geometry, Some(reading), 1, 0).unwrap();
        assert_eq!((first.mark, first.datum), (0, 0));
        drawing.styles[0].hidden = true;
        assert_eq!(step(&drawing, &geometry, None, 1, 0), None);
    }
}
