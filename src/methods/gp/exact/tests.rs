//! Chains on posteriors that are known exactly.

use super::*;
use crate::gp::solver::kernel::{Kernel, KernelKind};
use crate::math::chains::ChainEnsemble;
use crate::math::random::Purpose;

/// No line through the origin separates these labels; only rounding leaves a region that satisfies them.
#[test]
fn labels_that_no_field_satisfies_have_no_samples() {
    let corners = [[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]];
    let rows: Vec<Vec<f64>> =
        (0..20).map(|i| corners[i % 4].iter().map(|x| x * (1.0 + 0.05 * i as f64)).collect()).collect();
    let tau: Vec<f64> = (0..20).map(|i| if i % 4 < 2 { 1.0 } else { -1.0 }).collect();
    let set = TrainingSet::new(&rows, &tau, &Kernel::isotropic(KernelKind::Linear, 2, 0.3), 0.0, 0.0);
    let here = std::iter::once((vec![0.0; 20], 1.0));
    assert!(sample(&set, &tau, here, Draws(100), (1, Purpose::Test(0))).is_none());
}

/// Returns p(+1) at each of `at` for lines through the origin, whose posterior is a function of their angle: by quadrature.
fn by_angle(rows: &[Vec<f64>], tau: &[f64], kappa: f64, at: &[Vec<f64>]) -> Vec<f64> {
    let (mut total, mut sums) = (0.0, vec![0.0; at.len()]);
    for step in 0..20_000 {
        let angle = (f64::from(step) + 0.5) * std::f64::consts::TAU / 20_000.0;
        let w = [libm::cos(angle), libm::sin(angle)];
        let right = rows.iter().zip(tau).map(|(row, tau)| dot(row, &w) * tau > 0.0);
        let weight: f64 = right.map(|right| if right { 1.0 - kappa } else { kappa }).product();
        total += weight;
        for (sum, s) in sums.iter_mut().zip(at) {
            *sum += weight * probability(dot(s, &w), 0.0, kappa);
        }
    }
    sums.iter().map(|sum| sum / total).collect()
}

/// Returns points on a circle in three clumps, all +1. A half plane holds two clumps at most, and between two such half planes is one that
/// holds a single clump: the posterior has three modes.
fn clumps(sizes: [usize; 3]) -> (Vec<Vec<f64>>, Vec<f64>) {
    let angles = sizes
        .iter()
        .enumerate()
        .flat_map(|(clump, size)| (0..*size).map(move |i| 0.3 + 2.1 * clump as f64 + 0.06 * i as f64));
    let rows: Vec<Vec<f64>> = angles.map(|a| vec![libm::cos(a), libm::sin(a)]).collect();
    let tau = vec![1.0; rows.len()];
    (rows, tau)
}

/// Returns, over twelve seeds and inputs on a circle, the root mean squares of the error and of the standard error, the largest error, and the
/// number of seeds at which the chains agree.
fn errors(rows: &[Vec<f64>], tau: &[f64], kappa: f64) -> (f64, f64, f64, usize) {
    let kernel = Kernel::isotropic(KernelKind::Linear, 2, 1.0);
    let angles = (0..16).map(|i| f64::from(i) * 0.39 + 0.11);
    let at: Vec<Vec<f64>> = angles.map(|a| vec![libm::cos(a), libm::sin(a)]).collect();
    let exact = by_angle(rows, tau, kappa, &at);
    let set = TrainingSet::new(rows, tau, &kernel, 0.0, kappa);
    let (mut error, mut standard_error, mut worst, mut agree) = (0.0, 0.0, 0.0_f64, 0);
    for seed in 0..12 {
        let inputs = at
            .iter()
            .map(|s| (rows.iter().map(|r| kernel.covariance(r, s)).collect(), kernel.covariance(s, s)));
        let blocks = sample(&set, tau, inputs, Draws(2000), (seed, Purpose::Test(0))).unwrap();
        let ensemble = ChainEnsemble::of(blocks.iter().flat_map(|block| &block.chains)).unwrap();
        agree += usize::from(ensemble.agreement().agree());
        for ((p, exact), se) in ensemble.mean().iter().zip(&exact).zip(ensemble.standard_errors()) {
            error += (p - exact) * (p - exact) / 192.0;
            standard_error += se * se / 192.0;
            worst = worst.max((p - exact).abs());
        }
    }
    (error.sqrt(), standard_error.sqrt(), worst, agree)
}

#[test]
fn separated_modes_are_weighted_and_reported() {
    for (sizes, kappa) in [([3, 3, 4], 0.02), ([3, 3, 3], 0.001), ([8, 8, 9], 0.0001)] {
        let (rows, tau) = clumps(sizes);
        let (error, standard_error, worst, agree) = errors(&rows, &tau, kappa);
        let what = format!(
            "{sizes:?} {kappa}: error {error}, standard error {standard_error} worst {worst}, {agree} agree"
        );
        assert!(error < 0.09 && worst < 0.3 && agree == 0, "{what}");
        assert!((0.5..2.0).contains(&(standard_error / error)), "{what}");
    }
}

/// A half plane with one wrong label.
#[test]
fn chains_on_a_single_mode_agree_and_have_valid_standard_errors() {
    let angles = (0..12).map(|i| (f64::from(i) + 0.3) * std::f64::consts::TAU / 12.0);
    let rows: Vec<Vec<f64>> = angles.map(|a| vec![libm::cos(a), libm::sin(a)]).collect();
    let tau: Vec<f64> = (0..12).map(|i| if i < 6 && i != 3 { 1.0 } else { -1.0 }).collect();
    let (error, standard_error, worst, agree) = errors(&rows, &tau, 0.05);
    assert!(error < 0.03 && worst < 0.12 && agree >= 11, "{error} worst {worst}, {agree} agree");
    assert!((0.5..2.0).contains(&(standard_error / error)), "error {error}, standard error {standard_error}");
}
