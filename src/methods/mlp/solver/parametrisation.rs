//! Unconstrained parameters of a Gaussian: the mean, log standard deviations, and the factors of BB98 eq. (18) or the off-diagonal
//! elements of a Cholesky factor, all relative to an initial precision matrix.

use std::borrow::Cow;

use super::expectation::{ExpectedError, expected_error};
use super::factor_curvature::factor_scale;
use super::gaussian::{CovarianceForm, WeightCovariance, WeightGaussian};
use super::precisions::{Precisions, VariationalBound};
use super::problem::RegressionProblem;
use super::triangular;
use crate::math::cholesky::Cholesky;

/// Largest absolute value of the log standard deviations in θ. With smaller ones ln|C| of several factors would be lost in rounding.
const MAX_LN_SD: f64 = 12.0;
/// Maximum number of parameters of a factor covariance that are scaled by their joint curvature.
const MAX_JOINTLY_SCALED: usize = 600;

/// Mapping θ → (m, C) with a scale U, k×k, lower triangular: θ = [U⁻¹m, ln(sd/u), rest] with units u, k. `rest` is empty, or the
/// factors S/u (k×s, row by row), or the rows of U⁻¹L left of the diagonal, where C = L Lᵀ and sd is the diagonal of L. With a
/// `JointScale`, the parameters of the covariance are o + Wφ, and φ takes their place in θ.
#[derive(Clone, Debug)]
pub struct Parametrisation {
    form: CovarianceForm,
    scale: Vec<f64>,
    units: Vec<f64>,
    joint: Option<JointScale>,
}

/// Scale of the parameters of a factor covariance by their curvature.
#[derive(Clone, Debug)]
struct JointScale {
    /// Parameters o at φ = 0, k(1 + s).
    origin: Vec<f64>,
    /// W, square, lower triangular.
    scale: Vec<f64>,
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
    /// Creates a parametrisation with the scale diag(`units`), k×k.
    pub fn new(form: CovarianceForm, units: Vec<f64>) -> Self {
        let k = units.len();
        let mut scale = vec![0.0; k * k];
        units.iter().enumerate().for_each(|(i, unit)| scale[i * k + i] = *unit);
        Self { form, scale, units, joint: None }
    }

    /// Creates a parametrisation relative to a positive definite precision A of `k` weights with elements `precision(i, j)`, j ≤ i:
    /// U Uᵀ = A⁻¹. If A is the Hessian of the energy, the Hessian of the free energy by U⁻¹m is near the identity. The units are
    /// the diagonal of U for a full covariance, which is A⁻¹ at θ = [U⁻¹m, 0, 0], or else the standard deviations of each weight given
    /// the others, which are optimal for independent weights.
    pub fn whitened(form: CovarianceForm, k: usize, precision: impl Fn(usize, usize) -> f64) -> Self {
        let conditional_sds = || (0..k).map(|i| 1.0 / precision(i, i).sqrt()).collect();
        let Some(scale) = triangular::inverse_factor(k, &precision) else {
            return Self::new(form, conditional_sds());
        };
        let units = match form {
            CovarianceForm::Diagonal | CovarianceForm::Factor(_) => conditional_sds(),
            CovarianceForm::Full => (0..k).map(|i| scale[i * k + i]).collect(),
        };
        Self { form, scale, units, joint: None }
    }

