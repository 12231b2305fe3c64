//! `gp` against exact small cases that were computed independently (`tests/data/gp.json`), against closed forms, and
//! against the invariances of its equations.

use std::f64::consts::{LN_2, PI};

use meanfield::math::chains::ChainEnsemble;
use meanfield::math::random::{Purpose, Stream};
use meanfield::models::gp::exact::{Draws, sample};
use meanfield::models::gp::fit::gradient::HyperGradient;
use meanfield::models::gp::solver::kernel::{Kernel, KernelKind};
use meanfield::models::gp::solver::laplace::Laplace;
use meanfield::models::gp::solver::mean_field::MeanFieldSolver;
use meanfield::models::gp::solver::parallel::ParallelIteration;
use meanfield::models::gp::solver::site::{Site, probability};
use meanfield::models::gp::solver::solution::Solution;
use meanfield::models::gp::solver::theory::MeanFieldTheory;
use meanfield::models::gp::solver::training_set::TrainingSet;
use serde_json::Value;

use crate::common::assert::{CONVERGED, ORACLE, near};
use crate::common::oracle::{self, number, numbers, rows};

fn kernel_of(config: &Value, inputs: usize) -> Kernel {
    let kind = match config["kernel"].as_str().unwrap() {
        "arcsin" => KernelKind::Arcsine,
        "rbf" => KernelKind::Rbf,
        _ => KernelKind::Linear,
    };
    Kernel::isotropic(kind, inputs, number(&config["sigma2"]))
}

fn solve(set: &TrainingSet, theory: MeanFieldTheory) -> Solution {
    let (state, ending) = MeanFieldSolver::new(theory).solve(set);
    assert!(ending.is_solution(), "{ending:?}");
    state.solution(set, theory).unwrap()
}

#[test]
fn single_sites() {
    for check in oracle::gp()["site_checks"].as_array().unwrap() {
        let of = |key: &str| number(&check[key]);
        let site = Site::at(of("gamma"), of("lam"), of("tau"), of("kappa"));
        for (ours, key) in [(site.ln_z0, "logZ0"), (site.x, "x"), (site.w, "W")] {
            assert!((ours - of(key)).abs() <= 1e-11 * of(key).abs(), "{check}: {key} = {ours}");
        }
    }
}

#[test]
fn tiny_problems() {
    let reference = oracle::gp();
    let tiny = &reference["tiny"];
    let (inputs, tests, tau) = (rows(&tiny["X"]), rows(&tiny["X_test"]), numbers(&tiny["tau"]));
    for config in tiny["configs"].as_array().unwrap() {
        let (v, kappa) = (number(&config["v"]), number(&config["kappa"]));
        let kernel = kernel_of(config, inputs[0].len());
        let set = TrainingSet::new(&inputs, &tau, &kernel, v, kappa);
        for (theory, name) in [(MeanFieldTheory::Tap, "tap"), (MeanFieldTheory::Naive, "naive")] {
            let what = |key: &str| format!("{} {name} {key}", config["name"]);
            let (solution, theirs) = (solve(&set, theory), &config[name]);
            let all = |ours: &[f64], key: &str| {
                for (ours, theirs) in ours.iter().zip(numbers(&theirs[key])) {
                    near(*ours, theirs, ORACLE, &what(key));
                }
            };
            all(&solution.x, "x");
            all(&solution.gamma, "gamma");
            if theory == MeanFieldTheory::Tap {
                let gradient = HyperGradient::evidence(&solution, &set, &inputs, &kernel);
                let by_sigma2 = -gradient.ln_weights.iter().sum::<f64>();
                near(by_sigma2, number(&theirs["d_lnZ_d_log_sigma2"]), ORACLE, &what("d_lnZ_d_log_sigma2"));
                near(gradient.v, number(&theirs["d_lnZ_d_v"]), ORACLE, &what("d_lnZ_d_v"));
                near(gradient.kappa, number(&theirs["d_lnZ_d_kappa"]), ORACLE, &what("d_lnZ_d_kappa"));
                all(&solution.lambda, "lambda_");
                all(&solution.h, "h");
                near(solution.minus_g, number(&theirs["ln_evidence"]), ORACLE, &what("ln_evidence"));
                near(
                    solution.ln_loo,
                    number(&theirs["ln_loo_predictive"]),
                    ORACLE,
                    &what("ln_loo_predictive"),
                );
            } else {
                all(&solution.left_out, "loo_field");
                near(solution.minus_g, number(&theirs["minus_G_naive"]), ORACLE, &what("minus_G_naive"));
            }
            let key = if theory == MeanFieldTheory::Tap {
                "loo_errors_cavity"
            } else {
                "loo_errors_linear_response"
            };
            assert_eq!(Solution::errors(&solution.left_out, &tau) as u64, theirs[key].as_u64().unwrap());
            for (i, test) in tests.iter().enumerate() {
                let k: Vec<f64> = inputs.iter().map(|row| kernel.covariance(row, test)).collect();
                let (mean, var) = solution.predict(&k, kernel.covariance(test, test));
                near(mean, numbers(&theirs["test_mean"])[i], ORACLE, &what("test_mean"));
                near(var, numbers(&theirs["test_var"])[i], ORACLE, &what("test_var"));
                near(
                    probability(mean, var + v, kappa),
                    numbers(&theirs["test_p"])[i],
                    ORACLE,
                    &what("test_p"),
                );
            }
        }
    }
}

