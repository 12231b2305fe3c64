//! Editing a figure: effects of pointer and keys on its points or pixels, and the resulting settings.

mod pixels;
mod points;
#[cfg(test)]
mod tests;

use crate::figure::{Figure, FigureKind, Handles};
use crate::lab::{Field, Kind, Pixels, Raw, Value};
use crate::render::{Drawing, PlotGeometry};

/// Keys and texts of fields.
pub type Texts = Vec<(String, String)>;

/// Context of an edit: the field, the form, and the drawn figure.
pub struct Scene<'a> {
    /// Field of the figure and the marks that show its value.
    pub handles: &'a Handles,
    /// The field.
    pub field: &'a Field,
    /// Texts of the form.
    pub raw: &'a Raw,
    /// The figure as it was drawn last.
    pub drawing: &'a Drawing,
    /// Position of its plot.
    pub geometry: &'a PlotGeometry,
}

/// A change of the form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// New texts.
    pub texts: Texts,
    /// True for the first change of a movement, which is undone as a whole.
    pub first: bool,
}

/// Effect of a click or a stroke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Adds a point of the label with that index.
    Add(usize),
    /// Gives a point the next label.
    Relabel,
    /// Removes a point.
    Remove,
    /// Sets pixels to ink.
    Draw,
    /// Sets pixels to paper.
    Erase,
    /// Marks pixels as missing.
    Hide,
}

/// State of an editor.
#[derive(Clone, Debug, Default)]
pub struct Editing {
    /// Chosen tool; `None` for the first tool of the field.
    pub tool: Option<Tool>,
    gesture: Option<Gesture>,
    last: Option<Last>,
}

/// Action of the pointer while it is down.
#[derive(Clone, Debug)]
enum Gesture {
    Points(points::PointDrag),
    Pixels(pixels::PenStroke),
}

/// The element edited last.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Last {
    /// A point, in data units, and the panel in which it was edited.
    Point { panel: usize, at: (f64, f64) },
    /// A cell of the grid.
    Cell(usize),
}

/// Result of releasing the pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Released {
    /// The end of a drag or a stroke.
    Settled,
    /// A click, with its edit.
    Clicked(Option<Edit>),
}

/// Returns the tools of a field with their names, the default tool first.
pub fn tools(kind: &Kind) -> Vec<(Tool, String)> {
    let named = |tool: Tool, name: &str| (tool, name.to_owned());
    match kind {
        Kind::Points { labels: [], .. } => vec![named(Tool::Add(0), "Add"), named(Tool::Remove, "Delete")],
        Kind::Points { labels, .. } => {
            let add = |(i, (_, name)): (usize, &(f64, &str))| (Tool::Add(i), format!("Add {name}"));
            let mut all: Vec<_> = labels.iter().enumerate().map(add).collect();
            all.extend([named(Tool::Relabel, "Flip"), named(Tool::Remove, "Delete")]);
            all
        }
        Kind::Pixels { missing, .. } => {
            let mut all = vec![named(Tool::Draw, "Draw"), named(Tool::Erase, "Erase")];
            all.extend(missing.then(|| named(Tool::Hide, "Hide pixels")));
            all
        }
        _ => Vec::new(),
    }
}

/// Sets the axes along which points are edited to those of an earlier drawing of the figure: an axis that followed the point would move
/// under the pointer.
pub fn keep_axes(figure: &mut Figure, before: &Figure) {
    let Some(handles) = figure.handles.as_ref().filter(|_| figure.id == before.id) else { return };
    if let (FigureKind::Panels { panels, .. }, FigureKind::Panels { panels: kept, .. }) =
        (&mut figure.kind, &before.kind)
    {
        for (index, (panel, kept)) in panels.iter_mut().zip(kept).enumerate() {
            if handles.in_panel(index) {
                (panel.x.range, panel.y.range) = (kept.x.range, kept.y.range);
            }
        }
    } else {
        (figure.x.range, figure.y.range) = (before.x.range, before.y.range);
    }
}

impl Editing {
    /// Returns the position on the screen of the element edited last.
    pub fn place(&self, scene: &Scene) -> Option<(f64, f64)> {
        match self.last? {
            Last::Point { panel, at: (x, y) } => scene.geometry.panel(panel)?.to_px(x, y),
            Last::Cell(cell) => scene.geometry.centre(scene.drawing, scene.grid()?, cell),
        }
    }

