//! Pinned runs, with which the current one is compared: their different settings, and their marks under a figure.

use crate::data::counted;
use crate::figure::{Figure, FigureKind, Grid, Hue, Mark, Segments, Stroke};
use crate::lab::{Field, Kind, Raw, Value, Values};
use crate::render::{Drawing, MarkStyle};

/// Largest number of pins of a task: no more can be told apart in a figure.
pub const MAX_PINS: usize = 4;
/// Line styles of the pins, by number.
const STROKES: [Stroke; MAX_PINS] = [Stroke::Solid, Stroke::Dashed, Stroke::DashDot, Stroke::Dotted];
/// Colours of the pins, by number.
const COLOURS: [Hue; MAX_PINS] = [Hue::Ink, Hue::Purple, Hue::Sky, Hue::Yellow];
/// Largest number of settings in a label.
const NAMED: usize = 2;
/// Longest value in labels and tables, in characters.
const LONG: usize = 24;

#[derive(Clone, Debug)]
struct Pin {
    /// Number from 1; that of a removed pin is used again.
    number: usize,
    /// Id of its task.
    task: &'static str,
    values: Values,
    figures: Vec<Figure>,
}

/// Pinned runs of all tasks.
#[derive(Clone, Debug, Default)]
pub struct Pins(Vec<Pin>);

/// Settings that differ between the pins and the current run.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Label of each setting.
    pub columns: Vec<&'static str>,
    /// One row for each pin, by number, and last the current run (`None`).
    pub rows: Vec<(Option<usize>, Vec<String>)>,
}

impl Comparison {
    /// Returns the number of pins.
    pub fn pins(&self) -> usize {
        self.rows.iter().filter(|(number, _)| number.is_some()).count()
    }
}

impl Pins {
    /// Pins a run, once, and returns its number; `None` if the task has [`MAX_PINS`] pins already.
    pub fn add(&mut self, task: &'static str, values: Values, figures: Vec<Figure>) -> Option<usize> {
        if let Some(kept) = self.of(task).find(|pin| pin.values == values) {
            return Some(kept.number);
        }
        let number = (1..=MAX_PINS).find(|number| self.find(task, *number).is_none())?;
        let place = self.0.partition_point(|pin| pin.number < number);
        self.0.insert(place, Pin { number, task, values, figures });
        Some(number)
    }

    /// Removes a pin.
    pub fn remove(&mut self, task: &str, number: usize) {
        self.0.retain(|pin| pin.task != task || pin.number != number);
    }

    /// Returns the settings of a pin.
    pub fn settings(&self, task: &str, number: usize) -> Option<Raw> {
        self.find(task, number).map(|pin| pin.values.to_raw())
    }

    /// Compares the settings of the pins of a task and of its current run.
    pub fn compared(&self, task: &str, fields: &'static [Field], present: Option<&Values>) -> Comparison {
        let differing = self.differing(task, fields, present);
        let cells = |values: &Values| differing.iter().map(|field| read(field, values)).collect();
        let pins = self.of(task).map(|pin| (Some(pin.number), cells(&pin.values)));
        Comparison {
            columns: differing.iter().map(|field| field.label).collect(),
            rows: pins.chain(present.map(|values| (None, cells(values)))).collect(),
        }
    }

