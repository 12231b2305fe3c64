//! What is varied to fit a Gaussian: m and the logarithms of the standard deviations, the factors of eq. (18), or a Cholesky
//! factor, each in units of the standard deviations at the start.

use super::expectation::{ExpectedError, expected_error};
use super::gaussian::{Covariance, Gaussian};
use super::hyper::{Bound, Hyper};
use super::inputs::Examples;
use super::network::Shape;
use crate::math::cholesky::Cholesky;
use crate::math::lanes::{SimdKernel, dispatch_simd};

/// The form of a fitted covariance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Variances only.
    Diagonal,
    /// Eq. (18) with so many factors.
    Factor(usize),
    /// C = L Lᵀ.
    Full,
}

/// Logarithms of standard deviations stay within this.
const MOST_LN: f64 = 20.0;

/// θ = [m/u, ln(sd/u), rest], u the units: the factors S/u row by row, or the rows of L/u left of its diagonal.
#[derive(Clone, Debug)]
pub struct Coordinates {
    form: Form,
    units: Vec<f64>,
}

/// The value at some θ.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The bound; what is minimised is its `negative_elbo`.
    pub bound: Bound,
    /// <`E_D`> there.
    pub mean_error: f64,
    /// The gradient of `negative_elbo` by θ.
    pub gradient: Vec<f64>,
}

impl Coordinates {
    /// Coordinates in `units`, one a weight.
    pub fn new(form: Form, units: Vec<f64>) -> Self {
        Self { form, units }
    }

    /// How many numbers θ has.
    pub fn len(&self) -> usize {
        let k = self.units.len();
        2 * k
            + match self.form {
                Form::Diagonal => 0,
                Form::Factor(s) => k * s,
                Form::Full => k * (k - 1) / 2,
            }
    }

    /// Never: there are weights.
    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// θ of mean `mean` and standard deviations of one unit each; `rest` gives what goes beside the diagonal, in units.
    pub fn theta(&self, mean: &[f64], mut rest: impl FnMut() -> f64) -> Vec<f64> {
        let mut theta: Vec<f64> = mean.iter().zip(&self.units).map(|(m, unit)| m / unit).collect();
        theta.resize(2 * mean.len(), 0.0);
        while theta.len() < self.len() {
            theta.push(rest());
        }
        theta
    }

    fn parts<'a>(&self, theta: &'a [f64]) -> (&'a [f64], &'a [f64], &'a [f64]) {
        let (mean, rest) = theta.split_at(self.units.len());
        let (ln, rest) = rest.split_at(self.units.len());
        (mean, ln, rest)
    }

    fn sds(&self, ln: &[f64]) -> Vec<f64> {
        let clipped = |ln: &f64| libm::exp(ln.clamp(-MOST_LN, MOST_LN));
        self.units.iter().zip(ln).map(|(unit, ln)| unit * clipped(ln)).collect()
    }

    /// L at θ, k×k, row by row.
    fn lower(&self, sds: &[f64], rest: &[f64]) -> Vec<f64> {
        let k = sds.len();
        let (mut lower, mut from) = (vec![0.0; k * k], 0);
        for i in 0..k {
            for (to, l) in lower[i * k..][..i].iter_mut().zip(&rest[from..]) {
                *to = self.units[i] * l;
            }
            lower[i * k + i] = sds[i];
            from += i;
        }
        lower
    }

    /// The Gaussian at θ.
    pub fn gaussian(&self, theta: &[f64]) -> Gaussian {
        let (mean, ln, rest) = self.parts(theta);
        let sds = self.sds(ln);
        let squares = || sds.iter().map(|sd| sd * sd).collect();
        let covariance = match self.form {
            Form::Diagonal => Covariance::Diagonal(squares()),
            Form::Factor(s) => {
                let factors = rest.iter().enumerate().map(|(at, x)| self.units[at / s.max(1)] * x).collect();
                Covariance::Factor { variances: squares(), factors }
            }
            Form::Full => Covariance::Full(product(&self.lower(&sds, rest), sds.len())),
        };
        Gaussian { mean: mean.iter().zip(&self.units).map(|(m, unit)| m * unit).collect(), covariance }
    }

    /// The bound and its gradient at θ.
    pub fn evaluate(&self, theta: &[f64], shape: Shape, examples: &Examples, hyper: Hyper) -> Evaluation {
        let q = self.gaussian(theta);
        let error = expected_error(shape, &q, examples);
        let (_, ln, rest) = self.parts(theta);
        let sds = self.sds(ln);
        let k = sds.len();
        let diagonal: f64 = sds.iter().map(|sd| 2.0 * libm::log(*sd)).sum();
        let inner = Inner::new(self.form, &q.covariance, k);
        let ln_det = diagonal + inner.as_ref().map_or(0.0, |inner| inner.ln_det);
        let bound = hyper.bound(k, examples.count(), error.value, q.mean_square(), ln_det);
        let mut gradient = self.gradient(&q, &sds, rest, &error, inner.as_ref(), bound);
        // A standard deviation at its bound does not change.
        for (slope, ln) in gradient[k..2 * k].iter_mut().zip(ln) {
            if ln.abs() > MOST_LN {
                *slope = 0.0;
            }
        }
        Evaluation { bound, mean_error: error.value, gradient }
    }

    /// By θ: β and α times the derivatives of the averages, less those of ½ ln|C|. With R and S at their optimum the mean β and α
    /// count as if they were given.
    fn gradient(
        &self,
        q: &Gaussian,
        sds: &[f64],
        rest: &[f64],
        error: &ExpectedError,
        inner: Option<&Inner>,
        Bound { alpha, beta, .. }: Bound,
    ) -> Vec<f64> {
        let (k, by) = (sds.len(), &error.by_covariance);
        let mean = (0..k).map(|i| self.units[i] * (beta * error.by_mean[i] + alpha * q.mean[i]));
        let mut gradient: Vec<f64> = mean.collect();
        match self.form {
            Form::Diagonal => {
                gradient.extend((0..k).map(|i| 2.0 * sds[i] * sds[i] * (beta * by[i] + 0.5 * alpha) - 1.0));
            }
            Form::Factor(s) => {
                let Some(inner) = inner else { return vec![f64::NAN; self.len()] };
                gradient.extend((0..k).map(|i| {
                    let square = sds[i] * sds[i];
                    2.0 * square * (beta * by[i] + 0.5 * alpha) - 1.0 + square * inner.explained[i]
                }));
                gradient.extend(rest.iter().enumerate().map(|(at, x)| {
                    let unit = self.units[at / s];
                    unit * (beta * by[k + at] + alpha * unit * x - inner.inverse_factors[at])
                }));
            }
            Form::Full => {
                let lower = self.lower(sds, rest);
                let slopes = dispatch_simd(Slopes { by, lower: &lower, k });
                let at = |i: usize, j: usize| beta * slopes[i * k + j] + alpha * lower[i * k + j];
                gradient.extend((0..k).map(|i| sds[i] * at(i, i) - 1.0));
                for i in 0..k {
                    gradient.extend((0..i).map(|j| self.units[i] * at(i, j)));
                }
            }
        }
        gradient
    }
}

