//! The task `mlp.data`.

use super::predicting::NetworkPredictions;
use super::work::TableWork;
use super::{NetworkRegression, TableSnapshot, TableSpec, figures, report, rows, spec::PRESETS};
use crate::data::{Facts, Store};
use crate::figure::{Figure, Records};
use crate::lab::labelled_table::numeric::target_records;
use crate::lab::{
    Checked, InputError, Meta, Plan, PredictionWork, Predictor, Prepared, Queue, Status, TypedTask,
};
use crate::models::mlp::fields::Approximation;
use crate::models::mlp::fits;

/// Approximate cost of the fit to all labelled rows, relative to those of [`COSTS`].
const ALL_ROWS_COST: f64 = 3.0;
/// Approximate relative costs of a start of each fit, in the order of [`Approximation::ALL`].
const COSTS: [f64; 5] = [1.0, 1.0, 1.0, 3.0, 4.0];

impl TypedTask for NetworkRegression {
    const META: Meta = Meta {
        id: "mlp.data",
        title: "Regression on a table",
        question: "How far can predictions for your table be trusted?",
        subtitle: "A small network, fitted by ensemble learning (variational inference), predicts a numeric column with intervals. Compare it with Gaussian-process regression (Gaussian processes, Predict).",
        pair: false,
        tab: Some("Predict"),
        queue: Queue::Run,
        live: None,
        exercises: &[],
        challenge: None,
        presets: PRESETS,
    };
    type Spec = TableSpec;
    type Snapshot = TableSnapshot;

    /// Returns one unit for each start of each fit on each split, split by split. If there are rows to predict and not all labelled rows are
    /// training rows, the predicting fit to all labelled rows follows, which starts at the weights of the best fit on the first split.
    fn plan(spec: &Checked<TableSpec>, facts: Option<&Facts>) -> Plan {
        let Some(facts) = facts else { return Plan::default() };
        let columns = facts.table().map_or(1, |table| table.columns.len());
        let evaluation = (facts.rows() * columns * spec.hidden) as f64;
        let each = || COSTS.into_iter().cycle().take(spec.splits * Approximation::ALL.len());
        let plan = each().fold(Plan::default(), |plan, cost| plan.and(spec.restarts, cost));
        let plan = if spec.table.refits_for_new_rows(facts) { plan.then(1, ALL_ROWS_COST) } else { plan };
        plan.times(evaluation)
    }

    fn merge(parts: Vec<TableSnapshot>) -> TableSnapshot {
        let mut all = TableSnapshot::default();
        for part in parts {
            all.table = all.table.or(part.table);
            all.fits.extend(part.fits);
        }
        all
    }

    fn status(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Status {
        let fits = (0..spec.splits).flat_map(|split| Approximation::ALL.map(|method| (split, method)));
        fits::status(fits.filter_map(|(split, method)| snapshot.best(split, method)))
    }

    fn figures(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Vec<Figure> {
        figures::all(spec, snapshot)
    }

    fn records(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Option<Records> {
        let rows = snapshot.predictions(spec.splits)?;
        Some(target_records(&spec.table, snapshot.table.as_ref()?, &rows))
    }

    fn report(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> serde_json::Value {
        report::report(spec, snapshot)
    }

    fn predictor(_spec: &Checked<TableSpec>) -> Option<Predictor<Self>> {
        Some(|spec, data, finished| {
            let read = rows::read(spec, data).map_err(|error| vec![error])?;
            Ok(Box::new(PredictionWork::new(NetworkPredictions::new(spec, read, &finished), finished)))
        })
    }

    fn prepare(
        spec: &Checked<TableSpec>,
        data: &Store,
        before: Option<TableSnapshot>,
    ) -> Result<Prepared<TableSnapshot>, Vec<InputError>> {
        let (table, splits) = rows::read(spec, data).map_err(|error| vec![error])?;
        let predicting = before.and_then(|before| before.lowest_bound().cloned());
        Ok(Box::new(TableWork::new(spec, table, splits, predicting)))
    }
}
