//! Figures in space: orthographic projection, the box with its axes, and marks sorted by depth.

use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBAColor};

use super::drawing::{Drawing, Shown};
use super::frame::{Rect, sane_range};
use super::layout::Type;
use super::marks::{line_width, sign, sign_radius};
use super::pen::Pen;
use super::stroke::Px;
use super::ticks::ticks;
use crate::figure::{Axis, Cloud, Coordinates, Figure, Mark, Marker, Scale, Stroke, Tube};

/// From where a figure in space is seen, in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// Around the upright axis.
    pub azimuth: f64,
    /// Above the horizontal plane.
    pub elevation: f64,
}

impl Default for Turn {
    fn default() -> Self {
        Self { azimuth: -0.95, elevation: 0.42 }
    }
}

impl Turn {
    /// Turned further by these angles; the upright axis stays upright.
    #[must_use]
    pub fn by(self, azimuth: f64, elevation: f64) -> Self {
        let azimuth = (self.azimuth + azimuth) % std::f64::consts::TAU;
        Self { azimuth, elevation: (self.elevation + elevation).clamp(-1.5, 1.5) }
    }
}

/// The box of the axes, seen along a direction: each axis is as long as the others, whatever its range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection {
    middle: Px,
    scale: f64,
    /// Sine and cosine of both angles.
    azimuth: (f64, f64),
    elevation: (f64, f64),
    ranges: [(f64, f64); 3],
}

/// A place on the page and how near it is to the reader.
type Seen = (Px, f64);

impl Projection {
    pub(super) fn new(figure: &Figure, z: &Axis, turn: Turn, area: &Rect) -> Self {
        let range = |axis: &Axis| {
            let linear = Axis { scale: Scale::Linear, ..axis.clone() };
            sane_range(&linear, std::iter::empty())
        };
        let (wide, high) = (area.right - area.left, area.height());
        Self {
            middle: (0.5 * (area.left + area.right), 0.5 * (area.top + area.bottom)),
            // The diagonal of the box always finds room.
            scale: 0.5 * wide.min(high).max(1.0) / 3.0_f64.sqrt(),
            azimuth: libm::sincos(turn.azimuth),
            elevation: libm::sincos(turn.elevation),
            ranges: [range(&figure.x), range(&figure.y), range(z)],
        }
    }

    /// Where a place of the box from −1 to 1 is seen.
    fn seen(&self, [x, y, z]: [f64; 3]) -> Seen {
        let ((sa, ca), (se, ce)) = (self.azimuth, self.elevation);
        let (across, away) = (ca * y - sa * x, ca * x + sa * y);
        let (up, near) = (ce * z - se * away, ce * away + se * z);
        ((self.middle.0 + self.scale * across, self.middle.1 - self.scale * up), near)
    }

    /// Where a datum is seen; `None` outside the box.
    pub fn place(&self, place: [f64; 3]) -> Option<Seen> {
        let mut unit = [0.0; 3];
        for axis in 0..3 {
            let (low, high) = self.ranges[axis];
            unit[axis] = 2.0 * (place[axis] - low) / (high - low) - 1.0;
        }
        // A tube may stand out a little.
        unit.iter().all(|u| u.abs() <= 1.2).then(|| self.seen(unit))
    }
}

/// A piece of a mark.
struct Piece {
    near: f64,
    ink: RGBAColor,
    shape: Shape,
}

enum Shape {
    Line { run: Vec<Px>, stroke: Stroke, width: f64 },
    Sign { at: Px, marker: Marker, radius: f64 },
}

/// Draws the box, and in it the marks that are in space, those farther away first.
pub(super) fn draw(pen: &Pen, drawing: &Drawing, projection: &Projection, font: Type) {
    axes(pen, &drawing.figure, projection, font);
    marks(pen, drawing, projection);
}

/// Draws the marks, what is nearer over what is farther.
pub(super) fn marks(pen: &Pen, drawing: &Drawing, projection: &Projection) {
    let mut pieces: Vec<Piece> = Vec::new();
    for shown in drawing.shown() {
        match shown.mark {
            Mark::Cloud(cloud) => of_cloud(pen, projection, cloud, &shown, &mut pieces),
            Mark::Tube(tube) => of_tube(pen, projection, tube, &shown, &mut pieces),
            _ => {}
        }
    }
    pieces.sort_by(|a, b| a.near.total_cmp(&b.near));
    for Piece { ink, shape, .. } in pieces {
        match shape {
            Shape::Line { run, stroke, width } => pen.line(&run, stroke, width, ink),
            Shape::Sign { at, marker, radius } => sign(pen, marker, at, radius, ink),
        }
    }
}

