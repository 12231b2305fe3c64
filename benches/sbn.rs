//! What an image costs: a solve and a step of learning of a network of 4×12×36×100 units, and the whole pad. Each is checked
//! before it is timed.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use meanfield::data::Store;
use meanfield::lab::{Link, Progress, decode};
use meanfield::models::sbn::digits::prepare::{Bits, Prepare, is_on};
use meanfield::models::sbn::digits::source::DigitSource;
use meanfield::models::sbn::ensemble::{Classifier, pattern};
use meanfield::models::sbn::network::ascent::Ascent;
use meanfield::models::sbn::network::inference::{Options, State};
use meanfield::models::sbn::pad::PadSnapshot;
use meanfield::models::sbn::pretrained::ensemble;
use meanfield::models::task;

fn images(count: usize) -> Vec<Bits> {
    let source = DigitSource::new((None, None), &Store::default(), Prepare::Paper, (1, count), 5).unwrap();
    (0..count).map(|i| source.test_image(i).0).collect()
}

/// The fast bound is that of the reference to half a nat.
fn checked(networks: &mut Classifier, image: Bits) {
    for which in 0..networks.packed.len() {
        let (solved, _) = networks.solve(which, image, 0, Options { tolerance: 1e-3, passes: 100 });
        let shown = pattern(image, 0);
        let mut reference = Ascent::new(&networks.networks[which], &shown);
        reference.solve(1e-5, 200);
        assert!((solved.bound - reference.bound()).abs() < 0.5, "{} {}", solved.bound, reference.bound());
    }
}

fn solve(c: &mut Criterion) {
    let mut networks = ensemble().classifier().unwrap();
    let images = images(20);
    checked(&mut networks, images[0]);
    c.bench_function("sbn/20 images by 10 networks", |b| {
        b.iter(|| {
            let each = images.iter().map(|image| networks.classify(black_box(*image), 0, Options::DEFAULT).0);
            each.sum::<usize>()
        });
    });
    let mut packed = networks.packed[2].clone();
    let mut state = State::new(&packed);
    c.bench_function("sbn/20 images learnt", |b| {
        b.iter(|| {
            for image in &images {
                state.clamp(&packed, |i| Some(is_on(*image, i)));
                packed.learn(&mut state, 1e-6, Options::DEFAULT);
            }
        });
    });
}

fn prepare(c: &mut Criterion) {
    let source = DigitSource::new((None, None), &Store::default(), Prepare::Paper, (1, 100), 5).unwrap();
    assert!(source.test_image(3).0 != 0);
    c.bench_function("sbn/an image drawn and pre-processed", |b| b.iter(|| source.test_image(black_box(7))));
}

fn pad(c: &mut Criterion) {
    let link = Link::parse("#/sbn.pad");
    let pad = task(&link.task).unwrap();
    let classify = || {
        let mut run =
            pad.start(&pad.check(black_box(&link.raw)).unwrap(), 0..1, &Store::default(), &[]).unwrap();
        while run.advance() != Progress::Done {}
        run.snapshot()
    };
    let result = decode::<PadSnapshot>(&classify()).unwrap().result.unwrap();
    assert_eq!((result.rows.len(), result.rows[result.best].digit), (10, 2));
    c.bench_function("sbn/the pad", |b| b.iter(classify));
}

criterion_group!(benches, solve, prepare, pad);
criterion_main!(benches);
