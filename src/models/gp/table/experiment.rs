//! The experiment: the classifier, then the scan over σ², then the rows that are left out by training anew.

use std::ops::Range;

use super::fitting::Fitting;
use super::rows::Rows;
use super::{Attempt, FitBy, Main, Method, OwnSnapshot, OwnSpec, Prediction, Retrained, Scores, Solved};
use crate::lab::{Ending, Experiment, Progress, RunError};
use crate::models::gp::solver::approximation::{Approach, Effort, Posterior, Setting, Solving};
use crate::models::gp::solver::kernel::Kernel;
use crate::models::gp::solver::tap::{MeanField, Solution, Tap};

/// Multiply–adds in a slice: a few milliseconds anywhere.
const SLICE: usize = 4_000_000;
/// Up to so many steps every residual is kept, and then each tenth.
const EVERY_RESIDUAL: usize = 200;

/// Under way.
pub struct OwnExperiment {
    spec: OwnSpec,
    rows: Rows,
    units: Range<usize>,
    next: usize,
    stage: Stage,
    /// Where else a fit ended, should its best place have no solution when begun from nothing; the best one last.
    candidates: Vec<Setting>,
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
    /// The same in a shard that has no part in the unit of the classifier; then this training row is left out.
    Whole(usize, Box<Solving>),
    /// A training row is left out.
    Retraining(usize, Box<Solving>),
}

/// What a unit is for.
enum Unit {
    Main,
    Scan(f64),
    /// A row of the file.
    LeaveOut(usize),
}

impl OwnExperiment {
    /// Before its first step.
    pub fn new(spec: OwnSpec, rows: Rows, units: Range<usize>) -> Self {
        Self {
            spec,
            rows,
            next: units.start,
            units,
            stage: Stage::Begin,
            candidates: Vec::new(),
            whole: None,
            ticks: 0,
            part: 0.0,
            seen: OwnSnapshot::default(),
        }
    }

    fn unit(&self) -> Unit {
        let grid = &self.spec.sigma2_grid;
        match self.next {
            0 => Unit::Main,
            unit if unit <= grid.len() => Unit::Scan(grid[unit - 1]),
            unit => Unit::LeaveOut(unit - 1 - grid.len()),
        }
    }

    fn setting(&self, sigma2: f64) -> Setting {
        let OwnSpec { v, kappa, .. } = self.spec;
        let mut kernel = Kernel::isotropic(self.spec.kernel.into(), self.rows.table.names.len(), sigma2);
        for (weight, relevance) in kernel.weights.iter_mut().zip(&self.spec.ard) {
            *weight *= relevance;
        }
        Setting { kernel, sigma2, v, kappa }
    }

    fn solving(&self, setting: Setting) -> Solving {
        let approach = match self.spec.method {
            Method::Tap => Approach::MeanField(Tap::new(MeanField::Tap)),
            Method::Naive => Approach::MeanField(Tap::new(MeanField::Naive)),
            Method::Laplace => Approach::Laplace,
            Method::PaperIteration => Approach::Paper { damping: self.spec.damping },
        };
        Solving::new(&self.rows.train, &self.rows.tau, setting, approach)
    }

    /// A step of the unit; its multiply–adds.
    fn step(&mut self) -> usize {
        self.ticks += 1;
        // Nobody knows how many it will take.
        if !matches!(self.stage, Stage::Fitting(_)) {
            self.part = self.part.max(self.ticks as f64 / (self.ticks + 40) as f64);
        }
        match std::mem::replace(&mut self.stage, Stage::Begin) {
            Stage::Begin => self.begin(),
            Stage::Fitting(fitting) => self.fit(fitting),
            Stage::Solving(solving) => self.solve(solving),
            Stage::Predicting(solving, posterior, test) => self.predict(solving, posterior, test),
            Stage::Whole(row, solving) => self.solve_whole(row, solving),
            Stage::Retraining(row, solving) => self.retrain(row, solving),
        }
    }

