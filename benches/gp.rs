//! Gaussian processes: TAP by the number of examples, a covariance matrix, both gradients, Laplace's approximation. Each bench
//! checks its answer before it is timed.
#![allow(clippy::disallowed_methods, reason = "a bench checks its answer to within a tolerance")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use meanfield::math::Ending;
use meanfield::math::random::Stream;
use meanfield::models::gp::fit::gradient::HyperGradient;
use meanfield::models::gp::solver::approximation::{Approach, Solving};
use meanfield::models::gp::solver::hyperparameters::Hyperparameters;
use meanfield::models::gp::solver::kernel::{Kernel, KernelKind};
use meanfield::models::gp::solver::laplace::Laplace;
use meanfield::models::gp::solver::mean_field::MeanFieldSolver;
use meanfield::models::gp::solver::site::Site;
use meanfield::models::gp::solver::solution::Solution;
use meanfield::models::gp::solver::theory::Theory;
use meanfield::models::gp::solver::training_set::TrainingSet;

/// As many inputs as the sonar data have.
const INPUTS: usize = 60;
const SIZES: [usize; 4] = [104, 200, 500, 1000];

/// Examples with labels by two inputs and some noise.
fn drawn(m: usize) -> (Vec<Vec<f64>>, Vec<f64>) {
    let mut stream = Stream::of(98, 0);
    let rows: Vec<Vec<f64>> = (0..m).map(|_| (0..INPUTS).map(|_| stream.normal()).collect()).collect();
    let tau = rows.iter().map(|row| if row[0] + row[1] + 0.3 * stream.normal() < 0.0 { -1.0 } else { 1.0 });
    let tau = tau.collect();
    (rows, tau)
}

fn rbf(sigma2: f64) -> Kernel {
    Kernel::isotropic(KernelKind::Rbf, INPUTS, sigma2)
}

const TAP: MeanFieldSolver = MeanFieldSolver { theory: Theory::Tap, tolerance: 1e-6, most_steps: 1000 };

fn solved(problem: &TrainingSet, solver: MeanFieldSolver) -> Solution {
    let (state, ending) = solver.solve(problem);
    assert_eq!(ending, Ending::Converged);
    state.solution(problem, Theory::Tap).unwrap()
}

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{a} instead of {b}");
}

fn tap(c: &mut Criterion) {
    let mut group = c.benchmark_group("gp/TAP, RBF, v = 1");
    group.sample_size(10);
    for m in SIZES {
        let (rows, tau) = drawn(m);
        let problem = TrainingSet::new(&rows, &tau, &rbf(0.5), 1.0, 0.0);
        let solution = solved(&problem, TAP);
        // Both equations of the fixed point, and the evidence of a closer one.
        for i in 0..m {
            let (gamma, lambda) = (solution.gamma[i], solution.lambda[i]);
            close(gamma, solution.h[i] - lambda * solution.x[i], 1e-5);
            let sigma = problem.at(i, i) - solution.factor.quadratic(problem.row(i));
            close(1.0 / sigma, 1.0 / lambda + solution.s[i], 1e-5);
        }
        close(solution.minus_g, solved(&problem, MeanFieldSolver { tolerance: 1e-12, ..TAP }).minus_g, 1e-8);
        group.bench_function(BenchmarkId::from_parameter(m), |b| b.iter(|| TAP.solve(black_box(&problem))));
    }
}

fn covariance(c: &mut Criterion) {
    let mut group = c.benchmark_group("gp/covariances of 500 examples");
    let (rows, tau) = drawn(500);
    for kind in [KernelKind::Arcsine, KernelKind::Rbf, KernelKind::Linear] {
        let kernel = Kernel::isotropic(kind, INPUTS, 0.5);
        let build = || TrainingSet::new(black_box(&rows), &tau, &kernel, 0.1, 0.0);
        let problem = build();
        let scaled = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>() / 30.0;
        for (i, j) in [(0, 1), (499, 17), (250, 250)] {
            let (aa, ab, bb) =
                (scaled(&rows[i], &rows[i]), scaled(&rows[i], &rows[j]), scaled(&rows[j], &rows[j]));
            let k = match kind {
                KernelKind::Linear => ab,
                KernelKind::Rbf => (-0.5 * (aa - 2.0 * ab + bb)).exp(),
                KernelKind::Arcsine => {
                    (ab / ((1.0 + aa) * (1.0 + bb)).sqrt()).asin() * std::f64::consts::FRAC_2_PI
                }
            };
            close(problem.at(i, j), k + if i == j { 0.1 } else { 0.0 }, 1e-12);
        }
        group.bench_function(format!("{kind:?}"), |b| b.iter(build));
    }
}

