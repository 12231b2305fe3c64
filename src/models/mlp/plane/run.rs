//! Both tasks as the lab runs them.

use super::report;
use super::work::{PlaneWork, costs, units};
use super::{FITTED, PlaneSnapshot, PlaneSpec, TwoWeights, figures, spec::PRESETS};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::{AllUnits, Checked, HasLive, InputError, Meta, Plan, Prepared, Queue, Run, Status};
use crate::models::mlp::status;

/// Starts of the live fits: one at the mode, and one away from it where there is such a one.
const LIVE_STARTS: usize = 2;

impl Run for TwoWeights {
    const META: Meta = Meta {
        id: "mlp",
        title: "Two weights",
        subtitle: "The posterior of a network with two weights after four examples. \
                   Grey: exact. Ellipses: Gaussian approximations. Drag a data point.",
        pair: true,
        tab: Some("Two weights"),
        queue: Queue::Run,
        live: Some(Self::LIVE_ID),
        presets: PRESETS,
    };
    type Spec = PlaneSpec;
    type Snapshot = PlaneSnapshot;

    fn plan(spec: &Checked<PlaneSpec>, _facts: Option<&Facts>) -> Plan {
        let [truth, fits, chains] = costs(spec, spec.restarts);
        Plan::default().and(truth.0, truth.1).and(fits.0, fits.1).and(chains.0, chains.1)
    }

    fn merge(parts: Vec<PlaneSnapshot>) -> PlaneSnapshot {
        merge(parts)
    }

    fn status(_spec: &Checked<PlaneSpec>, snapshot: &PlaneSnapshot) -> Status {
        status(snapshot)
    }

    fn figures(spec: &Checked<PlaneSpec>, snapshot: &PlaneSnapshot) -> Vec<Figure> {
        figures::all(spec, snapshot)
    }

    fn report(spec: &Checked<PlaneSpec>, snapshot: &PlaneSnapshot) -> serde_json::Value {
        report::report(spec, snapshot)
    }

    fn prepare(
        spec: &Checked<PlaneSpec>,
        _data: &Store,
        _before: Option<PlaneSnapshot>,
    ) -> Result<Prepared<PlaneSnapshot>, Vec<InputError>> {
        Ok(Box::new(PlaneWork::new(spec, spec.restarts, true)))
    }
}

impl HasLive for TwoWeights {
    const LIVE_ID: &'static str = "mlp.plane";
    const LIVE_TITLE: &'static str = "Fits to two weights";

    fn prepare_live(
        spec: &Checked<PlaneSpec>,
        _data: &Store,
    ) -> Result<Prepared<PlaneSnapshot>, Vec<InputError>> {
        let starts = spec.restarts.min(LIVE_STARTS);
        Ok(Box::new(AllUnits::new(PlaneWork::new(spec, starts, false), units(starts, false))))
    }

    fn live_figures(spec: &Checked<PlaneSpec>, snapshot: &PlaneSnapshot) -> Vec<Figure> {
        figures::live(spec, snapshot)
    }
}

fn merge(parts: Vec<PlaneSnapshot>) -> PlaneSnapshot {
    let mut all = PlaneSnapshot::default();
    for part in parts {
        all.truth = all.truth.or(part.truth);
        all.fits.extend(part.fits);
        all.chains.extend(part.chains);
    }
    all
}

fn status(snapshot: &PlaneSnapshot) -> Status {
    let best = FITTED.iter().filter_map(|method| snapshot.best(*method));
    status::status(best.map(|row| (row.method, row.ending, row.evaluations)))
}
