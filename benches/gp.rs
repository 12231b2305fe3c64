//! Gaussian processes: TAP by the number of examples, a covariance matrix, both gradients, Laplace's approximation.

use std::hint::black_box;

use meanfield::math::random::Stream;
use meanfield::math::{Choice as _, Ending};
use meanfield::models::gp::fit::gradient::HyperGradient;
use meanfield::models::gp::solver::approximation::{Approach, Solve};
use meanfield::models::gp::solver::hyperparameters::Hyperparameters;
use meanfield::models::gp::solver::kernel::{Kernel, KernelKind};
use meanfield::models::gp::solver::laplace::Laplace;
use meanfield::models::gp::solver::site::Site;
use meanfield::models::gp::solver::solution::Solution;
use meanfield::models::gp::solver::training_set::TrainingSet;
use meanfield::models::gp::solver::{mean_field::MeanFieldSolver, theory::MeanFieldTheory};

use super::{Case, Timed, close, timed};

/// As many inputs as the sonar data have.
const INPUTS: usize = 60;
const SIZES: [usize; 4] = [104, 200, 500, 1000];
/// Size from which a check is slow without optimisation.
const SLOW: usize = 500;

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for m in SIZES {
        let slow = |case: Case| case.samples(10).slow(m >= SLOW);
        cases.push(slow(Case::new(format!("gp/TAP, RBF, v = 1, m = {m}"), move || tap(m))));
        cases.push(slow(Case::new(format!("gp/Laplace, RBF, v = 1, m = {m}"), move || laplace(m))));
    }
    for (label, v, kappa) in [("v = .5", 0.5, 0.0), ("κ = .1", 0.0, 0.1)] {
        let name = format!("gp/TAP, 767 examples of 8 inputs, a quarter of the labels flipped, {label}");
        cases.push(Case::new(name, move || flipped(v, kappa)).samples(10).slow(true));
    }
    let kinds = KernelKind::WORDS.iter().filter_map(|(word, _)| KernelKind::from_word(word));
    for kind in kinds {
        cases.push(Case::new(format!("gp/{kind:?} covariances, m = 500"), move || covariance(kind)));
    }
    for m in [104, 500] {
        for (name, which) in [("evidence", 0), ("leave-one-out", 1)] {
            let name = format!("gp/gradient of the {name} by 60 weights, v and κ, m = {m}");
            cases.push(Case::new(name, move || gradient(m, which)).samples(10).slow(m >= SLOW));
        }
    }
    cases.push(Case::new("gp/a row of 104 left out and retrained", retrain));
    cases
}

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

const TAP: MeanFieldSolver =
    MeanFieldSolver { theory: MeanFieldTheory::Tap, tolerance: 1e-6, max_steps: 1000 };

fn solved(set: &TrainingSet, solver: MeanFieldSolver) -> Solution {
    let (state, ending) = solver.solve(set);
    assert_eq!(ending, Ending::Converged);
    state.solution(set, MeanFieldTheory::Tap).unwrap()
}

/// Both equations of the fixed point.
fn assert_fixed_point(set: &TrainingSet, solution: &Solution, tolerance: f64) {
    for i in 0..solution.gamma.len() {
        let (gamma, lambda) = (solution.gamma[i], solution.lambda[i]);
        close(gamma, solution.h[i] - lambda * solution.x[i], tolerance);
        let sigma = set.at(i, i) - solution.factor.quadratic(set.row(i));
        close(1.0 / sigma, 1.0 / lambda + solution.s[i], 10.0 * tolerance);
    }
}

fn tap(m: usize) -> Timed {
    let (rows, tau) = drawn(m);
    let set = TrainingSet::new(&rows, &tau, &rbf(0.5), 1.0, 0.0);
    let solution = solved(&set, TAP);
    assert_fixed_point(&set, &solution, 1e-5);
    close(solution.minus_g, solved(&set, MeanFieldSolver { tolerance: 1e-12, ..TAP }).minus_g, 1e-8);
    timed(move || TAP.solve(black_box(&set)))
}

