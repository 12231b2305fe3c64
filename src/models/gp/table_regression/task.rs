//! The task `gp.regression`.

use serde_json::Value;

use super::predicting::RegressionPredictions;
use super::rows;
use super::spec::PRESETS;
use super::units::RegressionUnit;
use super::work::RegressionTableWork;
use super::{ProcessRegression, ProcessRegressionSnapshot, ProcessRegressionSpec, figures, report, status};
use crate::data::{Facts, Store};
use crate::figure::{Figure, Records};
use crate::lab::labelled_table::Kept;
use crate::lab::labelled_table::numeric::target_records;
use crate::lab::{
    Checked, InputError, Meta, Plan, PredictionWork, Predictor, Prepared, Queue, Raw, Status, TypedTask,
    raw_of,
};
use crate::models::gp::fields::RegressionFitBy;
use crate::models::gp::inducing_points::{BYTES_PER_ROW, COMPARED_ROWS, MAX_ROWS, may_have};
use crate::models::gp::regression::fit::{AMPLITUDE, NOISE};

/// Square matrices of the training rows held at once: covariances, factor, inverse of the factor, and inverse.
const MATRICES: u64 = 4;

impl TypedTask for ProcessRegression {
    const META: Meta = Meta {
        id: "gp.regression",
        title: "Regression on a table",
        question: "What value should you expect in a new row, and how certain is it?",
        subtitle: "Gaussian-process regression predicts a numeric column of your table, with error bars. It is exact for up to 4,000 rows.",
        pair: false,
        tab: Some("Predict"),
        queue: Queue::Run,
        live: None,
        exercises: &[],
        challenge: None,
        presets: PRESETS,
    };
    type Spec = ProcessRegressionSpec;
    type Snapshot = ProcessRegressionSnapshot;

    /// Returns the model with the given hyperparameters, the starts of a fit and the baselines; then the fitted model and, if relevances
    /// are fitted, that with one length scale; then the model that learns the test rows too, if there are rows to predict, and the folds of
    /// cross-validation, of which some take no time if they are not requested and there are test rows.
    fn plan(spec: &Checked<ProcessRegressionSpec>, facts: Option<&Facts>) -> Plan {
        let Some(facts) = facts else { return Plan::default() };
        let rows = facts.rows().clamp(1, MAX_ROWS);
        let trained = ((rows as f64 * spec.train_fraction) as usize).max(1);
        let compares = may_have(spec.inducing, rows);
        let stages = RegressionUnit::stages(spec, spec.table.refits_for_new_rows(facts), compares);
        let mut plan = Plan::default();
        for (stage, units) in stages.into_iter().enumerate() {
            for (at, unit) in units.into_iter().enumerate() {
                let cost = unit.cost(spec, rows, trained);
                plan = if stage > 0 && at == 0 { plan.then(1, cost) } else { plan.and(1, cost) };
            }
        }
        let points = spec.inducing_points(trained).map(|inducing| inducing.count);
        let matrix = points.unwrap_or(rows).max(if compares { COMPARED_ROWS } else { 0 }) as u64;
        plan.memory(MATRICES * 8 * matrix.pow(2) + BYTES_PER_ROW * rows as u64)
    }

    fn merge(parts: Vec<ProcessRegressionSnapshot>) -> ProcessRegressionSnapshot {
        let mut all = ProcessRegressionSnapshot::default();
        for part in parts {
            all.table = all.table.or(part.table);
            all.baselines = all.baselines.or(part.baselines);
            all.starts.extend(part.starts);
            all.search = all.search.or(part.search);
            all.one_length_scale_search = all.one_length_scale_search.or(part.one_length_scale_search);
            all.given = all.given.or(part.given);
            all.fitted = all.fitted.or(part.fitted);
            all.one_length_scale = all.one_length_scale.or(part.one_length_scale);
            all.refitted = all.refitted.or(part.refitted);
            all.comparison = all.comparison.or(part.comparison);
            all.folds.extend(part.folds);
        }
        all.compare();
        all
    }

    fn status(spec: &Checked<ProcessRegressionSpec>, snapshot: &ProcessRegressionSnapshot) -> Status {
        status::status(spec, snapshot)
    }

    fn figures(spec: &Checked<ProcessRegressionSpec>, snapshot: &ProcessRegressionSnapshot) -> Vec<Figure> {
        figures::all(spec, snapshot)
    }

    /// Returns the fitted hyperparameters, or the best found so far.
    fn found(spec: &Checked<ProcessRegressionSpec>, snapshot: &ProcessRegressionSnapshot) -> Raw {
        let Some(values) = snapshot.best_found() else { return Raw::new() };
        let (fields, given) = (&ProcessRegressionSpec::FIELDS, spec.given(values.weights.len()));
        let mut found = raw_of([
            (fields.fit.key, RegressionFitBy::Nothing.word().to_owned()),
            (fields.sigma2.key, values.sigma2(&given.kernel).to_string()),
            (fields.amplitude.key, values.amplitude.clamp(AMPLITUDE.0, AMPLITUDE.1).to_string()),
            (fields.noise.key, values.noise.clamp(NOISE.0, NOISE.1).to_string()),
        ]);
        if spec.fit_ard && snapshot.kept() == Kept::Fitted || !spec.ard.is_empty() {
            let relevances: Vec<String> = values.relevances().iter().map(f64::to_string).collect();
            found.insert(fields.ard.key.to_owned(), relevances.join(","));
        }
        found
    }

    fn records(
        spec: &Checked<ProcessRegressionSpec>,
        snapshot: &ProcessRegressionSnapshot,
    ) -> Option<Records> {
        let (rows, _) = snapshot.predictions()?;
        Some(target_records(&spec.table, snapshot.table.as_ref()?, &rows))
    }

    fn report(spec: &Checked<ProcessRegressionSpec>, snapshot: &ProcessRegressionSnapshot) -> Value {
        report::report(spec, snapshot)
    }

    fn predictor(_spec: &Checked<ProcessRegressionSpec>) -> Option<Predictor<Self>> {
        Some(|spec, data, finished| {
            let read = rows::read(spec, data).map_err(|error| vec![error])?;
            Ok(Box::new(PredictionWork::new(RegressionPredictions::new(spec, read, &finished), finished)))
        })
    }

    fn prepare(
        spec: &Checked<ProcessRegressionSpec>,
        data: &Store,
        before: Option<ProcessRegressionSnapshot>,
    ) -> Result<Prepared<ProcessRegressionSnapshot>, Vec<InputError>> {
        let read = rows::read(spec, data).map_err(|error| vec![error])?;
        let facts = spec.values().facts(data);
        let refits = facts.is_some_and(|facts| spec.table.refits_for_new_rows(facts));
        let compares = facts.is_some_and(|facts| may_have(spec.inducing, facts.rows()));
        let units = RegressionUnit::stages(spec, refits, compares).concat();
        Ok(Box::new(RegressionTableWork::new(spec, read, units, before)))
    }
}
