//! A figure as a value: axes, marks and words, with no drawing in it and nothing of the page.
//!
//! A value can be tested, tabulated and exported; `render` draws it, and `app` decides what of it is
//! shown.

// Tests compare to within a tolerance.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod axis;
mod handles;
mod mark;
mod records;
mod summary;
mod table;

pub use axis::{Axis, Scale};
pub use handles::Handles;
pub use mark::{
    Band, Bar, Bars, Cloud, Colours, Curve, Datum, Dot, Ellipse, Ellipses, Entry, Grid, Hue, Interval, Mark,
    Marker, Piece, Point, Points, Section, Segments, Stroke, Tube,
};
pub use records::Records;
pub use summary::{minus, rounded};
pub use table::{DataTable, tidy_csv};

use std::ops::{Deref, DerefMut};

use meanfield_math as math;
use serde::{Deserialize, Serialize};

/// One figure with everything a reader needs: what is plotted, in which units, and what it shows. It is large and is handed from
/// builder to builder, so its contents are elsewhere: that makes a model's program several kilobytes smaller.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure(Box<Contents>);

impl Deref for Figure {
    type Target = Contents;
    fn deref(&self) -> &Contents {
        &self.0
    }
}

impl DerefMut for Figure {
    fn deref_mut(&mut self) -> &mut Contents {
        &mut self.0
    }
}

/// What is in a figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contents {
    /// Stable name within the model (`curve`); figures of companion tasks with the same id are laid over it.
    pub id: String,
    /// A few words, for the heading and for file names.
    pub title: String,
    /// What it shows, in one sentence with its numbers; empty for none.
    pub finding: String,
    /// The caption as a journal would print it, after the finding.
    pub caption: String,
    /// One sentence with its result, for readers who do not see the picture; [`Figure::described`] adds what each mark shows.
    pub summary: String,
    /// What the marks are drawn in.
    pub coordinates: Coordinates,
    /// Horizontal axis; of small pictures it is not drawn.
    pub x: Axis,
    /// Vertical axis; of small pictures it is not drawn.
    pub y: Axis,
    /// What is drawn, first one lowest.
    pub marks: Vec<Mark>,
    /// Words at places in the plane or in space.
    pub notes: Vec<Note>,
    /// What of it the user may edit, if anything.
    pub handles: Option<Handles>,
    /// Its CSV file is that of the run (`lab::Run::records`), not one line for each datum.
    pub records: bool,
}

/// Words at a place in the plane or in space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// What they are about, in data units; in a plane the last one is 0.
    pub at: [f64; 3],
    /// A few words.
    pub text: String,
}

/// What marks are drawn in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Coordinates {
    /// The plane of both axes. Marks in space are not drawn.
    Plane {
        /// Whether a unit is as long on both axes.
        equal: bool,
    },
    /// Space, seen along a direction that a reader can turn. Only marks in space are drawn.
    Space {
        /// The third axis, which points upwards.
        z: Axis,
    },
    /// Many small pictures: each grid is one, with its label below. Other marks are not drawn.
    Pictures {
        /// Pictures in a row; 0 for as many as look best.
        columns: usize,
    },
}

/// Not inlined: figures are built in many places.
#[inline(never)]
fn replace<T>(old: &mut T, new: T) {
    *old = new;
}

/// The same.
#[inline(never)]
fn push(marks: &mut Vec<Mark>, mark: Mark) {
    marks.push(mark);
}

impl Figure {
    /// An empty figure in the plane.
    pub fn new(id: impl Into<String>, title: impl Into<String>) -> Self {
        let axis = || Axis::linear("", (0.0, 1.0));
        Self(Box::new(Contents {
            id: id.into(),
            title: title.into(),
            finding: String::new(),
            caption: String::new(),
            summary: String::new(),
            coordinates: Coordinates::Plane { equal: false },
            x: axis(),
            y: axis(),
            marks: Vec::new(),
            notes: Vec::new(),
            handles: None,
            records: false,
        }))
    }

    /// What is in it.
    pub fn into_contents(self) -> Contents {
        *self.0
    }

    /// The same figure with this horizontal axis.
    #[must_use]
    pub fn x(mut self, axis: Axis) -> Self {
        replace(&mut self.x, axis);
        self
    }

    /// The same figure with this vertical axis.
    #[must_use]
    pub fn y(mut self, axis: Axis) -> Self {
        replace(&mut self.y, axis);
        self
    }

    /// The same figure in space, with this third axis.
    #[must_use]
    pub fn z(mut self, axis: Axis) -> Self {
        self.coordinates = Coordinates::Space { z: axis };
        self
    }

