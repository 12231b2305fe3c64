//! The gradient of the bound with fixed inducing points, in slices of work.
//!
//! With U = k(Z, X), Q = Uᵀ k(Z, Z)⁻¹ U, C = Q + s² I, α = C⁻¹ t, A = k(Z, Z) + U Uᵀ/s² = L B Lᵀ and m the weights of the posterior mean,
//! the derivatives of T09 eq. (9) are
//!
//! * ∂/∂U = m αᵀ + D U/s², D = k(Z, Z)⁻¹ − A⁻¹ = L⁻ᵀ (I − B⁻¹) L⁻¹,
//! * ∂/∂k(Z, Z) = −½ (m mᵀ + L⁻ᵀ (B − 2I + B⁻¹) L⁻¹),
//! * ∂/∂k(x, x) = −1/(2 s²).

use std::rc::Rc;
use std::task::{Poll, ready};

use super::BoundPosterior;
use super::solve::BoundSolve;
use crate::gp::inducing::products;
use crate::gp::regression::solve::Evidence;
use crate::gp::regression::{EvidenceGradient, RegressionModel};
use crate::math::Budget;
use crate::math::cholesky::Cholesky;
use crate::math::cholesky::inverse::Inversion;
use crate::math::gram::SymmetricStrips;
use crate::math::lanes::LANES;
use crate::math::product::a_diag_b;

/// The computation of a bound and its gradient. Pauses do not change the bits of the result.
pub(in crate::gp::regression) struct GradientSolve {
    solve: BoundSolve,
    step: Step,
}

enum Step {
    Solve,
    Invert(Box<BoundPosterior>, Inversion),
    Weights(Box<WeightSums>),
}

/// Derivatives with respect to the logarithms of the weights, summed over groups of rows.
struct WeightSums {
    posterior: BoundPosterior,
    /// Tr B⁻¹.
    inverse_trace: f64,
    /// D/s², M×M.
    rows_matrix: SymmetricStrips,
    /// ∂/∂k(Z, Z), M×M.
    by_points: Vec<f64>,
    /// Number of rows that are done.
    done: usize,
    /// Sums so far, N.
    ln_weights: Vec<f64>,
}

impl GradientSolve {
    /// Prepares the bound of `model` given inputs `rows` (n of N) and `targets` (n) by inducing `points` (M of N).
    pub(in crate::gp::regression) fn new(
        rows: Rc<Vec<Vec<f64>>>,
        targets: Rc<Vec<f64>>,
        model: RegressionModel,
        points: Rc<Vec<Vec<f64>>>,
    ) -> Self {
        Self { solve: BoundSolve::new(rows, targets, model, points), step: Step::Solve }
    }

    /// Returns the approximate number of multiply–adds for `n` examples and `points` points.
    pub(in crate::gp::regression) fn cost(n: usize, points: usize) -> f64 {
        2.0 * BoundSolve::cost(n, points)
    }

    /// Returns the model.
    pub(in crate::gp::regression) fn model(&self) -> &RegressionModel {
        &self.solve.model
    }

    /// Continues until the budget is spent. Returns the bound when it is complete; `None` if there is no posterior.
    pub(in crate::gp::regression) fn advance(&mut self, budget: &mut Budget) -> Poll<Option<Evidence>> {
        loop {
            match &mut self.step {
                Step::Solve => {
                    let Some(posterior) = ready!(self.solve.advance(budget)) else {
                        return Poll::Ready(None);
                    };
                    self.step = Step::Invert(Box::new(posterior), Inversion::default());
                }
                Step::Invert(posterior, inversion) => {
                    if !inversion.advance(&posterior.factor, budget) {
                        return Poll::Pending;
                    }
                    let inverse = std::mem::take(inversion).into_inverse();
                    let m = posterior.points() as u64;
                    budget.spend(5 * m * m * m);
                    self.step = Step::Weights(Box::new(WeightSums::new((**posterior).clone(), &inverse)));
                }
                Step::Weights(sums) => {
                    if !sums.advance(&self.solve.rows, &self.solve.targets, budget) {
                        return Poll::Pending;
                    }
                    let gradient = sums.gradient();
                    return Poll::Ready(Some(Evidence { value: sums.posterior.bound(), gradient }));
                }
            }
        }
    }
}

impl WeightSums {
    fn new(posterior: BoundPosterior, inverse: &[f64]) -> Self {
        let m = posterior.points();
        let noise = posterior.model.noise_variance();
        let lower = inverse_transposed(posterior.projection.factor());
        let outer = |inner: &[f64]| {
            let ones = vec![1.0; m];
            a_diag_b(&a_diag_b(&lower, &ones, inner), &ones, &lower)
        };
        let unit = |e: usize| if e / m == e % m { 1.0 } else { 0.0 };
        let explained: Vec<f64> = (0..m * m).map(|e| (unit(e) - inverse[e]) / noise).collect();
        let product = lower_products(&posterior.factor);
        let difference: Vec<f64> = (0..m * m).map(|e| product[e] - 2.0 * unit(e) + inverse[e]).collect();
        let mean = &posterior.mean_weights;
        let by_points = outer(&difference).into_iter().enumerate();
        let by_points = by_points.map(|(e, x)| -0.5 * (mean[e / m] * mean[e % m] + x)).collect();
        Self {
            inverse_trace: (0..m).map(|i| inverse[i * m + i]).sum(),
            rows_matrix: SymmetricStrips::new(m, &outer(&explained)),
            by_points,
            done: 0,
            ln_weights: vec![0.0; posterior.model.kernel.weights.len()],
            posterior,
        }
    }

