//! Linear regression with a Gaussian prior over the weights and precisions by maximum evidence (MacKay 1992), the baseline of the
//! regression models.

use super::cholesky::Cholesky;

/// Maximum number of iterations for α and β.
const MAX_ITERATIONS: usize = 30;
/// Relative change of α and β at convergence.
const TOLERANCE: f64 = 1e-5;
/// Range of the precisions, which would diverge without noise or without a slope.
const RANGE: (f64, f64) = (1e-8, 1e8);

/// The posterior of the weights.
pub struct BayesianRegression {
    /// Posterior mean, k.
    pub weights: Vec<f64>,
    /// Prior precision.
    pub alpha: f64,
    /// Noise precision.
    pub beta: f64,
    /// Factor of the posterior precision αI + βXᵀX.
    factor: Cholesky,
}

impl BayesianRegression {
    /// Fits `targets`, N, to `inputs`, N×k, row by row; `None` if the numbers are too large.
    pub fn new(inputs: &[f64], targets: &[f64]) -> Option<Self> {
        let rows = targets.len();
        let k = inputs.len().checked_div(rows)?;
        let row = |n: usize| &inputs[n * k..(n + 1) * k];
        let (mut gram, mut moment) = (vec![0.0; k * k], vec![0.0; k]);
        for (n, target) in targets.iter().enumerate() {
            let x = row(n);
            for i in 0..k {
                moment[i] += x[i] * target;
                for j in 0..=i {
                    gram[i * k + j] += x[i] * x[j];
                }
            }
        }
        let (mut alpha, mut beta) = (1.0_f64, 1.0_f64);
        for iteration in 1.. {
            let factor = Cholesky::new(k, |i, j| beta * gram[i * k + j] + if i == j { alpha } else { 0.0 })?;
            let mut weights: Vec<f64> = moment.iter().map(|m| beta * m).collect();
            factor.solve(&mut weights);
            // tr A⁻¹.
            let trace: f64 = (0..k)
                .map(|i| {
                    let mut unit = vec![0.0; k];
                    unit[i] = 1.0;
                    factor.solve_lower(&mut unit);
                    unit.iter().map(|u| u * u).sum::<f64>()
                })
                .sum();
            // Number of well-determined weights.
            let gamma = k as f64 - alpha * trace;
            let power: f64 = weights.iter().map(|w| w * w).sum();
            let error: f64 = (0..rows)
                .map(|n| {
                    let off = targets[n] - row(n).iter().zip(&weights).map(|(x, w)| x * w).sum::<f64>();
                    off * off
                })
                .sum();
            let next = [gamma / power, (rows as f64 - gamma) / error].map(|x| x.clamp(RANGE.0, RANGE.1));
            let converged = (next[0] / alpha - 1.0).abs() + (next[1] / beta - 1.0).abs() < TOLERANCE;
            if converged || iteration == MAX_ITERATIONS {
                return Some(Self { weights, alpha, beta, factor });
            }
            [alpha, beta] = next.map(|x| if x.is_nan() { RANGE.1 } else { x });
        }
        None
    }

    /// Returns the mean and standard deviation of a new target at inputs `x`, k.
    pub fn predict(&self, x: &[f64]) -> (f64, f64) {
        let mean = x.iter().zip(&self.weights).map(|(x, w)| x * w).sum();
        let mut half = x.to_vec();
        self.factor.solve_lower(&mut half);
        let var: f64 = half.iter().map(|u| u * u).sum();
        (mean, (var + 1.0 / self.beta).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    #[test]
    fn a_line_and_its_noise_are_found() {
        let mut stream = Stream::of(1, 0);
        let (mut inputs, mut targets) = (Vec::new(), Vec::new());
        for _ in 0..400 {
            let x = [stream.normal(), stream.normal(), 1.0];
            targets.push(2.0 * x[0] - 0.5 * x[1] + 0.3 + 0.2 * stream.normal());
            inputs.extend(x);
        }
        let found = BayesianRegression::new(&inputs, &targets).unwrap();
        for (weight, truth) in found.weights.iter().zip([2.0, -0.5, 0.3]) {
            assert!((weight - truth).abs() < 0.05, "{weight} instead of {truth}");
        }
        assert!((1.0 / found.beta.sqrt() - 0.2).abs() < 0.02);
        let (mean, sd) = found.predict(&[1.0, 1.0, 1.0]);
        assert!((mean - 1.8).abs() < 0.05 && (sd - 0.2).abs() < 0.02, "{mean} ± {sd}");
        // At the fixed point α|w|² = γ = k − α tr A⁻¹, and the evidence has no slope.
        let power: f64 = found.weights.iter().map(|w| w * w).sum();
        assert!((found.alpha * power - 3.0).abs() < 0.01);
    }

    #[test]
    fn without_noise_or_without_a_slope_there_are_numbers() {
        let inputs = [1.0, 1.0, 2.0, 1.0, 3.0, 1.0];
        for targets in [[1.0, 2.0, 3.0], [0.0, 0.0, 0.0], [1.0, 1.0, 1.0]] {
            let found = BayesianRegression::new(&inputs, &targets).unwrap();
            let (mean, sd) = found.predict(&[2.0, 1.0]);
            assert!(
                (mean - targets[1]).abs() < 0.01 && sd.is_finite() && sd > 0.0,
                "{targets:?}: {mean} ± {sd}"
            );
        }
    }
}
