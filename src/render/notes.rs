//! Notes: words at a place of a figure, with a line to it. A note stands in empty space; it is left out if there is none near its place.

use plotters::style::Color;
use plotters::style::text_anchor::HPos;

use super::drawing::Drawing;
use super::fonts::Fonts;
use super::geometry::{Coordinates, PlotGeometry};
use super::pen::Pen;
use super::rect::Rect;
use crate::figure::{Interval, Mark, Stroke};

/// Offsets of a note from its place: to its near end, and to its middle upwards, in CSS pixels. Earlier ones are preferred.
const OFFSETS: [(f64, f64); 8] = [
    (26.0, 28.0),
    (26.0, -28.0),
    (40.0, 64.0),
    (40.0, -64.0),
    (60.0, 110.0),
    (60.0, -110.0),
    (16.0, 14.0),
    (16.0, -14.0),
];
/// Space between text and plot, and between text and line, in CSS pixels.
const SPACE: f64 = 4.0;
/// Space between text and the edges of the plot, which have ticks, in CSS pixels.
const MARGIN: f64 = 10.0;
/// Largest width of a note, relative to the plot.
const MOST: f64 = 0.9;
/// Largest length of lines under a note, in CSS pixels.
const FEW: f64 = 4.0;
/// Length of a line under the text that is as bad as lines that a leader crosses, in CSS pixels: more than a few.
const CROSSED: f64 = 5.0;
/// Length of a line that is as bad under the text as a marker, in CSS pixels.
const MARKER: f64 = 10.0;

type Px = (f64, f64);

/// Draws the notes of a drawing.
pub(super) fn draw(drawing: &Drawing, pen: &Pen, geometry: &PlotGeometry, fonts: Fonts) {
    let font = fonts.name;
    let ink = pen.look.theme.ink();
    for note in &drawing.figure.notes {
        let Some(geometry) = geometry.panel(note.panel) else { continue };
        let at = match &geometry.coordinates {
            Coordinates::Plane => geometry.to_px(note.at[0], note.at[1]),
            Coordinates::Space(projection) => projection.project(note.at).map(|(at, _)| at),
            Coordinates::Pictures(_) | Coordinates::Panels(_) => None,
        };
        let Some(at) = at else { continue };
        let size = (font.width(&note.text), font.leading());
        if size.0 > MOST * (geometry.plot.right - geometry.plot.left) {
            continue;
        }
        let (covered, ground) = place(at, size, &geometry.plot, &ink_of(drawing, geometry, note.panel));
        // A note stands in empty space or not at all.
        if covered > FEW {
            continue;
        }
        let middle = 0.5 * (ground.top + ground.bottom);
        pen.line(&leader(at, &ground), Stroke::Solid, 0.8, ink.mix(0.6));
        pen.text(&note.text, (ground.left + SPACE, middle), font, HPos::Left, ink.mix(0.85));
    }
}

/// Returns the line from a place to the nearer end of the ground of a text, or to its edge if the place is above or below the text.
fn leader(at: Px, ground: &Rect) -> [Px; 2] {
    let middle = 0.5 * (ground.top + ground.bottom);
    let up = (middle - at.1).signum();
    if (ground.left..=ground.right).contains(&at.0) {
        let edge = if up > 0.0 { ground.top } else { ground.bottom };
        return [(at.0, at.1 + SPACE * up), (at.0, edge)];
    }
    let (near, side) = if ground.left > at.0 { (ground.left, 1.0) } else { (ground.right, -1.0) };
    [(at.0 + side * SPACE, at.1 + 5.0 * up), (near, middle)]
}

