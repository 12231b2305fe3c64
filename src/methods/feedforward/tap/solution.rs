//! A solution of the TAP equations: predictions, error estimates and log evidence.

use super::likelihood::Likelihood;
use super::votes::majority_probabilities;
use crate::math::lanes::dot;

/// Fixed point of the TAP equations: the posterior in mean-field approximation.
#[derive(Clone, Debug)]
pub struct Solution {
    /// ⟨w⟩, K×n.
    pub weights: Vec<f64>,
    /// Posterior variance λ of a branch's field, eq. (6′), K. With adaptive variances, the mean of the cavity variances of its
    /// examples.
    pub lambda: Vec<f64>,
    /// g = i⟨x⟩ of eq. (5), m×K.
    pub g: Vec<f64>,
    /// Cavity fields z of eq. (8), m×K.
    pub z: Vec<f64>,
    /// Sweeps, over all schedules; 0 with adaptive variances, where the search counts them.
    pub sweeps: usize,
    /// Variances of each example; `None` if all share λ.
    pub adaptive: Option<AdaptiveVariances>,
}

/// Variances of the fields of each example, and the posterior that they follow from.
#[derive(Clone, Debug)]
pub struct AdaptiveVariances {
    /// Cavity variances λ, m×K.
    pub cavity: Vec<f64>,
    /// Posterior variances v, m×K.
    pub marginal: Vec<f64>,
    /// Posterior covariances A⁻¹ of the weights of each branch, n×n.
    pub covariance: Vec<Vec<f64>>,
    /// ln det A, summed over the branches.
    pub ln_det: f64,
}

/// Posterior of the weights as far as predictions need it.
#[derive(Clone, Copy, Debug)]
pub struct WeightPosterior<'a> {
    /// ⟨w⟩, K×n.
    pub weights: &'a [f64],
    /// Variances of the fields of a new input.
    pub variances: FieldVariances<'a>,
}

/// Variances of the fields of a new input.
#[derive(Clone, Copy, Debug)]
pub enum FieldVariances<'a> {
    /// The same for every input, K.
    Shared(&'a [f64]),
    /// By the posterior covariances of the weights of each branch, K of n×n.
    Adaptive(&'a [Vec<f64>]),
}

impl WeightPosterior<'_> {
    /// Returns the fields ⟨w⟩·s/√n of a new input (K×n), divided by their standard deviations, K: the arguments of eq. (9).
    pub fn fields_at(&self, input: &[f64]) -> Vec<f64> {
        let hidden = match self.variances {
            FieldVariances::Shared(lambda) => lambda.len(),
            FieldVariances::Adaptive(covariances) => covariances.len(),
        };
        let size = input.len() / hidden;
        let branches = self.weights.chunks_exact(size).zip(input.chunks_exact(size)).enumerate();
        let field = |(k, (w, s)): (usize, (&[f64], &[f64]))| {
            let mean = w.iter().zip(s).map(|(w, s)| w * s).sum::<f64>();
            let variance = match self.variances {
                FieldVariances::Shared(lambda) => lambda[k],
                FieldVariances::Adaptive(covariances) => quadratic(&covariances[k], s),
            };
            match self.variances {
                // The variance is 0 for an input of zeros.
                FieldVariances::Adaptive(_) if variance <= 0.0 => 0.0,
                _ => mean / (size as f64 * variance).sqrt(),
            }
        };
        branches.map(field).collect()
    }
}

/// Returns the error of a prediction whose product with the label is `agreement`: 1 if negative, ½ if 0, else 0.
pub(in crate::feedforward) fn error_at(agreement: f64) -> f64 {
    match agreement {
        0.0 => 0.5,
        agreement => f64::from(u8::from(agreement < 0.0)),
    }
}

/// Returns the fraction of `predictions` whose sign differs from the label; a prediction of exactly 0 counts half.
pub fn error_share<'a>(
    predictions: impl Iterator<Item = f64>,
    labels: impl IntoIterator<Item = &'a f64>,
) -> f64 {
    let (mut errors, mut count) = (0.0, 0.0);
    for (prediction, label) in predictions.zip(labels) {
        errors += error_at(prediction * label);
        count += 1.0;
    }
    errors / count
}

