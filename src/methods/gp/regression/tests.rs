//! Tests against 50-digit references, finite differences, retraining, and the moments of draws.

use super::draws::FunctionDraws;
use super::fit::{EvidenceFit, FitOptions, sigma2};
use super::*;
use crate::gp::fit::LengthScales;
use crate::gp::solver::kernel::KernelKind;
use crate::math::Ending;
use crate::math::random::{Purpose, Stream};

/// Tolerance for agreement with 50-digit references.
const EXACT: f64 = 1e-12;

const INPUTS: [f64; 6] = [-1.7, -0.9, -0.4, 0.3, 0.8, 1.6];
const TARGETS: [f64; 6] = [0.2, -0.8, -0.7, 0.9, 0.6, -0.5];

fn model(kind: KernelKind, sigma2: f64, noise: f64) -> RegressionModel {
    let kernel = Kernel::isotropic(kind, 1, sigma2).with_period(2.3);
    RegressionModel { kernel, amplitude: 1.2, noise }
}

fn posterior(model: RegressionModel) -> RegressionPosterior {
    RegressionPosterior::new(rows(&INPUTS), TARGETS.to_vec(), model).unwrap()
}

fn rows(inputs: &[f64]) -> Vec<Vec<f64>> {
    inputs.iter().map(|x| vec![*x]).collect()
}

/// Returns a search that has ended.
fn fitted(
    rows: Vec<Vec<f64>>,
    targets: Vec<f64>,
    start: RegressionModel,
    options: FitOptions,
) -> EvidenceFit {
    let mut fit = EvidenceFit::new(Rc::new(rows), Rc::new(targets), start, options);
    while !fit.advance(&mut Budget::new(u64::MAX)) {}
    fit
}

fn near(ours: f64, exact: f64, tolerance: f64) {
    assert!((ours - exact).abs() <= tolerance * (1.0 + exact.abs()), "{ours} instead of {exact}");
}

/// References in 50-digit arithmetic, which inverts C by Gaussian elimination and retrains without each left-out example: the log
/// evidence, the sum of leave-one-out log densities, and mean and variance of f at 0.1 and 2.4.
#[test]
fn posterior_evidence_and_leave_one_out_agree_with_dense_formulas() {
    let references = [
        (
            KernelKind::Rbf,
            [-6.655_314_096_648_524, -5.214_189_292_793_94],
            [
                0.537_110_204_016_610_8,
                0.044_061_600_025_095_63,
                -0.187_627_973_924_970_3,
                1.245_980_428_738_104,
            ],
        ),
        (
            KernelKind::Matern52,
            [-6.984_473_333_425_516, -6.149_512_229_363_952],
            [
                0.534_609_567_812_990_3,
                0.164_398_938_184_732_4,
                -0.175_789_072_162_277_6,
                1.308_189_870_917_466,
            ],
        ),
        (
            KernelKind::Matern32,
            [-7.098_620_428_587_562, -6.438_933_083_678_221],
            [
                0.517_618_746_863_922_8,
                0.270_445_028_960_788_2,
                -0.162_372_931_981_721_4,
                1.325_343_899_764_249,
            ],
        ),
        (
            KernelKind::Periodic,
            [-9.597_726_848_935_871, -20.465_947_774_352_64],
            [
                0.659_939_054_466_299_7,
                0.068_024_766_911_841_85,
                0.659_939_054_466_299_7,
                0.068_024_766_911_841_85,
            ],
        ),
    ];
    for (kind, [evidence, left_out], [mean, var, far_mean, far_var]) in references {
        let posterior = posterior(model(kind, 0.3, 0.15));
        near(posterior.ln_evidence(), evidence, EXACT);
        for (at, mean, var) in [(0.1, mean, var), (2.4, far_mean, far_var)] {
            let f = posterior.predict(&[at]);
            near(f.mean, mean, EXACT);
            near(f.var, var, EXACT);
            near(posterior.covariance(&[at], &[at]), var, EXACT);
        }
        let densities = posterior.leave_one_out().into_iter().zip(TARGETS);
        near(densities.map(|(left_out, t)| left_out.ln_density(t)).sum(), left_out, EXACT);
    }
}

