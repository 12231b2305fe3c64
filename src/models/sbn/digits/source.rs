//! Training and test images: simulated strokes, MNIST, or images of the user. Images are pre-processed one at a time.

use std::sync::Arc;

use super::preprocessing::{Bits, GREY, Preprocessing, SIDE};
use super::{strokes, table};
use crate::data::{DataError, DataRef, Facts, Images, Store};
use crate::math::random::{Purpose, Stream};

/// Name of the simulated set.
pub const STROKES: &str = "strokes";
/// Name of the set of scans.
pub const MNIST: &str = "mnist";
/// Number of simulated test images if all are requested.
const ALL_TEST: usize = 1000;
/// Number of simulated training images per digit if all are requested.
const ALL_TRAINING: usize = 6000;
/// Period of the test images: of every five images of a digit, the second is a test image.
const TEST_EVERY: usize = 5;
/// Approximate work of loading an image, in multiply–adds.
pub const WORK: u64 = 60_000;

/// Training and test images.
#[derive(Clone, Debug)]
pub struct DigitSource {
    from: Origin,
    prepare: Preprocessing,
    /// Number of training images of each digit.
    training: [usize; 10],
    /// Number of test images.
    test: usize,
}

/// Origin of the images.
#[derive(Clone, Debug)]
enum Origin {
    /// Simulated strokes, with the seed.
    Strokes(u64),
    /// Images of files: training images, with indices by digit, and test images, with indices.
    Scans {
        training: LabelledImages,
        by_digit: Arc<[Vec<usize>; 10]>,
        test: LabelledImages,
        tests: Arc<Vec<usize>>,
    },
}

/// Images and their labels.
#[derive(Clone, Debug)]
struct LabelledImages(Arc<Images>, Arc<Vec<u8>>);

/// Reason why there are no images.
#[derive(Clone, Debug, PartialEq)]
pub struct ImagesError {
    /// True if the file of labels is invalid or missing.
    pub of_labels: bool,
    /// The reason.
    pub problem: DataError,
}

impl From<DataError> for ImagesError {
    fn from(problem: DataError) -> Self {
        Self { of_labels: false, problem }
    }
}

impl DigitSource {
    /// Opens the set `named`, with the file of its `labels` if it holds images only. At most `per_digit` images of each digit are
    /// for training and `test` for testing; 0 means all.
    ///
    /// # Errors
    /// If it is neither simulated nor a set of images with labels, in IDX files or in a table.
    pub fn new(
        (named, labels): (Option<&DataRef>, Option<&DataRef>),
        store: &Store,
        prepare: Preprocessing,
        (per_digit, test): (usize, usize),
        seed: u64,
    ) -> Result<Self, ImagesError> {
        let count = |requested: usize, all: usize| if requested == 0 { all } else { requested };
        if named.is_none_or(DataRef::needs_no_file) {
            let training = [count(per_digit, ALL_TRAINING); 10];
            return Ok(Self { from: Origin::Strokes(seed), prepare, training, test: count(test, ALL_TEST) });
        }
        let none =
            || DataError::new("choose mnist, strokes (digits drawn by this program) or a CSV file of digits");
        if let Some(table) = named.and_then(|named| store.table(named)) {
            if labels.is_some() {
                let problem = DataError::new("a CSV file needs none: it has a column of digits");
                return Err(ImagesError { of_labels: true, problem });
            }
            let (images, labels) = table::images(table)?;
            let all = LabelledImages(Arc::new(images), Arc::new(labels));
            return Ok(Self::every_fifth(all, prepare, (per_digit, test)));
        }
        let files: Vec<_> = named.into_iter().flat_map(DataRef::hashes).collect();
        if let [file] = files[..] {
            let images = store.images(file).ok_or_else(none)?;
            let all = labelled(images, labels, store)?;
            return Ok(Self::every_fifth(all, prepare, (per_digit, test)));
        }
        let [images, labels, test_images, test_labels] = files[..] else { return Err(none().into()) };
        let part = |images, labels| {
            let part = LabelledImages(store.images(images)?.clone(), store.labels(labels)?.clone());
            let fits = part.0.rows == GREY && part.0.columns == GREY && part.0.count() == part.1.len();
            fits.then_some(part)
        };
        let training = part(images, labels).ok_or_else(none)?;
        let tests = part(test_images, test_labels).ok_or_else(none)?;
        let (count, tested) = (training.0.count(), tests.0.count());
        let (training, tests) = ((training, (0..count).collect()), (tests, (0..tested).collect()));
        Ok(Self::scans(training, tests, prepare, (per_digit, test)))
    }

    /// Splits images into training images and test images, one in five of each digit.
    fn every_fifth(all: LabelledImages, prepare: Preprocessing, requested: (usize, usize)) -> Self {
        let mut counts = [0; 10];
        let (tests, training) = (0..all.0.count()).partition(|i| {
            let count = &mut counts[usize::from(all.1[*i]).min(9)];
            *count += 1;
            *count % TEST_EVERY == 2
        });
        Self::scans((all.clone(), training), (all, tests), prepare, requested)
    }

