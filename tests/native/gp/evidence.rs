//! The log evidence of four points against orthant probabilities.

use std::f64::consts::TAU;

use meanfield::math::Budget;
use meanfield::math::importance::LogMeanWeight;
use meanfield::math::random::{Purpose, Stream};
use meanfield::models::gp::exact::evidence::EvidenceChains;
use meanfield::models::gp::solver::approximation::{Approach, Solve};
use meanfield::models::gp::solver::hyperparameters::Hyperparameters;
use meanfield::models::gp::solver::kernel::KernelKind;
use meanfield::models::gp::solver::mean_field::MeanFieldSolver;
use meanfield::models::gp::solver::theory::MeanFieldTheory;
use meanfield::models::gp::solver::training_set::TrainingSet;

/// Steps of the integral over the correlations, which is smooth.
const STEPS: u32 = 2000;

/// Returns the probability that four centred Gaussian variables of unit variance with correlations `r` are all positive, by Plackett's
/// reduction (Biometrika 41, 351 (1954)): dP/dr_ij is the density of the pair at 0 times the orthant probability of the other pair given
/// that. The correlations grow from 0 to `r`.
fn orthant(r: &[[f64; 4]; 4]) -> f64 {
    let slope = |t: f64| {
        let at = |i: usize, j: usize| if i == j { 1.0 } else { t * r[i][j] };
        let mut sum = 0.0;
        for (i, j, k, l) in
            [(0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2), (1, 2, 0, 3), (1, 3, 0, 2), (2, 3, 0, 1)]
        {
            let det = 1.0 - at(i, j) * at(i, j);
            // Covariance of k and l given that i and j are 0.
            let given = |a: usize, b: usize| {
                let cross = at(a, i) * at(b, i) + at(a, j) * at(b, j);
                let swapped = at(a, i) * at(b, j) + at(a, j) * at(b, i);
                at(a, b) - (cross - at(i, j) * swapped) / det
            };
            let partial = given(k, l) / (given(k, k) * given(l, l)).sqrt();
            sum += r[i][j] / (TAU * det.sqrt()) * (0.25 + libm::asin(partial) / TAU);
        }
        sum
    };
    // Simpson's rule.
    let h = 1.0 / f64::from(STEPS);
    let weight = |i: u32| if i == 0 || i == STEPS { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
    0.0625 + h / 3.0 * (0..=STEPS).map(|i| weight(i) * slope(h * f64::from(i))).sum::<f64>()
}

/// Returns the log evidence of four labels: a sum over the signs of the fields.
fn ln_evidence(set: &TrainingSet) -> f64 {
    let mut sum = 0.0;
    for signs in 0..16_u32 {
        let sign = |i: usize| if signs >> i & 1 == 1 { 1.0 } else { -1.0 };
        let correlation =
            |i: usize, j: usize| sign(i) * sign(j) * set.at(i, j) / (set.at(i, i) * set.at(j, j)).sqrt();
        let r = std::array::from_fn(|i| std::array::from_fn(|j| correlation(i, j)));
        let wrong = (0..4).filter(|i| sign(*i) != set.tau[*i]).count() as i32;
        let likelihood = set.kappa.powi(wrong) * (1.0 - set.kappa).powi(4 - wrong);
        if likelihood > 0.0 {
            sum += likelihood * orthant(&r);
        }
    }
    libm::log(sum)
}

#[test]
fn orthant_probabilities_in_closed_form() {
    // Equal correlations of one half: 1/(n + 1). Independent pairs: a product.
    let equal = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { 1.0 } else { 0.5 }));
    assert!((orthant(&equal) - 0.2).abs() < 1e-12);
    let mut pairs = [[0.0; 4]; 4];
    (pairs[0][1], pairs[1][0], pairs[2][3], pairs[3][2]) = (0.6, 0.6, -0.3, -0.3);
    let pair = |r: f64| 0.25 + libm::asin(r) / TAU;
    assert!((orthant(&pairs) - pair(0.6) * pair(-0.3)).abs() < 1e-12);
}

#[test]
fn evidence_of_four_points() {
    let rows: Vec<Vec<f64>> =
        [[-1.0, 0.2], [-0.4, -0.7], [0.3, 0.5], [1.1, -0.1]].map(|row| row.to_vec()).to_vec();
    for (tau, sigma2, v, kappa) in [
        ([-1.0, -1.0, 1.0, 1.0], 0.5, 0.1, 0.0),
        ([-1.0, 1.0, -1.0, 1.0], 0.5, 0.1, 0.0),
        ([-1.0, 1.0, 1.0, 1.0], 2.0, 0.0, 0.1),
    ] {
        let hyperparameters = Hyperparameters::isotropic(KernelKind::Rbf, 2, sigma2, v, kappa);
        let set = TrainingSet::new(&rows, &tau, &hyperparameters.kernel, v, kappa);
        let exact = ln_evidence(&set);
        let stream = |i| Stream::for_purpose(1, Purpose::Test(72), i);
        let mut chains = EvidenceChains::new(&set, 40, (0..2000).map(stream).collect()).unwrap();
        while !chains.step(&mut Budget::slice()) {}
        assert!(!chains.is_stuck());
        let sampled = LogMeanWeight::of(chains.ln_weights()).unwrap();
        let what = format!("{tau:?} {exact} {sampled:?}");
        assert!((sampled.ln_mean - exact).abs() < 4.0 * sampled.se && sampled.se < 0.03, "{what}");
        let solved = |theory| {
            let approach = Approach::MeanField(MeanFieldSolver::new(theory));
            let mut solving = Solve::new(&rows, &tau, hyperparameters.clone(), approach);
            assert!(solving.solve().is_solution(), "{what}");
            solving.posterior().unwrap().minus_g
        };
        let [tap, naive] =
            [MeanFieldTheory::Tap, MeanFieldTheory::Naive].map(|theory| (solved(theory) - exact).abs());
        assert!(tap < 0.03 && tap < naive, "{what}: TAP off by {tap}, naive by {naive}");
    }
}
