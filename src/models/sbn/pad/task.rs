//! The live task.

use super::work::PadWork;
use super::{Pad, PadSnapshot, figures, report};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::claim::{Criterion, Quantity, ValueUnit};
use crate::lab::{
    Challenge, Checked, InputError, Meta, Outcome, Plan, Prepared, Requirement, Status, TypedTask,
};
use crate::models::sbn::pretrained;
use crate::models::sbn::spec::LearnSpec;

/// A drawing between digits, with nothing hidden.
const CHALLENGE: Challenge = Challenge {
    text: "Draw something of 15 pixels or more of which no network is sure: at most 60 %.",
    requirements: &[
        Requirement {
            name: "probability of the likeliest digit:",
            value: Quantity::Max(&Quantity::At("/networks/*/probability")),
            accepts: Criterion::AtMost(0.6),
            decimals: 3,
            unit: ValueUnit::PERCENT,
        },
        Requirement {
            name: "pixels drawn:",
            value: Quantity::At("/ink_pixels"),
            accepts: Criterion::AtLeast(15.0),
            decimals: 0,
            unit: ValueUnit::NONE,
        },
    ],
};

impl TypedTask for Pad {
    const META: Meta =
        Meta { challenge: Some(&CHALLENGE), ..Meta::companion("sbn.pad", "Classification of a drawing") };
    type Spec = LearnSpec;
    type Snapshot = PadSnapshot;

    fn plan(_spec: &Checked<LearnSpec>, _facts: Option<&Facts>) -> Plan {
        Plan::of(1).frames(100.0)
    }

    fn merge(parts: Vec<PadSnapshot>) -> PadSnapshot {
        PadSnapshot { result: parts.into_iter().find_map(|part| part.result) }
    }

    fn status(spec: &Checked<LearnSpec>, snapshot: &PadSnapshot) -> Status {
        match &snapshot.result {
            Some(result) if !result.is_blank() && !result.rows[result.best].converged => Status {
                outcome: Outcome::Partial,
                reason: Some(format!(
                    "the mean field equations did not converge within {} passes",
                    spec.max_passes
                )),
            },
            _ => Status::CONVERGED,
        }
    }

    fn figures(spec: &Checked<LearnSpec>, snapshot: &PadSnapshot) -> Vec<Figure> {
        figures::figures(spec, snapshot.result.as_ref())
    }

    fn report(_spec: &Checked<LearnSpec>, snapshot: &PadSnapshot) -> serde_json::Value {
        report::report(snapshot)
    }

    fn prepare(
        spec: &Checked<LearnSpec>,
        data: &Store,
        _before: Option<PadSnapshot>,
    ) -> Result<Prepared<PadSnapshot>, Vec<InputError>> {
        let (trained_on, networks) = spec.networks(data)?.unwrap_or_else(pretrained::classifier);
        Ok(Box::new(PadWork::new(spec, networks, trained_on)))
    }
}