    fn begin(&mut self) -> usize {
        match self.unit() {
            Unit::Main => {
                let solving = self.solving(self.setting(self.spec.sigma2));
                self.seen.main = Some(Main {
                    table: self.rows.table.clone(),
                    search: Vec::new(),
                    fit_words: None,
                    fit_failed: false,
                    residuals: Vec::new(),
                    attempt: attempt(&solving, None),
                    solved: None,
                });
                self.stage = Stage::Solving(Box::new(solving));
                if self.spec.fit != FitBy::Nothing {
                    match Fitting::new(&self.spec, &self.rows, self.setting(self.spec.sigma2)) {
                        Ok(fitting) => self.stage = Stage::Fitting(Box::new(fitting)),
                        Err(refusal) => self.fit_ended((refusal.to_string(), true)),
                    }
                }
            }
            Unit::Scan(sigma2) => {
                self.stage = Stage::Solving(Box::new(self.solving(self.setting(sigma2))));
            }
            Unit::LeaveOut(row) => match self.rows.place[row] {
                Some(row) => self.leave_out(row),
                None => self.finish(),
            },
        }
        self.rows.train.len().pow(2) * self.rows.table.names.len()
    }

    fn fit(&mut self, mut fitting: Box<Fitting>) -> usize {
        let ended = fitting.advance();
        if let Some(main) = &mut self.seen.main {
            main.search.extend(fitting.news());
        }
        self.part = self.part.max(0.9 * fitting.fraction());
        if ended {
            self.candidates = fitting.candidates();
            self.fit_ended(fitting.ended());
            // Where no place has a solution the given one has none, and says so.
            let best = self.candidates.pop().unwrap_or_else(|| self.setting(self.spec.sigma2));
            self.stage = Stage::Solving(Box::new(self.solving(best)));
        } else {
            self.stage = Stage::Fitting(fitting);
        }
        // It has slices of its own.
        SLICE
    }

    fn fit_ended(&mut self, (words, failed): (String, bool)) {
        if let Some(main) = &mut self.seen.main {
            (main.fit_words, main.fit_failed) = (Some(words), failed);
        }
    }

    fn finish(&mut self) {
        (self.next, self.stage, self.ticks, self.part) = (self.next + 1, Stage::Begin, 0, 0.0);
    }

    fn solve(&mut self, mut solving: Box<Solving>) -> usize {
        let cost = solving.cost();
        let ending = solving.advance();
        let posterior = if ending.is_some_and(Ending::is_solution) { solving.posterior() } else { None };
        let ending = match ending {
            Some(solution) if solution.is_solution() && posterior.is_none() => Some(Ending::NonFinite),
            ending => ending,
        };
        let attempt = attempt(&solving, ending);
        if let (Unit::Main, Some(main)) = (self.unit(), &mut self.seen.main) {
            let steps = attempt.newton_solves + attempt.outer_iterations;
            if ending.is_some() || steps <= EVERY_RESIDUAL || steps.is_multiple_of(10) {
                main.residuals.push((steps, attempt.residual));
            }
            main.attempt = attempt.clone();
        }
        match (ending, posterior) {
            (None, _) => self.stage = Stage::Solving(solving),
            (Some(_), Some(posterior)) => {
                self.stage = Stage::Predicting(solving, Box::new(posterior), Vec::new());
            }
            (Some(_), None) => {
                if let Unit::Scan(_) = self.unit() {
                    self.seen.scan.push(attempt);
                } else if let Some(setting) = self.candidates.pop() {
                    self.seen.main.iter_mut().for_each(|main| main.residuals.clear());
                    self.stage = Stage::Solving(Box::new(self.solving(setting)));
                    return cost;
                }
                self.finish();
            }
        }
        cost
    }

