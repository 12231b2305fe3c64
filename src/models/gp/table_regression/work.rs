//! The solver of `gp.regression`.

use std::rc::Rc;

use super::comparison::ComparisonWork;
use super::model_work::{ModelWork, record, split};
use super::rows::RegressionRows;
use super::searches::{Search, most_rows};
use super::units::RegressionUnit;
use super::{EvidenceSearch, ProcessRegressionSnapshot, ProcessRegressionSpec, RegressionFold};
use crate::lab::labelled_table::held_out_rows;
use crate::lab::labelled_table::numeric::{NumericSummary, TargetBaselineFit};
use crate::lab::{Budget, Work};
use crate::models::gp::regression::RegressionModel;
use crate::models::gp::regression::fit::EvidenceFit;
use crate::models::gp::regression::target::Examples;

/// Solver for units of one specification.
pub struct RegressionTableWork {
    spec: ProcessRegressionSpec,
    rows: Rc<RegressionRows>,
    /// The rows with all labelled ones as training rows, if they are needed.
    all: Option<Rc<RegressionRows>>,
    /// Units in their order.
    units: Vec<RegressionUnit>,
    /// Results of the earlier stages.
    before: ProcessRegressionSnapshot,
    unit: RegressionUnit,
    step: UnitStep,
    done: ProcessRegressionSnapshot,
}

/// The work of the current unit.
enum UnitStep {
    Start(Box<EvidenceFit>, EvidenceSearch),
    Baseline(TargetBaselineFit),
    Model(Box<ModelWork>),
    Fold(Vec<usize>, Box<ModelWork>),
    Comparison(Box<ComparisonWork>),
    Empty,
}

impl RegressionTableWork {
    /// Creates a solver for the `units` of a plan. `before` has the results of the earlier stages.
    pub fn new(
        spec: &ProcessRegressionSpec,
        (table, rows, all): (NumericSummary, RegressionRows, Option<RegressionRows>),
        units: Vec<RegressionUnit>,
        before: Option<ProcessRegressionSnapshot>,
    ) -> Self {
        Self {
            spec: spec.clone(),
            rows: Rc::new(rows),
            all: all.map(Rc::new),
            units,
            before: before.unwrap_or_default(),
            unit: RegressionUnit::Given,
            step: UnitStep::Empty,
            done: ProcessRegressionSnapshot {
                table: Some(Rc::new(table)),
                ..ProcessRegressionSnapshot::default()
            },
        }
    }

    fn inputs(&self) -> usize {
        self.rows.width()
    }

    fn begin_start(&self, start: usize) -> UnitStep {
        let Examples { inputs, targets } = self.rows.sample(self.spec.seed);
        let options = Search::Start(start).options(&self.spec, inputs.len(), None);
        let search = EvidenceSearch { start, rows: inputs.len(), ..EvidenceSearch::default() };
        let fit = EvidenceFit::new(inputs, targets, self.spec.given(self.inputs()), options);
        UnitStep::Start(Box::new(fit), search)
    }

    /// Prepares the model with the given hyperparameters, or a search that begins at the best start.
    fn begin_fitted(&self) -> UnitStep {
        let given = self.spec.given(self.inputs());
        let model = self.before.best_start().map_or(given.clone(), |(values, _)| values.model(&given.kernel));
        UnitStep::Model(self.model_work(&self.rows, model, Search::AllRows))
    }

    /// Prepares the model of other rows with the hyperparameters of the training rows, so that a saved run predicts the same.
    fn begin_refitted(&self, rows: &Rc<RegressionRows>) -> UnitStep {
        UnitStep::Model(Box::new(ModelWork::solve(Rc::clone(rows), self.found(), self.spec.seed)))
    }

    /// Prepares the comparison of the full model with that by inducing points; empty without them or with too few rows.
    fn begin_comparison(&self) -> UnitStep {
        if self.rows.inducing.is_none() || self.rows.len() < 4 {
            return UnitStep::Empty;
        }
        UnitStep::Comparison(Box::new(ComparisonWork::new(&self.rows, &self.found(), self.spec.seed)))
    }

    /// Returns the fitted model, if it has a solution, or the given one.
    fn found(&self) -> RegressionModel {
        let given = self.spec.given(self.inputs());
        let fitted = self.before.fitted.as_ref().filter(|fitted| fitted.solution.is_some());
        fitted.map_or(given.clone(), |fitted| fitted.values.model(&given.kernel))
    }

    /// Prepares the model of the rows of a fold: a search that begins at the hyperparameters of the training rows if they were fitted, and
    /// the posterior.
    fn model_of_fold(&self, rows: &Rc<RegressionRows>) -> Box<ModelWork> {
        let given = self.spec.given(self.inputs());
        let Some(fitted) = self.before.fitted.as_ref().filter(|_| self.spec.is_fitted()) else {
            return Box::new(ModelWork::solve(Rc::clone(rows), given, self.spec.seed));
        };
        let mut values = fitted.values.clone();
        if self.spec.fit_ard {
            // The σ² of the fit with the given relevances.
            let mean = |weights: &[f64]| weights.iter().sum::<f64>();
            let ratio = mean(&values.weights) / mean(&given.kernel.weights);
            values.weights = given.kernel.weights.iter().map(|w| ratio * w).collect();
        }
        self.model_work(rows, values.model(&given.kernel), Search::Fold)
    }