    /// Returns the parametrisation relative to the curvature at `theta`, and its θ of the same Gaussian. `precision` returns the elements
    /// of a positive definite matrix, k×k: the mean of the Hessian of the energy under that Gaussian. For a full covariance its
    /// optimum is C⁻¹, which is used instead.
    pub fn rescaled(
        &self,
        theta: &[f64],
        precision: impl FnOnce(&WeightGaussian) -> Vec<f64>,
    ) -> (Self, Vec<f64>) {
        let q = self.gaussian(theta);
        let (k, form) = (self.units.len(), self.form);
        let theta = self.unscaled(theta);
        let (_, ln, rest) = self.parts(&theta);
        let sds = self.sds(ln);
        if form == CovarianceForm::Full {
            let scaled = Self { form, scale: self.lower(&sds, rest), units: sds, joint: None };
            let theta = scaled.theta(&q.mean, || 0.0);
            return (scaled, theta);
        }
        let precision = precision(&q);
        let Some(scale) = triangular::inverse_factor(k, |i, j| precision[i * k + j]) else {
            return (self.clone(), theta.into_owned());
        };
        let s = rest.len() / k;
        let units: Vec<f64> = (0..k).map(|i| 1.0 / precision[i * k + i].sqrt()).collect();
        let ln_sds = sds.iter().zip(&units).map(|(sd, unit)| libm::log(sd / unit));
        let factors: Vec<f64> = rest.iter().enumerate().map(|(at, x)| self.units[at / s] * x).collect();
        let mut theta = triangular::solve(&scale, &q.mean);
        theta.extend(ln_sds);
        theta.extend(factors.iter().enumerate().map(|(at, x)| x / units[at / s]));
        let mut joint = None;
        if (k + 1..=MAX_JOINTLY_SCALED).contains(&(k * (s + 1))) {
            let relative: Vec<f64> = factors.iter().enumerate().map(|(at, x)| x / sds[at / s]).collect();
            let by_sds = |i: usize, j: usize| sds[i] * sds[j] * precision[i * k + j];
            joint = factor_scale((k, s), &relative, by_sds);
        }
        let joint = joint.map(|mut scale| {
            let count = k * (s + 1);
            for (at, row) in scale.chunks_exact_mut(count).skip(k).enumerate() {
                for x in row {
                    *x *= sds[at / s] / units[at / s];
                }
            }
            let origin = theta.split_off(k);
            theta.resize(k + count, 0.0);
            JointScale { origin, scale }
        });
        (Self { form, scale, units, joint }, theta)
    }

