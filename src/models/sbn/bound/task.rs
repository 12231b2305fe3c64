//! The task: one weight standard deviation per unit, or the network of a file.

use super::spec::PRESETS;
use super::work::{BoundWork, FileNetworkWork, MAX_PASSES};
use super::{BoundComparison, BoundSnapshot, BoundSpec, figures, report};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::{
    Checked, Exercise, Goal, InputError, Meta, Outcome, Plan, Prepared, Queue, Status, TypedTask,
};

/// Largest residual of a converged solution.
const MAX_RESIDUAL: f64 = 1e-6;

impl TypedTask for BoundComparison {
    const META: Meta = Meta {
        id: "sbn.bound",
        title: "Bound and exact log probability",
        question: "How close is the bound to the exact probability?",
        subtitle: "A mean-field bound, fast to compute, usually but not always lies below the exact probability P, which can be computed in small networks.",
        pair: false,
        tab: Some("Bound and exact value"),
        queue: Queue::Run,
        live: None,
        exercises: &[
            Exercise { text: "Try networks of two layers", goal: Goal::Preset("A bound that exceeds ln P") },
            Exercise { text: "Watch an iteration converge", goal: Goal::Preset("Convergent iteration") },
            Exercise { text: "See where it fails", goal: Goal::Preset("Cycle of two values") },
        ],
        challenge: None,
        presets: PRESETS,
    };
    type Spec = BoundSpec;
    type Snapshot = BoundSnapshot;

    fn plan(spec: &Checked<BoundSpec>, _facts: Option<&Facts>) -> Plan {
        if spec.reads_file() {
            return Plan::of(1);
        }
        // ln P is a sum over all states of the hidden units.
        let hidden = spec.sizes().iter().rev().skip(1).sum::<usize>() as i32;
        Plan::of(spec.weight_sds.len()).times(spec.networks as f64 * (2_f64.powi(hidden) + spec.draws as f64))
    }

    fn merge(parts: Vec<BoundSnapshot>) -> BoundSnapshot {
        let mut merged = BoundSnapshot::default();
        for part in parts {
            merged.rows.extend(part.rows);
            merged.from_file = part.from_file.or(merged.from_file);
        }
        merged
    }

    fn status(_spec: &Checked<BoundSpec>, snapshot: &BoundSnapshot) -> Status {
        let cases = || snapshot.rows.iter().flat_map(|row| &row.cases).chain(&snapshot.from_file);
        let unconverged =
            cases().filter(|case| case.residual.is_nan() || case.residual > MAX_RESIDUAL).count();
        if unconverged == 0 {
            return Status::CONVERGED;
        }
        let reason = format!(
            "{unconverged} of {} solves did not converge within {MAX_PASSES} passes",
            cases().count()
        );
        Status { outcome: Outcome::Partial, reason: Some(reason) }
    }

    fn figures(spec: &Checked<BoundSpec>, snapshot: &BoundSnapshot) -> Vec<Figure> {
        figures::figures(spec, snapshot)
    }

    fn report(spec: &Checked<BoundSpec>, snapshot: &BoundSnapshot) -> serde_json::Value {
        report::report(spec, snapshot)
    }

    fn prepare(
        spec: &Checked<BoundSpec>,
        data: &Store,
        _before: Option<BoundSnapshot>,
    ) -> Result<Prepared<BoundSnapshot>, Vec<InputError>> {
        if let Some((network, pattern)) = spec.network_from_file(data)? {
            return Ok(Box::new(FileNetworkWork::new(network, pattern, spec.draws, spec.seed)));
        }
        Ok(Box::new(BoundWork::new(spec)))
    }
}
