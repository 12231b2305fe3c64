//! The task: a fit per unit, then chains through the posterior of the fit that is shown.

use super::chain::CHAINS;
use super::spec::PRESETS;
use super::work::LearnWork;
use super::{Learn, LearnSnapshot, LearnSpec, figures, records, report};
use crate::data::{Facts, Store};
use crate::figure::{Figure, Records};
use crate::lab::claim::{Criterion, Quantity, ValueUnit};
use crate::lab::{
    Challenge, Checked, Exercise, Goal, InputError, Meta, Plan, Prepared, Queue, Requirement, Status,
    TypedTask,
};

/// More samples alone help both methods; a larger network helps only this one.
const CHALLENGE: Challenge = Challenge {
    text: "Find the hidden source 7 dB better than linear ICA.",
    requirements: &[Requirement {
        name: "better by",
        value: Quantity::At("/gain_db"),
        accepts: Criterion::AtLeast(7.0),
        decimals: 1,
        unit: ValueUnit::named("dB", "dB"),
    }],
};

impl TypedTask for Learn {
    const META: Meta = Meta {
        id: "nfa",
        title: "Nonlinear factor analysis",
        question: "Which hidden sources produced these measurements?",
        subtitle: "Each point is one measurement in several channels. The method recovers both the hidden source and the curve.",
        pair: true,
        tab: Some("Hidden sources"),
        queue: Queue::Run,
        live: None,
        exercises: &[
            Exercise { text: "Ask for two sources (n = 2)", goal: Goal::AtLeast("sources", 2.0) },
            Exercise {
                text: "Hide a third of the values",
                goal: Goal::Preset("A third of the values missing"),
            },
            Exercise { text: "See where it fails", goal: Goal::Preset("Failure with small initial weights") },
        ],
        challenge: Some(&CHALLENGE),
        presets: PRESETS,
    };
    type Spec = LearnSpec;
    type Snapshot = LearnSnapshot;

    fn plan(spec: &Checked<LearnSpec>, _facts: Option<&Facts>) -> Plan {
        let fits = (0..spec.restarts).fold(Plan::default(), |plan, _| {
            spec.variants().iter().fold(plan, |plan, variant| plan.and(1, (1 + variant.sources) as f64))
        });
        let plan = if spec.hmc > 0 {
            fits.then(CHAINS, (1 + spec.sources) as f64).frames(CHAINS as f64)
        } else {
            fits
        };
        plan.times((spec.sweeps * spec.samples * spec.hidden * spec.data.channels()) as f64)
    }

    fn merge(parts: Vec<LearnSnapshot>) -> LearnSnapshot {
        let mut all = LearnSnapshot::default();
        for part in parts {
            all.rows.extend(part.rows);
            all.chains.extend(part.chains);
        }
        all.rows.sort_by_key(|row| row.unit);
        all
    }

    fn status(spec: &Checked<LearnSpec>, snapshot: &LearnSnapshot) -> Status {
        let cells = spec.samples * spec.data.channels();
        snapshot.shown(spec).map_or(Status::CONVERGED, |row| row.fitted.status(cells))
    }

    fn records(spec: &Checked<LearnSpec>, snapshot: &LearnSnapshot) -> Option<Records> {
        records::records(spec, snapshot)
    }

    fn figures(spec: &Checked<LearnSpec>, snapshot: &LearnSnapshot) -> Vec<Figure> {
        figures::figures(spec, snapshot)
    }

    fn report(spec: &Checked<LearnSpec>, snapshot: &LearnSnapshot) -> serde_json::Value {
        report::report(spec, snapshot)
    }

    fn prepare(
        spec: &Checked<LearnSpec>,
        _data: &Store,
        before: Option<LearnSnapshot>,
    ) -> Result<Prepared<LearnSnapshot>, Vec<InputError>> {
        let shown = before.as_ref().and_then(|before| before.shown(spec)).map(|row| row.unit);
        Ok(Box::new(LearnWork::new(spec, shown.unwrap_or_default())))
    }
}