    fn model_work(
        &self,
        rows: &Rc<RegressionRows>,
        model: RegressionModel,
        search: Search,
    ) -> Box<ModelWork> {
        let most = most_rows(rows.inducing.map(|inducing| inducing.count));
        let options = search.options(&self.spec, rows.len().min(most), rows.inducing);
        if options.max_evaluations == 0 {
            return Box::new(ModelWork::solve(Rc::clone(rows), model, self.spec.seed));
        }
        let Examples { inputs, targets } = rows.search_rows(most, self.spec.seed);
        let fit = EvidenceFit::new(inputs, targets, model, options);
        Box::new(ModelWork::search(Rc::clone(rows), fit, self.spec.seed))
    }

    /// Prepares a fold; empty if the folds were not requested and there are test rows, or if there are too few rows.
    fn begin_fold(&self, fold: usize) -> UnitStep {
        let rows = &self.rows.rows;
        let labels = vec![0.0; rows.train.len()];
        let folds = self.spec.planned_folds();
        let held_out = held_out_rows(&labels, &rows.groups, folds, self.spec.seed, fold);
        let is_needed = self.spec.folds > 0 || rows.tests.is_empty();
        if !is_needed || held_out.is_empty() || held_out.len() == rows.train.len() {
            return UnitStep::Empty;
        }
        let learnt = Rc::new(self.rows.hold_out(&held_out));
        UnitStep::Fold(held_out, self.model_of_fold(&learnt))
    }

    /// Adds the results of the current unit to `snapshot`.
    fn add_results(&self, snapshot: &mut ProcessRegressionSnapshot) {
        let table = snapshot.table.clone().unwrap_or_default();
        match &self.step {
            UnitStep::Start(_, search) => snapshot.starts.push(search.clone()),
            UnitStep::Baseline(_) | UnitStep::Empty => {}
            UnitStep::Comparison(work) => snapshot.comparison = work.result(),
            UnitStep::Model(work) => {
                let tests = if self.unit == RegressionUnit::Refitted { 0 } else { table.tests.len() };
                let solved = work.solved().map(|model| Rc::new(split(model.clone(), tests, &table)));
                match self.unit {
                    RegressionUnit::Given => snapshot.given = solved,
                    RegressionUnit::Refitted => snapshot.refitted = solved,
                    _ => {
                        snapshot.fitted = solved;
                        snapshot.search = work.searched().cloned();
                    }
                }
            }
            UnitStep::Fold(held_out, work) => {
                let fold = |model| RegressionFold { held_out: held_out.clone(), model };
                snapshot.folds.extend(work.solved().cloned().map(|model| Rc::new(fold(model))));
            }
        }
    }
}

impl Work for RegressionTableWork {
    type Snapshot = ProcessRegressionSnapshot;

    fn begin(&mut self, unit: usize) {
        self.unit = self.units.get(unit).copied().unwrap_or(RegressionUnit::Given);
        self.step = match self.unit {
            RegressionUnit::Given => {
                let given = self.spec.given(self.inputs());
                let (rows, seed) = (Rc::clone(&self.rows), self.spec.seed);
                UnitStep::Model(Box::new(ModelWork::solve_in_two_stages(rows, given, seed)))
            }
            RegressionUnit::Start(start) => self.begin_start(start),
            RegressionUnit::Baseline => UnitStep::Baseline(TargetBaselineFit::new(&self.rows.rows)),
            RegressionUnit::Fitted => self.begin_fitted(),
            RegressionUnit::Refitted => match &self.all {
                Some(all) => self.begin_refitted(all),
                None => UnitStep::Empty,
            },
            RegressionUnit::Fold(fold) => self.begin_fold(fold),
            RegressionUnit::Comparison => self.begin_comparison(),
        };
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        let done = match &mut self.step {
            UnitStep::Start(fit, search) => {
                let done = fit.advance(budget);
                record(search, fit);
                done
            }
            UnitStep::Baseline(fit) => {
                budget.spend(TargetBaselineFit::cost(&self.rows.rows));
                let baselines = fit.step(&self.rows.rows, self.spec.seed);
                self.done.baselines = baselines;
                baselines.is_some()
            }
            UnitStep::Model(work) | UnitStep::Fold(_, work) => work.step(budget),
            UnitStep::Comparison(work) => work.step(budget),
            UnitStep::Empty => true,
        };
        if done {
            let mut snapshot = std::mem::take(&mut self.done);
            self.add_results(&mut snapshot);
            self.done = snapshot;
            self.step = UnitStep::Empty;
        }
        done
    }

    fn fraction(&self) -> f64 {
        match &self.step {
            UnitStep::Start(fit, _) => fit.fraction(),
            UnitStep::Baseline(fit) => fit.fraction(),
            UnitStep::Model(work) | UnitStep::Fold(_, work) => work.fraction(),
            UnitStep::Comparison(work) => work.fraction(),
            UnitStep::Empty => 0.0,
        }
    }

    fn note(&self) -> String {
        match &self.step {
            UnitStep::Start(fit, search) => {
                format!("start {}, evaluation {}", search.start + 1, fit.trace().len() + 1)
            }
            UnitStep::Baseline(_) => "baselines".to_owned(),
            UnitStep::Model(work) => work.note(),
            UnitStep::Fold(_, work) => format!("cross-validation, {}", work.note()),
            UnitStep::Comparison(_) => "comparison with the full model".to_owned(),
            UnitStep::Empty => "rows".to_owned(),
        }
    }

    fn snapshot(&self) -> ProcessRegressionSnapshot {
        let mut snapshot = self.done.clone();
        // A fold counts when it is complete.
        if !matches!(self.step, UnitStep::Fold(..)) {
            self.add_results(&mut snapshot);
        }
        snapshot
    }
}
