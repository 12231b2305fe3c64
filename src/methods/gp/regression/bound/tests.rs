//! Tests against the full model, explicit matrices, finite differences and retraining.

use std::rc::Rc;
use std::task::Poll;

use nalgebra::{DMatrix, DVector};

use super::gradient::GradientSolve;
use super::leave_out::BoundLeaveOut;
use super::solve::{BoundSolve, prior};
use super::*;
use crate::gp::inducing::Inducing;
use crate::gp::inducing::choice::PointChoice;
use crate::gp::regression::RegressionPosterior;
use crate::gp::solver::kernel::{Kernel, KernelKind};
use crate::math::Budget;
use crate::math::random::{Purpose, Stream};

fn data(n: usize) -> (Rc<Vec<Vec<f64>>>, Rc<Vec<f64>>) {
    let mut stream = Stream::for_purpose(5, Purpose::Test(3), 0);
    let rows: Vec<Vec<f64>> = (0..n).map(|_| vec![2.0 * stream.normal(), stream.normal()]).collect();
    let targets = rows.iter().map(|x| libm::sin(x[0]) + 0.5 * x[1] + 0.3 * stream.normal()).collect();
    (Rc::new(rows), Rc::new(targets))
}

fn model(kind: KernelKind) -> RegressionModel {
    let kernel = Kernel { weights: vec![1.7, 0.6], ..Kernel::isotropic(kind, 2, 1.0).with_period(3.0) };
    RegressionModel { kernel, amplitude: 1.3, noise: 0.6 }
}

fn choose(model: &RegressionModel, rows: &[Vec<f64>], count: usize) -> Rc<Vec<Vec<f64>>> {
    let mut choice = PointChoice::new(prior(model), rows, Inducing { count, seed: 1 });
    loop {
        if let Poll::Ready(points) = choice.advance(&mut Budget::new(1)) {
            return points;
        }
    }
}

fn solved(
    (rows, targets): &(Rc<Vec<Vec<f64>>>, Rc<Vec<f64>>),
    model: &RegressionModel,
    points: &Rc<Vec<Vec<f64>>>,
    work: u64,
) -> BoundPosterior {
    let mut solve = BoundSolve::new(Rc::clone(rows), Rc::clone(targets), model.clone(), Rc::clone(points));
    loop {
        if let Poll::Ready(posterior) = solve.advance(&mut Budget::new(work)) {
            return posterior.unwrap();
        }
    }
}

fn near(ours: f64, exact: f64, tolerance: f64) {
    assert!((ours - exact).abs() <= tolerance * (1.0 + exact.abs()), "{ours} instead of {exact}");
}

#[test]
fn with_a_point_at_every_row_it_is_the_full_model() {
    let (rows, targets) = data(45);
    for kind in [KernelKind::Rbf, KernelKind::Matern32, KernelKind::Arcsine] {
        let model = model(kind);
        let full = RegressionPosterior::new(rows.to_vec(), targets.to_vec(), model.clone()).unwrap();
        let points = choose(&model, &rows, 45);
        let ours = solved(&(Rc::clone(&rows), Rc::clone(&targets)), &model, &points, u64::MAX);
        near(ours.bound(), full.ln_evidence(), 1e-8);
        let queries = [[0.3, -0.4], [3.0, 1.0], [-1.0, 0.0]];
        let inputs: Vec<&[f64]> = queries.iter().map(|x| &x[..]).collect();
        let means = ours.means(inputs.iter().copied());
        for ((at, found), mean) in inputs.iter().zip(ours.predict_block(&inputs)).zip(means) {
            let exact = full.predict(at);
            near(found.mean, exact.mean, 1e-8);
            near(found.var, exact.var, 1e-8);
            near(mean, exact.mean, 1e-7);
        }
        let (average, exact) = (ours.average(&inputs), full.average(&inputs));
        near(average.mean, exact.mean, 1e-8);
        near(average.var, exact.var, 1e-8);
        let left_out = BoundLeaveOut::default().advance(&ours, &rows, &targets, &mut Budget::new(u64::MAX));
        for (found, exact) in left_out.unwrap().iter().zip(full.leave_one_out()) {
            near(found.mean, exact.mean, 1e-8);
            near(found.var, exact.var, 1e-8);
        }
    }
}

/// Returns the solution x of A x = b and ln |det A|, by an LU decomposition.
fn solve_dense(a: &[Vec<f64>], b: Vec<f64>) -> (Vec<f64>, f64) {
    let n = b.len();
    let lu = DMatrix::from_fn(n, n, |i, j| a[i][j]).lu();
    let solution = lu.solve(&DVector::from_vec(b)).unwrap();
    (solution.as_slice().to_vec(), lu.determinant().abs().ln())
}