fn given(c: &[&[f64]], tau: &[f64]) -> TrainingSet {
    let rows: Vec<Vec<f64>> = c.iter().map(|row| row.to_vec()).collect();
    TrainingSet::from_covariance(&rows, tau, 0.0)
}

#[test]
fn one_and_two_examples_by_closed_forms() {
    let one = solve(&given(&[&[2.5]], &[-1.0]), MeanFieldTheory::Tap);
    near(one.x[0], -(2.0 / (PI * 2.5)).sqrt(), CONVERGED, "x of one example");
    near(one.lambda[0], 2.5, CONVERGED, "λ of one example");
    near(one.minus_g, -LN_2, CONVERGED, "−G of one example");
    for (rho, expected) in [(0.5, -1.100_428_254_7), (-0.5, -1.791_072_172_1), (0.9, -0.878_602_827_6)] {
        let two = solve(&given(&[&[1.0, rho], &[rho, 1.0]], &[1.0, 1.0]), MeanFieldTheory::Tap);
        near(two.minus_g, expected, CONVERGED, &format!("−G at ρ = {rho}"));
    }
    let apart = solve(&given(&[&[1.0, 0.0], &[0.0, 3.0]], &[1.0, -1.0]), MeanFieldTheory::Tap);
    near(apart.minus_g, -2.0 * LN_2, CONVERGED, "diagonal C");
    assert!(apart.gamma.iter().all(|gamma| gamma.abs() < CONVERGED));
}

/// Returns random inputs with labels by the sign along a random direction.
fn drawn(m: usize, inputs: usize, seed: u64) -> (Vec<Vec<f64>>, Vec<f64>) {
    let mut stream = Stream::of(seed, 0);
    let rows: Vec<Vec<f64>> = (0..m).map(|_| (0..inputs).map(|_| stream.normal()).collect()).collect();
    let tau = rows.iter().map(|row| if row[0] + 0.5 * stream.normal() < 0.0 { -1.0 } else { 1.0 }).collect();
    (rows, tau)
}

