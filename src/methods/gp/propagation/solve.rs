//! The sweeps of expectation propagation over all rows, all sites at once, accelerated by Anderson's method and damped if the residual
//! grows.

use std::rc::Rc;
use std::task::{Poll, ready};

use super::sites::{Sites, StartSites};
use super::{PointFields, PointPosterior, PropagationPosterior, RowValues};
use crate::gp::inducing::choice::PointChoice;
use crate::gp::inducing::{Inducing, Prior, Projection, ProjectionSolve};
use crate::gp::solver::approximation::Effort;
use crate::gp::solver::hyperparameters::Hyperparameters;
use crate::gp::solver::prediction::Prediction;
use crate::gp::solver::site::Site;
use crate::math::anderson::Anderson;
use crate::math::cholesky::PartialCholesky;
use crate::math::lanes::{LANES, Lanes, dot};
use crate::math::{Budget, Ending, max_or_nan};

/// Residual at which the sites have converged: the largest change of a site in one undamped sweep, in units of the standard deviation of
/// its field.
const TOLERANCE: f64 = 1e-5;
/// Maximum number of sweeps.
const MAX_SWEEPS: usize = 200;
/// Number of earlier sweeps from which the next sites are extrapolated.
const MEMORY: usize = 5;
/// Growth of the residual from one sweep to the next above which half a step is taken and the extrapolation restarts.
const GROWTH: f64 = 2.0;
/// Residual below which the next sites are extrapolated.
const ACCELERATED: f64 = 0.3;

/// A solve, which can be paused. Pauses do not change the bits of the result.
pub struct PropagationSolve {
    rows: Rc<Vec<Vec<f64>>>,
    tau: Rc<Vec<f64>>,
    hyperparameters: Hyperparameters,
    tolerance: f64,
    /// Sites at which the sweeps begin; `None` to begin without any.
    start: Option<StartSites>,
    /// Sites of the current posterior, with their sums.
    sites: Sites,
    acceleration: Anderson,
    step: Step,
    sweeps: usize,
    /// Number of the sweep after which the solve gives up.
    last_sweep: usize,
    residual: f64,
    posterior: Option<Box<PropagationPosterior>>,
    /// True if the latest slice of work completed a sweep.
    is_at_end: bool,
}

enum Step {
    Choose(Box<PointChoice>),
    Project(ProjectionSolve),
    /// Sums the sites at which the sweeps begin; holds the number of rows summed so far.
    Sum(Projection, usize),
    /// Factors B.
    Factor(Projection, PartialCholesky),
    Sweep(Box<Sweep>),
    Done(Ending),
}

/// One sweep over the rows.
struct Sweep {
    gaussian: PointPosterior,
    /// Number of rows done.
    done: usize,
    /// Undamped new sites of the rows done.
    sites: Sites,
    values: RowValues,
    /// Sum of the terms of the log evidence, at the sites before the sweep.
    terms: f64,
    residual: f64,
}

/// A row in a sweep.
struct RowUpdate {
    /// New site, undamped.
    precision: f64,
    weighted_mean: f64,
    gamma: f64,
    lambda: f64,
    site: Site,
    /// Term of the log evidence.
    term: f64,
    residual: f64,
}

impl PropagationSolve {
    /// Prepares a solve for examples `rows` (n of N) with labels `tau` (±1, n).
    pub fn new(
        rows: Rc<Vec<Vec<f64>>>,
        tau: Rc<Vec<f64>>,
        hyperparameters: Hyperparameters,
        inducing: Inducing,
    ) -> Self {
        let prior = Prior { kernel: hyperparameters.kernel.clone(), variance: 1.0 };
        let step = Step::Choose(Box::new(PointChoice::new(prior, &rows, inducing)));
        Self {
            rows,
            tau,
            hyperparameters,
            tolerance: TOLERANCE,
            start: None,
            sites: Sites::new(0),
            acceleration: Anderson::new(MEMORY),
            step,
            sweeps: 0,
            last_sweep: MAX_SWEEPS,
            residual: f64::INFINITY,
            posterior: None,
            is_at_end: false,
        }
    }

    /// Sets the residual at which the sites have converged.
    #[cfg(test)]
    #[must_use]
    pub fn with_tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// Begins at the sites of an earlier solve with the same rows, whose inducing points and hyperparameters may differ.
    #[must_use]
    pub fn beginning_at(self, start: StartSites) -> Self {
        Self { start: Some(start), ..self }
    }

    /// Returns the current sites.
    pub fn sites(&self) -> StartSites {
        let Sites { precision, weighted_mean, .. } = &self.sites;
        StartSites { precision: precision.clone(), weighted_mean: weighted_mean.clone() }
    }

    /// Returns the approximate number of multiply–adds for `n` examples and `points` points.
    pub fn cost(n: usize, points: usize) -> f64 {
        let (n, points) = (n as f64, points as f64);
        // About fifteen sweeps of half a projection, a solve and a sum each.
        15.0 * 1.5 * points * (n + points) * (points + 40.0)
    }

    /// Returns the hyperparameters.
    pub fn hyperparameters(&self) -> &Hyperparameters {
        &self.hyperparameters
    }

