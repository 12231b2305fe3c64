//! A figure as a value: axes, curves and words, with no drawing in it.
//!
//! A value can be tested, tabulated, exported and laid over another; [`crate::render`] draws it.

mod handles;
mod heat;
mod table;

pub use handles::Handles;
pub use heat::HeatMap;
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
    /// One sentence for who cannot see the picture, with its numbers.
    pub summary: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// What lies under the curves, if anything.
    pub heat: Option<HeatMap>,
    /// Which of its points a person may move, if any.
    pub handles: Option<Handles>,
    /// What is drawn, first one lowest.
    pub curves: Vec<Curve>,
}

/// One axis: its words, scale and range in data units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// Words and symbol, `examples per weight, α = m/N`.
    pub label: String,
    /// Linear or logarithmic.
    pub scale: Scale,
    /// The scales a reader may choose from; one entry where only one makes sense.
    pub scales: Vec<Scale>,
    /// Smallest and largest value shown, in data units, on a linear scale.
    pub range: (f64, f64),
    /// What stands at 1, 2, 3, … where that is no number but a name; empty on an axis of numbers.
    pub names: Vec<String>,
}

/// How data become distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scale {
    /// Equal differences are equal distances.
    Linear,
    /// Equal ratios are equal distances; values ≤ 0 are not drawn.
    Log,
}

/// A named sequence of points, drawn as a line, as markers or as both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Stable name (`theory_clean`), also the column of the CSV.
    pub key: String,
    /// What it is, in words; written beside the curve.
    pub label: String,
    /// Which colour of the palette.
    pub hue: Hue,
    /// The line through the points, if any.
    pub stroke: Option<Stroke>,
    /// The sign at each point, if any.
    pub marker: Option<Marker>,
    /// Drawn faint, because it belongs to other settings than those now chosen.
    pub stale: bool,
    /// Whether it is drawn and read; table and CSV have it in any case.
    pub shown: bool,
    /// Drawn with little weight and no bars, to compare another curve with.
    pub thin: bool,
    /// What stands beside the curve where that is not its label; empty for nothing.
    pub tag: Option<String>,
    /// In order of x.
    pub points: Vec<Point>,
}

/// One point in data units; `se` is one standard error of `y` where it is an average.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Abscissa.
    pub x: f64,
    /// Ordinate.
    pub y: f64,
    /// One standard error of `y`, or `None` where `y` is exact.
    pub se: Option<f64>,
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

impl Axis {
    /// A linear axis over `range`.
    pub fn linear(label: impl Into<String>, range: (f64, f64)) -> Self {
        Self {
            label: label.into(),
            scale: Scale::Linear,
            scales: vec![Scale::Linear],
            range,
            names: Vec::new(),
        }
    }

    /// The same axis with names at 1, 2, 3, ….
    #[must_use]
    pub fn named(mut self, names: Vec<String>) -> Self {
        self.names = names;
        self
    }

    /// The name at `x`, if there is one.
    pub fn name(&self, x: f64) -> Option<&str> {
        let at = self.names.get((x - 1.0) as usize).filter(|_| x >= 1.0 && x.fract() == 0.0);
        at.map(String::as_str)
    }

    /// The same axis, on which a reader may choose a logarithmic scale.
    #[must_use]
    pub fn or_log(mut self) -> Self {
        self.scales = vec![Scale::Linear, Scale::Log];
        self
    }

    /// Makes room on a vertical axis for points of `curves` that lie beyond it, and for bars above: the range stays as it is while
    /// they fit.
    pub fn hold(&mut self, curves: &[Curve]) {
        let margin = 0.02 * (self.range.1 - self.range.0);
        for point in curves.iter().flat_map(|curve| &curve.points) {
            if point.y < self.range.0 {
                self.range.0 = point.y - margin;
            }
            let top = point.y + point.se.unwrap_or(0.0);
            if top > self.range.1 {
                self.range.1 = top + margin;
            }
        }
    }

    /// Shows what `other` shows, too.
    pub fn widen(&mut self, other: &Self) {
        self.range = (self.range.0.min(other.range.0), self.range.1.max(other.range.1));
    }
}

impl Curve {
    /// An empty curve in one colour, with neither line nor marker yet.
    pub fn new(key: impl Into<String>, label: impl Into<String>, hue: Hue) -> Self {
        Self {
            key: key.into(),
            label: label.into(),
            hue,
            stroke: None,
            marker: None,
            stale: false,
            shown: true,
            thin: false,
            tag: None,
            points: Vec::new(),
        }
    }

