//! Logistic regression with a ridge penalty, the baseline of the classifiers, one evaluation at a time.

use super::lanes::dot;
use super::lbfgs::Lbfgs;
use super::special::{sigmoid, softplus};

/// Strength of the penalty ½|w|² on the weights of standardised inputs, as in scikit-learn by default (C = 1).
const RIDGE: f64 = 1.0;
/// Largest element of the gradient at convergence, divided by the number of rows.
const TOLERANCE: f64 = 1e-8;
/// Maximum number of evaluations.
const MAX_EVALUATIONS: usize = 500;

/// A fit that minimises Σ ln(1 + e^(−τ(b + w·x))) + ½|w|² over rows with labels τ = ±1 and standardised inputs x. The intercept b is
/// not penalised.
#[derive(Clone, Debug)]
pub struct Logistic {
    /// Standardised inputs, m×N.
    inputs: Vec<f64>,
    labels: Vec<f64>,
    means: Vec<f64>,
    /// Inverse standard deviations, N; 0 for a constant column.
    scales: Vec<f64>,
    /// Minimisation over N weights and the intercept.
    search: Lbfgs,
    evaluations: usize,
}

impl Logistic {
    /// Starts a fit to rows of inputs with labels ±1.
    pub fn new<'a>(rows: impl Iterator<Item = (&'a [f64], f64)> + Clone) -> Self {
        let labels: Vec<f64> = rows.clone().map(|(_, label)| label).collect();
        let count = labels.len() as f64;
        let width = rows.clone().next().map_or(0, |(row, _)| row.len());
        let (mut means, mut squares) = (vec![0.0; width], vec![0.0; width]);
        for (row, _) in rows.clone() {
            means.iter_mut().zip(row).for_each(|(mean, x)| *mean += x / count);
        }
        for (row, _) in rows.clone() {
            squares
                .iter_mut()
                .zip(row)
                .zip(&means)
                .for_each(|((sum, x), mean)| *sum += (x - mean) * (x - mean) / count);
        }
        let scales: Vec<f64> =
            squares.iter().map(|square| if *square > 0.0 { 1.0 / square.sqrt() } else { 0.0 }).collect();
        let mut inputs = Vec::with_capacity(labels.len() * width);
        for (row, _) in rows {
            inputs.extend(row.iter().zip(&means).zip(&scales).map(|((x, mean), scale)| (x - mean) * scale));
        }
        let search = Lbfgs::new(&vec![0.0; width + 1], TOLERANCE * count, f64::INFINITY);
        Self { inputs, labels, means, scales, search, evaluations: 0 }
    }

    /// Makes one evaluation. Returns true at the minimum or after the maximum number of evaluations.
    pub fn step(&mut self) -> bool {
        let width = self.means.len();
        let (weights, intercept) = self.search.ask().split_at(width);
        let mut value = 0.5 * RIDGE * dot(weights, weights);
        let mut gradient: Vec<f64> = weights.iter().map(|w| RIDGE * w).chain([0.0]).collect();
        for (i, label) in self.labels.iter().enumerate() {
            let row = &self.inputs[i * width..(i + 1) * width];
            let margin = label * (dot(weights, row) + intercept[0]);
            value += softplus(-margin);
            let pull = -label * sigmoid(-margin);
            gradient.iter_mut().zip(row).for_each(|(g, x)| *g += pull * x);
            gradient[width] += pull;
        }
        self.evaluations += 1;
        self.search.tell(value, &gradient).is_some() || self.evaluations >= MAX_EVALUATIONS
    }

    /// Returns the number of multiply–adds of a step.
    pub fn work(&self) -> u64 {
        2 * (self.inputs.len() + self.labels.len()) as u64
    }

    /// Returns the probability of +1 for inputs in their original units.
    pub fn probability(&self, row: &[f64]) -> f64 {
        let (weights, intercept) = self.search.best().0.split_at(self.means.len());
        let inputs = row.iter().zip(&self.means).zip(&self.scales);
        let sum: f64 = inputs.zip(weights).map(|(((x, mean), scale), w)| w * (x - mean) * scale).sum();
        sigmoid(sum + intercept[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(rows: &[([f64; 2], f64)]) -> Logistic {
        let mut fit = Logistic::new(rows.iter().map(|(row, label)| (row.as_slice(), *label)));
        while !fit.step() {}
        fit
    }

    const ROWS: [([f64; 2], f64); 6] = [
        ([0.5, 100.0], 1.0),
        ([1.5, 300.0], 1.0),
        ([-1.0, 200.0], -1.0),
        ([0.2, 250.0], -1.0),
        ([2.0, 150.0], 1.0),
        ([-0.4, 120.0], -1.0),
    ];

    #[test]
    fn the_gradient_of_the_penalised_likelihood_is_zero() {
        let fit = fit(&ROWS);
        let (weights, intercept) = fit.search.best().0.split_at(2);
        let mut gradient = [weights[0], weights[1], 0.0];
        for (i, (raw, label)) in ROWS.iter().enumerate() {
            let row = &fit.inputs[2 * i..2 * i + 2];
            let p = fit.probability(raw);
            let by_hand = sigmoid(weights[0] * row[0] + weights[1] * row[1] + intercept[0]);
            assert!((p - by_hand).abs() < 1e-14);
            let pull = p - f64::from(u8::from(*label > 0.0));
            gradient[0] += pull * row[0];
            gradient[1] += pull * row[1];
            gradient[2] += pull;
        }
        assert!(gradient.iter().all(|g| g.abs() < 1e-7), "{gradient:?}");
    }

    #[test]
    fn the_fit_does_not_depend_on_units_and_converges_for_separable_rows() {
        let scaled = ROWS.map(|([a, b], label)| ([a * 1e6 + 3.0, b * 1e-6], label));
        let (one, other) = (fit(&ROWS), fit(&scaled));
        for ((row, _), (same, _)) in ROWS.iter().zip(&scaled) {
            assert!((one.probability(row) - other.probability(same)).abs() < 1e-6);
        }
        let constant = fit(&[([1.0, 5.0], 1.0), ([-1.0, 5.0], -1.0)]);
        let p = constant.probability(&[1.0, 5.0]);
        assert!(
            p > 0.6 && p < 1.0 && constant.evaluations < MAX_EVALUATIONS,
            "{p} in {}",
            constant.evaluations
        );
    }
}
