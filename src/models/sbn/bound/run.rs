//! The comparison as the lab runs it.

use super::own::OwnWork;
use super::report;
use super::spec::PRESETS;
use super::{Bound, BoundSnapshot, BoundSpec, Case, Row, figures};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::{Budget, Checked, InputError, Meta, Outcome, Plan, Prepared, Queue, Run, Status, Work};
use crate::math::random::{Purpose, Stream};
use crate::models::sbn::network::ascent::Ascent;
use crate::models::sbn::network::importance::Importance;
use crate::models::sbn::network::model::{Network, Pattern};
use crate::models::sbn::network::truth::{Enumeration, factorial_bound, residual};

/// When the reference ascent ends.
const TOLERANCE: f64 = 1e-9;
pub(super) const MOST_PASSES: usize = 2000;
/// Largest residual of a solution.
const RESIDUAL: f64 = 1e-6;

impl Run for Bound {
    const META: Meta = Meta {
        id: "sbn.bound",
        title: "Bound and exact log probability",
        subtitle: "Tightness of the bound on ln P for small random networks, whose exact ln P is computed by enumeration.",
        pair: false,
        tab: Some("Bound and exact value"),
        queue: Queue::Run,
        live: None,
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
            merged.own = part.own.or(merged.own);
        }
        merged
    }

    fn status(_spec: &Checked<BoundSpec>, snapshot: &BoundSnapshot) -> Status {
        let cases = || snapshot.rows.iter().flat_map(|row| &row.cases).chain(&snapshot.own);
        let rough = cases().filter(|case| case.residual.is_nan() || case.residual > RESIDUAL).count();
        if rough == 0 {
            return Status::CONVERGED;
        }
        let reason =
            format!("{rough} of {} solves did not converge within {MOST_PASSES} passes", cases().count());
        Status { outcome: Outcome::MaxIterations, reason: Some(reason) }
    }

    fn figures(spec: &Checked<BoundSpec>, snapshot: &BoundSnapshot) -> Vec<Figure> {
        figures::all(spec, snapshot)
    }

    fn report(spec: &Checked<BoundSpec>, snapshot: &BoundSnapshot) -> serde_json::Value {
        report::report(spec, snapshot)
    }

    fn prepare(
        spec: &Checked<BoundSpec>,
        data: &Store,
        _before: Option<BoundSnapshot>,
    ) -> Result<Prepared<BoundSnapshot>, Vec<InputError>> {
        if let Some((network, pattern)) = spec.own(data)? {
            return Ok(Box::new(OwnWork::new(network, pattern, spec.draws, spec.seed)));
        }
        Ok(Box::new(BoundWork { spec: (**spec).clone(), unit: 0, rows: Vec::new() }))
    }
}

/// A solution of the mean field equations after `passes` passes, beside the exact values and an estimate of `draws` draws.
pub fn compared(
    network: &Network,
    pattern: &Pattern,
    ascent: &Ascent,
    passes: usize,
    draws: usize,
    stream: Stream,
) -> Case {
    let (mu, xi) = (ascent.mu.clone(), ascent.xi.clone());
    let unlimited = || Budget::new(u64::MAX);
    let exact = Enumeration::new(network, pattern).and_then(|mut all| all.step(&mut unlimited()));
    let mut sampling = Importance::new(network, pattern, &mu, draws, stream);
    sampling.step(&mut unlimited());
    let (estimate, estimate_se) =
        sampling.estimate().map_or((f64::NAN, f64::NAN), |estimate| (estimate.ln_p, estimate.se));
    Case {
        ln_p: exact.unwrap_or(f64::NAN),
        bound: ascent.bound(),
        factorial: factorial_bound(network, pattern, &mu).unwrap_or(f64::NAN),
        estimate,
        estimate_se,
        passes,
        residual: residual(network, pattern, &mu, &xi),
        mu,
        xi,
    }
}

struct BoundWork {
    spec: BoundSpec,
    unit: usize,
    rows: Vec<Row>,
}

impl BoundWork {
    /// Network i of this unit, and a pattern drawn from it.
    fn drawn(&self, i: usize) -> (Network, Pattern) {
        let spec = &self.spec;
        // The same draws at every size of the weights, so that the curves differ by it alone.
        let mut stream = Stream::for_purpose(spec.seed, Purpose::SbnNetwork, i as u64);
        let mut network = Network::zero(&spec.sizes());
        let sd = spec.weight_sds[self.unit];
        network.weights.iter_mut().flatten().for_each(|w| *w = sd * stream.normal());
        network.biases.iter_mut().flatten().for_each(|h| *h = spec.bias_sd * stream.normal());
        let (mut states, _) = network.sample(|_, _| None, &mut stream);
        let pattern = Pattern::complete(states.pop().unwrap_or_default());
        (network, pattern)
    }

    fn case(&self, i: usize, budget: &mut Budget) -> Case {
        let (network, pattern) = self.drawn(i);
        let mut ascent = Ascent::new(&network, &pattern);
        let passes = ascent.solve(TOLERANCE, MOST_PASSES);
        let stream = Stream::for_purpose(self.spec.seed, Purpose::SbnLikelihood, i as u64);
        let states = 1_u64 << network.hidden();
        let parameters = network.parameters() as u64;
        budget.spend(parameters * (500 * passes as u64 + 4 * self.spec.draws as u64) + 40 * states);
        compared(&network, &pattern, &ascent, passes, self.spec.draws, stream)
    }
}

impl Work for BoundWork {
    type Snapshot = BoundSnapshot;

    fn begin(&mut self, unit: usize) {
        self.unit = unit;
        self.rows.push(Row { sd: self.spec.weight_sds[unit], cases: Vec::new() });
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        let done = self.rows.last().map_or(0, |row| row.cases.len());
        let case = self.case(done, budget);
        let cases = self.rows.last_mut().map(|row| &mut row.cases);
        cases.is_none_or(|cases| {
            cases.push(case);
            cases.len() == self.spec.networks
        })
    }

    fn fraction(&self) -> f64 {
        self.rows.last().map_or(0.0, |row| row.cases.len() as f64 / self.spec.networks as f64)
    }

    fn note(&self) -> String {
        self.rows.last().map_or("starting".to_owned(), |row| format!("weight standard deviation {}", row.sd))
    }

    fn snapshot(&self) -> BoundSnapshot {
        BoundSnapshot { rows: self.rows.clone(), own: None }
    }
}