/// Solving is not timed; the derivative by ln σ² is held to a difference of solved problems.
fn gradients(c: &mut Criterion) {
    let mut group = c.benchmark_group("gp/gradient by 60 weights, v and κ");
    group.sample_size(10);
    for m in [104, 500] {
        let (rows, tau) = drawn(m);
        let exact = MeanFieldSolver { tolerance: 1e-12, ..TAP };
        let at = |ln_sigma2: f64| {
            let solution = solved(&TrainingSet::new(&rows, &tau, &rbf(ln_sigma2.exp()), 1.0, 0.0), exact);
            [solution.minus_g, solution.ln_loo]
        };
        let (centre, h) = (0.5_f64.ln(), 1e-3);
        let (plus, minus) = (at(centre + h), at(centre - h));
        let (problem, kernel) = (TrainingSet::new(&rows, &tau, &rbf(0.5), 1.0, 0.0), rbf(0.5));
        let solution = solved(&problem, exact);
        let evidence = || HyperGradient::evidence(black_box(&solution), &problem, &rows, &kernel);
        let left_out =
            || HyperGradient::leave_one_out(black_box(&solution), &problem, &rows, &kernel).unwrap();
        for (which, gradient) in [evidence(), left_out()].iter().enumerate() {
            let by_sigma2 = -gradient.ln_weights.iter().sum::<f64>();
            close(by_sigma2, (plus[which] - minus[which]) / (2.0 * h), 1e-4);
        }
        group.bench_function(BenchmarkId::new("evidence", m), |b| b.iter(evidence));
        group.bench_function(BenchmarkId::new("leave-one-out", m), |b| b.iter(left_out));
    }
}

fn retrain(c: &mut Criterion) {
    let (rows, tau) = drawn(104);
    let setting = Hyperparameters { kernel: rbf(0.5), sigma2: 0.5, v: 1.0, kappa: 0.0 };
    let solve = |mut solving: Solving| {
        assert!(solving.solve().is_solution());
        solving
    };
    let full = |tap| solve(Solving::new(&rows, &tau, setting.clone(), Approach::MeanField(tap)));
    let (full, exact) = (full(TAP), full(MeanFieldSolver { tolerance: 1e-12, ..TAP }).without(7));
    let others = || rows.iter().enumerate().filter(|(i, _)| *i != 7).map(|(_, row)| row);
    let said = |solving: Solving| solving.predict(&solving.posterior().unwrap(), others(), &rows[7]);
    let row = || said(solve(black_box(&full).without(7)));
    let exact = said(solve(exact));
    close(row().mean, exact.mean, 1e-5);
    close(row().var, exact.var, 1e-5);
    c.bench_function("gp/a row of 104 left out and retrained", |b| b.iter(row));
}

fn laplace(c: &mut Criterion) {
    let mut group = c.benchmark_group("gp/Laplace, RBF, v = 1");
    group.sample_size(10);
    for m in SIZES {
        let (rows, tau) = drawn(m);
        let problem = TrainingSet::new(&rows, &tau, &rbf(0.5), 0.0, 0.0);
        let fit = Laplace::fit(&problem, 1.0).unwrap();
        let forces: Vec<f64> =
            fit.f.iter().zip(&tau).map(|(f, tau)| Site::at(*f, 1.0, *tau, 0.0).x).collect();
        for (f, mode) in fit.f.iter().zip(problem.times(&forces)) {
            close(*f, mode, 1e-5);
        }
        group.bench_function(BenchmarkId::from_parameter(m), |b| {
            b.iter(|| Laplace::fit(black_box(&problem), 1.0));
        });
    }
}

/// Labels that no smooth boundary explains: a quarter of those of a smooth function is flipped.
fn flips(c: &mut Criterion) {
    let mut group = c.benchmark_group("gp/TAP of 767 examples of 8 inputs, a quarter of the labels flipped");
    group.sample_size(10);
    let mut stream = Stream::of(1, 0);
    let rows: Vec<Vec<f64>> = (0..767).map(|_| (0..8).map(|_| stream.normal()).collect()).collect();
    let mut label = |row: &Vec<f64>| {
        let smooth = row[0] + 0.5 * (2.0 * row[1]).sin() < 0.0;
        if smooth == (stream.uniform() < 0.25) { 1.0 } else { -1.0 }
    };
    let tau: Vec<f64> = rows.iter().map(&mut label).collect();
    for (name, v, kappa) in [("v = .5", 0.5, 0.0), ("κ = .1", 0.0, 0.1)] {
        let problem = TrainingSet::new(&rows, &tau, &Kernel::isotropic(KernelKind::Rbf, 8, 0.5), v, kappa);
        let solver = MeanFieldSolver::new(Theory::Tap);
        let solution = solved(&problem, solver);
        for i in 0..tau.len() {
            let (gamma, lambda) = (solution.gamma[i], solution.lambda[i]);
            close(gamma, solution.h[i] - lambda * solution.x[i], 1e-8);
            let sigma = problem.at(i, i) - solution.factor.quadratic(problem.row(i));
            close(1.0 / sigma, 1.0 / lambda + solution.s[i], 1e-7);
        }
        group.bench_function(name, |b| b.iter(|| solver.solve(black_box(&problem))));
    }
}

criterion_group!(benches, tap, flips, covariance, gradients, retrain, laplace);
criterion_main!(benches);