/// Returns the ground of a text of that size near a place, and the length of the lines that it covers: of all candidates inside the
/// plot, that which covers the least. The farther side of the plot is preferred.
fn place(at: Px, (width, height): (f64, f64), plot: &Rect, ink: &[[Px; 2]]) -> (f64, Rect) {
    let side = if at.0 < 0.55 * (plot.left + plot.right) { 1.0 } else { -1.0 };
    let candidates = OFFSETS.iter().flat_map(|offset| [(side, offset), (-side, offset)]);
    let grounds = candidates.map(|(side, (aside, up))| {
        let near = at.0 + side * aside;
        let left = if side > 0.0 { near } else { near - width };
        let left = left.min(plot.right - width - MARGIN).max(plot.left + MARGIN);
        let reach = 0.5 * height + MARGIN;
        let middle = (at.1 - up).min(plot.bottom - reach).max(plot.top + reach);
        Rect {
            left: left - SPACE,
            right: left + width + SPACE,
            top: middle - 0.5 * height,
            bottom: middle + 0.5 * height,
        }
    });
    let covered = |ground: &Rect| -> f64 {
        let own = if ground.contains(at) { f64::INFINITY } else { 0.0 };
        let leader = leader(at, ground);
        let crossed = if ink.iter().any(|line| crosses(leader, *line)) { CROSSED } else { 0.0 };
        own + crossed + ink.iter().map(|line| length_inside(*line, ground)).sum::<f64>()
    };
    let counted = grounds.map(|ground| (covered(&ground), ground));
    counted.reduce(|best, next| if next.0 < best.0 { next } else { best }).expect("candidates")
}

/// Returns the lines that are drawn in a panel, and each marker as a line of no length, in CSS pixels.
fn ink_of(drawing: &Drawing, geometry: &PlotGeometry, panel: usize) -> Vec<[Px; 2]> {
    if !matches!(geometry.coordinates, Coordinates::Plane) {
        return Vec::new();
    }
    let mut ink = Vec::new();
    for styled in drawing.shown().filter(|styled| styled.mark.info().panel == panel) {
        let mut add = |a: (f64, f64), b: (f64, f64)| {
            ink.extend(geometry.to_px(a.0, a.1).zip(geometry.to_px(b.0, b.1)).map(|(a, b)| [a, b]));
        };
        match styled.mark {
            Mark::Curve(curve) => {
                let points: Vec<(f64, f64)> = curve.points.iter().map(|point| (point.x, point.y)).collect();
                if curve.stroke.is_some() {
                    points.windows(2).for_each(|ends| add(ends[0], ends[1]));
                }
                if curve.marker.is_some() {
                    for point in &points {
                        add(*point, *point);
                    }
                }
            }
            Mark::Threads(threads) => {
                let lines = threads.threads.iter().flat_map(|thread| thread.points.windows(2));
                lines.for_each(|ends| add(ends[0], ends[1]));
            }
            Mark::Band(band) => {
                for edge in [|i: &Interval| i.lower, |i: &Interval| i.upper] {
                    let ends = band.intervals.windows(2);
                    ends.for_each(|ends| add((ends[0].x, edge(&ends[0])), (ends[1].x, edge(&ends[1]))));
                }
            }
            Mark::Segments(segments) => {
                let ends = segments.lines.iter().flat_map(|line| line.windows(2));
                ends.for_each(|ends| add(ends[0], ends[1]));
            }
            Mark::Grid(grid) => {
                for line in grid.contours.iter().flat_map(|level| grid.contour(*level)) {
                    line.windows(2).for_each(|ends| add(ends[0], ends[1]));
                }
            }
            other => other.data().for_each(|datum| add((datum.x, datum.y), (datum.x, datum.y))),
        }
    }
    ink
}

/// Returns true if two lines cross.
fn crosses([a, b]: [Px; 2], [c, d]: [Px; 2]) -> bool {
    let side = |p: Px, q: Px, r: Px| (q.0 - p.0) * (r.1 - p.1) - (q.1 - p.1) * (r.0 - p.0);
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}