    /// Returns how the solve ended; `None` while it is in progress.
    pub fn ending(&self) -> Option<Ending> {
        if let Step::Done(ending) = self.step { Some(ending) } else { None }
    }

    /// Returns the work and precision so far.
    pub fn effort(&self) -> Effort {
        Effort { outer_iterations: self.sweeps, newton_solves: 0, residual: self.residual }
    }

    /// Returns true if the latest slice of work did not complete a sweep.
    pub fn is_within_step(&self) -> bool {
        !self.is_at_end
    }

    /// Returns the posterior of the last sweep, once the solve has converged.
    pub fn take_posterior(&mut self) -> Option<Box<PropagationPosterior>> {
        self.posterior.take()
    }

    /// Continues until the budget is spent, and at most to the end of a sweep. Returns `None` until the solve ends.
    pub fn advance(&mut self, budget: &mut Budget) -> Option<Ending> {
        self.is_at_end = false;
        match self.advance_step(budget) {
            Poll::Pending => None,
            Poll::Ready(step) => {
                self.step = step;
                self.ending()
            }
        }
    }

    /// Continues the current step; returns the next one at its end.
    fn advance_step(&mut self, budget: &mut Budget) -> Poll<Step> {
        match &mut self.step {
            Step::Choose(choice) => {
                let points = ready!(choice.advance(budget));
                let prior = Prior { kernel: self.hyperparameters.kernel.clone(), variance: 1.0 };
                Poll::Ready(Step::Project(ProjectionSolve::new(prior, points)))
            }
            Step::Project(solve) => Poll::Ready(match ready!(solve.advance(budget)) {
                Some(projection) => self.first_step(projection),
                None => Step::Done(Ending::NonFinite),
            }),
            Step::Sum(projection, done) => {
                ready!(self.sites.sum(projection, &self.rows, done, budget));
                Poll::Ready(factor_step(projection.clone()))
            }
            Step::Factor(projection, factoring) => {
                let Sites { gram, moment, .. } = &self.sites;
                let element = |i: usize, j: usize| gram.at(i, j) + if i == j { 1.0 } else { 0.0 };
                let Some(factor) = ready!(factoring.advance(budget, element)) else {
                    let projection = projection.clone();
                    return Poll::Ready(self.end_without_solution(projection, Ending::NoSolution));
                };
                let mut mean = moment.clone();
                factor.solve(&mut mean);
                let gaussian = PointPosterior { projection: projection.clone(), factor, mean };
                Poll::Ready(Step::Sweep(Box::new(Sweep::new(gaussian, moment))))
            }
            Step::Sweep(sweep) => {
                let Self { rows, tau, hyperparameters, sites, .. } = self;
                if !sweep.advance(rows, tau, hyperparameters, sites, budget) {
                    return Poll::Pending;
                }
                Poll::Ready(self.end_sweep())
            }
            Step::Done(ending) => Poll::Ready(Step::Done(*ending)),
        }
    }

    /// Sets the sites at which the sweeps begin; returns the step that follows.
    fn first_step(&mut self, projection: Projection) -> Step {
        let n = self.rows.len();
        let sums = Sites::new(projection.len());
        if let Some(StartSites { precision, weighted_mean }) =
            self.start.clone().filter(|start| start.precision.len() == n)
        {
            self.sites = Sites { precision, weighted_mean, ..sums };
            return Step::Sum(projection, 0);
        }
        let zeros = vec![0.0; n];
        self.sites = Sites { precision: zeros.clone(), weighted_mean: zeros, ..sums };
        factor_step(projection)
    }

    /// Returns the first step without sites if the sweeps have begun at some: those of other points may be impossible with these, since
    /// with flips precisions may be negative. Returns the end otherwise.
    fn end_without_solution(&mut self, projection: Projection, ending: Ending) -> Step {
        if self.start.take().is_none() {
            return Step::Done(ending);
        }
        self.last_sweep = self.sweeps + MAX_SWEEPS;
        self.residual = f64::INFINITY;
        self.acceleration.clear();
        self.first_step(projection)
    }

    fn end_sweep(&mut self) -> Step {
        let taken = std::mem::replace(&mut self.step, Step::Done(Ending::NonFinite));
        let Step::Sweep(sweep) = taken else { return taken };
        let Sweep { gaussian, sites: mut new, values, terms, residual, .. } = *sweep;
        self.sweeps += 1;
        self.is_at_end = true;
        let grows = residual > GROWTH * self.residual;
        self.residual = residual;
        if !residual.is_finite() {
            return self.end_without_solution(gaussian.projection, Ending::NonFinite);
        }
        if residual <= self.tolerance {
            let ln_evidence = terms - 0.5 * gaussian.factor.ln_det();
            let hyperparameters = self.hyperparameters.clone();
            let posterior = PropagationPosterior { hyperparameters, gaussian, rows: values, ln_evidence };
            self.posterior = Some(Box::new(posterior));
            return Step::Done(if ln_evidence.is_finite() { Ending::Converged } else { Ending::NonFinite });
        }
        if self.sweeps == self.last_sweep {
            return self.end_without_solution(gaussian.projection, Ending::MaxIterations);
        }
        new.gram.flush();
        self.follow(&new, grows);
        factor_step(gaussian.projection)
    }

