//! The units of the experiment: a digit's network, a digit's mixture, and a block of test images, each image by image.

use std::f64::consts::LN_2;
use std::rc::Rc;

use super::{LearnSnapshot, LearnSpec, Missing, Mixed, Sample, Tested, Trained};
use crate::math::Budget;
use crate::math::random::{Purpose, Stream};
use crate::models::sbn::baselines::mixture::{Mixture, Scorer, Step};
use crate::models::sbn::baselines::neighbours::Neighbours;
use crate::models::sbn::digits::prepare::{Bits, PIXELS, is_on};
use crate::models::sbn::digits::source::{self, Source};
use crate::models::sbn::ensemble::{Classifier, Member};
use crate::models::sbn::network::inference::State;
use crate::models::sbn::network::learning::initial;
use crate::models::sbn::network::model::Network;
use crate::models::sbn::network::packed::Packed;

/// Components and steps of EM of the paper's mixtures.
pub const COMPONENTS: usize = 40;
pub const EM_STEPS: usize = 10;
/// Test images of a unit.
pub const BLOCK: usize = 50;
/// Images drawn from each network.
const SAMPLES: usize = 8;
/// Bounds are shown per pixel in bits, as in figure 2.
pub const UNIT: f64 = PIXELS as f64 * LN_2;
/// Place of k = 5 among the numbers of neighbours.
const FIVE: usize = 2;

/// A digit's network being trained.
pub struct Training {
    stream: Stream,
    images: Vec<Bits>,
    schedule: Vec<f32>,
    packed: Option<(Packed, State)>,
    /// The order of the images in this epoch, and how many of them are done.
    order: Vec<usize>,
    done: usize,
    sum: f64,
    row: Trained,
}

impl Training {
    /// Before its first image.
    pub fn new(spec: &LearnSpec, source: &Source, digit: u8) -> Self {
        Self {
            stream: Stream::for_purpose(spec.seed, Purpose::SbnTraining, u64::from(digit)),
            images: Vec::new(),
            schedule: spec.schedule(),
            packed: None,
            order: Vec::new(),
            done: 0,
            sum: 0.0,
            row: Trained { digit, images: source.training(digit), ..Trained::default() },
        }
    }

    /// Takes an image, at first into the training set and then to learn from; whether all is done.
    pub fn step(&mut self, spec: &LearnSpec, source: &Source, budget: &mut Budget) -> bool {
        if self.images.len() < self.row.images {
            self.images.push(source.training_image(self.row.digit, self.images.len()));
            budget.spend(source::WORK);
            return false;
        }
        let stream = &mut self.stream;
        let (packed, state) = self.packed.get_or_insert_with(|| {
            let ones: Vec<usize> =
                (0..PIXELS).map(|i| self.images.iter().filter(|bits| is_on(**bits, i)).count()).collect();
            let first = initial(&spec.sizes(), &ones, self.images.len(), spec.weight_sd, stream);
            let packed = Packed::new(&first);
            let state = State::new(&packed);
            (packed, state)
        });
        let Some(rate) = self.schedule.get(self.row.bounds.len()) else { return true };
        if self.done == 0 {
            self.order = (0..self.images.len()).collect();
            for i in (1..self.order.len()).rev() {
                self.order.swap(i, (stream.uniform() * (i + 1) as f64) as usize);
            }
        }
        let bits = self.images[self.order[self.done]];
        state.clamp(packed, |i| Some(is_on(bits, i)));
        let solved = packed.learn(state, *rate, spec.options());
        budget.spend(3 * ((solved.passes + 1) * packed.parameters()) as u64);
        self.sum += solved.bound;
        self.row.solves += 1;
        self.row.passes += solved.passes;
        self.row.unconverged += usize::from(!solved.converged);
        self.done += 1;
        if !solved.bound.is_finite() {
            self.row.diverged = true;
            return true;
        }
        if self.done == self.images.len() {
            self.row.bounds.push(self.sum / self.done as f64);
            (self.sum, self.done) = (0.0, 0);
        }
        if self.row.bounds.len() < self.schedule.len() {
            return false;
        }
        let network = packed.network();
        if network.is_sound() {
            self.row.samples = samples(&network, spec.seed, self.row.digit, SAMPLES, &[]);
            self.row.network = Some(Member::new(self.row.digit, &network));
        } else {
            self.row.diverged = true;
        }
        if spec.baselines.neighbours() {
            self.row.kept.clone_from(&self.images);
        }
        true
    }

    /// What there is so far.
    pub fn row(&self) -> &Trained {
        &self.row
    }

    /// Fraction done.
    pub fn fraction(&self) -> f64 {
        let epochs = self.row.bounds.len() as f64 + self.done as f64 / self.images.len().max(1) as f64;
        epochs / self.schedule.len().max(1) as f64
    }
}

