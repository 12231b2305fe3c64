//! Runs kept to compare the present one with: what differs between them, and how they lie under a figure.

use super::html::{cells, table};
use crate::figure::{Curve, Figure, Hue, Stroke};
use crate::lab::{Field, Kind, Raw, Value, Values};
use crate::render::swatch;

/// How many runs of a task may be kept; more could not be told apart in a figure.
pub const MOST: usize = 4;
/// The lines of the pins, by number.
const STROKES: [Stroke; MOST] = [Stroke::Solid, Stroke::Dashed, Stroke::DashDot, Stroke::Dotted];
/// Longer values are cut in labels and tables.
const LONG: usize = 24;

#[derive(Clone, Debug)]
struct Pin {
    /// From 1; that of a removed pin is given to the next one.
    number: usize,
    /// Id of the task it is a run of.
    task: &'static str,
    values: Values,
    figures: Vec<Figure>,
}

/// The kept runs of all tasks.
#[derive(Clone, Debug, Default)]
pub struct Pins(Vec<Pin>);

/// The settings that differ among some runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Label of each setting.
    pub columns: Vec<&'static str>,
    /// One a pin, by number, and the present run (`None`) last.
    pub rows: Vec<(Option<usize>, Vec<String>)>,
}

impl Comparison {
    /// How many pins there are.
    pub fn pins(&self) -> usize {
        self.rows.iter().filter(|(number, _)| number.is_some()).count()
    }

    /// As a table with two buttons for every pin, whose `data-show` or `data-remove` is its number.
    pub fn html(&self) -> String {
        // The buttons stand before the settings, which may be more than fit on a phone.
        let settings = cells("th scope=\"col\"", self.columns.iter().copied());
        let head = format!("<th scope=\"col\">Run</th><td></td>{settings}");
        let row = |(number, values): &(Option<usize>, Vec<String>)| {
            let values = cells("td", values.iter().map(String::as_str));
            let Some(n) = number else {
                return format!("<tr><th scope=\"row\">Shown now</th><td></td>{values}</tr>");
            };
            let line = swatch(&Curve { thin: true, ..Curve::new("", "", Hue::Ink).stroke(stroke(*n)) });
            // What is spoken begins with what is read.
            let button = |what: &str, words: &str| {
                format!(
                    "<button type=\"button\" class=\"quiet\" data-{what}=\"{n}\" aria-label=\"{words}: pin {n}\">{words}</button>"
                )
            };
            let (show, remove) = (button("show", "Show again"), button("remove", "Remove"));
            format!("<tr><th scope=\"row\">Pin {n} {line}</th><td>{show}{remove}</td>{values}</tr>")
        };
        table("Pinned runs", &head, &self.rows.iter().map(row).collect::<Vec<_>>())
    }
}

impl Pins {
    /// Keeps a run and says under which number; `None` if there are [`MOST`] of that task already.
    pub fn add(&mut self, task: &'static str, values: Values, figures: Vec<Figure>) -> Option<usize> {
        let number = (1..=MOST).find(|number| self.find(task, *number).is_none())?;
        let place = self.0.partition_point(|pin| pin.number < number);
        self.0.insert(place, Pin { number, task, values, figures });
        Some(number)
    }

    /// Forgets a pin.
    pub fn remove(&mut self, task: &str, number: usize) {
        self.0.retain(|pin| pin.task != task || pin.number != number);
    }

    /// The settings of a pin.
    pub fn settings(&self, task: &str, number: usize) -> Option<Raw> {
        self.find(task, number).map(|pin| pin.values.to_raw())
    }

    /// The pins of a task and its present run, side by side.
    pub fn compared(&self, task: &str, fields: &'static [Field], present: Option<&Values>) -> Comparison {
        let differing = self.differing(task, fields, present);
        let cells = |values: &Values| differing.iter().map(|field| read(field, values)).collect();
        let pins = self.of(task).map(|pin| (Some(pin.number), cells(&pin.values)));
        Comparison {
            columns: differing.iter().map(|field| field.label).collect(),
            rows: pins.chain(present.map(|values| (None, cells(values)))).collect(),
        }
    }

