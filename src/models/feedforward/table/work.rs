//! The units of a run: the student, logistic regression, and the folds of cross-validation.

use std::mem;
use std::rc::Rc;

use super::effects::column_effects;
use super::student::{StudentFit, probability};
use super::{RowFields, TableSnapshot, TableSolution, TableSpec};
use crate::data::{Dataset, RowRole, TableSummary};
use crate::lab::labelled_table::{
    BaselineFit, BaselineRows, COMPARED_FOLDS, ColumnEffect, Fold, RowPredictions, Untuned,
};
use crate::lab::{Budget, Residuals, Work};
use crate::models::feedforward::tap::likelihood::Likelihood;
use crate::models::feedforward::tap::search::BetaSolution;
use crate::models::feedforward::tap::solution::error_share;

/// A run under way.
pub struct TableWork {
    spec: TableSpec,
    rows: Dataset,
    unit: UnitWork,
    residuals: Residuals,
    snapshot: TableSnapshot,
}

/// Work of the current unit.
enum UnitWork {
    /// The student with the given β, before β is fitted.
    Given(Box<StudentFit>),
    Student(Box<StudentFit>),
    Baseline(Box<BaselineFit>),
    /// The fit of a fold; before it, with the given β if β is fitted.
    Fold {
        given: Option<Box<StudentFit>>,
        fit: Box<StudentFit>,
        before_fit: Option<Vec<f64>>,
    },
    Empty,
}

impl UnitWork {
    /// Turns from the given β to the fit of a fold.
    fn end_given(&mut self) {
        if let Self::Fold { given, .. } = self {
            *given = None;
        }
    }
}

impl TableWork {
    /// Prepares a run. `untuned` is the reason why β is not tuned automatically.
    pub fn new(spec: TableSpec, rows: Dataset, untuned: Option<Untuned>) -> Self {
        let snapshot = TableSnapshot { untuned, ..TableSnapshot::default() };
        Self { spec, rows, unit: UnitWork::Empty, residuals: Residuals::default(), snapshot }
    }
}

impl Work for TableWork {
    type Snapshot = TableSnapshot;

    fn begin(&mut self, unit: usize) {
        let Self { spec, rows, .. } = self;
        // The student and logistic regression come first; a fit of β follows the student with the given β.
        let first_fold = if spec.is_tuned() { 3 } else { 2 };
        self.unit = match unit {
            0 if spec.is_tuned() => UnitWork::Given(Box::new(StudentFit::given(spec, rows))),
            1 => UnitWork::Baseline(Box::new(BaselineFit::new(&BaselineRows::of(rows), spec.seed))),
            _ if unit < first_fold => UnitWork::Student(Box::new(StudentFit::all(spec, rows))),
            // With test rows, the default folds are computed only to compare the given and the fitted β, on some of the rows.
            _ if spec.folds == 0
                && rows.of(RowRole::Test).next().is_some()
                && !(spec.is_tuned() && unit - first_fold < COMPARED_FOLDS) =>
            {
                UnitWork::Empty
            }
            unit => {
                let fold = || StudentFit::fold(spec, rows, unit - first_fold);
                let given = spec.is_tuned().then(|| Box::new(fold().briefly(spec, rows)));
                UnitWork::Fold { given, fit: Box::new(fold()), before_fit: None }
            }
        };
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        let Self { rows, unit, residuals, snapshot, spec } = self;
        match unit {
            UnitWork::Baseline(fit) => {
                snapshot.baseline = fit.step(&BaselineRows::of(rows), budget);
                snapshot.baseline.is_some()
            }
            UnitWork::Fold { given: Some(given), before_fit, .. } => {
                if given.advance(rows, budget, |_| {}) {
                    *before_fit = given.predict_fold(rows, spec.hidden).p;
                    snapshot.fold_effects_before_fit.extend(effects_in_fold(spec, rows, given));
                    unit.end_given();
                }
                false
            }
            UnitWork::Fold { fit, before_fit, .. } => {
                let done = fit.advance(rows, budget, |_| {});
                if done {
                    let before_fit = before_fit.take();
                    snapshot.folds.push(Fold { before_fit, ..fit.predict_fold(rows, spec.hidden) });
                    snapshot.fold_effects.extend(effects_in_fold(spec, rows, fit));
                }
                done
            }
            UnitWork::Empty => true,
            UnitWork::Given(fit) => {
                let done = fit.advance(rows, budget, |_| {});
                if done {
                    snapshot.before_fit = fit.search.best().map(|found| solution(spec, rows, found));
                }
                done
            }
            UnitWork::Student(fit) => {
                let done = fit.advance(rows, budget, |residual| residuals.push(residual));
                let search = &fit.search;
                snapshot.sweeps = search.sweeps();
                if done {
                    snapshot.ending = Some(search.ending());
                    snapshot.path = search.path().to_vec();
                    snapshot.at_largest_beta = search.largest_at_last_solution();
                    snapshot.advised_beta = search.advice();
                    snapshot.solution = search.best().map(|found| solution(spec, rows, found));
                    if snapshot.solution.is_none() {
                        snapshot.residuals = mem::take(residuals);
                    }
                }
                done
            }
        }
    }