    fn predict(
        &mut self,
        solving: Box<Solving>,
        posterior: Box<Posterior>,
        mut test: Vec<Prediction>,
    ) -> usize {
        let tests = self.rows.table.test_labels.len();
        // A place of the scan is judged by its test rows; the others have nothing to say about it.
        let most = if let Unit::Scan(_) = self.unit() { tests } else { self.rows.test.len() };
        if let Some(at) = self.rows.test[..most].get(test.len()) {
            test.push(solving.predict(&posterior, self.rows.train.iter(), at));
            self.stage = Stage::Predicting(solving, posterior, test);
            return self.rows.train.len() * (self.rows.train.len() / 2 + self.rows.table.names.len());
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
        if let Unit::Scan(_) = self.unit() {
            self.seen.scan.push(attempt);
            self.finish();
            return 0;
        }
        let setting = solving.setting().clone();
        if let Some(main) = &mut self.seen.main {
            main.attempt = attempt;
            let mut asked = test.split_off(tests);
            let second = asked.split_off(self.rows.table.asked_lines.len());
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
        if self.spec.exact_loo {
            self.whole = Some(*solving);
        }
        if self.spec.exact_loo && self.spec.fit != FitBy::Nothing {
            self.leave_out(0);
        } else {
            self.finish();
        }
        0
    }

    /// Begins to train without a training row.
    fn leave_out(&mut self, row: usize) {
        self.stage = match &self.whole {
            Some(whole) => Stage::Retraining(row, Box::new(whole.without(row))),
            None => Stage::Whole(row, Box::new(self.solving(self.setting(self.spec.sigma2)))),
        };
    }

    fn solve_whole(&mut self, row: usize, mut solving: Box<Solving>) -> usize {
        let cost = solving.cost();
        if solving.advance().is_some() {
            self.whole = Some(*solving);
            self.leave_out(row);
        } else {
            self.stage = Stage::Whole(row, solving);
        }
        cost
    }

    fn retrain(&mut self, row: usize, mut solving: Box<Solving>) -> usize {
        let cost = solving.cost();
        let Some(ending) = solving.advance() else {
            self.stage = Stage::Retraining(row, solving);
            return cost;
        };
        let posterior = if ending.is_solution() { solving.posterior() } else { None };
        let train = &self.rows.train;
        let others = train.iter().enumerate().filter(|(i, _)| *i != row).map(|(_, inputs)| inputs);
        let prediction = posterior.map(|posterior| solving.predict(&posterior, others, &train[row]));
        self.seen.retrained.push(Retrained { row, prediction });
        // After a fit all rows are this unit's.
        let (next, rows) = (row + 1, train.len());
        if self.next == 0 && next < rows {
            self.part = self.part.max(next as f64 / rows as f64);
            self.leave_out(next);
        } else {
            self.finish();
        }
        cost
    }

    fn note(&self) -> String {
        match &self.stage {
            Stage::Begin => "covariances".to_owned(),
            Stage::Fitting(_) => {
                let evaluations = self.seen.main.as_ref().map_or(0, |main| main.search.len());
                format!("fitting, evaluation {}", evaluations + 1)
            }
            Stage::Solving(solving) => {
                let Effort { newton_solves, outer_iterations, .. } = solving.effort();
                match self.unit() {
                    Unit::Scan(sigma2) => format!("σ² = {sigma2}"),
                    _ => format!("step {}", newton_solves + outer_iterations),
                }
            }
            Stage::Predicting(_, _, test) => format!("test row {}", test.len() + 1),
            Stage::Whole(row, _) | Stage::Retraining(row, _) => {
                format!("without row {}", self.rows.table.lines[*row])
            }
        }
    }
}

/// How far a solve is, without scores.
fn attempt(solving: &Solving, ending: Option<Ending>) -> Attempt {
    let Effort { outer_iterations, newton_solves, residual } = solving.effort();
    let Setting { sigma2, v, kappa, .. } = *solving.setting();
    Attempt { sigma2, kappa, v, ending, outer_iterations, newton_solves, residual, scores: None }
}

impl Experiment for OwnExperiment {
    type Snapshot = OwnSnapshot;

    fn advance(&mut self) -> Result<Progress, RunError> {
        let mut work = 0;
        while work < SLICE && self.next < self.units.end {
            let main = self.next == 0;
            work += self.step();
            if main && self.next > 0 {
                // What people wait for is shown before the rest.
                break;
            }
        }
        if self.next >= self.units.end {
            return Ok(Progress::Done);
        }
        let done = (self.next - self.units.start) as f64 + self.part;
        Ok(Progress::Running { fraction: done / self.units.len() as f64, note: self.note() })
    }

    fn snapshot(&self) -> OwnSnapshot {
        self.seen.clone()
    }
}
