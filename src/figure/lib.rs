//! Figures as values: axes, marks and words.
//!
//! A value can be tested, tabulated and exported. `render` draws it; `app` chooses which marks are shown.

// Tests compare to within a tolerance.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod axis;
mod handles;
mod mark;
mod panels;
mod records;
mod summary;
mod table;
mod tidy;

pub use axis::{Axis, Scale};
pub use handles::Handles;
pub use mark::{
    Band, Bar, Bars, Cloud, Colours, CrossSection, Curve, Datum, Dot, Ellipse, Ellipses, Grid, Hue, Interval,
    Mark, MarkInfo, Marker, Point, Points, Segments, Shades, Stroke, Thread, Threads, Tube,
};
pub use panels::Panel;
pub use records::{Cell, FileNotation, Records};
pub use summary::{minus, misfit, opening, percent, rounded, unbroken, with_error};
pub use table::DataTable;
pub use tidy::tidy_csv;

use meanfield_math as math;
use serde::{Deserialize, Serialize};

/// A figure: what is plotted, in which units, and what it shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Stable name within the model (`curve`); a figure of a live companion with the same id is laid over it.
    pub id: String,
    /// Title of a few words, for the heading and for file names.
    pub title: String,
    /// Main result in one sentence with its numbers; may be empty.
    pub finding: String,
    /// Caption as a journal would print it, after the finding.
    pub caption: String,
    /// Summary in one sentence for readers who do not see the picture; [`Figure::described`] adds the marks.
    pub summary: String,
    /// Coordinates in which the marks are drawn.
    pub kind: FigureKind,
    /// Horizontal axis; not drawn for small pictures and panels.
    pub x: Axis,
    /// Vertical axis; not drawn for small pictures and panels.
    pub y: Axis,
    /// Marks, the lowest first.
    pub marks: Vec<Mark>,
    /// Words at places in the plane or in space.
    pub notes: Vec<Note>,
    /// Points or pixels that the user may edit.
    pub handles: Option<Handles>,
    /// True if it has the width of the page although it is not the first.
    pub wide: bool,
    /// True if its CSV file is that of the run (`lab::TypedTask::records`) rather than one line per datum.
    pub records: bool,
}

/// Words at a place in the plane or in space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// Index of the panel; 0 in a figure without panels.
    pub panel: usize,
    /// Place in data units; in the plane, the third coordinate is 0.
    pub at: [f64; 3],
    /// A few words.
    pub text: String,
}

/// Coordinates in which the marks of a figure are drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FigureKind {
    /// The plane of both axes. Marks in space are not drawn.
    Plane {
        /// True if a unit has the same length on both axes.
        equal: bool,
    },
    /// Space, seen from a direction that the reader can change. Only marks in space are drawn.
    Space {
        /// The third axis, which points upwards.
        z: Axis,
    },
    /// Small pictures: one per grid, with its label below. Other marks are not drawn.
    Pictures {
        /// Pictures per row; 0 to choose the number with the largest pictures.
        columns: usize,
    },
    /// Several planes with their own marks and axes in place of those of the figure.
    Panels {
        /// Panels, row by row from above.
        panels: Vec<Panel>,
        /// Panels per row; two in a narrow picture.
        columns: usize,
    },
}

