//! Pinned runs, with which the current one is compared: their different settings, and their marks under a figure.

use crate::data::counted;
use crate::figure::{Figure, FigureKind, Grid, Hue, Mark, Segments, Stroke};
use crate::lab::{Field, Kind, Raw, Value, Values};
use crate::render::{Drawing, MarkStyle};

/// Largest number of pins of a task: no more can be told apart in a figure.
pub const MAX_PINS: usize = 4;
/// Line styles of the pins, by number.
const STROKES: [Stroke; MAX_PINS] = [Stroke::Solid, Stroke::Dashed, Stroke::DashDot, Stroke::Dotted];
/// Colours of the pins, by number: first the one that is rarest in the figures.
const COLOURS: [Hue; MAX_PINS] = [Hue::Purple, Hue::Ink, Hue::Sky, Hue::Yellow];
/// Largest number of settings in a label.
const NAMED: usize = 2;
/// Smallest number of points that are left unjoined if they have no line of their own.
const MANY: usize = 50;
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

/// Settings that differ between the pins and the current run, and their results.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Label of each setting, and of the result.
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

    /// Compares the pins of a task with its current run, by the settings that differ and by the result of each, which is the headline of its
    /// first figure.
    pub fn compared(
        &self,
        task: &str,
        fields: &'static [Field],
        present: Option<(&Values, String)>,
    ) -> Comparison {
        let differing = self.differing(task, fields, present.as_ref().map(|(values, _)| *values));
        let cells = |values: &Values, result: String| {
            differing.iter().map(|field| read(field, values)).chain([result]).collect()
        };
        let headline = |pin: &Pin| pin.figures.first().map(Figure::headline).unwrap_or_default();
        let pins = self.of(task).map(|pin| (Some(pin.number), cells(&pin.values, headline(pin))));
        Comparison {
            columns: differing.iter().map(|field| field.label).chain(["Result"]).collect(),
            rows: pins.chain(present.map(|(values, result)| (None, cells(values, result)))).collect(),
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
            let given = figure.handles.is_some() && matches!(figure.kind, FigureKind::Plane { .. });
            let results = results(kept, given).filter(shown);
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

/// Returns the marks of a figure that are compared. If its points are `given`, that is, if the user can edit them, only what is fitted to
/// them is compared.
fn results(figure: &Figure, given: bool) -> impl Iterator<Item = &Mark> {
    let any = figure.marks.iter().any(Mark::is_measured);
    // In panels, ellipses are what is fitted: the draws from two of them could not be told apart.
    let fitted =
        !figure.all_panels().is_empty() && figure.marks.iter().any(|mark| matches!(mark, Mark::Ellipses(_)));
    figure.marks.iter().filter(move |mark| match mark {
        Mark::Ellipses(_) => fitted,
        // In space, only lines can be told apart.
        Mark::Cloud(cloud) => cloud.stroke.is_some(),
        Mark::Bars(_) | Mark::Tube(_) => false,
        Mark::Curve(_) if given => !mark.is_measured(),
        _ => !given && !fitted && (mark.is_measured() || !any),
    })
}

/// Returns a mark as drawn for a pin. Its full label is shown with its values; beside the curves, only the name of the pin is shown. Small
/// sets of points are joined by a line; lines have no markers, because these would look like those of the current run.
fn pinned(mark: &Mark, number: usize, name: &str) -> Mark {
    let mut mark = mark.clone();
    if let Mark::Curve(curve) = &mut mark
        && (curve.stroke.is_some() || (2..MANY).contains(&curve.points.len()))
    {
        (curve.stroke, curve.marker) = (Some(stroke(number)), None);
    }
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
mod tests;