#[test]
fn leave_one_out_in_closed_form_equals_retraining_to_rounding() {
    for kind in [KernelKind::Rbf, KernelKind::Matern32, KernelKind::Arcsine, KernelKind::Linear] {
        let posterior = posterior(model(kind, 0.5, 0.2));
        for (i, closed) in posterior.leave_one_out().into_iter().enumerate() {
            let retrained = posterior.retrained_without(i).unwrap();
            near(closed.mean, retrained.mean, EXACT);
            near(closed.var, retrained.var, EXACT);
        }
    }
}

#[test]
fn the_evidence_gradient_matches_finite_differences() {
    for kind in [KernelKind::Rbf, KernelKind::Matern52, KernelKind::Periodic, KernelKind::Arcsine] {
        let at = |step: [f64; 3]| {
            let mut model = model(kind, 0.4, 0.2);
            model.kernel.weights[0] *= libm::exp(step[0]);
            model.amplitude *= libm::exp(step[1]);
            model.noise *= libm::exp(step[2]);
            posterior(model)
        };
        let EvidenceGradient { ln_weights, ln_amplitude, ln_noise } = at([0.0; 3]).evidence_gradient();
        for (i, exact) in [ln_weights[0], ln_amplitude, ln_noise].into_iter().enumerate() {
            let moved = |h: f64| at(std::array::from_fn(|j| if i == j { h } else { 0.0 })).ln_evidence();
            near((moved(1e-5) - moved(-1e-5)) / 2e-5, exact, 1e-8);
        }
    }
}