    /// Lays the pins of its task under a figure, each thin and in a kind of line of its own.
    pub fn lay_under(
        &self,
        figure: &mut Figure,
        task: &str,
        fields: &'static [Field],
        present: Option<&Values>,
    ) {
        // Points in a map are no curve: those of two maps would only lie among each other.
        if figure.heat.is_some() {
            return;
        }
        let differing = self.differing(task, fields, present);
        let mut below = Vec::new();
        for pin in self.of(task) {
            // A setting may change what an axis means; then there is nothing to compare.
            let same = |kept: &&Figure| {
                kept.id == figure.id && kept.x.label == figure.x.label && kept.y.label == figure.y.label
            };
            let Some(kept) = pin.figures.iter().find(same) else { continue };
            let mut name = format!("pin {}", pin.number);
            for (i, field) in differing.iter().enumerate() {
                let between = if i == 0 { ": " } else { ", " };
                let setting = if field.symbol.is_empty() { field.label } else { field.symbol };
                name = format!("{name}{between}{setting}\u{a0}=\u{a0}{}", read(field, &pin.values));
            }
            // What a reader has switched off is off in the pins as well.
            let shown = |curve: &&Curve| {
                figure.curves.iter().find(|now| now.key == curve.key).map_or(curve.shown, |now| now.shown)
            };
            below.extend(kept.measured().filter(shown).map(|curve| thin(curve, pin.number, &name)));
            // Its main curve is the one drawn last.
            if let Some(main) = below.last_mut() {
                main.tag = Some(name);
            }
            figure.x.widen(&kept.x);
            figure.y.widen(&kept.y);
        }
        figure.curves.splice(0..0, below);
    }

    fn of(&self, task: &str) -> impl Iterator<Item = &Pin> {
        self.0.iter().filter(move |pin| pin.task == task)
    }

    fn find(&self, task: &str, number: usize) -> Option<&Pin> {
        self.of(task).find(|pin| pin.number == number)
    }

    /// The fields in which the pins of a task and its present run are not all the same.
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

/// A curve of a pin, in its own colour and the line of the pin. Read point by point it says all of what it is; beside the curves only its pin is named.
fn thin(curve: &Curve, number: usize, name: &str) -> Curve {
    Curve {
        key: format!("pin{number} {}", curve.key),
        label: format!("{name}, {}", curve.label),
        stroke: Some(stroke(number)),
        stale: false,
        shown: true,
        thin: true,
        tag: Some(String::new()),
        ..curve.clone()
    }
}

/// The line of a pin.
fn stroke(number: usize) -> Stroke {
    STROKES[(number - 1) % MOST]
}

fn value<'a>(values: &'a Values, field: &Field) -> Option<&'a Value> {
    values.iter().find(|(key, _)| *key == field.key).map(|(_, value)| value)
}

