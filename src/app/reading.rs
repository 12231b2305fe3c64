//! Reading a figure point by point, by pointer or by keys.

use crate::figure::{Axis, Figure};
use crate::render::Frame;

/// Which point of which curve is being read, and where it is in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// Index into `figure.curves`.
    pub curve: usize,
    /// Index into `points` of that curve.
    pub point: usize,
    /// In CSS pixels from the figure's corner.
    pub at: (f64, f64),
}

/// The next point to read from `from`, by keys; the first one of the last curve drawn to begin with. `curve` and
/// `point` are steps of −1, 0 or 1.
pub fn step(
    figure: &Figure,
    frame: &Frame,
    from: Option<Reading>,
    curve: isize,
    point: isize,
) -> Option<Reading> {
    let visible = |c: usize, p: usize| {
        let curve = figure.curves.get(c).filter(|curve| curve.shown)?;
        let point = curve.points.get(p)?;
        Some(Reading { curve: c, point: p, at: frame.to_px(point.x, point.y)? })
    };
    let Some(from) = from else {
        return (0..figure.curves.len())
            .rev()
            .find_map(|c| (0..figure.curves[c].points.len()).find_map(|p| visible(c, p)));
    };
    if point != 0 {
        let mut p = from.point.checked_add_signed(point)?;
        loop {
            if p >= figure.curves.get(from.curve)?.points.len() {
                return None;
            }
            if let Some(found) = visible(from.curve, p) {
                return Some(found);
            }
            p = p.checked_add_signed(point)?;
        }
    }
    let x = figure.curves.get(from.curve)?.points.get(from.point)?.x;
    let mut c = from.curve.checked_add_signed(curve)?;
    while let Some(other) = figure.curves.get(c) {
        let nearest = (0..other.points.len())
            .filter(|&p| visible(c, p).is_some())
            .min_by(|&a, &b| (other.points[a].x - x).abs().total_cmp(&(other.points[b].x - x).abs()));
        if let Some(p) = nearest {
            return visible(c, p);
        }
        c = c.checked_add_signed(curve)?;
    }
    None
}

/// A point in words.
pub fn said(figure: &Figure, reading: Reading) -> Option<String> {
    let curve = figure.curves.get(reading.curve).filter(|curve| curve.shown)?;
    let p = curve.points.get(reading.point)?;
    let se = p.se.map_or(String::new(), |se| format!(" ± {se:.4}"));
    let symbol = |axis: &Axis| {
        axis.label.rsplit(", ").next().unwrap_or_default().split(' ').next().unwrap_or_default().to_owned()
    };
    Some(format!(
        "{}: {} = {:.4}{se} at {} = {:.3}",
        curve.label,
        symbol(&figure.y),
        p.y,
        symbol(&figure.x),
        p.x
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Curve, Hue, Point, Scale};
    use crate::render::{Map, Rect};

    fn figure() -> Figure {
        let curve = |key: &str, y: f64| {
            let points = [0.2, 0.4, 0.6].map(|x| Point { x, y, se: None });
            Curve::new(key, key, Hue::Ink).points(points)
        };
        Figure {
            id: "f".into(),
            title: String::new(),
            caption: String::new(),
            summary: String::new(),
            x: Axis::linear("load, α = m/N", (0.0, 1.0)),
            y: Axis::linear("error, ε", (0.0, 1.0)),
            heat: None,
            handles: None,
            curves: vec![curve("a", 0.1), curve("b", 0.2).hidden(), curve("c", 0.3)],
        }
    }

    fn frame() -> Frame {
        let map = |px| Map { scale: Scale::Linear, range: (0.0, 1.0), px };
        Frame {
            size: (100.0, 100.0),
            plot: Rect { left: 0.0, top: 0.0, right: 100.0, bottom: 100.0 },
            x: map((0.0, 100.0)),
            y: map((100.0, 0.0)),
        }
    }

    #[test]
    fn keys_go_from_point_to_point_and_over_curves_that_are_not_shown() {
        let (figure, frame) = (figure(), frame());
        let first = step(&figure, &frame, None, 0, 1).unwrap();
        assert_eq!((first.curve, first.point), (2, 0));
        let next = step(&figure, &frame, Some(first), 0, 1).unwrap();
        assert_eq!((next.curve, next.point), (2, 1));
        let up = step(&figure, &frame, Some(next), -1, 0).unwrap();
        assert_eq!((up.curve, up.point), (0, 1));
        assert_eq!(step(&figure, &frame, Some(up), -1, 0), None);
        assert_eq!(said(&figure, up).unwrap(), "a: ε = 0.1000 at α = 0.400");
    }

    #[test]
    fn a_curve_switched_off_while_it_is_read_falls_silent() {
        let (mut figure, frame) = (figure(), frame());
        let reading = step(&figure, &frame, None, 0, 1).unwrap();
        figure.curves[2].shown = false;
        assert_eq!(said(&figure, reading), None);
        assert_eq!(step(&figure, &frame, None, 0, 1).unwrap().curve, 0);
        figure.curves[0].shown = false;
        assert_eq!(step(&figure, &frame, None, 0, 1), None);
    }
}
