//! The network itself, BB98 eq. (1): f(x, w) = Σᵢ vᵢ s(uᵢ·x), with w = [u₁ … `u_H`, v₁ … `v_H`].

use super::correlation::SLOPE;
use super::inputs::Examples;
use crate::math::lanes::{LANES, Lanes, SimdKernel, dispatch_simd, each, sum};
use crate::math::owen::s_lanes;

/// How many units and inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Hidden units H.
    pub hidden: usize,
    /// Inputs d, the bias among them.
    pub inputs: usize,
}

impl Shape {
    /// Weights k = H(d + 1).
    pub fn weights(self) -> usize {
        self.hidden * (self.inputs + 1)
    }

    /// Where the output weights begin.
    pub fn outputs(self) -> usize {
        self.hidden * self.inputs
    }
}

/// Outputs at `examples` for weights `w`, one an example.
pub fn outputs(shape: Shape, w: &[f64], examples: &Examples) -> Vec<f64> {
    let mut out = Vec::with_capacity(examples.count() + LANES);
    dispatch_simd(Outputs { shape, w, examples, out: &mut out });
    out.truncate(examples.count());
    out
}

struct Outputs<'a> {
    shape: Shape,
    w: &'a [f64],
    examples: &'a Examples,
    out: &'a mut Vec<f64>,
}

impl SimdKernel for Outputs<'_> {
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

#[inline(always)]
fn activation(shape: Shape, w: &[f64], j: usize, x: &[Lanes]) -> Lanes {
    let mut a = [0.0; LANES];
    for (u, x) in w[j * shape.inputs..][..shape.inputs].iter().zip(x) {
        for i in 0..LANES {
            a[i] += u * x[i];
        }
    }
    a
}

/// `E_D` of eq. (3), half the sum of squared errors, and its gradient (k).
pub fn error(shape: Shape, w: &[f64], examples: &Examples) -> (f64, Vec<f64>) {
    dispatch_simd(Error { shape, w, examples })
}

struct Error<'a> {
    shape: Shape,
    w: &'a [f64],
    examples: &'a Examples,
}

impl SimdKernel for Error<'_> {
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
                let back: Lanes = each(|i| off[i] * w[outputs + j] * SLOPE * ds[j][i]);
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

/// Second derivatives of `E_D` by w, k×k, row by row: exact, or with `gauss_newton` without the curvature of the network.
pub fn hessian(shape: Shape, w: &[f64], examples: &Examples, gauss_newton: bool) -> Vec<f64> {
    let (k, d, outputs) = (shape.weights(), shape.inputs, shape.outputs());
    let mut hessian = vec![0.0; k * k];
    let mut slope = vec![0.0; k];
    let mut x = vec![0.0; d];
    for n in 0..examples.count() {
        x.iter_mut().zip(examples.row(n)).for_each(|(x, value)| *x = value);
        let mut off = -examples.target(n);
        // Slope and curvature of each unit's s at its activation.
        let units: Vec<(f64, f64)> = (0..shape.hidden)
            .map(|j| {
                let a: f64 = w[j * d..][..d].iter().zip(&x).map(|(u, x)| u * x).sum();
                let (s, bell) = s_lanes([a; LANES]);
                let (v, ds) = (w[outputs + j], SLOPE * bell[0]);
                off += v * s[0];
                slope[outputs + j] = s[0];
                for (slope, x) in slope[j * d..][..d].iter_mut().zip(&x) {
                    *slope = v * ds * x;
                }
                (ds, -a * ds)
            })
            .collect();
        for i in 0..k {
            let own = slope[i];
            for (h, other) in hessian[i * k..][..=i].iter_mut().zip(&slope) {
                *h += own * other;
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