/// L Lᵀ, k×k, of a lower triangular L.
pub fn product(lower: &[f64], k: usize) -> Vec<f64> {
    let mut matrix = dispatch_simd(Product { lower, k });
    for i in 0..k {
        for j in 0..i {
            matrix[j * k + i] = matrix[i * k + j];
        }
    }
    matrix
}

/// The lower triangle of L Lᵀ, row by row.
struct Product<'a> {
    lower: &'a [f64],
    k: usize,
}

impl SimdKernel for Product<'_> {
    type Output = Vec<f64>;
    #[inline(always)]
    fn run(self) -> Vec<f64> {
        let Self { lower, k } = self;
        let (mut matrix, mut upper) = (vec![0.0; k * k], vec![0.0; k * k]);
        for i in 0..k {
            for j in 0..=i {
                upper[j * k + i] = lower[i * k + j];
            }
        }
        for i in 0..k {
            let row = &mut matrix[i * k..][..=i];
            for n in 0..=i {
                let l = lower[i * k + n];
                for (to, u) in row[n..].iter_mut().zip(&upper[n * k + n..]) {
                    *to += l * u;
                }
            }
        }
        matrix
    }
}

/// The lower triangle of 2 G L of a symmetric G and a lower triangular L, row by row.
struct Slopes<'a> {
    by: &'a [f64],
    lower: &'a [f64],
    k: usize,
}

impl SimdKernel for Slopes<'_> {
    type Output = Vec<f64>;
    #[inline(always)]
    fn run(self) -> Vec<f64> {
        let Self { by, lower, k } = self;
        let mut slopes = vec![0.0; k * k];
        for i in 0..k {
            let row = &mut slopes[i * k..][..=i];
            for j in 0..k {
                let g = 2.0 * by[i * k + j];
                for (to, l) in row.iter_mut().zip(&lower[j * k..][..=j]) {
                    *to += g * l;
                }
            }
        }
        slopes
    }
}

/// What the s factors add to a diagonal: M = I + Sᵀ D⁻¹ S, s×s. C⁻¹ by Woodbury, never built.
struct Inner {
    /// ln|M| = ln|C| − ln|D|.
    ln_det: f64,
    /// C⁻¹ S, k×s.
    inverse_factors: Vec<f64>,
    /// Diagonal of D⁻¹ − C⁻¹, k.
    explained: Vec<f64>,
}

impl Inner {
    /// `None` but for factors, or where M has lost its sign.
    fn new(form: Form, covariance: &Covariance, k: usize) -> Option<Self> {
        let (Form::Factor(s), Covariance::Factor { variances, factors }) = (form, covariance) else {
            return None;
        };
        let scaled: Vec<f64> = factors.iter().enumerate().map(|(at, x)| x / variances[at / s]).collect();
        let inner = Cholesky::new(s, |i, j| {
            let sum: f64 = (0..k).map(|n| factors[n * s + i] * scaled[n * s + j]).sum();
            sum + f64::from(u8::from(i == j))
        })?;
        let mut inverse_factors = scaled.clone();
        let mut explained = Vec::with_capacity(k);
        for (row, scaled) in inverse_factors.chunks_exact_mut(s).zip(scaled.chunks_exact(s)) {
            inner.solve(row);
            explained.push(row.iter().zip(scaled).map(|(a, b)| a * b).sum());
        }
        Some(Self { ln_det: inner.ln_det(), inverse_factors, explained })
    }
}
