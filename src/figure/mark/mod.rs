//! Marks of a figure, one file per kind.

/// Implements constructors of a sequence of points that are joined by a line, drawn as markers, or both.
macro_rules! line_and_markers {
    ($type:ident, $name:literal $(, $more:ident)*) => {
        impl $type {
            #[doc = concat!("Returns an empty ", $name, " without line and marker.")]
            pub fn new(key: impl Into<String>, label: impl Into<String>, hue: Hue) -> Self {
                Self {
                    info: MarkInfo::new(key, label, hue),
                    stroke: None,
                    marker: None,
                    points: Vec::new(),
                    $($more: None,)*
                }
            }

            /// Joins the points by a line.
            #[must_use]
            pub fn stroke(mut self, stroke: Stroke) -> Self {
                self.stroke = Some(stroke);
                self
            }

            /// Draws a marker at each point.
            #[must_use]
            pub fn marker(mut self, marker: Marker) -> Self {
                self.marker = Some(marker);
                self
            }
        }
    };
}

mod band;
mod bars;
mod contour;
mod curve;
mod ellipses;
mod grid;
mod points;
mod segments;
mod shades;
mod space;
mod threads;

pub use band::{Band, Interval};
pub use bars::{Bar, Bars};
pub use curve::{Curve, Point};
pub use ellipses::{Ellipse, Ellipses};
pub use grid::{Colours, Grid};
pub use points::{Dot, Points};
pub use segments::Segments;
pub use shades::Shades;
pub use space::{Cloud, CrossSection, Tube};
pub use threads::{Thread, Threads};

use serde::{Deserialize, Serialize};

/// A mark. All have a [`MarkInfo`] and data; each datum is drawn, read, tabulated and exported.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Mark {
    Curve(Curve),
    Points(Points),
    Band(Band),
    Bars(Bars),
    Grid(Grid),
    Segments(Segments),
    Ellipses(Ellipses),
    Cloud(Cloud),
    Tube(Tube),
    Threads(Threads),
}

/// Key, label, colour, visibility and state of a mark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MarkInfo {
    /// Stable name, unique in the figure (`theory_clean`), also in the CSV file.
    pub key: String,
    /// Label written beside the mark; empty if the axes are sufficient.
    pub label: String,
    /// Colour.
    pub hue: Hue,
    /// True if it is not drawn until the reader switches it on; table and CSV file contain it in any case.
    pub hidden: bool,
    /// True if its label is not written beside the plot, because a title or a note says what it is.
    pub unnamed: bool,
    /// True if it shows a final result: a mark of a live companion with the same key does not replace it.
    pub settled: bool,
    /// Index of its panel; 0 in a figure without panels.
    pub panel: usize,
    /// Key of the mark whose name and switch it shares, such as the mean in a band; `None` if it has its own.
    pub part_of: Option<String>,
}

impl MarkInfo {
    pub(super) fn new(key: impl Into<String>, label: impl Into<String>, hue: Hue) -> Self {
        Self {
            key: key.into(),
            label: label.into(),
            hue,
            hidden: false,
            unnamed: false,
            settled: false,
            panel: 0,
            part_of: None,
        }
    }
}

/// Colours of Okabe and Ito, distinct for colour-blind readers, and ink. Red is for what is wrong, and never the only sign of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Hue {
    Ink,
    Orange,
    Sky,
    Green,
    Yellow,
    Blue,
    Vermilion,
    Purple,
    Red,
}

/// Line styles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Stroke {
    Solid,
    Dashed,
    Dotted,
    DashDot,
}

/// Markers of points; the open circle is for printed values, and the larger ring goes around other markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Marker {
    Disc,
    Circle,
    Square,
    Diamond,
    Triangle,
    Ring,
    /// Larger disc with a rim of paper, which stands out from what is below it.
    Rimmed,
}

