//! A figure as a value: axes, marks and words, with no drawing in it and nothing of the page.
//!
//! A value can be tested, tabulated and exported; [`crate::render`] draws it, and [`crate::app`] decides what of it is
//! shown.

mod axis;
mod handles;
mod mark;
mod summary;
mod table;

pub use axis::{Axis, Scale};
pub use handles::Handles;
pub use mark::{Colours, Curve, Datum, Entry, Grid, Hue, Mark, Marker, Piece, Point, Stroke};
pub use summary::rounded;
pub use table::{DataTable, tidy_csv};

use serde::{Deserialize, Serialize};

/// One figure with everything a reader needs: what is plotted, in which units, and what it shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Stable name within the model (`curve`); figures of companion tasks with the same id are laid over it.
    pub id: String,
    /// A few words, for the heading and for file names.
    pub title: String,
    /// The caption as a journal would print it.
    pub caption: String,
    /// One sentence with its result, for readers who do not see the picture; [`Figure::described`] adds what each mark shows.
    pub summary: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// What is drawn, first one lowest.
    pub marks: Vec<Mark>,
    /// What of it a person may edit, if anything.
    pub handles: Option<Handles>,
}

impl Figure {
    /// An empty figure in the plane.
    pub fn new(id: impl Into<String>, title: impl Into<String>) -> Self {
        let axis = || Axis::linear("", (0.0, 1.0));
        Self {
            id: id.into(),
            title: title.into(),
            caption: String::new(),
            summary: String::new(),
            x: axis(),
            y: axis(),
            marks: Vec::new(),
            handles: None,
        }
    }

    /// The same figure with this horizontal axis.
    #[must_use]
    pub fn x(mut self, axis: Axis) -> Self {
        self.x = axis;
        self
    }

    /// The same figure with this vertical axis.
    #[must_use]
    pub fn y(mut self, axis: Axis) -> Self {
        self.y = axis;
        self
    }

    /// The same figure with this caption.
    #[must_use]
    pub fn caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = caption.into();
        self
    }

    /// The same figure with this summary.
    #[must_use]
    pub fn summary(mut self, summary: impl Into<String>) -> Self {
        self.summary = summary.into();
        self
    }

    /// The same figure with `words` as caption and summary: of one with nothing to show.
    #[must_use]
    pub fn saying(self, words: impl Into<String>) -> Self {
        let words = words.into();
        self.caption(words.clone()).summary(words)
    }

    /// The same figure with another mark, above those it has.
    #[must_use]
    pub fn mark(mut self, mark: impl Into<Mark>) -> Self {
        self.marks.push(mark.into());
        self
    }

    /// The same figure with more marks, above those it has.
    #[must_use]
    pub fn marks<M: Into<Mark>>(mut self, marks: impl IntoIterator<Item = M>) -> Self {
        self.marks.extend(marks.into_iter().map(Into::into));
        self
    }

    /// The same figure, editable.
    #[must_use]
    pub fn handles(mut self, handles: Handles) -> Self {
        self.handles = Some(handles);
        self
    }

    /// The mark of that key.
    pub fn find(&self, key: &str) -> Option<&Mark> {
        self.marks.iter().find(|mark| mark.key() == key)
    }

    /// The curves among its marks.
    pub fn curves(&self) -> impl DoubleEndedIterator<Item = &Curve> {
        self.marks.iter().filter_map(|mark| if let Mark::Curve(curve) = mark { Some(curve) } else { None })
    }

    /// The curve of that key.
    pub fn curve(&self, key: &str) -> Option<&Curve> {
        self.curves().find(|curve| curve.entry.key == key)
    }

    /// The grids among its marks: maps, or pictures.
    pub fn grids(&self) -> impl DoubleEndedIterator<Item = &Grid> {
        self.marks.iter().filter_map(|mark| if let Mark::Grid(grid) = mark { Some(grid) } else { None })
    }

    /// The value of the uppermost map at a place in data units, and that map.
    pub fn under(&self, x: f64, y: f64) -> Option<(f32, &Grid)> {
        self.grids().rev().find_map(|grid| Some((grid.under(x, y)?, grid)))
    }

    /// Name of a file with that ending: letters and digits of the title, with hyphens between the words.
    pub fn file(&self, ending: &str) -> String {
        let title = self.title.to_ascii_lowercase();
        let words = title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        format!("{}.{ending}", words.collect::<Vec<_>>().join("-"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_plain() {
        let file = |title: &str| Figure::new("f", title).file("csv");
        assert_eq!(file("Exact, sampled"), "exact-sampled.csv");
        assert_eq!(file("P(s) / \"TAP\": 2"), "p-s-tap-2.csv");
    }

    #[test]
    fn a_figure_is_the_same_after_the_way_to_the_page() {
        let figure = Figure::new("f", "all marks")
            .x(Axis::log("x", (0.1, 1.0)))
            .y(Axis::categories("y", vec!["a".into()]))
            .mark(Curve::new("c", "", Hue::Blue).marker(Marker::Disc).points([Point::new(1.0, 2.0)]))
            .mark(Grid::image("g", "", 1, &[0.5, f32::INFINITY], Colours::Probability).hidden());
        let bytes = postcard::to_stdvec(&figure).unwrap();
        assert_eq!(postcard::from_bytes::<Figure>(&bytes).unwrap(), figure);
    }
}
