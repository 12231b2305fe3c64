//! Scores of predictive means and standard deviations of targets.

use std::f64::consts::TAU;

use serde::{Deserialize, Serialize};

use crate::figure::{minus, rounded};
use crate::math::special::{NORMAL_50, NORMAL_80, NORMAL_95};
use crate::math::stats::mean;

/// Central prediction intervals whose coverage is reported: probability, and half width in standard deviations.
pub const INTERVALS: [(f64, f64); 3] = [(0.5, NORMAL_50), (0.8, NORMAL_80), (0.95, NORMAL_95)];

/// Predictive distribution of a target, in units of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PredictedTarget {
    /// Mean.
    pub mean: f64,
    /// Standard deviation, including the noise.
    pub sd: f64,
}

impl PredictedTarget {
    /// Returns the ends of the central 95 % interval.
    pub fn interval(&self) -> (f64, f64) {
        let half = NORMAL_95 * self.sd;
        (self.mean - half, self.mean + half)
    }

    /// Returns true if `target` lies in the central 95 % interval.
    pub fn covers(&self, target: f64) -> bool {
        let (low, high) = self.interval();
        (low..=high).contains(&target)
    }

    /// Returns the log density of `target`, in units of the table.
    pub fn ln_density(&self, target: f64) -> f64 {
        let error = (target - self.mean) / self.sd;
        -0.5 * (libm::log(TAU * self.sd * self.sd) + error * error)
    }
}

/// Scores on held-out rows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestScores {
    /// Number of rows.
    pub rows: usize,
    /// Mean squared error of the predictive mean, standardised if the table is.
    pub mse: f64,
    /// Root mean squared error, in units of the table.
    pub rmse: f64,
    /// Standard error of the root mean squared error over the rows, in units of the table; `None` for a single row.
    pub rmse_se: Option<f64>,
    /// Mean absolute error, in units of the table.
    pub mae: f64,
    /// Fraction of the variance of the targets that is explained, R²; `None` if the targets are equal.
    pub r2: Option<f64>,
    /// Mean log predictive density of a target, in units of the table.
    pub ln_density: f64,
    /// Fraction of the targets inside each of [`INTERVALS`].
    pub coverage: [f64; 3],
}

impl TestScores {
    /// Returns the scores of predictive means and standard deviations of `targets`, both in units of the problem; `in_units` converts a
    /// deviation to units of the table. `None` without rows.
    pub fn of(targets: &[f64], predicted: &[(f64, f64)], in_units: impl Fn(f64) -> f64) -> Option<Self> {
        if targets.is_empty() {
            return None;
        }
        let count = targets.len() as f64;
        let (mut mse, mut mae, mut ln_density, mut coverage) = (0.0, 0.0, 0.0, [0.0; 3]);
        for (t, (mean, sd)) in targets.iter().zip(predicted) {
            let error = t - mean;
            mse += error * error / count;
            mae += error.abs() / count;
            let scale = in_units(*sd);
            ln_density -= (0.5 * libm::log(TAU * scale * scale) + 0.5 * (error / sd) * (error / sd)) / count;
            for (covered, (_, half)) in coverage.iter_mut().zip(INTERVALS) {
                *covered += f64::from(u8::from(error.abs() <= half * sd)) / count;
            }
        }
        let squares = targets.iter().zip(predicted).map(|(t, (mean, _))| (t - mean) * (t - mean));
        // The standard error of a square root.
        let rmse_se = Some(in_units(mean(squares).se / (2.0 * mse.sqrt()))).filter(|se| se.is_finite());
        let centre = targets.iter().sum::<f64>() / count;
        let variance = targets.iter().map(|t| (t - centre) * (t - centre)).sum::<f64>() / count;
        let r2 = (variance > 0.0).then(|| 1.0 - mse / variance);
        let (rows, rmse, mae) = (targets.len(), in_units(mse.sqrt()), in_units(mae));
        Some(Self { rows, mse, rmse, rmse_se, mae, r2, ln_density, coverage })
    }

    /// Returns R²; NaN if the targets are equal.
    pub fn r2_or_nan(&self) -> f64 {
        self.r2.unwrap_or(f64::NAN)
    }

