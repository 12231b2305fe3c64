//! Ensemble learning: F with its gradient, the whole first picture, and all fits of a split as large as that of Table 1. Each bench
//! checks its answer before it is timed.
#![allow(clippy::disallowed_methods, reason = "a bench checks its answer to within a tolerance")]

use std::hint::black_box;
use std::rc::Rc;

use criterion::{Criterion, criterion_group, criterion_main};
use meanfield::data::Store;
use meanfield::lab::{Progress, Raw};
use meanfield::math::random::Stream;
use meanfield::math::{Budget, Ending};
use meanfield::models::mlp::solver::examples::ExampleBlocks;
use meanfield::models::mlp::solver::fit::{FitResult, restart};
use meanfield::models::mlp::solver::hyperprior::Hyperprior;
use meanfield::models::mlp::solver::network::{NetworkShape, error};
use meanfield::models::mlp::solver::options::{InferenceMethod, Options};
use meanfield::models::mlp::solver::parametrisation::{CovarianceForm, Parametrisation};
use meanfield::models::mlp::solver::problem::RegressionProblem;
use meanfield::models::task;

/// As large as the paper's Table 1: 13 inputs and a bias.
const SHAPE: NetworkShape = NetworkShape { hidden: 4, inputs: 14 };
const ROWS: usize = 128;
const PRIORS: Hyperprior = Hyperprior::Gamma([0.25, 400.0, 0.05, 2000.0]);

/// Standardised inputs, and a smooth function of three of them with noise.
fn problem() -> Rc<RegressionProblem> {
    let mut stream = Stream::of(98, 0);
    let (mut rows, mut targets) = (Vec::new(), Vec::new());
    for _ in 0..ROWS {
        let x: Vec<f64> = (1..SHAPE.inputs).map(|_| stream.normal()).collect();
        targets.push((1.5 * x[0]).tanh() + 0.3 * x[1] * x[2] + 0.3 * stream.normal());
        rows.extend(x.into_iter().chain([1.0]));
    }
    let examples = ExampleBlocks::new(&rows, SHAPE.inputs, &targets);
    Rc::new(RegressionProblem { shape: SHAPE, examples, hyper: PRIORS })
}

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{a} instead of {b}");
}

/// Beside it the network itself, whose weights have no variance.
fn gradients(c: &mut Criterion) {
    let mut group = c.benchmark_group("mlp/F and gradient, 128 rows, H = 4, d = 14");
    let problem = problem();
    let mut stream = Stream::of(7, 0);
    let weights: Vec<f64> = (0..SHAPE.weights()).map(|_| 0.4 * stream.normal()).collect();
    group.bench_function("weights alone", |b| {
        b.iter(|| error(SHAPE, black_box(&weights), &problem.examples));
    });
    for (name, form) in [
        ("diagonal", CovarianceForm::Diagonal),
        ("s = 1", CovarianceForm::Factor(1)),
        ("full", CovarianceForm::Full),
    ] {
        let coordinates = Parametrisation::new(form, vec![0.2; SHAPE.weights()]);
        let theta = coordinates.theta(&weights, || 0.3 * stream.normal());
        let at = |theta: &[f64]| coordinates.evaluate(theta, SHAPE, &problem.examples, PRIORS);
        // Along a random direction the gradient is that of differences.
        let direction: Vec<f64> = theta.iter().map(|_| stream.normal()).collect();
        let moved = |h: f64| -> f64 {
            let theta: Vec<f64> = theta.iter().zip(&direction).map(|(x, d)| x + h * d).collect();
            at(&theta).bound.negative_elbo
        };
        let slope: f64 = at(&theta).gradient.iter().zip(&direction).map(|(g, d)| g * d).sum();
        close(slope, (moved(1e-5) - moved(-1e-5)) / 2e-5, 1e-6);
        group.bench_function(name, |b| b.iter(|| at(black_box(&theta))));
    }
}

/// What is computed anew at each move of a point.
fn plane(c: &mut Criterion) {
    let run = || {
        let task = task("mlp.plane").unwrap();
        let values = task.check(&Raw::new()).unwrap();
        let units = task.plan(&values, None).units();
        let mut run =
            task.start(&task.check(&Raw::new()).unwrap(), 0..units, &Store::default(), &[]).unwrap();
        while run.advance() != Progress::Done {}
        task.result(&values, &[&run.snapshot()]).unwrap().report()
    };
    let report = run();
    for (fit, kl) in report["fits"].as_array().unwrap().iter().zip([38.5535, 2.1957, 1.5382]) {
        close(fit["kl"].as_f64().unwrap(), kl, 1e-3);
    }
    c.benchmark_group("mlp")
        .sample_size(20)
        .bench_function("figure 1 while a point is dragged", |b| b.iter(run));
}

fn split(c: &mut Criterion) {
    let problem = problem();
    let fitted = |method| -> FitResult {
        let options = Options { tolerance: 1e-4, ..Options::new(method) };
        let mut fit = restart(&problem, options, 0, 1);
        while !fit.step(&mut Budget::slice()) {}
        assert_eq!(fit.ending(), Some(Ending::Converged), "{method:?}");
        fit.result().unwrap().clone()
    };
    let ensembles = [CovarianceForm::Diagonal, CovarianceForm::Factor(1), CovarianceForm::Full]
        .map(InferenceMethod::Ensemble);
    let bounds = ensembles.map(|method| fitted(method).bound.negative_elbo);
    // A larger family has the better bound.
    assert!(bounds[2] < bounds[1] && bounds[1] < bounds[0], "{bounds:?}");
    let mut group = c.benchmark_group("mlp/a split as of Table 1");
    group.sample_size(10);
    for (name, method) in ["diagonal", "s = 1", "full"].into_iter().zip(ensembles) {
        group.bench_function(name, |b| b.iter(|| fitted(black_box(method))));
    }
    let all =
        || [InferenceMethod::Map, InferenceMethod::Laplace].into_iter().chain(ensembles).map(fitted).count();
    group.bench_function("all five methods", |b| b.iter(all));
}

criterion_group!(benches, gradients, plane, split);
criterion_main!(benches);