#[test]
fn flips_permutations_and_scales() {
    let (rows, tau) = drawn(12, 3, 4);
    let kernel = Kernel::isotropic(KernelKind::Rbf, 3, 0.4);
    let base = solve(&TrainingSet::new(&rows, &tau, &kernel, 0.1, 0.0), MeanFieldTheory::Tap);
    let flipped: Vec<f64> = tau.iter().map(|t| -t).collect();
    let mirror = solve(&TrainingSet::new(&rows, &flipped, &kernel, 0.1, 0.0), MeanFieldTheory::Tap);
    let (backwards, reversed): (Vec<_>, Vec<f64>) = rows.iter().cloned().zip(tau.clone()).rev().unzip();
    let permuted = solve(&TrainingSet::new(&backwards, &reversed, &kernel, 0.1, 0.0), MeanFieldTheory::Tap);
    let scaled: Vec<Vec<f64>> = {
        let set = TrainingSet::new(&rows, &tau, &kernel, 0.1, 0.0);
        (0..12).map(|i| set.row(i).iter().map(|c| 4.0 * c).collect()).collect()
    };
    let scaled = solve(&TrainingSet::from_covariance(&scaled, &tau, 0.0), MeanFieldTheory::Tap);
    for i in 0..12 {
        near(mirror.x[i], -base.x[i], CONVERGED, "flipped x");
        near(permuted.x[11 - i], base.x[i], ORACLE, "permuted x");
        near(scaled.x[i], base.x[i] / 2.0, ORACLE, "scaled x");
        near(scaled.lambda[i], 4.0 * base.lambda[i], ORACLE, "scaled λ");
    }
    near(scaled.minus_g, base.minus_g, ORACLE, "scaled −G");
}

/// Solves A y = b by elimination with pivots and returns y and ln |det A|.
fn eliminate(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> (Vec<f64>, f64) {
    let n = b.len();
    let mut ln_det = 0.0;
    for k in 0..n {
        let pivot = (k..n).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs())).unwrap();
        a.swap(k, pivot);
        b.swap(k, pivot);
        ln_det += a[k][k].abs().ln();
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= factor * a[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            b[k] -= a[k][j] * b[j];
        }
        b[k] /= a[k][k];
    }
    (b, ln_det)
}

/// Returns the log evidence, eq. (3.65) of Rasmussen and Williams, by textbook expectation propagation (their algorithm 3.5): a site at a
/// time, with the step likelihood, every posterior by elimination.
fn textbook_ep(c: &[Vec<f64>], tau: &[f64], kappa: f64) -> f64 {
    let n = tau.len();
    let (mut precision, mut shift) = (vec![0.0; n], vec![0.0; n]);
    // Σ = (C⁻¹ + T)⁻¹ = C (I + T C)⁻¹, column by column, and μ = Σ ν.
    let posterior = |precision: &[f64], shift: &[f64]| {
        let matrix: Vec<Vec<f64>> = (0..n)
            .map(|i| (0..n).map(|j| precision[i] * c[i][j] + f64::from(u8::from(i == j))).collect())
            .collect();
        let (y, _) = eliminate(matrix.clone(), shift.to_vec());
        let mean: Vec<f64> = (0..n).map(|i| (0..n).map(|j| c[i][j] * y[j]).sum()).collect();
        let var: Vec<f64> = (0..n)
            .map(|k| {
                let unit = (0..n).map(|i| f64::from(u8::from(i == k))).collect();
                let (y, _) = eliminate(matrix.clone(), unit);
                (0..n).map(|j| c[k][j] * y[j]).sum()
            })
            .collect();
        (mean, var)
    };
    let moments = |mu: f64, var: f64, y: f64| {
        let site = Site::at(mu, var, y, kappa);
        (site.ln_z0, mu + var * site.x, var - var * var * site.w)
    };
    for _ in 0..200 {
        for i in 0..n {
            let (mean, var) = posterior(&precision, &shift);
            let cavity_precision = 1.0 / var[i] - precision[i];
            let cavity_shift = mean[i] / var[i] - shift[i];
            let (_, new_mean, new_var) =
                moments(cavity_shift / cavity_precision, 1.0 / cavity_precision, tau[i]);
            precision[i] = 1.0 / new_var - cavity_precision;
            shift[i] = new_mean / new_var - cavity_shift;
        }
    }
    let (mean, var) = posterior(&precision, &shift);
    let sum: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..n).map(|j| c[i][j] + if i == j { 1.0 / precision[i] } else { 0.0 }).collect())
        .collect();
    let sites: Vec<f64> = (0..n).map(|i| shift[i] / precision[i]).collect();
    let (y, ln_det) = eliminate(sum, sites.clone());
    let mut ln_z = -0.5 * ln_det - 0.5 * sites.iter().zip(&y).map(|(a, b)| a * b).sum::<f64>();
    for i in 0..n {
        let cavity_var = 1.0 / (1.0 / var[i] - precision[i]);
        let cavity_mean = cavity_var * (mean[i] / var[i] - shift[i]);
        let both = cavity_var + 1.0 / precision[i];
        let (ln_z0, ..) = moments(cavity_mean, cavity_var, tau[i]);
        ln_z += ln_z0 + 0.5 * both.abs().ln() + (cavity_mean - sites[i]).powi(2) / (2.0 * both);
    }
    ln_z
}