/// Returns the sum of the signs of the branches' fields: the committee's vote is its sign, and 0 is a tie.
fn vote_balance(fields: &[f64]) -> f64 {
    fields.iter().map(|field| if *field == 0.0 { 0.0 } else { field.signum() }).sum()
}

impl Solution {
    /// Returns the overlap q = ⟨w⟩ᵀC⟨w⟩/N with the assumed covariance C.
    pub fn q(&self) -> f64 {
        1.0 - self.lambda.iter().sum::<f64>() / self.lambda.len() as f64
    }

    /// Returns the posterior of the weights for predictions.
    pub fn weight_posterior(&self) -> WeightPosterior<'_> {
        let variances = match &self.adaptive {
            Some(adaptive) => FieldVariances::Adaptive(&adaptive.covariance),
            None => FieldVariances::Shared(&self.lambda),
        };
        WeightPosterior { weights: &self.weights, variances }
    }

    /// Returns the fields of a new input (K×n); see [`WeightPosterior::fields_at`].
    pub fn fields_at(&self, input: &[f64]) -> Vec<f64> {
        self.weight_posterior().fields_at(input)
    }

    /// Returns the posterior standard deviation of each weight, K×n: √λ with shared variances, √(A⁻¹)ⱼⱼ with adaptive ones.
    pub fn weight_sd(&self) -> Vec<f64> {
        let n = self.weights.len() / self.lambda.len();
        match &self.adaptive {
            Some(adaptive) => adaptive
                .covariance
                .iter()
                .flat_map(|a| a.iter().step_by(n + 1).map(|x| x.max(0.0).sqrt()))
                .collect(),
            None => {
                self.lambda.iter().flat_map(|lambda| std::iter::repeat_n(lambda.max(0.0).sqrt(), n)).collect()
            }
        }
    }

    /// Returns the log evidence ln p(y | S), minus the free energy at the fixed point: Σ_i [ln⟨F⟩_i − ln(1+e^−β)] plus a Gaussian
    /// term. With adaptive variances it is OW98 eq. (11) in the space of the weights; with shared variances its limit for many
    /// uncorrelated inputs, where the Gaussian term is ½ Σ_k (λ_k Σ_i g_ik² + n ln λ_k).
    pub fn ln_evidence(&self, labels: &[f64], likelihood: &Likelihood) -> f64 {
        let hidden = self.lambda.len();
        let ln_f = self.z.chunks_exact(hidden).zip(labels).map(|(z, y)| likelihood.ln_f(z, *y));
        let ln_f = ln_f.sum::<f64>() - labels.len() as f64 * likelihood.ln_total();
        let gaussian = match &self.adaptive {
            None => {
                let n = (self.weights.len() / hidden) as f64;
                let squares = |k: usize| self.g.iter().skip(k).step_by(hidden).map(|g| g * g).sum::<f64>();
                self.lambda.iter().enumerate().map(|(k, lam)| lam * squares(k) + n * libm::log(*lam)).sum()
            }
            Some(adaptive) => {
                let variances = adaptive.cavity.iter().zip(&adaptive.marginal);
                let fields = self.g.iter().zip(&self.z).zip(variances);
                let nonzero = fields.filter(|(_, (lambda, _))| **lambda > 0.0);
                // λ/v = 1 + Sλ.
                let sum = nonzero.map(|((g, z), (lambda, v))| libm::log(lambda / v) - g * z * lambda.sqrt());
                sum.sum::<f64>() - adaptive.ln_det
            }
        };
        ln_f + 0.5 * gaussian
    }

    /// Returns Σ_i ln p(y_i | the other examples), from the cavity fields.
    pub fn ln_left_out(&self, labels: &[f64], likelihood: &Likelihood) -> f64 {
        let cavities = self.z.chunks_exact(self.lambda.len()).zip(labels);
        cavities.map(|(z, y)| likelihood.ln_f(z, *y) - likelihood.ln_total()).sum()
    }

    /// Returns the fields under the full posterior, m×K: √λ z + λ g, eq. (8) solved for the field.
    fn trained_fields(&self) -> Vec<f64> {
        let hidden = self.lambda.len();
        let lambda =
            |i: usize| self.adaptive.as_ref().map_or(self.lambda[i % hidden], |adaptive| adaptive.cavity[i]);
        let pairs = self.g.iter().zip(&self.z).enumerate();
        pairs.map(|(i, (g, z))| lambda(i) * g + lambda(i).sqrt() * z).collect()
    }

    /// Returns [`Self::trained_fields`] divided by their posterior standard deviations, √λ with shared variances.
    fn trained_fields_in_units(&self) -> Vec<f64> {
        let hidden = self.lambda.len();
        let mut fields = self.trained_fields();
        for (i, field) in fields.iter_mut().enumerate() {
            match &self.adaptive {
                None => *field /= self.lambda[i % hidden].sqrt(),
                Some(adaptive) if adaptive.marginal[i] > 0.0 => *field /= adaptive.marginal[i].sqrt(),
                Some(_) => *field = 0.0,
            }
        }
        fields
    }

    /// Returns ⟨σ⟩ of each example, eq. (9), m, from fields in units of their standard deviations, m×K.
    fn outputs(&self, fields: &[f64]) -> impl Iterator<Item = f64> + use<> {
        let hidden = self.lambda.len();
        let plus = vec![1.0; fields.len() / hidden];
        majority_probabilities(fields, hidden, &plus).into_iter().map(|p| 2.0 * p - 1.0)
    }

    /// Returns ⟨σ⟩ of each example under its tilted distribution, m: ⟨σF⟩/⟨F⟩ with the cavity averages of eq. (7). It is the
    /// posterior mean output at a training input, without the Gaussian approximation of its field in eq. (9). `likelihood` is the
    /// one of the solve.
    pub fn tilted_outputs(&self, labels: &[f64], likelihood: &Likelihood) -> Vec<f64> {
        let majorities = majority_probabilities(&self.z, self.lambda.len(), labels);
        labels.iter().zip(majorities).map(|(y, majority)| y * likelihood.tilted_agreement(majority)).collect()
    }

    /// Returns the training error of the Bayes prediction, eq. (9) at the training inputs.
    pub fn training_bayes_error(&self, labels: &[f64]) -> f64 {
        error_share(self.outputs(&self.trained_fields_in_units()), labels)
    }

    /// Returns the training error of the committee with weights ⟨w⟩.
    pub fn training_opt_error(&self, labels: &[f64]) -> f64 {
        error_share(self.trained_fields().chunks_exact(self.lambda.len()).map(vote_balance), labels)
    }

    /// Returns the training error of [`Self::tilted_outputs`]: exactly 0 without noise.
    pub fn training_tilted_error(&self, labels: &[f64], likelihood: &Likelihood) -> f64 {
        error_share(self.tilted_outputs(labels, likelihood).into_iter(), labels)
    }

    /// Returns ⟨σ⟩ of each example from its cavity field, m.
    pub fn cavity_outputs(&self) -> impl Iterator<Item = f64> + use<> {
        self.outputs(&self.z)
    }

    /// Returns the leave-one-out estimate (the paper's moving control) of the error of the Bayes prediction on noisy labels.
    pub fn loo_bayes_error(&self, labels: &[f64]) -> f64 {
        error_share(self.cavity_outputs(), labels)
    }

    /// Returns the leave-one-out estimate for the committee with weights ⟨w⟩.
    pub fn loo_opt_error(&self, labels: &[f64]) -> f64 {
        error_share(self.z.chunks_exact(self.lambda.len()).map(vote_balance), labels)
    }
}

/// Returns sᵀA⁻¹s/n.
fn quadratic(covariance: &[f64], s: &[f64]) -> f64 {
    let rows = covariance.chunks_exact(s.len()).zip(s);
    rows.map(|(row, x)| x * dot(row, s)).sum::<f64>() / s.len() as f64
}
