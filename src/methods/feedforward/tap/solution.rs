//! A solution of the TAP equations, and what it says of its own training set.

use super::likelihood::Likelihood;
use super::votes::each_majority;
use crate::math::lanes::dot;

/// A fixed point: the posterior in the mean-field approximation.
#[derive(Clone, Debug)]
pub struct Solution {
    /// ⟨w⟩, K×n.
    pub weights: Vec<f64>,
    /// λ of eq. (6'): the posterior variance of a branch's field, K. With variances of each example's own, the mean of those of the
    /// cavities.
    pub lambda: Vec<f64>,
    /// g = i⟨x⟩ of eq. (5), m×K.
    pub g: Vec<f64>,
    /// Cavity fields z of eq. (8), m×K.
    pub z: Vec<f64>,
    /// Sweeps over all attempts.
    pub sweeps: usize,
    /// The variances of each example, where they are not taken to be the same.
    pub own: Option<Own>,
}

/// Variances of each example's own, and what they come from.
#[derive(Clone, Debug)]
pub struct Own {
    /// Cavity variances λ and posterior variances v of the fields, m×K each.
    pub cavity: Vec<f64>,
    /// See `cavity`.
    pub marginal: Vec<f64>,
    /// Posterior covariances A⁻¹ of the weights of each branch, n×n.
    pub covariance: Vec<Vec<f64>>,
    /// ln det A, summed over the branches.
    pub ln_det: f64,
}

/// Share of errors of predictions against labels, whatever their size; a prediction of exactly 0 counts half.
pub fn error_share<'a>(
    predictions: impl Iterator<Item = f64>,
    labels: impl IntoIterator<Item = &'a f64>,
) -> f64 {
    let (mut errors, mut count) = (0.0, 0.0);
    for (prediction, label) in predictions.zip(labels) {
        let agreement = prediction * label;
        errors += if agreement < 0.0 {
            1.0
        } else if agreement == 0.0 {
            0.5
        } else {
            0.0
        };
        count += 1.0;
    }
    errors / count
}

/// The committee's vote: the sign of the sum of the branches' signs, 0 for a tie.
fn vote(fields: &[f64]) -> f64 {
    fields
        .iter()
        .map(|f| {
            if *f > 0.0 {
                1.0
            } else if *f < 0.0 {
                -1.0
            } else {
                0.0
            }
        })
        .sum()
}

impl Solution {
    /// Overlap q = ⟨w⟩ᵀC⟨w⟩/N with the believed covariance C.
    pub fn q(&self) -> f64 {
        1.0 - self.lambda.iter().sum::<f64>() / self.lambda.len() as f64
    }

    /// Fields of an input that was not learnt from, K×n, in units of their deviations: ⟨w⟩·s/√n over √λ, K.
    pub fn fields_at(&self, input: &[f64]) -> Vec<f64> {
        let size = input.len() / self.lambda.len();
        let branches = self.weights.chunks_exact(size).zip(input.chunks_exact(size)).zip(&self.lambda);
        branches
            .enumerate()
            .map(|(k, ((w, s), lambda))| {
                let mean = w.iter().zip(s).map(|(w, s)| w * s).sum::<f64>();
                let Some(own) = &self.own else { return mean / (size as f64 * lambda).sqrt() };
                let variance = quadratic(&own.covariance[k], s);
                // An input of zeros has no field.
                if variance > 0.0 { mean / (size as f64 * variance).sqrt() } else { 0.0 }
            })
            .collect()
    }

    /// Posterior standard deviation of each weight, K×n: √λ where all fields of a branch have the same variance.
    pub fn weight_sd(&self) -> Vec<f64> {
        let n = self.weights.len() / self.lambda.len();
        match &self.own {
            Some(own) => own
                .covariance
                .iter()
                .flat_map(|a| a.iter().step_by(n + 1).map(|x| x.max(0.0).sqrt()))
                .collect(),
            None => {
                self.lambda.iter().flat_map(|lambda| std::iter::repeat_n(lambda.max(0.0).sqrt(), n)).collect()
            }
        }
    }

