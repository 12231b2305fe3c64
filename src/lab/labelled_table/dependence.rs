//! Partial dependence of predictions on single columns (Friedman, Annals of Statistics 29, 1189 (2001)).

use serde::{Deserialize, Serialize};

use super::effects::{ColumnEffect, HeldOutInputs, InputColumn, by_size};
use crate::figure::{Axis, Band, Curve, Figure, Hue, Interval, Point, Stroke};
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
    /// Posterior standard deviation of this mean.
    pub sd: f64,
}

impl HeldOutInputs {
    /// Returns the partial dependence on the columns of numbers with the largest `effects`, at most four, over at most 50 of the rows.
    /// `average` returns the mean of the prediction over rows of inputs, and its posterior standard deviation.
    pub fn dependence(
        &self,
        effects: &[ColumnEffect],
        average: impl Fn(&[f64]) -> (f64, f64),
    ) -> Vec<DependenceCurve> {
        let named = |effect: &ColumnEffect| self.columns.iter().find(|column| column.name == effect.column);
        let columns = by_size(effects).into_iter().filter_map(named);
        let numbers = columns.filter(|column| column.is_number).take(MAX_CURVES);
        let every = self.rows.len().div_ceil(MAX_ROWS).max(1);
        let rows: Vec<&[f64]> = self.inputs.chunks_exact(self.width.max(1)).step_by(every).collect();
        let curve = |column: &InputColumn| {
            let point = |value: f64| {
                let mut inputs = rows.concat();
                inputs.iter_mut().skip(column.inputs.start).step_by(self.width).for_each(|x| *x = value);
                let (mean, sd) = average(&inputs);
                DependencePoint { value: column.scale.map_or(value, |scale| scale.invert(value)), mean, sd }
            };
            let points = self.quantiles(column.inputs.start).into_iter().map(point).collect();
            DependenceCurve { column: column.name.clone(), points }
        };
        numbers.map(curve).collect()
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

/// Returns a figure of each curve, with a common axis of predictions of `label`.
pub fn dependence_figures(curves: &[DependenceCurve], label: &str) -> Vec<Figure> {
    let limits = |p: &DependencePoint| [p.mean - BAND * p.sd, p.mean + BAND * p.sd];
    let y = Axis::around(
        format!("mean predicted {label}"),
        curves.iter().flat_map(|curve| curve.points.iter().flat_map(limits)),
    );
    let figure = |(curve, at): (&DependenceCurve, usize)| {
        let band = curve.points.iter().map(|p| {
            let [lower, upper] = limits(p);
            Interval { x: p.value, lower, upper }
        });
        let points = curve.points.iter().map(|p| Point::new(p.value, p.mean));
        Figure::new(format!("dependence-{at}"), format!("Dependence on {}", curve.column))
            .x(Axis::around(curve.column.clone(), curve.points.iter().map(|p| p.value)))
            .y(y.clone())
            .saying(format!(
                "Mean prediction if {} had this value in every row and all other columns were as they are. Band: two posterior standard \
                 deviations of this mean, without the noise. Where columns are correlated, such rows may not occur.",
                curve.column
            ))
            .mark(Band::new("band", "two standard deviations", Hue::Blue, band))
            .mark(Curve::new("mean", "mean", Hue::Blue).stroke(Stroke::Solid).points(points))
    };
    curves.iter().zip(1..).map(figure).collect()
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
        assert!(points.iter().all(|p| p.mean == p.value * p.value && p.sd == 0.5), "{points:?}");
        let figures = dependence_figures(&curves, "y");
        assert_eq!((figures.len(), figures[0].id.as_str()), (1, "dependence-1"));
        assert!(figures[0].y.range.0 <= 24.0 && figures[0].y.range.1 >= 8837.0);
        assert!(dependence_figures(&[], "y").is_empty());
    }
}
