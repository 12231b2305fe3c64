//! Training examples, their standardisation, and the inputs of predictions.

use super::spec::{MAX_EXAMPLES, MIN_EXAMPLES};
use super::{CurveSpec, CurveTrainingSet};
use crate::data::toy_curve::ToyCurve;
use crate::data::{Column, Store};
use crate::lab::InputError;
use crate::math::random::{Purpose, Stream};
use crate::methods::curve_network::{CurveNetwork, CurveProblem};

/// Number of inputs at which predictions are drawn.
const INPUTS: usize = 101;

impl CurveSpec {
    /// Number of leading elements of [`Self::inputs`] that are drawn.
    pub const DRAWN: usize = INPUTS;

    /// Returns the function and the distribution of the examples; `None` for the user's own points and tables.
    fn toy(&self) -> Option<ToyCurve> {
        match self.set {
            CurveTrainingSet::Waves => Some(ToyCurve::Waves),
            CurveTrainingSet::Steps => Some(ToyCurve::Steps),
            CurveTrainingSet::Gap => Some(ToyCurve::Gap),
            CurveTrainingSet::Growing => Some(ToyCurve::Growing),
            CurveTrainingSet::Own | CurveTrainingSet::Table => None,
        }
    }

    /// Returns the noise-free target at `x`; `None` for the user's own points and tables.
    pub fn noise_free(&self, x: f64) -> Option<f64> {
        self.toy().map(|toy| toy.at(x))
    }

    /// Returns x and t of each example; empty for a table, whose rows are in the snapshot.
    pub fn examples(&self) -> Vec<(f64, f64)> {
        let mut stream = Stream::for_purpose(self.seed, Purpose::MlpPoints, 0);
        match self.toy() {
            Some(toy) => toy.draw(self.examples, self.noise, &mut stream),
            None => self.points.iter().map(|[x, t]| (*x, *t)).collect(),
        }
    }

    /// Returns x and t of the rows of the table in which both are known; empty for other training sets.
    ///
    /// # Errors
    /// If the table is missing or malformed, lacks a numeric column that is named, or has too few or too many rows.
    pub fn rows_of_table(&self, store: &Store) -> Result<Vec<(f64, f64)>, InputError> {
        let fields = Self::FIELDS;
        if self.set != CurveTrainingSet::Table {
            return Ok(Vec::new());
        }
        let name = self.table.as_ref().map(ToString::to_string).unwrap_or_default();
        let refuse = |why: String| fields.table.error(&name).because(why);
        let table = self.table.as_ref().and_then(|named| store.table(named));
        let table = table.ok_or_else(|| refuse("a CSV file that has been loaded is needed".into()))?;
        table.check_complete().map_err(|problem| refuse(problem.to_string()))?;
        if let Some(doubt) = table.doubts.first() {
            return Err(refuse(doubt.question.clone()));
        }
        let numeric: Vec<(&str, &Vec<f64>)> = (table.names.iter().zip(&table.columns))
            .filter_map(|(name, column)| match column {
                Column::Numbers(numbers) => Some((name.as_str(), numbers)),
                Column::Text { .. } => None,
            })
            .collect();
        let [_, .., last] = numeric[..] else {
            return Err(refuse("two columns of numbers are needed".into()));
        };
        let names = numeric.iter().map(|column| column.0).collect::<Vec<_>>().join(", ");
        let find = |name: &str| numeric.iter().find(|column| column.0 == name).copied();
        let expected = |error: InputError| error.expected(format!("a column of numbers: {names}"));
        let (label, t) = match self.label.as_str() {
            "" => last,
            name => find(name).ok_or_else(|| expected(fields.label.error(name)).nearest(last.0))?,
        };
        let first = numeric.iter().find(|column| column.0 != label).copied();
        let first = first.ok_or_else(|| refuse("two columns of numbers are needed".into()))?;
        let (_, x) = match self.input.as_str() {
            "" => first,
            name => find(name)
                .filter(|column| column.0 != label)
                .ok_or_else(|| expected(fields.input.error(name)).nearest(first.0))?,
        };
        let pairs = x.iter().copied().zip(t.iter().copied());
        let pairs: Vec<(f64, f64)> = pairs.filter(|(x, t)| x.is_finite() && t.is_finite()).collect();
        if (MIN_EXAMPLES..=MAX_EXAMPLES).contains(&pairs.len()) {
            return Ok(pairs);
        }
        Err(refuse(format!(
            "{MIN_EXAMPLES} to {MAX_EXAMPLES} rows with both numbers are needed; there are {}. The page “Predict” takes larger tables",
            pairs.len()
        )))
    }

    /// Returns the regression problem of `examples`.
    pub fn problem(&self, examples: &[(f64, f64)]) -> CurveProblem {
        let hyper = self.hyper.hyperprior(&self.hyperpriors, self.alpha, self.beta);
        let network = CurveNetwork { hidden: self.hidden, bias: self.bias, hyper };
        CurveProblem::new(examples, network, self.set == CurveTrainingSet::Table)
    }

    /// Returns the inputs of predictions: first those that are drawn, which extend beyond the examples, then those of the report.
    pub fn inputs(&self, examples: &[(f64, f64)]) -> Vec<f64> {
        let ends = examples.iter().map(|(x, _)| (*x, *x));
        let (low, high) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((-1.0, 1.0));
        let room = 0.35 * (high - low).max(1e-3);
        let at = |i: usize| low - room + (high - low + 2.0 * room) * i as f64 / (INPUTS - 1) as f64;
        (0..INPUTS).map(at).chain(self.predict.iter().copied()).collect()
    }
}