/// Returns the length of a line within a rectangle, or [`MARKER`] for a marker in it.
fn length_inside([a, b]: [Px; 2], rect: &Rect) -> f64 {
    if a == b {
        return if rect.contains(a) { MARKER } else { 0.0 };
    }
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    for (start, change, low, high) in [(a.0, dx, rect.left, rect.right), (a.1, dy, rect.top, rect.bottom)] {
        if change == 0.0 {
            if start < low || start > high {
                return 0.0;
            }
            continue;
        }
        let (enter, leave) = ((low - start) / change, (high - start) / change);
        (from, to) = (from.max(enter.min(leave)), to.min(enter.max(leave)));
    }
    (to - from).max(0.0) * dx.hypot(dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLOT: Rect = Rect { left: 0.0, top: 0.0, right: 600.0, bottom: 400.0 };
    const SIZE: (f64, f64) = (120.0, 16.0);

    #[test]
    fn the_length_of_a_line_within_a_rectangle() {
        let rect = Rect { left: 10.0, top: 10.0, right: 30.0, bottom: 20.0 };
        assert_eq!(length_inside([(0.0, 15.0), (40.0, 15.0)], &rect), 20.0);
        assert_eq!(length_inside([(15.0, 12.0), (15.0, 18.0)], &rect), 6.0);
        assert_eq!(length_inside([(0.0, 5.0), (40.0, 5.0)], &rect), 0.0);
        assert!((length_inside([(5.0, 0.0), (35.0, 30.0)], &rect) - 200.0_f64.sqrt()).abs() < 1e-9);
        let marker = |at| length_inside([at, at], &rect);
        assert_eq!((marker((12.0, 12.0)), marker((12.0, 22.0))), (MARKER, 0.0));
    }

    #[test]
    fn a_leader_ends_at_the_near_side_of_the_text() {
        let ground = Rect { left: 100.0, top: 50.0, right: 160.0, bottom: 66.0 };
        assert_eq!(leader((80.0, 100.0), &ground)[1], (100.0, 58.0));
        assert_eq!(leader((200.0, 100.0), &ground)[1], (160.0, 58.0));
        assert_eq!(leader((120.0, 100.0), &ground), [(120.0, 96.0), (120.0, 66.0)]);
        assert_eq!(leader((120.0, 10.0), &ground)[1], (120.0, 50.0));
    }

    #[test]
    fn a_leader_crosses_no_line_if_another_place_is_free() {
        let at = (100.0, 200.0);
        let wall = [(0.0, 190.0), (600.0, 190.0)];
        let (_, ground) = place(at, SIZE, &PLOT, &[wall]);
        assert!(!crosses(leader(at, &ground), wall) && length_inside(wall, &ground) == 0.0, "{ground:?}");
    }

    #[test]
    fn a_note_stands_above_its_place_towards_the_farther_side() {
        let (_, ground) = place((100.0, 200.0), SIZE, &PLOT, &[]);
        assert!(ground.left > 100.0 && ground.bottom < 200.0, "{ground:?}");
        let (_, ground) = place((500.0, 200.0), SIZE, &PLOT, &[]);
        assert!(ground.right < 500.0 && ground.bottom < 200.0, "{ground:?}");
    }

    #[test]
    fn a_note_moves_off_lines_and_markers_and_stays_in_the_plot() {
        let at = (100.0, 200.0);
        let (_, free) = place(at, SIZE, &PLOT, &[]);
        let middle = (0.5 * (free.left + free.right), 0.5 * (free.top + free.bottom));
        for ink in
            [[middle, middle], [(middle.0, 0.0), (middle.0, middle.1)], [(0.0, middle.1), (600.0, middle.1)]]
        {
            let (_, ground) = place(at, SIZE, &PLOT, &[ink]);
            assert_eq!(length_inside(ink, &ground), 0.0, "{ink:?} under {ground:?}");
        }
        for at in [(1.0, 1.0), (599.0, 1.0), (1.0, 399.0), (599.0, 399.0), (300.0, 200.0)] {
            let (_, ground) = place(at, SIZE, &PLOT, &[]);
            let inside =
                ground.left >= 0.0 && ground.right <= 600.0 && ground.top >= 0.0 && ground.bottom <= 400.0;
            assert!(inside && !ground.contains(at), "{at:?}: {ground:?}");
        }
    }
}
