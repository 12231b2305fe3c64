//! Partial dependence of predictions on single columns (Friedman, Annals of Statistics 29, 1189 (2001)).

use serde::{Deserialize, Serialize};

use super::effects::{ColumnEffect, by_size};
use super::held_out_inputs::{HeldOutInputs, InputColumn};
use crate::figure::{Axis, Band, Curve, Figure, Hue, Interval, Mark, Point, Stroke};
use crate::math::stats::sorted;

/// Maximum number of columns.
const MAX_CURVES: usize = 4;
/// Maximum number of rows over which predictions are averaged.
const MAX_ROWS: usize = 50;
/// Number of values of a column, and the quantiles of the first and the last.
const POINTS: usize = 11;
const QUANTILES: (f64, f64) = (0.05, 0.95);
/// Half width of a band in standard deviations.
const BAND: f64 = 2.0;
/// Colours of curves.
const HUES: [Hue; 7] =
    [Hue::Blue, Hue::Orange, Hue::Green, Hue::Vermilion, Hue::Purple, Hue::Sky, Hue::Yellow];
/// Description of a band of two standard deviations.
pub const TWO_DEVIATIONS: &str = "±2 posterior standard deviations of this mean, excluding noise";

/// Partial dependence of the predictions on a column of numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DependenceCurve {
    /// Name of the column.
    pub column: String,
    /// Points in ascending order of the value.
    pub points: Vec<DependencePoint>,
}

/// A point of a partial dependence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DependencePoint {
    /// Value of the column, in units of the table.
    pub value: f64,
    /// Mean of the prediction over the rows, all of them with this value.
    pub mean: f64,
    /// Lower limit of the band.
    pub lower: f64,
    /// Upper limit of the band.
    pub upper: f64,
}

/// Mean of the prediction over rows, with the limits of its band.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanPrediction {
    /// Mean.
    pub mean: f64,
    /// Lower limit of the band.
    pub lower: f64,
    /// Upper limit of the band.
    pub upper: f64,
}

/// Partial dependence that is computed point by point.
#[derive(Clone, Debug, Default)]
pub struct DependenceParts {
    /// Rows over which predictions are averaged.
    rows: Vec<Vec<f64>>,
    /// Columns with the values of their points, in units of the inputs.
    columns: Vec<(InputColumn, Vec<f64>)>,
    /// Number of points so far.
    done: usize,
    curves: Vec<DependenceCurve>,
}

impl DependenceParts {
    /// Prepares the dependence on the columns of numbers with the largest `effects`, at most four, over at most 50 of `rows`, and at most
    /// `most_rows`.
    pub fn new(rows: &HeldOutInputs, effects: &[ColumnEffect], most_rows: usize) -> Self {
        let named = |effect: &ColumnEffect| rows.columns.iter().find(|column| column.name == effect.column);
        let numbers = by_size(effects).into_iter().filter_map(named).filter(|column| column.is_number);
        let columns: Vec<_> = numbers
            .take(MAX_CURVES)
            .map(|column| (column.clone(), rows.quantiles(column.inputs.start)))
            .collect();
        let every = rows.rows.len().div_ceil(MAX_ROWS.min(most_rows).max(1)).max(1);
        let used = rows.inputs.chunks_exact(rows.width.max(1)).step_by(every);
        let curve = |(column, _): &(InputColumn, Vec<f64>)| DependenceCurve {
            column: column.name.clone(),
            points: Vec::new(),
        };
        let curves = columns.iter().map(curve).collect();
        Self { rows: used.map(<[f64]>::to_vec).collect(), columns, done: 0, curves }
    }

    /// Returns the number of points of all curves.
    pub fn count(&self) -> usize {
        self.columns.iter().map(|(_, values)| values.len()).sum()
    }