/// A datum of a mark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Datum<'a> {
    /// Abscissa.
    pub x: f64,
    /// Ordinate; for an interval, its middle.
    pub y: f64,
    /// Third coordinate of a point in space.
    pub z: Option<f64>,
    /// Further numbers with their names: columns of the CSV file.
    pub more: [Option<(&'static str, f64)>; 3],
    /// Label; may be empty.
    pub label: &'a str,
}

impl<'a> Datum<'a> {
    pub(super) fn new(x: f64, y: f64) -> Self {
        Self { x, y, z: None, more: [None; 3], label: "" }
    }

    /// Adds a further number if it is present and finite.
    pub(super) fn with(mut self, name: &'static str, value: impl Into<Option<f64>>) -> Self {
        let finite = value.into().filter(|value| value.is_finite());
        if let (Some(value), Some(free)) = (finite, self.more.iter_mut().find(|m| m.is_none())) {
            *free = Some((name, value));
        }
        self
    }

    /// Sets the label.
    pub(super) fn labelled(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// Returns the further number of that name.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.more.iter().flatten().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// Returns the datum if its coordinates are finite.
    fn finite(self) -> Option<Self> {
        (self.x.is_finite() && self.y.is_finite() && self.z.is_none_or(f64::is_finite)).then_some(self)
    }
}

/// Evaluates an expression for the mark of any kind.
macro_rules! each {
    ($mark:expr, $inside:ident => $work:expr) => {
        match $mark {
            Mark::Curve($inside) => $work,
            Mark::Points($inside) => $work,
            Mark::Band($inside) => $work,
            Mark::Bars($inside) => $work,
            Mark::Grid($inside) => $work,
            Mark::Segments($inside) => $work,
            Mark::Ellipses($inside) => $work,
            Mark::Cloud($inside) => $work,
            Mark::Tube($inside) => $work,
            Mark::Threads($inside) => $work,
        }
    };
}

/// Implements the conversion to [`Mark`], `hidden`, `unnamed`, `part_of` and `settled_if` for each kind.
macro_rules! marks {
    ($($mark:ident),*) => {$(
        impl From<$mark> for Mark {
            fn from(mark: $mark) -> Self {
                Self::$mark(mark)
            }
        }

        impl $mark {
            /// Hides the mark until the reader switches it on.
            #[must_use]
            pub fn hidden(self) -> Self {
                self.hidden_if(true)
            }

            /// Hides the mark until the reader switches it on, if `hide` is true.
            #[must_use]
            pub fn hidden_if(mut self, hide: bool) -> Self {
                self.info.hidden = hide;
                self
            }

            /// Leaves out the label beside the plot.
            #[must_use]
            pub fn unnamed(mut self) -> Self {
                self.info.unnamed = true;
                self
            }

            /// Makes it share the name and the switch of the mark with that key.
            #[must_use]
            pub fn part_of(mut self, key: impl Into<String>) -> Self {
                self.info.part_of = Some(key.into());
                self.unnamed()
            }

            /// Keeps the mark where a live companion has one with the same key, if `done` is true.
            #[must_use]
            pub fn settled_if(mut self, done: bool) -> Self {
                self.info.settled = done;
                self
            }
        }
    )*};
}
marks!(Curve, Points, Band, Bars, Grid, Segments, Ellipses, Cloud, Tube, Threads);

impl Mark {
    /// Returns key, label, colour and visibility.
    pub fn info(&self) -> &MarkInfo {
        each!(self, mark => &mark.info)
    }

    /// Returns key, label, colour and visibility for changes.
    pub fn info_mut(&mut self) -> &mut MarkInfo {
        each!(self, mark => &mut mark.info)
    }

    /// Returns the values that the colours of its points show, if they do.
    pub fn shades(&self) -> Option<&Shades> {
        match self {
            Mark::Points(points) => points.shades.as_ref(),
            Mark::Cloud(cloud) => cloud.shades.as_ref(),
            _ => None,
        }
    }

    /// Returns its key.
    pub fn key(&self) -> &str {
        &self.info().key
    }

    /// Returns the number of data, including those that are not finite.
    pub fn len(&self) -> usize {
        each!(self, mark => mark.len())
    }

    /// Returns true if it has no data.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the datum at `index`; `None` beyond the last, and if a coordinate or value is not finite.
    pub fn datum(&self, index: usize) -> Option<Datum<'_>> {
        if index >= self.len() {
            return None;
        }
        // A cell of a grid may have no value.
        let datum = match self {
            Mark::Grid(grid) => grid.datum(index)?,
            Mark::Curve(curve) => curve.datum(index),
            Mark::Points(points) => points.datum(index),
            Mark::Band(band) => band.datum(index),
            Mark::Bars(bars) => bars.datum(index),
            Mark::Segments(segments) => segments.datum(index),
            Mark::Ellipses(ellipses) => ellipses.datum(index),
            Mark::Cloud(cloud) => cloud.datum(index),
            Mark::Tube(tube) => tube.datum(index),
            Mark::Threads(threads) => threads.datum(index),
        };
        datum.finite()
    }

    /// Returns all finite data.
    pub fn data(&self) -> impl Iterator<Item = Datum<'_>> {
        (0..self.len()).filter_map(|index| self.datum(index))
    }

    /// Returns true if all its coordinates and scales are finite. Cells of a grid may have no value.
    pub fn is_finite(&self) -> bool {
        match self {
            Mark::Curve(curve) => curve.points.iter().all(Point::is_finite),
            Mark::Points(points) => {
                points.dots.iter().all(|dot| dot.point.is_finite() && dot.size.is_finite())
            }
            Mark::Band(band) => band.opacity.is_finite() && band.intervals.iter().all(Interval::is_finite),
            Mark::Bars(bars) => bars.width.is_finite() && bars.bars.iter().all(Bar::is_finite),
            Mark::Grid(grid) => grid.is_finite(),
            Mark::Segments(segments) => segments.lines.iter().all(|line| segments::is_finite(line)),
            Mark::Ellipses(all) => all.level.is_finite() && all.ellipses.iter().all(Ellipse::is_finite),
            Mark::Cloud(cloud) => cloud.points.iter().all(space::is_finite),
            Mark::Tube(tube) => tube.sections.iter().all(CrossSection::is_finite),
            Mark::Threads(threads) => threads.is_finite(),
        }
    }

    /// Returns true if its data are measurements; a line without markers is a theory or a guide, and threads are single runs behind
    /// a measurement.
    pub fn is_measured(&self) -> bool {
        match self {
            Mark::Curve(curve) => curve.marker.is_some(),
            Mark::Band(_) | Mark::Segments(_) | Mark::Threads(_) => false,
            _ => true,
        }
    }

    /// Returns true if it has a switch: maps always stay, and part of another mark follows that mark.
    pub fn is_switchable(&self) -> bool {
        !matches!(self, Mark::Grid(_)) && self.info().part_of.is_none()
    }

    /// Returns true if its data are values at abscissae rather than points in the plane or in space.
    pub fn by_abscissa(&self) -> bool {
        match self {
            Mark::Curve(_) | Mark::Points(_) | Mark::Band(_) => true,
            Mark::Bars(bars) => !bars.horizontal,
            _ => false,
        }
    }

    /// Returns the lowest and highest ordinate of its data, including the ends of error bars.
    pub fn vertical_extent(&self) -> Option<(f64, f64)> {
        let ends = |datum: Datum| {
            let se = datum.get("se").unwrap_or(0.0);
            let low = datum.get("lower").unwrap_or(datum.y - se);
            let high = datum.get("upper").unwrap_or(datum.y + se);
            (low.min(high), high.max(low))
        };
        self.data().map(ends).reduce(|(l, h), (low, high)| (l.min(low), h.max(high)))
    }
}