#[test]
fn tap_is_expectation_propagation() {
    for (seed, kappa) in [(1, 0.0), (2, 0.0), (3, 0.1)] {
        let (rows, tau) = drawn(8, 2, seed);
        let set = TrainingSet::new(&rows, &tau, &Kernel::isotropic(KernelKind::Rbf, 2, 0.6), 0.2, kappa);
        let c: Vec<Vec<f64>> = (0..8).map(|i| set.row(i).to_vec()).collect();
        near(
            solve(&set, MeanFieldTheory::Tap).minus_g,
            textbook_ep(&c, &tau, kappa),
            CONVERGED,
            "EP's evidence",
        );
    }
}

/// If the parallel iteration converges, it reaches the solution of the double loop.
#[test]
fn the_parallel_iteration_has_the_same_fixed_point() {
    let (rows, tau) = drawn(15, 2, 5);
    let set = TrainingSet::new(&rows, &tau, &Kernel::isotropic(KernelKind::Rbf, 2, 0.3), 0.5, 0.0);
    let mut parallel = ParallelIteration::new(&set, 0.05);
    while parallel.residual > 1e-12 && parallel.sweeps < 5000 {
        assert_eq!(parallel.sweep(&set), Some(true));
    }
    let solution = solve(&set, MeanFieldTheory::Tap);
    for (ours, theirs) in parallel.x.iter().zip(&solution.x) {
        near(*ours, *theirs, ORACLE, "x");
    }
    assert!(parallel.sweeps > 100, "{} sweeps", parallel.sweeps);
}

/// One example: the mode of N(f; 0, 1) Φ(f) has f = φ(f)/Φ(f).
#[test]
fn laplace_sits_at_the_mode() {
    let one = Laplace::fit(&TrainingSet::from_covariance(&[vec![1.0]], &[1.0], 0.0), 1.0).unwrap();
    let site = Site::at(one.f[0], 1.0, 1.0, 0.0);
    near(one.f[0], site.x, CONVERGED, "mode");
    near(
        one.ln_evidence,
        site.ln_z0 - 0.5 * one.f[0] * one.f[0] - 0.5 * (1.0 + site.w).ln(),
        CONVERGED,
        "evidence",
    );
    // Many examples: f_i = Σ K_ij ∂ ln p_j.
    let (rows, tau) = drawn(15, 2, 6);
    let set = TrainingSet::new(&rows, &tau, &Kernel::isotropic(KernelKind::Rbf, 2, 0.3), 0.0, 0.02);
    let fit = Laplace::fit(&set, 0.5).unwrap();
    let forces: Vec<f64> = (fit.f.iter().zip(&tau)).map(|(f, tau)| Site::at(*f, 0.5, *tau, 0.02).x).collect();
    for (f, mode) in fit.f.iter().zip(set.times(&forces)) {
        near(*f, mode, 1e-6, "mode");
    }
}

/// Two fields of correlation ρ with labels (+, +): the sign of a third has the orthant probability.
#[test]
fn the_sampler_reproduces_the_orthant_probability() {
    let rho = 0.6;
    let set = given(&[&[1.0, rho], &[rho, 1.0]], &[1.0, 1.0]);
    let third = (vec![rho, rho], 1.0);
    let blocks =
        sample(&set, &[1.0, 1.0], std::iter::once(third), Draws(30_000), (1, Purpose::Test(0))).unwrap();
    let pair = 0.25 + rho.asin() / (2.0 * PI);
    let triple = 0.125 + 3.0 * rho.asin() / (4.0 * PI);
    let sampled = ChainEnsemble::of(blocks.iter().flat_map(|block| &block.chains)).unwrap().mean()[0];
    assert!((sampled - triple / pair).abs() < 0.006, "{sampled} {}", triple / pair);
}

