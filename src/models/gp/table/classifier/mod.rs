//! A classifier of two classes: with the given settings, with fitted ones, the scan over σ², logistic regression, and retraining without
//! single rows.

mod comparison;
mod effects;
mod fit;
mod leave_out;
mod predicting;
mod preliminary;
mod restoring;
mod results;
mod solving;

use std::mem;
use std::rc::Rc;
use std::task::Poll;

use comparison::ComparisonWork;
use effects::EffectsWork;
pub use predicting::{ClassifierPredictions, PredictedRows};
pub use restoring::RestoredClassifier;
use solving::{ClassifierPosterior, ClassifierSolve};

use super::rows::TableRows;
use super::searches::Search;
use super::start_search::StartSearch;
use super::units::ClassifierUnit as Unit;
use super::{
    Classifier, ClassifierSnapshot, HyperparameterValues, Method, SolveSummary, TableSolution, TableSpec,
};
use crate::lab::labelled_table::BaselineFit;
use crate::lab::{Budget, Ending, Residual, Residuals};
use crate::models::gp::fit::STARTS;
use crate::models::gp::inducing::Inducing;
use crate::models::gp::propagation::solve::PropagationSolve;
use crate::models::gp::solver::approximation::{Approach, Effort, Solve};
use crate::models::gp::solver::hyperparameters::Hyperparameters;
use crate::models::gp::solver::prediction::Prediction;
use crate::models::gp::solver::{mean_field::MeanFieldSolver, theory::MeanFieldTheory};

/// Steps after which the estimated fraction of a solve is one half.
const TYPICAL_STEPS: usize = 40;
/// Newton solves at fitted settings at most: those without a solution are followed by others.
const MAX_FITTED_SOLVES: usize = 300;

/// The units of a classifier under way.
pub struct ClassifierWork {
    spec: TableSpec,
    rows: TableRows,
    /// Results of the earlier stages: the starts of the fit, and the classifier of all rows.
    before: ClassifierSnapshot,
    /// Settings at which the search of a fold begins: those fitted to all rows, if there are any.
    origin: Option<HyperparameterValues>,
    unit: Unit,
    activity: Activity,
    /// Optima of the fit that are left to be tried if the current one has no solution from scratch; the best one last.
    candidates: Vec<Hyperparameters>,
    /// True if the current solve is that of a preliminary result, at whose sites the next one begins.
    is_preliminary: bool,
    /// Solve of all rows, whatever its ending: retraining without a row begins there.
    all_rows: Option<Solve>,
    /// Number of complete steps in this unit, and the fraction of it that is done, an estimate.
    steps: usize,
    fraction: f64,
    snapshot: ClassifierSnapshot,
}

/// Current activity within a unit.
enum Activity {
    Begin,
    /// Searches for the fit.
    Search(Box<StartSearch>),
    /// Solves for the classifier with the given or fitted settings, or for one of the scan.
    Solve(ClassifierSolve),
    /// Predicts test rows and others; holds the predictions so far.
    Predict(ClassifierSolve, ClassifierPosterior, Vec<Prediction>),
    /// Measures the effects of the columns on test rows.
    Effects(Box<EffectsWork>),
    /// Compares inducing points with the full model.
    Compare(Box<ComparisonWork>),
    /// Solves for all rows, before this training row is left out.
    SolveAllRows(usize, Box<Solve>),
    /// Solves without a training row.
    Retrain(usize, Box<Solve>),
    Baseline(Box<BaselineFit>),
    Done,
}

impl ClassifierWork {
    /// Prepares the units of a classifier. `before` is the snapshot of the earlier stages.
    pub fn new(spec: TableSpec, rows: TableRows, before: Option<ClassifierSnapshot>) -> Self {
        Self {
            spec,
            rows,
            before: before.unwrap_or_default(),
            origin: None,
            unit: Unit::Given,
            activity: Activity::Done,
            candidates: Vec::new(),
            is_preliminary: false,
            all_rows: None,
            steps: 0,
            fraction: 0.0,
            snapshot: ClassifierSnapshot::default(),
        }
    }

