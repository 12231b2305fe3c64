//! A solution of the TAP equations, and what it says of its own training set.

use super::likelihood::Likelihood;
use super::votes::each_majority;

/// A fixed point: the posterior in the mean-field approximation.
#[derive(Clone, Debug)]
pub struct Solution {
    /// ⟨w⟩, K×n.
    pub weights: Vec<f64>,
    /// λ of eq. (6'): the posterior variance of a branch's field, K.
    pub lambda: Vec<f64>,
    /// g = i⟨x⟩ of eq. (5), m×K.
    pub g: Vec<f64>,
    /// Cavity fields z of eq. (8), m×K.
    pub z: Vec<f64>,
    /// Sweeps over all attempts.
    pub sweeps: usize,
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
            .map(|((w, s), lambda)| {
                w.iter().zip(s).map(|(w, s)| w * s).sum::<f64>() / (size as f64 * lambda).sqrt()
            })
            .collect()
    }

    /// Fields of each example, K at a time: of the full posterior mean, √λ z + λ g by eq. (8).
    fn trained_fields(&self) -> Vec<f64> {
        let hidden = self.lambda.len();
        let pairs = self.g.iter().zip(&self.z).enumerate();
        pairs.map(|(i, (g, z))| self.lambda[i % hidden] * g + self.lambda[i % hidden].sqrt() * z).collect()
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
        let mut fields = self.trained_fields();
        for fields in fields.chunks_exact_mut(self.lambda.len()) {
            fields.iter_mut().zip(&self.lambda).for_each(|(f, lam)| *f /= lam.sqrt());
        }
        error_share(self.outputs(&fields), labels)
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
