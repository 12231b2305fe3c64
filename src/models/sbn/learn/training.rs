//! Training of one network on the images of a digit.

use super::TrainedNetwork;
use crate::math::Budget;
use crate::math::random::{Purpose, Stream};
use crate::models::sbn::digits::preprocessing::{Bits, PIXELS, is_on};
use crate::models::sbn::digits::source::{self, DigitSource};
use crate::models::sbn::ensemble::{Member, samples};
use crate::models::sbn::network::inference::State;
use crate::models::sbn::network::learning::initial;
use crate::models::sbn::network::packed::Packed;
use crate::models::sbn::spec::LearnSpec;

/// Number of samples of each network.
const SAMPLES: usize = 8;

/// Training of a digit's network, in progress.
pub(super) struct NetworkTraining {
    stream: Stream,
    images: Vec<Bits>,
    /// Learning rate of each epoch.
    schedule: Vec<f32>,
    /// The network, once all images are loaded.
    packed: Option<(Packed, State)>,
    /// Order of the images in the current epoch.
    order: Vec<usize>,
    /// Number of images done in the current epoch.
    done: usize,
    /// Sum of their bounds.
    bound_sum: f64,
    row: TrainedNetwork,
}

impl NetworkTraining {
    /// Creates the training, before its first image.
    pub fn new(spec: &LearnSpec, source: &DigitSource, digit: u8) -> Self {
        Self {
            stream: Stream::for_purpose(spec.seed, Purpose::SbnTraining, u64::from(digit)),
            images: Vec::new(),
            schedule: spec.schedule(),
            packed: None,
            order: Vec::new(),
            done: 0,
            bound_sum: 0.0,
            row: TrainedNetwork { digit, images: source.training(digit), ..TrainedNetwork::default() },
        }
    }

    /// Loads a training image or, once all are loaded, learns from one. Returns true once the training is finished.
    pub fn step(&mut self, spec: &LearnSpec, source: &DigitSource, budget: &mut Budget) -> bool {
        if self.images.len() < self.row.images {
            self.images.push(source.training_image(self.row.digit, self.images.len()));
            budget.spend(source::WORK);
            return false;
        }
        let (packed, state) =
            self.packed.get_or_insert_with(|| initial_state(spec, &self.images, &mut self.stream));
        let Some(rate) = self.schedule.get(self.row.bounds.len()) else { return true };
        if self.done == 0 {
            self.order = (0..self.images.len()).collect();
            for i in (1..self.order.len()).rev() {
                self.order.swap(i, (self.stream.uniform() * (i + 1) as f64) as usize);
            }
        }
        let bits = self.images[self.order[self.done]];
        state.clamp(packed, |i| Some(is_on(bits, i)));
        let solved = packed.learn(state, *rate, spec.stopping_rule());
        budget.spend(3 * ((solved.passes + 1) * packed.parameters()) as u64);
        self.bound_sum += solved.bound;
        self.row.solves += 1;
        self.row.passes += solved.passes;
        self.row.unconverged += usize::from(!solved.converged);
        self.done += 1;
        if !solved.bound.is_finite() {
            self.row.diverged = true;
            return true;
        }
        if self.done == self.images.len() {
            self.row.bounds.push(self.bound_sum / self.done as f64);
            (self.bound_sum, self.done) = (0.0, 0);
        }
        if self.row.bounds.len() < self.schedule.len() {
            return false;
        }
        self.finish(spec);
        true
    }

    /// Stores the trained network and its samples.
    fn finish(&mut self, spec: &LearnSpec) {
        let Some((packed, _)) = &self.packed else { return };
        let network = packed.network();
        if network.is_valid() {
            self.row.samples = samples(&network, spec.seed, self.row.digit, SAMPLES, &[]);
            self.row.network = Some(Member::new(self.row.digit, &network));
        } else {
            self.row.diverged = true;
        }
        if spec.baselines.neighbours() {
            self.row.kept.clone_from(&self.images);
        }
    }

    /// Returns the results so far.
    pub fn row(&self) -> &TrainedNetwork {
        &self.row
    }

    /// Returns the fraction done.
    pub fn fraction(&self) -> f64 {
        let epochs = self.row.bounds.len() as f64 + self.done as f64 / self.images.len().max(1) as f64;
        epochs / self.schedule.len().max(1) as f64
    }
}

/// Returns the initial network for the training images, with a state for it.
fn initial_state(spec: &LearnSpec, images: &[Bits], stream: &mut Stream) -> (Packed, State) {
    let ones: Vec<usize> =
        (0..PIXELS).map(|i| images.iter().filter(|bits| is_on(**bits, i)).count()).collect();
    let packed = Packed::new(&initial(&spec.sizes(), &ones, images.len(), spec.weight_sd, stream));
    let state = State::new(&packed);
    (packed, state)
}
