//! The experiment: a fit's starts, the classifier, the scan over σ², and the rows that are left out by training anew.

mod leaving_out;

use std::task::Poll;

use super::fitting::{Fitting, candidates};
use super::folds::Folding;
use super::rows::Rows;
use super::several::OneClass;
use super::units::Unit;
use super::{
    Attempt, FitBy, Main, Method, OwnSnapshot, OwnSpec, Prediction, Scores, Search, SearchEnd, Solved,
};
use crate::lab::{BaselineFit, Budget, Ending, Residual, Residuals, Work};
use crate::models::gp::solver::approximation::{Approach, Effort, Solving};
use crate::models::gp::solver::hyperparameters::Hyperparameters;
use crate::models::gp::solver::kernel::Kernel;
use crate::models::gp::solver::mean_field::MeanFieldSolver;
use crate::models::gp::solver::posterior::Posterior;
use crate::models::gp::solver::solution::Solution;
use crate::models::gp::solver::theory::Theory;

/// Under way.
pub struct OwnWork {
    spec: OwnSpec,
    rows: Rows,
    /// What the stages before gave: the searches of a fit, and how the classifier of all rows ended.
    before: OwnSnapshot,
    unit: Unit,
    stage: Stage,
    /// Where else a fit ended, should its best place have no solution when begun from nothing; the best one last.
    candidates: Vec<Hyperparameters>,
    /// The classifier of all rows, however it ended: where those that lack one begin.
    whole: Option<Solving>,
    /// Steps in this unit, and the share of it that they are taken for.
    ticks: usize,
    part: f64,
    seen: OwnSnapshot,
}

/// Where in a unit the experiment is.
enum Stage {
    Begin,
    /// The settings are fitted.
    Fitting(Box<Fitting>),
    /// The classifier of the unit: the main one or one of the scan.
    Solving(Box<Solving>),
    /// Solved: the test rows are predicted, so many so far.
    Predicting(Box<Solving>, Box<Posterior>, Vec<Prediction>),
    /// The classifier of all rows, solved once more in this shard; then this training row is left out.
    Whole(usize, Box<Solving>),
    /// A training row is left out.
    Retraining(usize, Box<Solving>),
    /// Logistic regression, with the same rows.
    Baseline(Box<BaselineFit>),
    /// A fold of cross-validation.
    Folding(Box<Folding>),
    /// One of several classes against the others.
    Class(Box<OneClass>),
    /// The unit is done.
    Done,
}

impl OwnWork {
    /// Before its first unit, after what the stages before gave.
    pub fn new(spec: OwnSpec, rows: Rows, before: Option<OwnSnapshot>) -> Self {
        Self {
            spec,
            rows,
            before: before.unwrap_or_default(),
            unit: Unit::Main,
            stage: Stage::Done,
            candidates: Vec::new(),
            whole: None,
            ticks: 0,
            part: 0.0,
            seen: OwnSnapshot::default(),
        }
    }

    /// Goes to the beginning of a unit.
    pub fn enter(&mut self, unit: Unit) {
        (self.unit, self.stage, self.ticks, self.part) = (unit, Stage::Begin, 0, 0.0);
    }

    fn setting(&self, sigma2: f64) -> Hyperparameters {
        let OwnSpec { v, kappa, .. } = self.spec;
        let mut kernel = Kernel::isotropic(self.spec.kernel, self.rows.table.names.len(), sigma2);
        for (weight, relevance) in kernel.weights.iter_mut().zip(&self.spec.ard) {
            *weight *= relevance;
        }
        Hyperparameters { kernel, sigma2, v, kappa }
    }

    fn solving(&self, setting: Hyperparameters) -> Solving {
        let approach = match self.spec.method {
            Method::Tap => Approach::MeanField(MeanFieldSolver::new(Theory::Tap)),
            Method::Naive => Approach::MeanField(MeanFieldSolver::new(Theory::Naive)),
            Method::Laplace => Approach::Laplace,
            Method::Parallel => Approach::Parallel { damping: self.spec.damping },
            Method::Sequential => Approach::Sequential,
        };
        Solving::new(&self.rows.train, &self.rows.tau, setting, approach)
    }