/// Errors of the two theories on a small noisy set: TAP's is much smaller than that of the naive theory.
#[test]
fn tap_is_closer_to_the_exact_posterior_than_the_naive_theory() {
    let (rows, tau) = drawn(40, 2, 12);
    let (kernel, v) = (Kernel::isotropic(KernelKind::Rbf, 2, 0.4), 0.3);
    let set = TrainingSet::new(&rows, &tau, &kernel, v, 0.0);
    let (tests, _) = drawn(60, 2, 13);
    let inputs =
        || tests.iter().map(|t| (rows.iter().map(|r| kernel.covariance(r, t)).collect::<Vec<_>>(), 1.0));
    let tap = solve(&set, MeanFieldTheory::Tap);
    let inputs_with_noise = inputs().map(|(k, own)| (k, own + v));
    let blocks = sample(&set, &tap.h, inputs_with_noise, Draws(20_000), (3, Purpose::Test(0))).unwrap();
    let exact = ChainEnsemble::of(blocks.iter().flat_map(|block| &block.chains)).unwrap().mean();
    let worst = |theory| {
        let solution = solve(&set, theory);
        let ours = inputs().map(|(k, own)| {
            let (mean, var) = solution.predict(&k, own);
            probability(mean, var + v, 0.0)
        });
        ours.zip(&exact).map(|(p, exact)| (p - exact).abs()).fold(0.0, f64::max)
    };
    let (tap, naive) = (worst(MeanFieldTheory::Tap), worst(MeanFieldTheory::Naive));
    assert!(tap < 0.012 && naive > 2.0 * tap, "TAP {tap}, naive {naive}");
}

/// Random settings, reasonable and extreme: each ends, and none gives a NaN.
#[test]
fn a_thousand_random_configurations_end_with_numbers_or_a_reason() {
    let mut stream = Stream::of(77, 0);
    let (mut endings, mut sensible_failures) = ([0; 5], 0);
    for trial in 0..1000 {
        let m = 5 + (stream.uniform() * 30.0) as usize;
        let (rows, tau) = drawn(m, 2, 1000 + trial);
        let kind =
            [KernelKind::Arcsine, KernelKind::Rbf, KernelKind::Linear][(stream.uniform() * 3.0) as usize];
        let sigma2 = libm::pow(10.0, 6.0 * stream.uniform() - 3.0);
        let kappa = if stream.uniform() < 0.5 { 0.0 } else { 0.45 * stream.uniform() };
        let v = if stream.uniform() < 0.4 { 0.0 } else { libm::pow(10.0, 4.0 * stream.uniform() - 3.0) };
        let set = TrainingSet::new(&rows, &tau, &Kernel::isotropic(kind, 2, sigma2), v, kappa);
        for theory in [MeanFieldTheory::Tap, MeanFieldTheory::Naive] {
            let (state, ending) = MeanFieldSolver::new(theory).solve(&set);
            endings[ending as usize] += 1;
            let failed = !ending.is_solution();
            sensible_failures += usize::from(failed && kappa == 0.0 && v >= 1e-3);
            if ending.is_solution() {
                let solution = state.solution(&set, theory).unwrap();
                assert!(
                    solution.minus_g.is_finite(),
                    "{kind:?} σ²={sigma2} κ={kappa} v={v} m={m} {theory:?}"
                );
                assert!(solution.left_out.iter().all(|field| field.is_finite()));
            }
        }
    }
    // Failures have contradictory labels without noise, or so many flips that there are several fixed points.
    let failed = endings[2..].iter().sum::<i32>();
    assert!(failed < 120 && sensible_failures == 0, "{endings:?}, {sensible_failures} of them sensible");
}
