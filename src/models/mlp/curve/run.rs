//! Both tasks as the lab runs them.

use super::report;
use super::work::{CurveWork, costs};
use super::{Curve1d, CurveSnapshot, CurveSpec, FITTED, PointSet, figures, spec::PRESETS};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::{AllUnits, Checked, HasLive, InputError, Meta, Plan, Prepared, Queue, Run, Status};
use crate::models::mlp::status;

impl Run for Curve1d {
    const META: Meta = Meta {
        id: "mlp.curve",
        title: "Regression in one dimension",
        subtitle: "Uncertainty of a network between the training examples and beyond them. \
                   Bands: f ± 2 sd, compared with Hamiltonian Monte Carlo.",
        pair: false,
        tab: Some("Regression"),
        queue: Queue::Run,
        live: Some(Self::LIVE_ID),
        presets: PRESETS,
    };
    type Spec = CurveSpec;
    type Snapshot = CurveSnapshot;

    fn plan(spec: &Checked<CurveSpec>, facts: Option<&Facts>) -> Plan {
        let (fits, (chains, draws)) = costs(spec, count(spec, facts));
        let plan = fits.into_iter().fold(Plan::default(), |plan, cost| plan.and(spec.restarts, cost));
        plan.and(chains, draws)
    }

    fn merge(parts: Vec<CurveSnapshot>) -> CurveSnapshot {
        merge(parts)
    }

    fn status(_spec: &Checked<CurveSpec>, snapshot: &CurveSnapshot) -> Status {
        status(snapshot)
    }

    fn figures(spec: &Checked<CurveSpec>, snapshot: &CurveSnapshot) -> Vec<Figure> {
        figures::figures(spec, snapshot)
    }

    fn report(spec: &Checked<CurveSpec>, snapshot: &CurveSnapshot) -> serde_json::Value {
        report::report(spec, snapshot)
    }

    fn prepare(
        spec: &Checked<CurveSpec>,
        data: &Store,
        _before: Option<CurveSnapshot>,
    ) -> Result<Prepared<CurveSnapshot>, Vec<InputError>> {
        Ok(Box::new(CurveWork::new(spec, spec.restarts, table(spec, data)?)))
    }
}

impl HasLive for Curve1d {
    const LIVE_ID: &'static str = "mlp.bands";
    const LIVE_TITLE: &'static str = "Fits to points";

    fn prepare_live(
        spec: &Checked<CurveSpec>,
        data: &Store,
    ) -> Result<Prepared<CurveSnapshot>, Vec<InputError>> {
        Ok(Box::new(AllUnits::new(CurveWork::new(spec, 1, table(spec, data)?), FITTED.len())))
    }

    fn live_figures(spec: &Checked<CurveSpec>, snapshot: &CurveSnapshot) -> Vec<Figure> {
        figures::live(spec, snapshot)
    }
}

fn table(spec: &CurveSpec, data: &Store) -> Result<Vec<(f64, f64)>, Vec<InputError>> {
    spec.rows_of_table(data).map_err(|problem| vec![problem])
}

/// How many examples there are; of a table that is not read yet, some.
fn count(spec: &CurveSpec, facts: Option<&Facts>) -> usize {
    match spec.set {
        PointSet::Own => spec.points.len(),
        PointSet::Table => facts.map_or(1, Facts::rows),
        _ => spec.examples,
    }
}

fn merge(parts: Vec<CurveSnapshot>) -> CurveSnapshot {
    let mut all = CurveSnapshot::default();
    for part in parts {
        if all.table.is_empty() {
            all.table = part.table;
        }
        all.fits.extend(part.fits);
        all.chains.extend(part.chains);
    }
    all
}

fn status(snapshot: &CurveSnapshot) -> Status {
    let best = FITTED.iter().filter_map(|method| snapshot.best(*method));
    status::status(best.map(|row| (row.method, row.ending, row.evaluations)))
}
