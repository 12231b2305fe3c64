//! Panels: several planes in one figure.

use serde::{Deserialize, Serialize};

use super::{Axis, Figure, FigureKind, Hue, Mark};

/// A plane in a figure of several planes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Panel {
    /// Stable name, unique in the figure, also in the CSV file.
    pub key: String,
    /// A few words above it; may be empty.
    pub title: String,
    /// Colour of the title.
    pub hue: Hue,
    /// Heading of the row that begins with this panel; may be empty.
    pub row_heading: String,
    /// Horizontal axis. Its numbers are left out if the next panel below has the same axis.
    pub x: Axis,
    /// Vertical axis. Its numbers are left out if the panel at the left has the same axis.
    pub y: Axis,
}

impl Panel {
    /// Returns a panel without a title.
    pub fn new(key: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self { key: key.into(), title: String::new(), hue: Hue::Ink, row_heading: String::new(), x, y }
    }

    /// Sets the title and its colour.
    #[must_use]
    pub fn titled(mut self, title: impl Into<String>, hue: Hue) -> Self {
        (self.title, self.hue) = (title.into(), hue);
        self
    }

    /// Sets the heading of the row that begins with this panel.
    #[must_use]
    pub fn with_row_heading(mut self, words: impl Into<String>) -> Self {
        self.row_heading = words.into();
        self
    }

    /// Returns the title, or the key without one.
    pub fn name(&self) -> &str {
        if self.title.is_empty() { &self.key } else { &self.title }
    }
}

impl Figure {
    /// Makes it a figure of panels, row by row from above, with `columns` in a row; a narrow picture has two in a row. See
    /// [`Figure::on`].
    #[must_use]
    pub fn panels(mut self, columns: usize, panels: impl IntoIterator<Item = Panel>) -> Self {
        self.kind = FigureKind::Panels { panels: panels.into_iter().collect(), columns: columns.max(1) };
        self
    }

    /// Adds marks above the others of a panel, given by its index.
    #[must_use]
    pub fn on<M: Into<Mark>>(mut self, panel: usize, marks: impl IntoIterator<Item = M>) -> Self {
        self.marks.extend(marks.into_iter().map(|mark| {
            let mut mark = mark.into();
            mark.info_mut().panel = panel;
            mark
        }));
        self
    }

    /// Adds words at a place in a panel.
    #[must_use]
    pub fn note_on(self, panel: usize, at: (f64, f64), text: impl Into<String>) -> Self {
        let mut figure = self.note(at, text);
        if let Some(note) = figure.notes.last_mut() {
            note.panel = panel;
        }
        figure
    }

    /// Returns its panels; none of a figure of another kind.
    pub fn all_panels(&self) -> &[Panel] {
        if let FigureKind::Panels { panels, .. } = &self.kind { panels } else { &[] }
    }

    /// Returns the axes of a panel, or of a figure without panels.
    pub fn axes(&self, panel: usize) -> (&Axis, &Axis) {
        self.all_panels().get(panel).map_or((&self.x, &self.y), |panel| (&panel.x, &panel.y))
    }

    /// Extends the axes to include those of `other`, panel by panel.
    pub fn widen(&mut self, other: &Self) {
        self.x.widen(&other.x);
        self.y.widen(&other.y);
        if let FigureKind::Panels { panels, .. } = &mut self.kind {
            for (panel, other) in panels.iter_mut().zip(other.all_panels()) {
                panel.x.widen(&other.x);
                panel.y.widen(&other.y);
            }
        }
    }

    /// Takes the titles of those panels of `other` whose index is accepted.
    pub fn retitle(&mut self, other: &Self, accepts: impl Fn(usize) -> bool) {
        if let FigureKind::Panels { panels, .. } = &mut self.kind {
            let pairs = panels.iter_mut().zip(other.all_panels()).enumerate();
            for (_, (panel, other)) in pairs.filter(|(index, _)| accepts(*index)) {
                panel.title.clone_from(&other.title);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Curve, Point};
    use super::*;

    fn figure(high: f64) -> Figure {
        let axis = |label: &str, high| Axis::linear(label, (0.0, high));
        let panels = ["a", "b"].map(|key| Panel::new(key, axis("u", 1.0), axis("v", high)));
        Figure::new("f", "").panels(2, panels)
    }

    #[test]
    fn marks_and_axes_belong_to_a_panel() {
        let curve = Curve::new("c", "", Hue::Ink).points([Point::new(0.5, 0.5)]);
        let figure = figure(2.0).on(1, [curve]).note_on(1, (0.5, 0.5), "here");
        assert_eq!((figure.marks[0].info().panel, figure.notes[0].panel), (1, 1));
        assert_eq!(figure.axes(1).1.range, (0.0, 2.0));
        assert_eq!(figure.axes(2).1.label, "", "beyond the panels, the axes are those of the figure");
    }

    #[test]
    fn axes_are_widened_panel_by_panel() {
        let mut narrow = figure(2.0);
        narrow.widen(&figure(3.0));
        assert!(narrow.all_panels().iter().all(|panel| panel.y.range == (0.0, 3.0)));
        assert_eq!(narrow.y.range, (0.0, 1.0));
    }

    #[test]
    fn axes_of_panels_must_be_finite() {
        assert_eq!(figure(f64::NAN).non_finite(), ["a", "b"]);
    }
}