/// Images drawn from a network from the top down; `held` are the states of top units, negative where they are drawn.
pub fn samples(network: &Network, seed: u64, digit: u8, count: usize, held: &[f64]) -> Vec<Sample> {
    let draw = |i: usize| {
        let mut stream =
            Stream::for_purpose(seed, Purpose::SbnSamples, (usize::from(digit) * 1000 + i) as u64);
        let clamped = |l: usize, k: usize| held.get(k).copied().filter(|state| l == 0 && *state >= 0.0);
        let (states, probabilities) = network.sample(clamped, &mut stream);
        let visible = &states[network.layers.len() - 1];
        let bits = visible.iter().enumerate().filter(|(_, s)| **s > 0.5).map(|(i, _)| 1 << i).sum();
        Sample { probabilities: probabilities.iter().map(|p| *p as f32).collect(), bits }
    };
    (0..count).map(draw).collect()
}

/// A digit's mixture being trained.
pub struct Mixing {
    images: Vec<Bits>,
    wanted: usize,
    stream: Stream,
    step: Option<Step>,
    done: usize,
    row: Mixed,
}

impl Mixing {
    /// Before its first image.
    pub fn new(spec: &LearnSpec, source: &Source, digit: u8) -> Self {
        Self {
            images: Vec::new(),
            wanted: source.training(digit),
            stream: Stream::for_purpose(spec.seed, Purpose::SbnMixture, u64::from(digit)),
            step: None,
            done: 0,
            row: Mixed { digit, ln_p: Vec::new(), mixture: Mixture { share: Vec::new(), ones: Vec::new() } },
        }
    }

    /// Takes an image, at first into the training set and then into account; whether all is done.
    pub fn step(&mut self, source: &Source, budget: &mut Budget) -> bool {
        if self.images.len() < self.wanted {
            self.images.push(source.training_image(self.row.digit, self.images.len()));
            budget.spend(source::WORK);
            return false;
        }
        if self.row.mixture.share.is_empty() {
            self.row.mixture = Mixture::initial(&self.images, COMPONENTS, &mut self.stream);
        }
        let step = self.step.get_or_insert_with(|| Step::new(&self.row.mixture));
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

    /// What there is so far, where it is a mixture.
    pub fn row(&self) -> &Mixed {
        &self.row
    }

    /// Fraction done.
    pub fn fraction(&self) -> f64 {
        let steps = self.row.ln_p.len() as f64 + self.done as f64 / self.images.len().max(1) as f64;
        steps / EM_STEPS as f64
    }
}

/// Everything that classifies.
pub struct Tools {
    networks: Classifier,
    mixtures: Vec<(u8, Scorer)>,
    neighbours: Option<Neighbours>,
}

impl Tools {
    /// From the snapshots of the training units; `None` if a network is missing.
    pub fn new(spec: &LearnSpec, source: &Source, before: &LearnSnapshot) -> Option<Self> {
        let ensemble = before.ensemble(spec).filter(|all| all.members.len() == spec.digits.len())?;
        let mixtures = before.mixtures.iter().map(|row| (row.digit, row.mixture.scorer()));
        let (images, labels) = in_file_order(source, &before.trained);
        let neighbours = (!images.is_empty()).then(|| Neighbours::new(images, labels));
        Some(Self { networks: ensemble.classifier()?, mixtures: mixtures.collect(), neighbours })
    }

    fn mixture(&mut self, image: Bits, missing: Bits) -> Option<u8> {
        let mut best: Option<(f64, u8)> = None;
        for (digit, scorer) in &mut self.mixtures {
            let ln_p = scorer.ln_p(image, missing);
            if best.is_none_or(|(most, _)| ln_p > most) {
                best = Some((ln_p, *digit));
            }
        }
        best.map(|(_, digit)| digit)
    }
}

/// The training images that were kept, with their digits, in the order of the training file. Of equally near neighbours the
/// earlier counts: an order by digit would favour small digits.
fn in_file_order(source: &Source, trained: &[Rc<Trained>]) -> (Vec<Bits>, Vec<u8>) {
    // Each digit's images are in this order already.
    let mut next = vec![0; trained.len()];
    let (mut images, mut labels) = (Vec::new(), Vec::new());
    loop {
        let left = (0..trained.len()).filter(|which| next[*which] < trained[*which].kept.len());
        let first = left.min_by_key(|which| source.training_place(trained[*which].digit, next[*which]));
        let Some(first) = first else { return (images, labels) };
        images.push(trained[first].kept[next[first]]);
        labels.push(trained[first].digit);
        next[first] += 1;
    }
}

/// A block of test images being classified.
pub struct Testing {
    images: std::ops::Range<usize>,
    count: usize,
    /// The next image, and the next of its fractions of missing pixels, 0 being none missing.
    image: usize,
    fraction: usize,
    asked: (Bits, u8),
    row: Tested,
}

impl Testing {
    /// Before the first image of that block.
    pub fn new(spec: &LearnSpec, source: &Source, block: usize) -> Self {
        let images = block * BLOCK..((block + 1) * BLOCK).min(source.test());
        let missing =
            spec.missing.iter().map(|fraction| Missing { fraction: *fraction, ..Missing::default() });
        let row = Tested { missing: missing.collect(), ..Tested::default() };
        Self { count: images.len(), image: images.start, images, fraction: 0, asked: (0, 0), row }
    }