    fn fraction(&self) -> f64 {
        match &self.unit {
            UnitWork::Baseline(fit) => fit.fraction(),
            UnitWork::Empty => 1.0,
            UnitWork::Given(fit) | UnitWork::Student(fit) | UnitWork::Fold { fit, .. } => {
                fit.search.fraction()
            }
        }
    }

    fn note(&self) -> String {
        match &self.unit {
            UnitWork::Baseline(_) => "logistic regression".to_owned(),
            UnitWork::Given(fit) | UnitWork::Student(fit) => format!("sweep {}", fit.search.sweeps()),
            UnitWork::Fold { .. } | UnitWork::Empty => "cross-validation".to_owned(),
        }
    }

    fn snapshot(&self) -> TableSnapshot {
        self.snapshot.clone()
    }
}

/// Returns the effects of the columns on the held-out rows of a fold, if it has a solution; with test rows they are measured on those.
fn effects_in_fold(spec: &TableSpec, rows: &Dataset, fit: &StudentFit) -> Option<Vec<ColumnEffect>> {
    if rows.of(RowRole::Test).next().is_some() {
        return None;
    }
    Some(column_effects(spec, rows, &fit.held_out_rows(rows), fit.search.best()?))
}

/// Returns the solution with its predictions of all rows.
fn solution(spec: &TableSpec, rows: &Dataset, found: &BetaSolution) -> TableSolution {
    let table = TableSummary::of(rows);
    let (solution, labels) = (&found.solution, &table.labels);
    let likelihood = Likelihood::new(spec.hidden, found.beta);
    let cavity_fields = || solution.z.chunks_exact(likelihood.hidden());
    let predict = |part| -> Vec<f64> {
        rows.of(part).map(|i| probability(&likelihood, &solution.fields_at(rows.row(i)))).collect()
    };
    let p = RowPredictions {
        left_out: cavity_fields().map(|z| probability(&likelihood, z)).collect(),
        test: predict(RowRole::Test),
        unlabelled: predict(RowRole::Unlabelled),
        second: predict(RowRole::Second),
    };
    // Ties count half, so that shares are multiples of ½.
    let count = |share: f64, rows: usize| (2.0 * share * rows as f64).round() / 2.0;
    let errors = |p: &[f64], labels: &[f64]| count(error_share(p.iter().map(|p| p - 0.5), labels), p.len());
    let per_row = solution.adaptive.as_ref();
    let tests: Vec<usize> = rows.of(RowRole::Test).collect();
    TableSolution {
        effects: column_effects(spec, rows, &tests, found),
        weights: solution.weights.clone(),
        weight_sd: solution.weight_sd(),
        beta: found.beta,
        per_row: per_row.is_some(),
        covariances: Rc::new(per_row.map_or(Vec::new(), |own| own.covariance.clone())),
        lambda: per_row.map_or(&solution.lambda, |own| &own.cavity).clone(),
        ln_evidence: found.ln_evidence,
        ln_loo: solution.ln_left_out(labels, &likelihood),
        test_errors: errors(&p.test, &table.test_labels),
        loo_errors: errors(&p.left_out, labels),
        train_errors: count(solution.training_bayes_error(labels), labels.len()),
        train_errors_tilted: count(solution.training_tilted_error(labels, &likelihood), labels.len()),
        fields: spec.fields.then(|| RowFields {
            g: solution.g.clone(),
            z: solution.z.clone(),
            ln_f: cavity_fields().zip(labels).map(|(z, y)| likelihood.ln_f(z, *y)).collect(),
        }),
        p,
        table,
    }
}
