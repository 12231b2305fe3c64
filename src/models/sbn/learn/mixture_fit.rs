//! Fit of one mixture to the images of a digit.

use super::TrainedMixture;
use crate::math::Budget;
use crate::math::random::{Purpose, Stream};
use crate::models::sbn::baselines::mixture::{EmStep, Mixture};
use crate::models::sbn::digits::preprocessing::{Bits, PIXELS};
use crate::models::sbn::digits::source::{self, DigitSource};
use crate::models::sbn::spec::LearnSpec;

/// Number of components, as in the paper.
const COMPONENTS: usize = 40;
/// Number of EM steps, as in the paper.
pub(super) const EM_STEPS: usize = 10;

/// Fit of a digit's mixture, in progress.
pub(super) struct MixtureFit {
    images: Vec<Bits>,
    /// Number of training images.
    count: usize,
    stream: Stream,
    step: Option<EmStep>,
    /// Number of images done in the current step.
    done: usize,
    row: TrainedMixture,
}

impl MixtureFit {
    /// Creates the fit, before its first image.
    pub fn new(spec: &LearnSpec, source: &DigitSource, digit: u8) -> Self {
        Self {
            images: Vec::new(),
            count: source.training(digit),
            stream: Stream::for_purpose(spec.seed, Purpose::SbnMixture, u64::from(digit)),
            step: None,
            done: 0,
            row: TrainedMixture {
                digit,
                ln_p: Vec::new(),
                mixture: Mixture { share: Vec::new(), ones: Vec::new() },
            },
        }
    }

    /// Loads a training image or, once all are loaded, adds one to the EM step. Returns true once all steps are done.
    pub fn step(&mut self, source: &DigitSource, budget: &mut Budget) -> bool {
        if self.images.len() < self.count {
            self.images.push(source.training_image(self.row.digit, self.images.len()));
            budget.spend(source::WORK);
            return false;
        }
        if self.row.mixture.share.is_empty() {
            self.row.mixture = Mixture::initial(&self.images, COMPONENTS, &mut self.stream);
        }
        let step = self.step.get_or_insert_with(|| EmStep::new(&self.row.mixture));
        step.add(self.images[self.done]);
        budget.spend(4 * (COMPONENTS * PIXELS) as u64);
        self.done += 1;
        if self.done == self.images.len() {
            let (next, ln_p) = step.end(COMPONENTS);
            self.row.ln_p.push(ln_p);
            (self.row.mixture, self.step, self.done) = (next, None, 0);
        }
        self.row.ln_p.len() == EM_STEPS
    }

    /// Returns the results so far.
    pub fn row(&self) -> &TrainedMixture {
        &self.row
    }

    /// Returns the fraction done.
    pub fn fraction(&self) -> f64 {
        let steps = self.row.ln_p.len() as f64 + self.done as f64 / self.images.len().max(1) as f64;
        steps / EM_STEPS as f64
    }
}
