//! A classifier of two classes: the starts of its fit, the classifier, the scan over σ², logistic regression, and retraining without
//! single rows.

mod leave_out;

use std::mem;
use std::task::Poll;

use super::rows::TableRows;
use super::start_search::{StartSearch, candidates};
use super::units::ClassifierUnit as Unit;
use super::{
    Classifier, ClassifierSnapshot, FitBy, FitEnd, FitStart, HyperparameterValues, Method, SolutionScores,
    SolveSummary, TableSolution, TableSpec,
};
use crate::lab::labelled_table::{BaselineFit, RowPredictions};
use crate::lab::{Budget, Ending, Residual, Residuals};
use crate::models::gp::solver::approximation::{Approach, Effort, Solve};
use crate::models::gp::solver::hyperparameters::Hyperparameters;
use crate::models::gp::solver::kernel::Kernel;
use crate::models::gp::solver::posterior::Posterior;
use crate::models::gp::solver::prediction::Prediction;
use crate::models::gp::solver::solution::Solution;
use crate::models::gp::solver::{mean_field::MeanFieldSolver, theory::Theory};

/// Steps after which the estimated fraction of a solve is one half.
const TYPICAL_STEPS: usize = 40;

/// The units of a classifier under way.
pub struct ClassifierWork {
    spec: TableSpec,
    rows: TableRows,
    /// Results of the earlier stages: the starts of the fit, and the classifier of all rows.
    before: ClassifierSnapshot,
    unit: Unit,
    activity: Activity,
    /// Optima of the fit that are left to be tried if the current one has no solution from scratch; the best one last.
    candidates: Vec<Hyperparameters>,
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
    /// Searches from a start of the fit.
    Search(Box<StartSearch>),
    /// Solves for the main classifier or one of the scan.
    Solve(Box<Solve>),
    /// Predicts test rows and others, so many so far.
    Predict(Box<Solve>, Box<Posterior>, Vec<Prediction>),
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
            unit: Unit::Main,
            activity: Activity::Done,
            candidates: Vec::new(),
            all_rows: None,
            steps: 0,
            fraction: 0.0,
            snapshot: ClassifierSnapshot::default(),
        }
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
        let partial = matches!(
            &self.activity,
            Activity::Solve(s) | Activity::SolveAllRows(_, s) | Activity::Retrain(_, s) if s.is_within_step()
        );
        self.steps += usize::from(!partial);
        // The total number of steps is unknown.
        if !matches!(self.activity, Activity::Search(_) | Activity::Baseline(_)) {
            self.advance_to(self.steps as f64 / (self.steps + TYPICAL_STEPS) as f64);
        }
        let work = match mem::replace(&mut self.activity, Activity::Done) {
            Activity::Begin => self.begin_activity(),
            Activity::Search(search) => self.search(search),
            Activity::Solve(solving) => self.solve(solving),
            Activity::Predict(solving, posterior, rows) => self.predict(solving, posterior, rows),
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
        let TableSpec { v, kappa, period, .. } = self.spec;
        let inputs = self.rows.table.names.len();
        let mut kernel = Kernel::isotropic(self.spec.kernel, inputs, sigma2).with_period(period);
        for (weight, relevance) in kernel.weights.iter_mut().zip(&self.spec.ard) {
            *weight *= relevance;
        }
        Hyperparameters { kernel, sigma2, v, kappa }
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

    fn solving(&self, setting: Hyperparameters) -> Box<Solve> {
        let approach = match self.spec.method {
            Method::Tap => Approach::MeanField(MeanFieldSolver::new(Theory::Tap)),
            Method::Naive => Approach::MeanField(MeanFieldSolver::new(Theory::Naive)),
            Method::Laplace => Approach::Laplace,
            Method::Parallel => Approach::Parallel { damping: self.spec.damping },
            Method::Sequential => Approach::Sequential,
        };
        Box::new(Solve::new(&self.rows.train, &self.rows.tau, setting, approach))
    }

    /// Begins the first activity of the unit; returns the work done.
    fn begin_activity(&mut self) -> u64 {
        match self.unit {
            Unit::Start(start) => self.begin_search(start),
            Unit::Main => self.begin_main(),
            Unit::Scan(sigma2) => self.activity = Activity::Solve(self.solving(self.setting(sigma2))),
            Unit::Baseline => {
                let fit = BaselineFit::new(&self.rows.labelled(), self.spec.seed);
                self.activity = Activity::Baseline(Box::new(fit));
            }
            Unit::LeaveOut(row) => {
                // Without a fitted classifier there are no settings to retrain with.
                let settings = self.spec.fit == FitBy::Nothing || self.before.solved().is_some();
                if let Some(Some(row)) = self.rows.train_index.get(row).filter(|_| settings) {
                    self.leave_out(*row);
                }
            }
        }
        (self.rows.train.len().pow(2) * self.rows.table.names.len()) as u64
    }

    fn begin_search(&mut self, start: usize) {
        let search = StartSearch::new(&self.spec, &self.rows, self.setting(self.spec.sigma2), start);
        let end = match search {
            Ok(search) => {
                self.activity = Activity::Search(Box::new(search));
                None
            }
            Err(refusal) => Some(FitEnd { message: refusal.to_string(), failed: true, optimum: None }),
        };
        self.snapshot.starts.push(FitStart { start, evaluations: Vec::new(), end });
    }

    fn begin_main(&mut self) {
        let given = self.setting(self.spec.sigma2);
        let starts = [self.before.starts.as_slice(), &self.snapshot.starts].concat();
        self.candidates = candidates(&starts, &given.kernel);
        // If no start has an optimum, the given settings have no solution, and this solve reports it.
        let setting = self.candidates.pop().unwrap_or(given);
        let solving = self.solving(setting);
        self.snapshot.main = Some(Classifier {
            table: self.rows.table.clone(),
            residuals: Residuals::default(),
            solve: summary(&solving, None),
            solution: None,
        });
        self.activity = Activity::Solve(solving);
    }

    fn search(&mut self, mut search: Box<StartSearch>) -> u64 {
        let ended = search.advance();
        self.advance_to(search.fraction());
        if let Some(start) = self.snapshot.starts.last_mut() {
            start.evaluations.extend(search.new_evaluations());
            start.end = ended.then(|| search.end());
        }
        if !ended {
            self.activity = Activity::Search(search);
        }
        // The search works in slices.
        Budget::SLICE
    }

    fn solve(&mut self, mut solving: Box<Solve>) -> u64 {
        let Some(ended) = solving.ending() else {
            solving.advance();
            if let (Unit::Main, Some(main)) = (self.unit, &mut self.snapshot.main)
                && !solving.is_within_step()
            {
                let Effort { newton_solves, outer_iterations, residual } = solving.effort();
                let damping = solving.damping();
                main.residuals.push(Residual { step: newton_solves + outer_iterations, residual, damping });
                main.solve = summary(&solving, None);
            }
            let work = solving.work();
            self.activity = Activity::Solve(solving);
            return work;
        };
        let posterior = if ended.is_solution() { solving.advance_posterior() } else { Poll::Ready(None) };
        let work = solving.work();
        let Poll::Ready(posterior) = posterior else {
            self.activity = Activity::Solve(solving);
            return work;
        };
        let ending = if ended.is_solution() && posterior.is_none() { Ending::NonFinite } else { ended };
        let solve = summary(&solving, Some(ending));
        if let (Unit::Main, Some(main)) = (self.unit, &mut self.snapshot.main) {
            main.solve = solve.clone();
        }
        if let Some(posterior) = posterior {
            self.activity = Activity::Predict(solving, Box::new(posterior), Vec::new());
        } else if let Unit::Scan(_) = self.unit {
            self.snapshot.scan.push(solve);
        } else if let Some(setting) = self.candidates.pop() {
            self.snapshot.main.iter_mut().for_each(|main| main.residuals.clear());
            self.activity = Activity::Solve(self.solving(setting));
        }
        work
    }

    /// Predicts one row; after the last, adds the scores and predictions to the snapshot.
    fn predict(&mut self, solving: Box<Solve>, posterior: Box<Posterior>, mut rows: Vec<Prediction>) -> u64 {
        let tests = self.rows.table.test_labels.len();
        // The scan scores test rows only.
        let most = if let Unit::Scan(_) = self.unit { tests } else { self.rows.predicted.len() };
        if let Some(inputs) = self.rows.predicted[..most].get(rows.len()) {
            rows.push(solving.predict(&posterior, self.rows.train.iter(), inputs));
            self.activity = Activity::Predict(solving, posterior, rows);
            let m = self.rows.train.len();
            return (m * (m / 2 + self.rows.table.names.len())) as u64;
        }
        let unlabelled_and_second = rows.split_off(tests);
        let scores = self.scores(&posterior, &rows);
        let solve = SolveSummary { scores: Some(scores), ..summary(&solving, solving.ending()) };
        if let Unit::Scan(_) = self.unit {
            self.snapshot.scan.push(solve);
        } else if let Some(main) = &mut self.snapshot.main {
            let mut unlabelled = unlabelled_and_second;
            let second = unlabelled.split_off(self.rows.table.unlabelled_lines.len());
            main.solve = solve;
            main.solution = Some(TableSolution {
                weights: solving.hyperparameters().kernel.weights.clone(),
                x: posterior.x,
                lambda: posterior.lambda,
                gamma: posterior.gamma,
                predictions: RowPredictions { left_out: posterior.left_out, test: rows, unlabelled, second },
            });
        }
        0
    }

    fn scores(&self, posterior: &Posterior, test: &[Prediction]) -> SolutionScores {
        let errors = |rows: &[Prediction], labels: &[f64]| {
            rows.iter().zip(labels).filter(|(row, label)| row.misses(**label)).count()
        };
        SolutionScores {
            minus_g: posterior.minus_g,
            ln_evidence: (self.spec.method != Method::Naive).then_some(posterior.minus_g),
            ln_loo: posterior.ln_loo,
            loo_errors: errors(&posterior.left_out, &self.rows.tau),
            train_errors: Solution::errors(&posterior.h, &self.rows.tau),
            test_errors: errors(test, &self.rows.table.test_labels),
        }
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

/// Returns the summary of a solve, without scores.
fn summary(solving: &Solve, ending: Option<Ending>) -> SolveSummary {
    let Effort { outer_iterations, newton_solves, residual } = solving.effort();
    let hyper = HyperparameterValues::of(solving.hyperparameters());
    SolveSummary { hyper, ending, outer_iterations, newton_solves, residual, scores: None }
}
