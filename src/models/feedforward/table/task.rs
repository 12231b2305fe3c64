//! The task: its names, plan, status and results.

use serde_json::Value;

use super::rows::{memory, read_rows};
use super::spec::PRESETS;
use super::work::TableWork;
use super::{FitBy, TableSnapshot, TableSpec, UserTable, figures, report};
use crate::data::{Facts, Store};
use crate::figure::{Figure, Records};
use crate::lab::{Checked, InputError, Meta, Outcome, Plan, Prepared, Queue, Raw, Status, TypedTask, raw_of};

/// Cost of logistic regression relative to a student, whose solves take hundreds of sweeps.
const BASELINE_COST: f64 = 0.05;

impl TypedTask for UserTable {
    const META: Meta = Meta {
        id: "feedforward.data",
        title: "Your data",
        question: "Can two classes in your table be told apart by a line?",
        subtitle: "A perceptron or a committee learns from your table and estimates its error without a test set.",
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

    fn plan(spec: &Checked<TableSpec>, facts: Option<&Facts>) -> Plan {
        let Some(facts) = facts else { return Plan::default() };
        let columns = facts.table().map_or(1, |table| table.columns.len());
        let cells = facts.rows() * columns;
        Plan::of(1)
            .and(1, BASELINE_COST)
            .and(spec.planned_folds(), 1.0)
            .times(cells as f64)
            .memory(memory(cells) + spec.memory(facts.rows()))
    }

    fn merge(parts: Vec<TableSnapshot>) -> TableSnapshot {
        let baseline = parts.iter().find_map(|part| part.baseline.clone());
        let folds = parts.iter().flat_map(|part| part.folds.clone()).collect();
        let fold_effects = parts.iter().flat_map(|part| part.fold_effects.clone()).collect();
        let student = parts.into_iter().find(|part| part.sweeps > 0).unwrap_or_default();
        TableSnapshot { baseline, folds, fold_effects, ..student }
    }

    fn status(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Status {
        let failure = snapshot.failure(spec);
        let remark =
            snapshot.warning().or_else(|| snapshot.unsolved_folds(spec).filter(|_| failure.is_none()));
        match remark {
            Some(remark) => Status { outcome: Outcome::Partial, reason: Some(remark) },
            None => {
                Status { outcome: snapshot.ending.map_or(Outcome::Converged, Outcome::from), reason: failure }
            }
        }
    }

    fn figures(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Vec<Figure> {
        figures::figures(spec, snapshot)
    }

    /// Returns the fitted β, or the advised one after a failure.
    fn found(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Raw {
        let solution = snapshot.solution.as_ref();
        let fitted = solution.filter(|_| spec.fit != FitBy::Nothing).map(|solution| solution.beta);
        let failed = snapshot.failure(spec).is_some();
        let advised = snapshot.advised_beta.filter(|beta| failed && *beta > 0.0);
        let Some(beta) = fitted.or(advised) else { return Raw::new() };
        let fields = &TableSpec::FIELDS;
        let beta = if beta.is_infinite() { "inf".to_owned() } else { beta.to_string() };
        raw_of([(fields.fit.key, FitBy::Nothing.word().to_owned()), (fields.beta.key, beta)])
    }

    fn records(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Option<Records> {
        snapshot.classified(spec)?.records(&spec.table)
    }

    fn report(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Value {
        report::report(spec, snapshot)
    }

    fn prepare(
        spec: &Checked<TableSpec>,
        data: &Store,
        _before: Option<TableSnapshot>,
    ) -> Result<Prepared<TableSnapshot>, Vec<InputError>> {
        let rows = read_rows(spec, data).map_err(|error| vec![error])?;
        Ok(Box::new(TableWork::new(spec, rows)))
    }
}
