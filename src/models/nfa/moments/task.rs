//! The tasks of the moments lab.

use super::report;
use super::spec::PRESETS;
use super::work::{GRID_POINTS, MomentsWork};
use super::{MomentsLab, MomentsSnapshot, MomentsSpec, figures};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::{
    Checked, Exercise, Goal, HasLive, InputError, Meta, Plan, Prepared, Queue, Status, TypedTask,
};

/// Number of draws while a control is dragged.
const LIVE: usize = 20_000;

impl TypedTask for MomentsLab {
    const META: Meta = Meta {
        id: "nfa.moments",
        title: "Moments through a network",
        question: "How does uncertainty pass through a network?",
        subtitle: "An uncertain input makes the output uncertain. Two fast rules give its mean and spread, beside random draws (Monte Carlo).",
        pair: false,
        tab: Some("Moments lab"),
        queue: Queue::Run,
        live: Some(Self::LIVE_ID),
        exercises: &[
            Exercise { text: "Raise the input variance to 2", goal: Goal::AtLeast("variance", 2.0) },
            Exercise { text: "Compare a whole network", goal: Goal::Preset("A 1–3–1 network") },
            Exercise { text: "See where it fails", goal: Goal::Preset("Failure of the Taylor series") },
        ],
        challenge: None,
        presets: PRESETS,
    };
    type Spec = MomentsSpec;
    type Snapshot = MomentsSnapshot;

    fn plan(_spec: &Checked<MomentsSpec>, _facts: Option<&Facts>) -> Plan {
        Plan::of(1 + GRID_POINTS)
    }

    fn merge(parts: Vec<MomentsSnapshot>) -> MomentsSnapshot {
        let mut merged = MomentsSnapshot::default();
        for part in parts {
            merged.inputs.extend(part.inputs);
            merged.grid.extend(part.grid);
        }
        merged.grid.sort_by(|a, b| a.factor.total_cmp(&b.factor));
        merged
    }

    fn status(_spec: &Checked<MomentsSpec>, _snapshot: &MomentsSnapshot) -> Status {
        Status::CONVERGED
    }

    fn figures(spec: &Checked<MomentsSpec>, snapshot: &MomentsSnapshot) -> Vec<Figure> {
        vec![figures::histogram(spec, snapshot), figures::grid(snapshot)]
    }

    fn report(_spec: &Checked<MomentsSpec>, snapshot: &MomentsSnapshot) -> serde_json::Value {
        report::moments(snapshot)
    }

    fn prepare(
        spec: &Checked<MomentsSpec>,
        data: &Store,
        _before: Option<MomentsSnapshot>,
    ) -> Result<Prepared<MomentsSnapshot>, Vec<InputError>> {
        Ok(Box::new(MomentsWork::new(spec.inputs(data)?, spec.seed, spec.draws)))
    }
}

impl HasLive for MomentsLab {
    const LIVE_ID: &'static str = "nfa.moments_live";
    const LIVE_TITLE: &'static str = "Moments (live)";

    fn prepare_live(
        spec: &Checked<MomentsSpec>,
        data: &Store,
    ) -> Result<Prepared<MomentsSnapshot>, Vec<InputError>> {
        let mut inputs = spec.inputs(data)?;
        // The figure shows the first input only.
        inputs.truncate(1);
        Ok(Box::new(MomentsWork::new(inputs, spec.seed, LIVE.min(spec.draws))))
    }

    fn live_figures(spec: &Checked<MomentsSpec>, snapshot: &MomentsSnapshot) -> Vec<Figure> {
        vec![figures::histogram(spec, snapshot)]
    }
}
