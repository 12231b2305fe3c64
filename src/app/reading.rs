//! Reading a figure point by point, by pointer or by keys.

use crate::figure::{Axis, Figure};
use crate::render::Frame;

/// How near the pointer must be to a point to read it, in CSS pixels; nearer where there is a map to read between them.
const REACH: f64 = 40.0;
const REACH_ON_A_MAP: f64 = 12.0;

/// What is being read, and where it is in CSS pixels from the figure's corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// A point of a curve, or the map.
    pub what: What,
    /// In CSS pixels from the figure's corner.
    pub at: (f64, f64),
}

/// What can be read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum What {
    /// Indices into `figure.curves` and into the `points` of that curve.
    Point(usize, usize),
    /// The map at a place in data units.
    Map(f64, f64),
}

/// What lies under the pointer.
pub fn under(figure: &Figure, frame: &Frame, (px, py): (f64, f64)) -> Option<Reading> {
    let reach = if figure.heat.is_some() { REACH_ON_A_MAP } else { REACH };
    if let Some(hit) = frame.nearest(figure, px, py).filter(|hit| hit.distance < reach) {
        return Some(Reading { what: What::Point(hit.curve, hit.point), at: hit.at });
    }
    let (x, y) = frame.contains(px, py).then(|| frame.to_data(px, py))?;
    figure.under(x, y).map(|_| Reading { what: What::Map(x, y), at: (px, py) })
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
        Some(Reading { what: What::Point(c, p), at: frame.to_px(point.x, point.y)? })
    };
    let Some(What::Point(from_curve, from_point)) = from.map(|from| from.what) else {
        return (0..figure.curves.len())
            .rev()
            .find_map(|c| (0..figure.curves[c].points.len()).find_map(|p| visible(c, p)));
    };
    if point != 0 {
        let mut p = from_point.checked_add_signed(point)?;
        loop {
            if p >= figure.curves.get(from_curve)?.points.len() {
                return None;
            }
            if let Some(found) = visible(from_curve, p) {
                return Some(found);
            }
            p = p.checked_add_signed(point)?;
        }
    }
    let x = figure.curves.get(from_curve)?.points.get(from_point)?.x;
    let mut c = from_curve.checked_add_signed(curve)?;
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

/// What is read, in words.
pub fn said(figure: &Figure, reading: Reading) -> Option<String> {
    let symbol = |axis: &Axis| {
        axis.label.rsplit(", ").next().unwrap_or_default().split(' ').next().unwrap_or_default().to_owned()
    };
    let (across, up) = (symbol(&figure.x), symbol(&figure.y));
    let map = |x, y| Some((f64::from(figure.under(x, y)?), &figure.heat.as_ref()?.label));
    match reading.what {
        What::Point(curve, point) => {
            let curve = figure.curves.get(curve).filter(|curve| curve.shown)?;
            let p = curve.points.get(point)?;
            let se = p.se.map_or(String::new(), |se| format!(" ± {se:.4}"));
            let here = map(p.x, p.y).map_or(String::new(), |(p, label)| format!("; {label} {p:.3}"));
            Some(format!("{}: {up} = {:.4}{se} at {across} = {:.3}{here}", curve.label, p.y, p.x))
        }
        What::Map(x, y) => {
            map(x, y).map(|(p, label)| format!("{label} {p:.3} at {across} = {x:.2}, {up} = {y:.2}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Curve, HeatMap, Hue, Point, Scale};
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
        assert_eq!(first.what, What::Point(2, 0));
        let next = step(&figure, &frame, Some(first), 0, 1).unwrap();
        assert_eq!(next.what, What::Point(2, 1));
        let up = step(&figure, &frame, Some(next), -1, 0).unwrap();
        assert_eq!(up.what, What::Point(0, 1));
        assert_eq!(step(&figure, &frame, Some(up), -1, 0), None);
        assert_eq!(said(&figure, up).unwrap(), "a: ε = 0.1000 at α = 0.400");
    }

    #[test]
    fn between_the_points_the_map_is_read() {
        let heat =
            HeatMap { label: "probability".into(), columns: 2, values: vec![0.25, 0.75], stale: false };
        let (figure, frame) = (Figure { heat: Some(heat), ..figure() }, frame());
        let say = |at| said(&figure, under(&figure, &frame, at)?);
        assert_eq!(say((20.0, 88.0)).unwrap(), "a: ε = 0.1000 at α = 0.200; probability 0.250");
        assert_eq!(say((70.0, 40.0)).unwrap(), "probability 0.750 at α = 0.70, ε = 0.60");
        assert_eq!(say((120.0, 40.0)), None);
        // The keys go on from the points.
        let on_the_map = under(&figure, &frame, (70.0, 40.0));
        assert_eq!(step(&figure, &frame, on_the_map, 0, 1), step(&figure, &frame, None, 0, 1));
    }

    #[test]
    fn a_curve_switched_off_while_it_is_read_falls_silent() {
        let (mut figure, frame) = (figure(), frame());
        let reading = step(&figure, &frame, None, 0, 1).unwrap();
        figure.curves[2].shown = false;
        assert_eq!(said(&figure, reading), None);
        assert_eq!(step(&figure, &frame, None, 0, 1).unwrap().what, What::Point(0, 0));
        figure.curves[0].shown = false;
        assert_eq!(step(&figure, &frame, None, 0, 1), None);
    }
}
