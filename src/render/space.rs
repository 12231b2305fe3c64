//! Figures in space: box with axes, and marks sorted by depth.

use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBAColor, RGBColor};

use super::drawing::{Drawing, StyledMark};
use super::fonts::Fonts;
use super::marks::{line_width, marker, marker_radius};
use super::pen::Pen;
use super::projection::{Projected, Projection};
use super::stroke::Px;
use super::ticks::ticks;
use crate::figure::{Axis, Cloud, CrossSection, Figure, FigureKind, Mark, Marker, Scale, Stroke, Tube};

/// Distance of the middle of a number from its edge of the box, in CSS pixels.
const NUMBER: f64 = 14.0;

/// A primitive of a mark with its depth.
struct Primitive {
    depth: f64,
    ink: RGBAColor,
    shape: PrimitiveShape,
}

enum PrimitiveShape {
    Line { run: Vec<Px>, stroke: Stroke, width: f64 },
    Area { corners: Vec<Px> },
    Marker { at: Px, kind: Marker, radius: f64 },
}

/// Draws the box, unless the drawing is a sketch, and the marks in space, the farthest first.
pub(super) fn draw(pen: &Pen, drawing: &Drawing, projection: &Projection, fonts: Fonts) {
    if !drawing.sketch {
        axes(pen, &drawing.figure, projection, fonts);
    }
    marks(pen, drawing, projection);
}

/// Draws the marks, the farthest first.
fn marks(pen: &Pen, drawing: &Drawing, projection: &Projection) {
    let mut primitives: Vec<Primitive> = Vec::new();
    for styled in drawing.shown() {
        match styled.mark {
            Mark::Cloud(cloud) => add_cloud(pen, projection, cloud, &styled, &mut primitives),
            Mark::Tube(tube) => add_tube(pen, projection, tube, &styled, &mut primitives),
            _ => {}
        }
    }
    primitives.sort_by(|a, b| a.depth.total_cmp(&b.depth));
    for Primitive { ink, shape, .. } in primitives {
        match shape {
            PrimitiveShape::Line { run, stroke, width } => pen.line(&run, stroke, width, ink),
            PrimitiveShape::Area { corners } => pen.polygon(&corners, ink),
            PrimitiveShape::Marker { at, kind, radius } => marker(pen, kind, at, radius, ink),
        }
    }
}

/// Returns a paler colour for a farther primitive, in a few steps so that SVG paths can be joined.
fn paler(ink: RGBAColor, depth: f64) -> RGBAColor {
    let steps = (3.0 * (1.7 - depth) / 3.4).round().clamp(0.0, 3.0);
    ink.mix(1.0 - 0.18 * steps)
}

fn add_cloud(
    pen: &Pen,
    projection: &Projection,
    cloud: &Cloud,
    styled: &StyledMark,
    primitives: &mut Vec<Primitive>,
) {
    let ink = styled.ink(pen);
    let points: Vec<Option<Projected>> =
        cloud.points.iter().map(|point| projection.project(*point)).collect();
    if let Some(stroke) = cloud.stroke.map(|stroke| styled.style.stroke(stroke)) {
        let width = line_width(cloud.marker, styled.style);
        for part in points.split(Option::is_none) {
            let run: Vec<Projected> = part.iter().flatten().copied().collect();
            if stroke == Stroke::Solid {
                add_segments(&run, width, ink, primitives);
            } else if run.len() > 1 {
                // A dashed line is not divided, so that its dashes are equal.
                let depth = run.iter().map(|(_, depth)| depth).sum::<f64>() / run.len() as f64;
                let run = run.iter().map(|(at, _)| *at).collect();
                primitives.push(Primitive { depth, ink, shape: PrimitiveShape::Line { run, stroke, width } });
            }
        }
    }
    if let Some(kind) = cloud.marker {
        let radius = marker_radius(styled.style);
        for (index, point) in points.into_iter().enumerate() {
            let Some((at, depth)) = point else { continue };
            let ink = styled.point_ink(pen, index);
            let shape = PrimitiveShape::Marker { at, kind, radius };
            primitives.push(Primitive { depth, ink: paler(ink, depth), shape });
        }
    }
}

