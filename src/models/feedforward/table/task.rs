//! The task: its names, plan, status and results.

use serde_json::Value;

use super::predicting::StudentPredictions;
use super::rows::{memory, read_rows};
use super::spec::PRESETS;
use super::work::TableWork;
use super::{FitBy, TableSnapshot, TableSpec, UserTable, figures, report};
use crate::data::{Facts, Store};
use crate::figure::{Figure, Records};
use crate::lab::labelled_table::{Kept, Untuned};
use crate::lab::{
    Checked, InputError, Meta, Outcome, Plan, PredictionWork, Predictor, Prepared, Queue, Raw, Status,
    TypedTask, raw_of,
};

/// Cost of logistic regression relative to a student with a given β.
const BASELINE_COST: f64 = 0.05;
/// Cost of a fit of β relative to a student with a given β: it solves at dozens of values.
const FIT_COST: f64 = 10.0;

impl TypedTask for UserTable {
    const META: Meta = Meta {
        id: "feedforward.data",
        title: "Classification of a table",
        question: "Can two classes in your table be told apart by a line?",
        subtitle: "A perceptron or a committee learns from your table by TAP (Thouless–Anderson–Palmer), a fast approximation, and shows which columns matter.",
        pair: false,
        tab: Some("Classify"),
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
        let spec = spec.decided(spec.untuned(Some(facts)));
        let fit = if spec.is_tuned() { FIT_COST } else { 1.0 };
        Plan::of(1)
            .and(1, BASELINE_COST)
            .and(usize::from(spec.is_tuned()), fit)
            .and(spec.planned_folds(), fit)
            .times(cells as f64)
            .memory(memory(cells) + spec.memory(facts.rows()))
    }

    fn merge(parts: Vec<TableSnapshot>) -> TableSnapshot {
        let baseline = parts.iter().find_map(|part| part.baseline.clone());
        let folds = parts.iter().flat_map(|part| part.folds.clone()).collect();
        let fold_effects = parts.iter().flat_map(|part| part.fold_effects.clone()).collect();
        let before = parts.iter().flat_map(|part| part.fold_effects_before_fit.clone());
        let fold_effects_before_fit = before.collect();
        let before_fit = parts.iter().find_map(|part| part.before_fit.clone());
        let untuned = parts.iter().find_map(|part| part.untuned);
        let student = parts.into_iter().find(|part| part.sweeps > 0).unwrap_or_default();
        TableSnapshot {
            baseline,
            folds,
            fold_effects,
            fold_effects_before_fit,
            before_fit,
            untuned,
            ..student
        }
    }

    fn status(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Status {
        let is_automatic = spec.fit == FitBy::Automatic;
        let spec = &spec.decided(snapshot.untuned);
        let failure = snapshot.failure(spec);
        // The caption of the fit has the warning, too.
        let remark = snapshot
            .warning()
            .filter(|_| !is_automatic)
            .or_else(|| snapshot.unsolved_folds(spec).filter(|_| failure.is_none()));
        match remark {
            Some(remark) => Status { outcome: Outcome::Partial, reason: Some(remark) },
            None => {
                Status { outcome: snapshot.ending.map_or(Outcome::Converged, Outcome::from), reason: failure }
            }
        }
    }

    fn figures(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Vec<Figure> {
        let mut figures = figures::figures(&spec.decided(snapshot.untuned), snapshot);
        if let Some((first, not_tuned)) = figures.first_mut().zip(snapshot.not_tuned()) {
            first.caption += " ";
            first.caption += &not_tuned;
        }
        figures
    }

    /// Returns the fitted β; after a failure the advised one, or a fit.
    fn found(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Raw {
        let spec = &spec.decided(snapshot.untuned);
        let solution = snapshot.solution.as_ref().filter(|_| snapshot.kept() == Kept::Fitted);
        let fitted = solution.filter(|_| spec.is_tuned()).map(|solution| solution.beta);
        let failed = snapshot.failure(spec).is_some();
        let advised = snapshot.advised_beta.filter(|beta| failed && *beta > 0.0);
        let fields = &TableSpec::FIELDS;
        let Some(beta) = fitted.or(advised) else {
            return if failed { raw_of([(fields.fit.key, FitBy::Evidence.word())]) } else { Raw::new() };
        };
        let beta = if beta.is_infinite() { "inf".to_owned() } else { beta.to_string() };
        raw_of([(fields.fit.key, FitBy::Nothing.word().to_owned()), (fields.beta.key, beta)])
    }

    fn records(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Option<Records> {
        snapshot.classified(&spec.decided(snapshot.untuned))?.records(&spec.table)
    }

    fn report(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Value {
        let mut report = report::report(&spec.decided(snapshot.untuned), snapshot);
        if spec.fit == FitBy::Automatic {
            report["tuning"] = Untuned::report(snapshot.not_tuned().as_deref());
        }
        report
    }

    fn predictor(_spec: &Checked<TableSpec>) -> Option<Predictor<Self>> {
        Some(|spec, data, finished| {
            let rows = read_rows(spec, data).map_err(|error| vec![error])?;
            Ok(Box::new(PredictionWork::new(StudentPredictions::new(spec, rows, &finished), finished)))
        })
    }

    fn prepare(
        spec: &Checked<TableSpec>,
        data: &Store,
        _before: Option<TableSnapshot>,
    ) -> Result<Prepared<TableSnapshot>, Vec<InputError>> {
        let rows = read_rows(spec, data).map_err(|error| vec![error])?;
        let facts = spec.values().facts(data);
        let untuned = spec.untuned(facts);
        Ok(Box::new(TableWork::new(spec.decided(untuned), rows, untuned)))
    }
}