    /// Returns the scores of predictions of `targets`, both in units of the table; `unit` is the standard unit of the target.
    pub fn of_predictions(targets: &[f64], predicted: &[PredictedTarget], unit: f64) -> Option<Self> {
        let targets: Vec<f64> = targets.iter().map(|t| t / unit).collect();
        let predicted: Vec<(f64, f64)> = predicted.iter().map(|at| (at.mean / unit, at.sd / unit)).collect();
        Self::of(&targets, &predicted, |x| x * unit)
    }
}

/// Returns a sentence, preceded by a blank, if a model is no better than its baselines, given the errors of all three.
pub fn comparison(model: f64, linear: Option<f64>, mean: f64) -> &'static str {
    match linear {
        Some(linear) if model >= linear && linear < mean => {
            " Linear regression is as good: there is no sign of a nonlinear dependence."
        }
        Some(linear) if model >= linear => {
            " Neither is better than the mean: these columns do not predict the target."
        }
        _ => "",
    }
}

/// Returns a sentence with the root mean squared error of a target on some rows, beside that of linear regression or of the mean, whichever
/// is smaller: `The typical error of yield on 54 test rows is 0.524; linear regression: 1.01.`
pub fn typical_error(target: &str, rows: &str, rmse: f64, [linear, mean]: [Option<f64>; 2]) -> String {
    let baselines = [("linear regression", linear), ("the mean of the training rows", mean)];
    let known = baselines.into_iter().filter_map(|(name, error)| Some((name, error?)));
    let best = known.min_by(|a, b| a.1.total_cmp(&b.1));
    let best = best.map_or(String::new(), |(name, error)| format!("; {name}: {}", rounded(error)));
    format!("The typical error of {target} on {rows} is {}{best}.", rounded(rmse))
}

/// Returns a sentence, preceded by a blank, with the root mean squared errors of a model and of the baselines; R² and the standard error of
/// the model's are given if they are finite.
pub fn error_details([rmse, se, r2]: [f64; 3], [linear, mean]: [Option<f64>; 2]) -> String {
    let se = if se.is_finite() { format!(" ± {}", rounded(se)) } else { String::new() };
    let r2 = if r2.is_finite() { minus(format_args!(" (R² {r2:.2})")) } else { String::new() };
    let of = |name, error: Option<f64>| {
        error.map_or(String::new(), |error| format!("; {name}: {}", rounded(error)))
    };
    let (linear, mean) = (of("linear regression", linear), of("mean of the training rows", mean));
    format!(" Typical (root mean squared) error: {}{se}{r2}{linear}{mean}.", rounded(rmse))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_four_rows_are_those_by_hand() {
        let (targets, predicted) = ([1.0, 2.0, 3.0, 6.0], [(1.5, 1.0), (2.0, 1.0), (4.0, 1.0), (3.0, 1.0)]);
        let scores = TestScores::of(&targets, &predicted, |x| 10.0 * x).unwrap();
        // Squared errors .25, 0, 1, 9; the variance of the targets is 3.5.
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        near(scores.mse, 2.5625);
        near(scores.rmse, 10.0 * 2.5625_f64.sqrt());
        near(scores.mae, 11.25);
        near(scores.r2.unwrap(), 1.0 - 2.5625 / 3.5);
        let variance =
            [0.25, 0.0, 1.0, 9.0].map(|x: f64| (x - 2.5625) * (x - 2.5625)).iter().sum::<f64>() / 3.0;
        near(scores.rmse_se.unwrap(), 10.0 * (variance / 4.0).sqrt() / (2.0 * 2.5625_f64.sqrt()));
        near(scores.ln_density, -0.5 * (TAU.ln() + 2.0 * 10.0_f64.ln() + 2.5625));
        assert_eq!(scores.coverage, [0.5, 0.75, 0.75]);
        let in_units: Vec<PredictedTarget> =
            predicted.iter().map(|(mean, sd)| PredictedTarget { mean: 10.0 * mean, sd: 10.0 * sd }).collect();
        let again = TestScores::of_predictions(&targets.map(|t| 10.0 * t), &in_units, 10.0).unwrap();
        near(again.ln_density, scores.ln_density);
        near(again.mse, scores.mse);
        assert_eq!(TestScores::of(&[], &[], |x| x), None);
        let single = TestScores::of(&[1.0], &[(1.0, 2.0)], |x| x).unwrap();
        assert_eq!((single.rmse_se, single.r2, single.mse), (None, None, 0.0));
    }
}
