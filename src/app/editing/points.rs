//! Editing points of the plane by dragging, clicking and keys.

use super::{Key, Scene, Tool};
use crate::lab::{Kind, Value};
use crate::render::PlotGeometry;

/// Coordinates x and y, and the label.
type Place = [f64; 3];

/// Largest distance at which the pointer picks up a point, in CSS pixels.
pub(super) const GRASP: f64 = 22.0;
/// Distance from which a movement is a drag and not a click, in CSS pixels.
const SLACK: f64 = 4.0;
/// Step of a key, as a fraction of the axis.
const STEP: f64 = 1.0 / 80.0;
/// Coordinates are rounded to this fraction of a unit: finer than a pixel, and short in a link.
const GRAIN: f64 = 1000.0;

/// Drag of a point, or a click.
#[derive(Clone, Debug)]
pub(super) struct PointDrag {
    /// All points.
    pub list: Vec<Place>,
    /// Panel of the press.
    pub panel: usize,
    /// Index of the point under the pointer, if there was one.
    pub on: Option<usize>,
    /// Position of the press.
    pub from: (f64, f64),
    /// True once the pointer has moved.
    pub dragged: bool,
}

impl PointDrag {
    pub(super) fn new((panel, plane): (usize, &PlotGeometry), list: Vec<Place>, at: (f64, f64)) -> Self {
        Self { panel, on: under(plane, &list, at), list, from: at, dragged: false }
    }

    /// Moves the point to the pointer. Returns its position, and true for the first movement; `None` without a point.
    pub(super) fn moved(&mut self, scene: &Scene, at: (f64, f64)) -> Option<((f64, f64), bool)> {
        let dragged = self.dragged || (at.0 - self.from.0).hypot(at.1 - self.from.1) > SLACK;
        let first = dragged && !self.dragged;
        self.dragged = dragged;
        let i = self.on.filter(|_| dragged)?;
        let plane = scene.geometry.panel(self.panel)?;
        let plot = &plane.plot;
        let inside = (at.0.clamp(plot.left, plot.right), at.1.clamp(plot.top, plot.bottom));
        let to = held(&scene.field.kind, plane.to_data(inside.0, inside.1));
        (self.list[i][0], self.list[i][1]) = to;
        Some((to, first))
    }
}

/// Returns the index of the point under the pointer.
pub(super) fn under(plane: &PlotGeometry, list: &[Place], (px, py): (f64, f64)) -> Option<usize> {
    let mut best = (None, GRASP);
    for (i, p) in list.iter().enumerate() {
        let far = plane.to_px(p[0], p[1]).map_or(GRASP, |(x, y)| (x - px).hypot(y - py));
        if far < best.1 {
            best = (Some(i), far);
        }
    }
    best.0
}

/// Clamps a position to the range of the field.
fn held(kind: &Kind, at: (f64, f64)) -> (f64, f64) {
    match kind {
        Kind::Points { x, y, .. } => (at.0.clamp(x.0, x.1), at.1.clamp(y.0, y.1)),
        _ => at,
    }
}

/// Returns the points after a click with `tool` at a position in the plot, on the point `on` if there is one; `None` if it changes
/// nothing.
pub(super) fn clicked(
    kind: &Kind,
    mut list: Vec<Place>,
    tool: Tool,
    on: Option<usize>,
    at: (f64, f64),
) -> Option<Vec<Place>> {
    let Kind::Points { labels, number: (least, most), .. } = kind else { return None };
    match (tool, on) {
        (Tool::Add(label), None) if list.len() < *most => {
            let (x, y) = held(kind, at);
            list.push([x, y, labels.get(label).map_or(0.0, |label| label.0)]);
        }
        (Tool::Relabel, Some(i)) => {
            let now = labels.iter().position(|label| label.0 == list[i][2])?;
            list[i][2] = labels[(now + 1) % labels.len()].0;
        }
        (Tool::Remove, Some(i)) if list.len() > *least => drop(list.remove(i)),
        _ => return None,
    }
    Some(list)
}

/// Applies a key to the point at a pixel; returns the edit and the new position of the point.
pub(super) fn key(
    kind: &Kind,
    plane: &PlotGeometry,
    mut list: Vec<Place>,
    tool: Tool,
    key: Key,
    at: (f64, f64),
) -> Option<(Vec<Place>, (f64, f64))> {
    let (on, from) = (under(plane, &list, at), plane.to_data(at.0, at.1));
    let ((left, right), (low, high)) = (plane.x.range, plane.y.range);
    let beside = |across: f64, up: f64| {
        held(kind, (from.0 + across * STEP * (right - left), from.1 + up * STEP * (high - low)))
    };
    let (list, to) = match key {
        Key::Move(across, up) => {
            let to = beside(across.into(), up.into());
            let i = on?;
            (list[i][0], list[i][1]) = to;
            (Some(list), to)
        }
        Key::Use if !matches!(tool, Tool::Add(_)) => (clicked(kind, list, tool, on, from), from),
        Key::Use | Key::Insert => {
            let tool = if matches!(tool, Tool::Add(_)) { tool } else { Tool::Add(0) };
            let to = beside(4.0, 0.0);
            (clicked(kind, list, tool, None, to), to)
        }
        Key::Delete => (clicked(kind, list, Tool::Remove, on, from), from),
        Key::Next => (clicked(kind, list, Tool::Relabel, on, from), from),
    };
    Some((list?, to))
}

/// Formats the points as a text of the field.
pub(super) fn text(kind: &Kind, list: &[Place]) -> String {
    let labelled = matches!(kind, Kind::Points { labels: [_, ..], .. });
    let round = |x: f64| (x * GRAIN).round() / GRAIN;
    if labelled {
        Value::Labelled(list.iter().map(|p| [round(p[0]), round(p[1]), p[2]]).collect()).to_string()
    } else {
        Value::Points(list.iter().map(|p| [round(p[0]), round(p[1])]).collect()).to_string()
    }
}
