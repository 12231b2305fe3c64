//! Contours of a grid, with their levels.

use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBAColor};

use super::super::fonts::Font;
use super::super::pen::Pen;
use super::super::rect::Rect;
use super::super::stroke::{Px, clip as clip_runs};
use crate::figure::{Colours, Grid, Stroke, percent};

/// Smallest width of a plot whose contours have labels, in CSS pixels.
const LABELLED: f64 = 240.0;
/// Least length of a contour that has a label, in CSS pixels.
const LONG: f64 = 90.0;
/// Space around a label, in CSS pixels: to other contours and labels, and to the edges of the plot.
const SPACE: f64 = 3.0;
const MARGIN: f64 = 14.0;
/// Opacity of the ground of a label.
const GROUND: f64 = 0.8;

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

/// Writes the level of each contour on its longest run, as far as possible from the other contours.
pub(super) fn contour_labels(pen: &Pen, colours: Colours, all: &[Contour], clip: &Rect, font: Font) {
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
        let Some(at) = place(own, &others, (font.width(&text), font.leading()), clip) else { continue };
        pen.fill(&ground(at, (font.width(&text), font.size)), theme.paper().mix(GROUND));
        pen.text(&text, at, font, HPos::Center, theme.ink().mix(0.85));
    }
}

/// Returns the ground of a text of that size around its centre.
fn ground(at: Px, (width, height): (f64, f64)) -> Rect {
    let (half, reach) = (0.5 * width + SPACE, 0.5 * height + 1.0);
    Rect { left: at.0 - half, right: at.0 + half, top: at.1 - reach, bottom: at.1 + reach }
}

/// Returns the centre of a label of that size: the point of the longest of `runs` that is farthest from the points of other contours;
/// `None` if the run is short or there is no room.
fn place(runs: &[Vec<Px>], others: &[Px], (width, height): (f64, f64), clip: &Rect) -> Option<Px> {
    let length = |run: &[Px]| -> f64 {
        run.windows(2).map(|ends| (ends[1].0 - ends[0].0).hypot(ends[1].1 - ends[0].1)).sum()
    };
    let longest = runs.iter().max_by(|a, b| length(a).total_cmp(&length(b)))?;
    if length(longest) < LONG {
        return None;
    }
    let half = (0.5 * width + MARGIN, 0.5 * height + MARGIN);
    let inside = |at: &&Px| {
        at.0 > clip.left + half.0
            && at.0 < clip.right - half.0
            && at.1 > clip.top + half.1
            && at.1 < clip.bottom - half.1
    };
    // Distances are relative to half the width and height of the label, which is wider than it is high.
    let distance = |at: &Px, other: &Px| {
        ((at.0 - other.0).abs() / (0.5 * width + SPACE)).max((at.1 - other.1).abs() / (0.5 * height + SPACE))
    };
    let nearest = |at: &Px| others.iter().map(|other| distance(at, other)).fold(f64::INFINITY, f64::min);
    let free = longest.iter().filter(inside).map(|at| (nearest(at), *at));
    let (room, at) = free.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    (room > 1.0).then_some(at)
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
        let (x, y) = place(&[line(150.0)], &others, SIZE, &PLOT).expect("room at the right");
        assert!(x > 300.0 && x < 400.0 && y == 150.0, "{x}, {y}");
    }

    #[test]
    fn a_label_is_left_out_without_room() {
        assert_eq!(place(&[line(150.0)], &line(155.0), SIZE, &PLOT), None, "another contour is too near");
        assert_eq!(place(&[line(5.0)], &[], SIZE, &PLOT), None, "at the edge");
        assert_eq!(place(&[vec![(100.0, 100.0), (120.0, 100.0)]], &[], SIZE, &PLOT), None, "a short line");
        assert_eq!(place(&[], &[], SIZE, &PLOT), None);
    }
}
