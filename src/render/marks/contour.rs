//! Contours of a grid, with their levels.

use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBAColor};

use super::super::fonts::Font;
use super::super::pen::Pen;
use super::super::rect::Rect;
use super::super::stroke::{Px, clip as clip_runs};
use crate::figure::{Colours, Grid, Stroke, percent};

/// Smallest width of a plot whose contours have labels, in CSS pixels.
const LABELLED: f64 = 220.0;
/// Least length of a contour that has a label, in CSS pixels.
const LONG: f64 = 80.0;
/// Space around a label, in CSS pixels: to other contours and labels, and to the edges of the plot.
const SPACE: f64 = 3.0;
const MARGIN: f64 = 14.0;
/// Space between a label and the middle of a marker, in CSS pixels.
const MARKER_SPACE: f64 = 8.0;
/// Opacity of a label’s background, which hides the line.
const GROUND: f64 = 0.92;

/// A drawn contour.
pub(in crate::render) struct Contour {
    level: f32,
    /// Points of its parts within the plot.
    runs: Vec<Vec<Px>>,
}

/// Returns the contours at `level` as runs of pixels, clipped at `clip`; the grid fills `area`.
fn runs(grid: &Grid, level: f32, area: &Rect, clip: &Rect) -> Vec<Vec<Px>> {
    let share = |v: f64, (from, to): (f64, f64)| (v - from) / (to - from);
    let to_px = |(x, y): (f64, f64)| {
        let (right, up) = (share(x, grid.x), share(y, grid.y));
        (area.left + right * (area.right - area.left), area.bottom - up * (area.bottom - area.top))
    };
    let lines = grid.contour(level).into_iter();
    lines.flat_map(|line| clip_runs(line.into_iter().map(|point| Some(to_px(point))), clip)).collect()
}

/// Draws the contours of the grid, which fills `area`. Returns them.
pub(in crate::render) fn contours(
    pen: &Pen,
    grid: &Grid,
    area: &Rect,
    clip: &Rect,
    ink: RGBAColor,
) -> Vec<Contour> {
    let contour = |level: &f32| Contour { level: *level, runs: runs(grid, *level, area, clip) };
    let all: Vec<Contour> = grid.contours.iter().map(contour).collect();
    for Contour { level, runs } in &all {
        // The contour at probability ½, the decision boundary, is heavier.
        let half = grid.colours == Colours::Probability && (level - 0.5).abs() < f32::EPSILON;
        let width = if half { 2.2 } else { 1.2 };
        for run in runs {
            pen.line(run, Stroke::Solid, width, ink);
        }
    }
    all
}

/// Writes the level of each contour on one of its runs, as far as possible from the other contours, and off the `markers`.
pub(super) fn contour_labels(
    pen: &Pen,
    colours: Colours,
    all: &[Contour],
    markers: &[Px],
    (clip, font): (&Rect, Font),
) {
    if clip.right - clip.left < LABELLED {
        return;
    }
    let theme = pen.look.theme;
    for Contour { level, runs: own } in all {
        let text = match colours {
            Colours::Probability => percent(f64::from(*level)),
            _ => format!("{level}"),
        };
        let others: Vec<Px> =
            all.iter().filter(|other| other.level != *level).flat_map(|other| other.runs.concat()).collect();
        let size = (font.width(&text), font.leading());
        let Some(at) = place(own, (&others, markers), size, clip) else { continue };
        pen.fill(&ground(at, (font.width(&text), font.size)), theme.paper().mix(GROUND));
        pen.text(&text, at, font, HPos::Center, theme.ink().mix(0.85));
    }
}

/// Returns the ground of a text of that size around its centre.
fn ground(at: Px, (width, height): (f64, f64)) -> Rect {
    let (half, reach) = (0.5 * width + SPACE, 0.5 * height + 1.0);
    Rect { left: at.0 - half, right: at.0 + half, top: at.1 - reach, bottom: at.1 + reach }
}