    /// The same figure with a unit as long on both axes.
    #[must_use]
    pub fn equal(mut self) -> Self {
        self.coordinates = Coordinates::Plane { equal: true };
        self
    }

    /// The same figure as small pictures, `columns` in a row; 0 for as many as look best.
    #[must_use]
    pub fn pictures(mut self, columns: usize) -> Self {
        self.coordinates = Coordinates::Pictures { columns };
        self
    }

    /// The same figure with this finding.
    #[must_use]
    pub fn finding(mut self, finding: impl Into<String>) -> Self {
        replace(&mut self.finding, finding.into());
        self
    }

    /// The same figure with this finding, which is its summary as well.
    #[must_use]
    pub fn found(self, finding: impl Into<String>) -> Self {
        let finding = finding.into();
        self.finding(finding.clone()).summary(finding)
    }

    /// The same figure with words above a place in the plane.
    #[must_use]
    pub fn note(self, at: (f64, f64), text: impl Into<String>) -> Self {
        self.note_in_space([at.0, at.1, 0.0], text)
    }

    /// The same figure with words above a place in space.
    #[must_use]
    pub fn note_in_space(mut self, at: [f64; 3], text: impl Into<String>) -> Self {
        self.notes.push(Note { at, text: text.into() });
        self
    }

    /// The same figure with this caption.
    #[must_use]
    pub fn caption(mut self, caption: impl Into<String>) -> Self {
        replace(&mut self.caption, caption.into());
        self
    }

    /// The same figure with this summary.
    #[must_use]
    pub fn summary(mut self, summary: impl Into<String>) -> Self {
        replace(&mut self.summary, summary.into());
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
        push(&mut self.marks, mark.into());
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

    /// The same figure with the run's file as its CSV.
    #[must_use]
    pub fn with_records(mut self) -> Self {
        self.records = true;
        self
    }

    /// Its CSV file: that of its run, which `records` answers, or one line for each datum.
    pub fn csv(&self, records: impl FnOnce() -> Option<Records>) -> Records {
        let of_run = self.records.then(records).flatten();
        of_run.unwrap_or_else(|| Records { file: self.file("csv"), csv: tidy_csv(self) })
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
        if matches!(self.coordinates, Coordinates::Plane { .. }) {
            self.grids().rev().find_map(|grid| Some((grid.under(x, y)?, grid)))
        } else {
            None
        }
    }

    /// Whether its marks are drawn in space.
    pub fn in_space(&self) -> bool {
        matches!(self.coordinates, Coordinates::Space { .. })
    }

    /// Name of a file with that ending: letters and digits of the title, with hyphens between the words.
    pub fn file(&self, ending: &str) -> String {
        let spelled = [("σ", "sigma"), ("²", "2"), ("β", "beta"), ("κ", "kappa"), ("μ", "mu"), ("ξ", "xi")];
        let title =
            spelled.iter().fold(self.title.to_ascii_lowercase(), |title, (c, name)| title.replace(c, name));
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
        assert_eq!(file("Errors over σ²"), "errors-over-sigma2.csv");
    }

    #[test]
    fn a_figure_is_the_same_after_the_way_to_the_page() {
        let figure = Figure::new("f", "all marks")
            .x(Axis::log("x", (0.1, 1.0)))
            .y(Axis::categories("y", vec!["a".into()]))
            .z(Axis::linear("z", (0.0, 1.0)))
            .mark(Curve::new("c", "", Hue::Blue).marker(Marker::Disc).points([Point::new(1.0, 2.0)]))
            .mark(Points::new("p", "", Hue::Sky, Marker::Circle, [Dot::new(Point::new(0.1, 0.2), "dot")]))
            .mark(Band::new("b", "", Hue::Green, [Interval { x: 0.0, lower: 1.0, upper: 2.0 }]).hidden())
            .mark(Bars::new("h", "", Hue::Green, 0.5, [Bar::new(1.0, 2.0).with_se(0.1)]).horizontal())
            .mark(Grid::image("g", "", 1, &[0.5, f32::INFINITY], Colours::Grey { low: 0.0, high: 1.0 }))
            .mark(Segments::new("s", "", Hue::Ink, Stroke::Dashed, [[(0.0, 0.0), (1.0, 1.0)]]))
            .mark(Ellipses::new("e", "", Hue::Ink, 2.0, []))
            .mark(Cloud::new("cloud", "", Hue::Ink).stroke(Stroke::Solid).points([[1.0, 2.0, 3.0]]))
            .mark(Tube::new("t", "", Hue::Ink, []))
            .finding("found")
            .note((0.0, 1.0), "here");
        let bytes = postcard::to_stdvec(&figure).unwrap();
        assert_eq!(postcard::from_bytes::<Figure>(&bytes).unwrap(), figure);
    }
}
