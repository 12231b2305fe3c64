//! The posterior of any approximation, and its predictions.

use super::cavity::onsager_reaction;
use super::factor::ResponseFactor;
use super::hyperparameters::Hyperparameters;
use super::joint::FieldVector;
use super::kernel::Kernel;
use super::laplace::Laplace;
use super::prediction::{Prediction, zero_if_rounding};
use super::site::{Site, probability};
use super::solution::Solution;
use super::training_set::TrainingSet;
use crate::math::lanes::{LANES, dot};

/// An approximate posterior over the latent function at the training inputs.
pub struct Posterior {
    /// x = C⁻¹⟨h⟩, m.
    pub x: Vec<f64>,
    /// Cavity means γ, m.
    pub gamma: Vec<f64>,
    /// Cavity variances λ, m.
    pub lambda: Vec<f64>,
    /// Posterior means of the fields, m.
    pub h: Vec<f64>,
    /// Leave-one-out predictions, m.
    pub left_out: Vec<Prediction>,
    /// Leave-one-out log predictive probability Σ ln p(label | others).
    pub ln_loo: f64,
    /// −G, or Laplace's log evidence.
    pub minus_g: f64,
    /// I + S C, or I + W K for Laplace's approximation, factored.
    factor: ResponseFactor,
}

impl Posterior {
    /// Returns the posterior of a mean-field `solution` with flip probability `kappa`.
    pub(super) fn of_mean_field(solution: Solution, kappa: f64) -> Self {
        let left_out = |i: usize| {
            let var = solution.left_out_var[i];
            let terms = solution.h[i].abs() + onsager_reaction(var, solution.x[i]).abs();
            Prediction::of_noisy_field(zero_if_rounding(solution.left_out[i], terms), var, kappa)
        };
        Self {
            left_out: (0..solution.x.len()).map(left_out).collect(),
            x: solution.x,
            gamma: solution.gamma,
            lambda: solution.lambda,
            h: solution.h,
            ln_loo: solution.ln_loo,
            minus_g: solution.minus_g,
            factor: solution.factor,
        }
    }

    /// Returns the posterior of Laplace's approximation with noise variance `v` and flip probability `kappa`; `set` has the covariances
    /// K without noise.
    pub(super) fn of_laplace(laplace: Laplace, set: &TrainingSet, v: f64, kappa: f64) -> Self {
        let mut fields = laplace.left_out(set);
        for ((mean, var), (f, a)) in fields.iter_mut().zip(laplace.f.iter().zip(&laplace.a)) {
            *mean = zero_if_rounding(*mean, f.abs() + onsager_reaction(*var, *a).abs());
        }
        let prediction = |(mean, var): &(f64, f64)| Prediction::of_noisy_field(*mean, var + v, kappa);
        let ln_p = |((mean, var), tau): (&(f64, f64), &f64)| Site::at(*mean, var + v, *tau, kappa).ln_z0;
        Self {
            left_out: fields.iter().map(prediction).collect(),
            ln_loo: fields.iter().zip(&set.tau).map(ln_p).sum(),
            minus_g: laplace.ln_evidence,
            gamma: fields.iter().map(|f| f.0).collect(),
            lambda: fields.iter().map(|f| f.1).collect(),
            x: laplace.a,
            h: laplace.f,
            factor: laplace.factor,
        }
    }

    /// Returns the prediction at the input `at` (N), OW98 eq. (7); `rows` are the inputs of the training set.
    pub(super) fn predict<'a>(
        &self,
        hyperparameters: &Hyperparameters,
        rows: impl Iterator<Item = &'a Vec<f64>>,
        at: &[f64],
    ) -> Prediction {
        let Hyperparameters { kernel, v, kappa, .. } = hyperparameters;
        let k: Vec<f64> = rows.map(|row| kernel.covariance(row, at)).collect();
        let mean = k.iter().zip(&self.x).map(|(k, x)| k * x).sum();
        let var = (kernel.covariance(at, at) - self.factor.quadratic(&k)).max(0.0);
        Prediction { mean, var, p: probability(mean, var + v, *kappa) }
    }

    /// Returns the field vectors of up to eight `inputs`, of N each; `rows` are the inputs of the training set. `None` if the covariances of
    /// the fields are not positive definite.
    pub fn field_vectors(
        &self,
        kernel: &Kernel,
        rows: &[Vec<f64>],
        inputs: &[&[f64]],
    ) -> Option<Vec<FieldVector>> {
        let inputs = &inputs[..inputs.len().min(LANES)];
        let covariances = |at: &&[f64]| rows.iter().map(|row| kernel.covariance(row, at)).collect();
        let k: Vec<Vec<f64>> = inputs.iter().map(covariances).collect();
        let halves = self.factor.halves(&k)?;
        let vector = |(k, parts): (&Vec<f64>, [Vec<f64>; 2])| FieldVector { mean: dot(k, &self.x), parts };
        Some(k.iter().zip(halves).map(vector).collect())
    }

    /// Returns true if all values that are shown are finite.
    pub(super) fn is_finite(&self) -> bool {
        let all = |x: &[f64]| x.iter().all(|x| x.is_finite());
        self.minus_g.is_finite()
            && self.ln_loo.is_finite()
            && [&self.x, &self.gamma, &self.lambda].into_iter().all(|x| all(x))
            && self.left_out.iter().all(|prediction| prediction.p.is_finite())
    }
}
