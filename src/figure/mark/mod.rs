//! What is drawn in a figure: one file for each kind of mark.

/// What points in the plane and in space have in common: a line through them, signs at them, or both.
macro_rules! line_and_signs {
    ($type:ident, $what:literal) => {
        impl $type {
            #[doc = concat!("An empty ", $what, " in one colour, with neither line nor marker yet.")]
            pub fn new(key: impl Into<String>, label: impl Into<String>, hue: Hue) -> Self {
                Self { entry: Entry::new(key, label, hue), stroke: None, marker: None, points: Vec::new() }
            }

            /// The same with a line through its points.
            #[must_use]
            pub fn stroke(mut self, stroke: Stroke) -> Self {
                self.stroke = Some(stroke);
                self
            }

            /// The same with a sign at each point.
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
mod curve;
mod ellipses;
mod grid;
mod points;
mod segments;
mod space;

pub use band::{Band, Interval};
pub use bars::{Bar, Bars};
pub use curve::{Curve, Point};
pub use ellipses::{Ellipse, Ellipses};
pub use grid::{Colours, Grid, Piece};
pub use points::{Dot, Points};
pub use segments::Segments;
pub use space::{Cloud, Section, Tube};

use serde::{Deserialize, Serialize};

/// One mark. All have an [`Entry`] and data; each datum is drawn, read, tabulated and exported.
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
}

/// What legend, buttons, table and CSV know of a mark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Stable name (`theory_clean`), also in the CSV; no two marks of a figure have the same.
    pub key: String,
    /// What it is, in words; written beside it. Empty where the axes say it.
    pub label: String,
    /// Which colour of the palette.
    pub hue: Hue,
    /// Not drawn until a reader asks for it; table and CSV have it in any case.
    pub hidden: bool,
}

impl Entry {
    pub(super) fn new(key: impl Into<String>, label: impl Into<String>, hue: Hue) -> Self {
        Self::of(key.into(), label.into(), hue)
    }

    /// Not inlined: figures are built in many places.
    #[inline(never)]
    fn of(key: String, label: String, hue: Hue) -> Self {
        Self { key, label, hue, hidden: false }
    }
}

/// The Okabe–Ito colours, which stay apart for colour-blind readers, and plain ink.
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

/// Signs at the points; open ones are for printed values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Marker {
    Disc,
    Circle,
    Square,
    Diamond,
    Triangle,
}

/// One datum of a mark: where it is, its other numbers by name, and its label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Datum<'a> {
    /// Abscissa.
    pub x: f64,
    /// Ordinate; the middle of an interval.
    pub y: f64,
    /// Third coordinate, in space.
    pub z: Option<f64>,
    /// Other numbers with their names: columns of the CSV.
    pub more: [Option<(&'static str, f64)>; 3],
    /// Its own label; empty for none.
    pub label: &'a str,
}

impl<'a> Datum<'a> {
    pub(super) fn new(x: f64, y: f64) -> Self {
        Self { x, y, z: None, more: [None; 3], label: "" }
    }

    /// The same datum with `value` under `name`, if there is one.
    pub(super) fn with(mut self, name: &'static str, value: impl Into<Option<f64>>) -> Self {
        let finite = value.into().filter(|value| value.is_finite());
        if let (Some(value), Some(place)) = (finite, self.more.iter_mut().find(|m| m.is_none())) {
            *place = Some((name, value));
        }
        self
    }

    pub(super) fn labelled(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    /// The number of that name.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.more.iter().flatten().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// Itself, unless it has no place.
    fn finite(self) -> Option<Self> {
        (self.x.is_finite() && self.y.is_finite() && self.z.is_none_or(f64::is_finite)).then_some(self)
    }
}

/// Dispatches to the mark inside.
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
        }
    };
}

/// What every mark can do.
macro_rules! marks {
    ($($mark:ident),*) => {$(
        impl From<$mark> for Mark {
            fn from(mark: $mark) -> Self {
                Self::$mark(mark)
            }
        }

        impl $mark {
            /// The same mark, not drawn until a reader asks for it.
            #[must_use]
            pub fn hidden(mut self) -> Self {
                self.entry.hidden = true;
                self
            }
        }
    )*};
}
marks!(Curve, Points, Band, Bars, Grid, Segments, Ellipses, Cloud, Tube);

impl Mark {
    /// Its key, label and colour.
    pub fn entry(&self) -> &Entry {
        each!(self, mark => &mark.entry)
    }

    /// The same, to be changed.
    pub fn entry_mut(&mut self) -> &mut Entry {
        each!(self, mark => &mut mark.entry)
    }

    /// Its key.
    pub fn key(&self) -> &str {
        &self.entry().key
    }

    /// How many data it has, those that are not finite included.
    pub fn len(&self) -> usize {
        each!(self, mark => mark.len())
    }

    /// Whether it has no data.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The datum at `index`; `None` beyond the last, and where a coordinate or value is not finite.
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
        };
        datum.finite()
    }

    /// All data that are finite.
    pub fn data(&self) -> impl Iterator<Item = Datum<'_>> {
        (0..self.len()).filter_map(|index| self.datum(index))
    }

    /// Whether its data are measurements, where a line alone is a theory or a guide.
    pub fn measured(&self) -> bool {
        match self {
            Mark::Curve(curve) => curve.marker.is_some(),
            Mark::Band(_) | Mark::Segments(_) => false,
            _ => true,
        }
    }

    /// Whether a reader may switch it off: a map is what the other marks lie on.
    pub fn switchable(&self) -> bool {
        !matches!(self, Mark::Grid(_))
    }

    /// Whether its data are values at abscissae, one row of a table each, rather than places in the plane or in space.
    pub fn by_abscissa(&self) -> bool {
        match self {
            Mark::Curve(_) | Mark::Points(_) | Mark::Band(_) => true,
            Mark::Bars(bars) => !bars.horizontal,
            _ => false,
        }
    }

    /// The lowest and highest ordinate of its data, the upper end of an error bar included.
    pub fn vertical_extent(&self) -> Option<(f64, f64)> {
        let ends = |datum: Datum| {
            let low = datum.get("lower").unwrap_or(datum.y);
            let high = datum.get("upper").unwrap_or(datum.y + datum.get("se").unwrap_or(0.0));
            (low.min(high), high.max(low))
        };
        self.data().map(ends).reduce(|(l, h), (low, high)| (l.min(low), h.max(high)))
    }
}