    /// Returns the number of rows over which predictions are averaged.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Returns the index of the curve of a point, and the value of its column.
    fn point(&self, mut point: usize) -> Option<(usize, f64)> {
        for (curve, (_, values)) in self.columns.iter().enumerate() {
            match values.get(point) {
                Some(value) => return Some((curve, *value)),
                None => point -= values.len(),
            }
        }
        None
    }

    /// Returns the inputs of the rows at a point; `None` after the last.
    pub fn inputs(&self, point: usize) -> Option<Vec<Vec<f64>>> {
        let (curve, value) = self.point(point)?;
        let input = self.columns[curve].0.inputs.start;
        let mut rows = self.rows.clone();
        for row in &mut rows {
            row[input] = value;
        }
        Some(rows)
    }

    /// Takes the mean prediction at the next point; one without a prediction is left out.
    pub fn take(&mut self, prediction: Option<MeanPrediction>) {
        let Some((curve, value)) = self.point(self.done) else { return };
        self.done += 1;
        if let Some(MeanPrediction { mean, lower, upper }) = prediction {
            let value = self.columns[curve].0.scale.map_or(value, |scale| scale.invert(value));
            self.curves[curve].points.push(DependencePoint { value, mean, lower, upper });
        }
    }

    /// Returns the curves that have points.
    pub fn finish(self) -> Vec<DependenceCurve> {
        self.curves.into_iter().filter(|curve| !curve.points.is_empty()).collect()
    }
}

impl HeldOutInputs {
    /// Returns the partial dependence on the columns of numbers with the largest `effects`, at most four, over at most 50 of the rows.
    /// `average` returns the mean of the prediction over rows of inputs, and its posterior standard deviation.
    pub fn dependence(
        &self,
        effects: &[ColumnEffect],
        average: impl Fn(&[f64]) -> (f64, f64),
    ) -> Vec<DependenceCurve> {
        let mut parts = DependenceParts::new(self, effects, MAX_ROWS);
        for point in 0..parts.count() {
            let average = parts.inputs(point).map(|rows| average(&rows.concat()));
            let band = |(mean, sd)| MeanPrediction { mean, lower: mean - BAND * sd, upper: mean + BAND * sd };
            parts.take(average.map(band));
        }
        parts.finish()
    }

    /// Returns quantiles of an input over the rows, without repetitions.
    fn quantiles(&self, input: usize) -> Vec<f64> {
        let values: Vec<f64> = self.inputs.iter().skip(input).step_by(self.width).copied().collect();
        let values = sorted(&values);
        let (first, last) = QUANTILES;
        let at = |i: usize| {
            let quantile = first + (last - first) * i as f64 / (POINTS - 1) as f64;
            values[(quantile * (values.len() - 1) as f64).round() as usize]
        };
        let mut quantiles: Vec<f64> = (0..POINTS).map(at).collect();
        quantiles.dedup();
        quantiles
    }
}

/// Returns a figure of each curve, with a common axis of predictions, which are a mean `prediction`. `band` describes the bands.
pub fn dependence_figures(curves: &[DependenceCurve], prediction: &str, band: &str) -> Vec<Figure> {
    let marks =
        |at: usize| -> Vec<Mark> { curve_marks(&curves[at], ["band", "mean"], "mean", HUES[0]).into() };
    figures_of(curves, marks, prediction, band, limits(curves.iter()))
}

/// Returns a figure of each column, with the curves of all classes, whose names are `names`; `label` is the name of the label.
pub fn class_dependence_figures(
    classes: &[Vec<DependenceCurve>],
    names: &[String],
    label: &str,
    band: &str,
) -> Vec<Figure> {
    let Some(first) = classes.first() else { return Vec::new() };
    let marks = |at: usize| -> Vec<Mark> {
        let of_class = |(k, curves): (usize, &Vec<DependenceCurve>)| {
            let keys = [format!("band-{}", k + 1), format!("mean-{}", k + 1)];
            curve_marks(&curves[at], [&keys[0], &keys[1]], &names[k], HUES[k % HUES.len()])
        };
        classes.iter().enumerate().flat_map(of_class).collect()
    };
    figures_of(first, marks, &format!("probability of each {label}"), band, limits(classes.iter().flatten()))
}

