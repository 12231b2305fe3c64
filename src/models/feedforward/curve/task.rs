//! Plan, merge and status of both tasks.

use serde_json::Value;

use super::spec::{CurveSpec, CurveVariances, PRESETS};
use super::work::{CurveWork, TheoryWork};
use super::{CurveSnapshot, LearningCurve, TheoryCurve, TheorySnapshot, figures, report};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::claim::{Criterion, Quantity, ValueUnit};
use crate::lab::{
    Challenge, Checked, Exercise, Goal, InputError, Meta, Outcome, Plan, Prepared, Queue, Requirement,
    Status, TypedTask,
};

/// The leave-one-out estimate relies on a large number of uncorrelated inputs.
const CHALLENGE: Challenge = Challenge {
    text: "Make the learner misjudge its error by 0.1.",
    requirements: &[Requirement {
        name: "largest misjudgement:",
        value: Quantity::Max(&Quantity::Abs(&Quantity::Minus(
            &Quantity::At("/curve/*/loo_bayes"),
            &Quantity::At("/curve/*/bayes_noisy"),
        ))),
        accepts: Criterion::AtLeast(0.1),
        decimals: 3,
        unit: ValueUnit::NONE,
    }],
};

impl TypedTask for LearningCurve {
    const META: Meta = Meta {
        id: "feedforward",
        title: "Learning curve",
        question: "Can a learner know how wrong it is without a test set?",
        subtitle: "Learners see noisy labels. TAP (Thouless–Anderson–Palmer) works with averages of the weights, corrected for feedback, and estimates the error from the training examples.",
        pair: false,
        tab: Some("Learning curve"),
        queue: Queue::Run,
        live: Some("feedforward.theory"),
        exercises: &[
            Exercise { text: "Raise β: fewer labels are flipped", goal: Goal::AtLeast("beta", 3.0) },
            Exercise {
                text: "Let a committee learn",
                goal: Goal::Preset("Paper, Figure 2: committee of three"),
            },
            Exercise { text: "See where it fails", goal: Goal::Preset("Where it fails: correlated inputs") },
        ],
        challenge: Some(&CHALLENGE),
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
        let mostly_failed: Vec<String> = (spec.alphas.iter().enumerate())
            .filter(|(i, _)| !snapshot.mostly_converged(*i))
            .map(|(_, alpha)| alpha.to_string())
            .collect();
        // Gives advice if more than 2 % of the solves failed.
        let advice = if 50 * failed > all { spec.advice() } else { "" };
        let which = if mostly_failed.is_empty() {
            String::new()
        } else {
            format!("; no values are given at α = {}, where at least half failed", mostly_failed.join(", "))
        };
        let has_numbers = mostly_failed.len() < spec.alphas.len();
        let outcome = if has_numbers { Outcome::Partial } else { Outcome::NoResult };
        let reason = format!("{failed} of {all} solves did not converge and are left out{which}{advice}");
        Status { outcome, reason: Some(reason) }
    }

    fn figures(spec: &Checked<CurveSpec>, snapshot: &CurveSnapshot) -> Vec<Figure> {
        figures::learning_curve(spec, snapshot)
    }

    fn report(spec: &Checked<CurveSpec>, snapshot: &CurveSnapshot) -> Value {
        report::report(spec, snapshot)
    }

    fn prepare(
        spec: &Checked<CurveSpec>,
        _data: &Store,
        _before: Option<CurveSnapshot>,
    ) -> Result<Prepared<CurveSnapshot>, Vec<InputError>> {
        Ok(Box::new(CurveWork::new(spec)))
    }
}

impl TypedTask for TheoryCurve {
    const META: Meta = Meta::companion("feedforward.theory", "Replica theory of learning from a teacher");
    type Spec = CurveSpec;
    type Snapshot = TheorySnapshot;

    // One unit, even without a theory: its figure is empty.
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

    fn report(_spec: &Checked<CurveSpec>, snapshot: &TheorySnapshot) -> Value {
        report::theory_report(snapshot)
    }

    fn prepare(
        spec: &Checked<CurveSpec>,
        _data: &Store,
        _before: Option<TheorySnapshot>,
    ) -> Result<Prepared<TheorySnapshot>, Vec<InputError>> {
        Ok(Box::new(TheoryWork::new(spec)))
    }
}

/// Returns the multiply–adds of a unit of theory, about.
fn theory_cost(spec: &CurveSpec) -> f64 {
    match (spec.hidden, spec.theory_in_one_unit()) {
        (1, _) => 1e5,
        (_, false) => 1e7,
        (_, true) => 3e8,
    }
}

/// Returns the multiply–adds of a run, about: sixty sweeps at each size, more for K > 1.
fn run_cost(spec: &CurveSpec) -> f64 {
    let examples: usize = spec.examples().sum();
    let sweeps = if spec.hidden == 1 { 60.0 } else { 150.0 };
    let shared = sweeps * examples as f64 * (spec.inputs + 40 * spec.hidden) as f64;
    let own = match spec.variance {
        CurveVariances::Shared => 0.0,
        CurveVariances::Own => 60.0 * (examples * spec.inputs * spec.inputs / spec.hidden) as f64,
    };
    shared + own
}
