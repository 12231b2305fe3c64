//! Tests against TAP and against dense expectation propagation under the approximate prior.

use std::rc::Rc;

use super::sites::StartSites;
use super::solve::PropagationSolve;
use super::*;
use crate::gp::inducing::choice::PointChoice;
use crate::gp::inducing::{Inducing, Prior};
use crate::gp::solver::approximation::{Approach, Solve};
use crate::gp::solver::kernel::KernelKind;
use crate::gp::solver::mean_field::MeanFieldSolver;
use crate::gp::solver::site::Site;
use crate::gp::solver::theory::MeanFieldTheory;
use crate::math::random::{Purpose, Stream};
use crate::math::{Budget, Ending};

fn data(n: usize) -> (Vec<Vec<f64>>, Vec<f64>) {
    let mut stream = Stream::for_purpose(6, Purpose::Test(4), 0);
    let rows: Vec<Vec<f64>> = (0..n).map(|_| vec![stream.normal(), stream.normal()]).collect();
    let tau = rows.iter().map(|x| (libm::sin(2.0 * x[0]) + x[1] + 0.5 * stream.normal()).signum());
    let tau = tau.collect();
    (rows, tau)
}

fn solved(
    rows: &[Vec<f64>],
    tau: &[f64],
    hyper: &Hyperparameters,
    count: usize,
    work: u64,
) -> PropagationSolve {
    let (rows, tau) = (Rc::new(rows.to_vec()), Rc::new(tau.to_vec()));
    let inducing = Inducing { count, seed: 3 };
    let mut solve = PropagationSolve::new(rows, tau, hyper.clone(), inducing).with_tolerance(1e-11);
    while solve.advance(&mut Budget::new(work)).is_none() {}
    solve
}

fn near(ours: f64, exact: f64, tolerance: f64) {
    assert!((ours - exact).abs() <= tolerance * (1.0 + exact.abs()), "{ours} instead of {exact}");
}

#[test]
fn with_a_point_at_every_row_it_is_tap() {
    let (rows, tau) = data(40);
    for (kind, kappa) in [(KernelKind::Rbf, 0.0), (KernelKind::Matern32, 0.0), (KernelKind::Rbf, 0.02)] {
        let hyper = Hyperparameters::isotropic(kind, 2, 0.4, 0.3, kappa);
        let tap = Approach::MeanField(MeanFieldSolver::new(MeanFieldTheory::Tap));
        let mut full = Solve::new(&rows, &tau, hyper.clone(), tap);
        assert!(full.solve().is_solution());
        let exact = full.posterior().unwrap();
        let mut solve = solved(&rows, &tau, &hyper, 40, u64::MAX);
        assert_eq!(solve.ending(), Some(Ending::Converged), "{:?}", solve.effort());
        let ours = solve.take_posterior().unwrap();
        assert_eq!(ours.points(), 40);
        near(ours.ln_evidence, exact.minus_g, 1e-8);
        near(ours.rows.ln_loo, exact.ln_loo, 1e-7);
        for i in 0..40 {
            near(ours.rows.gamma[i], exact.gamma[i], 1e-7);
            near(ours.rows.lambda[i], exact.lambda[i], 1e-7);
            near(ours.rows.x[i], exact.x[i], 1e-7);
            near(ours.rows.h[i], exact.h[i], 1e-7);
            near(ours.rows.left_out[i].p, exact.left_out[i].p, 1e-8);
        }
        for at in [vec![0.2, 0.3], vec![-2.0, 1.0]] {
            let found = ours.predict_block(&[&at])[0];
            let expected = full.predict(&exact, rows.iter(), &at);
            near(found.mean, expected.mean, 1e-7);
            near(found.var, expected.var, 1e-7);
            near(found.p, expected.p, 1e-8);
        }
    }
}

