//! Wrong methods in place of those of SJ98. Error rates of MNIST are the recorded ones of other methods on the same test images.

use meanfield::math::Budget;
use meanfield::math::random::Stream;
use meanfield::math::stats::mean;
use meanfield::models::sbn::network::ascent::Ascent;
use meanfield::models::sbn::network::model::{Network, Pattern};
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
            Wrong::stated(("Section 3", "networks are better than mixtures"), |_, _| {
                Some(-finding("sbn", "networks are better than mixtures"))
            }),
            Wrong::refused(
                ("Appendix, footnote 4", "the bound (24) against the strict bound of 1996"),
                not_optimised,
            ),
        ],
    );
}
