//! A prior precision for each input: its updates against finite differences, and inputs without information.

use std::rc::Rc;

use meanfield::math::Budget;
use meanfield::math::random::Stream;
use meanfield::models::mlp::solver::examples::ExampleBlocks;
use meanfield::models::mlp::solver::fit::{FitResult, restart};
use meanfield::models::mlp::solver::gaussian::CovarianceForm;
use meanfield::models::mlp::solver::hyperprior::Hyperprior;
use meanfield::models::mlp::solver::network::NetworkShape;
use meanfield::models::mlp::solver::options::{InferenceMethod, Options, Scheme};
use meanfield::models::mlp::solver::precisions::{Precisions, PriorGroups};
use meanfield::models::mlp::solver::problem::RegressionProblem;

use crate::common::assert::near;

const PARAMETERS: [f64; 4] = [0.25, 400.0, 0.05, 2000.0];
const SHAPE: NetworkShape = NetworkShape { hidden: 3, inputs: 5 };
/// Step in the logarithm of a precision.
const STEP: f64 = 1e-4;
/// Largest absolute error of central differences with this step, in nats.
const DIFFERENCES: f64 = 1e-5;

/// Returns examples whose target depends on the first two of four inputs; the fifth is the bias.
fn problem(groups: PriorGroups) -> Rc<RegressionProblem> {
    let mut stream = Stream::of(36, 0);
    let (mut rows, mut targets) = (Vec::new(), Vec::new());
    for _ in 0..120 {
        let x: Vec<f64> = (0..4).map(|_| stream.normal()).collect();
        targets.push(libm::tanh(1.5 * x[0]) - 0.4 * x[1] + 0.2 * stream.normal());
        rows.extend(x.into_iter().chain([1.0]));
    }
    let examples = ExampleBlocks::new(&rows, SHAPE.inputs, &targets);
    Rc::new(RegressionProblem { shape: SHAPE, examples, hyper: Hyperprior::Gamma(PARAMETERS), groups })
}

fn fitted(problem: &Rc<RegressionProblem>, options: Options) -> FitResult {
    let mut fit = restart(problem, options, 0, 1);
    while !fit.step(&mut Budget::slice()) {}
    assert!(fit.ending().unwrap().is_solution(), "{:?}", fit.ending());
    fit.result().unwrap().clone()
}

/// Returns the derivative of `value` by the logarithm of each precision: the α of each group, then β.
fn slopes(at: &Precisions, value: impl Fn(&Precisions) -> f64) -> Vec<f64> {
    let moved = |which: usize, by: f64| {
        let mut moved = at.clone();
        let precision = if which < at.alphas.len() { &mut moved.alphas[which] } else { &mut moved.beta };
        *precision *= libm::exp(by);
        value(&moved)
    };
    (0..=at.alphas.len()).map(|g| (moved(g, STEP) - moved(g, -STEP)) / (2.0 * STEP)).collect()
}

/// Under Gamma priors, the means of R(α) and S(β) maximise the bound at given precisions plus their log prior density by ln α and ln β.
#[test]
fn the_bound_is_stationary_in_every_precision() {
    let problem = problem(PriorGroups::PerInput);
    let [a, b, c, d] = PARAMETERS;
    let (k, n) = (SHAPE.weights(), problem.examples.count());
    for (form, scheme) in [
        (CovarianceForm::Diagonal, Scheme::Collapsed),
        (CovarianceForm::Full, Scheme::Collapsed),
        (CovarianceForm::Diagonal, Scheme::Alternating),
    ] {
        let options = Options { scheme, tolerance: 1e-4, ..Options::new(InferenceMethod::Ensemble(form)) };
        let found = fitted(&problem, options);
        let squares = problem.group_squares(|i| found.q.square(i));
        // ln|C| does not depend on the precisions.
        let density = |of: &Precisions| {
            let prior: f64 = of.alphas.iter().map(|alpha| a * libm::log(*alpha) - alpha / b).sum();
            let noise = c * libm::log(of.beta) - of.beta / d;
            prior + noise - of.bound(k, n, found.mean_error, &squares, 0.0).negative_elbo
        };
        let at = &found.bound.precisions;
        assert_eq!(at.alphas.len(), SHAPE.inputs + 1);
        for (which, slope) in slopes(at, density).into_iter().enumerate() {
            near(slope, 0.0, DIFFERENCES, &format!("{form:?} {scheme:?} {which}"));
        }
    }
}

#[test]
fn inputs_without_information_get_large_precisions() {
    for form in [CovarianceForm::Diagonal, CovarianceForm::Full] {
        let options = Options { tolerance: 1e-4, ..Options::new(InferenceMethod::Ensemble(form)) };
        let found = fitted(&problem(PriorGroups::PerInput), options);
        let alphas = &found.bound.precisions.alphas;
        assert!(alphas[2].min(alphas[3]) > 5.0 * alphas[0].max(alphas[1]), "{form:?}: {alphas:?}");
        let shared = fitted(&problem(PriorGroups::Shared), options).bound.negative_elbo;
        assert!(found.bound.negative_elbo < shared, "{form:?}");
    }
}

#[test]
fn laplace_keeps_one_precision() {
    let laplace = |groups| fitted(&problem(groups), Options::new(InferenceMethod::Laplace));
    let (shared, grouped) = (laplace(PriorGroups::Shared), laplace(PriorGroups::PerInput));
    assert_eq!(grouped, shared);
    assert_eq!(grouped.bound.precisions.alphas.len(), 1);
}
