//! Projection of the covariance of the weights to that of the activations at eight inputs, and its adjoint for gradients.

use super::moments::Activations;
use super::network::NetworkShape;
use crate::math::lanes::{LANES, Lanes, each, sum};

/// A covariance of the weights, as the sum over examples uses it.
pub(super) trait CovarianceProjection {
    /// True if different weights are correlated.
    const CORRELATED: bool;
    /// Sets S and R at inputs `x`.
    fn project(&mut self, x: &[Lanes], to: &mut Activations);
    /// Adds the gradient by the covariance that follows from the derivatives by S and R at inputs `x`.
    fn accumulate(&mut self, x: &[Lanes], by: &Activations);
    /// Returns the gradient by the parameters of the covariance, given the derivatives by P (elements i ≤ j).
    fn gradient(self, by_p: &[Lanes]) -> Vec<f64>;
}

/// Diagonal covariance. Its gradient: by the variances, k.
pub(super) struct DiagonalProjection<'a> {
    shape: NetworkShape,
    variances: &'a [f64],
    slopes: Vec<Lanes>,
}

impl<'a> DiagonalProjection<'a> {
    pub fn new(shape: NetworkShape, variances: &'a [f64]) -> Self {
        Self { shape, variances, slopes: vec![[0.0; LANES]; shape.weights()] }
    }
}

/// Returns Σ_c variance_c x_c².
#[inline(always)]
fn diagonal_variance(variances: &[f64], x: &[Lanes]) -> Lanes {
    let mut s = [0.0; LANES];
    for (variance, x) in variances.iter().zip(x) {
        for i in 0..LANES {
            s[i] += variance * (x[i] * x[i]);
        }
    }
    s
}

/// Adds the gradient of [`diagonal_variance`] by the variances.
#[inline(always)]
fn add_diagonal_gradient(slopes: &mut [Lanes], x: &[Lanes], by: &Lanes) {
    for (slope, x) in slopes.iter_mut().zip(x) {
        for i in 0..LANES {
            slope[i] += by[i] * (x[i] * x[i]);
        }
    }
}

impl CovarianceProjection for DiagonalProjection<'_> {
    const CORRELATED: bool = false;

    #[inline(always)]
    fn project(&mut self, x: &[Lanes], to: &mut Activations) {
        let NetworkShape { hidden, inputs } = self.shape;
        for j in 0..hidden {
            to.s[j * hidden + j] = diagonal_variance(&self.variances[j * inputs..][..inputs], x);
        }
    }

    #[inline(always)]
    fn accumulate(&mut self, x: &[Lanes], by: &Activations) {
        let NetworkShape { hidden, inputs } = self.shape;
        for j in 0..hidden {
            add_diagonal_gradient(&mut self.slopes[j * inputs..][..inputs], x, &by.s[j * hidden + j]);
        }
    }

    fn gradient(mut self, by_p: &[Lanes]) -> Vec<f64> {
        let hidden = self.shape.hidden;
        for j in 0..hidden {
            self.slopes[self.shape.outputs() + j] = by_p[j * hidden + j];
        }
        self.slopes.into_iter().map(sum).collect()
    }
}

/// Covariance of BB98 eq. (18). Its gradient: by the variances (k), then by the factors (k×s).
pub(super) struct FactorProjection<'a> {
    diagonal: DiagonalProjection<'a>,
    /// Number of factors s.
    count: usize,
    factors: &'a [f64],
    slopes: Vec<Lanes>,
    /// Projections of the factors onto the inputs, H×s.
    y: Vec<Lanes>,
}

impl<'a> FactorProjection<'a> {
    pub fn new(shape: NetworkShape, variances: &'a [f64], factors: &'a [f64]) -> Self {
        let count = factors.len() / shape.weights();
        Self {
            diagonal: DiagonalProjection::new(shape, variances),
            count,
            factors,
            slopes: vec![[0.0; LANES]; factors.len()],
            y: vec![[0.0; LANES]; shape.hidden * count],
        }
    }
}