    /// Adds the pins of the task below the marks of a figure, each thin and with its own line style.
    pub fn lay_under(
        &self,
        drawing: &mut Drawing,
        task: &str,
        fields: &'static [Field],
        present: Option<&Values>,
    ) {
        let differing = self.differing(task, fields, present);
        let mut below: Vec<(Mark, MarkStyle)> = Vec::new();
        for pin in self.of(task) {
            let figure = &drawing.figure;
            // A setting may change the meaning of an axis; such figures are not compared.
            let same = |kept: &&Figure| {
                kept.id == figure.id && kept.x.label == figure.x.label && kept.y.label == figure.y.label
            };
            let Some(kept) = pin.figures.iter().find(same) else { continue };
            let mut name = format!("Pin {}", pin.number);
            for (i, field) in differing.iter().take(NAMED).enumerate() {
                let between = if i == 0 { ": " } else { ", " };
                let setting = if field.symbol.is_empty() { field.label } else { field.symbol };
                name = format!("{name}{between}{setting}\u{a0}{}", read(field, &pin.values));
            }
            if differing.len() > NAMED {
                name += ", …";
            }
            // Maps are compared by their contours: the points of two maps could not be told apart.
            if figure.grids().next().is_some() {
                if matches!(figure.kind, FigureKind::Plane { .. }) {
                    let maps = kept.grids().filter(|map| !map.contours.is_empty());
                    below
                        .extend(maps.map(|map| (contours(map, pin.number, &name), named(pin.number, &name))));
                }
                continue;
            }
            // Marks that the user has switched off are hidden in the pins as well.
            let shown = |mark: &&Mark| {
                let now = figure.marks.iter().position(|now| now.key() == mark.key());
                now.map_or(!mark.info().hidden, |now| drawing.shows(now))
            };
            // Points that can be edited are given, and what is fitted to them is compared.
            let given = figure.handles.is_some() && matches!(figure.kind, FigureKind::Plane { .. });
            let any = kept.marks.iter().any(Mark::is_measured);
            let is_result = |mark: &&Mark| match mark {
                Mark::Curve(_) if given => !mark.is_measured(),
                _ => !given && (mark.is_measured() || !any),
            };
            let results = kept.marks.iter().filter(is_result);
            let results =
                results.filter(|mark| !matches!(mark, Mark::Bars(_) | Mark::Ellipses(_))).filter(shown);
            below.extend(results.map(|mark| (pinned(mark, pin.number, &name), thin(pin.number))));
            // The curve drawn last is the main one and has the name.
            if let Some((_, main)) = below.last_mut() {
                main.name = Some(name);
            }
            drawing.figure.widen(kept);
        }
        for (mark, style) in below.into_iter().rev() {
            drawing.put_below(mark, style);
        }
    }

    fn of(&self, task: &str) -> impl Iterator<Item = &Pin> {
        self.0.iter().filter(move |pin| pin.task == task)
    }

    fn find(&self, task: &str, number: usize) -> Option<&Pin> {
        self.of(task).find(|pin| pin.number == number)
    }

    /// Returns the fields in which the pins of a task and its current run differ.
    fn differing(
        &self,
        task: &str,
        fields: &'static [Field],
        present: Option<&Values>,
    ) -> Vec<&'static Field> {
        let runs: Vec<&Values> = self.of(task).map(|pin| &pin.values).chain(present).collect();
        let differs = |field: &&Field| runs.windows(2).any(|w| value(w[0], field) != value(w[1], field));
        fields.iter().filter(differs).collect()
    }
}

/// Returns the contour of a pinned map that divides its scale, or the first one.
fn contours(map: &Grid, number: usize, name: &str) -> Mark {
    let level = map.contours.iter().copied().find(|level| *level == 0.5).unwrap_or(map.contours[0]);
    let label = format!("{name}, {} = {level}", map.info.label);
    Segments::new(
        format!("pin{number} {}", map.info.key),
        label,
        hue(number),
        stroke(number),
        map.contour(level),
    )
    .into()
}

/// Returns the style of the named mark of a pin.
fn named(number: usize, name: &str) -> MarkStyle {
    MarkStyle { name: Some(name.to_owned()), ..thin(number) }
}

/// Returns a mark of a pin. The full label is shown with its values; beside the curves there is only the name of the pin.
fn pinned(mark: &Mark, number: usize, name: &str) -> Mark {
    let mut mark = mark.clone();
    let entry = mark.info_mut();
    entry.key = format!("pin{number} {}", entry.key);
    entry.hue = hue(number);
    entry.label = format!("{name}, {}", entry.label);
    mark
}

/// Returns the style of the other marks of a pin: thin, in its line style, without a name.
fn thin(number: usize) -> MarkStyle {
    MarkStyle { thin: Some(stroke(number)), name: Some(String::new()), ..MarkStyle::default() }
}

/// Returns the colour of a pin and all its marks.
pub fn hue(number: usize) -> Hue {
    COLOURS[(number - 1) % MAX_PINS]
}

/// Returns the line style of a pin.
fn stroke(number: usize) -> Stroke {
    STROKES[(number - 1) % MAX_PINS]
}

fn value<'a>(values: &'a Values, field: &Field) -> Option<&'a Value> {
    values.iter().find(|(key, _)| *key == field.key).map(|(_, value)| value)
}

