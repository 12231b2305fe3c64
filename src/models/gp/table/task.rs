//! The task: its names, plan, status and results.

use serde_json::Value;

use super::multiclass::MultiClass;
use super::rows::{MAX_ROWS, TableRows};
use super::spec::PRESETS;
use super::work::TableWork;
use super::{FitBy, HyperparameterValues, TableSnapshot, TableSpec, UserTable, figures, report, status};
use crate::data::{Facts, Store};
use crate::figure::{Figure, Records};
use crate::lab::{Checked, InputError, Meta, Plan, Prepared, Queue, Raw, Status, TypedTask, raw_of};

/// Square matrices of the training rows held at once: covariances, factor, inverse, a copy without a row, and one more.
const MATRICES: u64 = 5;
/// Typical number of solves in a fit from one start.
const SOLVES_PER_START: f64 = 25.0;

impl TypedTask for UserTable {
    const META: Meta = Meta {
        id: "gp.data",
        title: "Your data",
        question: "Which class does a new row of your table belong to?",
        subtitle: "A Gaussian process learns from your table: errors, probabilities, and the columns that matter.",
        pair: false,
        tab: Some("Your data"),
        queue: Queue::Run,
        live: None,
        exercises: &[],
        challenge: None,
        presets: PRESETS,
    };
    type Spec = TableSpec;
    type Snapshot = TableSnapshot;

    /// Plans, without a fit: the classifier, then the scan and the baseline. With a fit: its starts, the scan and the baseline; then the
    /// classifier at the best optimum. After both: the folds of cross-validation, which take no time if they are not requested and there
    /// are test rows, and retraining without each row of the file, where rows that are not training rows take no time. With more than
    /// two classes: a unit for each class, with its folds.
    fn plan(spec: &Checked<TableSpec>, facts: Option<&Facts>) -> Plan {
        let Some(facts) = facts else { return Plan::default() };
        let most = facts.rows().min(MAX_ROWS) as u64;
        let memory = MATRICES * 8 * most * most;
        // Costs are counted in solves.
        let solve = (most as f64).powi(3);
        let fitted = 1.0 + SOLVES_PER_START * spec.starts() as f64;
        if let classes @ 3.. = spec.classes(facts) {
            let fits = 1 + spec.planned_folds();
            return Plan::default().and(classes, fits as f64 * fitted).times(solve).memory(memory);
        }
        let grid = spec.sigma2_grid.len();
        let plan = match spec.starts() {
            0 => Plan::default().and(1, 1.0).and(grid + 1, 1.0),
            starts => Plan::default().and(starts, SOLVES_PER_START).and(grid + 1, 1.0).then(1, 1.0),
        };
        let left_out = if spec.exact_loo { facts.rows() } else { 0 };
        let plan = match spec.planned_folds() {
            0 => plan.then(left_out, 1.0),
            folds => plan.then(folds, fitted).and(left_out, 1.0),
        };
        plan.times(solve).memory(memory)
    }

    fn merge(parts: Vec<TableSnapshot>) -> TableSnapshot {
        let mut all = TableSnapshot::default();
        for part in parts {
            let (ours, theirs) = (&mut all.classifier, part.classifier);
            ours.starts.extend(theirs.starts);
            ours.main = ours.main.take().or(theirs.main);
            ours.scan.extend(theirs.scan);
            ours.retrained.extend(theirs.retrained);
            ours.baseline = ours.baseline.take().or(theirs.baseline);
            all.folds.extend(part.folds);
            all.classes.extend(part.classes);
        }
        all
    }

    fn status(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Status {
        status::status(spec, snapshot)
    }

    fn figures(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Vec<Figure> {
        figures::figures(spec, snapshot)
    }

    /// Returns the fitted settings, or the best found so far.
    fn found(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Raw {
        let Some((evaluation, weights)) = snapshot.classifier.fitted(spec) else { return Raw::new() };
        let HyperparameterValues { sigma2, v, kappa } = evaluation.hyper;
        let fields = &TableSpec::FIELDS;
        let mut found = raw_of([
            (fields.fit.key, FitBy::Nothing.word().to_owned()),
            (fields.sigma2.key, sigma2.to_string()),
            (fields.v.key, v.to_string()),
            (fields.kappa.key, kappa.to_string()),
        ]);
        if spec.fit_ard {
            let relevance = |w: &f64| (w * sigma2 * weights.len() as f64).to_string();
            let relevances: Vec<String> = weights.iter().map(relevance).collect();
            found.insert(fields.ard.key.to_owned(), relevances.join(","));
        }
        found
    }

    fn records(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Option<Records> {
        if snapshot.classes.is_empty() {
            snapshot.classifier.classified(spec, &snapshot.folds)?.records(&spec.table)
        } else {
            Some(MultiClass::of(&snapshot.classes)?.records(spec))
        }
    }

    fn report(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Value {
        report::report(spec, snapshot)
    }

    fn prepare(
        spec: &Checked<TableSpec>,
        data: &Store,
        before: Option<TableSnapshot>,
    ) -> Result<Prepared<TableSnapshot>, Vec<InputError>> {
        let rows = TableRows::new(spec, data).map_err(|error| vec![error])?;
        Ok(Box::new(TableWork::new((**spec).clone(), rows, before)))
    }
}
