//! The log evidence by annealed importance sampling against quadrature over two weights, α and β.

use std::f64::consts::TAU;
use std::rc::Rc;

use meanfield::math::Budget;
use meanfield::math::importance::LogMeanWeight;
use meanfield::math::random::{Purpose, Stream};
use meanfield::models::mlp::exact::evidence::EvidenceWalks;
use meanfield::models::mlp::exact::two_weights::TwoWeightPosterior;
use meanfield::models::mlp::solver::examples::ExampleBlocks;
use meanfield::models::mlp::solver::hyperprior::Hyperprior;
use meanfield::models::mlp::solver::network::NetworkShape;
use meanfield::models::mlp::solver::precisions::PriorGroups;
use meanfield::models::mlp::solver::problem::RegressionProblem;

const X: [f64; 6] = [-1.8, -1.1, -0.3, 0.4, 0.9, 1.7];
const T: [f64; 6] = [-0.9, -0.75, -0.2, 0.35, 0.6, 1.0];
/// Step in ln α and ln β; the integrand is smooth and vanishes at both ends.
const STEP: f64 = 0.25;

fn annealed(hyper: Hyperprior, seed: u64) -> LogMeanWeight {
    let shape = NetworkShape { hidden: 1, inputs: 1 };
    let (examples, groups) = (ExampleBlocks::new(&X, 1, &T), PriorGroups::Shared);
    let problem = Rc::new(RegressionProblem { shape, examples, hyper, groups });
    let stream = |i| Stream::for_purpose(seed, Purpose::Test(71), i);
    let mut walks = EvidenceWalks::new(&problem, 1500, stream(0), (1..=400).map(stream).collect());
    while !walks.step(&mut Budget::slice()) {}
    LogMeanWeight::of(walks.ln_weights()).unwrap()
}

/// Returns ln p(D | α, β) by quadrature over the two weights.
fn ln_evidence(alpha: f64, beta: f64) -> f64 {
    let constants = 0.5 * T.len() as f64 * libm::log(beta / TAU) + libm::log(alpha / TAU);
    TwoWeightPosterior::new(&X, &T, alpha, beta).ln_z() + constants
}

#[test]
fn annealed_evidence_with_fixed_precisions() {
    for (alpha, beta) in [(0.6, 40.0), (0.01, 200.0)] {
        let found = annealed(Hyperprior::Fixed { alpha, beta }, 1);
        let exact = ln_evidence(alpha, beta);
        assert!((found.ln_mean - exact).abs() < 4.0 * found.se, "{found:?} {exact}");
        assert!(found.se < 0.2, "{found:?}");
        // Z of BB98 eq. (5), without the normalisation of prior and likelihood, is refused.
        let unnormalised = TwoWeightPosterior::new(&X, &T, alpha, beta).ln_z();
        assert!((found.ln_mean - unnormalised).abs() > 10.0 * found.se, "{found:?} {unnormalised}");
    }
}

#[test]
fn annealed_evidence_with_gamma_priors() {
    let [a, b, c, d] = [2.0, 0.5, 3.0, 10.0];
    let found = annealed(Hyperprior::Gamma([a, b, c, d]), 2);
    // Density of ln x for a Gamma variate of this shape and scale.
    let ln_density = |ln_x: f64, shape: f64, scale: f64| {
        shape * (ln_x - libm::log(scale)) - libm::exp(ln_x) / scale - libm::lgamma(shape)
    };
    let grid = |(low, high): (f64, f64)| {
        (0..).map(move |i| low + STEP * f64::from(i)).take_while(move |x| *x < high)
    };
    let mut sum = 0.0;
    for ln_alpha in grid((-8.0, 3.0)) {
        for ln_beta in grid((-1.0, 6.0)) {
            let prior = ln_density(ln_alpha, a, b) + ln_density(ln_beta, c, d);
            sum += libm::exp(prior + ln_evidence(libm::exp(ln_alpha), libm::exp(ln_beta))) * STEP * STEP;
        }
    }
    let exact = libm::log(sum);
    assert!((found.ln_mean - exact).abs() < 4.0 * found.se && found.se < 0.1, "{found:?} {exact}");
}

/// The likelihood of the constant, with β integrated out, is a Student density.
#[test]
fn likelihood_with_the_noise_integrated_out() {
    let (c, d) = (3.0, 10.0);
    let hyper = Hyperprior::Gamma([1.0, 1.0, c, d]);
    let (n, error) = (6, 1.3);
    let integrand = |ln_beta: f64| {
        let beta = libm::exp(ln_beta);
        let prior = c * (ln_beta - libm::log(d)) - beta / d - libm::lgamma(c);
        libm::exp(prior + 3.0 * libm::log(beta / TAU) - beta * error)
    };
    let sum: f64 = (0..4000).map(|i| integrand(-12.0 + 0.005 * f64::from(i))).sum::<f64>() * 0.005;
    let ours = hyper.ln_likelihood(n, error);
    assert!((ours - libm::log(sum)).abs() < 1e-9, "{ours} {}", libm::log(sum));
}
