//! The training set of a solve: examples, labels, their likelihood and the assumed covariance of the inputs.

use super::likelihood::Likelihood;
use crate::data::teacher::LabelledExamples;
use crate::math::covariance::InputCovariance;
use crate::math::lanes::{LANES, Lanes};

/// Training set of a solve: the first `m` of the examples.
#[derive(Clone, Debug)]
pub struct TrainingSet<'a> {
    pub(super) examples: &'a LabelledExamples,
    pub(super) m: usize,
    /// Labels ±1 in blocks of eight; 0 pads the last block, where g is 0 then.
    pub(super) labels: Vec<Lanes>,
    pub(super) likelihood: Likelihood,
    /// Covariance C of the inputs of a branch that the student assumes.
    pub(super) covariance: InputCovariance,
}

impl<'a> TrainingSet<'a> {
    /// Returns the first `m` of `examples`, whose labels have the given `likelihood`.
    ///
    /// # Panics
    /// If there are fewer than `m` examples, or `m` is 0.
    pub fn new(examples: &'a LabelledExamples, m: usize, likelihood: Likelihood) -> Self {
        assert!((1..=examples.len()).contains(&m), "a training set has at least one example");
        let mut labels = vec![[0.0; LANES]; m.div_ceil(LANES)];
        for (i, y) in examples.labels()[..m].iter().enumerate() {
            labels[i / LANES][i % LANES] = *y;
        }
        Self { examples, m, labels, likelihood, covariance: InputCovariance::White }
    }

    /// Returns the training set of a student who assumes that the inputs of a branch have `covariance`.
    #[must_use]
    pub fn with_assumed_covariance(self, covariance: InputCovariance) -> Self {
        Self { covariance, ..self }
    }

    /// Returns the number of inputs N.
    pub(super) fn inputs(&self) -> usize {
        self.examples.inputs()
    }

    /// Returns the number of branches K.
    pub(super) fn hidden(&self) -> usize {
        self.likelihood.hidden()
    }

    /// Returns the inputs of a branch, n = N/K.
    pub(super) fn branch(&self) -> usize {
        self.inputs() / self.hidden()
    }

    /// Iterates over the blocks of eight examples with their labels.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (&[f64], &Lanes)> {
        self.examples.blocks().zip(&self.labels)
    }

    /// Returns the multiply–adds of one sweep, about.
    pub fn cost(&self) -> usize {
        2 * self.m * (self.inputs() + self.hidden() * (40 + self.hidden()))
    }
}