    /// Forgets the element edited last.
    pub fn forget(&mut self) {
        self.last = None;
    }

    /// Returns the tool in use.
    pub fn tool(&self, kind: &Kind) -> Option<Tool> {
        let all = tools(kind);
        let first = all.first().map(|(tool, _)| *tool);
        self.tool.filter(|tool| all.iter().any(|(known, _)| known == tool)).or(first)
    }

    /// Handles a press at a pixel; returns true if it holds a point or pixel and must not scroll the page.
    pub fn down(&mut self, scene: &Scene, at: (f64, f64)) -> bool {
        self.gesture = match scene.content() {
            Some(Content::Points(list)) => scene
                .panel_at(at)
                .map(|(panel, plane)| Gesture::Points(points::PointDrag::new((panel, plane), list, at))),
            Some(Content::Pixels(picture)) => {
                pixels::cell(scene, at).map(|_| Gesture::Pixels(pixels::PenStroke::new(picture, at)))
            }
            None => None,
        };
        self.holds()
    }

    /// Handles a movement of the pointer, and its first position after a press. Returns the edit, if anything changes.
    pub fn moved(&mut self, scene: &Scene, at: (f64, f64)) -> Option<Edit> {
        let tool = self.tool(&scene.field.kind)?;
        match self.gesture.as_mut()? {
            Gesture::Points(drag) => {
                let (to, first) = drag.moved(scene, at)?;
                let texts = scene.texts(&Content::Points(drag.list.clone()));
                self.last = Some(Last::Point { panel: drag.panel, at: to });
                Some(Edit { texts, first })
            }
            Gesture::Pixels(stroke) => {
                let first = stroke.moved(scene, tool, at)?;
                Some(Edit { texts: scene.texts(&Content::Pixels(stroke.picture.clone())), first })
            }
        }
    }

    /// Returns true if the pointer holds a point or draws.
    pub fn holds(&self) -> bool {
        match &self.gesture {
            Some(Gesture::Points(drag)) => drag.on.is_some(),
            Some(Gesture::Pixels(_)) => true,
            None => false,
        }
    }

    /// Handles the release of the pointer.
    pub fn up(&mut self, scene: &Scene) -> Released {
        let drag = match self.gesture.take() {
            None => return Released::Clicked(None),
            Some(Gesture::Pixels(_)) => return Released::Settled,
            Some(Gesture::Points(drag)) if drag.dragged && drag.on.is_some() => return Released::Settled,
            Some(Gesture::Points(drag)) if drag.dragged => return Released::Clicked(None),
            Some(Gesture::Points(drag)) => drag,
        };
        let Some(plane) = scene.geometry.panel(drag.panel) else { return Released::Clicked(None) };
        let (panel, at) = (drag.panel, plane.to_data(drag.from.0, drag.from.1));
        let tool = self.tool(&scene.field.kind);
        let list = tool.and_then(|tool| points::clicked(&scene.field.kind, drag.list, tool, drag.on, at));
        Released::Clicked(
            list.map(|list| self.change(scene, &Content::Points(list), Last::Point { panel, at })),
        )
    }

    /// Ends the gesture; returns true if it had changed the form.
    pub fn abandon(&mut self) -> bool {
        match self.gesture.take() {
            Some(Gesture::Points(drag)) => drag.dragged && drag.on.is_some(),
            Some(Gesture::Pixels(stroke)) => stroke.drawn,
            None => false,
        }
    }

    /// Returns true if a press at a pixel would hold a point.
    pub fn grasps(&self, scene: &Scene, at: (f64, f64)) -> bool {
        let Some(Content::Points(list)) = scene.content() else { return false };
        scene.panel_at(at).is_some_and(|(_, plane)| points::under(plane, &list, at).is_some())
    }

    /// Ends the gesture without an edit, because the browser uses the pointer for something else, such as scrolling.
    pub fn cancel(&mut self) {
        self.gesture = None;
    }