/// The Cholesky factor of the draws times its transpose is the covariance, up to the jitter.
#[test]
fn draws_have_the_mean_and_covariance_of_the_prior_and_the_posterior() {
    let posterior = posterior(model(KernelKind::Matern52, 0.4, 0.2));
    let at = rows(&[-2.5, -1.0, 0.05, 0.6, 2.0]);
    let draws = |draws: &FunctionDraws| -> Vec<Vec<f64>> {
        let unit = |j: usize| (0..5).map(|i| if i == j { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
        (0..6).map(|j| draws.draw(&unit(j))).collect()
    };
    let prior = draws(&FunctionDraws::prior(posterior.model(), &at).unwrap());
    let given = draws(&FunctionDraws::posterior(&posterior, &at).unwrap());
    for i in 0..5 {
        near(prior[5][i], 0.0, 0.0);
        near(given[5][i], posterior.predict(&at[i]).mean, EXACT);
        for j in 0..5 {
            let product = |columns: &[Vec<f64>]| -> f64 {
                (0..5).map(|k| (columns[k][i] - columns[5][i]) * (columns[k][j] - columns[5][j])).sum()
            };
            near(product(&prior), posterior.model().covariance(&at[i], &at[j]), 1e-9);
            near(product(&given), posterior.covariance(&at[i], &at[j]), 1e-9);
        }
    }
}

#[test]
fn draws_change_continuously_with_the_hyperparameters_and_the_targets() {
    let at: Vec<Vec<f64>> = (0..101).map(|i| vec![-2.0 + 0.04 * f64::from(i)]).collect();
    let mut stream = Stream::for_purpose(5, Purpose::Test(0), 0);
    let numbers: Vec<f64> = at.iter().map(|_| stream.normal()).collect();
    for kind in [KernelKind::Rbf, KernelKind::Matern32, KernelKind::Periodic] {
        let draw = |sigma2: f64, moved: f64| {
            let mut targets = TARGETS.to_vec();
            targets[2] += moved;
            let model = model(kind, sigma2, 0.1);
            let posterior = RegressionPosterior::new(rows(&INPUTS), targets, model).unwrap();
            FunctionDraws::posterior(&posterior, &at).unwrap().draw(&numbers)
        };
        let far = |a: Vec<f64>, b: Vec<f64>| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(far(draw(0.3, 0.0), draw(0.3, 1e-4)) < 1e-3, "{kind:?}");
        assert!(far(draw(0.3, 0.0), draw(0.300_1, 0.0)) < 1e-2, "{kind:?}");
    }
}

#[test]
fn a_fit_has_a_larger_evidence_than_every_model_of_a_grid() {
    let mut stream = Stream::for_purpose(3, Purpose::Test(0), 0);
    let inputs: Vec<f64> = (0..25).map(|i| -2.0 + f64::from(i) / 6.0).collect();
    let targets: Vec<f64> = inputs.iter().map(|x| libm::sin(2.0 * x) + 0.2 * stream.normal()).collect();
    let start = model(KernelKind::Rbf, 5.0, 1.0);
    let fit = fitted(rows(&inputs), targets.clone(), start, FitOptions::default());

    let best = fit.best().unwrap();
    assert!(matches!(fit.ending(), Some(Ending::Converged | Ending::Stalled)), "{:?}", fit.ending());
    let evidence = |model: RegressionModel| {
        RegressionPosterior::new(rows(&inputs), targets.clone(), model).map(|p| p.ln_evidence())
    };
    near(evidence(best.model.clone()).unwrap(), best.ln_evidence, 0.0);
    for sigma2 in [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2] {
        for (amplitude, noise) in [(0.5, 0.1), (1.0, 0.2), (2.0, 0.2), (1.0, 0.8), (0.7, 0.05)] {
            let model = RegressionModel { amplitude, ..model(KernelKind::Rbf, sigma2, noise) };
            assert!(evidence(model).unwrap() < best.ln_evidence);
        }
    }
    let found = (sigma2(&best.model), best.model.noise);
    assert!((0.1..4.0).contains(&found.0) && (0.1..0.3).contains(&found.1), "{found:?}");
}

/// For the linear kernel, only the product of the weight and a² is identified, so σ² keeps its value.
#[test]
fn the_scale_of_the_linear_kernel_is_not_fitted() {
    let start = model(KernelKind::Linear, 0.7, 0.5);
    let fit = fitted(rows(&INPUTS), TARGETS.to_vec(), start, FitOptions::default());
    near(sigma2(&fit.best().unwrap().model), 0.7, EXACT);
}

/// Several inputs with random rows, a dense inverse by nalgebra, and retraining.
#[test]
fn several_inputs_agree_with_a_dense_computation() {
    use nalgebra::{DMatrix, DVector};
    let mut stream = Stream::for_purpose(8, Purpose::Test(0), 0);
    let random = |count: usize, stream: &mut Stream| -> Vec<Vec<f64>> {
        (0..count).map(|_| (0..3).map(|_| stream.normal()).collect()).collect()
    };
    let (rows, at) = (random(37, &mut stream), random(11, &mut stream));
    let targets: Vec<f64> = rows.iter().map(|x| libm::sin(x[0]) + x[1] + 0.1 * stream.normal()).collect();
    for kind in [KernelKind::Rbf, KernelKind::Matern32, KernelKind::Arcsine, KernelKind::Linear] {
        let kernel = Kernel { weights: vec![0.4, 0.9, 0.05], ..Kernel::isotropic(kind, 3, 1.0) };
        let model = RegressionModel { kernel, amplitude: 1.3, noise: 0.2 };
        let posterior = RegressionPosterior::new(rows.clone(), targets.clone(), model.clone()).unwrap();
        let prior = |a: &[f64], b: &[f64]| 1.69 * model.kernel.covariance(a, b);
        let c = DMatrix::from_fn(37, 37, |i, j| prior(&rows[i], &rows[j]) + if i == j { 0.04 } else { 0.0 });
        let (inverse, t) = (c.clone().lu().try_inverse().unwrap(), DVector::from_vec(targets.clone()));
        let evidence = -0.5 * (t.dot(&(&inverse * &t)) + c.lu().determinant().ln() + 37.0 * TAU.ln());
        near(posterior.ln_evidence(), evidence, 1e-10);
        for block in at.chunks(8) {
            let ours = posterior.predict_block(block.iter().map(Vec::as_slice));
            assert_eq!(ours.len(), block.len());
            for (f, at) in ours.iter().zip(block) {
                let k = DVector::from_iterator(37, rows.iter().map(|row| prior(row, at)));
                near(f.mean, k.dot(&(&inverse * &t)), 1e-10);
                near(f.var, prior(at, at) - k.dot(&(&inverse * &k)), 1e-10);
                near(posterior.predict(at).var, f.var, 1e-10);
            }
        }
        for (i, left_out) in posterior.leave_one_out().into_iter().enumerate() {
            near(left_out.mean, targets[i] - (&inverse * &t)[i] / inverse[(i, i)], 1e-10);
            near(left_out.var, 1.0 / inverse[(i, i)], 1e-10);
            let retrained = posterior.retrained_without(i).unwrap();
            near(left_out.mean, retrained.mean, 1e-10);
            near(left_out.var, retrained.var, 1e-10);
        }
        let all: Vec<&[f64]> = at.iter().map(Vec::as_slice).collect();
        let (average, pairs) = (posterior.average(&all), 121.0);
        near(average.mean, posterior.means(all.iter().copied()).iter().sum::<f64>() / 11.0, 1e-12);
        let sum: f64 = all.iter().flat_map(|a| all.iter().map(|b| posterior.covariance(a, b))).sum();
        near(average.var, sum / pairs, 1e-10);
    }
}

/// An input that the targets do not depend on, for kernels with and without a scale of their own.
#[test]
fn weights_of_inputs_are_fitted_by_the_evidence() {
    let mut stream = Stream::for_purpose(4, Purpose::Test(0), 0);
    let rows: Vec<Vec<f64>> = (0..60).map(|_| vec![stream.normal(), stream.normal()]).collect();
    let targets: Vec<f64> = rows.iter().map(|x| 1.5 * x[0] + 0.1 * stream.normal()).collect();
    for kind in [KernelKind::Rbf, KernelKind::Linear] {
        let start = RegressionModel { kernel: Kernel::isotropic(kind, 2, 1.0), amplitude: 1.0, noise: 0.3 };
        let fit = |length_scales, start: RegressionModel| {
            let options = FitOptions { length_scales, starts: 0..1, ..FitOptions::default() };
            fitted(rows.clone(), targets.clone(), start, options).best().unwrap().clone()
        };
        let shared = fit(LengthScales::Shared, start.clone());
        let own = fit(LengthScales::PerInput, shared.model.clone());
        assert!(own.ln_evidence > shared.ln_evidence + 1.0, "{kind:?}: {own:?} {shared:?}");
        let weights = &own.model.kernel.weights;
        assert!(weights[1] < 0.1 * weights[0], "{kind:?}: {weights:?}");
        assert!((0.07..0.14).contains(&own.model.noise), "{kind:?}: {own:?}");
        // At the optimum the evidence has no slope in any direction that is not at a bound.
        let posterior = RegressionPosterior::new(rows.clone(), targets.clone(), own.model.clone()).unwrap();
        let gradient = posterior.evidence_gradient();
        near(posterior.ln_evidence(), own.ln_evidence, 0.0);
        assert!(gradient.ln_weights[0].abs() < 1e-3 && gradient.ln_noise.abs() < 1e-3, "{gradient:?}");
    }
}

#[test]
fn pauses_and_the_range_of_starts_do_not_change_a_fit() {
    let start = model(KernelKind::Matern52, 0.5, 0.3);
    let (inputs, targets) = (Rc::new(rows(&INPUTS)), Rc::new(TARGETS.to_vec()));
    let run = |starts: std::ops::Range<usize>, work: u64| {
        let options = FitOptions { starts, max_evaluations: 9, ..FitOptions::default() };
        let mut fit = EvidenceFit::new(Rc::clone(&inputs), Rc::clone(&targets), start.clone(), options);
        let mut calls = 0;
        while !fit.advance(&mut Budget::new(work)) {
            calls += 1;
        }
        (fit.best().unwrap().clone(), fit.trace().to_vec(), calls)
    };
    let whole = run(0..3, u64::MAX);
    let paused = run(0..3, 1);
    assert_eq!((&whole.0, &whole.1), (&paused.0, &paused.1));
    assert!(paused.2 > 5 * whole.2, "{} {}", paused.2, whole.2);
    let singly: Vec<f64> = (0..3).flat_map(|start| run(start..start + 1, u64::MAX).1).collect();
    assert_eq!(singly, whole.1);
}