    /// The same curve with a line through its points.
    #[must_use]
    pub fn stroke(mut self, stroke: Stroke) -> Self {
        self.stroke = Some(stroke);
        self
    }

    /// The same curve with a sign at each point.
    #[must_use]
    pub fn marker(mut self, marker: Marker) -> Self {
        self.marker = Some(marker);
        self
    }

    /// The same curve, not drawn until a reader asks for it.
    #[must_use]
    pub fn hidden(mut self) -> Self {
        self.shown = false;
        self
    }

    /// What stands beside the curve.
    pub fn name(&self) -> &str {
        self.tag.as_deref().unwrap_or(&self.label)
    }

    /// The same curve with these points, put in order of x; those that are not finite are left out.
    #[must_use]
    pub fn points(mut self, points: impl IntoIterator<Item = Point>) -> Self {
        self.points.clear();
        for p in points.into_iter().filter(|p| p.x.is_finite() && p.y.is_finite()) {
            // They mostly come in order, and then this only appends; a library sort would be 4 kB of the page.
            let place = self.points.partition_point(|before| before.x <= p.x);
            self.points.insert(place, p);
        }
        self
    }
}

impl Figure {
    /// This figure with the curves of `top` in place of its own of the same key, and the others after them.
    /// Axes and words stay its own; ranges grow to hold both.
    #[must_use]
    pub fn overlaid(mut self, top: Figure) -> Self {
        for curve in top.curves {
            match self.curves.iter_mut().find(|c| c.key == curve.key) {
                Some(old) => *old = curve,
                None => self.curves.push(curve),
            }
        }
        self.heat = top.heat.or(self.heat);
        self.handles = top.handles.or(self.handles);
        self.x.widen(&top.x);
        self.y.widen(&top.y);
        self
    }

    /// The same figure with every curve drawn faint.
    #[must_use]
    pub fn stale(mut self) -> Self {
        self.curves.iter_mut().for_each(|c| c.stale = true);
        self.heat.iter_mut().for_each(|map| map.stale = true);
        self
    }
}

/// Layers of one or more tasks as one list of figures: those with an id already there are laid over it.
pub fn overlay(layers: impl IntoIterator<Item = Figure>) -> Vec<Figure> {
    let mut figures: Vec<Figure> = Vec::new();
    for figure in layers {
        match figures.iter_mut().find(|f| f.id == figure.id) {
            Some(base) => *base = base.clone().overlaid(figure),
            None => figures.push(figure),
        }
    }
    figures
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(key: &str, y: f64) -> Figure {
        Figure {
            id: "curve".into(),
            title: String::new(),
            caption: String::new(),
            summary: String::new(),
            x: Axis::linear("x", (0.0, 1.0)),
            y: Axis::linear("y", (0.0, y)),
            heat: None,
            handles: None,
            curves: vec![Curve::new(key, key, Hue::Ink).points([Point { x: 0.5, y, se: None }])],
        }
    }

    #[test]
    fn a_curve_of_the_same_key_is_replaced_and_another_is_added() {
        let same = overlay([figure("a", 1.0), figure("a", 2.0)]);
        assert_eq!(same.len(), 1);
        assert_eq!(same[0].curves.len(), 1);
        assert_eq!(same[0].curves[0].points[0].y, 2.0);
        assert_eq!(same[0].y.range, (0.0, 2.0));
        let two = overlay([figure("a", 1.0), figure("b", 2.0)]);
        assert_eq!(two[0].curves.len(), 2);
    }

    #[test]
    fn an_axis_makes_room_only_for_what_lies_beyond_it() {
        let mut axis = Axis::linear("y", (0.0, 0.5));
        let mut curve = Curve::new("a", "a", Hue::Ink).points([Point { x: 0.0, y: 0.45, se: Some(0.04) }]);
        axis.hold(std::slice::from_ref(&curve));
        assert_eq!(axis.range, (0.0, 0.5));
        curve.points.push(Point { x: 1.0, y: 0.49, se: Some(0.1) });
        curve.points.push(Point { x: 2.0, y: -0.2, se: None });
        axis.hold(&[curve]);
        assert!((axis.range.0 + 0.21).abs() < 1e-12 && (axis.range.1 - 0.6).abs() < 1e-12, "{axis:?}");
    }

    #[test]
    fn points_that_are_not_finite_are_left_out() {
        let c = Curve::new("a", "a", Hue::Ink).points([
            Point { x: 1.0, y: f64::NAN, se: None },
            Point { x: f64::INFINITY, y: 0.0, se: None },
            Point { x: 1.0, y: 2.0, se: None },
        ]);
        assert_eq!(c.points.len(), 1);
    }
}