    /// Sets the settings at which the search of a fold begins.
    #[must_use]
    pub fn with_origin(self, origin: Option<HyperparameterValues>) -> Self {
        Self { origin, ..self }
    }

    /// Takes over the starts of a fit.
    #[must_use]
    pub fn after_starts(self, of: &ClassifierSnapshot) -> Self {
        let starts = of.starts.iter().filter(|start| start.start < STARTS).cloned().collect();
        Self { before: ClassifierSnapshot { starts, ..ClassifierSnapshot::default() }, ..self }
    }

    /// Returns the rows of the table.
    pub fn rows(&self) -> &TableRows {
        &self.rows
    }

    /// Begins a unit.
    pub fn begin(&mut self, unit: Unit) {
        (self.unit, self.activity, self.steps, self.fraction) = (unit, Activity::Begin, 0, 0.0);
    }

    /// Makes a step of the unit; returns true after the last.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        // A partial factorisation is not counted.
        let partial = match &self.activity {
            Activity::Solve(solving) => solving.is_within_step(),
            Activity::SolveAllRows(_, solve) | Activity::Retrain(_, solve) => solve.is_within_step(),
            _ => false,
        };
        self.steps += usize::from(!partial);
        // The total number of steps is unknown.
        if !matches!(self.activity, Activity::Begin | Activity::Search(_) | Activity::Baseline(_)) {
            let searched = self.search_share();
            let solved = self.steps as f64 / (self.steps + TYPICAL_STEPS) as f64;
            self.advance_to(searched + (1.0 - searched) * solved);
        }
        let work = match mem::replace(&mut self.activity, Activity::Done) {
            Activity::Begin => self.begin_activity(),
            Activity::Search(search) => self.search(search),
            Activity::Solve(solving) => self.solve(solving, budget),
            Activity::Predict(solving, posterior, rows) => self.predict(solving, posterior, rows),
            Activity::Effects(work) => self.measure_effects(work),
            Activity::Compare(work) => self.compare(work, budget),
            Activity::SolveAllRows(row, solving) => self.solve_all_rows(row, solving),
            Activity::Retrain(row, solving) => self.retrain(row, solving),
            Activity::Baseline(fit) => self.fit_baseline(fit, budget),
            Activity::Done => 0,
        };
        budget.spend(work);
        matches!(self.activity, Activity::Done)
    }

    /// Returns the fraction of the unit that is done, an estimate.
    pub fn fraction(&self) -> f64 {
        self.fraction
    }

    fn advance_to(&mut self, fraction: f64) {
        self.fraction = self.fraction.max(fraction);
    }

    /// Describes the current activity.
    pub fn note(&self) -> String {
        match &self.activity {
            Activity::Begin | Activity::Done => "covariances".to_owned(),
            Activity::Search(_) => {
                let evaluations = self.snapshot.starts.last().map_or(0, |start| start.evaluations.len());
                format!("fitting, evaluation {}", evaluations + 1)
            }
            Activity::Solve(solving) => {
                let Effort { newton_solves, outer_iterations, .. } = solving.effort();
                match self.unit {
                    Unit::Scan(sigma2) => format!("σ² = {sigma2}"),
                    _ => format!("step {}", newton_solves + outer_iterations),
                }
            }
            Activity::Effects(_) => "effects of the columns".to_owned(),
            Activity::Compare(_) => "comparison with the full model".to_owned(),
            Activity::Baseline(_) => "logistic regression".to_owned(),
            Activity::Predict(_, _, rows) => format!("test row {}", rows.len() + 1),
            Activity::SolveAllRows(row, _) | Activity::Retrain(row, _) => {
                format!("without row {}", self.rows.table.lines[*row])
            }
        }
    }

    /// Returns the results so far.
    pub fn snapshot(&self) -> &ClassifierSnapshot {
        &self.snapshot
    }

    /// Returns the given settings with this σ².
    fn setting(&self, sigma2: f64) -> Hyperparameters {
        let TableSpec { v, kappa, .. } = self.spec;
        let inputs = self.rows.table.names.len();
        let mut kernel = self.spec.isotropic_kernel(inputs, sigma2);
        for (weight, relevance) in kernel.weights.iter_mut().zip(&self.spec.ard) {
            *weight *= relevance;
        }
        Hyperparameters { kernel, sigma2, v, kappa }
    }

    /// Returns the results of the earlier stages.
    pub fn before(&self) -> &ClassifierSnapshot {
        &self.before
    }

    /// Returns the settings of the classifier of the earlier stages, fitted or given.
    fn fitted_setting(&self) -> Hyperparameters {
        let mut setting = self.setting(self.spec.sigma2);
        if let Some((Classifier { solve, .. }, solution)) = self.before.solved() {
            let HyperparameterValues { sigma2, v, kappa } = solve.hyper;
            (setting.sigma2, setting.v, setting.kappa) = (sigma2, v, kappa);
            setting.kernel.weights.clone_from(&solution.weights);
        }
        setting
    }

    /// Returns a solve by inducing points if the table has them, otherwise of the full model.
    fn solving(&self, setting: Hyperparameters) -> ClassifierSolve {
        match self.rows.inducing {
            Some(_) => ClassifierSolve::Inducing(self.inducing_solve(&self.rows, setting)),
            None => ClassifierSolve::Full(self.full_solve(&self.rows, setting)),
        }
    }

    fn inducing_solve(&self, rows: &TableRows, setting: Hyperparameters) -> Box<PropagationSolve> {
        let inducing =
            self.rows.inducing.unwrap_or(Inducing { count: rows.train.len(), seed: self.spec.seed });
        propagation_solve(rows, setting, inducing)
    }

    fn full_solve(&self, rows: &TableRows, setting: Hyperparameters) -> Box<Solve> {
        let mean_field = |theory| {
            let solver = MeanFieldSolver::new(theory);
            let fitted = matches!(self.unit, Unit::Fitted(_));
            let max_steps = if fitted { MAX_FITTED_SOLVES } else { solver.max_steps };
            Approach::MeanField(MeanFieldSolver { max_steps, ..solver })
        };
        let approach = match self.spec.method {
            Method::Tap => mean_field(MeanFieldTheory::Tap),
            Method::Naive => mean_field(MeanFieldTheory::Naive),
            Method::Laplace => Approach::Laplace,
            Method::Parallel => Approach::Parallel { damping: self.spec.damping },
            Method::Sequential => Approach::Sequential,
        };
        Box::new(Solve::new(&rows.train, &rows.tau, setting, approach))
    }

    /// Begins the first activity of the unit; returns the work done.
    fn begin_activity(&mut self) -> u64 {
        match self.unit {
            Unit::Given => self.begin_classifier(self.setting(self.spec.sigma2)),
            Unit::Start(start) => {
                self.begin_search(self.setting(self.spec.sigma2), Search::Start(start));
            }
            Unit::Fitted(search) => self.begin_fitted(search),
            Unit::Scan(sigma2) => self.activity = Activity::Solve(self.solving(self.setting(sigma2))),
            Unit::Baseline => {
                let fit = BaselineFit::new(&self.rows.labelled(), self.spec.seed);
                self.activity = Activity::Baseline(Box::new(fit));
            }
            Unit::LeaveOut(row) => {
                // If nothing has a solution, there are no settings to retrain with.
                let settings = !self.spec.is_tuned() || self.before.solved().is_some();
                if let Some(Some(row)) = self.rows.train_index.get(row).filter(|_| settings) {
                    self.leave_out(*row);
                }
            }
        }
        (self.rows.train.len().pow(2) * self.rows.table.names.len()) as u64
    }

    /// Begins to solve for the classifier of this unit.
    fn begin_classifier(&mut self, setting: Hyperparameters) {
        let solving = self.first_solve(setting);
        let begun = Classifier {
            table: self.rows.table.clone(),
            residuals: Residuals::default(),
            solve: summary(&solving, None),
            solution: None,
            comparison: None,
        };
        self.activity = Activity::Solve(solving);
        let snapshot = &mut self.snapshot;
        let classifier =
            if let Unit::Fitted(_) = self.unit { &mut snapshot.fitted } else { &mut snapshot.given };
        *classifier = Some(begun);
    }

    /// Returns the classifier of this unit in the snapshot.
    fn classifier(&mut self) -> Option<&mut Classifier> {
        match self.unit {
            Unit::Given => self.snapshot.given.as_mut(),
            Unit::Fitted(_) => self.snapshot.fitted.as_mut(),
            _ => None,
        }
    }

    fn solve(&mut self, mut solving: ClassifierSolve, budget: &mut Budget) -> u64 {
        let Some(ended) = solving.ending() else {
            let work = solving.advance(budget);
            if let Some(classifier) = self.classifier().filter(|_| !solving.is_within_step()) {
                let Effort { newton_solves, outer_iterations, residual } = solving.effort();
                let (step, damping) = (newton_solves + outer_iterations, solving.damping());
                classifier.residuals.push(Residual { step, residual, damping });
                let scores = classifier.solve.scores.take();
                classifier.solve = SolveSummary { scores, ..summary(&solving, None) };
            }
            self.activity = Activity::Solve(solving);
            return work;
        };
        let (posterior, work) =
            if ended.is_solution() { solving.advance_posterior() } else { (Poll::Ready(None), 0) };
        let Poll::Ready(posterior) = posterior else {
            self.activity = Activity::Solve(solving);
            return work;
        };
        if self.is_preliminary && !(posterior.is_some() && self.shows_preliminary()) {
            self.refine(&solving);
            return work;
        }
        let ending = if ended.is_solution() && posterior.is_none() { Ending::NonFinite } else { ended };
        let solve = summary(&solving, Some(ending));
        let is_preliminary = self.is_preliminary;
        if let Some(classifier) = self.classifier().filter(|_| !is_preliminary) {
            classifier.end(solve.clone(), posterior.is_some());
        }
        if let Some(posterior) = posterior {
            self.activity = Activity::Predict(solving, posterior, Vec::new());
        } else if let Unit::Scan(_) = self.unit {
            self.snapshot.scan.push(solve);
        } else if let Some(setting) = self.candidates.pop() {
            self.begin_classifier(setting);
        }
        work
    }

    fn fit_baseline(&mut self, mut fit: Box<BaselineFit>, budget: &mut Budget) -> u64 {
        self.snapshot.baseline = fit.step(&self.rows.labelled(), budget);
        self.advance_to(fit.fraction());
        if self.snapshot.baseline.is_none() {
            self.activity = Activity::Baseline(fit);
        }
        0
    }
}

/// Returns the solve of `rows` by these inducing points.
fn propagation_solve(
    rows: &TableRows,
    setting: Hyperparameters,
    inducing: Inducing,
) -> Box<PropagationSolve> {
    let (train, tau) = (Rc::clone(&rows.train), Rc::new(rows.tau.clone()));
    Box::new(PropagationSolve::new(train, tau, setting, inducing))
}

/// Returns the summary of a solve, without scores.
fn summary(solving: &ClassifierSolve, ending: Option<Ending>) -> SolveSummary {
    let Effort { outer_iterations, newton_solves, residual } = solving.effort();
    let hyper = HyperparameterValues::of(solving.hyperparameters());
    SolveSummary { hyper, ending, outer_iterations, newton_solves, residual, scores: None }
}