/// Returns the limits of all bands.
fn limits<'a>(curves: impl Iterator<Item = &'a DependenceCurve>) -> Vec<f64> {
    curves.flat_map(|curve| &curve.points).flat_map(|p| [p.lower, p.upper]).collect()
}

/// Returns the band and the mean of a curve.
fn curve_marks(curve: &DependenceCurve, [band, mean]: [&str; 2], name: &str, hue: Hue) -> [Mark; 2] {
    let intervals = curve.points.iter().map(|p| Interval { x: p.value, lower: p.lower, upper: p.upper });
    let points = curve.points.iter().map(|p| Point::new(p.value, p.mean));
    let label = format!("{name}, band");
    [
        Band::new(band, label, hue, intervals).into(),
        Curve::new(mean, name, hue).stroke(Stroke::Solid).points(points).into(),
    ]
}

/// Returns a figure of each column of `curves`, with its marks.
fn figures_of(
    curves: &[DependenceCurve],
    marks: impl Fn(usize) -> Vec<Mark>,
    prediction: &str,
    band: &str,
    limits: Vec<f64>,
) -> Vec<Figure> {
    let y = Axis::around(format!("mean {prediction}"), limits);
    let figure = |(at, curve): (usize, &DependenceCurve)| {
        Figure::new(format!("dependence-{}", at + 1), format!("Dependence on {}", curve.column))
            .x(Axis::around(curve.column.clone(), curve.points.iter().map(|p| p.value)))
            .y(y.clone())
            .saying(format!(
                "Mean {prediction} with {} set to this value in every row and other columns unchanged. Band: {band}. Where columns \
                 are correlated, such rows may not occur. At most four numeric columns are shown: those with the largest effects.",
                curve.column
            ))
            .marks(marks(at))
    };
    curves.iter().enumerate().map(figure).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the inputs x = 0, 1, …, 99 and a word.
    fn rows() -> HeldOutInputs {
        let column =
            |name: &str, inputs, is_number| InputColumn { name: name.into(), inputs, is_number, scale: None };
        HeldOutInputs {
            inputs: (0..100).flat_map(|i| [f64::from(i), f64::from(i % 2)]).collect(),
            width: 2,
            rows: (0..100).collect(),
            columns: vec![column("x", 0..1, true), column("word", 1..2, false)],
        }
    }

    #[test]
    fn the_dependence_on_a_column_of_a_sum_is_its_term() {
        let effect =
            |column: &str| ColumnEffect { column: column.into(), increase: 1.0, se: None, rows: 100 };
        // The prediction x² + 10 word.
        let average = |inputs: &[f64]| {
            let sum: f64 = inputs.chunks(2).map(|row| row[0] * row[0] + 10.0 * row[1]).sum();
            (sum / (inputs.len() / 2) as f64, 0.5)
        };
        let curves = rows().dependence(&[effect("word"), effect("x")], average);
        assert_eq!((curves.len(), curves[0].column.as_str()), (1, "x"), "a column of words has no curve");
        let points = &curves[0].points;
        assert_eq!((points.len(), points[0].value, points[10].value), (11, 5.0, 94.0));
        // Every second row is used: all of them have the same word.
        assert!(points.iter().all(|p| p.mean == p.value * p.value && p.upper - p.lower == 2.0), "{points:?}");
        let figures = dependence_figures(&curves, "predicted y", TWO_DEVIATIONS);
        assert_eq!((figures.len(), figures[0].id.as_str()), (1, "dependence-1"));
        assert!(figures[0].y.range.0 <= 24.0 && figures[0].y.range.1 >= 8837.0);
        assert!(dependence_figures(&[], "predicted y", TWO_DEVIATIONS).is_empty());
    }
}
