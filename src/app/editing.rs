//! Editing the points of a figure: what a click does, and what then stands in the form.

#[cfg(test)]
mod tests;

use crate::figure::Handles;
use crate::lab::Raw;
use crate::render::{Frame, escape};

/// How near the pointer must be to a point to take it, in CSS pixels.
const GRASP: f64 = 22.0;
/// How far a point must be pulled before it moves, in CSS pixels: a click shakes a little.
const SLACK: f64 = 4.0;
/// A step by keys, as a fraction of the axis.
const STEP: f64 = 1.0 / 80.0;
/// Places are kept to this fraction of a unit: finer than a pixel, and short in a link.
const GRAIN: f64 = 1000.0;

/// A point: x, y and label.
type Place = [f64; 3];
/// Keys of the form and what they say.
pub type Texts = Vec<(String, String)>;

/// What is edited: the points of a figure, the whole form, and where the figure is.
pub struct Scene<'a> {
    /// Which points, and where the form has them.
    pub handles: &'a Handles,
    /// What every field says.
    pub raw: &'a Raw,
    /// Of the figure as it was drawn last.
    pub frame: &'a Frame,
}

/// An editor's state.
#[derive(Clone, Debug, Default)]
pub struct Editing {
    tool: Tool,
    held: Option<Held>,
    /// What the form said before each change.
    past: Vec<Texts>,
    /// Where the point is that was edited last.
    last: Option<(f64, f64)>,
}

/// What a click does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Tool {
    /// A new point of the first label, where there is none.
    #[default]
    Add,
    /// The same of the second label.
    AddOther,
    /// The next label for a point.
    Relabel,
    /// Takes a point away.
    Remove,
}

/// What became of a pointer that was down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Released {
    /// A point that was pulled is where it is to be.
    Pulled,
    /// A click, and what the form says then if it did something.
    Clicked(Option<Texts>),
}

/// A pointer that is down.
#[derive(Clone, Debug)]
struct Held {
    points: Vec<Place>,
    /// The point that was taken, if there is one under the pointer.
    on: Option<usize>,
    from: (f64, f64),
    pulled: bool,
}

impl Editing {
    /// Where the point is that was edited last.
    pub fn last(&self) -> Option<(f64, f64)> {
        self.last
    }

    /// Another point is read now.
    pub fn forget(&mut self) {
        self.last = None;
    }

    /// The pointer goes down at a pixel; whether it takes a point.
    pub fn down(&mut self, scene: &Scene, at: (f64, f64)) -> bool {
        let points = scene.points();
        let on = scene.under(&points, at);
        self.held = scene.frame.contains(at.0, at.1).then_some(Held { points, on, from: at, pulled: false });
        on.is_some()
    }

    /// It moves: what the form says then, if it pulls a point.
    pub fn moved(&mut self, scene: &Scene, at: (f64, f64)) -> Option<Texts> {
        let held = self.held.as_mut()?;
        let pulled = held.pulled || (at.0 - held.from.0).hypot(at.1 - held.from.1) > SLACK;
        let first = pulled && !held.pulled;
        held.pulled = pulled;
        let i = held.on.filter(|_| pulled)?;
        let plot = &scene.frame.plot;
        let inside = (at.0.clamp(plot.left, plot.right), at.1.clamp(plot.top, plot.bottom));
        let to = scene.frame.to_data(inside.0, inside.1);
        (held.points[i][0], held.points[i][1]) = to;
        let texts = scene.texts(&held.points);
        if first {
            self.past.push(scene.said());
        }
        self.last = Some(to);
        Some(texts)
    }

    /// Whether a pointer has taken a point.
    pub fn holds(&self) -> bool {
        self.held.as_ref().is_some_and(|held| held.on.is_some())
    }

    /// It goes up.
    pub fn up(&mut self, scene: &Scene) -> Released {
        let Some(held) = self.held.take() else { return Released::Clicked(None) };
        if held.pulled {
            return if held.on.is_some() { Released::Pulled } else { Released::Clicked(None) };
        }
        let at = scene.frame.to_data(held.from.0, held.from.1);
        let points = clicked(scene.handles, held.points, self.tool, held.on, at);
        Released::Clicked(points.map(|points| self.change(scene, &points, at)))
    }

    /// The browser took the pointer for something else, such as scrolling.
    pub fn cancel(&mut self) {
        self.held = None;
    }

    /// A key for the point at a pixel: Shift with arrows moves it, F relabels, Delete takes it away, Insert puts another beside
    /// it. `None` if the key is for something else, `Some(None)` if it is one of these and does nothing.
    pub fn key(
        &mut self,
        scene: &Scene,
        key: &str,
        shift: bool,
        at: Option<(f64, f64)>,
    ) -> Option<Option<Texts>> {
        let (tool, by) = match (shift, key) {
            (true, "ArrowRight") => (None, (1.0, 0.0)),
            (true, "ArrowLeft") => (None, (-1.0, 0.0)),
            (true, "ArrowUp") => (None, (0.0, 1.0)),
            (true, "ArrowDown") => (None, (0.0, -1.0)),
            (_, "Insert") => {
                (Some(if self.tool == Tool::AddOther { self.tool } else { Tool::Add }), (4.0, 0.0))
            }
            (_, "Delete" | "Backspace") => (Some(Tool::Remove), (0.0, 0.0)),
            (_, "f" | "F") => (Some(Tool::Relabel), (0.0, 0.0)),
            _ => return None,
        };
        let Some(at) = at else { return Some(None) };
        let mut points = scene.points();
        let (on, from) = (scene.under(&points, at), scene.frame.to_data(at.0, at.1));
        let ((left, right), (low, high)) = (scene.frame.x.range, scene.frame.y.range);
        let to = (from.0 + by.0 * STEP * (right - left), from.1 + by.1 * STEP * (high - low));
        let changed = match (tool, on) {
            (Some(Tool::Add | Tool::AddOther), _) => {
                clicked(scene.handles, points, tool.unwrap_or_default(), None, to)
            }
            (Some(tool), on) => clicked(scene.handles, points, tool, on, to),
            (None, Some(i)) => {
                (points[i][0], points[i][1]) = to;
                Some(points)
            }
            (None, None) => None,
        };
        Some(changed.map(|points| self.change(scene, &points, to)))
    }

