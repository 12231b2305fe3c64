//! Where images come from: drawn strokes, or the well-known scans; both are pre-processed one at a time.

use std::sync::Arc;

use super::prepare::{Bits, GREY, Prepare};
use super::strokes;
use crate::data::{DataProblem, DataRef, Images, Store};
use crate::math::random::Stream;

/// The name of the set that is drawn.
pub const STROKES: &str = "strokes";
/// Drawn test images where all are asked for.
const ALL_TEST: usize = 1000;
/// Drawn training images a digit where all are asked for.
const ALL_TRAINING: usize = 6000;
/// Purposes of random streams: of training images, and of test images.
const TRAINING: u64 = 0x5000;
const TEST: u64 = 0x5100;
/// Multiply–adds that an image costs, roughly.
pub const WORK: u64 = 60_000;

/// Training and test images.
#[derive(Clone, Debug)]
pub struct Source {
    from: From,
    prepare: Prepare,
    /// Training images of each digit, and test images.
    training: [usize; 10],
    test: usize,
}

#[derive(Clone, Debug)]
enum From {
    /// Drawn, with this seed.
    Strokes(u64),
    /// Scans with their labels; training images by digit.
    Scans { training: Labelled, of: Arc<[Vec<usize>; 10]>, test: Labelled },
}

/// Scans and their labels.
#[derive(Clone, Debug)]
struct Labelled(Arc<Images>, Arc<Vec<u8>>);

impl Source {
    /// The set that is `named`, of which at most `per_digit` images of each digit are for training and `test` for testing; 0 is
    /// all of them.
    ///
    /// # Errors
    /// If it is neither drawn nor a set of images with labels.
    pub fn new(
        named: Option<&DataRef>,
        store: &Store,
        prepare: Prepare,
        (per_digit, test): (usize, usize),
        seed: u64,
    ) -> Result<Self, DataProblem> {
        let at_most = |wanted: usize, there: usize| if wanted == 0 { there } else { wanted.min(there) };
        let drawn = |wanted: usize, all: usize| if wanted == 0 { all } else { wanted };
        if named.is_none_or(DataRef::needs_no_file) {
            let training = [drawn(per_digit, ALL_TRAINING); 10];
            return Ok(Self { from: From::Strokes(seed), prepare, training, test: drawn(test, ALL_TEST) });
        }
        let none = || DataProblem::new("choose mnist, or strokes (digits drawn by this program)");
        let files: Vec<_> = named.into_iter().flat_map(DataRef::hashes).collect();
        let [images, labels, test_images, test_labels] = files[..] else { return Err(none()) };
        let part = |images, labels| {
            let part = Labelled(store.images(images)?.clone(), store.labels(labels)?.clone());
            let fits = part.0.rows == GREY && part.0.columns == GREY && part.0.count() == part.1.len();
            fits.then_some(part)
        };
        let training = part(images, labels).ok_or_else(none)?;
        let tests = part(test_images, test_labels).ok_or_else(none)?;
        let mut of: [Vec<usize>; 10] = std::array::from_fn(|_| Vec::new());
        for (at, digit) in training.1.iter().enumerate() {
            if let Some(places) = of.get_mut(usize::from(*digit)) {
                places.push(at);
            }
        }
        let counts = std::array::from_fn(|digit| at_most(per_digit, of[digit].len()));
        let test = at_most(test, tests.0.count());
        Ok(Self {
            from: From::Scans { training, of: Arc::new(of), test: tests },
            prepare,
            training: counts,
            test,
        })
    }

    /// How many images of `digit` are for training.
    pub fn training(&self, digit: u8) -> usize {
        self.training[usize::from(digit)]
    }

    /// How many are for testing.
    pub fn test(&self) -> usize {
        self.test
    }

    /// Training image i of `digit`.
    pub fn training_image(&self, digit: u8, i: usize) -> Bits {
        match &self.from {
            From::Strokes(seed) => self.drawn(*seed, digit, i, TRAINING),
            From::Scans { training, of, .. } => {
                self.prepare.bits_of_bytes(training.0.image(of[usize::from(digit)][i]))
            }
        }
    }

    /// Test image i and its digit.
    pub fn test_image(&self, i: usize) -> (Bits, u8) {
        match &self.from {
            From::Strokes(seed) => {
                let digit = (i % 10) as u8;
                (self.drawn(*seed, digit, i / 10, TEST), digit)
            }
            From::Scans { test, .. } => (self.prepare.bits_of_bytes(test.0.image(i)), test.1[i]),
        }
    }

    fn drawn(&self, seed: u64, digit: u8, i: usize, purpose: u64) -> Bits {
        let mut stream = Stream::aside(seed, i as u64, purpose + u64::from(digit));
        self.prepare.bits(&strokes::draw(digit, &mut stream))
    }
}

/// How many images of each digit are for training and how many are for testing, as far as that is known without the files:
/// what a run is expected to cost.
pub fn expected((per_digit, test): (usize, usize), named: Option<&DataRef>) -> (usize, usize) {
    let drawn = named.is_none_or(DataRef::needs_no_file);
    let (all, all_test) = if drawn { (ALL_TRAINING, ALL_TEST) } else { (6000, 10_000) };
    let least = |wanted: usize, all: usize| if wanted == 0 { all } else { wanted };
    let test = least(test, all_test);
    (least(per_digit, all), if drawn { test } else { test.min(all_test) })
}
