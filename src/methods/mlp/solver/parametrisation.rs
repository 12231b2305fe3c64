//! Unconstrained parameters of a Gaussian: the mean, log standard deviations, and the factors of BB98 eq. (18) or the off-diagonal
//! elements of a Cholesky factor, all in units of the initial standard deviations.

use super::examples::ExampleBlocks;
use super::expectation::{ExpectedError, expected_error};
use super::gaussian::{WeightCovariance, WeightGaussian};
use super::hyperprior::{Hyperprior, VariationalBound};
use super::network::NetworkShape;
use crate::math::cholesky::Cholesky;
use crate::math::lanes::{SimdKernel, dispatch_simd};

/// Structure of a covariance matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CovarianceForm {
    /// Diagonal matrix.
    Diagonal,
    /// BB98 eq. (18): diagonal plus s rank-one terms.
    Factor(usize),
    /// Full matrix, C = L Lᵀ.
    Full,
}

/// Largest absolute value of ln(sd/u).
const MAX_LN_SD: f64 = 20.0;

/// Mapping θ → (m, C) with θ = [m/u, ln(sd/u), rest] and units u, k. `rest` is empty, or the factors S/u (k×s, row by row), or the
/// rows of L/u left of the diagonal.
#[derive(Clone, Debug)]
pub struct Parametrisation {
    form: CovarianceForm,
    units: Vec<f64>,
}

/// The bound and its gradient at a point θ.
#[derive(Clone, Debug)]
pub struct BoundWithGradient {
    /// The Gaussian at θ.
    pub q: WeightGaussian,
    /// The bound; its `negative_elbo` is the objective.
    pub bound: VariationalBound,
    /// <`E_D`> under `q`.
    pub mean_error: f64,
    /// Gradient of `negative_elbo` by θ.
    pub gradient: Vec<f64>,
}

impl Parametrisation {
    /// Creates a parametrisation with `units`, k.
    pub fn new(form: CovarianceForm, units: Vec<f64>) -> Self {
        Self { form, units }
    }

    /// Returns the length of θ.
    pub fn len(&self) -> usize {
        let k = self.units.len();
        2 * k
            + match self.form {
                CovarianceForm::Diagonal => 0,
                CovarianceForm::Factor(s) => k * s,
                CovarianceForm::Full => k * (k - 1) / 2,
            }
    }

    /// Returns `true` if there are no weights.
    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// Returns θ for mean `mean` and standard deviations of one unit each; `rest` generates the off-diagonal parameters.
    pub fn theta(&self, mean: &[f64], mut rest: impl FnMut() -> f64) -> Vec<f64> {
        let mut theta: Vec<f64> = mean.iter().zip(&self.units).map(|(m, unit)| m / unit).collect();
        theta.resize(2 * mean.len(), 0.0);
        while theta.len() < self.len() {
            theta.push(rest());
        }
        theta
    }