/// What is farther away is paler, in a few steps so that neighbours are drawn as one.
fn paler(ink: RGBAColor, near: f64) -> RGBAColor {
    let steps = (3.0 * (1.7 - near) / 3.4).round().clamp(0.0, 3.0);
    ink.mix(1.0 - 0.18 * steps)
}

fn of_cloud(pen: &Pen, projection: &Projection, cloud: &Cloud, shown: &Shown, pieces: &mut Vec<Piece>) {
    let ink = shown.ink(pen);
    let seen: Vec<Option<Seen>> = cloud.points.iter().map(|place| projection.place(*place)).collect();
    if let Some(stroke) = shown.style.thin.or(cloud.stroke) {
        let width = line_width(cloud.marker, shown.style);
        for part in seen.split(Option::is_none) {
            let run: Vec<Seen> = part.iter().flatten().copied().collect();
            if stroke == Stroke::Solid {
                lines(&run, width, ink, pieces);
            } else if run.len() > 1 {
                // Dashes follow the whole line.
                let near = run.iter().map(|(_, near)| near).sum::<f64>() / run.len() as f64;
                let run = run.iter().map(|(at, _)| *at).collect();
                pieces.push(Piece { near, ink, shape: Shape::Line { run, stroke, width } });
            }
        }
    }
    if let Some(marker) = cloud.marker {
        let radius = sign_radius(shown.style);
        for (at, near) in seen.into_iter().flatten() {
            pieces.push(Piece { near, ink: paler(ink, near), shape: Shape::Sign { at, marker, radius } });
        }
    }
}

/// The circles of a tube, and lines along it.
fn of_tube(pen: &Pen, projection: &Projection, tube: &Tube, shown: &Shown, pieces: &mut Vec<Piece>) {
    const AROUND: usize = 24;
    const LINES: usize = 6;
    let ink = shown.ink(pen).mix(0.55);
    let rings: Vec<Vec<Option<Seen>>> = (tube.sections.iter())
        .map(|section| section.ring(AROUND).into_iter().map(|place| projection.place(place)).collect())
        .collect();
    for ring in &rings {
        let closed: Option<Vec<Seen>> = ring.iter().chain(ring.first()).copied().collect();
        lines(&closed.unwrap_or_default(), 0.8, ink, pieces);
    }
    for line in (0..AROUND).step_by(AROUND / LINES) {
        let along: Option<Vec<Seen>> = rings.iter().map(|ring| ring[line]).collect();
        lines(&along.unwrap_or_default(), 0.8, ink, pieces);
    }
}

/// A solid line as pieces of their own depth.
fn lines(run: &[Seen], width: f64, ink: RGBAColor, pieces: &mut Vec<Piece>) {
    for ends in run.windows(2) {
        let near = 0.5 * (ends[0].1 + ends[1].1);
        let shape = Shape::Line { run: vec![ends[0].0, ends[1].0], stroke: Stroke::Solid, width };
        pieces.push(Piece { near, ink: paler(ink, near), shape });
    }
}

/// The edges of the box but the three nearest, and numbers and labels along three of them.
fn axes(pen: &Pen, figure: &Figure, projection: &Projection, font: Type) {
    let Coordinates::Space { z } = &figure.coordinates else { return };
    let ink = pen.look.theme.ink();
    let corner = |i: usize| [0, 1, 2].map(|axis| if (i >> axis) & 1 == 1 { 1.0 } else { -1.0 });
    let near = |i: usize| projection.seen(corner(i)).1;
    let nearest = (1..8).fold(0, |best, i| if near(i) > near(best) { i } else { best });
    for (axis, bit) in [1, 2, 4].into_iter().enumerate() {
        let edges = (0..8).filter(|i| i & bit == 0).map(|i| (i, i | bit));
        let mut labelled: Option<(Px, Px)> = None;
        for (from, to) in edges {
            let ((a, _), (b, _)) = (projection.seen(corner(from)), projection.seen(corner(to)));
            if from == nearest || to == nearest {
                continue;
            }
            pen.line(&[a, b], Stroke::Solid, 0.8, ink.mix(0.25));
            // Numbers of the upright axis stand on the left, those of the others below.
            let outer = |(a, b): (Px, Px)| if axis == 2 { -(a.0 + b.0) } else { a.1 + b.1 };
            if labelled.is_none_or(|best| outer((a, b)) > outer(best)) {
                labelled = Some((a, b));
            }
        }
        let named = [&figure.x, &figure.y, z][axis];
        if let Some((a, b)) = labelled {
            numbers(pen, projection, named, projection.ranges[axis], (a, b), font);
        }
    }
}