    /// Creates a source of training images and test images, each with the indices of the images in use.
    fn scans(
        (training, indices): (LabelledImages, Vec<usize>),
        (test, tests): (LabelledImages, Vec<usize>),
        prepare: Preprocessing,
        requested: (usize, usize),
    ) -> Self {
        let mut by_digit: [Vec<usize>; 10] = std::array::from_fn(|_| Vec::new());
        for i in indices {
            if let Some(list) = by_digit.get_mut(usize::from(training.1[i])) {
                list.push(i);
            }
        }
        let counts = std::array::from_fn(|digit| at_most(requested.0, by_digit[digit].len()));
        let count = at_most(requested.1, tests.len());
        let from = Origin::Scans { training, by_digit: Arc::new(by_digit), test, tests: Arc::new(tests) };
        Self { from, prepare, training: counts, test: count }
    }

    /// Returns the number of training images of `digit`.
    pub fn training(&self, digit: u8) -> usize {
        self.training[usize::from(digit)]
    }

    /// Returns the number of test images.
    pub fn test(&self) -> usize {
        self.test
    }

    /// Returns training image i of `digit`.
    pub fn training_image(&self, digit: u8, i: usize) -> Bits {
        match &self.from {
            Origin::Strokes(seed) => self.drawn(*seed, Purpose::SbnTrainingImage(digit), digit, i),
            Origin::Scans { training, by_digit, .. } => {
                self.prepare.bits_of_bytes(training.0.image(by_digit[usize::from(digit)][i]))
            }
        }
    }

    /// Returns the index of training image i of `digit` among those of all digits, its row in the training file. The digits of
    /// simulated images alternate.
    pub fn training_index(&self, digit: u8, i: usize) -> usize {
        match &self.from {
            Origin::Strokes(_) => 10 * i + usize::from(digit),
            Origin::Scans { by_digit, .. } => by_digit[usize::from(digit)][i],
        }
    }

    /// Returns test image i and its digit.
    pub fn test_image(&self, i: usize) -> (Bits, u8) {
        match &self.from {
            Origin::Strokes(seed) => {
                let digit = (i % 10) as u8;
                (self.drawn(*seed, Purpose::SbnTestImage(digit), digit, i / 10), digit)
            }
            Origin::Scans { test, tests, .. } => {
                (self.prepare.bits_of_bytes(test.0.image(tests[i])), test.1[tests[i]])
            }
        }
    }

    /// Draws image i of `digit`.
    fn drawn(&self, seed: u64, purpose: Purpose, digit: u8, i: usize) -> Bits {
        let mut stream = Stream::for_purpose(seed, purpose, i as u64);
        self.prepare.bits(&strokes::draw(digit, &mut stream))
    }
}

/// Combines the images of a file with the labels of another.
fn labelled(
    images: &Arc<Images>,
    labels: Option<&DataRef>,
    store: &Store,
) -> Result<LabelledImages, ImagesError> {
    let (rows, columns) = (images.rows, images.columns);
    if ![(GREY, GREY), (SIDE, SIDE)].contains(&(rows, columns)) {
        let why = format!("images of 28×28 or 10×10 pixels are needed; these have {rows}×{columns}");
        return Err(DataError::new(why).into());
    }
    let refused = |why: String| ImagesError { of_labels: true, problem: DataError::new(why) };
    let found = labels.and_then(|named| store.labels(named.hash?));
    let Some(found) = found else {
        return Err(refused("an IDX file with one digit for each image is needed".into()));
    };
    if found.len() != images.count() {
        return Err(refused(format!("{} labels do not belong to {} images", found.len(), images.count())));
    }
    if let Some(other) = found.iter().find(|label| **label > 9) {
        return Err(refused(format!("the digits 0 to 9 are needed; one label is {other}")));
    }
    Ok(LabelledImages(images.clone(), found.clone()))
}

/// Returns the number of images in use; a request of 0 means all.
fn at_most(requested: usize, available: usize) -> usize {
    if requested == 0 { available } else { requested.min(available) }
}

