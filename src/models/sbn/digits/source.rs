//! Where images come from: drawn strokes, the well-known scans, or a table; all are pre-processed one at a time.

use std::sync::Arc;

use super::prepare::{Bits, GREY, Prepare, SIDE};
use super::{strokes, table};
use crate::data::{DataProblem, DataRef, Facts, Images, Store};
use crate::math::random::{Purpose, Stream};

/// The name of the set that is drawn.
pub const STROKES: &str = "strokes";
/// The name of the set of scans.
pub const MNIST: &str = "mnist";
/// Drawn test images where all are asked for.
const ALL_TEST: usize = 1000;
/// Drawn training images a digit where all are asked for.
const ALL_TRAINING: usize = 6000;
/// One image of so many of a digit is for testing, the second of them.
const TEST_EVERY: usize = 5;
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
    /// Images with their labels; training images by digit, and which of the others are for testing.
    Scans { training: Labelled, of: Arc<[Vec<usize>; 10]>, test: Labelled, tests: Arc<Vec<usize>> },
}

/// Images and their labels.
#[derive(Clone, Debug)]
struct Labelled(Arc<Images>, Arc<Vec<u8>>);

/// Why there are no images.
#[derive(Clone, Debug, PartialEq)]
pub struct Unusable {
    /// Whether it is the file of labels that is wrong, or lacking.
    pub of_labels: bool,
    /// What is wrong.
    pub problem: DataProblem,
}

impl std::convert::From<DataProblem> for Unusable {
    fn from(problem: DataProblem) -> Self {
        Self { of_labels: false, problem }
    }
}

impl Source {
    /// The set that is `named`, with the file of its `labels` where it is one of images alone. Of it at most `per_digit` images of
    /// each digit are for training and `test` for testing; 0 is all of them.
    ///
    /// # Errors
    /// If it is neither drawn nor a set of images with labels, in files of images or in a table.
    pub fn new(
        (named, labels): (Option<&DataRef>, Option<&DataRef>),
        store: &Store,
        prepare: Prepare,
        (per_digit, test): (usize, usize),
        seed: u64,
    ) -> Result<Self, Unusable> {
        let drawn = |wanted: usize, all: usize| if wanted == 0 { all } else { wanted };
        if named.is_none_or(DataRef::needs_no_file) {
            let training = [drawn(per_digit, ALL_TRAINING); 10];
            return Ok(Self { from: From::Strokes(seed), prepare, training, test: drawn(test, ALL_TEST) });
        }
        let none = || {
            DataProblem::new("choose mnist, strokes (digits drawn by this program) or a CSV file of digits")
        };
        if let Some(table) = named.and_then(|named| store.table(named)) {
            if labels.is_some() {
                let problem = DataProblem::new("a CSV file needs none: it has a column of digits");
                return Err(Unusable { of_labels: true, problem });
            }
            let (images, labels) = table::images(table)?;
            let all = Labelled(Arc::new(images), Arc::new(labels));
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
            let part = Labelled(store.images(images)?.clone(), store.labels(labels)?.clone());
            let fits = part.0.rows == GREY && part.0.columns == GREY && part.0.count() == part.1.len();
            fits.then_some(part)
        };
        let training = part(images, labels).ok_or_else(none)?;
        let tests = part(test_images, test_labels).ok_or_else(none)?;
        let (count, tested) = (training.0.count(), tests.0.count());
        let (training, tests) = ((training, (0..count).collect()), (tests, (0..tested).collect()));
        Ok(Self::scans(training, tests, prepare, (per_digit, test)))
    }

    /// Of these images, the most for training and every fifth of each digit for testing.
    fn every_fifth(all: Labelled, prepare: Prepare, wanted: (usize, usize)) -> Self {
        let mut seen = [0; 10];
        let (tests, training) = (0..all.0.count()).partition(|i| {
            let seen = &mut seen[usize::from(all.1[*i]).min(9)];
            *seen += 1;
            *seen % TEST_EVERY == 2
        });
        Self::scans((all.clone(), training), (all, tests), prepare, wanted)
    }

    /// Of these images for training and for testing.
    fn scans(
        (training, among): (Labelled, Vec<usize>),
        (test, tests): (Labelled, Vec<usize>),
        prepare: Prepare,
        wanted: (usize, usize),
    ) -> Self {
        let mut of: [Vec<usize>; 10] = std::array::from_fn(|_| Vec::new());
        for at in among {
            if let Some(places) = of.get_mut(usize::from(training.1[at])) {
                places.push(at);
            }
        }
        let counts = std::array::from_fn(|digit| at_most(wanted.0, of[digit].len()));
        let count = at_most(wanted.1, tests.len());
        let from = From::Scans { training, of: Arc::new(of), test, tests: Arc::new(tests) };
        Self { from, prepare, training: counts, test: count }
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
            From::Strokes(seed) => self.drawn(*seed, Purpose::SbnTrainingImage(digit), digit, i),
            From::Scans { training, of, .. } => {
                self.prepare.bits_of_bytes(training.0.image(of[usize::from(digit)][i]))
            }
        }
    }

    /// Place of training image i of `digit` among those of all digits: its row in the training file. Drawn images take turns.
    pub fn training_place(&self, digit: u8, i: usize) -> usize {
        match &self.from {
            From::Strokes(_) => 10 * i + usize::from(digit),
            From::Scans { of, .. } => of[usize::from(digit)][i],
        }
    }

    /// Test image i and its digit.
    pub fn test_image(&self, i: usize) -> (Bits, u8) {
        match &self.from {
            From::Strokes(seed) => {
                let digit = (i % 10) as u8;
                (self.drawn(*seed, Purpose::SbnTestImage(digit), digit, i / 10), digit)
            }
            From::Scans { test, tests, .. } => {
                (self.prepare.bits_of_bytes(test.0.image(tests[i])), test.1[tests[i]])
            }
        }
    }

    fn drawn(&self, seed: u64, purpose: Purpose, digit: u8, i: usize) -> Bits {
        let mut stream = Stream::for_purpose(seed, purpose, i as u64);
        self.prepare.bits(&strokes::draw(digit, &mut stream))
    }
}

