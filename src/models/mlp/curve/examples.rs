//! The examples of a specification, how the network sees them, and where predictions are looked at.

use std::rc::Rc;

use super::spec::{FEWEST, MOST};
use super::{CurveSpec, PointSet};
use crate::data::{Column, Store};
use crate::lab::InputError;
use crate::math::random::Stream;
use crate::models::mlp::solver::examples::ExampleBlocks;
use crate::models::mlp::solver::network::NetworkShape;
use crate::models::mlp::solver::problem::RegressionProblem;

/// Inputs at which predictions are drawn.
const INPUTS: usize = 101;
/// Purpose of a random stream.
const POINTS: u64 = 0;
/// Inputs are drawn between −HALF and HALF.
const HALF: f64 = 2.0;

impl CurveSpec {
    /// How many of [`Self::inputs`] are drawn.
    pub const DRAWN: usize = INPUTS;

    /// The targets without noise; nothing for the user's own points.
    pub fn rule(&self, x: f64) -> Option<f64> {
        match self.set {
            PointSet::Waves | PointSet::Gap | PointSet::Growing => {
                Some(libm::sin(2.5 * x) * (1.0 - x * x / 8.0))
            }
            PointSet::Steps => Some(libm::floor(x + 0.5) * 0.5),
            PointSet::Own | PointSet::Table => None,
        }
    }

    /// x and t of each example; none of a table, whose are in the snapshot.
    pub fn examples(&self) -> Vec<(f64, f64)> {
        let mut stream = Stream::aside(self.seed, 0, POINTS);
        let count = self.examples;
        let mut draw = |i: usize| {
            // One in each of as many equal stretches.
            let share = (i as f64 + stream.uniform()) / count as f64;
            let x = match self.set {
                // Nothing in the middle fifth and beside it.
                PointSet::Gap if share < 0.5 => HALF * (1.4 * share - 1.0),
                PointSet::Gap => HALF * (1.4 * share - 0.4),
                _ => HALF * (2.0 * share - 1.0),
            };
            let sd = match self.set {
                PointSet::Growing => self.noise * (x + HALF) / (2.0 * HALF),
                _ => self.noise,
            };
            Some((x, self.rule(x)? + sd * stream.normal()))
        };
        match self.set {
            PointSet::Own => self.points.iter().map(|[x, t]| (*x, *t)).collect(),
            PointSet::Table => Vec::new(),
            _ => (0..count).filter_map(&mut draw).collect(),
        }
    }

    /// x and t of the rows of the table in which both are known; none where there is no table.
    ///
    /// # Errors
    /// Which field does not fit the table, and what would.
    pub fn rows_of_table(&self, store: &Store) -> Result<Vec<(f64, f64)>, InputError> {
        let fields = Self::FIELDS;
        if self.set != PointSet::Table {
            return Ok(Vec::new());
        }
        let named = self.table.as_ref().map(ToString::to_string).unwrap_or_default();
        let refused = |why: String| fields.table.error(&named).because(why);
        let table = self.table.as_ref().and_then(|named| store.table(named));
        let table = table.ok_or_else(|| refused("a CSV file that has been loaded is needed".into()))?;
        table.whole().map_err(|problem| refused(problem.to_string()))?;
        let numeric = || {
            let columns = table.names.iter().zip(&table.columns);
            columns.filter_map(|(name, column)| match column {
                Column::Numbers(numbers) => Some((name.as_str(), numbers)),
                Column::Text { .. } => None,
            })
        };
        let find = |name: &str| numeric().find(|column| column.0 == name);
        let names = || numeric().map(|column| column.0).collect::<Vec<_>>().join(", ");
        let Some(last) = numeric().next_back().filter(|_| numeric().count() > 1) else {
            return Err(refused("two columns of numbers are needed".into()));
        };
        let expected = |error: InputError| error.expected(format!("a column of numbers: {}", names()));
        let (label, t) = match self.label.as_str() {
            "" => last,
            name => find(name).ok_or_else(|| expected(fields.label.error(name)).nearest(last.0))?,
        };
        let others = || numeric().filter(|column| column.0 != label);
        let first = others().next().ok_or_else(|| refused("two columns of numbers are needed".into()))?;
        let (_, x) = match self.input.as_str() {
            "" => first,
            name => find(name)
                .filter(|column| column.0 != label)
                .ok_or_else(|| expected(fields.input.error(name)).nearest(first.0))?,
        };
        let pairs = x.iter().copied().zip(t.iter().copied());
        let pairs: Vec<(f64, f64)> = pairs.filter(|(x, t)| x.is_finite() && t.is_finite()).collect();
        if (FEWEST..=MOST).contains(&pairs.len()) {
            return Ok(pairs);
        }
        Err(refused(format!(
            "{FEWEST} to {MOST} rows with both numbers are needed; there are {}. The page of your own data takes larger tables",
            pairs.len()
        )))
    }