impl CovarianceProjection for FactorProjection<'_> {
    const CORRELATED: bool = true;

    #[inline(always)]
    fn project(&mut self, x: &[Lanes], to: &mut Activations) {
        self.diagonal.project(x, to);
        let (NetworkShape { hidden, inputs }, count) = (self.diagonal.shape, self.count);
        for j in 0..hidden {
            for n in 0..count {
                let mut y = [0.0; LANES];
                for (c, x) in x.iter().enumerate() {
                    let factor = self.factors[(j * inputs + c) * count + n];
                    for i in 0..LANES {
                        y[i] += factor * x[i];
                    }
                }
                self.y[j * count + n] = y;
            }
        }
        let v = &self.factors[self.diagonal.shape.outputs() * count..];
        for i in 0..hidden {
            for j in 0..hidden {
                let (mut r, mut s) = ([0.0; LANES], [0.0; LANES]);
                for n in 0..count {
                    let (v, y_i, y_j) = (v[i * count + n], self.y[i * count + n], self.y[j * count + n]);
                    for l in 0..LANES {
                        r[l] += v * y_j[l];
                        s[l] += y_i[l] * y_j[l];
                    }
                }
                to.r[i * hidden + j] = r;
                if i == j {
                    for l in 0..LANES {
                        to.s[i * hidden + j][l] += s[l];
                    }
                } else {
                    to.s[i * hidden + j] = s;
                }
            }
        }
    }

    #[inline(always)]
    fn accumulate(&mut self, x: &[Lanes], by: &Activations) {
        self.diagonal.accumulate(x, by);
        let (NetworkShape { hidden, inputs }, count) = (self.diagonal.shape, self.count);
        let outputs = self.diagonal.shape.outputs();
        for j in 0..hidden {
            for n in 0..count {
                let (mut back, mut output) = ([0.0; LANES], [0.0; LANES]);
                for i in 0..hidden {
                    let (first, last) = if i < j { (i, j) } else { (j, i) };
                    let twice = if i == j { 2.0 } else { 1.0 };
                    let (s, y) = (by.s[first * hidden + last], self.y[i * count + n]);
                    let v = self.factors[(outputs + i) * count + n];
                    let (r, r_back) = (by.r[i * hidden + j], by.r[j * hidden + i]);
                    for l in 0..LANES {
                        back[l] += twice * s[l] * y[l] + v * r[l];
                        output[l] += r_back[l] * y[l];
                    }
                }
                for (c, x) in x.iter().enumerate() {
                    let slope = &mut self.slopes[(j * inputs + c) * count + n];
                    for l in 0..LANES {
                        slope[l] += back[l] * x[l];
                    }
                }
                let slope = &mut self.slopes[(outputs + j) * count + n];
                for l in 0..LANES {
                    slope[l] += output[l];
                }
            }
        }
    }

    fn gradient(self, by_p: &[Lanes]) -> Vec<f64> {
        let (shape, count) = (self.diagonal.shape, self.count);
        let (hidden, outputs, factors) = (shape.hidden, shape.outputs(), shape.weights());
        let mut slopes = self.diagonal.gradient(by_p);
        slopes.extend(self.slopes.into_iter().map(sum));
        for i in 0..hidden {
            for j in i..hidden {
                let by = sum(by_p[i * hidden + j]);
                for n in 0..count {
                    let at = |unit: usize| (outputs + unit) * count + n;
                    slopes[factors + at(i)] += by * self.factors[at(j)];
                    slopes[factors + at(j)] += by * self.factors[at(i)];
                }
            }
        }
        slopes
    }
}

/// Pairs of units processed together; their sums fit into registers.
const TILE: usize = 5;

/// Full covariance. Its gradient: by each element, k×k, symmetric.
pub(super) struct FullProjection<'a> {
    shape: NetworkShape,
    covariance: &'a [f64],
    /// Pairs of units i ≤ j.
    pairs: Vec<(usize, usize)>,
    /// Number of pairs, rounded up to whole tiles.
    padded: usize,
    /// Coefficients of x_c x_e, e ≤ c, in `S_ij`: element [(c, e)·padded + pair].
    quadratic: Vec<f64>,
    /// Gradient by `quadratic`.
    by_quadratic: Vec<Lanes>,
    /// Gradient by the elements Cov(vᵢ, `u_jc`), H×Hd.
    by_mixed: Vec<Lanes>,
}

impl<'a> FullProjection<'a> {
    pub fn new(shape: NetworkShape, covariance: &'a [f64]) -> Self {
        let (NetworkShape { hidden, inputs }, k) = (shape, shape.weights());
        let pairs: Vec<(usize, usize)> = (0..hidden).flat_map(|i| (i..hidden).map(move |j| (i, j))).collect();
        let padded = pairs.len().div_ceil(TILE) * TILE;
        let mut quadratic = vec![0.0; inputs * (inputs + 1) / 2 * padded];
        for c in 0..inputs {
            for e in 0..=c {
                let at = (c * (c + 1) / 2 + e) * padded;
                for (to, (i, j)) in quadratic[at..].iter_mut().zip(&pairs) {
                    let of = |c: usize, e: usize| covariance[(i * inputs + c) * k + j * inputs + e];
                    *to = if c == e { of(c, c) } else { of(c, e) + of(e, c) };
                }
            }
        }
        let by_quadratic = vec![[0.0; LANES]; quadratic.len()];
        let by_mixed = vec![[0.0; LANES]; hidden * shape.outputs()];
        Self { shape, covariance, pairs, padded, quadratic, by_quadratic, by_mixed }
    }
}