    /// The settings of the classifier: those given, or what the fit came to.
    fn fitted(&self) -> Hyperparameters {
        let mut setting = self.setting(self.spec.sigma2);
        if let Some(Main { attempt, solved: Some(solved), .. }) = &self.before.main {
            (setting.sigma2, setting.v, setting.kappa) = (attempt.sigma2, attempt.v, attempt.kappa);
            setting.kernel.weights.clone_from(&solved.weights);
        }
        setting
    }

    fn start_unit(&mut self) -> u64 {
        match self.unit {
            Unit::Search(start) => {
                match Fitting::new(&self.spec, &self.rows, self.setting(self.spec.sigma2), start) {
                    Ok(fitting) => {
                        self.seen.searches.push(fitting.search());
                        self.stage = Stage::Fitting(Box::new(fitting));
                    }
                    Err(refusal) => {
                        let end = SearchEnd { words: refusal.to_string(), failed: true, place: None };
                        self.seen.searches.push(Search { start, evaluations: Vec::new(), end: Some(end) });
                    }
                }
            }
            Unit::Main => {
                let given = self.setting(self.spec.sigma2);
                let searches = [self.before.searches.as_slice(), &self.seen.searches].concat();
                self.candidates = candidates(&searches, &given.kernel);
                // Where no place has a solution the given one has none, and says so.
                let setting = self.candidates.pop().unwrap_or(given);
                let solving = self.solving(setting);
                self.seen.main = Some(Main {
                    table: self.rows.table.clone(),
                    residuals: Residuals::default(),
                    attempt: attempt(&solving, None),
                    solved: None,
                });
                self.stage = Stage::Solving(Box::new(solving));
            }
            Unit::Scan(sigma2) => {
                self.stage = Stage::Solving(Box::new(self.solving(self.setting(sigma2))));
            }
            Unit::Baseline => {
                self.stage =
                    Stage::Baseline(Box::new(BaselineFit::new(&self.rows.examples(), self.spec.seed)));
            }
            Unit::Fold(fold) => {
                self.stage = Stage::Folding(Box::new(Folding::new(&self.spec, &self.rows, fold)));
            }
            Unit::Class(class) => {
                // Facts know of as many classes, or of words besides that mean a missing value.
                if let Some(several) =
                    self.rows.several.as_ref().filter(|several| class < several.names.len())
                {
                    let one = OneClass::new(&self.spec, &self.rows, several, class);
                    self.stage = Stage::Class(Box::new(one));
                }
            }
            Unit::LeaveOut(row) => {
                // After a fit without a solution there are no settings to leave anything out with.
                let settings = self.spec.fit == FitBy::Nothing
                    || self.before.main.as_ref().is_some_and(|main| main.solved.is_some());
                // Rows of the file that were left out have no place.
                match self.rows.place.get(row).copied().flatten().filter(|_| settings) {
                    Some(row) => self.leave_out(row),
                    None => self.stage = Stage::Done,
                }
            }
        }
        (self.rows.train.len().pow(2) * self.rows.table.names.len()) as u64
    }

    fn fit(&mut self, mut fitting: Box<Fitting>) -> u64 {
        let ended = fitting.advance();
        self.part = self.part.max(fitting.fraction());
        if let Some(search) = self.seen.searches.last_mut() {
            search.evaluations.extend(fitting.news());
            search.end = ended.then(|| fitting.ended());
        }
        if !ended {
            self.stage = Stage::Fitting(fitting);
        }
        // It has slices of its own.
        Budget::SLICE
    }

