//! What the lab asks of the task: its experiment, and what is made of a snapshot.

use super::experiment::{self, SingleWork};
use super::report;
use super::spec::{Exact, PRESETS, SingleSpec};
use super::{SingleRun, SingleSnapshot, figures};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::{Checked, InputError, Meta, Outcome, Plan, Prepared, Queue, Run, Status};
use crate::models::feedforward::exact::{chains, prior_draws};

/// Work of a chain that begins anew, as a part of what one from the prior takes: nearly always none is needed.
const FALLBACK: f64 = 0.02;

impl Run for SingleRun {
    const META: Meta = Meta {
        id: "feedforward.run",
        title: "A single run in detail",
        subtitle: "What one learner knows after one training set: its weights, its cavity fields and how far the solver got.",
        pair: false,
        tab: Some("One run"),
        queue: Queue::Run,
        live: None,
        presets: PRESETS,
    };
    type Spec = SingleSpec;
    type Snapshot = SingleSnapshot;

    /// The solve at all sizes, and theory at some; then the samplers; then chains that begin anew, should most be lost.
    fn plan(spec: &Checked<SingleSpec>, _facts: Option<&Facts>) -> Plan {
        let [solve, theory, chain, draw] = costs(spec);
        let plan = Plan::default().and(1, solve).and(experiment::theory_sizes(spec).len(), theory);
        let chains = chains::count(spec.draws);
        match spec.exact {
            Exact::No => plan,
            Exact::Weighted => {
                let blocks = prior_draws::blocks(spec.draws);
                plan.then(blocks, (spec.draws / blocks) as f64 * draw)
            }
            Exact::Chain if spec.flip_probability() == 0.0 => {
                plan.then(chains, chain).then(chains, FALLBACK * chain)
            }
            Exact::Chain => plan.then(chains, chain),
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
        Status { outcome, reason: snapshot.failure(spec).or_else(|| snapshot.no_exact().map(str::to_owned)) }
    }

    fn figures(spec: &Checked<SingleSpec>, snapshot: &SingleSnapshot) -> Vec<Figure> {
        figures::all(spec, snapshot)
    }

    fn report(spec: &Checked<SingleSpec>, snapshot: &SingleSnapshot) -> serde_json::Value {
        report::single(spec, snapshot)
    }

    fn prepare(
        spec: &Checked<SingleSpec>,
        _data: &Store,
        before: Option<SingleSnapshot>,
    ) -> Result<Prepared<SingleSnapshot>, Vec<InputError>> {
        Ok(Box::new(SingleWork::new(spec, before)))
    }
}

/// Multiply–adds of all solves, of theory at one size, of a chain and of a weighted draw, roughly.
fn costs(spec: &SingleSpec) -> [f64; 4] {
    let (m, n, hidden) = (spec.examples(spec.alpha) as f64, spec.inputs as f64, spec.hidden as f64);
    let sweeps = if spec.warm_start { 15.0 * experiment::sizes(spec).len() as f64 } else { 60.0 };
    let moves = 45.0 + (spec.draws / chains::count(spec.draws)) as f64;
    // A move changes about every second vote, and each change touches all examples of a branch.
    let chain = moves * 0.5 * m * hidden * m * (n / hidden + hidden + 40.0);
    let theory = if spec.hidden == 1 { 1e5 } else { 1e7 };
    [sweeps * m * (n + 40.0 * hidden), theory, chain, n * (m + 30.0)]
}
