//! The TAP equations with adaptive variances, one cavity variance λ for each example, solved in the space of the weights (ADATAP,
//! Opper & Winther, Phys. Rev. E 64, 056131 (2001); the fixed points are those of expectation propagation, Minka 2001). Nothing is
//! assumed of the inputs: they may be few or correlated. For K = 1 it is the Gaussian process with a linear covariance function.
//!
//! Example i has a Gaussian factor in the field h = s·w/√n of each branch, of precision S and precision-weighted mean ν. The weights
//! of a branch have precision A = I + Σᵢ Sᵢ sᵢsᵢᵀ/n, and an example has
//!
//! * field variance v = sᵀA⁻¹s/n and cavity variance λ = v/(1 − Sv),
//! * g = ν − Sh and cavity mean √λ z = h − λg, with the Onsager reaction term λg of OW96 eq. (8).
//!
//! The new factor reproduces mean and variance of the field under cavity distribution times likelihood. As in OW96 the branches are
//! taken to be independent given the data. The README has the equations.

use super::cavity_mean;
use super::likelihood::Likelihood;
use super::solution::{AdaptiveVariances, Solution};
use super::votes::VoteCounter;
use crate::math::cholesky::Cholesky;
use crate::math::lanes::{self, LANES, dot};
use crate::math::{Budget, max_or_nan};

/// Examples as selected rows of a table.
#[derive(Clone, Copy, Debug)]
pub struct ExampleRows<'a> {
    /// Inputs of all rows, N each.
    pub inputs: &'a [f64],
    /// N.
    pub width: usize,
    /// Row of each example, m.
    pub indices: &'a [usize],
    /// Labels ±1 of the examples, m.
    pub labels: &'a [f64],
}

impl<'a> ExampleRows<'a> {
    /// Returns the inputs of example `i`, N.
    pub(super) fn row(&self, i: usize) -> &'a [f64] {
        &self.inputs[self.indices[i] * self.width..][..self.width]
    }
}

/// State of the iteration, carried from example to example and from sweep to sweep.
#[derive(Clone, Debug)]
pub struct AdaptiveState {
    /// Precisions S of the factors, m×K.
    s: Vec<f64>,
    /// Precision-weighted means ν of the factors, m×K.
    nu: Vec<f64>,
    branches: Vec<BranchPosterior>,
    /// The example to update next.
    next: usize,
    change: SweepChange,
}

/// Gaussian posterior of the n weights of a branch.
#[derive(Clone, Debug)]
struct BranchPosterior {
    /// A⁻¹, n×n.
    covariance: Vec<f64>,
    /// A⟨w⟩ = Σᵢ νᵢ sᵢ/√n, n.
    weighted_mean: Vec<f64>,
    /// ln det A.
    ln_det: f64,
    /// A − I, lower triangle, of the examples updated in this sweep. It is summed in each sweep to remove the rounding errors of
    /// rank-one updates.
    next_precision: Vec<f64>,
    /// `weighted_mean` of the examples updated in this sweep.
    next_weighted_mean: Vec<f64>,
}

/// Change of the factors in a sweep.
#[derive(Clone, Copy, Debug, Default)]
struct SweepChange {
    /// max |ΔS| λ; at least 1 if an example was skipped.
    precision: f64,
    /// max |Δg|.
    g: f64,
    /// max |g|.
    largest_g: f64,
}

/// Smallest fraction of a field's variance that a label leaves; less is rounding.
const MIN_REMAINDER: f64 = 1e-8;

/// Field of an example in a branch, and its cavity.
#[derive(Clone, Copy, Debug)]
struct CavityField {
    /// Posterior variance v.
    variance: f64,
    /// Cavity variance.
    lambda: f64,
    g: f64,
    /// Cavity mean.
    gamma: f64,
}

impl CavityField {
    /// Returns the cavity mean in units of its standard deviation.
    #[inline(always)]
    fn z(&self) -> f64 {
        if self.lambda > 0.0 { self.gamma / self.lambda.sqrt() } else { 0.0 }
    }
}