    /// The log evidence ln p(y | S): the free energy at the fixed point, the sum of ln⟨F⟩ − ln(1+e^−β) over the examples and of what
    /// the fields' Gaussian distributions have changed by. With variances of each example's own, OW98 eq. (11) in the space of the
    /// weights; with one for all, its limit for many uncorrelated inputs, ½ Σ_k (λ_k Σ g² + n ln λ_k).
    pub fn ln_evidence(&self, labels: &[f64], likelihood: &Likelihood) -> f64 {
        let hidden = self.lambda.len();
        let ln_f = self.z.chunks_exact(hidden).zip(labels).map(|(z, y)| likelihood.ln_f(z, *y));
        let ln_f = ln_f.sum::<f64>() - labels.len() as f64 * likelihood.ln_total();
        let gaussian = match &self.own {
            None => {
                let n = (self.weights.len() / hidden) as f64;
                let squares = |k: usize| self.g.iter().skip(k).step_by(hidden).map(|g| g * g).sum::<f64>();
                self.lambda.iter().enumerate().map(|(k, lam)| lam * squares(k) + n * libm::log(*lam)).sum()
            }
            Some(own) => {
                let fields = self.g.iter().zip(&self.z).zip(own.cavity.iter().zip(&own.marginal));
                let known = fields.filter(|(_, (lambda, _))| **lambda > 0.0);
                // 1 + S λ is λ/v.
                let sum = known.map(|((g, z), (lambda, v))| libm::log(lambda / v) - g * z * lambda.sqrt());
                sum.sum::<f64>() - own.ln_det
            }
        };
        ln_f + 0.5 * gaussian
    }

    /// Σ ln p(y | the other examples), by the cavity fields.
    pub fn ln_left_out(&self, labels: &[f64], likelihood: &Likelihood) -> f64 {
        let cavities = self.z.chunks_exact(self.lambda.len()).zip(labels);
        cavities.map(|(z, y)| likelihood.ln_f(z, *y) - likelihood.ln_total()).sum()
    }

    /// Fields of each example, K at a time: of the full posterior mean, √λ z + λ g by eq. (8).
    fn trained_fields(&self) -> Vec<f64> {
        let hidden = self.lambda.len();
        let lambda = |i: usize| self.own.as_ref().map_or(self.lambda[i % hidden], |own| own.cavity[i]);
        let pairs = self.g.iter().zip(&self.z).enumerate();
        pairs.map(|(i, (g, z))| lambda(i) * g + lambda(i).sqrt() * z).collect()
    }

    /// The same in units of their posterior deviations: √λ where all have the same variance.
    fn trained_fields_in_units(&self) -> Vec<f64> {
        let hidden = self.lambda.len();
        let mut fields = self.trained_fields();
        for (i, field) in fields.iter_mut().enumerate() {
            match &self.own {
                None => *field /= self.lambda[i % hidden].sqrt(),
                Some(own) if own.marginal[i] > 0.0 => *field /= own.marginal[i].sqrt(),
                Some(_) => *field = 0.0,
            }
        }
        fields
    }

    /// ⟨σ⟩ of each example, eq. (9), at fields in units of their deviations, m×K.
    fn outputs(&self, fields: &[f64]) -> impl Iterator<Item = f64> + use<> {
        let hidden = self.lambda.len();
        each_majority(fields, hidden, &vec![1.0; fields.len() / hidden]).into_iter().map(|p| 2.0 * p - 1.0)
    }

    /// ⟨σ⟩ of each example under the tilted posterior, m: the cavity's with the example's own factor, ⟨σF⟩/⟨F⟩ with the
    /// averages of eq. (7). It is the posterior mean of the output at a training input, whose field is not taken for a Gaussian as in
    /// eq. (9). `likelihood` is the one that was solved with.
    pub fn tilted_outputs(&self, labels: &[f64], likelihood: &Likelihood) -> Vec<f64> {
        let majorities = each_majority(&self.z, self.lambda.len(), labels);
        labels.iter().zip(majorities).map(|(y, majority)| y * likelihood.tilted_agreement(majority)).collect()
    }

    /// Training error of the Bayes prediction, eq. (9) at the training inputs.
    pub fn training_bayes(&self, labels: &[f64]) -> f64 {
        error_share(self.outputs(&self.trained_fields_in_units()), labels)
    }

    /// Training error of the machine with weights ⟨w⟩.
    pub fn training_opt(&self, labels: &[f64]) -> f64 {
        error_share(self.trained_fields().chunks_exact(self.lambda.len()).map(vote), labels)
    }

    /// Training error of [`Self::tilted_outputs`]: exactly 0 without noise.
    pub fn training_tilted(&self, labels: &[f64], likelihood: &Likelihood) -> f64 {
        error_share(self.tilted_outputs(labels, likelihood).into_iter(), labels)
    }

    /// The moving-control (leave-one-out) estimate of the Bayes prediction's error on noisy labels.
    pub fn moving_control_bayes(&self, labels: &[f64]) -> f64 {
        error_share(self.outputs(&self.z), labels)
    }

    /// The moving-control estimate for the machine with weights ⟨w⟩.
    pub fn moving_control_opt(&self, labels: &[f64]) -> f64 {
        error_share(self.z.chunks_exact(self.lambda.len()).map(vote), labels)
    }
}

/// sᵀ A⁻¹ s/n.
fn quadratic(covariance: &[f64], s: &[f64]) -> f64 {
    let rows = covariance.chunks_exact(s.len()).zip(s);
    rows.map(|(row, x)| x * dot(row, s)).sum::<f64>() / s.len() as f64
}
