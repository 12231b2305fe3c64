//! Ensemble learning: F with its gradient, the whole first picture, and all fits of a split as large as that of Table 1.

use std::hint::black_box;
use std::rc::Rc;

use meanfield::lab::Link;
use meanfield::math::random::Stream;
use meanfield::math::{Budget, Ending};
use meanfield::models::mlp::solver::examples::ExampleBlocks;
use meanfield::models::mlp::solver::fit::{FitResult, restart};
use meanfield::models::mlp::solver::gaussian::CovarianceForm;
use meanfield::models::mlp::solver::hyperprior::Hyperprior;
use meanfield::models::mlp::solver::network::{NetworkShape, error};
use meanfield::models::mlp::solver::options::{InferenceMethod, Options};
use meanfield::models::mlp::solver::parametrisation::Parametrisation;
use meanfield::models::mlp::solver::precisions::PriorGroups;
use meanfield::models::mlp::solver::problem::RegressionProblem;
use meanfield::models::task;

use super::{Case, Timed, close, snapshot, timed};

/// As large as the paper's Table 1: 13 inputs and a bias.
const SHAPE: NetworkShape = NetworkShape { hidden: 4, inputs: 14 };
const ROWS: usize = 128;
const PRIORS: Hyperprior = Hyperprior::Gamma([0.25, 400.0, 0.05, 2000.0]);
const FORMS: [(&str, CovarianceForm); 3] = [
    ("diagonal", CovarianceForm::Diagonal),
    ("s = 1", CovarianceForm::Factor(1)),
    ("full", CovarianceForm::Full),
];

pub fn cases() -> Vec<Case> {
    let size = "128 rows, H = 4, d = 14";
    let mut cases =
        vec![Case::new(format!("mlp/error and gradient of the weights alone, {size}"), weights_alone)];
    for (name, form) in FORMS {
        cases.push(Case::new(format!("mlp/F and gradient, {name}, {size}"), move || gradient(form)));
    }
    cases.push(Case::new("mlp/figure 1 while a point is dragged", plane).samples(20));
    for (name, form) in FORMS {
        let fit = move || timed(move || fitted(black_box(InferenceMethod::Ensemble(form))));
        cases.push(Case::new(format!("mlp/a split as in Table 1, {name}"), fit).samples(10).slow(true));
    }
    cases.push(Case::new("mlp/a split as in Table 1, all five methods", split).samples(10).slow(true));
    cases
}

/// Returns standardised inputs, and a smooth function of three of them with noise.
fn problem() -> Rc<RegressionProblem> {
    let mut stream = Stream::of(98, 0);
    let (mut rows, mut targets) = (Vec::new(), Vec::new());
    for _ in 0..ROWS {
        let x: Vec<f64> = (1..SHAPE.inputs).map(|_| stream.normal()).collect();
        targets.push((1.5 * x[0]).tanh() + 0.3 * x[1] * x[2] + 0.3 * stream.normal());
        rows.extend(x.into_iter().chain([1.0]));
    }
    let examples = ExampleBlocks::new(&rows, SHAPE.inputs, &targets);
    Rc::new(RegressionProblem { shape: SHAPE, examples, hyper: PRIORS, groups: PriorGroups::Shared })
}

/// Returns random weights, and the stream after them.
fn weights() -> (Vec<f64>, Stream) {
    let mut stream = Stream::of(7, 0);
    let weights = (0..SHAPE.weights()).map(|_| 0.4 * stream.normal()).collect();
    (weights, stream)
}

/// Returns the slope of `at` along a random direction by central differences, and by its gradient.
fn slopes(x: &[f64], gradient: &[f64], stream: &mut Stream, at: impl Fn(&[f64]) -> f64) -> [f64; 2] {
    let direction: Vec<f64> = x.iter().map(|_| stream.normal()).collect();
    let moved = |h: f64| at(&x.iter().zip(&direction).map(|(x, d)| x + h * d).collect::<Vec<f64>>());
    [(moved(1e-5) - moved(-1e-5)) / 2e-5, gradient.iter().zip(&direction).map(|(g, d)| g * d).sum()]
}

/// Returns the network itself, whose weights have no variance.
fn weights_alone() -> Timed {
    let (problem, (weights, mut stream)) = (problem(), weights());
    let (_, gradient) = error(SHAPE, &weights, &problem.examples);
    let at = |weights: &[f64]| error(SHAPE, weights, &problem.examples).0;
    let [differences, slope] = slopes(&weights, &gradient, &mut stream, at);
    close(slope, differences, 1e-6);
    timed(move || error(SHAPE, black_box(&weights), &problem.examples))
}

fn gradient(form: CovarianceForm) -> Timed {
    let (problem, (weights, mut stream)) = (problem(), weights());
    let coordinates = Parametrisation::new(form, vec![0.2; SHAPE.weights()]);
    let theta = coordinates.theta(&weights, || 0.3 * stream.normal());
    let at = move |theta: &[f64]| coordinates.evaluate(theta, &problem, None);
    let [differences, slope] =
        slopes(&theta, &at(&theta).gradient, &mut stream, |theta| at(theta).bound.negative_elbo);
    close(slope, differences, 1e-6);
    timed(move || at(black_box(&theta)))
}

/// Returns the work of each move of a point.
fn plane() -> Timed {
    let link = Link::parse("#/mlp.plane");
    let task = task(&link.task).unwrap();
    let run = move || task.result(&task.check(&link.raw).unwrap(), &[&snapshot(&link)]).unwrap().report();
    for (fit, kl) in run()["fits"].as_array().unwrap().iter().zip([38.5535, 2.1957, 1.5382]) {
        close(fit["kl"].as_f64().unwrap(), kl, 1e-3);
    }
    timed(run)
}

fn fitted(method: InferenceMethod) -> FitResult {
    let options = Options { tolerance: 1e-4, ..Options::new(method) };
    let mut fit = restart(&problem(), options, 0, 1);
    while !fit.step(&mut Budget::slice()) {}
    assert_eq!(fit.ending(), Some(Ending::Converged), "{method:?}");
    fit.result().unwrap().clone()
}

fn split() -> Timed {
    let ensembles = FORMS.map(|(_, form)| InferenceMethod::Ensemble(form));
    let bounds = ensembles.map(|method| fitted(method).bound.negative_elbo);
    // A larger family has the better bound.
    assert!(bounds[2] < bounds[1] && bounds[1] < bounds[0], "{bounds:?}");
    timed(move || {
        [InferenceMethod::Map, InferenceMethod::Laplace].into_iter().chain(ensembles).map(fitted).count()
    })
}
