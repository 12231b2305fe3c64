//! The task `mlp` and its live companion.

use super::work::{PlaneWork, costs, units};
use super::{PlaneSnapshot, PlaneSpec, TwoWeights, figures, report, spec::PRESETS};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::claim::{Criterion, Quantity, ValueUnit};
use crate::lab::{
    AllUnits, Challenge, Checked, Exercise, Goal, HasLive, InputError, Meta, Plan, Prepared, Queue,
    Requirement, Status, TypedTask,
};
use crate::models::mlp::fits;

/// Maximum number of starts of the live fits: one from the mode, and one away from it if the prior is broad.
const MAX_LIVE_STARTS: usize = 2;

/// A posterior whose width and curvature no single Gaussian follows.
const CHALLENGE: Challenge = Challenge {
    text: "Find examples for which even the full covariance is at least 4 nats off.",
    requirements: &[Requirement {
        name: "full covariance:",
        value: Quantity::At("/fits/2/kl"),
        accepts: Criterion::AtLeast(4.0),
        decimals: 2,
        unit: ValueUnit::named("nat off", "nats off"),
    }],
};

impl TypedTask for TwoWeights {
    const META: Meta = Meta {
        id: "mlp",
        title: "Two weights",
        question: "Which Gaussian comes closest to the exact posterior?",
        subtitle: "Laplace’s Gaussian is at the mode. Ensemble learning (variational inference) minimises the divergence from the posterior (KL, in nats), \
            with independent (diagonal) or correlated weights.",
        pair: false,
        tab: Some("Two weights"),
        queue: Queue::Run,
        live: Some(Self::LIVE_ID),
        exercises: &[
            Exercise { text: "Drag a point in a lower panel", goal: Goal::Changed(&["points"]) },
            Exercise { text: "Try an easy posterior", goal: Goal::Preset("Nearly Gaussian posterior") },
            Exercise { text: "See where it fails", goal: Goal::Preset("Two optima") },
        ],
        challenge: Some(&CHALLENGE),
        presets: PRESETS,
    };
    type Spec = PlaneSpec;
    type Snapshot = PlaneSnapshot;

    fn plan(spec: &Checked<PlaneSpec>, _facts: Option<&Facts>) -> Plan {
        let [exact, fits, chains] = costs(spec);
        let plan = Plan::default().and(exact.0, exact.1).and(fits.0, fits.1).frames(60.0);
        plan.and(chains.0, chains.1).frames(chains.0 as f64)
    }

    fn merge(parts: Vec<PlaneSnapshot>) -> PlaneSnapshot {
        let mut all = PlaneSnapshot::default();
        for part in parts {
            all.exact = all.exact.or(part.exact);
            all.fits.extend(part.fits);
            all.chains.extend(part.chains);
        }
        all
    }

    fn status(_spec: &Checked<PlaneSpec>, snapshot: &PlaneSnapshot) -> Status {
        fits::status(snapshot.best_fits())
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
        Ok(Box::new(PlaneWork::new(spec, spec.restarts).showing_each_evaluation()))
    }
}

impl HasLive for TwoWeights {
    const LIVE_ID: &'static str = "mlp.plane";
    const LIVE_TITLE: &'static str = "Fits to two weights";

    fn prepare_live(
        spec: &Checked<PlaneSpec>,
        _data: &Store,
    ) -> Result<Prepared<PlaneSnapshot>, Vec<InputError>> {
        let starts = spec.restarts.min(MAX_LIVE_STARTS);
        Ok(Box::new(AllUnits::new(PlaneWork::new(spec, starts), units(starts))))
    }

    fn live_figures(spec: &Checked<PlaneSpec>, snapshot: &PlaneSnapshot) -> Vec<Figure> {
        figures::live(spec, snapshot)
    }
}