    fn solve(&mut self, mut solving: Box<Solving>) -> u64 {
        let Some(ended) = solving.ending() else {
            solving.advance();
            if let (Unit::Main, Some(main)) = (self.unit, &mut self.seen.main)
                && !solving.is_within_step()
            {
                let Effort { newton_solves, outer_iterations, residual } = solving.effort();
                let damping = solving.damping();
                main.residuals.push(Residual { step: newton_solves + outer_iterations, residual, damping });
                main.attempt = attempt(&solving, None);
            }
            let work = solving.work();
            self.stage = Stage::Solving(solving);
            return work;
        };
        let found = if ended.is_solution() { solving.advance_posterior() } else { Poll::Ready(None) };
        let work = solving.work();
        let Poll::Ready(posterior) = found else {
            self.stage = Stage::Solving(solving);
            return work;
        };
        let ending = if ended.is_solution() && posterior.is_none() { Ending::NonFinite } else { ended };
        let attempt = attempt(&solving, Some(ending));
        if let (Unit::Main, Some(main)) = (self.unit, &mut self.seen.main) {
            main.attempt = attempt.clone();
        }
        if let Some(posterior) = posterior {
            self.stage = Stage::Predicting(solving, Box::new(posterior), Vec::new());
        } else if let Unit::Scan(_) = self.unit {
            self.seen.scan.push(attempt);
        } else if let Some(setting) = self.candidates.pop() {
            self.seen.main.iter_mut().for_each(|main| main.residuals.clear());
            self.stage = Stage::Solving(Box::new(self.solving(setting)));
        }
        work
    }

    fn predict(
        &mut self,
        solving: Box<Solving>,
        posterior: Box<Posterior>,
        mut test: Vec<Prediction>,
    ) -> u64 {
        let tests = self.rows.table.test_labels.len();
        // A place of the scan is judged by its test rows; the others have nothing to say about it.
        let most = if let Unit::Scan(_) = self.unit { tests } else { self.rows.test.len() };
        if let Some(at) = self.rows.test[..most].get(test.len()) {
            test.push(solving.predict(&posterior, self.rows.train.iter(), at));
            self.stage = Stage::Predicting(solving, posterior, test);
            return (self.rows.train.len() * (self.rows.train.len() / 2 + self.rows.table.names.len()))
                as u64;
        }
        let tau = &self.rows.tau;
        let misses = |said: &[Prediction], tau: &[f64]| {
            said.iter().zip(tau).filter(|(p, tau)| p.misses(**tau)).count()
        };
        let scores = Scores {
            minus_g: posterior.minus_g,
            ln_evidence: (self.spec.method != Method::Naive).then_some(posterior.minus_g),
            ln_loo: posterior.ln_loo,
            loo_errors: misses(&posterior.left_out, tau),
            train_errors: Solution::errors(&posterior.h, tau),
            test_errors: misses(&test, &self.rows.table.test_labels),
        };
        let attempt = Attempt { scores: Some(scores), ..attempt(&solving, solving.ending()) };
        if let Unit::Scan(_) = self.unit {
            self.seen.scan.push(attempt);
            return 0;
        }
        let setting = solving.hyperparameters().clone();
        if let Some(main) = &mut self.seen.main {
            main.attempt = attempt;
            let mut asked = test.split_off(tests);
            let second = asked.split_off(self.rows.table.unlabelled_lines.len());
            main.solved = Some(Solved {
                weights: setting.kernel.weights.clone(),
                x: posterior.x,
                lambda: posterior.lambda,
                gamma: posterior.gamma,
                left_out: posterior.left_out,
                test,
                asked,
                second,
            });
        }
        0
    }

    fn compare(&mut self, mut fit: Box<BaselineFit>, budget: &mut Budget) -> u64 {
        self.seen.baseline = fit.step(&self.rows.examples(), budget);
        self.part = self.part.max(fit.fraction());
        if self.seen.baseline.is_none() {
            self.stage = Stage::Baseline(fit);
        }
        0
    }