    /// Sets the sites that follow the current ones, given the `new` ones of an undamped sweep: half a step if the residual `grows`, an
    /// extrapolation close to the solution, and otherwise the new ones.
    fn follow(&mut self, new: &Sites, grows: bool) {
        let (old, mut next) = (self.sites.to_vec(), new.to_vec());
        if grows {
            self.acceleration.clear();
            next.iter_mut().zip(&old).for_each(|(new, old)| *new = 0.5 * (*new + old));
        } else if self.residual < ACCELERATED {
            let extrapolated = self.acceleration.next(&old, next.clone());
            // The precision of a site is at least 0 without flips, and may be negative with them.
            let least = |all: &[f64]| all[..self.rows.len()].iter().copied().fold(0.0, f64::min);
            if least(&extrapolated) >= 2.0 * least(&next) {
                next = extrapolated;
            }
        }
        self.sites.set(&next);
    }
}

fn factor_step(projection: Projection) -> Step {
    let factoring = PartialCholesky::positive_definite(projection.len());
    Step::Factor(projection, factoring)
}

impl Sweep {
    /// Prepares a sweep with the posterior of the current sites; `moment` is their Σ ν v.
    fn new(gaussian: PointPosterior, moment: &[f64]) -> Self {
        let m = gaussian.projection.len();
        Self {
            terms: 0.5 * dot(&gaussian.mean, moment),
            gaussian,
            done: 0,
            sites: Sites::new(m),
            values: RowValues::default(),
            residual: 0.0,
        }
    }

    /// Updates sites until the budget is spent; returns true after the last.
    fn advance(
        &mut self,
        rows: &[Vec<f64>],
        tau: &[f64],
        hyperparameters: &Hyperparameters,
        old: &Sites,
        budget: &mut Budget,
    ) -> bool {
        let points = self.gaussian.projection.len();
        let work = self.gaussian.cost() + (LANES * points * points / 2) as u64;
        while self.done < rows.len() {
            let end = (self.done + LANES).min(rows.len());
            let fields = self.gaussian.fields(&rows[self.done..end]);
            let (mut precision, mut weighted_mean): (Lanes, Lanes) = ([0.0; LANES], [0.0; LANES]);
            for lane in 0..end - self.done {
                let i = self.done + lane;
                let site = (old.precision[i], old.weighted_mean[i]);
                let update = RowUpdate::new(&fields, lane, site, tau[i], hyperparameters);
                (precision[lane], weighted_mean[lane]) = (update.precision, update.weighted_mean);
                self.sites.precision.push(update.precision);
                self.sites.weighted_mean.push(update.weighted_mean);
                self.record(&update, hyperparameters.kappa);
            }
            self.sites.add(&fields.projected.white, &precision, &weighted_mean);
            self.done = end;
            if !budget.spend(work) && end < rows.len() {
                return false;
            }
        }
        true
    }

    fn record(&mut self, update: &RowUpdate, kappa: f64) {
        let RowUpdate { gamma, lambda, site, term, residual, .. } = update;
        self.terms += term;
        self.residual = max_or_nan(self.residual, *residual);
        let values = &mut self.values;
        values.x.push(site.x);
        values.gamma.push(*gamma);
        values.lambda.push(*lambda);
        values.h.push(gamma + lambda * site.x);
        values.left_out.push(Prediction::of_noisy_field(*gamma, *lambda, kappa));
        values.ln_loo += site.ln_z0;
    }
}

impl RowUpdate {
    /// Returns the update of the row in a `lane` with the `old` site.
    fn new(
        fields: &PointFields,
        lane: usize,
        old: (f64, f64),
        tau: f64,
        hyperparameters: &Hyperparameters,
    ) -> Self {
        let (mean, var) = (fields.mean[lane], fields.var[lane]);
        let (old_precision, old_weighted) = old;
        // Without the site: CO02 §3.
        let left = 1.0 - old_precision * var;
        let (gamma, cavity) = ((mean - old_weighted * var) / left, var / left);
        let lambda = cavity + fields.projected.residual[lane] + hyperparameters.v;
        let site = Site::at(gamma, lambda, tau, hyperparameters.kappa);
        let rest = 1.0 - site.w * cavity;
        let (precision, weighted_mean) = (site.w / rest, (site.x + site.w * gamma) / rest);
        // ln of the ratio of the averaged likelihood and the averaged site.
        let spread = 1.0 + old_precision * cavity;
        let exponent =
            2.0 * gamma * old_weighted + cavity * old_weighted * old_weighted - old_precision * gamma * gamma;
        let term = site.ln_z0 + 0.5 * libm::log(spread) - 0.5 * exponent / spread;
        let root = var.max(0.0).sqrt();
        let change_of_mean =
            ((weighted_mean - old_weighted) - (precision - old_precision) * mean).abs() * root;
        let residual = max_or_nan((precision - old_precision).abs() * var, change_of_mean);
        Self { precision, weighted_mean, gamma, lambda, site, term, residual }
    }
}