    /// The network with its `examples`, and how it sees them.
    pub fn problem(&self, examples: &[(f64, f64)]) -> (Rc<RegressionProblem>, Frame) {
        let frame = Frame::of(examples, self.set == PointSet::Table);
        let (x, t): (Vec<f64>, Vec<f64>) = examples.iter().copied().unzip();
        let t: Vec<f64> = t.iter().map(|t| (t - frame.t.0) / frame.t.1).collect();
        let hyper = self.hyper.hyperprior(&self.hyperpriors, self.alpha, self.beta);
        let shape = NetworkShape { hidden: self.hidden, inputs: self.width() };
        let examples = ExampleBlocks::new(&self.rows(&x, frame), self.width(), &t);
        (Rc::new(RegressionProblem { shape, examples, hyper }), frame)
    }

    fn width(&self) -> usize {
        1 + usize::from(self.bias)
    }

    fn rows(&self, x: &[f64], Frame { x: (centre, scale), .. }: Frame) -> Vec<f64> {
        x.iter().flat_map(|x| [(x - centre) / scale, 1.0].into_iter().take(self.width())).collect()
    }

    /// Inputs at which predictions are drawn, beyond the examples on either side, and then those that are reported.
    pub fn inputs(&self, examples: &[(f64, f64)]) -> Vec<f64> {
        let ends = examples.iter().map(|(x, _)| (*x, *x));
        let (low, high) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((-1.0, 1.0));
        let room = 0.35 * (high - low).max(1e-3);
        let at = |i: usize| low - room + (high - low + 2.0 * room) * i as f64 / (INPUTS - 1) as f64;
        (0..INPUTS).map(at).chain(self.predict.iter().copied()).collect()
    }

    /// The same as the network takes them.
    pub fn queries(&self, examples: &[(f64, f64)], frame: Frame) -> ExampleBlocks {
        ExampleBlocks::unlabelled(&self.rows(&self.inputs(examples), frame), self.width())
    }
}

/// How the network sees x and t: less the first number, in units of the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Of x.
    pub x: (f64, f64),
    /// Of t.
    pub t: (f64, f64),
}

impl Frame {
    /// The mean of t is taken away; of a table both are standardised.
    fn of(examples: &[(f64, f64)], standardise: bool) -> Self {
        let count = examples.len().max(1) as f64;
        let moments = |pick: fn(&(f64, f64)) -> f64| {
            let mean = examples.iter().map(pick).sum::<f64>() / count;
            let square = examples.iter().map(pick).map(|v| (v - mean) * (v - mean)).sum::<f64>() / count;
            (mean, if square > 0.0 { square.sqrt() } else { 1.0 })
        };
        let (x, t) = (moments(|e| e.0), moments(|e| e.1));
        if standardise { Self { x, t } } else { Self { x: (0.0, 1.0), t: (t.0, 1.0) } }
    }
}