    fn change(&mut self, scene: &Scene, points: &[Place], last: (f64, f64)) -> Texts {
        self.past.push(scene.said());
        self.last = Some(last);
        scene.texts(points)
    }

    /// What the form said before the last change.
    fn undo(&mut self) -> Option<Texts> {
        self.last = None;
        self.past.pop()
    }

    /// The tools as markup, with a `data-tool` each.
    pub fn html(&self, handles: &Handles) -> String {
        let add =
            |i: usize| handles.labels.get(i).map_or("Add".to_owned(), |label| format!("Add {}", label.1));
        let button = |tool: Tool, name: &str| {
            let pressed = self.tool == tool;
            format!(
                "<button type=\"button\" data-tool=\"{}\" aria-pressed=\"{pressed}\">{}</button>",
                tool as u8,
                escape(name)
            )
        };
        let mut html = button(Tool::Add, &add(0));
        if !handles.labels.is_empty() {
            html += &button(Tool::AddOther, &add(1));
            html += &button(Tool::Relabel, "Flip");
        }
        html += &button(Tool::Remove, "Delete");
        let none = if self.past.is_empty() { " disabled" } else { "" };
        format!(
            "<span>Drag a point, or click to:</span>{html}<button type=\"button\" class=\"quiet\" data-tool=\"undo\"{none}>Undo</button>"
        )
    }

    /// A tool is pressed, by its `data-tool`; undo says what the form said before.
    pub fn take(&mut self, tool: &str) -> Option<Texts> {
        if tool == "undo" {
            return self.undo();
        }
        let all = [Tool::Add, Tool::AddOther, Tool::Relabel, Tool::Remove];
        self.tool = all.into_iter().find(|t| (*t as u8).to_string() == tool).unwrap_or_default();
        None
    }
}

impl Scene<'_> {
    fn points(&self) -> Vec<Place> {
        current(self.handles, self.raw)
    }

    fn texts(&self, points: &[Place]) -> Texts {
        texts(self.handles, points)
    }

    /// What the form says of what a change would change.
    fn said(&self) -> Texts {
        let text = |(key, _)| self.raw.get(&key).map(|text| (key, text.clone()));
        self.texts(&[]).into_iter().filter_map(text).collect()
    }

    /// The point under the pointer.
    fn under(&self, points: &[Place], (px, py): (f64, f64)) -> Option<usize> {
        let mut best = (None, GRASP);
        for (i, p) in points.iter().enumerate() {
            let far = self.frame.to_px(p[0], p[1]).map_or(GRASP, |(x, y)| (x - px).hypot(y - py));
            if far < best.1 {
                best = (Some(i), far);
            }
        }
        best.0
    }
}

/// The points as the form has them, or else as the figure shows them. The figure follows the form a little later.
fn current(handles: &Handles, raw: &Raw) -> Vec<Place> {
    let says = |(key, text): &(String, String)| raw.get(key) == Some(text);
    let text = raw.get(&handles.field).filter(|_| handles.with.iter().all(says));
    let numbers: Option<Vec<f64>> =
        text.and_then(|text| text.split(',').map(|n| n.trim().parse().ok()).collect());
    match numbers {
        Some(numbers) if numbers.len().is_multiple_of(width(handles)) => {
            let place = |n: &[f64]| [n[0], n[1], n.get(2).copied().unwrap_or_default()];
            numbers.chunks_exact(width(handles)).map(place).collect()
        }
        _ => handles.points.clone(),
    }
}

/// Numbers a point.
fn width(handles: &Handles) -> usize {
    if handles.labels.is_empty() { 2 } else { 3 }
}

/// What the form says with these points.
fn texts(handles: &Handles, points: &[Place]) -> Vec<(String, String)> {
    let rounded = |x: &f64| ((x * GRAIN).round() / GRAIN).to_string();
    let numbers: Vec<String> = points.iter().flat_map(|p| p[..width(handles)].iter().map(rounded)).collect();
    let mut texts = vec![(handles.field.clone(), numbers.join(","))];
    texts.extend(handles.with.iter().cloned());
    texts.extend(handles.count.iter().map(|key| (key.clone(), points.len().to_string())));
    texts
}

/// The points after a click with `tool` at a place in the plot, on the point `on` if there is one; `None` if that does nothing.
fn clicked(
    handles: &Handles,
    mut points: Vec<Place>,
    tool: Tool,
    on: Option<usize>,
    at: (f64, f64),
) -> Option<Vec<Place>> {
    let (least, most) = handles.number;
    match (tool, on) {
        (Tool::Add | Tool::AddOther, None) if points.len() < most => {
            points.push([at.0, at.1, handles.labels.get(tool as usize).map_or(0.0, |label| label.0)]);
        }
        (Tool::Relabel, Some(i)) => {
            let now = handles.labels.iter().position(|label| label.0 == points[i][2])?;
            points[i][2] = handles.labels[(now + 1) % handles.labels.len()].0;
        }
        (Tool::Remove, Some(i)) if points.len() > least => drop(points.remove(i)),
        _ => return None,
    }
    Some(points)
}
