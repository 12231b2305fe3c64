//! The results of one model: predictions, leave-one-out, evidence over σ², covariances and draws.

use super::{CurveHyperparameters, RegressionResult, RegressionSpec};
use crate::math::random::{Purpose, Stream};
use crate::models::gp::regression::draws::FunctionDraws;
use crate::models::gp::regression::{Normal, RegressionPosterior};

/// Smallest and largest σ² of the scan.
pub const SCAN: (f64, f64) = (0.003, 30.0);
/// Number of values of the scan.
const SCANNED: usize = 49;

/// Returns inputs and targets of examples as rows and a vector.
pub fn columns(examples: &[(f64, f64)]) -> (Vec<Vec<f64>>, Vec<f64>) {
    examples.iter().map(|(x, t)| (vec![*x], *t)).unzip()
}

/// Returns the approximate multiply–adds of [`result`] for m examples.
pub fn cost(spec: &RegressionSpec, m: usize) -> u64 {
    let inputs = (RegressionSpec::DRAWN + spec.predict.len()) as u64;
    let (m, drawn) = (m as u64, RegressionSpec::DRAWN as u64);
    (SCANNED as u64 + 2) * RegressionPosterior::cost(m as usize)
        + inputs * m * (m + 40)
        + drawn * drawn * (drawn + 20 + m)
        + drawn * drawn * spec.draws as u64
}

/// Returns the results of a model; `None` if its covariance matrix is not positive definite in double precision.
pub fn result(
    spec: &RegressionSpec,
    examples: &[(f64, f64)],
    hyper: CurveHyperparameters,
) -> Option<RegressionResult> {
    let (rows, targets) = columns(examples);
    let model = hyper.model(spec);
    let posterior = RegressionPosterior::new(rows.clone(), targets.clone(), model.clone())?;
    let inputs = spec.inputs(examples);
    let drawn: Vec<Vec<f64>> = inputs[..RegressionSpec::DRAWN].iter().map(|x| vec![*x]).collect();
    let mean_and_sd = |x: f64| {
        let f = posterior.predict(&[x]);
        (f.mean, f.sd())
    };
    let reference = &drawn[RegressionSpec::reference()];
    let covariance =
        |at: &Vec<f64>| (model.covariance(reference, at) as f32, posterior.covariance(reference, at) as f32);
    let scanned = |sigma2: f64| {
        let model = CurveHyperparameters { sigma2, ..hyper }.model(spec);
        let posterior = RegressionPosterior::new(rows.clone(), targets.clone(), model);
        (sigma2, posterior.map(|posterior| posterior.ln_evidence()))
    };
    Some(RegressionResult {
        hyper,
        ln_evidence: posterior.ln_evidence(),
        predicted: inputs.iter().map(|x| mean_and_sd(*x)).collect(),
        fitted: examples.iter().map(|(x, _)| mean_and_sd(*x)).collect(),
        left_out: posterior.leave_one_out().into_iter().map(|Normal { mean, var }| (mean, var)).collect(),
        scan: (0..SCANNED).map(|i| scanned(scan_value(i))).collect(),
        prior_sd: drawn.iter().map(|at| model.covariance(at, at).max(0.0).sqrt() as f32).collect(),
        covariance: drawn.iter().map(covariance).collect(),
        prior_draws: functions(spec, FunctionDraws::prior(&model, &drawn)),
        posterior_draws: functions(spec, FunctionDraws::posterior(&posterior, &drawn)),
    })
}

/// Returns the σ² at index `i` of the scan.
fn scan_value(i: usize) -> f64 {
    let share = i as f64 / (SCANNED - 1) as f64;
    SCAN.0 * libm::pow(SCAN.1 / SCAN.0, share)
}

/// Returns the drawn functions. The standard normal numbers of a draw depend only on the seed and on its index.
fn functions(spec: &RegressionSpec, joint: Option<FunctionDraws>) -> Vec<Vec<f32>> {
    let Some(joint) = joint else { return Vec::new() };
    let draw = |index: usize| {
        let mut stream = Stream::for_purpose(spec.seed, Purpose::GpFunctions, index as u64);
        let numbers: Vec<f64> = (0..RegressionSpec::DRAWN).map(|_| stream.normal()).collect();
        joint.draw(&numbers).into_iter().map(|f| f as f32).collect()
    };
    (0..spec.draws).map(draw).collect()
}
