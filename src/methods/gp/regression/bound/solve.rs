//! The computation of the posterior with inducing points and of the bound, in slices of work.

use std::f64::consts::TAU;
use std::mem;
use std::rc::Rc;
use std::task::{Poll, ready};

use super::{BoundPosterior, Sums};
use crate::gp::inducing::{Prior, ProjectedRows, Projection, ProjectionSolve};
use crate::gp::regression::RegressionModel;
use crate::math::Budget;
use crate::math::cholesky::{Cholesky, PartialCholesky};
use crate::math::gram::WeightedGram;
use crate::math::lanes::{LANES, dot};

/// The computation of a posterior. Pauses do not change the bits of the result.
pub struct BoundSolve {
    pub(super) model: RegressionModel,
    pub(super) rows: Rc<Vec<Vec<f64>>>,
    pub(super) targets: Rc<Vec<f64>>,
    step: Step,
}

enum Step {
    Project(ProjectionSolve),
    Sum(Projection, RowSums),
    Factor(Projection, RowSums, PartialCholesky),
    Done,
}

/// Sums over the rows so far.
struct RowSums {
    /// Number of rows.
    done: usize,
    gram: WeightedGram,
    /// V t, M.
    moment: Vec<f64>,
    prior: f64,
    residual: f64,
}

impl BoundSolve {
    /// Prepares the posterior given inputs `rows` (n of N) and `targets` (n) by inducing `points` (M of N).
    pub fn new(
        rows: Rc<Vec<Vec<f64>>>,
        targets: Rc<Vec<f64>>,
        model: RegressionModel,
        points: Rc<Vec<Vec<f64>>>,
    ) -> Self {
        let step = Step::Project(ProjectionSolve::new(prior(&model), points));
        Self { model, rows, targets, step }
    }

    /// Returns the approximate number of multiply–adds for `n` examples and `points` points.
    pub fn cost(n: usize, points: usize) -> f64 {
        let (n, points) = (n as f64, points as f64);
        points * (n + points) * (points + 40.0)
    }

    /// Returns the fraction done.
    pub fn fraction(&self) -> f64 {
        match &self.step {
            Step::Project(_) => 0.0,
            Step::Sum(_, sums) => sums.done as f64 / self.rows.len().max(1) as f64,
            Step::Factor(..) | Step::Done => 1.0,
        }
    }

    /// Continues until the budget is spent. Returns the posterior when it is complete; `None` if it cannot be computed in double
    /// precision.
    pub fn advance(&mut self, budget: &mut Budget) -> Poll<Option<BoundPosterior>> {
        loop {
            match &mut self.step {
                Step::Project(solve) => {
                    let Some(projection) = ready!(solve.advance(budget)) else { return Poll::Ready(None) };
                    let m = projection.len();
                    let (gram, moment) = (WeightedGram::new(m), vec![0.0; m]);
                    let sums = RowSums { done: 0, gram, moment, prior: 0.0, residual: 0.0 };
                    self.step = Step::Sum(projection, sums);
                }
                Step::Sum(projection, sums) => {
                    if !sums.advance(projection, &self.rows, &self.targets, budget) {
                        return Poll::Pending;
                    }
                    self.open_factor();
                }
                Step::Factor(_, sums, factoring) => {
                    let per_noise = 1.0 / self.model.noise_variance();
                    let element =
                        |i: usize, j: usize| per_noise * sums.gram.at(i, j) + if i == j { 1.0 } else { 0.0 };
                    let factor = ready!(factoring.advance(budget, element));
                    let posterior = factor.and_then(|factor| self.posterior(factor));
                    return Poll::Ready(posterior.filter(|posterior| posterior.bound.is_finite()));
                }
                Step::Done => return Poll::Ready(None),
            }
        }
    }

    fn open_factor(&mut self) {
        if let Step::Sum(projection, mut sums) = mem::replace(&mut self.step, Step::Done) {
            sums.gram.flush();
            let factoring = PartialCholesky::positive_definite(projection.len());
            self.step = Step::Factor(projection, sums, factoring);
        }
    }

    fn posterior(&mut self, factor: Cholesky) -> Option<BoundPosterior> {
        let Step::Factor(projection, sums, _) = mem::replace(&mut self.step, Step::Done) else { return None };
        let (m, noise) = (projection.len(), self.model.noise_variance());
        let mut white_mean: Vec<f64> = sums.moment.iter().map(|x| x / noise).collect();
        factor.solve(&mut white_mean);
        let mut mean_weights = white_mean.clone();
        projection.factor().solve_upper(&mut mean_weights);
        let by_gram = |i: usize| (0..m).map(|j| sums.gram.at(i, j) * white_mean[j]).sum::<f64>();
        let sums = Sums {
            targets: dot(&self.targets, &self.targets),
            prior: sums.prior,
            residual: sums.residual,
            explained: dot(&white_mean, &sums.moment),
            fitted: (0..m).map(|i| white_mean[i] * by_gram(i)).sum(),
        };
        // T09 eq. (9): ln N(t | 0, Q + s² I) − tr(K − Q)/(2 s²) with Q = Vᵀ V.
        let fit = (sums.targets - sums.explained + sums.residual) / noise;
        let bound = -0.5 * (self.rows.len() as f64 * libm::log(TAU * noise) + factor.ln_det() + fit);
        let (model, rows) = (self.model.clone(), self.rows.len());
        Some(BoundPosterior { model, projection, rows, factor, white_mean, mean_weights, bound, sums })
    }
}

impl RowSums {
    /// Adds rows until the budget is spent; returns true after the last.
    fn advance(
        &mut self,
        projection: &Projection,
        rows: &[Vec<f64>],
        targets: &[f64],
        budget: &mut Budget,
    ) -> bool {
        let points = projection.len();
        let work = projection.cost() + (LANES * points * points / 2) as u64;
        while self.done < rows.len() {
            let end = (self.done + LANES).min(rows.len());
            let ProjectedRows { white, prior, residual } = projection.project(&rows[self.done..end]);
            self.gram.add(&white, &[1.0; LANES]);
            let mut t = [0.0; LANES];
            t.iter_mut().zip(&targets[self.done..end]).for_each(|(t, target)| *t = *target);
            for (sum, v) in self.moment.iter_mut().zip(&white) {
                *sum += (0..LANES).map(|lane| v[lane] * t[lane]).sum::<f64>();
            }
            self.prior += prior.iter().sum::<f64>();
            self.residual += residual.iter().sum::<f64>();
            self.done = end;
            if !budget.spend(work) && end < rows.len() {
                return false;
            }
        }
        true
    }
}

/// Returns the prior of a model.
pub(in crate::gp::regression) fn prior(model: &RegressionModel) -> Prior {
    Prior { kernel: model.kernel.clone(), variance: model.amplitude * model.amplitude }
}