impl Figure {
    /// Returns an empty figure in the plane.
    pub fn new(id: impl Into<String>, title: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            title: title.into(),
            finding: String::new(),
            caption: String::new(),
            summary: String::new(),
            kind: FigureKind::Plane { equal: false },
            x: Axis::linear("", (0.0, 1.0)),
            y: Axis::linear("", (0.0, 1.0)),
            marks: Vec::new(),
            notes: Vec::new(),
            handles: None,
            wide: false,
            records: false,
        }
    }

    /// Sets the horizontal axis.
    #[must_use]
    pub fn x(mut self, axis: Axis) -> Self {
        self.x = axis;
        self
    }

    /// Sets the vertical axis.
    #[must_use]
    pub fn y(mut self, axis: Axis) -> Self {
        self.y = axis;
        self
    }

    /// Makes it a figure in space with this third axis.
    #[must_use]
    pub fn z(mut self, axis: Axis) -> Self {
        self.kind = FigureKind::Space { z: axis };
        self
    }

    /// Makes a unit equally long on both axes.
    #[must_use]
    pub fn equal(mut self) -> Self {
        self.kind = FigureKind::Plane { equal: true };
        self
    }

    /// Makes it a figure of small pictures, `columns` per row; 0 to choose the number with the largest pictures.
    #[must_use]
    pub fn pictures(mut self, columns: usize) -> Self {
        self.kind = FigureKind::Pictures { columns };
        self
    }

    /// Sets the finding.
    #[must_use]
    pub fn finding(mut self, finding: impl Into<String>) -> Self {
        self.finding = finding.into();
        self
    }

    /// Sets finding and summary to the same sentence.
    #[must_use]
    pub fn finding_and_summary(self, finding: impl Into<String>) -> Self {
        let finding = finding.into();
        self.finding(finding.clone()).summary(finding)
    }

    /// Adds words at a place in the plane.
    #[must_use]
    pub fn note(self, at: (f64, f64), text: impl Into<String>) -> Self {
        self.note_in_space([at.0, at.1, 0.0], text)
    }

    /// Adds words at a place in space.
    #[must_use]
    pub fn note_in_space(mut self, at: [f64; 3], text: impl Into<String>) -> Self {
        self.notes.push(Note { panel: 0, at, text: text.into() });
        self
    }

    /// Sets the caption.
    #[must_use]
    pub fn caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = caption.into();
        self
    }

    /// Sets the summary.
    #[must_use]
    pub fn summary(mut self, summary: impl Into<String>) -> Self {
        self.summary = summary.into();
        self
    }

    /// Sets caption and summary to the same text.
    #[must_use]
    pub fn saying(self, words: impl Into<String>) -> Self {
        let words = words.into();
        self.caption(words.clone()).summary(words)
    }

    /// Adds a mark above the others.
    #[must_use]
    pub fn mark(mut self, mark: impl Into<Mark>) -> Self {
        self.marks.push(mark.into());
        self
    }

    /// Adds marks above the others.
    #[must_use]
    pub fn marks<M: Into<Mark>>(mut self, marks: impl IntoIterator<Item = M>) -> Self {
        self.marks.extend(marks.into_iter().map(Into::into));
        self
    }

    /// Makes points or pixels editable.
    #[must_use]
    pub fn handles(mut self, handles: Handles) -> Self {
        self.handles = Some(handles);
        self
    }

    /// Gives it the width of the page.
    #[must_use]
    pub fn wide(mut self) -> Self {
        self.wide = true;
        self
    }

    /// Makes the run's file its CSV file.
    #[must_use]
    pub fn with_records(mut self) -> Self {
        self.records = true;
        self
    }

    /// Returns its CSV file: that of its run, returned by `records`, or one line per datum.
    pub fn csv(&self, records: impl FnOnce() -> Option<Records>) -> Records {
        let of_run = self.records.then(records).flatten();
        of_run.unwrap_or_else(|| Records { file: self.file("csv"), csv: tidy_csv(self) })
    }

    /// Returns the mark with that key.
    pub fn find(&self, key: &str) -> Option<&Mark> {
        self.marks.iter().find(|mark| mark.key() == key)
    }

    /// Returns the curves among its marks.
    pub fn curves(&self) -> impl DoubleEndedIterator<Item = &Curve> {
        self.marks.iter().filter_map(|mark| if let Mark::Curve(curve) = mark { Some(curve) } else { None })
    }

    /// Returns the curve with that key.
    pub fn curve(&self, key: &str) -> Option<&Curve> {
        self.curves().find(|curve| curve.info.key == key)
    }

    /// Returns the grids among its marks: maps or pictures.
    pub fn grids(&self) -> impl DoubleEndedIterator<Item = &Grid> {
        self.marks.iter().filter_map(|mark| if let Mark::Grid(grid) = mark { Some(grid) } else { None })
    }

    /// Returns the value of the uppermost map of a panel (0 without panels) at a place in data units, and that map.
    pub fn under(&self, panel: usize, x: f64, y: f64) -> Option<(f32, &Grid)> {
        if matches!(self.kind, FigureKind::Plane { .. } | FigureKind::Panels { .. }) {
            let mut grids = self.grids().rev().filter(|grid| grid.info.panel == panel);
            grids.find_map(|grid| Some((grid.under(x, y)?, grid)))
        } else {
            None
        }
    }

    /// Returns true if its marks are drawn in space.
    pub fn in_space(&self) -> bool {
        matches!(self.kind, FigureKind::Space { .. })
    }

    /// Returns the names of all parts with a coordinate that is not finite: axes, notes, and keys of marks. Cells of a grid may
    /// have no value.
    pub fn non_finite(&self) -> Vec<&str> {
        let z = if let FigureKind::Space { z } = &self.kind { Some(("z axis", z)) } else { None };
        let axes = [("x axis", &self.x), ("y axis", &self.y)].into_iter().chain(z);
        let of_panels =
            self.all_panels().iter().flat_map(|panel| [&panel.x, &panel.y].map(|axis| (&*panel.key, axis)));
        let axes = axes.chain(of_panels);
        let axes = axes.filter(|(_, axis)| !all_finite([axis.range.0, axis.range.1])).map(|(name, _)| name);
        let notes = self.notes.iter().filter(|note| !all_finite(note.at)).map(|note| note.text.as_str());
        let marks = self.marks.iter().filter(|mark| !mark.is_finite()).map(Mark::key);
        axes.chain(notes).chain(marks).collect()
    }

    /// Returns a file name with that extension: letters and digits of the title, with hyphens between words.
    pub fn file(&self, ending: &str) -> String {
        let spelled = [("σ", "sigma"), ("²", "2"), ("β", "beta"), ("κ", "kappa"), ("μ", "mu"), ("ξ", "xi")];
        let title =
            spelled.iter().fold(self.title.to_ascii_lowercase(), |title, (c, name)| title.replace(c, name));
        let words = title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        format!("{}.{ending}", words.collect::<Vec<_>>().join("-"))
    }
}