    /// Returns θ without the joint scale.
    fn unscaled<'a>(&self, theta: &'a [f64]) -> Cow<'a, [f64]> {
        let Some(JointScale { origin, scale }) = &self.joint else { return theta.into() };
        let (mean, covariance) = theta.split_at(self.units.len());
        let moves = triangular::times_vector(scale, covariance);
        mean.iter().copied().chain(origin.iter().zip(&moves).map(|(origin, by)| origin + by)).collect()
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
        let mut theta = triangular::solve(&self.scale, mean);
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

    /// Returns L = U Λ, k×k, row by row: `rest` is Λ left of the diagonal.
    fn lower(&self, sds: &[f64], rest: &[f64]) -> Vec<f64> {
        let k = sds.len();
        let (mut relative, mut from) = (vec![0.0; k * k], 0);
        for i in 0..k {
            relative[i * k..][..i].copy_from_slice(&rest[from..][..i]);
            relative[i * k + i] = sds[i] / self.units[i];
            from += i;
        }
        triangular::product(&self.scale, &relative, k)
    }

    /// Returns the Gaussian at θ.
    pub fn gaussian(&self, theta: &[f64]) -> WeightGaussian {
        let theta = self.unscaled(theta);
        let (mean, ln, rest) = self.parts(&theta);
        let sds = self.sds(ln);
        let squares = || sds.iter().map(|sd| sd * sd).collect();
        let covariance = match self.form {
            CovarianceForm::Diagonal => WeightCovariance::Diagonal(squares()),
            CovarianceForm::Factor(s) => {
                let factors = rest.iter().enumerate().map(|(at, x)| self.units[at / s.max(1)] * x).collect();
                WeightCovariance::Factor { variances: squares(), factors }
            }
            CovarianceForm::Full => {
                WeightCovariance::Full(triangular::times_transpose(&self.lower(&sds, rest), sds.len()))
            }
        };
        WeightGaussian { mean: triangular::times_vector(&self.scale, mean), covariance }
    }

    /// Evaluates the bound and its gradient at θ, at `fixed` precisions if they are given.
    pub fn evaluate(
        &self,
        theta: &[f64],
        problem: &RegressionProblem,
        fixed: Option<&Precisions>,
    ) -> BoundWithGradient {
        let q = self.gaussian(theta);
        let error = expected_error(problem.shape, &q, &problem.examples);
        let theta = self.unscaled(theta);
        let (_, ln, rest) = self.parts(&theta);
        let sds = self.sds(ln);
        let k = sds.len();
        let diagonal: f64 = sds.iter().map(|sd| 2.0 * libm::log(*sd)).sum();
        let woodbury = WoodburyTerms::new(self.form, &q.covariance, k);
        let ln_det = diagonal + woodbury.as_ref().map_or(0.0, |terms| terms.ln_det);
        let (n, squares) = (problem.examples.count(), problem.group_squares(|i| q.square(i)));
        let bound = match fixed {
            Some(precisions) => precisions.bound(k, n, error.value, &squares, ln_det),
            None => problem.hyper.bound(k, n, error.value, &squares, ln_det),
        };
        let alphas = problem.weight_alphas(&bound.precisions);
        let precisions = (alphas.as_slice(), bound.precisions.beta);
        let mut gradient = self.gradient(&q, &sds, rest, &error, woodbury.as_ref(), precisions);
        // The objective is constant in a clipped coordinate.
        for (slope, ln) in gradient[k..2 * k].iter_mut().zip(ln) {
            if ln.abs() > MAX_LN_SD {
                *slope = 0.0;
            }
        }
        if let Some(JointScale { scale, .. }) = &self.joint {
            let by_covariance = triangular::transpose_times_vector(scale, &gradient[k..]);
            gradient[k..].copy_from_slice(&by_covariance);
        }
        BoundWithGradient { q, bound, mean_error: error.value, gradient }
    }

    /// Returns the gradient by θ of F = β<`E_D`> + (α/2)<|w|²> − ½ ln|C| at constant α of each weight and β. With R(α) and S(β) at their
    /// optimum, it is also the gradient of the collapsed bound.
    fn gradient(
        &self,
        q: &WeightGaussian,
        sds: &[f64],
        rest: &[f64],
        error: &ExpectedError,
        woodbury: Option<&WoodburyTerms>,
        (alpha, beta): (&[f64], f64),
    ) -> Vec<f64> {
        let (k, by) = (sds.len(), &error.by_covariance);
        let by_mean: Vec<f64> = (0..k).map(|i| beta * error.by_mean[i] + alpha[i] * q.mean[i]).collect();
        let mut gradient = triangular::transpose_times_vector(&self.scale, &by_mean);
        match self.form {
            CovarianceForm::Diagonal => {
                gradient
                    .extend((0..k).map(|i| 2.0 * sds[i] * sds[i] * (beta * by[i] + 0.5 * alpha[i]) - 1.0));
            }
            CovarianceForm::Factor(s) => {
                let Some(woodbury) = woodbury else { return vec![f64::NAN; self.len()] };
                gradient.extend((0..k).map(|i| {
                    let square = sds[i] * sds[i];
                    2.0 * square * (beta * by[i] + 0.5 * alpha[i]) - 1.0 + square * woodbury.explained[i]
                }));
                gradient.extend(rest.iter().enumerate().map(|(at, x)| {
                    let unit = self.units[at / s];
                    unit * (beta * by[k + at] + alpha[at / s] * unit * x - woodbury.inverse_factors[at])
                }));
            }
            CovarianceForm::Full => {
                let lower = self.lower(sds, rest);
                let mut by_lower = triangular::gradient_by_lower(by, &lower, k);
                for (at, (by, l)) in by_lower.iter_mut().zip(&lower).enumerate() {
                    *by = beta * *by + alpha[at / k] * l;
                }
                let by_relative = triangular::transpose_product(&self.scale, &by_lower, k);
                gradient.extend((0..k).map(|i| sds[i] / self.units[i] * by_relative[i * k + i] - 1.0));
                (0..k).for_each(|i| gradient.extend(&by_relative[i * k..][..i]));
            }
        }
        gradient
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
