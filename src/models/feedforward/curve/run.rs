//! What the lab asks of both tasks: their experiments, and what is made of a snapshot.

use super::experiment::{CurveWork, TheoryWork};
use super::report;
use super::spec::{CurveSpec, PRESETS};
use super::{CurveSnapshot, LearningCurve, TheoryCurve, TheorySnapshot, figures};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::{Checked, InputError, Meta, Outcome, Plan, Prepared, Queue, Run, Status};

impl Run for LearningCurve {
    const META: Meta = Meta {
        id: "feedforward",
        title: "Learning curve",
        subtitle: "How many examples does a learner need, and can it tell how wrong it is without a test set? Points: \
                   simulated runs. Dashed: theory. Drag β.",
        pair: false,
        tab: Some("Learning curve"),
        queue: Queue::Run,
        live: Some("feedforward.theory"),
        presets: PRESETS,
    };
    type Spec = CurveSpec;
    type Snapshot = CurveSnapshot;

    fn plan(spec: &Checked<CurveSpec>, _facts: Option<&Facts>) -> Plan {
        Plan::default().and(spec.theory_units(), theory_cost(spec)).and(spec.runs, run_cost(spec))
    }

    fn merge(parts: Vec<CurveSnapshot>) -> CurveSnapshot {
        let mut all = CurveSnapshot::default();
        for part in parts {
            all.theory.extend(part.theory);
            all.runs.extend(part.runs);
        }
        all
    }

    fn status(spec: &Checked<CurveSpec>, snapshot: &CurveSnapshot) -> Status {
        let solves = || snapshot.runs.iter().flat_map(|run| &run.solves);
        let (all, failed) = (solves().count(), solves().filter(|s| !s.converged).count());
        if failed == 0 {
            return Status::CONVERGED;
        }
        let hopeless: Vec<String> = (spec.alphas.iter().enumerate())
            .filter(|(i, _)| !snapshot.trusted(*i))
            .map(|(_, alpha)| alpha.to_string())
            .collect();
        // A few failures in a hundred are a nuisance; more of them want advice.
        let advice = if 50 * failed > all { spec.advice() } else { "" };
        let (outcome, which) = if hopeless.is_empty() {
            (Outcome::MaxIterations, String::new())
        } else {
            (
                Outcome::Diverged,
                format!("; most failed at α = {}, which gives no numbers", hopeless.join(", ")),
            )
        };
        let reason = format!("{failed} of {all} solves did not converge and are left out{which}{advice}");
        Status { outcome, reason: Some(reason) }
    }

    fn figures(spec: &Checked<CurveSpec>, snapshot: &CurveSnapshot) -> Vec<Figure> {
        figures::learning_curve(spec, snapshot)
    }

    fn report(spec: &Checked<CurveSpec>, snapshot: &CurveSnapshot) -> serde_json::Value {
        report::curve(spec, snapshot)
    }

    fn prepare(
        spec: &Checked<CurveSpec>,
        _data: &Store,
        _before: Option<CurveSnapshot>,
    ) -> Result<Prepared<CurveSnapshot>, Vec<InputError>> {
        Ok(Box::new(CurveWork::new(spec)))
    }
}

impl Run for TheoryCurve {
    const META: Meta = Meta::companion("feedforward.theory", "Replica theory of learning from a teacher");
    type Spec = CurveSpec;
    type Snapshot = TheorySnapshot;

    /// Even where there is no theory: then the one unit says so.
    fn plan(_spec: &Checked<CurveSpec>, _facts: Option<&Facts>) -> Plan {
        Plan::of(1)
    }

    fn merge(parts: Vec<TheorySnapshot>) -> TheorySnapshot {
        TheorySnapshot { rows: parts.into_iter().flat_map(|part| part.rows).collect() }
    }

    fn status(_spec: &Checked<CurveSpec>, _snapshot: &TheorySnapshot) -> Status {
        Status::CONVERGED
    }

    fn figures(spec: &Checked<CurveSpec>, snapshot: &TheorySnapshot) -> Vec<Figure> {
        figures::theory_curve(spec, &snapshot.rows)
    }

    fn report(_spec: &Checked<CurveSpec>, snapshot: &TheorySnapshot) -> serde_json::Value {
        report::theory(snapshot)
    }

    fn prepare(
        spec: &Checked<CurveSpec>,
        _data: &Store,
        _before: Option<TheorySnapshot>,
    ) -> Result<Prepared<TheorySnapshot>, Vec<InputError>> {
        Ok(Box::new(TheoryWork::new(spec)))
    }
}

/// Multiply–adds of a unit of theory, roughly.
fn theory_cost(spec: &CurveSpec) -> f64 {
    match (spec.hidden, spec.theory_at_once()) {
        (1, _) => 1e5,
        (_, false) => 1e7,
        (_, true) => 3e8,
    }
}

/// Multiply–adds of a run, roughly: some sixty sweeps at each size, and more where several branches share the work.
fn run_cost(spec: &CurveSpec) -> f64 {
    let examples: usize = spec.examples().sum();
    let sweeps = if spec.hidden == 1 { 60.0 } else { 150.0 };
    sweeps * examples as f64 * (spec.inputs + 40 * spec.hidden) as f64
}