fn covariance(kind: KernelKind) -> Timed {
    let (rows, tau) = drawn(500);
    let kernel = Kernel::isotropic(kind, INPUTS, 0.5);
    let build = move || TrainingSet::new(black_box(&rows), &tau, &kernel, 0.1, 0.0);
    let set = build();
    let (rows, _) = drawn(500);
    let scaled = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>() / 30.0;
    for (i, j) in [(0, 1), (499, 17), (250, 250)] {
        let (aa, ab, bb) =
            (scaled(&rows[i], &rows[i]), scaled(&rows[i], &rows[j]), scaled(&rows[j], &rows[j]));
        let k = match kind {
            KernelKind::Linear => ab,
            KernelKind::Rbf => (-0.5 * (aa - 2.0 * ab + bb)).exp(),
            KernelKind::Matern52 => {
                let s = (5.0 * (aa - 2.0 * ab + bb)).sqrt();
                (1.0 + s + s * s / 3.0) * (-s).exp()
            }
            KernelKind::Matern32 => {
                let s = (3.0 * (aa - 2.0 * ab + bb)).sqrt();
                (1.0 + s) * (-s).exp()
            }
            KernelKind::Periodic => {
                let chord =
                    |(a, b): (&f64, &f64)| (std::f64::consts::PI * (a - b)).sin() / std::f64::consts::PI;
                let squares = rows[i].iter().zip(&rows[j]).map(chord).map(|chord| chord * chord / 30.0);
                (-0.5 * squares.sum::<f64>()).exp()
            }
            KernelKind::Arcsine => {
                (ab / ((1.0 + aa) * (1.0 + bb)).sqrt()).asin() * std::f64::consts::FRAC_2_PI
            }
        };
        close(set.at(i, j), k + if i == j { 0.1 } else { 0.0 }, 1e-12);
    }
    timed(build)
}

/// Returns the gradient of the evidence or of the leave-one-out likelihood. Its derivative by ln σ² is compared with a difference of solved
/// problems; solving is not timed.
fn gradient(m: usize, which: usize) -> Timed {
    let (rows, tau) = drawn(m);
    let exact = MeanFieldSolver { tolerance: 1e-12, ..TAP };
    let at = |ln_sigma2: f64| {
        let solution = solved(&TrainingSet::new(&rows, &tau, &rbf(ln_sigma2.exp()), 1.0, 0.0), exact);
        [solution.minus_g, solution.ln_loo][which]
    };
    let (centre, h) = (0.5_f64.ln(), 1e-3);
    let difference = (at(centre + h) - at(centre - h)) / (2.0 * h);
    let (set, kernel) = (TrainingSet::new(&rows, &tau, &rbf(0.5), 1.0, 0.0), rbf(0.5));
    let solution = solved(&set, exact);
    let gradient = move || {
        let solution = black_box(&solution);
        if which == 0 {
            HyperGradient::evidence(solution, &set, &rows, &kernel)
        } else {
            HyperGradient::leave_one_out(solution, &set, &rows, &kernel).unwrap()
        }
    };
    close(-gradient().ln_weights.iter().sum::<f64>(), difference, 1e-4);
    timed(gradient)
}

fn retrain() -> Timed {
    let (rows, tau) = drawn(104);
    let setting = Hyperparameters { kernel: rbf(0.5), sigma2: 0.5, v: 1.0, kappa: 0.0 };
    let solve = |mut solving: Solve| {
        assert!(solving.solve().is_solution());
        solving
    };
    let full = |tap| solve(Solve::new(&rows, &tau, setting.clone(), Approach::MeanField(tap)));
    let (full, exact) = (full(TAP), full(MeanFieldSolver { tolerance: 1e-12, ..TAP }).without(7));
    let predict = move |solving: Solve| {
        let others = rows.iter().enumerate().filter(|(i, _)| *i != 7).map(|(_, row)| row);
        solving.predict(&solving.posterior().unwrap(), others, &rows[7])
    };
    let exact = predict(solve(exact));
    let retrained = move || predict(solve(black_box(&full).without(7)));
    let left_out = retrained();
    close(left_out.mean, exact.mean, 1e-5);
    close(left_out.var, exact.var, 1e-5);
    timed(retrained)
}

fn laplace(m: usize) -> Timed {
    let (rows, tau) = drawn(m);
    let set = TrainingSet::new(&rows, &tau, &rbf(0.5), 0.0, 0.0);
    let fit = Laplace::fit(&set, 1.0).unwrap();
    let forces: Vec<f64> = fit.f.iter().zip(&tau).map(|(f, tau)| Site::at(*f, 1.0, *tau, 0.0).x).collect();
    for (f, mode) in fit.f.iter().zip(set.times(&forces)) {
        close(*f, mode, 1e-5);
    }
    timed(move || Laplace::fit(black_box(&set), 1.0))
}

/// Labels that no smooth boundary explains: a quarter of those of a smooth function is flipped.
fn flipped(v: f64, kappa: f64) -> Timed {
    let mut stream = Stream::of(1, 0);
    let rows: Vec<Vec<f64>> = (0..767).map(|_| (0..8).map(|_| stream.normal()).collect()).collect();
    let mut label = |row: &Vec<f64>| {
        let smooth = row[0] + 0.5 * (2.0 * row[1]).sin() < 0.0;
        if smooth == (stream.uniform() < 0.25) { 1.0 } else { -1.0 }
    };
    let tau: Vec<f64> = rows.iter().map(&mut label).collect();
    let set = TrainingSet::new(&rows, &tau, &Kernel::isotropic(KernelKind::Rbf, 8, 0.5), v, kappa);
    let solver = MeanFieldSolver::new(MeanFieldTheory::Tap);
    assert_fixed_point(&set, &solved(&set, solver), 1e-8);
    timed(move || solver.solve(black_box(&set)))
}
