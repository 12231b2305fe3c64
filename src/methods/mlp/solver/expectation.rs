//! Averages over the Gaussian Q(w): <`E_D`> with its gradient, and predictions.

use super::examples::ExampleBlocks;
use super::gaussian::{WeightCovariance, WeightGaussian};
use super::moments::{Activations, MomentGradient, OutputWeights, mean, moments};
use super::network::NetworkShape;
use super::projection::{CovarianceProjection, DiagonalProjection, FactorProjection, FullProjection};
use crate::math::lanes::{LANES, Lanes, SimdKernel, dispatch_simd, each, sum};

/// <`E_D`>, BB98 eqs. (10) and (11), and its gradient.
#[derive(Clone, Debug)]
pub struct ExpectedError {
    /// <`E_D`>.
    pub value: f64,
    /// Gradient by the mean, k.
    pub by_mean: Vec<f64>,
    /// Gradient by the parameters of the covariance: variances (k), then factors (k×s); or all elements (k×k, symmetric).
    pub by_covariance: Vec<f64>,
}

/// Computes <`E_D`> of a network of shape `shape` under `q`.
pub fn expected_error(shape: NetworkShape, q: &WeightGaussian, examples: &ExampleBlocks) -> ExpectedError {
    match &q.covariance {
        WeightCovariance::Diagonal(variances) => {
            error_with(shape, q, examples, DiagonalProjection::new(shape, variances))
        }
        WeightCovariance::Factor { variances, factors } => {
            error_with(shape, q, examples, FactorProjection::new(shape, variances, factors))
        }
        WeightCovariance::Full(matrix) => error_with(shape, q, examples, FullProjection::new(shape, matrix)),
    }
}

fn error_with<F: CovarianceProjection>(
    shape: NetworkShape,
    q: &WeightGaussian,
    examples: &ExampleBlocks,
    projection: F,
) -> ExpectedError {
    let v = q.output_weights(shape);
    dispatch_simd(ExpectedErrorKernel { shape, mean: &q.mean, v: &v, examples, projection })
}

/// Returns the mean under `q` of the Hessian of `E_D`, k×k, row by row: twice the gradient of <`E_D`> by the covariance.
pub fn expected_hessian(shape: NetworkShape, q: &WeightGaussian, examples: &ExampleBlocks) -> Vec<f64> {
    let full = error_with(shape, q, examples, FullProjection::new(shape, &q.matrix()));
    full.by_covariance.iter().map(|by| 2.0 * by).collect()
}

struct ExpectedErrorKernel<'a, F> {
    shape: NetworkShape,
    mean: &'a [f64],
    v: &'a OutputWeights,
    examples: &'a ExampleBlocks,
    projection: F,
}

/// Computes the means μ of the activations at inputs `x`.
#[inline(always)]
fn activation_means(shape: NetworkShape, mean: &[f64], x: &[Lanes], to: &mut [Lanes]) {
    for (mu, u) in to.iter_mut().zip(mean.chunks_exact(shape.inputs)) {
        let mut a = [0.0; LANES];
        for (u, x) in u.iter().zip(x) {
            for i in 0..LANES {
                a[i] += u * x[i];
            }
        }
        *mu = a;
    }
}

impl<F: CovarianceProjection> SimdKernel for ExpectedErrorKernel<'_, F> {
    type Output = ExpectedError;
    #[inline(always)]
    fn run(self) -> ExpectedError {
        let Self { shape, mean, v, examples, mut projection } = self;
        let mut at = Activations::new(shape.hidden);
        let mut gradient = MomentGradient::new(shape.hidden);
        let mut by_mean = vec![[0.0; LANES]; shape.weights()];
        let mut error = [0.0; LANES];
        for (x, t, present) in examples.blocks() {
            activation_means(shape, mean, x, &mut at.mu);
            projection.project(x, &mut at);
            let by_f = each(|i| -t[i] * present[i]);
            let by_ff = each(|i| 0.5 * present[i]);
            // BB98 eqs. (11) and (12). A constant condition: only one of the calls is compiled.
            let (f, ff) = if F::CORRELATED {
                moments::<true, true>(v, &at, by_f, by_ff, &mut gradient)
            } else {
                moments::<false, true>(v, &at, by_f, by_ff, &mut gradient)
            };
            for i in 0..LANES {
                error[i] += present[i] * 0.5 * (ff[i] - 2.0 * t[i] * f[i] + t[i] * t[i]);
            }
            projection.accumulate(x, &gradient.activations);
            for (by, block) in gradient.activations.mu.iter().zip(by_mean.chunks_exact_mut(shape.inputs)) {
                for (slope, x) in block.iter_mut().zip(x) {
                    for i in 0..LANES {
                        slope[i] += by[i] * x[i];
                    }
                }
            }
        }
        by_mean[shape.outputs()..].copy_from_slice(&gradient.mean);
        ExpectedError {
            value: sum(error),
            by_mean: by_mean.into_iter().map(sum).collect(),
            by_covariance: projection.gradient(&gradient.covariance),
        }
    }
}