    fn fold(&mut self, mut fold: Box<Folding>, budget: &mut Budget) -> u64 {
        let ended = fold.step(budget);
        self.part = self.part.max(fold.fraction());
        match ended {
            Some(fold) => self.seen.folds.push(fold),
            None => self.stage = Stage::Folding(fold),
        }
        0
    }

    fn tell_apart(&mut self, mut one: Box<OneClass>, budget: &mut Budget) -> u64 {
        let ended = one.step(budget);
        self.part = self.part.max(one.fraction());
        if ended {
            self.seen.classes.push(one.found());
        } else {
            self.stage = Stage::Class(one);
        }
        0
    }
}

/// How far a solve is, without scores.
fn attempt(solving: &Solving, ending: Option<Ending>) -> Attempt {
    let Effort { outer_iterations, newton_solves, residual } = solving.effort();
    let Hyperparameters { sigma2, v, kappa, .. } = *solving.hyperparameters();
    Attempt { sigma2, kappa, v, ending, outer_iterations, newton_solves, residual, scores: None }
}

impl Work for OwnWork {
    type Snapshot = OwnSnapshot;

    fn begin(&mut self, unit: usize) {
        self.enter(if self.rows.several.is_some() {
            Unit::Class(unit)
        } else {
            Unit::numbered(unit, &self.spec)
        });
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        // A piece of a step is none.
        let within = matches!(&self.stage, Stage::Solving(s) | Stage::Whole(_, s) | Stage::Retraining(_, s) if s.is_within_step());
        self.ticks += usize::from(!within);
        // Nobody knows how many it will take.
        if !matches!(self.stage, Stage::Fitting(_) | Stage::Baseline(_) | Stage::Folding(_) | Stage::Class(_))
        {
            self.part = self.part.max(self.ticks as f64 / (self.ticks + 40) as f64);
        }
        let work = match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Begin => self.start_unit(),
            Stage::Fitting(fitting) => self.fit(fitting),
            Stage::Solving(solving) => self.solve(solving),
            Stage::Predicting(solving, posterior, test) => self.predict(solving, posterior, test),
            Stage::Whole(row, solving) => self.solve_whole(row, solving),
            Stage::Retraining(row, solving) => self.retrain(row, solving),
            Stage::Baseline(fit) => self.compare(fit, budget),
            Stage::Folding(fold) => self.fold(fold, budget),
            Stage::Class(one) => self.tell_apart(one, budget),
            Stage::Done => 0,
        };
        budget.spend(work);
        matches!(self.stage, Stage::Done)
    }

    fn fraction(&self) -> f64 {
        self.part
    }

    fn note(&self) -> String {
        match &self.stage {
            Stage::Begin | Stage::Done => "covariances".to_owned(),
            Stage::Fitting(_) => {
                let evaluations = self.seen.searches.last().map_or(0, |search| search.evaluations.len());
                format!("fitting, evaluation {}", evaluations + 1)
            }
            Stage::Solving(solving) => {
                let Effort { newton_solves, outer_iterations, .. } = solving.effort();
                match self.unit {
                    Unit::Scan(sigma2) => format!("σ² = {sigma2}"),
                    _ => format!("step {}", newton_solves + outer_iterations),
                }
            }
            Stage::Baseline(_) => "logistic regression".to_owned(),
            Stage::Folding(_) => "cross-validation".to_owned(),
            Stage::Class(one) => one.note(),
            Stage::Predicting(_, _, test) => format!("test row {}", test.len() + 1),
            Stage::Whole(row, _) | Stage::Retraining(row, _) => {
                format!("without row {}", self.rows.table.lines[*row])
            }
        }
    }

    fn snapshot(&self) -> OwnSnapshot {
        let mut seen = self.seen.clone();
        if let Stage::Class(one) = &self.stage {
            seen.classes.push(one.found());
        }
        seen
    }
}