/// Dense expectation propagation with n×n matrices, one site after the other, for the prior Q + diag(K − Q + v) of the noisy fields.
#[test]
fn few_points_agree_with_dense_propagation_under_the_approximate_prior() {
    let (rows, tau) = data(24);
    let n = rows.len();
    let hyper = Hyperparameters::isotropic(KernelKind::Rbf, 2, 0.5, 0.2, 0.0);
    let ours = solved(&rows, &tau, &hyper, 5, u64::MAX).take_posterior().unwrap();
    let prior = Prior { kernel: hyper.kernel.clone(), variance: 1.0 };
    let mut choice = PointChoice::new(prior, &rows, Inducing { count: 5, seed: 3 });
    let std::task::Poll::Ready(points) = choice.advance(&mut Budget::new(u64::MAX)) else { panic!() };
    let k = |a: &[f64], b: &[f64]| hyper.kernel.covariance(a, b);
    let factor = Cholesky::new(5, |i, j| k(&points[i], &points[j])).unwrap();
    let white = |x: &[f64]| {
        let mut u: Vec<f64> = points.iter().map(|z| k(z, x)).collect();
        factor.solve_lower(&mut u);
        u
    };
    let q = |a: &[f64], b: &[f64]| white(a).iter().zip(white(b)).map(|(a, b)| a * b).sum::<f64>();
    let c = |i: usize, j: usize| if i == j { k(&rows[i], &rows[i]) + hyper.v } else { q(&rows[i], &rows[j]) };
    let prior: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| c(i, j)).collect()).collect();
    let (mut sigma, mut mean) = (prior.clone(), vec![0.0; n]);
    let (mut precision, mut weighted_mean) = (vec![0.0; n], vec![0.0; n]);
    for _ in 0..60 {
        for i in 0..n {
            let left = 1.0 - precision[i] * sigma[i][i];
            let (gamma, lambda) = ((mean[i] - weighted_mean[i] * sigma[i][i]) / left, sigma[i][i] / left);
            let site = Site::at(gamma, lambda, tau[i], 0.0);
            let step =
                (site.s - precision[i], site.x + site.s * (gamma + lambda * site.x) - weighted_mean[i]);
            precision[i] += step.0;
            weighted_mean[i] += step.1;
            // Rank-one update of Σ and Σ ν.
            let column: Vec<f64> = (0..n).map(|j| sigma[j][i]).collect();
            let scale = step.0 / (1.0 + step.0 * sigma[i][i]);
            for a in 0..n {
                for b in 0..n {
                    sigma[a][b] -= scale * column[a] * column[b];
                }
            }
            mean = (0..n).map(|a| (0..n).map(|b| sigma[a][b] * weighted_mean[b]).sum()).collect();
        }
    }
    for i in 0..n {
        let left = 1.0 - precision[i] * sigma[i][i];
        near(ours.rows.gamma[i], (mean[i] - weighted_mean[i] * sigma[i][i]) / left, 1e-7);
        near(ours.rows.lambda[i], sigma[i][i] / left, 1e-7);
    }
    // A new input depends on the rows through Q: mean q ᵀ C⁻¹ h.
    let full = Cholesky::new(n, |i, j| prior[i][j]).unwrap();
    let at = [0.4, -0.6];
    let mut alpha = mean.clone();
    full.solve(&mut alpha);
    let expected: f64 = (0..n).map(|i| q(&rows[i], &at) * alpha[i]).sum();
    near(ours.predict_block(&[&at])[0].mean, expected, 1e-6);
}