impl AdaptiveState {
    /// Returns the prior: S = 0 and ν = 0.
    pub fn new(rows: &ExampleRows, hidden: usize) -> Self {
        let sites = rows.labels.len() * hidden;
        let n = rows.width / hidden;
        let mut identity = vec![0.0; n * n];
        identity.iter_mut().step_by(n + 1).for_each(|x| *x = 1.0);
        let branch = BranchPosterior {
            covariance: identity,
            weighted_mean: vec![0.0; n],
            ln_det: 0.0,
            next_precision: vec![0.0; n * n],
            next_weighted_mean: vec![0.0; n],
        };
        Self {
            s: vec![0.0; sites],
            nu: vec![0.0; sites],
            branches: vec![branch; hidden],
            next: 0,
            change: SweepChange::default(),
        }
    }

    /// Updates examples until a sweep is complete or the budget is spent. Returns the relative change of the factors in the first
    /// case, ∞ if a branch has no posterior covariance, and `None` in the second case.
    pub fn advance(
        &mut self,
        rows: &ExampleRows,
        likelihood: &Likelihood,
        damping: f64,
        budget: &mut Budget,
    ) -> Option<f64> {
        let (m, n) = (rows.labels.len(), self.branches[0].weighted_mean.len());
        let cost = (self.branches.len() * (4 * n * n + 80)) as u64;
        let count = usize::try_from(budget.left() / cost).unwrap_or(usize::MAX).clamp(1, m - self.next);
        let end = self.next + count;
        lanes::dispatch_simd(AdaptiveSweepKernel { state: self, rows, likelihood, damping, end });
        budget.spend(cost * count as u64);
        if end < m {
            return None;
        }
        budget.spend((self.branches.len() * n.pow(3)) as u64);
        let SweepChange { precision, g, largest_g } = std::mem::take(&mut self.change);
        self.next = 0;
        let kept = self.branches.iter_mut().all(BranchPosterior::refresh);
        let residual = max_or_nan(precision, if largest_g > 0.0 { g / largest_g } else { 0.0 });
        Some(if kept && residual.is_finite() { residual } else { f64::INFINITY })
    }

    /// Returns the field of example `i` in branch `k`, given u = A⁻¹s; `None` if its cavity has no variance.
    #[inline(always)]
    fn field(&self, i: usize, k: usize, s: &[f64], u: &[f64]) -> Option<CavityField> {
        let site = i * self.branches.len() + k;
        let (h, variance) = self.branches[k].field(s, u);
        let remainder = 1.0 - self.s[site] * variance;
        let g = self.nu[site] - self.s[site] * h;
        let lambda = variance / remainder;
        let gamma = cavity_mean(h, lambda, g);
        // The variance is 0 for a row of zeros.
        (remainder > 0.0 && variance >= 0.0).then_some(CavityField { variance, lambda, g, gamma })
    }

    /// Returns the solution at these factors; `None` if a cavity has no variance.
    pub fn solution(&self, rows: &ExampleRows) -> Option<Solution> {
        let hidden = self.branches.len();
        let sites = rows.labels.len() * hidden;
        let n = self.branches[0].weighted_mean.len();
        let empty = || Vec::with_capacity(sites);
        let (mut g, mut z, mut cavity, mut marginal) = (empty(), empty(), empty(), empty());
        for i in 0..rows.labels.len() {
            for (k, (branch, s)) in self.branches.iter().zip(rows.row(i).chunks_exact(n)).enumerate() {
                let field = self.field(i, k, s, &branch.covariance_times(s))?;
                g.push(field.g);
                z.push(field.z());
                cavity.push(field.lambda);
                marginal.push(field.variance);
            }
        }
        let mean_lambda = |k: usize| {
            let lambdas = cavity.iter().skip(k).step_by(hidden);
            lambdas.sum::<f64>() / rows.labels.len() as f64
        };
        let lambda: Vec<f64> = (0..hidden).map(mean_lambda).collect();
        let all_finite = |x: &[f64]| x.iter().all(|x| x.is_finite());
        let finite = all_finite(&g) && all_finite(&z) && all_finite(&cavity);
        finite.then(|| Solution {
            weights: self.branches.iter().flat_map(|b| b.covariance_times(&b.weighted_mean)).collect(),
            lambda,
            sweeps: 0,
            adaptive: Some(AdaptiveVariances {
                cavity,
                marginal,
                covariance: self.branches.iter().map(|branch| branch.covariance.clone()).collect(),
                ln_det: self.branches.iter().map(|branch| branch.ln_det).sum(),
            }),
            g,
            z,
        })
    }

