//! Regression with Gaussian processes: the posterior and a whole fit of the full model and by inducing points, leave-one-out, and the
//! picture of `gp.curve` while a point is dragged.

use std::hint::black_box;
use std::rc::Rc;

use meanfield::data::Store;
use meanfield::lab::{Link, Progress};
use meanfield::math::random::Stream;
use meanfield::math::{Budget, Ending};
use meanfield::models::gp::inducing::Inducing;
use meanfield::models::gp::regression::fit::{EvidenceFit, FitOptions};
use meanfield::models::gp::regression::target::{Examples, TargetPosterior, TargetSolve};
use meanfield::models::gp::regression::{RegressionModel, RegressionPosterior};
use meanfield::models::gp::solver::kernel::{Kernel, KernelKind};
use meanfield::models::task;

use super::{Case, Timed, close, timed};

const INPUTS: usize = 10;
/// Number of rows of the full model from which a check is slow without optimisation.
const SLOW: usize = 500;
/// Numbers of rows and of inducing points.
const SPARSE: [(usize, usize); 2] = [(1_500, 64), (1_500, 256)];

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for m in [200, 500, 1000] {
        let slow = |case: Case| case.samples(10).slow(m >= SLOW);
        cases.push(slow(Case::new(format!("gp/regression, posterior, m = {m}"), move || full(m))));
        cases.push(slow(Case::new(format!("gp/regression, leave-one-out, m = {m}"), move || left_out(m))));
    }
    for (n, points) in SPARSE {
        let name = format!("gp/regression, posterior, {points} inducing points, n = {n}");
        cases.push(Case::new(name, move || sparse(n, points)).samples(10).slow(true));
    }
    for (m, points) in [(200, None), (500, None), (1_500, Some(64))] {
        let by = points.map_or(String::new(), |points| format!("{points} inducing points, "));
        let name = format!("gp/regression, fit from one start, {by}m = {m}");
        cases.push(Case::new(name, move || fit(m, points)).samples(10).slow(m >= SLOW));
    }
    cases.push(Case::new("gp/gp.curve, 200 points, while a point is dragged", curve).samples(20));
    cases
}

/// Returns rows with a smooth target of three inputs and some noise.
fn drawn(n: usize) -> Examples {
    let mut stream = Stream::of(98, 0);
    let rows: Vec<Vec<f64>> = (0..n).map(|_| (0..INPUTS).map(|_| stream.normal()).collect()).collect();
    let target = |x: &Vec<f64>| (1.5 * x[0]).tanh() + 0.3 * x[1] * x[2] + 0.3 * stream.normal();
    let targets = rows.iter().map(target).collect();
    Examples { inputs: Rc::new(rows), targets: Rc::new(targets) }
}

fn model() -> RegressionModel {
    RegressionModel { kernel: Kernel::isotropic(KernelKind::Rbf, INPUTS, 1.0), amplitude: 1.0, noise: 0.3 }
}

/// Returns a² K of [`model`] by its formula.
fn covariance(a: &[f64], b: &[f64]) -> f64 {
    let square: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
    (-0.5 * square / INPUTS as f64).exp()
}

fn posterior(examples: &Examples, inducing: Option<Inducing>) -> TargetPosterior {
    let mut solve = TargetSolve::new(examples.clone(), model(), inducing);
    loop {
        if let std::task::Poll::Ready(posterior) = solve.advance(&mut Budget::new(u64::MAX)) {
            return posterior.unwrap();
        }
    }
}

/// Returns the means of f at the examples.
fn means(posterior: &TargetPosterior, examples: &Examples) -> Vec<f64> {
    posterior.means(examples.inputs.iter().map(Vec::as_slice))
}

/// The means of f at the examples are K α with C α = t, so that α = (t − mean)/s².
fn full(m: usize) -> Timed {
    let examples = drawn(m);
    let means = means(&posterior(&examples, None), &examples);
    let alpha: Vec<f64> = examples.targets.iter().zip(&means).map(|(t, mean)| (t - mean) / 0.09).collect();
    for i in [0, m / 2, m - 1] {
        let row = examples.inputs.iter().map(|x| covariance(x, &examples.inputs[i]));
        close(row.zip(&alpha).map(|(k, alpha)| k * alpha).sum(), means[i], 1e-9);
    }
    timed(move || posterior(black_box(&examples), None))
}

