//! The network of a file: the mean field equations solved pass by pass, and then compared with exact values.

use super::run::{MOST_PASSES, compared};
use super::{BoundSnapshot, Case};
use crate::lab::{Budget, Work};
use crate::math::random::{Purpose, Stream};
use crate::models::sbn::network::ascent::Ascent;
use crate::models::sbn::network::model::{Network, Pattern};

/// A solve ends when no mean changes by more than this in a pass.
const TOLERANCE: f64 = 1e-12;

/// The one unit of work.
pub struct OwnWork {
    network: Network,
    pattern: Pattern,
    draws: usize,
    seed: u64,
    /// Means after so many passes.
    mu: Vec<Vec<f64>>,
    passes: usize,
    found: Option<Case>,
}

impl OwnWork {
    /// Nothing done yet.
    pub fn new(network: Network, pattern: Pattern, draws: usize, seed: u64) -> Self {
        let mu = Ascent::new(&network, &pattern).mu;
        Self { network, pattern, draws, seed, mu, passes: 0, found: None }
    }
}

impl Work for OwnWork {
    type Snapshot = BoundSnapshot;

    fn begin(&mut self, _unit: usize) {}

    fn step(&mut self, budget: &mut Budget) -> bool {
        let mut ascent = Ascent::from(&self.network, &self.pattern, |l, k| self.mu[l][k]);
        let change = ascent.pass(self.passes.is_multiple_of(2));
        self.passes += 1;
        budget.spend(500 * self.network.parameters() as u64);
        let done = change <= TOLERANCE || self.passes == MOST_PASSES;
        if done {
            let stream = Stream::for_purpose(self.seed, Purpose::SbnLikelihood, 0);
            self.found =
                Some(compared(&self.network, &self.pattern, &ascent, self.passes, self.draws, stream));
        }
        self.mu = ascent.mu;
        done
    }

    fn fraction(&self) -> f64 {
        if self.found.is_some() { 1.0 } else { self.passes as f64 / MOST_PASSES as f64 }
    }

    fn note(&self) -> String {
        format!("pass {}", self.passes)
    }

    fn shown(&self) -> bool {
        self.found.is_some()
    }

    fn snapshot(&self) -> BoundSnapshot {
        BoundSnapshot { rows: Vec::new(), own: self.found.clone() }
    }
}