impl CovarianceProjection for FullProjection<'_> {
    const CORRELATED: bool = true;

    #[inline(always)]
    fn project(&mut self, x: &[Lanes], to: &mut Activations) {
        let (NetworkShape { hidden, inputs }, k, outputs) =
            (self.shape, self.shape.weights(), self.shape.outputs());
        for tile in (0..self.padded).step_by(TILE) {
            let mut s = [[0.0; LANES]; TILE];
            let mut rows = self.quadratic.chunks_exact(self.padded);
            for c in 0..inputs {
                for e in 0..=c {
                    let Some(row) = rows.next() else { continue };
                    let row = &row[tile..tile + TILE];
                    let product: Lanes = each(|i| x[c][i] * x[e][i]);
                    for t in 0..TILE {
                        for i in 0..LANES {
                            s[t][i] += row[t] * product[i];
                        }
                    }
                }
            }
            for (s, (i, j)) in s.iter().zip(&self.pairs[tile..]) {
                to.s[i * hidden + j] = *s;
            }
        }
        for i in 0..hidden {
            let row = &self.covariance[(outputs + i) * k..][..outputs];
            for (j, block) in row.chunks_exact(inputs).enumerate() {
                let mut r = [0.0; LANES];
                for (covariance, x) in block.iter().zip(x) {
                    for l in 0..LANES {
                        r[l] += covariance * x[l];
                    }
                }
                to.r[i * hidden + j] = r;
            }
        }
    }

    #[inline(always)]
    fn accumulate(&mut self, x: &[Lanes], by: &Activations) {
        let NetworkShape { hidden, inputs } = self.shape;
        for tile in (0..self.padded).step_by(TILE) {
            let mut by_s = [[0.0; LANES]; TILE];
            for (to, (i, j)) in by_s.iter_mut().zip(&self.pairs[tile..]) {
                *to = by.s[i * hidden + j];
            }
            let mut rows = self.by_quadratic.chunks_exact_mut(self.padded);
            for c in 0..inputs {
                for e in 0..=c {
                    let Some(row) = rows.next() else { continue };
                    let row = &mut row[tile..tile + TILE];
                    let product: Lanes = each(|i| x[c][i] * x[e][i]);
                    for t in 0..TILE {
                        for i in 0..LANES {
                            row[t][i] += by_s[t][i] * product[i];
                        }
                    }
                }
            }
        }
        for (block, by_r) in self.by_mixed.chunks_exact_mut(inputs).zip(&by.r) {
            for (slope, x) in block.iter_mut().zip(x) {
                for i in 0..LANES {
                    slope[i] += by_r[i] * x[i];
                }
            }
        }
    }

    fn gradient(self, by_p: &[Lanes]) -> Vec<f64> {
        let (NetworkShape { hidden, inputs }, k, outputs) =
            (self.shape, self.shape.weights(), self.shape.outputs());
        let mut slopes = vec![0.0; k * k];
        for c in 0..inputs {
            for e in 0..=c {
                let row = &self.by_quadratic[(c * (c + 1) / 2 + e) * self.padded..];
                for (by, (i, j)) in row.iter().zip(&self.pairs) {
                    let by = if i == j { sum(*by) } else { 0.5 * sum(*by) };
                    for (a, b) in [(i * inputs + c, j * inputs + e), (i * inputs + e, j * inputs + c)] {
                        slopes[a * k + b] = by;
                        slopes[b * k + a] = by;
                    }
                }
            }
        }
        for i in 0..hidden {
            for (at, by) in self.by_mixed[i * outputs..][..outputs].iter().enumerate() {
                let by = 0.5 * sum(*by);
                slopes[(outputs + i) * k + at] = by;
                slopes[at * k + outputs + i] = by;
            }
            for j in i..hidden {
                let by = sum(by_p[i * hidden + j]);
                let by = if i == j { by } else { 0.5 * by };
                slopes[(outputs + i) * k + outputs + j] = by;
                slopes[(outputs + j) * k + outputs + i] = by;
            }
        }
        slopes
    }
}
