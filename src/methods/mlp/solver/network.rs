//! The network, BB98 eq. (1): f(x, w) = Σᵢ vᵢ s(uᵢ·x) with w = [u₁ … `u_H`, v₁ … `v_H`].

use super::correlation::SLOPE_AT_ZERO;
use super::examples::ExampleBlocks;
use crate::math::lanes::{LANES, Lanes, SimdKernel, dispatch_simd, each, sum};
use crate::math::owen::s_lanes;

/// Numbers of hidden units and inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkShape {
    /// Number of hidden units H.
    pub hidden: usize,
    /// Number of inputs d, including the bias.
    pub inputs: usize,
}

impl NetworkShape {
    /// Returns the number of weights k = H(d + 1).
    pub fn weights(self) -> usize {
        self.hidden * (self.inputs + 1)
    }

    /// Returns the index of the first output weight.
    pub fn outputs(self) -> usize {
        self.hidden * self.inputs
    }
}

/// Returns the outputs f(x, w) at `examples`, N.
pub fn outputs(shape: NetworkShape, w: &[f64], examples: &ExampleBlocks) -> Vec<f64> {
    let mut out = Vec::with_capacity(examples.count() + LANES);
    dispatch_simd(OutputKernel { shape, w, examples, out: &mut out });
    out.truncate(examples.count());
    out
}

struct OutputKernel<'a> {
    shape: NetworkShape,
    w: &'a [f64],
    examples: &'a ExampleBlocks,
    out: &'a mut Vec<f64>,
}

impl SimdKernel for OutputKernel<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for (x, ..) in self.examples.blocks() {
            let mut f = [0.0; LANES];
            for j in 0..self.shape.hidden {
                let (s, _) = s_lanes(activation(self.shape, self.w, j, x));
                let v = self.w[self.shape.outputs() + j];
                for i in 0..LANES {
                    f[i] += v * s[i];
                }
            }
            self.out.extend_from_slice(&f);
        }
    }
}

/// Returns the activation of hidden unit `j`, uⱼ·x.
#[inline(always)]
fn activation(shape: NetworkShape, w: &[f64], j: usize, x: &[Lanes]) -> Lanes {
    let mut a = [0.0; LANES];
    for (u, x) in w[j * shape.inputs..][..shape.inputs].iter().zip(x) {
        for i in 0..LANES {
            a[i] += u * x[i];
        }
    }
    a
}

/// Returns `E_D`, BB98 eq. (3), half the sum of squared errors, and its gradient, k.
pub fn error(shape: NetworkShape, w: &[f64], examples: &ExampleBlocks) -> (f64, Vec<f64>) {
    dispatch_simd(ErrorKernel { shape, w, examples })
}

struct ErrorKernel<'a> {
    shape: NetworkShape,
    w: &'a [f64],
    examples: &'a ExampleBlocks,
}

impl SimdKernel for ErrorKernel<'_> {
    type Output = (f64, Vec<f64>);
    #[inline(always)]
    fn run(self) -> (f64, Vec<f64>) {
        let Self { shape, w, examples } = self;
        let (hidden, outputs) = (shape.hidden, shape.outputs());
        let mut slopes = vec![[0.0; LANES]; shape.weights()];
        let (mut s, mut ds) = (vec![[0.0; LANES]; hidden], vec![[0.0; LANES]; hidden]);
        let mut error = [0.0; LANES];
        for (x, t, present) in examples.blocks() {
            let mut f = [0.0; LANES];
            for j in 0..hidden {
                (s[j], ds[j]) = s_lanes(activation(shape, w, j, x));
                for i in 0..LANES {
                    f[i] += w[outputs + j] * s[j][i];
                }
            }
            let off: Lanes = each(|i| (f[i] - t[i]) * present[i]);
            for i in 0..LANES {
                error[i] += 0.5 * off[i] * off[i];
            }
            for j in 0..hidden {
                let back: Lanes = each(|i| off[i] * w[outputs + j] * SLOPE_AT_ZERO * ds[j][i]);
                for (slope, x) in slopes[j * shape.inputs..].iter_mut().zip(x) {
                    for i in 0..LANES {
                        slope[i] += back[i] * x[i];
                    }
                }
                for i in 0..LANES {
                    slopes[outputs + j][i] += off[i] * s[j][i];
                }
            }
        }
        (sum(error), slopes.into_iter().map(sum).collect())
    }
}

/// Returns the Hessian of `E_D`, k×k, row by row; with `gauss_newton`, its Gauss–Newton approximation.
pub fn hessian(shape: NetworkShape, w: &[f64], examples: &ExampleBlocks, gauss_newton: bool) -> Vec<f64> {
    let (k, d, outputs) = (shape.weights(), shape.inputs, shape.outputs());
    let mut hessian = vec![0.0; k * k];
    let mut slope = vec![0.0; k];
    let mut x = vec![0.0; d];
    for n in 0..examples.count() {
        x.iter_mut().zip(examples.row(n)).for_each(|(x, value)| *x = value);
        let mut off = -examples.target(n);
        // s′ and s″ of each unit at its activation.
        let units: Vec<(f64, f64)> = (0..shape.hidden)
            .map(|j| {
                let a: f64 = w[j * d..][..d].iter().zip(&x).map(|(u, x)| u * x).sum();
                let (s, bell) = s_lanes([a; LANES]);
                let (v, ds) = (w[outputs + j], SLOPE_AT_ZERO * bell[0]);
                off += v * s[0];
                slope[outputs + j] = s[0];
                for (slope, x) in slope[j * d..][..d].iter_mut().zip(&x) {
                    *slope = v * ds * x;
                }
                (ds, -a * ds)
            })
            .collect();
        for i in 0..k {
            let slope_i = slope[i];
            for (h, slope_j) in hessian[i * k..][..=i].iter_mut().zip(&slope) {
                *h += slope_i * slope_j;
            }
        }
        if gauss_newton {
            continue;
        }
        for (j, (ds, dds)) in units.into_iter().enumerate() {
            let v = w[outputs + j];
            for c in 0..d {
                let row = &mut hessian[(j * d + c) * k + j * d..][..=c];
                for (h, x_e) in row.iter_mut().zip(&x) {
                    *h += off * v * dds * x[c] * x_e;
                }
            }
            for (h, x) in hessian[(outputs + j) * k + j * d..][..d].iter_mut().zip(&x) {
                *h += off * ds * x;
            }
        }
    }
    for i in 0..k {
        for j in i + 1..k {
            hessian[i * k + j] = hessian[j * k + i];
        }
    }
    hessian
}