    /// Returns the state without the factors of example `i`, before a sweep over the others; `None` if its cavity has no variance.
    pub(super) fn without(&self, rows: &ExampleRows, i: usize) -> Option<Self> {
        let (mut state, row) = (self.clone(), rows.row(i));
        let sites = i * state.branches.len()..(i + 1) * state.branches.len();
        let n = self.branches[0].weighted_mean.len();
        for (k, s) in row.chunks_exact(n).enumerate() {
            let (site, u) = (sites.start + k, self.branches[k].covariance_times(s));
            let CavityField { variance, .. } = self.field(i, k, s, &u)?;
            state.branches[k].rank_one_update(s, &u, variance, -self.s[site], -self.nu[site]);
        }
        state.s.drain(sites.clone());
        state.nu.drain(sites);
        Some(state)
    }

    /// Returns the fields of a new input (K×n) in units of their standard deviations, K.
    pub(super) fn fields_at(&self, input: &[f64]) -> Vec<f64> {
        let branches = self.branches.iter().zip(input.chunks_exact(input.len() / self.branches.len()));
        let field = |(branch, s): (&BranchPosterior, &[f64])| {
            let (mean, variance) = branch.field(s, &branch.covariance_times(s));
            // The variance is 0 for an input of zeros.
            if variance > 0.0 { mean / variance.sqrt() } else { 0.0 }
        };
        branches.map(field).collect()
    }

    /// Moves the factor of example `i` in branch `k`, given `slope` = ∂ ln⟨F⟩/∂z at its cavity `field`. Returns the increments of S
    /// and ν.
    #[inline(always)]
    fn update_factor(
        &mut self,
        i: usize,
        k: usize,
        field: CavityField,
        y: f64,
        slope: f64,
        damping: f64,
    ) -> (f64, f64) {
        let CavityField { lambda, g, gamma, .. } = field;
        let site = i * self.branches.len() + k;
        // OW96 eq. (5).
        let new_g = slope / lambda.sqrt();
        // Wλ = y∂ (y∂ + yz) with ∂ = ∂ ln⟨F⟩/∂z, for any K because P(majority) is linear in each Φ.
        let w_lambda = ((y * slope) * (y * slope + y * field.z())).min(1.0 - MIN_REMAINDER);
        let s = w_lambda / (lambda * (1.0 - w_lambda));
        let nu = new_g + s * (gamma + lambda * new_g);
        let change = &mut self.change;
        change.precision = max_or_nan(change.precision, ((s - self.s[site]) * lambda).abs());
        change.g = max_or_nan(change.g, (new_g - g).abs());
        change.largest_g = max_or_nan(change.largest_g, new_g.abs());
        let (s_step, nu_step) = (damping * (s - self.s[site]), damping * (nu - self.nu[site]));
        self.s[site] += s_step;
        self.nu[site] += nu_step;
        (s_step, nu_step)
    }
}

/// Updates of the examples from `state.next` to `end`, one after the other.
struct AdaptiveSweepKernel<'a> {
    state: &'a mut AdaptiveState,
    rows: &'a ExampleRows<'a>,
    likelihood: &'a Likelihood,
    damping: f64,
    end: usize,
}

