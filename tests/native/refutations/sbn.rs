//! Wrong methods in place of those of SJ98. Error rates of MNIST are the recorded ones of other methods on the same test images.

use meanfield::math::Budget;
use meanfield::math::random::Stream;
use meanfield::math::stats::mean;
use meanfield::models::sbn::network::ascent::Ascent;
use meanfield::models::sbn::network::inference::{Options, State};
use meanfield::models::sbn::network::learning::initial;
use meanfield::models::sbn::network::model::{Network, Pattern};
use meanfield::models::sbn::network::packed::Packed;
use meanfield::models::sbn::network::strict::StrictBound;
use meanfield::models::sbn::network::truth::Enumeration;

use super::{Reports, Wrong, finding, refute};

/// Mean distance of a strict bound whose hidden units have the mean ½ from (24), over the mean distance of (24) from ln P.
fn not_optimised(_: &Reports, _: &str) -> Option<f64> {
    let (mut differences, mut gaps) = (Vec::new(), Vec::new());
    for seed in 0..20 {
        let mut stream = Stream::of(70, seed);
        let mut network = Network::zero(&[2, 8, 20]);
        network.weights.iter_mut().flatten().for_each(|w| *w = stream.normal());
        let (mut states, _) = network.sample(|_, _| None, &mut stream);
        let pattern = Pattern::complete(states.pop()?);
        let mut ascent = Ascent::new(&network, &pattern);
        ascent.solve(1e-9, 2000);
        let ln_p = Enumeration::new(&network, &pattern)?.step(&mut Budget::new(u64::MAX))?;
        let mut mu = ascent.mu.clone();
        let hidden = mu.len() - 1;
        mu[..hidden].iter_mut().flatten().for_each(|mu| *mu = 0.5);
        differences.push(StrictBound::new(&network, &pattern, &mu).value() - ascent.bound());
        gaps.push(ln_p - ascent.bound());
    }
    Some((mean(differences.into_iter()).mean / mean(gaps.into_iter()).mean).abs())
}

#[test]
fn wrong_methods_fail_the_claims_on_sigmoid_belief_networks() {
    refute(
        "sbn",
        &[
            Wrong::stated(("Section 3", "error rate of the networks"), |_, _| {
                Some(finding("sbn", "nearest neighbours, k = 1"))
            }),
            Wrong::stated(("Section 3", "error rate of the mixtures"), |_, _| {
                Some(finding("sbn", "error rate of the networks"))
            }),
            Wrong::stated(("Section 3", "networks are better than mixtures"), |_, _| {
                Some(-finding("sbn", "networks are better than mixtures"))
            }),
            Wrong::stated(("Figure 2", "the bound rises over the epochs, digit TWO"), |_, _| {
                Some(-finding("sbn", "the bound rises over the epochs, digit TWO"))
            }),
            Wrong::refused(
                ("Appendix, footnote 4", "the bound (24) against the strict bound of 1996"),
                not_optimised,
            ),
        ],
    );
}

/// The steps of the second epoch reversed lower the bound, as the claim on figure 2 states.
#[test]
fn reversed_steps_lower_the_bound() {
    let layers = [2, 4, 12];
    let mut stream = Stream::of(71, 0);
    let mut teacher = Network::zero(&layers);
    teacher.weights.iter_mut().flatten().for_each(|w| *w = 2.0 * stream.normal());
    let sample = |stream: &mut Stream| teacher.sample(|_, _| None, stream).0.pop().unwrap();
    let patterns: Vec<Vec<f64>> = (0..200).map(|_| sample(&mut stream)).collect();
    let ones: Vec<usize> = (0..12).map(|i| patterns.iter().filter(|p| p[i] > 0.5).count()).collect();
    let mut packed = Packed::new(&initial(&layers, &ones, 200, 0.1, &mut stream));
    let mut state = State::new(&packed);
    let mut epoch = || {
        for pattern in &patterns {
            state.clamp(&packed, |i| Some(pattern[i] > 0.5));
            packed.learn(&mut state, 0.05, Options::DEFAULT);
        }
        packed.network()
    };
    let (first, second) = (epoch(), epoch());
    let mut reversed = first.clone();
    let mirror = |to: &mut [Vec<f64>], by: &[Vec<f64>]| {
        to.iter_mut().flatten().zip(by.iter().flatten()).for_each(|(a, b)| *a = 2.0 * *a - b);
    };
    mirror(&mut reversed.weights, &second.weights);
    mirror(&mut reversed.biases, &second.biases);
    let bound = |network: &Network| {
        let one = |visible: &Vec<f64>| {
            let pattern = Pattern::complete(visible.clone());
            let mut ascent = Ascent::new(network, &pattern);
            ascent.solve(1e-8, 500);
            ascent.bound()
        };
        mean(patterns.iter().map(one)).mean
    };
    let [first, second, reversed] = [&first, &second, &reversed].map(bound);
    assert!(second > first && reversed < first, "{first} {second} {reversed}");
}
