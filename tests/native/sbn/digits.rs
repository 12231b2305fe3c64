//! Sources of digits, and the baselines, against known results.

use std::fs;

use meanfield::data::{DataRef, Store};
use meanfield::math::random::{Purpose, Stream};
use meanfield::models::sbn::baselines::mixture::{EmStep, Mixture};
use meanfield::models::sbn::baselines::neighbours::{NEIGHBOUR_COUNTS, Neighbours};
use meanfield::models::sbn::digits::preprocessing::{Bits, GREY, PIXELS, Preprocessing, is_on, parse, rows};
use meanfield::models::sbn::digits::source::DigitSource;
use meanfield::models::sbn::digits::strokes;

use crate::common::needs::data_set;
use crate::common::oracle;

fn drawn(digit: u8, count: u64) -> Vec<Bits> {
    let grey = |i| strokes::draw(digit, &mut Stream::for_purpose(1, Purpose::Test(u64::from(digit)), i));
    (0..count).map(|i| Preprocessing::Paper.bits(&grey(i))).collect()
}

#[test]
fn a_slanted_line_is_set_upright() {
    let line = |slant: f64| {
        let mut grey = vec![0.0; GREY * GREY];
        for row in 5..23 {
            let x = 14.0 + slant * (row as f64 - 14.0);
            for column in [x.floor() as usize, x.floor() as usize + 1] {
                grey[row * GREY + column] = 1.0;
            }
        }
        grey
    };
    for slant in [-0.6, -0.3, 0.0, 0.3, 0.6] {
        for prepare in [Preprocessing::Paper, Preprocessing::Bbox] {
            let bits = prepare.bits(&line(slant));
            let columns = (0..10).filter(|x| (0..10).filter(|y| is_on(bits, y * 10 + x)).count() >= 6);
            assert!((1..=3).contains(&columns.count()), "{slant}\n{}", rows(bits).join("\n"));
            let text = rows(bits).concat();
            assert_eq!(parse(&text), Some(bits));
        }
    }
    for prepare in [Preprocessing::Paper, Preprocessing::Bbox] {
        assert_eq!(prepare.bits(&vec![0.0; GREY * GREY]), 0, "an empty image stays empty");
        assert_eq!(prepare.bits_of_bytes(&vec![0; GREY * GREY]), 0);
    }
    assert_eq!((parse("01"), parse(&"2".repeat(PIXELS)), parse(&"0".repeat(PIXELS + 1))), (None, None, None));
}

/// MNIST is not in the repository: without it, these tests are skipped.
#[test]
fn preprocessed_scans_equal_those_of_another_program() {
    let Some(path) = data_set("mnist/t10k-images-idx3-ubyte.gz") else { return };
    let mut store = Store::default();
    let hash = store.load(&fs::read(path).unwrap()).unwrap().hash;
    let images = store.images(hash).unwrap();
    let all = oracle::sbn();
    let cases = all["prep_cases"].as_array().unwrap();
    assert_eq!(cases.len(), 3);
    for case in cases {
        let at = case["test_index"].as_u64().unwrap() as usize;
        let expected: Vec<&str> =
            case["rows"].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
        assert_eq!(rows(Preprocessing::Paper.bits_of_bytes(images.image(at))), expected, "test image {at}");
    }
}

/// Results of another program on all of MNIST, with ties in the order of the file.
#[test]
#[ignore = "compares 600 million pairs: scripts/test --full"]
fn neighbours_among_all_scans_are_those_of_another_program() {
    let named = DataRef::parse("mnist").unwrap();
    let mut store = Store::default();
    for file in named.known().unwrap().files {
        let Some(path) = data_set(file.paths[0]) else { return };
        store.load(&fs::read(path).unwrap()).unwrap();
    }
    let source = DigitSource::new((Some(&named), None), &store, Preprocessing::Paper, (0, 0), 1).unwrap();
    let of = |digit: u8| (0..source.training(digit)).map(move |i| (digit, i));
    let mut all: Vec<(u8, usize)> = (0..10).flat_map(of).collect();
    all.sort_by_key(|(digit, i)| source.training_index(*digit, *i));
    let images = all.iter().map(|(digit, i)| source.training_image(*digit, *i)).collect();
    let neighbours = Neighbours::new(images, all.iter().map(|(digit, _)| *digit).collect());
    let mut errors = [0; NEIGHBOUR_COUNTS.len()];
    for (bits, digit) in (0..source.test()).map(|i| source.test_image(i)) {
        for (error, class) in errors.iter_mut().zip(neighbours.classify(bits, 0)) {
            *error += usize::from(class != digit);
        }
    }
    assert_eq!((source.test(), errors), (10_000, [617, 558, 524, 534, 550]));
}