/// Estimates the number of training images per digit and of test images without reading the files, for the expected cost of a run.
pub fn expected(
    (per_digit, test): (usize, usize),
    named: Option<&DataRef>,
    facts: Option<&Facts>,
) -> (usize, usize) {
    let drawn = named.is_none_or(DataRef::needs_no_file);
    let of_user = named.is_some_and(|named| named.known().is_none());
    if let Some(rows) = facts.map(Facts::rows).filter(|_| of_user && !drawn) {
        let tests = rows / TEST_EVERY;
        // A digit may have one test image more than its share.
        return (at_most(per_digit, (rows - tests).div_ceil(10)), at_most(test, tests + 10));
    }
    let (all, all_test) = if drawn { (ALL_TRAINING, ALL_TEST) } else { (6000, 10_000) };
    let count = |requested: usize, all: usize| if requested == 0 { all } else { requested };
    let test = count(test, all_test);
    (count(per_digit, all), if drawn { test } else { test.min(all_test) })
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    #[test]
    fn one_row_in_five_of_a_digit_is_for_testing() {
        // Row r: digit r mod 3, and r pixels of ink.
        let mut text = String::from("label");
        (0..100).for_each(|p| write!(text, ",p{p}").unwrap());
        for r in 0..40 {
            write!(text, "\n{}", r % 3).unwrap();
            (0..100).for_each(|p| write!(text, ",{}", if p < r { 255 } else { 0 }).unwrap());
        }
        let mut store = Store::default();
        let facts = store.load(text.as_bytes()).unwrap().clone();
        let named = DataRef::file("digits.csv", text.as_bytes());
        let source =
            |wanted| DigitSource::new((Some(&named), None), &store, Preprocessing::Paper, wanted, 1).unwrap();
        let all = source((0, 0));
        assert_eq!((0..10).map(|digit| all.training(digit)).sum::<usize>(), 31);
        assert_eq!((all.test(), expected((0, 0), Some(&named), Some(&facts))), (9, (4, 18)));
        assert_eq!(all.test_image(2), ((1 << 5) - 1, 5 % 3));
        assert_eq!(all.training_image(1, 1), (1 << 7) - 1);
        let index = |i: usize| all.training_index(1, i);
        assert_eq!([index(0), index(1), index(4), index(5)], [1, 7, 16, 22], "rows 4 and 19 are for testing");
        let labels = DataRef { name: "labels.idx".into(), hash: Some(facts.hash) };
        let both = DigitSource::new((Some(&named), Some(&labels)), &store, Preprocessing::Paper, (0, 0), 1);
        assert!(both.unwrap_err().of_labels, "a table has a column of labels");
        let few = source((2, 3));
        assert_eq!((few.training(0), few.test()), (2, 3));
        let mut other = Store::default();
        other.load(b"a,b\n1,2\n").unwrap();
        let other_named = DataRef::file("other.csv", b"a,b\n1,2\n");
        assert!(
            DigitSource::new((Some(&other_named), None), &other, Preprocessing::Paper, (1, 1), 1).is_err()
        );
    }

    /// Returns an IDX file of these bytes with these sizes.
    fn idx(sizes: &[u32], bytes: &[u8]) -> Vec<u8> {
        let head = [0, 0, 8, sizes.len() as u8].into_iter();
        head.chain(sizes.iter().flat_map(|n| n.to_be_bytes())).chain(bytes.iter().copied()).collect()
    }

    #[test]
    fn images_of_the_user_take_their_labels_from_a_second_file() {
        let mut store = Store::default();
        let mut file = |name: &str, bytes: Vec<u8>| {
            store.load(&bytes).unwrap();
            DataRef::file(name, &bytes)
        };
        // Image i has i pixels of ink.
        let pixels: Vec<u8> = (0..40 * 100).map(|p| if p % 100 < p / 100 { 255 } else { 0 }).collect();
        let images = file("images.idx", idx(&[40, 10, 10], &pixels));
        let labels = file("labels.idx", idx(&[40], &(0..40).map(|i| i % 3).collect::<Vec<_>>()));
        let few = file("few.idx", idx(&[30], &[1; 30]));
        let letters = file("letters.idx", idx(&[40], &[17; 40]));
        let wide = file("wide.idx", idx(&[2, 5, 20], &[9; 200]));
        let source = |images: &DataRef, labels: Option<&DataRef>| {
            DigitSource::new((Some(images), labels), &store, Preprocessing::Paper, (0, 0), 1)
        };
        let all = source(&images, Some(&labels)).unwrap();
        assert_eq!(((0..10).map(|digit| all.training(digit)).sum::<usize>(), all.test()), (31, 9));
        assert_eq!(all.test_image(2), ((1 << 5) - 1, 5 % 3));
        let facts = store.facts(images.hash.unwrap());
        assert_eq!(expected((0, 0), Some(&images), facts), (4, 18));
        let refused = |images: &DataRef, labels: Option<&DataRef>| {
            let ImagesError { of_labels, problem } = source(images, labels).unwrap_err();
            (of_labels, problem.why)
        };
        assert_eq!(
            refused(&images, None),
            (true, "an IDX file with one digit for each image is needed".into())
        );
        assert_eq!(refused(&images, Some(&few)), (true, "30 labels do not belong to 40 images".into()));
        assert!(refused(&images, Some(&letters)).1.ends_with("one label is 17"));
        assert!(refused(&images, Some(&wide)).0, "a file of images is not a file of labels");
        let (of_labels, why) = refused(&wide, Some(&labels));
        assert!(!of_labels && why.ends_with("these have 5×20"), "{why}");
    }
}
