//! The task `feedforward.solutions`.

use super::spec::PRESETS;
use super::work::SolutionsWork;
use super::{SolutionCount, SolutionsSnapshot, SolutionsSpec, figures, report};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::{Checked, Exercise, Goal, InputError, Meta, Plan, Prepared, Queue, Status, TypedTask};

/// Typical number of sweeps of a solve.
const SWEEPS: f64 = 400.0;

impl TypedTask for SolutionCount {
    const META: Meta = Meta {
        id: "feedforward.solutions",
        title: "Number of solutions",
        question: "When does TAP find a solution?",
        subtitle: "TAP (Thouless–Anderson–Palmer), a fast approximation of Bayesian learning, solves equations for a perceptron’s weights. Without a solution, it predicts nothing.",
        pair: false,
        tab: Some("Solutions"),
        queue: Queue::Run,
        live: None,
        exercises: &[
            Exercise { text: "Let a perceptron teach", goal: Goal::Preset("A matched learner") },
            Exercise { text: "Lower β to 1", goal: Goal::AtMost("beta", 1.0) },
            Exercise { text: "Try twenty starts", goal: Goal::AtLeast("starts", 20.0) },
        ],
        challenge: None,
        presets: PRESETS,
    };
    type Spec = SolutionsSpec;
    type Snapshot = SolutionsSnapshot;

    /// Returns one unit for each training set at each α.
    fn plan(spec: &Checked<SolutionsSpec>, _facts: Option<&Facts>) -> Plan {
        let n = spec.inputs as f64;
        let cost = |index: usize| {
            let m = spec.examples(index) as f64;
            spec.starts as f64 * (SWEEPS * 2.0 * m * (n + 40.0) + n * n * (m + 30.0 * n))
        };
        (0..spec.alphas.len()).fold(Plan::default(), |plan, index| plan.and(spec.sets, cost(index)))
    }

    fn merge(parts: Vec<SolutionsSnapshot>) -> SolutionsSnapshot {
        let mut all = SolutionsSnapshot::default();
        for part in parts {
            all.rows.extend(part.rows);
            all.theory.extend(part.theory);
        }
        all
    }

    fn status(_spec: &Checked<SolutionsSpec>, _snapshot: &SolutionsSnapshot) -> Status {
        // A start without a solution is a result.
        Status::CONVERGED
    }

    fn figures(spec: &Checked<SolutionsSpec>, snapshot: &SolutionsSnapshot) -> Vec<Figure> {
        figures::all(spec, snapshot)
    }

    fn report(spec: &Checked<SolutionsSpec>, snapshot: &SolutionsSnapshot) -> serde_json::Value {
        report::report(spec, snapshot)
    }

    fn prepare(
        spec: &Checked<SolutionsSpec>,
        _data: &Store,
        _before: Option<SolutionsSnapshot>,
    ) -> Result<Prepared<SolutionsSnapshot>, Vec<InputError>> {
        Ok(Box::new(SolutionsWork::new(spec)))
    }
}