/// Returns the centre of a label of that size: the point farthest from the points of `others`, the other contours, of the longest of
/// `runs` on which there is room beside these and the `markers`; `None` if there is none, or only short runs have room.
fn place(
    runs: &[Vec<Px>],
    (others, markers): (&[Px], &[Px]),
    (width, height): (f64, f64),
    clip: &Rect,
) -> Option<Px> {
    let length = |run: &[Px]| -> f64 {
        run.windows(2).map(|ends| (ends[1].0 - ends[0].0).hypot(ends[1].1 - ends[0].1)).sum()
    };
    let half = (0.5 * width + MARGIN, 0.5 * height + MARGIN);
    let inside = |at: &&Px| {
        at.0 > clip.left + half.0
            && at.0 < clip.right - half.0
            && at.1 > clip.top + half.1
            && at.1 < clip.bottom - half.1
    };
    // Distances are relative to half the width and height of the label, which is wider than it is high.
    let distance = |at: &Px, other: &Px, space: f64| {
        ((at.0 - other.0).abs() / (0.5 * width + space)).max((at.1 - other.1).abs() / (0.5 * height + space))
    };
    let nearest = |at: &Px, others: &[Px], space: f64| {
        others.iter().map(|other| distance(at, other, space)).fold(f64::INFINITY, f64::min)
    };
    let mut runs: Vec<&Vec<Px>> = runs.iter().filter(|run| length(run) >= LONG).collect();
    runs.sort_by(|a, b| length(b).total_cmp(&length(a)));
    runs.into_iter().find_map(|run| {
        let free = run.iter().filter(inside).filter(|at| nearest(at, markers, MARKER_SPACE) > 1.0);
        let free = free.map(|at| (nearest(at, others, SPACE), *at));
        let (room, at) = free.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
        (room > 1.0).then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLOT: Rect = Rect { left: 0.0, top: 0.0, right: 400.0, bottom: 300.0 };
    const SIZE: (f64, f64) = (30.0, 14.0);

    fn line(y: f64) -> Vec<Px> {
        (0..=40).map(|i| (10.0 * f64::from(i), y)).collect()
    }

    #[test]
    fn a_label_stands_on_its_contour_far_from_others() {
        let others: Vec<Px> = (0..=40).map(|i| (10.0 * f64::from(i), 150.0 + 2.0 * f64::from(i))).collect();
        let (x, y) = place(&[line(150.0)], (&others, &[]), SIZE, &PLOT).expect("room at the right");
        assert!(x > 300.0 && x < 400.0 && y == 150.0, "{x}, {y}");
    }

    /// Regression: on a narrow map, “10 %” lay over a point.
    #[test]
    fn a_label_covers_no_marker() {
        let (x, _) = place(&[line(150.0)], (&[], &[]), SIZE, &PLOT).expect("room");
        let points = [(x, 150.0), (x + 30.0, 160.0)];
        let (moved, _) = place(&[line(150.0)], (&[], &points), SIZE, &PLOT).expect("room elsewhere");
        assert!(points.iter().all(|point| (point.0 - moved).abs() > 0.5 * SIZE.0), "{moved}");
        assert_eq!(place(&[line(150.0)], (&[], &line(148.0)), SIZE, &PLOT), None, "points everywhere");
        let (_, y) =
            place(&[line(150.0), line(80.0)], (&[], &line(148.0)), SIZE, &PLOT).expect("another run");
        assert_eq!(y, 80.0);
    }

    #[test]
    fn a_label_is_left_out_without_room() {
        assert_eq!(
            place(&[line(150.0)], (&line(155.0), &[]), SIZE, &PLOT),
            None,
            "another contour is too near"
        );
        assert_eq!(place(&[line(5.0)], (&[], &[]), SIZE, &PLOT), None, "at the edge");
        assert_eq!(
            place(&[vec![(100.0, 100.0), (120.0, 100.0)]], (&[], &[]), SIZE, &PLOT),
            None,
            "a short line"
        );
        assert_eq!(place(&[], (&[], &[]), SIZE, &PLOT), None);
    }
}
