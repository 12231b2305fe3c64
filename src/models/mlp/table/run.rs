//! The task as the lab runs it.

use super::report;
use super::work::TableWork;
use super::{FITTED, OwnTable, TableSnapshot, TableSpec, figures, records, rows, spec::PRESETS};
use crate::data::{Facts, Store};
use crate::figure::{Figure, Records};
use crate::lab::{Checked, InputError, Meta, Plan, Prepared, Queue, Run, Status};
use crate::models::mlp::status;

/// What a start of each fit costs beside the others, roughly.
const COSTS: [f64; 5] = [2.0, 2.5, 1.0, 2.5, 10.0];

impl Run for OwnTable {
    const META: Meta = Meta {
        id: "mlp.data",
        title: "Regression on your data",
        subtitle: "Fits a small network to your table and gives predictions with intervals.",
        pair: false,
        tab: Some("Your data"),
        queue: Queue::Run,
        live: None,
        presets: PRESETS,
    };
    type Spec = TableSpec;
    type Snapshot = TableSnapshot;

    fn plan(spec: &Checked<TableSpec>, facts: Option<&Facts>) -> Plan {
        let Some(facts) = facts else { return Plan::default() };
        let columns = facts.table().map_or(1, |table| table.columns.len());
        let evaluation = (facts.rows() * columns * spec.hidden) as f64;
        let each = || COSTS.into_iter().cycle().take(spec.splits * FITTED.len());
        each().fold(Plan::default(), |plan, cost| plan.and(spec.restarts, cost)).times(evaluation)
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
        let best = (0..spec.splits).flat_map(|split| FITTED.map(|method| (split, method)));
        let best = best.filter_map(|(split, method)| snapshot.best(split, method));
        status::status(best.map(|row| (row.method, row.ending, row.evaluations)))
    }

    fn figures(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Vec<Figure> {
        figures::figures(spec, snapshot)
    }

    fn records(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Option<Records> {
        records::records(spec, snapshot)
    }

    fn report(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> serde_json::Value {
        report::report(spec, snapshot)
    }

    fn prepare(
        spec: &Checked<TableSpec>,
        data: &Store,
        _before: Option<TableSnapshot>,
    ) -> Result<Prepared<TableSnapshot>, Vec<InputError>> {
        let (table, splits) = rows::read(spec, data).map_err(|problem| vec![problem])?;
        Ok(Box::new(TableWork::new(spec, table, splits)))
    }
}