/// Returns true if all values are finite.
fn all_finite(values: impl IntoIterator<Item = f64>) -> bool {
    values.into_iter().all(f64::is_finite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_that_are_not_finite_are_found() {
        let figure =
            || Figure::new("f", "").mark(Curve::new("c", "", Hue::Blue).points([Point::new(1.0, 2.0)]));
        assert!(figure().non_finite().is_empty());
        let mut damaged = figure().x(Axis::linear("x", (0.0, f64::NAN))).note((0.0, f64::INFINITY), "note");
        let Mark::Curve(curve) = &mut damaged.marks[0] else { panic!("a curve") };
        curve.points.push(Point::new(f64::NAN, 0.0));
        assert_eq!(damaged.non_finite(), ["x axis", "note", "c"]);
        let image = Grid::image("g", "", 1, &[f32::NAN], Colours::Grey { low: 0.0, high: 1.0 });
        assert!(figure().mark(image.clone()).non_finite().is_empty(), "a missing pixel is allowed");
        let extent = Grid { x: (0.0, f64::NAN), ..image };
        assert_eq!(figure().mark(extent).non_finite(), ["g"]);
    }

    #[test]
    fn names_of_files_are_plain() {
        let file = |title: &str| Figure::new("f", title).file("csv");
        assert_eq!(file("Exact, sampled"), "exact-sampled.csv");
        assert_eq!(file("P(s) / \"TAP\": 2"), "p-s-tap-2.csv");
        assert_eq!(file("Errors over σ²"), "errors-over-sigma2.csv");
    }

    #[test]
    fn a_figure_survives_serialisation() {
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
            .mark(Threads::new("l", "", Hue::Ink, [Thread::new("one", [(0.0, 1.0)])]))
            .finding("found")
            .note((0.0, 1.0), "here");
        let axis = || Axis::linear("", (0.0, 1.0));
        let panels = figure.clone().panels(2, [Panel::new("left", axis(), axis()).titled("Left", Hue::Red)]);
        for figure in [figure, panels] {
            let bytes = postcard::to_stdvec(&figure).unwrap();
            assert_eq!(postcard::from_bytes::<Figure>(&bytes).unwrap(), figure);
        }
    }
}
