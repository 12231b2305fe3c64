//! The TAP equations with a cavity variance of each example's own, solved in the space of the weights (ADATAP, Opper & Winther,
//! Phys. Rev. E 64, 056131 (2001); its fixed points are those of expectation propagation, Minka 2001). Nothing is assumed of the
//! inputs: they may be few or correlated. With one branch it is the model of a Gaussian process with a linear covariance function.
//!
//! Each example i brings each branch k a Gaussian factor of its field h = s·w/√n, of precision S and weighted mean ν. Then the
//! weights of a branch have precision A = I + Σᵢ Sᵢ sᵢsᵢᵀ/n, and a field variance v = sᵀA⁻¹s/n, cavity variance λ = v/(1 − Sv) and
//! cavity mean √λ z = h − λg with g = ν − Sh. The new factor is the one with the mean and the variance that the label gives the
//! field. Branches are taken for independent given the data, as in OW96.

use super::likelihood::Likelihood;
use super::solution::{Own, Solution};
use super::votes::Votes;
use crate::math::cholesky::Cholesky;
use crate::math::lanes::{self, LANES, dot};
use crate::math::{Budget, max_or_nan};

/// The examples: some rows of a table.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// Inputs of all rows, N each.
    pub inputs: &'a [f64],
    /// N.
    pub width: usize,
    /// Which rows the examples are, m.
    pub places: &'a [usize],
    /// Their labels ±1, m.
    pub labels: &'a [f64],
}

impl<'a> Rows<'a> {
    /// Inputs of example `i`.
    fn row(&self, i: usize) -> &'a [f64] {
        &self.inputs[self.places[i] * self.width..][..self.width]
    }
}

/// What is carried from example to example and from sweep to sweep.
#[derive(Clone, Debug)]
pub struct Factors {
    /// Precisions S of the factors and their precision-weighted means ν, m×K each.
    s: Vec<f64>,
    nu: Vec<f64>,
    branches: Vec<Branch>,
    /// The example that is next.
    next: usize,
    moved: Moved,
}

/// The posterior of the weights of a branch, of n inputs.
#[derive(Clone, Debug)]
struct Branch {
    /// A⁻¹, n×n, and Σᵢ νᵢ sᵢ/√n, n.
    covariance: Vec<f64>,
    pull: Vec<f64>,
    ln_det: f64,
    /// A − I (its lower triangle) and the sum of the examples that this sweep has updated: they are summed anew in each sweep, which
    /// takes away the rounding of its updates.
    next_precision: Vec<f64>,
    next_pull: Vec<f64>,
}

/// How far a sweep has moved the factors.
#[derive(Clone, Copy, Debug, Default)]
struct Moved {
    /// max |ΔS| λ; 1 at least where an example had to wait.
    precision: f64,
    /// max |Δg|, and max |g|.
    g: f64,
    largest: f64,
}

/// The least share of the variance of a field that a label leaves: less is rounding.
const LEAST_LEFT: f64 = 1e-8;

/// Mean and variance of a field, and its cavity.
#[derive(Clone, Copy, Debug)]
struct Field {
    v: f64,
    lambda: f64,
    g: f64,
    /// Mean of the cavity field.
    gamma: f64,
}

impl Factors {
    /// Nothing learnt.
    pub fn new(rows: &Rows, hidden: usize) -> Self {
        let sites = rows.labels.len() * hidden;
        let n = rows.width / hidden;
        let mut identity = vec![0.0; n * n];
        identity.iter_mut().step_by(n + 1).for_each(|x| *x = 1.0);
        let branch = Branch {
            covariance: identity,
            pull: vec![0.0; n],
            ln_det: 0.0,
            next_precision: vec![0.0; n * n],
            next_pull: vec![0.0; n],
        };
        let branches = vec![branch; hidden];
        Self { s: vec![0.0; sites], nu: vec![0.0; sites], branches, next: 0, moved: Moved::default() }
    }