#[test]
fn pauses_do_not_change_any_bit_and_more_points_come_closer_to_tap() {
    let (rows, tau) = data(90);
    let hyper = Hyperparameters::isotropic(KernelKind::Rbf, 2, 0.4, 0.3, 0.0);
    let whole = solved(&rows, &tau, &hyper, 7, u64::MAX).take_posterior().unwrap();
    let paused = solved(&rows, &tau, &hyper, 7, 1).take_posterior().unwrap();
    assert_eq!((whole.rows, whole.ln_evidence), (paused.rows, paused.ln_evidence));
    let full = solved(&rows, &tau, &hyper, 90, u64::MAX).take_posterior().unwrap();
    let off = |count: usize| {
        let ours = solved(&rows, &tau, &hyper, count, u64::MAX).take_posterior().unwrap();
        let pairs = ours.rows.left_out.iter().zip(&full.rows.left_out);
        pairs.map(|(a, b)| (a.p - b.p).abs()).sum::<f64>() / 90.0
    };
    let differences = [3, 10, 30].map(off);
    assert!(
        differences[0] > 2.0 * differences[1] && differences[1] > 2.0 * differences[2],
        "{differences:?}"
    );
}

#[test]
fn many_rows_converge_in_few_sweeps() {
    let (rows, tau) = data(3_000);
    let hyper = Hyperparameters::isotropic(KernelKind::Rbf, 2, 0.4, 0.0, 0.0);
    let (rows, tau) = (Rc::new(rows), Rc::new(tau));
    let mut solve = PropagationSolve::new(
        rows,
        tau,
        Hyperparameters { v: 0.1, ..hyper },
        Inducing { count: 40, seed: 1 },
    );
    while solve.advance(&mut Budget::new(u64::MAX)).is_none() {}
    assert_eq!(solve.ending(), Some(Ending::Converged));
    assert!(solve.effort().outer_iterations < 25, "{:?}", solve.effort());
}

/// Sites of few points are close to those of more.
#[test]
fn a_solve_that_begins_at_the_sites_of_few_points_takes_fewer_sweeps_to_the_same_solution() {
    let (rows, tau) = data(120);
    for kappa in [0.0, 0.02] {
        let hyper = Hyperparameters::isotropic(KernelKind::Rbf, 2, 0.4, 0.3, kappa);
        let sites = solved(&rows, &tau, &hyper, 15, u64::MAX).sites();
        let finish = |start: Option<StartSites>, work: u64| {
            let (rows, tau) = (Rc::new(rows.clone()), Rc::new(tau.clone()));
            let solve = PropagationSolve::new(rows, tau, hyper.clone(), Inducing { count: 40, seed: 3 });
            let mut solve = solve.with_tolerance(1e-8);
            if let Some(start) = start {
                solve = solve.beginning_at(start);
            }
            while solve.advance(&mut Budget::new(work)).is_none() {}
            let sweeps = solve.effort().outer_iterations;
            (sweeps, solve.take_posterior().unwrap())
        };
        let (plain, exact) = finish(None, u64::MAX);
        let (sweeps, ours) = finish(Some(sites.clone()), u64::MAX);
        assert!(sweeps < plain, "{sweeps} and {plain} sweeps");
        near(ours.ln_evidence, exact.ln_evidence, 1e-6);
        ours.rows.gamma.iter().zip(&exact.rows.gamma).for_each(|(a, b)| near(*a, *b, 1e-5));
        assert_eq!(finish(Some(sites), 1).1.rows, ours.rows, "pauses change no bit");
    }
}

/// Sites that are impossible with these points are dropped.
#[test]
fn a_solve_that_begins_at_impossible_sites_begins_again_without_any() {
    let (rows, tau) = data(40);
    let hyper = Hyperparameters::isotropic(KernelKind::Rbf, 2, 0.4, 0.3, 0.0);
    let new = || {
        let (rows, tau) = (Rc::new(rows.clone()), Rc::new(tau.clone()));
        PropagationSolve::new(rows, tau, hyper.clone(), Inducing { count: 10, seed: 3 })
    };
    let finish = |mut solve: PropagationSolve| {
        while solve.advance(&mut Budget::new(u64::MAX)).is_none() {}
        solve.take_posterior().unwrap().rows
    };
    let start = StartSites { precision: vec![-9.0; 40], weighted_mean: vec![0.0; 40] };
    assert_eq!(finish(new().beginning_at(start)), finish(new()));
}