    /// Splits θ into mean, log standard deviations and off-diagonal parameters.
    fn parts<'a>(&self, theta: &'a [f64]) -> (&'a [f64], &'a [f64], &'a [f64]) {
        let (mean, rest) = theta.split_at(self.units.len());
        let (ln, rest) = rest.split_at(self.units.len());
        (mean, ln, rest)
    }

    fn sds(&self, ln: &[f64]) -> Vec<f64> {
        let clipped = |ln: &f64| libm::exp(ln.clamp(-MAX_LN_SD, MAX_LN_SD));
        self.units.iter().zip(ln).map(|(unit, ln)| unit * clipped(ln)).collect()
    }

    /// Returns L, k×k, row by row.
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

    /// Returns the Gaussian at θ.
    pub fn gaussian(&self, theta: &[f64]) -> WeightGaussian {
        let (mean, ln, rest) = self.parts(theta);
        let sds = self.sds(ln);
        let squares = || sds.iter().map(|sd| sd * sd).collect();
        let covariance = match self.form {
            CovarianceForm::Diagonal => WeightCovariance::Diagonal(squares()),
            CovarianceForm::Factor(s) => {
                let factors = rest.iter().enumerate().map(|(at, x)| self.units[at / s.max(1)] * x).collect();
                WeightCovariance::Factor { variances: squares(), factors }
            }
            CovarianceForm::Full => {
                WeightCovariance::Full(lower_times_transpose(&self.lower(&sds, rest), sds.len()))
            }
        };
        WeightGaussian { mean: mean.iter().zip(&self.units).map(|(m, unit)| m * unit).collect(), covariance }
    }

    /// Evaluates the bound and its gradient at θ.
    pub fn evaluate(
        &self,
        theta: &[f64],
        shape: NetworkShape,
        examples: &ExampleBlocks,
        hyper: Hyperprior,
    ) -> BoundWithGradient {
        let q = self.gaussian(theta);
        let error = expected_error(shape, &q, examples);
        let (_, ln, rest) = self.parts(theta);
        let sds = self.sds(ln);
        let k = sds.len();
        let diagonal: f64 = sds.iter().map(|sd| 2.0 * libm::log(*sd)).sum();
        let woodbury = WoodburyTerms::new(self.form, &q.covariance, k);
        let ln_det = diagonal + woodbury.as_ref().map_or(0.0, |terms| terms.ln_det);
        let bound = hyper.bound(k, examples.count(), error.value, q.mean_square(), ln_det);
        let mut gradient = self.gradient(&q, &sds, rest, &error, woodbury.as_ref(), bound);
        // The objective is constant in a clipped coordinate.
        for (slope, ln) in gradient[k..2 * k].iter_mut().zip(ln) {
            if ln.abs() > MAX_LN_SD {
                *slope = 0.0;
            }
        }
        BoundWithGradient { q, bound, mean_error: error.value, gradient }
    }

    /// Returns the gradient by θ of F = β<`E_D`> + (α/2)<|w|²> − ½ ln|C| at constant α and β. With R(α) and S(β) at their optimum, it
    /// is also the gradient of the collapsed bound.
    fn gradient(
        &self,
        q: &WeightGaussian,
        sds: &[f64],
        rest: &[f64],
        error: &ExpectedError,
        woodbury: Option<&WoodburyTerms>,
        VariationalBound { alpha, beta, .. }: VariationalBound,
    ) -> Vec<f64> {
        let (k, by) = (sds.len(), &error.by_covariance);
        let mean = (0..k).map(|i| self.units[i] * (beta * error.by_mean[i] + alpha * q.mean[i]));
        let mut gradient: Vec<f64> = mean.collect();
        match self.form {
            CovarianceForm::Diagonal => {
                gradient.extend((0..k).map(|i| 2.0 * sds[i] * sds[i] * (beta * by[i] + 0.5 * alpha) - 1.0));
            }
            CovarianceForm::Factor(s) => {
                let Some(woodbury) = woodbury else { return vec![f64::NAN; self.len()] };
                gradient.extend((0..k).map(|i| {
                    let square = sds[i] * sds[i];
                    2.0 * square * (beta * by[i] + 0.5 * alpha) - 1.0 + square * woodbury.explained[i]
                }));
                gradient.extend(rest.iter().enumerate().map(|(at, x)| {
                    let unit = self.units[at / s];
                    unit * (beta * by[k + at] + alpha * unit * x - woodbury.inverse_factors[at])
                }));
            }
            CovarianceForm::Full => {
                let lower = self.lower(sds, rest);
                let slopes = dispatch_simd(GradientByLower { by, lower: &lower, k });
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

/// Returns L Lᵀ, k×k, for a lower triangular L.
fn lower_times_transpose(lower: &[f64], k: usize) -> Vec<f64> {
    let mut matrix = dispatch_simd(LowerTimesTranspose { lower, k });
    for i in 0..k {
        for j in 0..i {
            matrix[j * k + i] = matrix[i * k + j];
        }
    }
    matrix
}

/// Lower triangle of L Lᵀ, row by row.
struct LowerTimesTranspose<'a> {
    lower: &'a [f64],
    k: usize,
}

impl SimdKernel for LowerTimesTranspose<'_> {
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

/// Lower triangle of 2 G L, the gradient by L of a function with symmetric gradient G by C = L Lᵀ, row by row.
struct GradientByLower<'a> {
    by: &'a [f64],
    lower: &'a [f64],
    k: usize,
}

impl SimdKernel for GradientByLower<'_> {
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

/// Terms of the Woodbury identity for C = D + S Sᵀ, from M = I + Sᵀ D⁻¹ S, s×s. C⁻¹ itself is never formed.
struct WoodburyTerms {
    /// ln|M| = ln|C| − ln|D|.
    ln_det: f64,
    /// C⁻¹ S, k×s.
    inverse_factors: Vec<f64>,
    /// Diagonal of D⁻¹ − C⁻¹, k.
    explained: Vec<f64>,
}

impl WoodburyTerms {
    /// Returns `None` if the covariance has no factors, or if M is not numerically positive definite.
    fn new(form: CovarianceForm, covariance: &WeightCovariance, k: usize) -> Option<Self> {
        let (CovarianceForm::Factor(s), WeightCovariance::Factor { variances, factors }) = (form, covariance)
        else {
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
