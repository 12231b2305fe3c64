//! The work on one model: a search for its hyperparameters if there is one, its posterior, and the results of the posterior.

use std::rc::Rc;
use std::task::Poll;

use super::rows::RegressionRows;
use super::{EvidenceSearch, ModelValues, RegressionSolution, SolvedModel};
use crate::lab::Budget;
use crate::lab::labelled_table::RowPredictions;
use crate::lab::labelled_table::numeric::{NumericSummary, PredictedTarget};
use crate::models::gp::inducing::Inducing;
use crate::models::gp::inducing_points::preliminary;
use crate::models::gp::regression::bound::BoundPosterior;
use crate::models::gp::regression::fit::{EvidenceFit, Fitted};
use crate::models::gp::regression::target::{TargetLeaveOut, TargetPosterior, TargetSolve};
use crate::models::gp::regression::{Normal, RegressionModel};

/// Number of rows that are predicted together.
const BLOCK: usize = 8;
/// Share of the work that a preliminary result takes.
const PRELIMINARY_SHARE: f64 = 0.05;

/// The work on one model.
pub struct ModelWork {
    rows: Rc<RegressionRows>,
    step: ModelStep,
    search: Option<EvidenceSearch>,
    /// Result by few inducing points, until that with all of them has predicted all rows.
    preliminary: Option<SolvedModel>,
    solved: Option<SolvedModel>,
    /// Mean and variance of new targets at the first rows to predict.
    predicted: Vec<Normal>,
    left_out: Vec<Normal>,
    seed: u64,
    /// Model of which the current posterior is that of the preliminary result; `None` if it is that with all inducing points.
    refined: Option<RegressionModel>,
    /// True if the training rows are predicted without themselves.
    leaves_out: bool,
}

/// The next step of the work.
enum ModelStep {
    Search(Box<EvidenceFit>),
    Solve(TargetSolve),
    LeaveOut(TargetPosterior, TargetLeaveOut),
    Predict(TargetPosterior),
    Effects(TargetPosterior),
    Done,
}

impl ModelWork {
    /// Prepares the posterior of `model`. `seed` permutes the columns for their effects.
    pub fn solve(rows: Rc<RegressionRows>, model: RegressionModel, seed: u64) -> Self {
        let mut work = Self::new(rows, seed);
        work.step = work.open(model, work.rows.inducing);
        work
    }

    /// Prepares the posterior of `model` with a preliminary result before it, if it takes long.
    pub fn solve_in_two_stages(rows: Rc<RegressionRows>, model: RegressionModel, seed: u64) -> Self {
        let first = preliminary(rows.inducing, rows.len());
        let mut work = Self::solve(rows, model.clone(), seed);
        if first.is_some() {
            work.step = work.open(model.clone(), first);
            work.refined = Some(model);
        }
        work
    }

    /// Prepares a search, and the posterior of its best model.
    pub fn search(rows: Rc<RegressionRows>, fit: EvidenceFit, seed: u64) -> Self {
        let mut work = Self::new(rows, seed);
        work.search = Some(EvidenceSearch {
            rows: fit.rows(),
            is_bound: fit.is_bound(),
            start: fit.start(),
            ..EvidenceSearch::default()
        });
        work.step = ModelStep::Search(Box::new(fit));
        work
    }

    fn new(rows: Rc<RegressionRows>, seed: u64) -> Self {
        Self {
            rows,
            step: ModelStep::Done,
            search: None,
            preliminary: None,
            solved: None,
            predicted: Vec::new(),
            left_out: Vec::new(),
            seed,
            refined: None,
            leaves_out: true,
        }
    }

    /// Omits the leave-one-out predictions of the training rows, which take about as long as the posterior.
    #[must_use]
    pub fn without_left_out(self) -> Self {
        Self { leaves_out: false, ..self }
    }

    /// Returns the search so far, if there is one.
    pub fn searched(&self) -> Option<&EvidenceSearch> {
        self.search.as_ref()
    }

