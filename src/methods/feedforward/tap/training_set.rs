//! The training set of a solve: examples, labels, their likelihood and the assumed covariance of the inputs.

use super::likelihood::Likelihood;
use crate::data::teacher::LabelledExamples;
use crate::math::covariance::InputCovariance;
use crate::math::lanes::{LANES, Lanes};

/// A training set as the solver sees it: the first `m` of the examples.
#[derive(Clone, Debug)]
pub struct TrainingSet<'a> {
    pub(super) examples: &'a LabelledExamples,
    pub(super) m: usize,
    /// In blocks of eight; 0 where there is no example, which makes its g vanish.
    pub(super) labels: Vec<Lanes>,
    pub(super) likelihood: Likelihood,
    /// Of the inputs of a branch, as the student assumes it.
    pub(super) covariance: InputCovariance,
}

impl<'a> TrainingSet<'a> {
    /// The first `m` of `examples`, their labels flipped as `likelihood` says.
    ///
    /// # Panics
    /// If there are fewer than `m`, or `m` is 0.
    pub fn new(examples: &'a LabelledExamples, m: usize, likelihood: Likelihood) -> Self {
        assert!((1..=examples.len()).contains(&m), "a training set has at least one example");
        let mut labels = vec![[0.0; LANES]; m.div_ceil(LANES)];
        for (i, y) in examples.labels()[..m].iter().enumerate() {
            labels[i / LANES][i % LANES] = *y;
        }
        Self { examples, m, labels, likelihood, covariance: InputCovariance::White }
    }

    /// The same for a student who assumes that the inputs of a branch have `covariance`.
    #[must_use]
    pub fn with_assumed_covariance(self, covariance: InputCovariance) -> Self {
        Self { covariance, ..self }
    }

    /// Number of inputs N.
    pub(super) fn inputs(&self) -> usize {
        self.examples.inputs()
    }

    /// Number of branches K.
    pub(super) fn hidden(&self) -> usize {
        self.likelihood.hidden()
    }

    /// Inputs of a branch, n = N/K.
    pub(super) fn branch(&self) -> usize {
        self.inputs() / self.hidden()
    }

    /// Blocks of eight examples with their labels.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (&[f64], &Lanes)> {
        self.examples.blocks().zip(&self.labels)
    }

    /// Multiply–adds of one sweep, to cut work into slices without a clock.
    pub fn cost(&self) -> usize {
        2 * self.m * (self.inputs() + self.hidden() * (40 + self.hidden()))
    }
}