    /// Adds groups of as many rows as there are points until the budget is spent; returns true after the last.
    fn advance(&mut self, rows: &[Vec<f64>], targets: &[f64], budget: &mut Budget) -> bool {
        let m = self.posterior.points();
        while self.done < rows.len() {
            let end = (self.done + m.next_multiple_of(LANES)).min(rows.len());
            self.add(&rows[self.done..end], &targets[self.done..end]);
            let work = (end - self.done) * m * (m + 3 * (self.ln_weights.len() + 20));
            self.done = end;
            if !budget.spend(work as u64) && end < rows.len() {
                return false;
            }
        }
        true
    }

    /// Adds the derivatives through the covariances of a group of rows with the points, and with the first group those of the points.
    fn add(&mut self, rows: &[Vec<f64>], targets: &[f64]) {
        let Self { posterior, rows_matrix, by_points, done, ln_weights, .. } = self;
        let projection = &posterior.projection;
        let (m, noise) = (posterior.points(), posterior.model.noise_variance());
        let variance = projection.prior().variance;
        // Covariances with the points and derivatives with respect to them, row by row, rows×M.
        let (mut k, mut by_k) = (vec![0.0; rows.len() * m], vec![0.0; rows.len() * m]);
        for (group, (rows, targets)) in rows.chunks(LANES).zip(targets.chunks(LANES)).enumerate() {
            let panel = projection.covariances(rows);
            let means = products(&panel, &posterior.mean_weights);
            let product = rows_matrix.times(&panel);
            for (lane, target) in targets.iter().enumerate() {
                let alpha = (target - means[lane]) / noise;
                let at = (group * LANES + lane) * m;
                for z in 0..m {
                    k[at + z] = panel[z][lane] / variance;
                    by_k[at + z] = posterior.mean_weights[z] * alpha + product[z][lane];
                }
            }
        }
        let is_first = *done == 0;
        let joint: Vec<Vec<f64>> = projection.points().iter().chain(rows).cloned().collect();
        let points = projection.points();
        let kernel = &posterior.model.kernel;
        let covariance = |i: usize, j: usize| match (i < m, j < m) {
            (true, true) if is_first => kernel.covariance(&points[i], &points[j]),
            (false, true) => k[(i - m) * m + j],
            _ => 0.0,
        };
        // The element (i, j) and its mirror count together.
        let derivative = |i: usize, j: usize| match (i < m, j < m) {
            (true, true) if is_first => variance * by_points[i * m + j],
            (false, true) => 0.5 * variance * by_k[(i - m) * m + j],
            (false, false) if i == j => -0.5 * variance / noise,
            _ => 0.0,
        };
        let sums = kernel.ln_weight_gradient(&joint, covariance, derivative);
        ln_weights.iter_mut().zip(sums).for_each(|(all, sum)| *all += sum);
    }

    fn gradient(&mut self) -> EvidenceGradient {
        let BoundPosterior { sums, model, rows, .. } = &self.posterior;
        let (m, n, noise) = (self.posterior.points() as f64, *rows as f64, model.noise_variance());
        // Traces of V Vᵀ/s² = B − I, of Q, αᵀ t and αᵀ α.
        let white = (sums.prior - sums.residual) / noise;
        let alpha_t = (sums.targets - sums.explained) / noise;
        let alpha_2 = (sums.targets - 2.0 * sums.explained + sums.fitted) / (noise * noise);
        let by_covariance = alpha_t - noise * alpha_2 + white - m + self.inverse_trace - sums.prior / noise;
        let by_noise = noise * alpha_2 - n + m - self.inverse_trace + sums.residual / noise;
        let ln_weights = std::mem::take(&mut self.ln_weights);
        EvidenceGradient { ln_weights, ln_amplitude: by_covariance, ln_noise: by_noise }
    }
}

/// Returns L⁻ᵀ of a factor, row by row.
fn inverse_transposed(factor: &Cholesky) -> Vec<f64> {
    let n = factor.len();
    let mut rows = vec![0.0; n * n];
    for first in (0..n).step_by(LANES) {
        let mut block = vec![[0.0; LANES]; n];
        for lane in 0..LANES.min(n - first) {
            block[first + lane][lane] = 1.0;
        }
        let solved = factor.solve_lower_block(block);
        for lane in 0..LANES.min(n - first) {
            for (k, row) in solved.iter().enumerate() {
                rows[(first + lane) * n + k] = row[lane];
            }
        }
    }
    rows
}

/// Returns L Lᵀ of a factor, row by row.
fn lower_products(factor: &Cholesky) -> Vec<f64> {
    let n = factor.len();
    let lower: Vec<f64> =
        (0..n * n).map(|e| if e % n <= e / n { factor.at(e / n, e % n) } else { 0.0 }).collect();
    a_diag_b(&lower, &vec![1.0; n], &lower)
}
