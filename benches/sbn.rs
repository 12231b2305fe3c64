//! Sigmoid belief networks of 4×12×36×100 units: a solve and a step of learning for 20 images, an image drawn, and the whole pad.

use std::hint::black_box;

use meanfield::data::Store;
use meanfield::lab::{Link, decode};
use meanfield::models::sbn::digits::preprocessing::{Bits, Preprocessing, is_on};
use meanfield::models::sbn::digits::source::DigitSource;
use meanfield::models::sbn::ensemble::pattern;
use meanfield::models::sbn::network::ascent::Ascent;
use meanfield::models::sbn::network::inference::{State, StoppingRule};
use meanfield::models::sbn::pad::PadSnapshot;
use meanfield::models::sbn::pretrained::ensemble;

use super::{Case, Timed, close, snapshot, timed};

pub fn cases() -> Vec<Case> {
    vec![
        Case::new("sbn/20 images by 10 networks", solve),
        Case::new("sbn/20 images learnt", learn),
        Case::new("sbn/an image drawn and pre-processed", prepare),
        Case::new("sbn/the pad", pad),
    ]
}

fn images(count: usize) -> Vec<Bits> {
    let source =
        DigitSource::new((None, None), &Store::default(), Preprocessing::Paper, (1, count), 5).unwrap();
    (0..count).map(|i| source.test_image(i).0).collect()
}

/// The fast solver ends at a stationary point of the bound, by the reference. (The bound has several maxima. Started from means of ½,
/// the reference ends in a lower one for network 6.)
fn solve() -> Timed {
    let mut networks = ensemble().classifier().unwrap();
    let images = images(20);
    let shown = pattern(images[0], 0);
    for which in 0..networks.packed.len() {
        let packed = networks.packed[which].clone();
        let network = packed.network();
        let (solved, state) =
            networks.solve(which, images[0], 0, StoppingRule { tolerance: 1e-3, passes: 100 });
        let means: Vec<Vec<f64>> = (0..network.layers.len()).map(|l| state.means(&packed, l)).collect();
        let mut reference = Ascent::from(&network, &shown, |l, k| means[l][k]);
        close(solved.bound, reference.bound(), 1e-6);
        let change = reference.pass(true);
        assert!(
            solved.converged && change < 2e-3,
            "network {which}: {solved:?}, then a mean changes by {change}"
        );
    }
    timed(move || {
        let each =
            images.iter().map(|image| networks.classify(black_box(*image), 0, StoppingRule::DEFAULT).0);
        each.sum::<usize>()
    })
}

fn learn() -> Timed {
    let images = images(20);
    let mut packed = ensemble().classifier().unwrap().packed[2].clone();
    let mut state = State::new(&packed);
    timed(move || {
        for image in &images {
            state.clamp(&packed, |i| Some(is_on(*image, i)));
            packed.learn(&mut state, 1e-6, StoppingRule::DEFAULT);
        }
    })
}

fn prepare() -> Timed {
    let source =
        DigitSource::new((None, None), &Store::default(), Preprocessing::Paper, (1, 100), 5).unwrap();
    assert!(source.test_image(3).0 != 0);
    timed(move || source.test_image(black_box(7)))
}

fn pad() -> Timed {
    let link = Link::parse("#/sbn.pad");
    let result = decode::<PadSnapshot>(&snapshot(&link)).unwrap().result.unwrap();
    assert_eq!((result.rows.len(), result.rows[result.best].digit), (10, 2));
    timed(move || snapshot(&link))
}
