//! The task `gp.evidence`.

use super::spec::PRESETS;
use super::work::{EvidenceWork, plan};
use super::{EvidenceComparison, EvidenceSnapshot, EvidenceSpec, figures, report};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::{
    Checked, Exercise, Goal, InputError, Meta, Outcome, Plan, Prepared, Queue, Status, TypedTask,
};

impl TypedTask for EvidenceComparison {
    const META: Meta = Meta {
        id: "gp.evidence",
        title: "Log evidence over σ²",
        question: "Can a shortcut choose the right smoothness?",
        subtitle: "The log evidence measures how well a smoothness σ² explains the points. Shown: three fast approximations and a reference by sampling.",
        pair: false,
        tab: Some("Evidence"),
        queue: Queue::Run,
        live: None,
        exercises: &[
            Exercise { text: "Find a known σ²", goal: Goal::Preset("Known σ²") },
            Exercise { text: "Lower the latent noise v to 0.02", goal: Goal::AtMost("v", 0.02) },
            Exercise { text: "Flip some labels", goal: Goal::Preset("Flipped labels") },
        ],
        challenge: None,
        presets: PRESETS,
    };
    type Spec = EvidenceSpec;
    type Snapshot = EvidenceSnapshot;

    fn plan(spec: &Checked<EvidenceSpec>, _facts: Option<&Facts>) -> Plan {
        plan(spec)
    }

    fn merge(parts: Vec<EvidenceSnapshot>) -> EvidenceSnapshot {
        let mut all = EvidenceSnapshot::default();
        for part in parts {
            all.rows.extend(part.rows);
            all.chains.extend(part.chains);
        }
        all
    }

    fn status(spec: &Checked<EvidenceSpec>, snapshot: &EvidenceSnapshot) -> Status {
        let mut reasons = Vec::new();
        for (place, method) in Self::METHODS.into_iter().enumerate() {
            let failed = snapshot.rows.iter().filter(|row| row.ln_evidence[place].is_none()).count();
            if failed > 0 && method.allows(spec.v) {
                reasons.push(format!("{}: no solution at {failed} values of σ²", method.label()));
            }
        }
        if snapshot.chains.iter().any(|row| row.stuck) {
            reasons.push("hardly any function satisfies all labels: increase v or κ".to_owned());
        }
        if reasons.is_empty() {
            return Status::CONVERGED;
        }
        Status { outcome: Outcome::Partial, reason: Some(reasons.join("; ")) }
    }

    fn figures(spec: &Checked<EvidenceSpec>, snapshot: &EvidenceSnapshot) -> Vec<Figure> {
        figures::all(spec, snapshot)
    }

    fn report(spec: &Checked<EvidenceSpec>, snapshot: &EvidenceSnapshot) -> serde_json::Value {
        report::report(spec, snapshot)
    }

    fn prepare(
        spec: &Checked<EvidenceSpec>,
        _data: &Store,
        _before: Option<EvidenceSnapshot>,
    ) -> Result<Prepared<EvidenceSnapshot>, Vec<InputError>> {
        Ok(Box::new(EvidenceWork::new(spec)))
    }
}