    /// Classifies an image with one fraction of its pixels missing; whether all is done.
    pub fn step(
        &mut self,
        spec: &LearnSpec,
        source: &Source,
        tools: &mut Tools,
        budget: &mut Budget,
    ) -> bool {
        if self.image >= self.images.end {
            return true;
        }
        if self.fraction == 0 {
            self.asked = source.test_image(self.image);
            budget.spend(source::WORK);
            if !tools.networks.digits.contains(&self.asked.1) {
                self.image += 1;
                return self.image == self.images.end;
            }
        }
        let ((image, digit), missing) = (self.asked, self.erased(spec));
        let (best, solved) = tools.networks.classify(image, missing, spec.options());
        let said = tools.networks.digits[best];
        let mixture = tools.mixture(image, missing);
        let neighbours = tools.neighbours.as_ref().map(|known| known.classify(image, missing));
        let passes: usize = solved.iter().map(|one| one.passes).sum();
        let compared = tools.neighbours.as_ref().map_or(0, |known| 6 * known.count() as u64);
        budget.spend(tools.networks.work(passes) + compared + 6000 * tools.mixtures.len() as u64);
        if self.fraction == 0 {
            self.row.digits.push(digit);
            self.row.network.push(said);
            self.row.mixture.extend(mixture);
            self.row.neighbours.extend(neighbours);
            self.row.passes += passes;
            self.row.solves += solved.len();
            self.row.unconverged += solved.iter().filter(|one| !one.converged).count();
        } else {
            let row = &mut self.row.missing[self.fraction - 1];
            row.network += usize::from(said != digit);
            row.mixture += usize::from(mixture.is_some_and(|said| said != digit));
            row.neighbours += usize::from(neighbours.is_some_and(|said| said[FIVE] != digit));
        }
        self.fraction += 1;
        if self.fraction > spec.missing.len() {
            (self.fraction, self.image) = (0, self.image + 1);
        }
        self.image == self.images.end
    }

    /// Pixels drawn to be missing: as many as the fraction says.
    fn erased(&self, spec: &LearnSpec) -> Bits {
        let Some(which) = self.fraction.checked_sub(1) else { return 0 };
        let mut stream = Stream::for_purpose(spec.seed, Purpose::SbnMissingPixels(which), self.image as u64);
        let mut left: Vec<usize> = (0..PIXELS).collect();
        let count = libm::round(spec.missing[which] * PIXELS as f64) as usize;
        (0..count).map(|_| 1 << left.swap_remove((stream.uniform() * left.len() as f64) as usize)).sum()
    }

    /// What there is so far.
    pub fn row(&self) -> &Tested {
        &self.row
    }

    /// Fraction done.
    pub fn fraction(&self) -> f64 {
        (self.image - self.images.start) as f64 / self.count.max(1) as f64
    }
}

/// A row of the snapshot, which many pictures share.
pub fn shared<T: Clone>(row: &T) -> Rc<T> {
    Rc::new(row.clone())
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::data::{DataRef, Store};
    use crate::models::sbn::digits::prepare::Prepare;

    #[test]
    fn of_equally_near_neighbours_the_earlier_in_the_file_counts() {
        // Pixels that are 1 in each row, and its digit. Of each digit the second is a test image.
        let rows: [(u32, u8); 12] = [
            (0, 7),
            (1, 3),
            (20, 3),
            (2, 3),
            (3, 0),
            (5, 9),
            (21, 0),
            (22, 9),
            (6, 0),
            (7, 3),
            (23, 7),
            (8, 7),
        ];
        let mut text = String::from("label");
        (0..PIXELS).for_each(|p| write!(text, ",p{p}").unwrap());
        for (on, digit) in rows {
            write!(text, "\n{digit}").unwrap();
            (0..PIXELS as u32).for_each(|p| text += if p == on { ",255" } else { ",0" });
        }
        let mut store = Store::default();
        store.load(text.as_bytes()).unwrap();
        let named = DataRef::file("digits.csv", text.as_bytes());
        let source = Source::new((Some(&named), None), &store, Prepare::Paper, (0, 0), 1).unwrap();
        let trained: Vec<Rc<Trained>> = [0, 3, 7, 9]
            .map(|digit| {
                let kept = (0..source.training(digit)).map(|i| source.training_image(digit, i)).collect();
                Rc::new(Trained { digit, kept, ..Trained::default() })
            })
            .into();
        let (images, labels) = in_file_order(&source, &trained);
        assert_eq!(labels, [7, 3, 3, 0, 9, 0, 3, 7]);
        assert_eq!(images, [0, 1, 2, 3, 5, 6, 7, 8].map(|on| 1 << on));
        // An empty image is one pixel from all. The three nearest are the first three rows of the file; by digit they were 0, 0, 3.
        assert_eq!(Neighbours::new(images, labels).classify(0, 0)[..2], [7, 3]);
    }
}
