//! Classification of the test images.

use std::rc::Rc;

use super::{LearnSnapshot, MissingErrors, TestBlock, TrainedNetwork};
use crate::math::Budget;
use crate::math::random::{Purpose, Stream};
use crate::models::sbn::baselines::mixture::Scorer;
use crate::models::sbn::baselines::neighbours::Neighbours;
use crate::models::sbn::digits::preprocessing::{Bits, PIXELS};
use crate::models::sbn::digits::source::{self, DigitSource};
use crate::models::sbn::ensemble::DigitClassifier;
use crate::models::sbn::spec::LearnSpec;

/// Number of test images per unit.
pub(super) const BLOCK: usize = 50;
/// Index of k = 5 among the numbers of neighbours.
const FIVE: usize = 2;

/// The trained classifiers.
pub(super) struct Classifiers {
    networks: DigitClassifier,
    /// Digits and their mixtures.
    mixtures: Vec<(u8, Scorer)>,
    neighbours: Option<Neighbours>,
}

impl Classifiers {
    /// Returns the classifiers of the results of training; `None` if a network is missing.
    pub fn new(spec: &LearnSpec, source: &DigitSource, before: &LearnSnapshot) -> Option<Self> {
        let ensemble = before.ensemble(spec).filter(|all| all.members.len() == spec.digits.len())?;
        let mixtures = before.mixtures.iter().map(|row| (row.digit, row.mixture.scorer()));
        let (images, labels) = in_file_order(source, &before.trained);
        let neighbours = (!images.is_empty()).then(|| Neighbours::new(images, labels));
        Some(Self { networks: ensemble.classifier()?, mixtures: mixtures.collect(), neighbours })
    }

    /// Returns the digit whose mixture gives the image the largest probability; `None` without mixtures.
    fn mixture(&mut self, image: Bits, missing: Bits) -> Option<u8> {
        let mut best: Option<(f64, u8)> = None;
        for (digit, scorer) in &mut self.mixtures {
            let ln_p = scorer.ln_p(image, missing);
            if best.is_none_or(|(largest, _)| ln_p > largest) {
                best = Some((ln_p, *digit));
            }
        }
        best.map(|(_, digit)| digit)
    }
}

/// Returns the stored training images with their digits, in the order of the training file.
///
/// Of neighbours at the same distance the earlier one counts as nearer; an order by digit would favour small digits.
fn in_file_order(source: &DigitSource, trained: &[Rc<TrainedNetwork>]) -> (Vec<Bits>, Vec<u8>) {
    // The images of each digit are in this order already.
    let mut next = vec![0; trained.len()];
    let (mut images, mut labels) = (Vec::new(), Vec::new());
    loop {
        let left = (0..trained.len()).filter(|which| next[*which] < trained[*which].kept.len());
        let first = left.min_by_key(|which| source.training_index(trained[*which].digit, next[*which]));
        let Some(first) = first else { return (images, labels) };
        images.push(trained[first].kept[next[first]]);
        labels.push(trained[first].digit);
        next[first] += 1;
    }
}

/// Classification of a block of test images, in progress.
pub(super) struct BlockTest {
    images: std::ops::Range<usize>,
    /// The current image.
    image: usize,
    /// Index of the current fraction of missing pixels; 0 means that none are missing.
    fraction: usize,
    /// Pixels and digit of the current image.
    labelled: (Bits, u8),
    row: TestBlock,
}

impl BlockTest {
    /// Creates the classification of a block, before its first image.
    pub fn new(spec: &LearnSpec, source: &DigitSource, block: usize) -> Self {
        let images = block * BLOCK..((block + 1) * BLOCK).min(source.test());
        let missing = spec
            .missing
            .iter()
            .map(|fraction| MissingErrors { fraction: *fraction, ..MissingErrors::default() });
        let row = TestBlock { missing: missing.collect(), ..TestBlock::default() };
        Self { image: images.start, images, fraction: 0, labelled: (0, 0), row }
    }

