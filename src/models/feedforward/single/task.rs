//! Plan, merge and status of the task.

use serde_json::Value;

use super::spec::{Exact, PRESETS, SingleSpec};
use super::work::{self, SingleWork};
use super::{SingleRun, SingleSnapshot, figures, report};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::{
    Checked, Exercise, Goal, InputError, Meta, Outcome, Plan, Prepared, Queue, Status, TypedTask,
};
use crate::models::feedforward::exact::{chains, prior_draws};

/// Expected work of a fallback chain relative to one from the prior: it is nearly always 0.
const FALLBACK_COST: f64 = 0.02;

impl TypedTask for SingleRun {
    const META: Meta = Meta {
        id: "feedforward.run",
        title: "A single run in detail",
        question: "What does a learner know after one training set?",
        subtitle: "A learner estimates a teacher’s weights from labelled examples by TAP (Thouless–Anderson–Palmer), a fast approximation of the exact posterior. Each point is one weight.",
        pair: false,
        tab: Some("One run"),
        queue: Queue::Run,
        live: None,
        exercises: &[
            Exercise { text: "Add examples: raise α to 8", goal: Goal::AtLeast("alpha", 8.0) },
            Exercise {
                text: "Use only five inputs: TAP is less accurate",
                goal: Goal::Preset("Five inputs"),
            },
            Exercise { text: "See where it fails", goal: Goal::Preset("Unlearnable rule") },
        ],
        challenge: None,
        presets: PRESETS,
    };
    type Spec = SingleSpec;
    type Snapshot = SingleSnapshot;

    // The solves and theory; then the samplers; then fallback chains, which work only if most of the chains failed.
    fn plan(spec: &Checked<SingleSpec>, _facts: Option<&Facts>) -> Plan {
        let [solve, theory, chain, draw] = costs(spec);
        let plan = Plan::default()
            .and(1, solve)
            .frames(200.0)
            .and(work::theory_sizes(spec).len(), theory)
            .frames(4.0);
        let chains = chains::count(spec.draws);
        match spec.exact {
            Exact::No => plan,
            Exact::Weighted => {
                let blocks = prior_draws::blocks(spec.draws);
                plan.then(blocks, (spec.draws / blocks) as f64 * draw).frames(8.0)
            }
            Exact::Chain if spec.flip_probability() == 0.0 => {
                plan.then(chains, chain).frames(8.0).then(chains, FALLBACK_COST * chain).frames(0.0)
            }
            Exact::Chain => plan.then(chains, chain).frames(8.0),
        }
    }

    fn merge(parts: Vec<SingleSnapshot>) -> SingleSnapshot {
        let mut all = SingleSnapshot::default();
        for part in parts {
            if all.residuals.last().is_none() {
                (all.residuals, all.growth) = (part.residuals, part.growth);
                (all.ending, all.solution) = (part.ending, part.solution);
            }
            all.theory.extend(part.theory);
            all.chains.extend(part.chains);
            all.fallback_chains.extend(part.fallback_chains);
            all.blocks.extend(part.blocks);
        }
        all
    }

    fn status(spec: &Checked<SingleSpec>, snapshot: &SingleSnapshot) -> Status {
        let outcome = snapshot.ending.map_or(Outcome::Converged, Outcome::from);
        Status {
            outcome,
            reason: snapshot.failure(spec).or_else(|| snapshot.exact_failure().map(str::to_owned)),
        }
    }

    fn figures(spec: &Checked<SingleSpec>, snapshot: &SingleSnapshot) -> Vec<Figure> {
        figures::all(spec, snapshot)
    }

    fn report(spec: &Checked<SingleSpec>, snapshot: &SingleSnapshot) -> Value {
        report::report(spec, snapshot)
    }

    fn prepare(
        spec: &Checked<SingleSpec>,
        _data: &Store,
        before: Option<SingleSnapshot>,
    ) -> Result<Prepared<SingleSnapshot>, Vec<InputError>> {
        Ok(Box::new(SingleWork::new(spec, before)))
    }
}

/// Returns the multiply–adds of all solves, of theory at one size, of a chain and of a weighted draw, about.
fn costs(spec: &SingleSpec) -> [f64; 4] {
    let (m, n, hidden) = (spec.examples(spec.alpha) as f64, spec.inputs as f64, spec.hidden as f64);
    let sweeps = if spec.warm_start { 15.0 * work::sizes(spec).len() as f64 } else { 60.0 };
    let moves = 45.0 + (spec.draws / chains::count(spec.draws)) as f64;
    // A move changes about half of the votes, and each change reads all examples of a branch.
    let chain = moves * 0.5 * m * hidden * m * (n / hidden + hidden + 40.0);
    let theory = if spec.hidden == 1 { 1e5 } else { 1e7 };
    [sweeps * m * (n + 40.0 * hidden), theory, chain, n * (m + 30.0)]
}