/// The images of a file with the labels of another.
fn labelled(images: &Arc<Images>, labels: Option<&DataRef>, store: &Store) -> Result<Labelled, Unusable> {
    let (rows, columns) = (images.rows, images.columns);
    if ![(GREY, GREY), (SIDE, SIDE)].contains(&(rows, columns)) {
        let why = format!("images of 28×28 or 10×10 pixels are needed; these have {rows}×{columns}");
        return Err(DataProblem::new(why).into());
    }
    let refused = |why: String| Unusable { of_labels: true, problem: DataProblem::new(why) };
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
    Ok(Labelled(images.clone(), found.clone()))
}

/// As many of those that are there as are wanted; 0 is all of them.
fn at_most(wanted: usize, there: usize) -> usize {
    if wanted == 0 { there } else { wanted.min(there) }
}

/// How many images of each digit are for training and how many are for testing, as far as that is known without the files:
/// what a run is expected to cost.
pub fn expected(
    (per_digit, test): (usize, usize),
    named: Option<&DataRef>,
    facts: Option<&Facts>,
) -> (usize, usize) {
    let drawn = named.is_none_or(DataRef::needs_no_file);
    let own = named.is_some_and(|named| named.known().is_none());
    if let Some(rows) = facts.map(Facts::rows).filter(|_| own && !drawn) {
        let tests = rows / TEST_EVERY;
        // Of each digit one more than its share at most.
        return (at_most(per_digit, (rows - tests).div_ceil(10)), at_most(test, tests + 10));
    }
    let (all, all_test) = if drawn { (ALL_TRAINING, ALL_TEST) } else { (6000, 10_000) };
    let least = |wanted: usize, all: usize| if wanted == 0 { all } else { wanted };
    let test = least(test, all_test);
    (least(per_digit, all), if drawn { test } else { test.min(all_test) })
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    #[test]
    fn every_fifth_row_of_a_digit_is_for_testing() {
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
        let source = |wanted| Source::new((Some(&named), None), &store, Prepare::Paper, wanted, 1).unwrap();
        let all = source((0, 0));
        assert_eq!((0..10).map(|digit| all.training(digit)).sum::<usize>(), 31);
        assert_eq!((all.test(), expected((0, 0), Some(&named), Some(&facts))), (9, (4, 18)));
        assert_eq!(all.test_image(2), ((1 << 5) - 1, 5 % 3));
        assert_eq!(all.training_image(1, 1), (1 << 7) - 1);
        let place = |i: usize| all.training_place(1, i);
        assert_eq!([place(0), place(1), place(4), place(5)], [1, 7, 16, 22], "rows 4 and 19 are for testing");
        let labels = DataRef { name: "labels.idx".into(), hash: Some(facts.hash) };
        let both = Source::new((Some(&named), Some(&labels)), &store, Prepare::Paper, (0, 0), 1);
        assert!(both.unwrap_err().of_labels, "a table has its own");
        let few = source((2, 3));
        assert_eq!((few.training(0), few.test()), (2, 3));
        let mut other = Store::default();
        other.load(b"a,b\n1,2\n").unwrap();
        let other_named = DataRef::file("other.csv", b"a,b\n1,2\n");
        assert!(Source::new((Some(&other_named), None), &other, Prepare::Paper, (1, 1), 1).is_err());
    }

    /// An IDX file of these bytes with these sizes.
    fn idx(sizes: &[u32], bytes: &[u8]) -> Vec<u8> {
        let head = [0, 0, 8, sizes.len() as u8].into_iter();
        head.chain(sizes.iter().flat_map(|n| n.to_be_bytes())).chain(bytes.iter().copied()).collect()
    }

    #[test]
    fn images_of_one_s_own_take_their_labels_from_a_second_file() {
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
            Source::new((Some(images), labels), &store, Prepare::Paper, (0, 0), 1)
        };
        let all = source(&images, Some(&labels)).unwrap();
        assert_eq!(((0..10).map(|digit| all.training(digit)).sum::<usize>(), all.test()), (31, 9));
        assert_eq!(all.test_image(2), ((1 << 5) - 1, 5 % 3));
        let facts = store.facts(images.hash.unwrap());
        assert_eq!(expected((0, 0), Some(&images), facts), (4, 18));
        let refused = |images: &DataRef, labels: Option<&DataRef>| {
            let Unusable { of_labels, problem } = source(images, labels).unwrap_err();
            (of_labels, problem.why)
        };
        assert_eq!(
            refused(&images, None),
            (true, "an IDX file with one digit for each image is needed".into())
        );
        assert_eq!(refused(&images, Some(&few)), (true, "30 labels do not belong to 40 images".into()));
        assert!(refused(&images, Some(&letters)).1.ends_with("one label is 17"));
        assert!(refused(&images, Some(&wide)).0, "images are no labels");
        let (of_labels, why) = refused(&wide, Some(&labels));
        assert!(!of_labels && why.ends_with("these have 5×20"), "{why}");
    }
}
