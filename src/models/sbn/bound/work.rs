//! The work: solves of the mean field equations, compared with exact values.

use super::{BoundSnapshot, BoundSpec, PatternCase, WeightSdRow};
use crate::lab::{Budget, Work};
use crate::math::importance::LogMeanWeight;
use crate::math::random::{Purpose, Stream};
use crate::models::sbn::network::ascent::Ascent;
use crate::models::sbn::network::importance::Importance;
use crate::models::sbn::network::model::{Network, Pattern};
use crate::models::sbn::network::strict::StrictBound;
use crate::models::sbn::network::truth::{Enumeration, factorial_bound, residual};

/// Change of a mean in a pass below which a solve ends, for random networks.
const TOLERANCE: f64 = 1e-9;
/// Change of a mean in a pass below which a solve ends, for the network of a file.
const FILE_TOLERANCE: f64 = 1e-12;
/// Gain of a pass of the strict bound below which it ends, in nats.
const STRICT_TOLERANCE: f64 = 1e-6;
/// Maximum number of passes of the strict bound.
const MAX_STRICT_PASSES: usize = 60;
/// Maximum number of passes.
pub(super) const MAX_PASSES: usize = 2000;

/// The work for random networks.
pub(super) struct BoundWork {
    spec: BoundSpec,
    unit: usize,
    rows: Vec<WeightSdRow>,
}

impl BoundWork {
    /// Creates the work.
    pub(super) fn new(spec: &BoundSpec) -> Self {
        Self { spec: spec.clone(), unit: 0, rows: Vec::new() }
    }

    /// Draws network i of the current unit, and a pattern from it.
    fn random_case(&self, i: usize) -> (Network, Pattern) {
        let spec = &self.spec;
        // The random numbers are the same for every weight standard deviation, so that only the scale differs.
        let mut stream = Stream::for_purpose(spec.seed, Purpose::SbnNetwork, i as u64);
        let mut network = Network::zero(&spec.sizes());
        let sd = spec.weight_sds[self.unit];
        network.weights.iter_mut().flatten().for_each(|w| *w = sd * stream.normal());
        network.biases.iter_mut().flatten().for_each(|h| *h = spec.bias_sd * stream.normal());
        let (mut states, _) = network.sample(|_, _| None, &mut stream);
        let pattern = Pattern::complete(states.pop().unwrap_or_default());
        (network, pattern)
    }

    /// Returns the comparison for network i of the current unit.
    fn case(&self, i: usize, budget: &mut Budget) -> PatternCase {
        let (network, pattern) = self.random_case(i);
        let mut ascent = Ascent::new(&network, &pattern);
        let passes = ascent.solve(TOLERANCE, MAX_PASSES);
        let stream = Stream::for_purpose(self.spec.seed, Purpose::SbnLikelihood, i as u64);
        let states = 1_u64 << network.hidden();
        let parameters = network.parameters() as u64;
        budget.spend(parameters * (500 * passes as u64 + 4 * self.spec.draws as u64) + 40 * states);
        compare(&network, &pattern, &ascent, passes, self.spec.draws, stream)
    }
}

impl Work for BoundWork {
    type Snapshot = BoundSnapshot;

    fn begin(&mut self, unit: usize) {
        self.unit = unit;
        self.rows.push(WeightSdRow { sd: self.spec.weight_sds[unit], cases: Vec::new() });
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
        BoundSnapshot { rows: self.rows.clone(), from_file: None }
    }
}

/// The work for the network of a file: a solve pass by pass, then the exact values.
pub(super) struct FileNetworkWork {
    network: Network,
    pattern: Pattern,
    draws: usize,
    seed: u64,
    /// Means μ after the passes so far.
    mu: Vec<Vec<f64>>,
    passes: usize,
    case: Option<PatternCase>,
}

impl FileNetworkWork {
    /// Creates the work.
    pub(super) fn new(network: Network, pattern: Pattern, draws: usize, seed: u64) -> Self {
        let mu = Ascent::new(&network, &pattern).mu;
        Self { network, pattern, draws, seed, mu, passes: 0, case: None }
    }
}

impl Work for FileNetworkWork {
    type Snapshot = BoundSnapshot;

    fn begin(&mut self, _unit: usize) {}

    fn step(&mut self, budget: &mut Budget) -> bool {
        let mut ascent = Ascent::from(&self.network, &self.pattern, |l, k| self.mu[l][k]);
        let change = ascent.pass(self.passes.is_multiple_of(2));
        self.passes += 1;
        budget.spend(500 * self.network.parameters() as u64);
        let done = change <= FILE_TOLERANCE || self.passes == MAX_PASSES;
        if done {
            let stream = Stream::for_purpose(self.seed, Purpose::SbnLikelihood, 0);
            let case = compare(&self.network, &self.pattern, &ascent, self.passes, self.draws, stream);
            self.case = Some(case);
        }
        self.mu = ascent.mu;
        done
    }

    fn fraction(&self) -> f64 {
        if self.case.is_some() { 1.0 } else { self.passes as f64 / MAX_PASSES as f64 }
    }

    fn note(&self) -> String {
        format!("pass {}", self.passes)
    }

    fn is_drawable(&self) -> bool {
        self.case.is_some()
    }

    fn snapshot(&self) -> BoundSnapshot {
        BoundSnapshot { rows: Vec::new(), from_file: self.case.clone() }
    }
}

/// Compares a solution of the mean field equations after `passes` passes with the exact values and an estimate from `draws` draws.
fn compare(
    network: &Network,
    pattern: &Pattern,
    ascent: &Ascent,
    passes: usize,
    draws: usize,
    stream: Stream,
) -> PatternCase {
    let (mu, xi) = (ascent.mu.clone(), ascent.xi.clone());
    let unlimited = || Budget::new(u64::MAX);
    let exact = Enumeration::new(network, pattern).and_then(|mut all| all.step(&mut unlimited()));
    let mut sampling = Importance::new(network, pattern, &mu, draws, stream);
    sampling.step(&mut unlimited());
    let none = LogMeanWeight { ln_mean: f64::NAN, se: f64::NAN, ess: f64::NAN };
    let LogMeanWeight { ln_mean, se, ess } = sampling.estimate().map_or(none, |estimate| estimate.ln_p);
    let mut strict = StrictBound::new(network, pattern, &mu);
    strict.ascend(STRICT_TOLERANCE, MAX_STRICT_PASSES);
    PatternCase {
        ln_p: exact.unwrap_or(f64::NAN),
        bound: ascent.bound(),
        factorial_bound: factorial_bound(network, pattern, &mu).unwrap_or(f64::NAN),
        strict_bound: strict.value(),
        estimate: ln_mean,
        estimate_se: se,
        estimate_ess: ess,
        passes,
        residual: residual(network, pattern, &mu, &xi),
        mu,
        xi,
    }
}