    /// Updates examples until a sweep is done or the budget is spent: in the first case how far the sweep has moved them, ∞ where the
    /// posterior was lost.
    pub fn advance(
        &mut self,
        rows: &Rows,
        likelihood: &Likelihood,
        damping: f64,
        budget: &mut Budget,
    ) -> Option<f64> {
        let (m, n) = (rows.labels.len(), self.branches[0].pull.len());
        let each = (self.branches.len() * (4 * n * n + 80)) as u64;
        let count = usize::try_from(budget.left() / each).unwrap_or(usize::MAX).clamp(1, m - self.next);
        let last = self.next + count;
        lanes::dispatch_simd(Updates { factors: self, rows, likelihood, damping, last });
        budget.spend(each * count as u64);
        if last < m {
            return None;
        }
        budget.spend((self.branches.len() * n.pow(3)) as u64);
        let Moved { precision, g, largest } = std::mem::take(&mut self.moved);
        self.next = 0;
        let kept = self.branches.iter_mut().all(Branch::refresh);
        let residual = max_or_nan(precision, if largest > 0.0 { g / largest } else { 0.0 });
        Some(if kept && residual.is_finite() { residual } else { f64::INFINITY })
    }

    /// The field of example `i` in branch `k`, where u = A⁻¹s; `None` where its cavity has no variance.
    #[inline(always)]
    fn field(&self, i: usize, k: usize, s: &[f64], u: &[f64]) -> Option<Field> {
        let (place, n) = (i * self.branches.len() + k, s.len() as f64);
        let v = dot(u, s) / n;
        let h = dot(u, &self.branches[k].pull) / n.sqrt();
        let left = 1.0 - self.s[place] * v;
        let g = self.nu[place] - self.s[place] * h;
        let lambda = v / left;
        // A row of zeros has no field.
        (left > 0.0 && v >= 0.0).then_some(Field { v, lambda, g, gamma: h - lambda * g })
    }

    /// The solution at these factors; `None` where a cavity has no variance.
    pub fn solution(&self, rows: &Rows) -> Option<Solution> {
        let hidden = self.branches.len();
        let sites = rows.labels.len() * hidden;
        let n = self.branches[0].pull.len();
        let empty = || Vec::with_capacity(sites);
        let (mut g, mut z, mut cavity, mut marginal) = (empty(), empty(), empty(), empty());
        for i in 0..rows.labels.len() {
            for (k, (branch, s)) in self.branches.iter().zip(rows.row(i).chunks_exact(n)).enumerate() {
                let field = self.field(i, k, s, &branch.times(s))?;
                g.push(field.g);
                z.push(field.z());
                cavity.push(field.lambda);
                marginal.push(field.v);
            }
        }
        let lambda = (0..hidden).map(|k| {
            let own = cavity.iter().skip(k).step_by(hidden);
            own.sum::<f64>() / rows.labels.len() as f64
        });
        let lambda: Vec<f64> = lambda.collect();
        let all = |x: &[f64]| x.iter().all(|x| x.is_finite());
        let finite = all(&g) && all(&z) && all(&cavity);
        finite.then(|| Solution {
            weights: self.branches.iter().flat_map(|branch| branch.times(&branch.pull)).collect(),
            lambda,
            sweeps: 0,
            own: Some(Own {
                cavity,
                marginal,
                covariance: self.branches.iter().map(|branch| branch.covariance.clone()).collect(),
                ln_det: self.branches.iter().map(|branch| branch.ln_det).sum(),
            }),
            g,
            z,
        })
    }
}

impl Branch {
    /// A⁻¹ s.
    fn times(&self, s: &[f64]) -> Vec<f64> {
        self.covariance.chunks_exact(s.len()).map(|row| dot(row, s)).collect()
    }

    /// The posterior at the factors of the sweep that is done; `false` where it has no covariance.
    fn refresh(&mut self) -> bool {
        let n = self.pull.len();
        let element = |i: usize, j: usize| self.next_precision[i * n + j] + f64::from(u8::from(i == j));
        let Some(factor) = Cholesky::new(n, element) else { return false };
        self.covariance = factor.inverse();
        self.ln_det = factor.ln_det();
        std::mem::swap(&mut self.pull, &mut self.next_pull);
        self.next_pull.fill(0.0);
        self.next_precision.fill(0.0);
        true
    }
}

/// Updates of the examples up to `last`, one after the other.
struct Updates<'a> {
    factors: &'a mut Factors,
    rows: &'a Rows<'a>,
    likelihood: &'a Likelihood,
    damping: f64,
    last: usize,
}

