//! Averages over the fitted Gaussian: <`E_D`> with its derivatives, and predictions.

use super::forms::{Diagonal, Factor, Form, Full};
use super::gaussian::{Covariance, Gaussian};
use super::inputs::Examples;
use super::moments::{Activations, OutputWeights, Slopes, moments};
use super::network::Shape;
use crate::math::lanes::{LANES, Lanes, SimdKernel, dispatch_simd, each, sum};

/// <`E_D`> and its derivatives.
#[derive(Clone, Debug)]
pub struct ExpectedError {
    /// <`E_D`>, BB98 eqs. (10) and (11).
    pub value: f64,
    /// By the mean, k.
    pub by_mean: Vec<f64>,
    /// By what the covariance is made of: variances (k), then factors (k×s), or every element (k×k, symmetric).
    pub by_covariance: Vec<f64>,
}

/// <`E_D`> of a network of that `shape` under `q`.
pub fn expected_error(shape: Shape, q: &Gaussian, examples: &Examples) -> ExpectedError {
    match &q.covariance {
        Covariance::Diagonal(variances) => error_with(shape, q, examples, Diagonal::new(shape, variances)),
        Covariance::Factor { variances, factors } => {
            error_with(shape, q, examples, Factor::new(shape, variances, factors))
        }
        Covariance::Full(matrix) => error_with(shape, q, examples, Full::new(shape, matrix)),
    }
}

fn error_with<F: Form>(shape: Shape, q: &Gaussian, examples: &Examples, form: F) -> ExpectedError {
    let v = q.output_weights(shape);
    dispatch_simd(Error { shape, mean: &q.mean, v: &v, examples, form })
}

struct Error<'a, F> {
    shape: Shape,
    mean: &'a [f64],
    v: &'a OutputWeights,
    examples: &'a Examples,
    form: F,
}

#[inline(always)]
fn means(shape: Shape, mean: &[f64], x: &[Lanes], to: &mut [Lanes]) {
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

impl<F: Form> SimdKernel for Error<'_, F> {
    type Output = ExpectedError;
    #[inline(always)]
    fn run(self) -> ExpectedError {
        let Self { shape, mean, v, examples, mut form } = self;
        let mut at = Activations::new(shape.hidden);
        let mut slopes = Slopes::new(shape.hidden);
        let mut by_mean = vec![[0.0; LANES]; shape.weights()];
        let mut error = [0.0; LANES];
        for (x, t, present) in examples.blocks() {
            means(shape, mean, x, &mut at.mu);
            form.project(x, &mut at);
            let by_f = each(|i| -t[i] * present[i]);
            let by_ff = each(|i| 0.5 * present[i]);
            // One call is inlined, for one kind of form.
            let (f, ff) = if F::CORRELATED {
                moments::<true, true>(v, &at, by_f, by_ff, &mut slopes)
            } else {
                moments::<false, true>(v, &at, by_f, by_ff, &mut slopes)
            };
            for i in 0..LANES {
                error[i] += present[i] * 0.5 * (ff[i] - 2.0 * t[i] * f[i] + t[i] * t[i]);
            }
            form.collect(x, &slopes.activations);
            for (by, block) in slopes.activations.mu.iter().zip(by_mean.chunks_exact_mut(shape.inputs)) {
                for (slope, x) in block.iter_mut().zip(x) {
                    for i in 0..LANES {
                        slope[i] += by[i] * x[i];
                    }
                }
            }
        }
        by_mean[shape.outputs()..].copy_from_slice(&slopes.mean);
        ExpectedError {
            value: sum(error),
            by_mean: by_mean.into_iter().map(sum).collect(),
            by_covariance: form.slopes(&slopes.covariance),
        }
    }
}

/// Mean and variance of f under `q` at each example.
pub fn predictions(shape: Shape, q: &Gaussian, examples: &Examples) -> Vec<(f64, f64)> {
    match &q.covariance {
        Covariance::Diagonal(variances) => predict_with(shape, q, examples, Diagonal::new(shape, variances)),
        Covariance::Factor { variances, factors } => {
            predict_with(shape, q, examples, Factor::new(shape, variances, factors))
        }
        Covariance::Full(matrix) => predict_with(shape, q, examples, Full::new(shape, matrix)),
    }
}

fn predict_with<F: Form>(shape: Shape, q: &Gaussian, examples: &Examples, form: F) -> Vec<(f64, f64)> {
    let v = q.output_weights(shape);
    let mut out = dispatch_simd(Predictions { shape, mean: &q.mean, v: &v, examples, form });
    out.truncate(examples.count());
    out
}

struct Predictions<'a, F> {
    shape: Shape,
    mean: &'a [f64],
    v: &'a OutputWeights,
    examples: &'a Examples,
    form: F,
}

impl<F: Form> SimdKernel for Predictions<'_, F> {
    type Output = Vec<(f64, f64)>;
    #[inline(always)]
    fn run(self) -> Vec<(f64, f64)> {
        let Self { shape, mean, v, examples, mut form } = self;
        let mut at = Activations::new(shape.hidden);
        let mut slopes = Slopes::new(shape.hidden);
        let mut out = Vec::with_capacity(examples.count() + LANES);
        for (x, ..) in examples.blocks() {
            means(shape, mean, x, &mut at.mu);
            form.project(x, &mut at);
            let none = [0.0; LANES];
            let (f, ff) = if F::CORRELATED {
                moments::<true, false>(v, &at, none, none, &mut slopes)
            } else {
                moments::<false, false>(v, &at, none, none, &mut slopes)
            };
            // Of a variance below rounding the difference may be negative.
            out.extend((0..LANES).map(|i| (f[i], (ff[i] - f[i] * f[i]).max(0.0))));
        }
        out
    }
}
