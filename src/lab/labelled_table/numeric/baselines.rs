//! Baselines of a regression on a table: the mean of the training targets, and Bayesian linear regression.

use serde::{Deserialize, Serialize};

use super::rows::NumericRows;
use super::scores::TestScores;
use crate::labelled_table::held_out_rows;
use crate::math::bayesian_regression::BayesianRegression;

/// Folds in which the training rows are predicted if there are no test rows.
const FOLDS: usize = 10;

/// Scores of the baselines; `None` without rows to predict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TargetBaselines {
    /// Gaussian with the mean and standard deviation of the training targets.
    pub mean: Option<TestScores>,
    /// Bayesian linear regression.
    pub linear: Option<TestScores>,
}

impl TargetBaselines {
    /// Returns the scores on the test rows. `bias` adds a constant input to the linear regression.
    pub fn on_tests(rows: &NumericRows, bias: bool) -> Self {
        let Predictions { mean, linear } = Predictions::of_tests(rows, bias);
        Self { mean: rows.scores(&mean), linear: linear.and_then(|predicted| rows.scores(&predicted)) }
    }
}

/// Means and standard deviations predicted for rows, in units of the problem.
struct Predictions {
    mean: Vec<(f64, f64)>,
    /// `None` if the numbers are too large.
    linear: Option<Vec<(f64, f64)>>,
}

impl Predictions {
    fn of_tests(rows: &NumericRows, bias: bool) -> Self {
        let with_bias = |row: &Vec<f64>| row.iter().copied().chain(bias.then_some(1.0)).collect::<Vec<f64>>();
        let inputs: Vec<f64> = rows.train.iter().flat_map(with_bias).collect();
        let squares: f64 = rows.targets.iter().map(|t| t * t).sum();
        let sd = (squares / rows.targets.len().max(1) as f64).sqrt().max(f64::MIN_POSITIVE);
        let tests = &rows.queries[..rows.tests.len()];
        let linear = BayesianRegression::new(&inputs, &rows.targets)
            .map(|regression| tests.iter().map(|row| regression.predict(&with_bias(row))).collect());
        Self { mean: vec![(0.0, sd); tests.len()], linear }
    }
}

/// Fits of the baselines: to the training rows if there are test rows, otherwise in ten folds, one after the other.
pub struct TargetBaselineFit {
    fold: usize,
    /// Predictions of the training rows so far, m; NaN before their fold.
    mean: Vec<(f64, f64)>,
    /// The same by linear regression; `None` if it has failed in a fold.
    linear: Option<Vec<(f64, f64)>>,
}

impl TargetBaselineFit {
    /// Prepares the fits.
    pub fn new(rows: &NumericRows) -> Self {
        let unknown = vec![(f64::NAN, f64::NAN); rows.train.len()];
        Self { fold: 0, linear: Some(unknown.clone()), mean: unknown }
    }

    /// Returns the approximate number of multiply–adds of a step.
    pub fn cost(rows: &NumericRows) -> u64 {
        let inputs = rows.train.first().map_or(0, Vec::len) as u64 + 1;
        inputs * inputs * (rows.train.len() as u64 + 30 * inputs)
    }

    /// Makes one fit; returns the scores after the last. `seed` assigns the rows to folds.
    pub fn step(&mut self, rows: &NumericRows, seed: u64) -> Option<TargetBaselines> {
        if !rows.tests.is_empty() {
            return Some(TargetBaselines::on_tests(rows, true));
        }
        let folds = FOLDS.min(rows.train.len());
        let labels = vec![0.0; rows.train.len()];
        let held_out = held_out_rows(&labels, &rows.groups, folds, seed, self.fold);
        let of_fold = rows.hold_out(&held_out, 0);
        let shift = of_fold.scale.shift_from(&rows.scale);
        let Predictions { mean, linear } = Predictions::of_tests(&of_fold, true);
        let put = |into: &mut Vec<(f64, f64)>, from: Vec<(f64, f64)>| {
            held_out.iter().zip(from).for_each(|(row, (mean, sd))| into[*row] = (mean + shift, sd));
        };
        put(&mut self.mean, mean);
        self.linear = self.linear.take().zip(linear).map(|(mut into, from)| {
            put(&mut into, from);
            into
        });
        self.fold += 1;
        (self.fold >= folds).then(|| self.cross_validated(rows))
    }

    /// Returns the fraction done.
    pub fn fraction(&self) -> f64 {
        self.fold as f64 / FOLDS as f64
    }

    /// Returns the scores on the training rows that were held out in a fold.
    fn cross_validated(&self, rows: &NumericRows) -> TargetBaselines {
        let scores = |predicted: &Vec<(f64, f64)>| {
            let known = rows.targets.iter().zip(predicted).filter(|(_, (mean, _))| mean.is_finite());
            let (targets, predicted): (Vec<f64>, Vec<(f64, f64)>) = known.map(|(t, p)| (*t, *p)).unzip();
            TestScores::of(&targets, &predicted, |sd| rows.scale.in_units(0.0, sd).1)
        };
        TargetBaselines { mean: scores(&self.mean), linear: self.linear.as_ref().and_then(scores) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns 40 rows of t = 3 x − 6 with x in 0, …, 3.
    fn rows() -> NumericRows {
        NumericRows {
            train: (0..40).map(|i| vec![f64::from(i % 4)]).collect::<Vec<_>>().into(),
            targets: (0..40).map(|i| 3.0 * f64::from(i % 4) - 4.5).collect(),
            groups: (0..40).collect(),
            ..NumericRows::default()
        }
    }

    #[test]
    fn training_rows_are_predicted_without_themselves() {
        let rows = rows();
        let mut fit = TargetBaselineFit::new(&rows);
        let baselines = loop {
            if let Some(baselines) = fit.step(&rows, 1) {
                break baselines;
            }
        };
        let (mean, linear) = (baselines.mean.unwrap(), baselines.linear.unwrap());
        assert_eq!((mean.rows, linear.rows), (40, 40));
        // The mean of the other rows is on the other side.
        assert!(mean.rmse > 11.25_f64.sqrt() && mean.rmse < 1.2 * 11.25_f64.sqrt(), "{mean:?}");
        assert!(linear.rmse < 0.05 && linear.r2.unwrap() > 0.999, "{linear:?}");
    }

    #[test]
    fn test_rows_are_predicted_if_there_are_any() {
        let rows = NumericRows { queries: vec![vec![5.0]], tests: vec![10.5], ..rows() };
        let baselines = TargetBaselineFit::new(&rows).step(&rows, 1).unwrap();
        assert_eq!(baselines, TargetBaselines::on_tests(&rows, true));
        assert_eq!(baselines.mean.unwrap().mae, 10.5);
        assert!(baselines.linear.unwrap().mae < 0.1);
    }
}