/// Formats a value for reading.
fn read(field: &Field, values: &Values) -> String {
    let text = match (value(values, field), &field.kind) {
        (Some(Value::Choice(word)), Kind::Choice(words)) => {
            words.iter().find(|(w, _)| w == word).map_or(word.as_str(), |(_, reads)| *reads).to_owned()
        }
        (Some(Value::Real(x)), _) if x.is_infinite() => "∞".to_owned(),
        // Coordinates would make the label unreadable.
        (Some(value), Kind::Points { labels, .. }) => {
            let each = if labels.is_empty() { 2 } else { 3 };
            counted(value.to_string().split(',').filter(|part| !part.is_empty()).count() / each, "point")
        }
        (Some(value), _) => value.to_string(),
        (None, _) => String::new(),
    };
    match text.char_indices().nth(LONG) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Axis, Colours, Curve, Handles, Marker, Point};
    use crate::lab::Link;
    use crate::lab::Task;
    use crate::models::task;

    const ID: &str = "feedforward";

    fn the_task() -> &'static dyn Task {
        task(ID).unwrap()
    }

    fn values(query: &str) -> Values {
        the_task().check(&Link::parse(&format!("#/{ID}?{query}")).raw).unwrap()
    }

    fn figure(id: &str) -> Figure {
        let points = || [Point::new(1.0, 0.5).with_se(0.1)];
        Figure::new(id, "")
            .x(Axis::linear("x", (0.0, 1.0)))
            .y(Axis::linear("y", (0.0, 1.0)))
            .mark(Curve::new("theory", "theory", Hue::Blue).stroke(Stroke::Dashed).points(points()))
            .mark(Curve::new("training", "training", Hue::Green).marker(Marker::Disc).points(points()))
            .mark(Curve::new("error", "error", Hue::Blue).marker(Marker::Disc).points(points()))
    }

    fn under(pins: &Pins, task: &str, present: &Values) -> Drawing {
        let mut drawing = Drawing::new(figure("curve"));
        pins.lay_under(&mut drawing, task, the_task().fields(), Some(present));
        drawing
    }

    fn keys(drawing: &Drawing) -> Vec<&str> {
        drawing.figure.marks.iter().map(Mark::key).collect()
    }

    fn names(drawing: &Drawing) -> Vec<&str> {
        drawing.styles.iter().filter_map(|style| style.name.as_deref()).collect()
    }

    #[test]
    fn only_settings_that_differ_are_compared() {
        let mut pins = Pins::default();
        assert_eq!(pins.add(ID, values("inputs=15"), vec![]), Some(1));
        assert_eq!(pins.add(ID, values("inputs=15&beta=inf"), vec![]), Some(2));
        let table = pins.compared(ID, the_task().fields(), Some(&values("inputs=30")));
        assert_eq!(table.columns, ["Inputs", "Label reliability"]);
        let row = |number, cells: [&str; 2]| (number, cells.map(str::to_owned).to_vec());
        assert_eq!(
            table.rows,
            [row(Some(1), ["15", "2"]), row(Some(2), ["15", "∞"]), row(None, ["30", "2"])]
        );
        assert!(pins.compared("gp", &[], None).rows.is_empty());
        assert_eq!(table.pins(), 2);
    }

    #[test]
    fn measured_curves_lie_thin_under_the_figure_and_each_pin_is_named_once() {
        let mut pins = Pins::default();
        pins.add(ID, values("inputs=15"), vec![figure("other"), figure("curve")]);
        let drawn = under(&pins, ID, &values(""));
        assert_eq!(keys(&drawn), ["pin1 training", "pin1 error", "theory", "training", "error"]);
        assert!(drawn.styles[..2].iter().all(|style| style.thin == Some(Stroke::Solid) && !style.hidden));
        assert!(drawn.styles[2..].iter().all(|style| *style == MarkStyle::default()));
        let (below, own) = drawn.figure.marks.split_at(2);
        assert!(below.iter().all(|pinned| pinned.info().hue == hue(1)));
        assert_eq!(names(&drawn), ["", "Pin 1: N\u{a0}15"]);
        assert_eq!(below[0].info().label, "Pin 1: N\u{a0}15, training");
        assert_eq!(own, figure("curve").marks);
        // Equal settings: the name has no setting.
        assert_eq!(names(&under(&pins, ID, &values("inputs=15"))), ["", "Pin 1"]);
        // A map without contours is not compared.
        let grid = |at: f32| {
            let plane = ((0.0, 1.0), (0.0, 1.0));
            Grid::map("map", "p", 2, vec![0.0, at, 0.0, at], plane, Colours::Probability)
        };
        let mut map = Drawing::new(figure("curve").mark(grid(1.0)));
        let before = map.clone();
        pins.lay_under(&mut map, ID, the_task().fields(), Some(&values("")));
        assert_eq!(map, before);
        // A map with contours is compared by its contours.
        pins.add(ID, values("inputs=20"), vec![figure("curve").mark(grid(0.8).contours([0.1, 0.5]))]);
        pins.lay_under(&mut map, ID, the_task().fields(), Some(&values("")));
        assert_eq!(map.figure.marks.len(), before.figure.marks.len() + 1);
        let Mark::Segments(line) = &map.figure.marks[0] else { panic!("{:?}", map.figure.marks[0]) };
        let x = line.lines[0][0].0;
        assert!(line.lines.len() == 1 && (x - (0.25 + 0.5 * 0.5 / 0.8)).abs() < 1e-6, "{line:?}");
        assert_eq!((line.info.hue, map.styles[0].name.as_deref()), (hue(2), Some("Pin 2: N\u{a0}20")));
        pins.remove(ID, 2);
        // A mark that is switched off is hidden in the pin as well.
        let mut quieter = Drawing::new(figure("curve"));
        quieter.styles[1].hidden = true;
        pins.lay_under(&mut quieter, ID, the_task().fields(), Some(&values("")));
        assert_eq!(keys(&quieter)[0], "pin1 error");
        // The figures of another task do not change.
        assert_eq!(under(&pins, "feedforward.run", &values("")), Drawing::new(figure("curve")));
    }

    #[test]
    fn a_figure_of_lines_alone_is_kept_whole_and_other_axes_are_not_mixed() {
        let mut lines = figure("curve");
        for mark in &mut lines.marks {
            let Mark::Curve(curve) = mark else { panic!("a curve") };
            curve.marker = None;
        }
        lines.y.range = (-1.0, 3.0);
        let mut pins = Pins::default();
        pins.add(ID, values("seed=2"), vec![lines.clone()]);
        let drawn = under(&pins, ID, &values(""));
        assert_eq!(drawn.figure.marks.len(), 6);
        assert_eq!(drawn.figure.y.range, (-1.0, 3.0));
        lines.y.label = "log-likelihood".into();
        pins.remove(ID, 1);
        pins.add(ID, values("seed=2"), vec![lines]);
        assert_eq!(under(&pins, ID, &values("")), Drawing::new(figure("curve")));
    }

    /// Regression: the examples were joined by a line, and the fit was not pinned.
    #[test]
    fn of_a_figure_with_points_to_edit_the_fit_is_kept() {
        let edited = || figure("curve").handles(Handles::new("points", &""));
        let mut pins = Pins::default();
        pins.add(ID, values("seed=2"), vec![edited()]);
        let mut drawing = Drawing::new(edited());
        pins.lay_under(&mut drawing, ID, the_task().fields(), Some(&values("")));
        assert_eq!(keys(&drawing), ["pin1 theory", "theory", "training", "error"]);
    }

    #[test]
    fn four_are_the_most_and_a_place_that_is_free_is_taken_again() {
        let mut pins = Pins::default();
        let mut add = |seed: usize| pins.add(ID, values(&format!("seed={seed}")), vec![figure("curve")]);
        assert_eq!([1, 2, 3, 4, 5].map(&mut add), [Some(1), Some(2), Some(3), Some(4), None]);
        pins.remove(ID, 2);
        assert_eq!(pins.settings(ID, 2), None);
        assert_eq!(pins.add(ID, values("seed=6"), vec![]), Some(2));
        assert_eq!(pins.settings(ID, 2).unwrap()["seed"], "6");
        let numbers: Vec<_> = pins.compared(ID, the_task().fields(), None).rows.iter().map(|r| r.0).collect();
        assert_eq!(numbers, [Some(1), Some(2), Some(3), Some(4)]);
        // Each task has four pins of its own.
        assert_eq!(pins.add("feedforward.run", values(""), vec![]), Some(1));
        let strokes: Vec<_> = STROKES.map(|s| format!("{s:?}")).to_vec();
        assert!(strokes.iter().all(|s| strokes.iter().filter(|t| *t == s).count() == 1));
    }

    #[test]
    fn long_values_are_cut() {
        let many = values("alphas=0.25,0.5,0.75,1,1.25,1.5,1.75,2");
        let field = the_task().fields().iter().find(|f| f.key == "alphas").unwrap();
        assert_eq!(read(field, &many), "0.25,0.5,0.75,1,1.25,1.5…");
    }
}
