//! The solver of `gp.regression`.

use std::rc::Rc;

use super::comparison::ComparisonWork;
use super::fold::FoldWork;
use super::model_work::{ModelWork, record, split};
use super::rows::RegressionRows;
use super::searches::Search;
use super::units::RegressionUnit;
use super::{EvidenceSearch, ProcessRegressionSnapshot, ProcessRegressionSpec, SolvedModel};
use crate::lab::labelled_table::numeric::{NumericSummary, TargetBaselineFit};
use crate::lab::labelled_table::{COMPARED_FOLDS, held_out_rows};
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
    Fold(Box<FoldWork>),
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

    /// Prepares the model with the given hyperparameters, or a search for those that `spec` fits, which begins at the best start.
    fn begin_fitted(&self, spec: &ProcessRegressionSpec) -> UnitStep {
        let given = spec.given(self.inputs());
        let model = self.before.best_start().map_or(given.clone(), |(values, _)| values.model(&given.kernel));
        UnitStep::Model(Box::new(model_work(spec, &self.rows, model, Search::AllRows)))
    }

    /// Prepares the model of other rows with the hyperparameters of the training rows, so that a saved run predicts the same.
    fn begin_refitted(&self, rows: &Rc<RegressionRows>) -> UnitStep {
        let work = ModelWork::solve(Rc::clone(rows), self.found(), self.spec.seed);
        UnitStep::Model(Box::new(work.without_left_out()))
    }

    /// Prepares the comparison of the full model with that by inducing points; empty without them or with too few rows.
    fn begin_comparison(&self) -> UnitStep {
        if self.rows.inducing.is_none() || self.rows.len() < 4 {
            return UnitStep::Empty;
        }
        UnitStep::Comparison(Box::new(ComparisonWork::new(&self.rows, &self.found(), self.spec.seed)))
    }

    /// Returns the model of the results, or the given one before there are any.
    fn found(&self) -> RegressionModel {
        found(&self.before, self.spec.given(self.inputs()))
    }

    /// Prepares a fold; empty if it is not needed, or if there are too few rows.
    fn begin_fold(&self, fold: usize) -> UnitStep {
        let (rows, spec) = (&self.rows.rows, &self.spec);
        let one_length_scale = spec.one_length_scale();
        let is_needed =
            spec.shows_folds(!rows.tests.is_empty()) || one_length_scale.is_some() && fold < COMPARED_FOLDS;
        let labels = vec![0.0; rows.train.len()];
        let held_out = held_out_rows(&labels, &rows.groups, spec.planned_folds(), spec.seed, fold);
        if !is_needed || held_out.is_empty() || held_out.len() == rows.train.len() {
            return UnitStep::Empty;
        }
        let learnt = Rc::new(self.rows.hold_out(&held_out));
        let fitted = model_of_fold(spec, &learnt, self.before.fitted.as_deref());
        let one =
            one_length_scale.map(|one| model_of_fold(&one, &learnt, self.before.one_length_scale.as_deref()));
        UnitStep::Fold(Box::new(FoldWork::new(held_out, fitted, one)))
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
                    RegressionUnit::OneLengthScale => {
                        snapshot.one_length_scale = solved;
                        snapshot.one_length_scale_search = work.searched().cloned();
                    }
                    _ => {
                        snapshot.fitted = solved;
                        snapshot.search = work.searched().cloned();
                    }
                }
            }
            UnitStep::Fold(work) => snapshot.folds.extend(work.result().map(Rc::new)),
        }
    }
}

/// Returns the model of the results of `snapshot`, or the `given` one before there are any.
pub fn found(snapshot: &ProcessRegressionSnapshot, given: RegressionModel) -> RegressionModel {
    match snapshot.shown() {
        Some((model, _)) => model.values.model(&given.kernel),
        None => given,
    }
}

/// Prepares a search for the hyperparameters that `spec` fits, which begins at `model`, and the posterior of the best one; without a budget
/// for a search, the posterior of `model`.
fn model_work(
    spec: &ProcessRegressionSpec,
    rows: &Rc<RegressionRows>,
    model: RegressionModel,
    search: Search,
) -> ModelWork {
    let most = search.most_rows(spec, rows.inducing.map(|inducing| inducing.count));
    let options = search.options(spec, rows.len().min(most), rows.inducing);
    if options.max_evaluations == 0 {
        return ModelWork::solve(Rc::clone(rows), model, spec.seed);
    }
    let Examples { inputs, targets } = rows.search_rows(most, spec.seed);
    ModelWork::search(Rc::clone(rows), EvidenceFit::new(inputs, targets, model, options), spec.seed)
}

/// Prepares the model of the `rows` of a fold: a search that begins at the hyperparameters `fitted` to all training rows, if there are any,
/// and the posterior.
fn model_of_fold(
    spec: &ProcessRegressionSpec,
    rows: &Rc<RegressionRows>,
    fitted: Option<&SolvedModel>,
) -> ModelWork {
    let given = spec.given(rows.width());
    let Some(fitted) = fitted.filter(|_| spec.is_fitted()) else {
        return ModelWork::solve(Rc::clone(rows), given, spec.seed);
    };
    let mut values = fitted.values.clone();
    if spec.fit_ard {
        // The σ² of the fit with the given relevances.
        let mean = |weights: &[f64]| weights.iter().sum::<f64>();
        let ratio = mean(&values.weights) / mean(&given.kernel.weights);
        values.weights = given.kernel.weights.iter().map(|w| ratio * w).collect();
    }
    model_work(spec, rows, values.model(&given.kernel), Search::Fold)
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
            RegressionUnit::Fitted => self.begin_fitted(&self.spec),
            RegressionUnit::OneLengthScale => {
                self.spec.one_length_scale().map_or(UnitStep::Empty, |one| self.begin_fitted(&one))
            }
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
            UnitStep::Model(work) => work.step(budget),
            UnitStep::Fold(work) => work.step(budget),
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
            UnitStep::Model(work) => work.fraction(),
            UnitStep::Fold(work) => work.fraction(),
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
            UnitStep::Fold(work) => format!("cross-validation, {}", work.note()),
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