fn left_out(m: usize) -> Timed {
    let Examples { inputs, targets } = drawn(m);
    let posterior = RegressionPosterior::new(inputs.to_vec(), targets.to_vec(), model()).unwrap();
    let closed = posterior.leave_one_out();
    for i in [0, m - 1] {
        let retrained = posterior.retrained_without(i).unwrap();
        close(closed[i].mean, retrained.mean, 1e-9);
        close(closed[i].var, retrained.var, 1e-9);
    }
    timed(move || black_box(&posterior).leave_one_out())
}

/// The bound is below the evidence, and a point at every row closes the gap.
fn sparse(n: usize, points: usize) -> Timed {
    let examples = drawn(n);
    let by = |count| Some(Inducing { count, seed: 1 });
    let bound = posterior(&examples, by(points)).ln_evidence();
    assert!(bound < posterior(&examples, None).ln_evidence());
    let few = drawn(150);
    close(posterior(&few, by(150)).ln_evidence(), posterior(&few, None).ln_evidence(), 1e-6);
    timed(move || posterior(black_box(&examples), by(points)))
}

/// The search ends at the largest value that it has seen, near the noise of the targets.
fn fit(m: usize, points: Option<usize>) -> Timed {
    let examples = drawn(m);
    let inducing = points.map(|count| Inducing { count, seed: 1 });
    let search = move || {
        let options =
            FitOptions { starts: 0..1, tolerance: 1e-4 * m as f64, inducing, ..FitOptions::default() };
        let (rows, targets) = (Rc::clone(&examples.inputs), Rc::clone(&examples.targets));
        let mut fit = EvidenceFit::new(rows, targets, model(), options);
        while !fit.advance(&mut Budget::new(u64::MAX)) {}
        fit
    };
    let found = search();
    assert_eq!(found.ending(), Some(Ending::Converged));
    let best = found.best().unwrap();
    assert!(found.trace().iter().all(|value| *value <= best.ln_evidence));
    assert!(best.ln_evidence > found.trace()[0]);
    // With few inducing points, the fit attributes part of the function to noise.
    assert!((0.2..0.45).contains(&best.model.noise), "{}", best.model.noise);
    timed(search)
}

/// Returns the work of each move of a point: the live companion of `gp.curve`, its figures included.
fn curve() -> Timed {
    let link = Link::parse("#/gp.bands?examples=200");
    let task = task(&link.task).unwrap();
    let values = task.check(&link.raw).unwrap();
    let snapshot = move || {
        let mut run = task.start(&values, 0..1, &Store::default(), &[]).unwrap();
        while run.advance() != Progress::Done {}
        task.result(&values, &[&run.snapshot()]).unwrap()
    };
    let report = snapshot().report();
    let rows = report["leave_one_out"]["rows"].as_array().unwrap();
    let column = |key: &str| rows.iter().map(|row| row[key].as_f64().unwrap()).collect::<Vec<f64>>();
    let (inputs, targets) = (column("x"), column("t"));
    let [sigma2, amplitude, noise, ln_evidence] =
        ["sigma2", "amplitude", "noise", "ln_evidence"].map(|key| report[key].as_f64().unwrap());
    // The chain rule: each target given those before it.
    let kernel = Kernel::isotropic(KernelKind::Rbf, 1, sigma2);
    let given = |count: usize| {
        let model = RegressionModel { kernel: kernel.clone(), amplitude, noise };
        let rows = inputs[..count].iter().map(|x| vec![*x]).collect();
        RegressionPosterior::new(rows, targets[..count].to_vec(), model).unwrap()
    };
    let next = |i: usize| {
        let mut normal = given(i).predict(&[inputs[i]]);
        normal.var += noise * noise;
        normal.ln_density(targets[i])
    };
    close(ln_evidence, (0..inputs.len()).map(next).sum(), 1e-9);
    timed(move || snapshot().figures())
}