    /// Classifies an image with one fraction of its pixels missing. Returns true once the block is done.
    pub fn step(
        &mut self,
        spec: &LearnSpec,
        source: &DigitSource,
        classifiers: &mut Classifiers,
        budget: &mut Budget,
    ) -> bool {
        if self.image >= self.images.end {
            return true;
        }
        if self.fraction == 0 {
            self.labelled = source.test_image(self.image);
            budget.spend(source::WORK);
            if !classifiers.networks.digits.contains(&self.labelled.1) {
                self.image += 1;
                return self.image == self.images.end;
            }
        }
        let ((image, digit), missing) = (self.labelled, self.missing_pixels(spec));
        let (best, solved) = classifiers.networks.classify(image, missing, spec.stopping_rule());
        let network = classifiers.networks.digits[best];
        let mixture = classifiers.mixture(image, missing);
        let neighbours =
            classifiers.neighbours.as_ref().map(|neighbours| neighbours.classify(image, missing));
        let passes: usize = solved.iter().map(|solve| solve.passes).sum();
        let comparisons =
            classifiers.neighbours.as_ref().map_or(0, |neighbours| 6 * neighbours.count() as u64);
        budget.spend(
            classifiers.networks.work(passes) + comparisons + 6000 * classifiers.mixtures.len() as u64,
        );
        if self.fraction == 0 {
            self.row.digits.push(digit);
            self.row.network.push(network);
            self.row.mixture.extend(mixture);
            self.row.neighbours.extend(neighbours);
            self.row.passes += passes;
            self.row.solves += solved.len();
            self.row.unconverged += solved.iter().filter(|solve| !solve.converged).count();
        } else {
            let row = &mut self.row.missing[self.fraction - 1];
            row.network += usize::from(network != digit);
            row.mixture += usize::from(mixture.is_some_and(|mixture| mixture != digit));
            row.neighbours += usize::from(neighbours.is_some_and(|neighbours| neighbours[FIVE] != digit));
        }
        self.fraction += 1;
        if self.fraction > spec.missing.len() {
            (self.fraction, self.image) = (0, self.image + 1);
        }
        self.image == self.images.end
    }

    /// Draws the missing pixels of the current image.
    fn missing_pixels(&self, spec: &LearnSpec) -> Bits {
        let Some(which) = self.fraction.checked_sub(1) else { return 0 };
        let mut stream = Stream::for_purpose(spec.seed, Purpose::SbnMissingPixels(which), self.image as u64);
        let mut known: Vec<usize> = (0..PIXELS).collect();
        let count = libm::round(spec.missing[which] * PIXELS as f64) as usize;
        (0..count).map(|_| 1 << known.swap_remove((stream.uniform() * known.len() as f64) as usize)).sum()
    }

    /// Returns the results so far.
    pub fn row(&self) -> &TestBlock {
        &self.row
    }

    /// Returns the fraction done.
    pub fn fraction(&self) -> f64 {
        (self.image - self.images.start) as f64 / self.images.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::data::{DataRef, Store};
    use crate::models::sbn::digits::preprocessing::Preprocessing;

    #[test]
    fn training_images_are_in_file_order_so_that_ties_go_to_the_earlier_row() {
        // The pixel that is 1 in each row, and the digit. The second row of each digit is a test image.
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
        let source = DigitSource::new((Some(&named), None), &store, Preprocessing::Paper, (0, 0), 1).unwrap();
        let trained: Vec<Rc<TrainedNetwork>> = [0, 3, 7, 9]
            .map(|digit| {
                let kept = (0..source.training(digit)).map(|i| source.training_image(digit, i)).collect();
                Rc::new(TrainedNetwork { digit, kept, ..TrainedNetwork::default() })
            })
            .into();
        let (images, labels) = in_file_order(&source, &trained);
        assert_eq!(labels, [7, 3, 3, 0, 9, 0, 3, 7]);
        assert_eq!(images, [0, 1, 2, 3, 5, 6, 7, 8].map(|on| 1 << on));
        // An empty image differs by one pixel from all others. The three nearest are the first three rows of the file.
        assert_eq!(Neighbours::new(images, labels).classify(0, 0)[..2], [7, 3]);
    }
}