impl lanes::SimdKernel for AdaptiveSweepKernel<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { state, rows, likelihood, damping, end } = self;
        let (hidden, n) = (state.branches.len(), state.branches[0].weighted_mean.len());
        let mut votes = VoteCounter::new(hidden);
        let (mut z, mut slopes) = (vec![[0.0; LANES]; hidden], vec![[0.0; LANES]; hidden]);
        let mut u = vec![0.0; hidden * n];
        let mut fields = Vec::with_capacity(hidden);
        while state.next < end {
            let i = state.next;
            let (row, y) = (rows.row(i), rows.labels[i]);
            fields.clear();
            for (k, (s, u)) in row.chunks_exact(n).zip(u.chunks_exact_mut(n)).enumerate() {
                for (u, row) in u.iter_mut().zip(state.branches[k].covariance.chunks_exact(n)) {
                    *u = dot(row, s);
                }
                let field = state.field(i, k, s, u);
                z[k] = [field.map_or(0.0, |field| field.z()); LANES];
                fields.push(field);
            }
            let defined = fields.iter().all(Option::is_some);
            if defined {
                likelihood.slopes(&z, [y; LANES], &mut slopes, &mut votes);
            } else {
                // An example whose cavity has no variance is skipped until the other examples leave it one.
                state.change.precision = max_or_nan(state.change.precision, 1.0);
            }
            for (k, (s, u)) in row.chunks_exact(n).zip(u.chunks_exact(n)).enumerate() {
                if let Some(field) = fields[k].filter(|field| defined && field.lambda > 0.0) {
                    let (s_step, nu_step) = state.update_factor(i, k, field, y, slopes[k][0], damping);
                    state.branches[k].rank_one_update(s, u, field.variance, s_step, nu_step);
                }
                let site = i * hidden + k;
                state.branches[k].add_to_next(s, state.s[site], state.nu[site]);
            }
            state.next += 1;
        }
    }
}

impl BranchPosterior {
    /// Returns A⁻¹ x, n.
    fn covariance_times(&self, x: &[f64]) -> Vec<f64> {
        self.covariance.chunks_exact(x.len()).map(|row| dot(row, x)).collect()
    }

    /// Returns mean and variance of the field s·w/√n of inputs `s`, given u = A⁻¹s.
    #[inline(always)]
    fn field(&self, s: &[f64], u: &[f64]) -> (f64, f64) {
        let n = s.len() as f64;
        (dot(u, &self.weighted_mean) / n.sqrt(), dot(u, s) / n)
    }

    /// Replaces the posterior with the one summed over this sweep. Returns false if that has no covariance.
    fn refresh(&mut self) -> bool {
        let n = self.weighted_mean.len();
        let element = |i: usize, j: usize| self.next_precision[i * n + j] + f64::from(u8::from(i == j));
        let Some(factor) = Cholesky::new(n, element) else { return false };
        self.covariance = factor.inverse();
        self.ln_det = factor.ln_det();
        std::mem::swap(&mut self.weighted_mean, &mut self.next_weighted_mean);
        self.next_weighted_mean.fill(0.0);
        self.next_precision.fill(0.0);
        true
    }

    /// Adds to the posterior an increment of the factor with inputs `s`, given u = A⁻¹s and v = s·u/n from before.
    #[inline(always)]
    fn rank_one_update(&mut self, s: &[f64], u: &[f64], v: f64, s_step: f64, nu_step: f64) {
        let n = s.len() as f64;
        // Sherman–Morrison formula.
        let scale = s_step / ((1.0 + s_step * v) * n);
        for (row, u_j) in self.covariance.chunks_exact_mut(s.len()).zip(u) {
            let factor = scale * u_j;
            for (x, u) in row.iter_mut().zip(u) {
                *x -= factor * u;
            }
        }
        let scale = nu_step / n.sqrt();
        for (mean, s) in self.weighted_mean.iter_mut().zip(s) {
            *mean += scale * s;
        }
    }

    /// Adds the factor with inputs `s` to the posterior that follows this sweep.
    #[inline(always)]
    fn add_to_next(&mut self, s: &[f64], precision: f64, nu: f64) {
        let n = s.len() as f64;
        for (j, row) in self.next_precision.chunks_exact_mut(s.len()).enumerate() {
            let factor = precision / n * s[j];
            for (x, s) in row[..=j].iter_mut().zip(s) {
                *x += factor * s;
            }
        }
        let scale = nu / n.sqrt();
        for (mean, s) in self.next_weighted_mean.iter_mut().zip(s) {
            *mean += scale * s;
        }
    }
}