impl lanes::SimdKernel for Updates<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { factors, rows, likelihood, damping, last } = self;
        let (hidden, n) = (factors.branches.len(), factors.branches[0].pull.len());
        let mut votes = Votes::new(hidden);
        let (mut z, mut slopes) = (vec![[0.0; LANES]; hidden], vec![[0.0; LANES]; hidden]);
        let mut u = vec![0.0; hidden * n];
        let mut fields = Vec::with_capacity(hidden);
        while factors.next < last {
            let i = factors.next;
            let (row, y) = (rows.row(i), rows.labels[i]);
            fields.clear();
            for (k, (s, u)) in row.chunks_exact(n).zip(u.chunks_exact_mut(n)).enumerate() {
                for (u, row) in u.iter_mut().zip(factors.branches[k].covariance.chunks_exact(n)) {
                    *u = dot(row, s);
                }
                let field = factors.field(i, k, s, u);
                z[k] = [field.map_or(0.0, |field| field.z()); LANES];
                fields.push(field);
            }
            let known = fields.iter().all(Option::is_some);
            if known {
                likelihood.slopes(&z, [y; LANES], &mut slopes, &mut votes);
            } else {
                // Where the others leave no variance the example waits until they do.
                factors.moved.precision = max_or_nan(factors.moved.precision, 1.0);
            }
            for (k, (s, u)) in row.chunks_exact(n).zip(u.chunks_exact(n)).enumerate() {
                if let Some(field) = fields[k].filter(|field| known && field.lambda > 0.0) {
                    let (precision, shift) = factors.step(i, k, field, y, slopes[k][0], damping);
                    factors.branches[k].learn(s, u, field.v, precision, shift);
                }
                let place = i * hidden + k;
                factors.branches[k].count(s, factors.s[place], factors.nu[place]);
            }
            factors.next += 1;
        }
    }
}

impl Field {
    /// The cavity field in units of its deviation.
    #[inline(always)]
    fn z(&self) -> f64 {
        if self.lambda > 0.0 { self.gamma / self.lambda.sqrt() } else { 0.0 }
    }
}

impl Factors {
    /// Moves the factor of example `i` in branch `k`, where `slope` is ∂ ln⟨F⟩/∂z at its cavity `field`: by how much S and ν grow.
    #[inline(always)]
    fn step(&mut self, i: usize, k: usize, field: Field, y: f64, slope: f64, damping: f64) -> (f64, f64) {
        let Field { lambda, g, gamma, .. } = field;
        let place = i * self.branches.len() + k;
        let new = slope / lambda.sqrt();
        // The share of its variance that the label takes from the field; P(majority) is linear in each Φ, whatever K.
        let taken = ((y * slope) * (y * slope + y * field.z())).min(1.0 - LEAST_LEFT);
        let s = taken / (lambda * (1.0 - taken));
        let nu = new + s * (gamma + lambda * new);
        let Moved { precision, g: moved, largest } = &mut self.moved;
        *precision = max_or_nan(*precision, ((s - self.s[place]) * lambda).abs());
        *moved = max_or_nan(*moved, (new - g).abs());
        *largest = max_or_nan(*largest, new.abs());
        let (more, shift) = (damping * (s - self.s[place]), damping * (nu - self.nu[place]));
        self.s[place] += more;
        self.nu[place] += shift;
        (more, shift)
    }
}

impl Branch {
    /// The posterior after the factor of inputs `s` has grown, with u = A⁻¹s and v = s·u/n of before.
    #[inline(always)]
    fn learn(&mut self, s: &[f64], u: &[f64], v: f64, precision: f64, shift: f64) {
        let n = s.len() as f64;
        let scale = precision / ((1.0 + precision * v) * n);
        for (row, u_j) in self.covariance.chunks_exact_mut(s.len()).zip(u) {
            let factor = scale * u_j;
            for (x, u) in row.iter_mut().zip(u) {
                *x -= factor * u;
            }
        }
        let scale = shift / n.sqrt();
        for (pull, s) in self.pull.iter_mut().zip(s) {
            *pull += scale * s;
        }
    }

    /// Counts the factor of inputs `s` for the posterior after this sweep.
    #[inline(always)]
    fn count(&mut self, s: &[f64], precision: f64, nu: f64) {
        let n = s.len() as f64;
        for (j, row) in self.next_precision.chunks_exact_mut(s.len()).enumerate() {
            let factor = precision / n * s[j];
            for (x, s) in row[..=j].iter_mut().zip(s) {
                *x += factor * s;
            }
        }
        let scale = nu / n.sqrt();
        for (pull, s) in self.next_pull.iter_mut().zip(s) {
            *pull += scale * s;
        }
    }
}