    /// Returns the model or its preliminary result; `None` before it has predicted all rows.
    pub fn solved(&self) -> Option<&SolvedModel> {
        let has_predicted = matches!(self.step, ModelStep::Effects(_) | ModelStep::Done);
        if has_predicted { self.solved.as_ref() } else { self.preliminary.as_ref() }
    }

    /// Works for a slice; returns true when the work is done.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        self.step = match std::mem::replace(&mut self.step, ModelStep::Done) {
            ModelStep::Search(fit) => self.continue_search(fit, budget),
            ModelStep::Solve(mut solve) => match solve.advance(budget) {
                Poll::Pending => ModelStep::Solve(solve),
                Poll::Ready(posterior) => self.take(posterior),
            },
            ModelStep::LeaveOut(posterior, mut left_out) => {
                match left_out.advance(&posterior, &self.rows.examples, budget) {
                    None => ModelStep::LeaveOut(posterior, left_out),
                    Some(predicted) => {
                        self.left_out = predicted;
                        ModelStep::Predict(posterior)
                    }
                }
            }
            ModelStep::Predict(posterior) => self.predict(posterior, budget),
            ModelStep::Effects(posterior) => self.effects(&posterior, budget),
            ModelStep::Done => ModelStep::Done,
        };
        matches!(self.step, ModelStep::Done)
    }

    /// Returns the estimated fraction done.
    pub fn fraction(&self) -> f64 {
        let before = if self.search.is_some() { 0.8 } else { 0.0 };
        let share = match &self.step {
            ModelStep::Search(fit) => return before * fit.fraction(),
            ModelStep::Solve(solve) => 0.3 * solve.fraction(),
            ModelStep::LeaveOut(..) => 0.3,
            ModelStep::Predict(_) => {
                0.6 + 0.3 * self.predicted.len() as f64 / self.rows.rows.queries.len().max(1) as f64
            }
            ModelStep::Effects(_) => 0.95,
            ModelStep::Done => 1.0,
        };
        // A preliminary result takes a small part of the time.
        let share = match (&self.refined, &self.preliminary) {
            (Some(_), _) => PRELIMINARY_SHARE * share,
            (None, Some(_)) => PRELIMINARY_SHARE + (1.0 - PRELIMINARY_SHARE) * share,
            (None, None) => share,
        };
        before + (1.0 - before) * share
    }

    /// Describes the current step.
    pub fn note(&self) -> String {
        match &self.step {
            ModelStep::Search(fit) => format!("evaluation {}", fit.trace().len() + 1),
            ModelStep::Solve(_) => "posterior".to_owned(),
            ModelStep::LeaveOut(..) => "leave-one-out".to_owned(),
            ModelStep::Predict(_) => format!("prediction {}", self.predicted.len() + 1),
            ModelStep::Effects(_) | ModelStep::Done => "effects of the columns".to_owned(),
        }
    }

    fn open(&mut self, model: RegressionModel, inducing: Option<Inducing>) -> ModelStep {
        let values = ModelValues::of(&model);
        self.solved = Some(SolvedModel { values, rows: self.rows.len(), ..SolvedModel::default() });
        ModelStep::Solve(TargetSolve::new(self.rows.examples.clone(), model, inducing))
    }

    fn continue_search(&mut self, mut fit: Box<EvidenceFit>, budget: &mut Budget) -> ModelStep {
        let done = fit.advance(budget);
        if let Some(search) = &mut self.search {
            record(search, &fit);
        }
        if !done {
            return ModelStep::Search(fit);
        }
        match fit.best() {
            Some(best) => self.open(best.model.clone(), self.rows.inducing),
            None => ModelStep::Done,
        }
    }

    fn take(&mut self, posterior: Option<TargetPosterior>) -> ModelStep {
        let Some((solved, posterior)) = self.solved.as_mut().zip(posterior) else {
            // The other posterior may exist.
            return self.refined.take().map_or(ModelStep::Done, |model| self.open(model, self.rows.inducing));
        };
        let ln_evidence = posterior.ln_evidence();
        let bound = posterior.bound();
        solved.points = bound.map(BoundPosterior::points);
        let unexplained = bound.map_or(0.0, BoundPosterior::unexplained);
        solved.solution =
            Some(RegressionSolution { ln_evidence, unexplained, ..RegressionSolution::default() });
        if self.leaves_out {
            ModelStep::LeaveOut(posterior, TargetLeaveOut::default())
        } else {
            ModelStep::Predict(posterior)
        }
    }

    fn predict(&mut self, posterior: TargetPosterior, budget: &mut Budget) -> ModelStep {
        let noise = posterior.model().noise_variance();
        let queries = &self.rows.rows.queries;
        while self.predicted.len() < queries.len() {
            let block: Vec<&[f64]> =
                queries[self.predicted.len()..].iter().take(BLOCK).map(Vec::as_slice).collect();
            let predicted = posterior.predict_block(&block);
            self.predicted.extend(predicted.into_iter().map(|f| Normal { var: f.var + noise, ..f }));
            if !budget.spend(posterior.block_cost()) && self.predicted.len() < queries.len() {
                return ModelStep::Predict(posterior);
            }
        }
        let predictions = self.predictions();
        if let Some(solution) = self.solved.as_mut().and_then(|solved| solved.solution.as_mut()) {
            solution.predictions = predictions;
        }
        if let Some(model) = self.refined.take() {
            let shown = self.solved.take();
            self.preliminary = shown.map(|model| SolvedModel { is_preliminary: true, ..model });
            (self.predicted, self.left_out) = (Vec::new(), Vec::new());
            return self.open(model, self.rows.inducing);
        }
        ModelStep::Effects(posterior)
    }

    /// Returns the predictions; those of all rows that are not training rows count as test rows until [`split`] divides them.
    fn predictions(&self) -> RowPredictions<PredictedTarget> {
        let in_units = |rows: &[Normal]| rows.iter().map(|row| self.rows.in_units(*row)).collect();
        RowPredictions {
            left_out: in_units(&self.left_out),
            test: in_units(&self.predicted),
            ..RowPredictions::default()
        }
    }

    fn effects(&mut self, posterior: &TargetPosterior, budget: &mut Budget) -> ModelStep {
        let Self { rows, solved, seed, .. } = self;
        let width = rows.width().max(1);
        let held_out = &rows.rows.held_out;
        let evaluations = held_out.rows().len() * (2 * width + 1);
        budget.spend((evaluations * posterior.covariances() * (width + 20)) as u64);
        let effects = held_out
            .effects(*seed, |inputs| rows.held_out_errors(&posterior.means(inputs.chunks_exact(width))));
        let dependence = held_out.dependence(&effects, |inputs| {
            let inputs: Vec<&[f64]> = inputs.chunks_exact(width).collect();
            let PredictedTarget { mean, sd } = rows.in_units(posterior.average(&inputs));
            (mean, sd)
        });
        if let Some(solution) = solved.as_mut().and_then(|solved| solved.solution.as_mut()) {
            (solution.effects, solution.dependence) = (effects, dependence);
        }
        ModelStep::Done
    }
}

/// Copies the state of a search.
pub fn record(search: &mut EvidenceSearch, fit: &EvidenceFit) {
    search.trace = fit.trace().iter().map(|value| Some(*value).filter(|value| value.is_finite())).collect();
    search.best = fit.best().map(|Fitted { model, ln_evidence }| (ModelValues::of(model), *ln_evidence));
    search.ending = fit.ending();
}

/// Divides the predicted rows of a model into test rows, rows without a target and rows of the second file.
pub fn split(mut model: SolvedModel, tests: usize, table: &NumericSummary) -> SolvedModel {
    if let Some(solution) = &mut model.solution {
        let rows = &mut solution.predictions;
        rows.unlabelled = rows.test.split_off(tests.min(rows.test.len()));
        rows.second = rows.unlabelled.split_off(table.unlabelled.len().min(rows.unlabelled.len()));
    }
    model
}