/// A value as people read it.
fn read(field: &Field, values: &Values) -> String {
    let text = match (value(values, field), &field.kind) {
        (Some(Value::Choice(word)), Kind::Choice(words)) => {
            words.iter().find(|(w, _)| w == word).map_or(word.as_str(), |(_, reads)| *reads).to_owned()
        }
        (Some(Value::Real(x)), _) if x.is_infinite() => "∞".to_owned(),
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
    use crate::figure::{Axis, HeatMap, Marker, Point};
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
        let points = || [Point { x: 1.0, y: 0.5, se: Some(0.1) }];
        Figure {
            id: id.into(),
            title: String::new(),
            caption: String::new(),
            summary: String::new(),
            x: Axis::linear("x", (0.0, 1.0)),
            y: Axis::linear("y", (0.0, 1.0)),
            heat: None,
            handles: None,
            curves: vec![
                Curve::new("theory", "theory", Hue::Blue).stroke(Stroke::Dashed).points(points()),
                Curve::new("training", "training", Hue::Green).marker(Marker::Disc).points(points()),
                Curve::new("error", "error", Hue::Blue).marker(Marker::Disc).points(points()),
            ],
        }
    }

    fn under(pins: &Pins, task: &str, present: &Values) -> Figure {
        let mut figure = figure("curve");
        pins.lay_under(&mut figure, task, the_task().fields(), Some(present));
        figure
    }

    #[test]
    fn only_settings_that_differ_are_compared() {
        let mut pins = Pins::default();
        assert_eq!(pins.add(ID, values("inputs=15"), vec![]), Some(1));
        assert_eq!(pins.add(ID, values("inputs=15&beta=inf"), vec![]), Some(2));
        let table = pins.compared(ID, the_task().fields(), Some(&values("inputs=30")));
        assert_eq!(table.columns, ["Inputs", "Inverse temperature"]);
        let row = |number, cells: [&str; 2]| (number, cells.map(str::to_owned).to_vec());
        assert_eq!(
            table.rows,
            [row(Some(1), ["15", "0.5"]), row(Some(2), ["15", "∞"]), row(None, ["30", "0.5"])]
        );
        assert!(pins.compared("gp", &[], None).rows.is_empty());
        let html = table.html();
        assert!(
            html.contains("<th scope=\"row\">Shown now</th><td></td><td>30</td><td>0.5</td></tr>"),
            "{html}"
        );
        assert!(html.contains("data-remove=\"2\" aria-label=\"Remove: pin 2\">Remove</button>"), "{html}");
        assert_eq!(html.matches("<button").count(), 4);
    }

    #[test]
    fn measured_curves_lie_thin_under_the_figure_and_each_pin_is_named_once() {
        let mut pins = Pins::default();
        pins.add(ID, values("inputs=15"), vec![figure("other"), figure("curve")]);
        let drawn = under(&pins, ID, &values(""));
        let keys: Vec<&str> = drawn.curves.iter().map(|c| c.key.as_str()).collect();
        assert_eq!(keys, ["pin1 training", "pin1 error", "theory", "training", "error"]);
        let (below, own) = drawn.curves.split_at(2);
        assert!(below.iter().all(|c| c.thin && c.shown && c.stroke == Some(Stroke::Solid)));
        assert!(below.iter().zip(&own[1..]).all(|(pinned, now)| pinned.hue == now.hue));
        assert_eq!(below.iter().map(Curve::name).collect::<Vec<_>>(), ["", "pin 1: N\u{a0}=\u{a0}15"]);
        assert_eq!(below[0].label, "pin 1: N\u{a0}=\u{a0}15, training");
        assert_eq!(own, figure("curve").curves);
        // The same settings twice: nothing differs, and nothing is claimed to.
        assert_eq!(under(&pins, ID, &values("inputs=15")).curves[1].name(), "pin 1");
        // In a map there is nothing to compare point by point.
        let heat = HeatMap { label: "p".into(), columns: 1, values: vec![0.5], stale: false };
        let mut map = Figure { heat: Some(heat), ..figure("curve") };
        pins.lay_under(&mut map, ID, the_task().fields(), Some(&values("")));
        assert_eq!(map.curves, figure("curve").curves);
        // What is switched off now is off in the pin as well.
        let mut quieter = figure("curve");
        quieter.curves[1].shown = false;
        pins.lay_under(&mut quieter, ID, the_task().fields(), Some(&values("")));
        assert_eq!(quieter.curves[0].key, "pin1 error");
        // Another task is left alone.
        assert_eq!(under(&pins, "feedforward.run", &values("")), figure("curve"));
    }

    #[test]
    fn a_figure_of_lines_alone_is_kept_whole_and_other_axes_are_not_mixed() {
        let mut lines = figure("curve");
        lines.curves.iter_mut().for_each(|c| c.marker = None);
        lines.y.range = (-1.0, 3.0);
        let mut pins = Pins::default();
        pins.add(ID, values("seed=2"), vec![lines.clone()]);
        let drawn = under(&pins, ID, &values(""));
        assert_eq!(drawn.curves.len(), 6);
        assert_eq!(drawn.y.range, (-1.0, 3.0));
        lines.y.label = "log-likelihood".into();
        pins.remove(ID, 1);
        pins.add(ID, values("seed=2"), vec![lines]);
        assert_eq!(under(&pins, ID, &values("")), figure("curve"));
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
        // The pins of another task have their own four places.
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