/// Adds a tube as the area between its two outlines on the screen.
fn add_tube(
    pen: &Pen,
    projection: &Projection,
    tube: &Tube,
    styled: &StyledMark,
    primitives: &mut Vec<Primitive>,
) {
    const AROUND: usize = 24;
    let project = |section: &CrossSection| -> Option<(Px, Vec<Projected>)> {
        let ring: Option<Vec<Projected>> =
            section.ring(AROUND).into_iter().map(|point| projection.project(point)).collect();
        Some((projection.project(section.centre)?.0, ring?))
    };
    let rings: Vec<(Px, Vec<Projected>)> = tube.sections.iter().map_while(project).collect();
    let sides: Vec<[Px; 2]> = (0..rings.len())
        .map(|i| {
            let (from, to) = (rings[i.saturating_sub(1)].0, rings[(i + 1).min(rings.len() - 1)].0);
            let across = |at: &Projected| (to.0 - from.0) * at.0.1 - (to.1 - from.1) * at.0.0;
            let by_side = |a: &&Projected, b: &&Projected| across(a).total_cmp(&across(b));
            let ring = &rings[i].1;
            [ring.iter().min_by(by_side), ring.iter().max_by(by_side)]
                .map(|end| end.map_or(rings[i].0, |at| at.0))
        })
        .collect();
    // Opaque, so that overlapping parts are not darker. Each has the depth of its far side, so that marks inside the tube are drawn over it.
    let area = mixed(styled.ink(pen), pen.look.theme.paper(), 0.16);
    let edge = styled.ink(pen).mix(0.35);
    for i in 1..rings.len() {
        let depths = rings[i - 1].1.iter().chain(&rings[i].1).map(|(_, depth)| *depth);
        let depth = depths.fold(f64::INFINITY, f64::min);
        let ([a, b], [c, d]) = (sides[i - 1], sides[i]);
        let mut add = |ink, shape| primitives.push(Primitive { depth, ink, shape });
        add(area, PrimitiveShape::Area { corners: vec![a, b, d, c] });
        for run in [vec![a, c], vec![b, d]] {
            add(edge, PrimitiveShape::Line { run, stroke: Stroke::Solid, width: 0.8 });
        }
    }
}

/// Returns the opaque blend of a colour with the paper; `part` is the weight of the colour.
fn mixed(ink: RGBAColor, paper: RGBColor, part: f64) -> RGBAColor {
    let channel =
        |ink: u8, paper: u8| (part * f64::from(ink) + (1.0 - part) * f64::from(paper)).round() as u8;
    RGBColor(channel(ink.0, paper.0), channel(ink.1, paper.1), channel(ink.2, paper.2)).mix(1.0)
}

/// Adds the segments of a solid line, each with its own depth.
fn add_segments(run: &[Projected], width: f64, ink: RGBAColor, primitives: &mut Vec<Primitive>) {
    for ends in run.windows(2) {
        let depth = 0.5 * (ends[0].1 + ends[1].1);
        let shape = PrimitiveShape::Line { run: vec![ends[0].0, ends[1].0], stroke: Stroke::Solid, width };
        primitives.push(Primitive { depth, ink: paler(ink, depth), shape });
    }
}

/// Draws the edges of the box except the three nearest, and numbers and labels along three of them.
fn axes(pen: &Pen, figure: &Figure, projection: &Projection, fonts: Fonts) {
    let FigureKind::Space { z } = &figure.kind else { return };
    let ink = pen.look.theme.ink();
    let corner = |i: usize| [0, 1, 2].map(|axis| if (i >> axis) & 1 == 1 { 1.0 } else { -1.0 });
    let depth = |i: usize| projection.project_unit(corner(i)).1;
    let nearest = (1..8).fold(0, |best, i| if depth(i) > depth(best) { i } else { best });
    for (axis, bit) in [1, 2, 4].into_iter().enumerate() {
        let edges = (0..8).filter(|i| i & bit == 0).map(|i| (i, i | bit));
        let mut labelled: Option<(Px, Px)> = None;
        for (from, to) in edges {
            let ((a, _), (b, _)) =
                (projection.project_unit(corner(from)), projection.project_unit(corner(to)));
            if from == nearest || to == nearest {
                continue;
            }
            pen.line(&[a, b], Stroke::Solid, 0.8, ink.mix(0.25));
            // Numbers of the vertical axis stand on the left, those of the others below.
            let outer = |(a, b): (Px, Px)| if axis == 2 { -(a.0 + b.0) } else { a.1 + b.1 };
            if labelled.is_none_or(|best| outer((a, b)) > outer(best)) {
                labelled = Some((a, b));
            }
        }
        let named = [&figure.x, &figure.y, z][axis];
        if let Some((a, b)) = labelled {
            numbers(pen, projection, named, projection.ranges[axis], (a, b), fonts);
        }
    }
}

