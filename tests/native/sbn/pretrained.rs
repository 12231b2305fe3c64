//! The networks that come with the page equal those that `scripts/pretrain` trains, byte for byte.

use meanfield::data::Store;
use meanfield::lab::{Link, Progress, decode};
use meanfield::models::sbn::digits::preprocessing::Preprocessing;
use meanfield::models::sbn::digits::source::DigitSource;
use meanfield::models::sbn::learn::LearnSnapshot;
use meanfield::models::sbn::network::inference::StoppingRule;
use meanfield::models::sbn::pretrained::{LINK, RoundedMember, ensemble, file, shipped};
use meanfield::models::task;

/// Returns the networks trained by the run of [`LINK`].
fn trained(digit: usize) -> RoundedMember {
    let link = Link::parse(LINK);
    let task = task(&link.task).unwrap();
    let mut run =
        task.start(&task.check(&link.raw).unwrap(), digit..digit + 1, &Store::default(), &[]).unwrap();
    while run.advance() != Progress::Done {}
    let snapshot: LearnSnapshot = decode(&run.snapshot()).unwrap();
    RoundedMember::new(snapshot.trained[0].network.as_ref().unwrap())
}

#[test]
fn one_pretrained_network_is_reproduced() {
    if std::env::var_os("MEANFIELD_BLESS").is_none() {
        assert_eq!(trained(1), shipped()[1], "run scripts/pretrain");
    }
}

#[test]
#[ignore = "trains ten networks: scripts/pretrain, and scripts/test --full"]
fn all_of_them_are_trained_again() {
    let all: Vec<RoundedMember> = (0..10).map(trained).collect();
    if std::env::var_os("MEANFIELD_BLESS").is_some() {
        std::fs::write("assets/sbn/networks.bin", file(&all)).unwrap();
    } else {
        assert_eq!(all, shipped(), "run scripts/pretrain");
    }
}

#[test]
fn pretrained_networks_classify_new_strokes() {
    let source =
        DigitSource::new((None, None), &Store::default(), Preprocessing::Paper, (1, 200), 77).unwrap();
    let mut networks = ensemble().classifier().unwrap();
    let images = (0..200).map(|i| source.test_image(i));
    let wrong = images.filter(|(image, digit)| {
        let (best, _) = networks.classify(*image, 0, StoppingRule::DEFAULT);
        networks.digits[best] != *digit
    });
    let wrong = wrong.count();
    assert!(wrong <= 16, "{wrong} of 200");
}