    /// Handles a key for the datum at a position: Shift with arrows moves a point or draws, Enter uses the tool, F changes the label of a
    /// point or the state of a pixel, Delete removes it, Insert adds a point beside it. Returns `None` if the key has no function here, and
    /// `Some(None)` if it has one that changes nothing.
    pub fn key(
        &mut self,
        scene: &Scene,
        key: &str,
        shift: bool,
        at: Option<(f64, f64)>,
    ) -> Option<Option<Edit>> {
        let key = Key::of(key, shift)?;
        let tool = self.tool(&scene.field.kind)?;
        let changed = at.zip(scene.content()).and_then(|(at, content)| match content {
            Content::Points(list) => {
                let (panel, plane) = scene.panel_at(at)?;
                points::key(&scene.field.kind, plane, list, tool, key, at)
                    .map(|(list, at)| (Content::Points(list), Last::Point { panel, at }))
            }
            Content::Pixels(picture) => pixels::key(scene, picture, tool, key, at)
                .map(|(picture, cell)| (Content::Pixels(picture), Last::Cell(cell))),
        });
        Some(changed.map(|(content, last)| self.change(scene, &content, last)))
    }

    /// Clears the picture.
    pub fn clear(&mut self, scene: &Scene) -> Option<Edit> {
        let Kind::Pixels { size: (columns, rows), levels, .. } = scene.field.kind else { return None };
        self.last = None;
        let texts = scene.texts(&Content::Pixels(Pixels::blank(columns, rows, levels)));
        Some(Edit { texts, first: true })
    }

    fn change(&mut self, scene: &Scene, content: &Content, last: Last) -> Edit {
        self.last = Some(last);
        Edit { texts: scene.texts(content), first: true }
    }
}

/// Action of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    /// Steps to the right and upwards.
    Move(i8, i8),
    /// Uses the tool.
    Use,
    Insert,
    Delete,
    Next,
}

impl Key {
    fn of(key: &str, shift: bool) -> Option<Self> {
        Some(match (shift, key) {
            (true, "ArrowRight") => Self::Move(1, 0),
            (true, "ArrowLeft") => Self::Move(-1, 0),
            (true, "ArrowUp") => Self::Move(0, 1),
            (true, "ArrowDown") => Self::Move(0, -1),
            (_, "Enter") => Self::Use,
            (_, "Insert") => Self::Insert,
            (_, "Delete" | "Backspace") => Self::Delete,
            (_, "f" | "F") => Self::Next,
            _ => return None,
        })
    }
}

/// Value that is edited.
#[derive(Clone, Debug, PartialEq)]
enum Content {
    /// x, y and label of each; the label is 0 where there are none.
    Points(Vec<[f64; 3]>),
    Pixels(Pixels),
}

impl Content {
    /// Reads a text of the field.
    fn read(field: &Field, text: &str) -> Option<Self> {
        match field.read(text).ok()? {
            Value::Points(list) => Some(Self::Points(list.iter().map(|[x, y]| [*x, *y, 0.0]).collect())),
            Value::Labelled(list) => Some(Self::Points(list)),
            Value::Pixels(picture) => picture.map(Self::Pixels),
            _ => None,
        }
    }
}

impl Scene<'_> {
    /// Returns the points or pixels of the form or, without them, those of the figure, which follows the form with a delay.
    fn content(&self) -> Option<Content> {
        let says = |(key, text): &(String, String)| self.raw.get(key) == Some(text);
        let text = self.raw.get(&self.handles.field).filter(|text| !text.is_empty());
        let own = text.filter(|_| self.handles.with.iter().all(says));
        own.and_then(|text| Content::read(self.field, text))
            .or_else(|| Content::read(self.field, &self.handles.shown))
    }

    /// Returns the texts of the form with this value.
    fn texts(&self, content: &Content) -> Texts {
        let (text, number) = match content {
            Content::Points(list) => (points::text(&self.field.kind, list), list.len()),
            Content::Pixels(picture) => (picture.to_string(), 1),
        };
        let mut texts = vec![(self.handles.field.clone(), text)];
        texts.extend(self.handles.with.iter().cloned());
        texts.extend(self.handles.count.iter().map(|key| (key.clone(), number.to_string())));
        texts
    }

    /// Returns the panel at a pixel and its plane, if its points can be edited.
    fn panel_at(&self, at: (f64, f64)) -> Option<(usize, &PlotGeometry)> {
        self.geometry.panel_at(at).filter(|(panel, _)| self.handles.in_panel(*panel))
    }

    /// Returns the index of the grid whose cells are the pixels.
    fn grid(&self) -> Option<usize> {
        self.drawing.figure.marks.iter().position(|mark| mark.key() == self.handles.grid)
    }
}