/// Draws numbers along an edge of the box, and the label of its axis farther out.
fn numbers(
    pen: &Pen,
    projection: &Projection,
    axis: &Axis,
    range: (f64, f64),
    (a, b): (Px, Px),
    fonts: Fonts,
) {
    let ink = pen.look.theme.ink();
    let along = |t: f64| (a.0 + t * (b.0 - a.0), a.1 + t * (b.1 - a.1));
    let middle = along(0.5);
    let (dx, dy) = (middle.0 - projection.middle.0, middle.1 - projection.middle.1);
    let length = dx.hypot(dy).max(1e-9);
    let out = |at: Px, far: f64| (at.0 + far * dx / length, at.1 + far * dy / length);
    // A foreshortened edge has room for fewer numbers, or none.
    let wanted = ((b.0 - a.0).hypot(b.1 - a.1) / 55.0) as usize;
    let mut widest = 0.0_f64;
    if wanted >= 1 {
        for (value, name) in ticks(Scale::Linear, range, wanted.min(4)).major {
            let at = along((value - range.0) / (range.1 - range.0));
            pen.line(&[at, out(at, 4.0)], Stroke::Solid, 0.8, ink.mix(0.8));
            let name = axis.name(value).unwrap_or(&name);
            pen.text(name, out(at, NUMBER), fonts.number, HPos::Center, ink.mix(1.0));
            widest = widest.max(fonts.number.width(name));
        }
    }
    if let Some(at) = beside_vertical((a, b), dx, widest, axis, fonts) {
        return pen.upright(&axis.label, at, fonts.axis, ink.mix(1.0));
    }
    // The distance depends on the extent of the label in this direction.
    let half = (0.5 * fonts.axis.width(&axis.label), 0.5 * fonts.axis.leading());
    let far = 26.0 + (half.0 * dx.abs() + half.1 * dy.abs()) / length;
    let (x, y) = out(middle, far);
    // The label stays inside the picture, whose middle is that of the box.
    let inside = half.0 + 4.0;
    let x = x.min(2.0 * projection.middle.0 - inside).max(inside);
    pen.text(&axis.label, (x, y), fonts.axis, HPos::Center, ink.mix(1.0));
}

/// Returns the middle of the upright label beside a vertical edge whose numbers are up to `widest` wide; `None` if the edge is not
/// vertical, or too short for the label. `dx` is the side of the box on which the edge is.
fn beside_vertical((a, b): (Px, Px), dx: f64, widest: f64, axis: &Axis, fonts: Fonts) -> Option<Px> {
    let room = (a.1 - b.1).abs();
    if (a.0 - b.0).abs() > 1.0 || room < fonts.axis.width(&axis.label) {
        return None;
    }
    let far = NUMBER + 0.5 * widest + 6.0 + 0.5 * fonts.axis.leading();
    Some((a.0 + far.copysign(dx), 0.5 * (a.1 + b.1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: in a small figure the label of the vertical axis covered its numbers.
    #[test]
    fn the_label_of_the_vertical_axis_stands_beside_its_numbers() {
        let (axis, fonts) = (Axis::linear("channel 3, x₃", (-3.0, 3.0)), Fonts::of(358.0));
        let edge = ((81.0, 116.0), (81.0, 264.0));
        let widest = fonts.number.width("−2");
        let (x, y) = beside_vertical(edge, -95.0, widest, &axis, fonts).unwrap();
        assert_eq!(y, 190.0);
        let numbers = 81.0 - NUMBER - 0.5 * widest;
        let half = 0.5 * fonts.axis.leading();
        assert!(x + half < numbers && x - half > 0.0, "{x} beside {numbers}");
        let slanted = ((81.0, 116.0), (200.0, 264.0));
        assert_eq!(beside_vertical(slanted, -95.0, widest, &axis, fonts), None);
        assert_eq!(beside_vertical(((81.0, 116.0), (81.0, 130.0)), -95.0, widest, &axis, fonts), None);
    }
}
