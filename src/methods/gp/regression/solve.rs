//! The computation of the posterior, and of the log evidence with its gradient, in slices of work.

use std::rc::Rc;
use std::task::{Poll, ready};

use super::{EvidenceGradient, RegressionModel, RegressionPosterior};
use crate::math::Budget;
use crate::math::cholesky::PartialCholesky;
use crate::math::cholesky::inverse::Inversion;

/// Smallest noise variance, relative to the trace of a² K, that is not lost in the rounding of C.
const RESOLUTION: f64 = 1e-14;
/// Multiply–adds of a covariance, besides those for its inputs.
const COVARIANCE: u64 = 20;

/// The computation of a posterior. Pauses do not change the bits of the result.
pub struct RegressionSolve {
    model: RegressionModel,
    rows: Rc<Vec<Vec<f64>>>,
    targets: Rc<Vec<f64>>,
    /// Lower triangle of K, m×m, row by row.
    k: Vec<f64>,
    /// Number of rows of `k` that are computed.
    filled: usize,
    factoring: PartialCholesky,
}

impl RegressionSolve {
    /// Prepares the posterior given inputs `rows` (m of N) and `targets` (m).
    pub fn new(rows: Rc<Vec<Vec<f64>>>, targets: Rc<Vec<f64>>, model: RegressionModel) -> Self {
        let m = rows.len();
        let factoring = PartialCholesky::positive_definite(m);
        Self { model, rows, targets, k: vec![0.0; m * m], filled: 0, factoring }
    }

    /// Continues until the budget is spent. Returns the posterior when it is complete; `None` if C is not positive definite in double
    /// precision, or if the noise is lost in its rounding.
    pub fn advance(&mut self, budget: &mut Budget) -> Poll<Option<RegressionPosterior>> {
        let m = self.rows.len();
        while self.filled < m {
            let i = self.filled;
            for j in 0..=i {
                self.k[i * m + j] = self.model.kernel.covariance(&self.rows[i], &self.rows[j]);
            }
            self.filled += 1;
            if !budget.spend((i as u64 + 1) * (self.rows[i].len() as u64 + COVARIANCE)) {
                return Poll::Pending;
            }
        }
        let (k, noise) = (&self.k, self.model.noise_variance());
        let variance = self.model.amplitude * self.model.amplitude;
        let element = |i: usize, j: usize| variance * k[i * m + j] + if i == j { noise } else { 0.0 };
        let factor = ready!(self.factoring.advance(budget, element));
        let trace: f64 = (0..m).map(|i| variance * k[i * m + i]).sum();
        let Some(factor) = factor.filter(|_| noise >= RESOLUTION * trace) else { return Poll::Ready(None) };
        let mut alpha = self.targets.to_vec();
        factor.solve(&mut alpha);
        let (rows, targets) = (Rc::clone(&self.rows), Rc::clone(&self.targets));
        Poll::Ready(Some(RegressionPosterior { model: self.model.clone(), rows, targets, factor, alpha }))
    }
}

/// A log evidence, or a lower bound of it, and its gradient.
pub(super) struct Evidence {
    /// Value, nats.
    pub value: f64,
    /// Gradient.
    pub gradient: EvidenceGradient,
}

/// The computation of a log evidence and its gradient. Pauses do not change the bits of the result.
pub(super) struct EvidenceSolve {
    solve: RegressionSolve,
    /// The posterior and the inverse of its C, once the posterior is complete.
    inversion: Option<Box<(RegressionPosterior, Inversion)>>,
}

impl EvidenceSolve {
    /// Prepares the log evidence of `model` given inputs `rows` (m of N) and `targets` (m).
    pub(super) fn new(rows: Rc<Vec<Vec<f64>>>, targets: Rc<Vec<f64>>, model: RegressionModel) -> Self {
        Self { solve: RegressionSolve::new(rows, targets, model), inversion: None }
    }

    /// Returns the approximate number of multiply–adds for `m` examples.
    pub(super) fn cost(m: usize) -> f64 {
        let m = m as f64;
        m * m * (2.0 * m / 3.0 + 40.0)
    }

    /// Returns the model.
    pub(super) fn model(&self) -> &RegressionModel {
        &self.solve.model
    }

    /// Continues until the budget is spent. Returns the log evidence when it is complete; `None` if there is no posterior.
    pub(super) fn advance(&mut self, budget: &mut Budget) -> Poll<Option<Evidence>> {
        if self.inversion.is_none() {
            let Some(posterior) = ready!(self.solve.advance(budget)) else { return Poll::Ready(None) };
            self.inversion = Some(Box::new((posterior, Inversion::default())));
        }
        let Some(inversion) = &mut self.inversion else { return Poll::Ready(None) };
        let (posterior, inverse) = &mut **inversion;
        if !inverse.advance(&posterior.factor, budget) {
            return Poll::Pending;
        }
        let inverse = std::mem::take(inverse).into_inverse();
        let m = posterior.len() as u64;
        budget.spend(m * m * (posterior.model.kernel.weights.len() as u64 + COVARIANCE) / 2);
        let gradient = posterior.gradient_from(&self.solve.k, &inverse);
        Poll::Ready(Some(Evidence { value: posterior.ln_evidence(), gradient }))
    }
}