/// T09 eqs. (6) and (9) with explicit matrices.
#[test]
fn bound_and_predictions_agree_with_explicit_matrices() {
    let (rows, targets) = data(30);
    let model = model(KernelKind::Rbf);
    let points = choose(&model, &rows, 6);
    let ours = solved(&(Rc::clone(&rows), Rc::clone(&targets)), &model, &points, u64::MAX);
    let noise = model.noise_variance();
    let k = |a: &[f64], b: &[f64]| model.covariance(a, b);
    let zz: Vec<Vec<f64>> = points.iter().map(|a| points.iter().map(|b| k(a, b)).collect()).collect();
    let u = |x: &[f64]| points.iter().map(|z| k(z, x)).collect::<Vec<f64>>();
    let q = |a: &[f64], b: &[f64]| dot(&u(a), &solve_dense(&zz, u(b)).0);
    let c: Vec<Vec<f64>> = (0..30)
        .map(|i| (0..30).map(|j| q(&rows[i], &rows[j]) + if i == j { noise } else { 0.0 }).collect())
        .collect();
    let (alpha, ln_det) = solve_dense(&c, targets.to_vec());
    let trace: f64 = rows.iter().map(|x| k(x, x) - q(x, x)).sum();
    let expected =
        -0.5 * (dot(&targets, &alpha) + ln_det + 30.0 * std::f64::consts::TAU.ln() + trace / noise);
    near(ours.bound(), expected, 1e-8);
    near(ours.unexplained(), trace / rows.iter().map(|x| k(x, x)).sum::<f64>(), 1e-7);
    let mut sigma = zz.clone();
    let mut moment = vec![0.0; points.len()];
    for (x, t) in rows.iter().zip(targets.iter()) {
        let u = u(x);
        for i in 0..u.len() {
            moment[i] += u[i] * t / noise;
            for j in 0..u.len() {
                sigma[i][j] += u[i] * u[j] / noise;
            }
        }
    }
    for at in [[0.2, 0.1], [4.0, -2.0]] {
        let u = u(&at);
        let mean = dot(&u, &solve_dense(&sigma, moment.clone()).0);
        let var = k(&at, &at) - q(&at, &at) + dot(&u, &solve_dense(&sigma, u.clone()).0);
        let found = ours.predict_block(&[&at])[0];
        near(found.mean, mean, 1e-8);
        near(found.var, var, 1e-8);
    }
}

#[test]
fn the_bound_is_below_the_evidence_and_grows_with_nested_points() {
    let (rows, targets) = data(60);
    let model = model(KernelKind::Matern52);
    let full = RegressionPosterior::new(rows.to_vec(), targets.to_vec(), model.clone()).unwrap();
    let mut last = f64::NEG_INFINITY;
    for count in [1, 4, 10, 25, 60] {
        // A choice begins with the points of every smaller one.
        let points = choose(&model, &rows, count);
        assert_eq!(points.len(), count);
        let bound = solved(&(Rc::clone(&rows), Rc::clone(&targets)), &model, &points, u64::MAX).bound();
        assert!(bound > last + 1e-3 && bound <= full.ln_evidence() + 1e-6, "{count}: {bound} after {last}");
        last = bound;
    }
}

#[test]
fn leave_one_out_is_retraining_with_the_same_points() {
    let (rows, targets) = data(40);
    let model = model(KernelKind::Rbf);
    let points = choose(&model, &rows, 9);
    let ours = solved(&(Rc::clone(&rows), Rc::clone(&targets)), &model, &points, u64::MAX);
    let mut left_out = BoundLeaveOut::default();
    let found = loop {
        if let Some(found) = left_out.advance(&ours, &rows, &targets, &mut Budget::new(1)) {
            break found;
        }
    };
    for i in [0, 13, 39] {
        let without = |all: &[f64]| -> Vec<f64> {
            all.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, t)| *t).collect()
        };
        let others: Vec<Vec<f64>> =
            rows.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, row)| row.clone()).collect();
        let others = (Rc::new(others), Rc::new(without(&targets)));
        let retrained = solved(&others, &model, &points, u64::MAX).predict_block(&[&rows[i]])[0];
        near(found[i].mean, retrained.mean, 1e-9);
        near(found[i].var, retrained.var + model.noise_variance(), 1e-9);
    }
}

#[test]
fn gradients_match_finite_differences_and_pauses_change_no_bit() {
    let data = data(37);
    for kind in [KernelKind::Rbf, KernelKind::Matern32, KernelKind::Periodic, KernelKind::Arcsine] {
        let model = model(kind);
        let points = choose(&model, &data.0, 9);
        let value = |change: &dyn Fn(&mut RegressionModel, f64), step: f64| {
            let mut changed = model.clone();
            change(&mut changed, libm::exp(step));
            solved(&data, &changed, &points, u64::MAX).bound()
        };
        let numeric =
            |change: &dyn Fn(&mut RegressionModel, f64)| (value(change, 1e-4) - value(change, -1e-4)) / 2e-4;
        let gradient = |work: u64| {
            let (rows, targets) = (Rc::clone(&data.0), Rc::clone(&data.1));
            let mut solve = GradientSolve::new(rows, targets, model.clone(), Rc::clone(&points));
            loop {
                if let Poll::Ready(found) = solve.advance(&mut Budget::new(work)) {
                    let found = found.unwrap();
                    return (found.value, found.gradient);
                }
            }
        };
        let (value, ours) = gradient(u64::MAX);
        assert_eq!((value, ours.clone()), gradient(1));
        assert_eq!(value, solved(&data, &model, &points, 1).bound());
        near(ours.ln_amplitude, numeric(&|model, factor| model.amplitude *= factor), 1e-5);
        near(ours.ln_noise, numeric(&|model, factor| model.noise *= factor), 1e-5);
        for input in 0..2 {
            let exact = numeric(&|model, factor| model.kernel.weights[input] *= factor);
            near(ours.ln_weights[input], exact, 1e-5);
        }
    }
}