/// Returns mean and variance of f under `q` at each example.
pub fn predictions(shape: NetworkShape, q: &WeightGaussian, examples: &ExampleBlocks) -> Vec<(f64, f64)> {
    predict::<true>(shape, q, examples)
}

/// Returns the mean of f under `q` at each example. It costs about a tenth of [`predictions`].
pub fn mean_predictions(shape: NetworkShape, q: &WeightGaussian, examples: &ExampleBlocks) -> Vec<f64> {
    predict::<false>(shape, q, examples).into_iter().map(|(mean, _)| mean).collect()
}

/// Returns mean and variance of f; without `VARIANCE`, the variances are NaN.
fn predict<const VARIANCE: bool>(
    shape: NetworkShape,
    q: &WeightGaussian,
    examples: &ExampleBlocks,
) -> Vec<(f64, f64)> {
    match &q.covariance {
        WeightCovariance::Diagonal(variances) => {
            predict_with::<_, VARIANCE>(shape, q, examples, DiagonalProjection::new(shape, variances))
        }
        WeightCovariance::Factor { variances, factors } => {
            predict_with::<_, VARIANCE>(shape, q, examples, FactorProjection::new(shape, variances, factors))
        }
        WeightCovariance::Full(matrix) => {
            predict_with::<_, VARIANCE>(shape, q, examples, FullProjection::new(shape, matrix))
        }
    }
}

fn predict_with<F: CovarianceProjection, const VARIANCE: bool>(
    shape: NetworkShape,
    q: &WeightGaussian,
    examples: &ExampleBlocks,
    projection: F,
) -> Vec<(f64, f64)> {
    let v = q.output_weights(shape);
    let mean = &q.mean;
    let mut out = dispatch_simd(PredictionKernel::<F, VARIANCE> { shape, mean, v: &v, examples, projection });
    out.truncate(examples.count());
    out
}

struct PredictionKernel<'a, F, const VARIANCE: bool> {
    shape: NetworkShape,
    mean: &'a [f64],
    v: &'a OutputWeights,
    examples: &'a ExampleBlocks,
    projection: F,
}

impl<F: CovarianceProjection, const VARIANCE: bool> SimdKernel for PredictionKernel<'_, F, VARIANCE> {
    type Output = Vec<(f64, f64)>;
    #[inline(always)]
    fn run(self) -> Vec<(f64, f64)> {
        let Self { shape, mean: mean_weights, v, examples, mut projection } = self;
        let mut at = Activations::new(shape.hidden);
        let mut gradient = MomentGradient::new(shape.hidden);
        let mut out = Vec::with_capacity(examples.count() + LANES);
        for (x, ..) in examples.blocks() {
            activation_means(shape, mean_weights, x, &mut at.mu);
            projection.project(x, &mut at);
            if !VARIANCE {
                let f = if F::CORRELATED { mean::<true>(v, &at) } else { mean::<false>(v, &at) };
                out.extend(f.map(|f| (f, f64::NAN)));
                continue;
            }
            let none = [0.0; LANES];
            let (f, ff) = if F::CORRELATED {
                moments::<true, false>(v, &at, none, none, &mut gradient)
            } else {
                moments::<false, false>(v, &at, none, none, &mut gradient)
            };
            // Rounding may make a small variance negative.
            out.extend((0..LANES).map(|i| (f[i], (ff[i] - f[i] * f[i]).max(0.0))));
        }
        out
    }
}