#[test]
fn a_box_fills_the_image() {
    let mut grey = vec![0.0; GREY * GREY];
    for row in 10..16 {
        for column in 3..9 {
            grey[row * GREY + column] = 1.0;
        }
    }
    assert_eq!(Preprocessing::Bbox.bits(&grey), (1 << PIXELS) - 1, "a small square fills all of it");
    assert!(Preprocessing::Paper.bits(&grey).count_ones() < 12, "but for the paper it stays where it is");
}

#[test]
fn strokes_are_digits() {
    let (train, test) = (80, 40);
    let sets: Vec<Vec<Bits>> = (0..10).map(|digit| drawn(digit, train + test)).collect();
    for (digit, set) in sets.iter().enumerate() {
        assert_eq!(drawn(digit as u8, 3), set[..3], "the same seed gives the same strokes");
        let distinct: std::collections::BTreeSet<&Bits> = set.iter().collect();
        assert!(distinct.len() > 20, "{digit}: {} different images", distinct.len());
    }
    let split = |of: &dyn Fn(&[Bits]) -> Vec<Bits>| {
        let each = sets.iter().enumerate().map(|(digit, set)| (digit as u8, of(set)));
        each.flat_map(|(digit, set)| set.into_iter().map(move |bits| (bits, digit))).unzip()
    };
    let (images, labels): (Vec<Bits>, Vec<u8>) = split(&|set| set[..train as usize].to_vec());
    let (queries, truth): (Vec<Bits>, Vec<u8>) = split(&|set| set[train as usize..].to_vec());
    let neighbours = Neighbours::new(images, labels);
    let mut errors = [0; NEIGHBOUR_COUNTS.len()];
    for (bits, digit) in queries.iter().zip(&truth) {
        for (error, class) in errors.iter_mut().zip(neighbours.classify(*bits, 0)) {
            *error += usize::from(class != *digit);
        }
    }
    let most = queries.len() / 5;
    assert!(errors.iter().all(|e| *e < most), "{errors:?} of {} are not recognised", queries.len());
}

#[test]
fn neighbours_vote_and_ties_go_to_the_nearer() {
    let neighbours = Neighbours::new(vec![0b0, 0b1, 0b111, 0b1111], vec![0, 0, 1, 1]);
    // Distances 2, 1, 1, 2: one vote each for k = 1 by order, and a tie of votes and distances for k = 5.
    assert_eq!(neighbours.classify(0b11, 0), [0, 0, 0, 0, 0]);
    // Distances 3, 2, 0, 1.
    assert_eq!(neighbours.classify(0b111, 0), [1, 1, 1, 1, 1]);
    // Without the two lowest pixels: 1, 1, 0, 1.
    assert_eq!(neighbours.classify(0b111, 0b11)[..2], [1, 0]);
}

#[test]
fn em_never_lowers_the_likelihood_and_sums_over_missing_pixels() {
    let images = drawn(3, 120);
    let mut mixture = Mixture::initial(&images, 11, &mut Stream::of(2, 0));
    let mut before = f64::NEG_INFINITY;
    for _ in 0..12 {
        let mut step = EmStep::new(&mixture);
        for bits in &images {
            step.add(*bits);
        }
        let (next, ln_p) = step.end(11);
        // Pseudo-counts make the objective a penalised likelihood: the likelihood alone may fall slightly.
        assert!(ln_p > before - 0.05, "{before} {ln_p}");
        (mixture, before) = (next, ln_p);
    }
    assert!((mixture.share.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    let mut scorer = mixture.scorer();
    let (image, missing): (Bits, Bits) = (images[0], 0b101 << 33);
    let states = [0, 1 << 33, 1 << 35, 0b101 << 33];
    let sum: f64 = states.iter().map(|s| libm::exp(scorer.ln_p(image & !missing | s, 0))).sum();
    assert!((libm::log(sum) - scorer.ln_p(image, missing)).abs() < 1e-9);
    assert!(scorer.ln_p(image, (1 << PIXELS) - 1).abs() < 1e-9, "nothing is known");
}