/// Numbers along an edge of the box, and the label of its axis farther out.
fn numbers(pen: &Pen, projection: &Projection, axis: &Axis, range: (f64, f64), (a, b): (Px, Px), font: Type) {
    let ink = pen.look.theme.ink();
    let along = |t: f64| (a.0 + t * (b.0 - a.0), a.1 + t * (b.1 - a.1));
    let middle = along(0.5);
    let (dx, dy) = (middle.0 - projection.middle.0, middle.1 - projection.middle.1);
    let length = dx.hypot(dy).max(1e-9);
    let out = |at: Px, far: f64| (at.0 + far * dx / length, at.1 + far * dy / length);
    // An edge seen from its end has no room for numbers.
    let wanted = ((b.0 - a.0).hypot(b.1 - a.1) / 55.0) as usize;
    if wanted >= 1 {
        for (value, name) in ticks(Scale::Linear, range, wanted.min(4)).major {
            let at = along((value - range.0) / (range.1 - range.0));
            pen.line(&[at, out(at, 4.0)], Stroke::Solid, 0.8, ink.mix(0.8));
            let name = axis.name(value).unwrap_or(&name);
            pen.text(name, out(at, 14.0), font.number, HPos::Center, ink.mix(1.0));
        }
    }
    // As far out as it is wide in that direction, beyond the numbers.
    let half = (0.5 * font.axis.width(&axis.label), 0.5 * font.axis.leading());
    let far = 26.0 + (half.0 * dx.abs() + half.1 * dy.abs()) / length;
    let (x, y) = out(middle, far);
    // Within the picture, whose middle is that of the box.
    let inside = half.0 + 4.0;
    let x = x.min(2.0 * projection.middle.0 - inside).max(inside);
    pen.text(&axis.label, (x, y), font.axis, HPos::Center, ink.mix(1.0));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn projection(turn: Turn) -> Projection {
        let axis = || Axis::linear("", (-2.0, 2.0));
        let figure = Figure::new("f", "").x(axis()).y(axis());
        let area = Rect { left: 0.0, top: 0.0, right: 300.0, bottom: 200.0 };
        Projection::new(&figure, &axis(), turn, &area)
    }

    #[test]
    fn the_whole_box_is_seen_from_everywhere_and_lengths_are_kept() {
        for azimuth in 0..12 {
            for elevation in -3..=3 {
                let turn = Turn::default().by(f64::from(azimuth) * 0.5, f64::from(elevation) * 0.5);
                let p = projection(turn);
                let mut square = 0.0;
                for axis in 0..3 {
                    let mut unit = [0.0; 3];
                    unit[axis] = 1.0;
                    let ((x, y), near) = p.seen(unit);
                    let (x, y) = ((x - 150.0) / p.scale, (y - 100.0) / p.scale);
                    assert!((x * x + y * y + near * near - 1.0).abs() < 1e-12);
                    square += near * near;
                }
                assert!((square - 1.0).abs() < 1e-12, "the direction of sight is a unit vector");
                for corner in 0..8 {
                    let place = [0, 1, 2].map(|axis| if (corner >> axis) & 1 == 1 { 2.0 } else { -2.0 });
                    let ((x, y), _) = p.place(place).unwrap();
                    assert!((0.0..=300.0).contains(&x) && (0.0..=200.0).contains(&y));
                }
            }
        }
    }

    #[test]
    fn up_is_up_and_what_is_outside_is_not_drawn() {
        let p = projection(Turn::default());
        let ((_, low), _) = p.place([0.0, 0.0, -1.0]).unwrap();
        let ((_, high), _) = p.place([0.0, 0.0, 1.0]).unwrap();
        assert!(high < low);
        assert_eq!(p.place([9.0, 0.0, 0.0]), None);
        let top = projection(Turn { azimuth: 0.0, elevation: 0.0 }.by(0.0, 9.0));
        assert!(top.elevation.0 < 1.0, "the upright axis stays upright");
    }
}
