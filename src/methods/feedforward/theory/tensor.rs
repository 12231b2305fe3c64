//! Averages over the cavity fields of a few branches, z_k ~ N(0, spread²) independent: tensor trapezoid rules (over
//! multisets of nodes, the branches being alike), and one-dimensional ones with kinks.

use crate::math::binomial::add_trial;
use crate::math::quadrature::GAUSS_LEGENDRE;
use crate::math::special::{density, phi};

/// One branch at one node of a quadrature.
#[derive(Clone, Copy, Debug)]
pub(in crate::feedforward) struct Node {
    /// Φ(z), Φ(−z), φ(z).
    pub yes: f64,
    pub no: f64,
    pub density: f64,
}

impl Node {
    pub fn at(z: f64) -> Self {
        Self { yes: phi(z), no: phi(-z), density: density(z) }
    }
}

/// Counts the votes of K branches for one set of fields, K ≤ [`MOST_TENSOR`]. Not by the lanes of `tap/votes.rs` or `lattice.rs`: the
/// points of the rule come one by one, and small minorities are needed without cancellation.
pub(in crate::feedforward) struct Ballot {
    hidden: usize,
    /// prefix[k][j], suffix[k][j]: probability of j votes before, and from, branch k.
    prefix: Vec<f64>,
    suffix: Vec<f64>,
}

impl Ballot {
    pub fn new(hidden: usize) -> Self {
        let size = (hidden + 1) * (hidden + 1);
        Self { hidden, prefix: vec![0.0; size], suffix: vec![0.0; size] }
    }

    pub fn count(&mut self, nodes: &[Node]) {
        let width = self.hidden + 1;
        self.prefix[..width].fill(0.0);
        self.prefix[0] = 1.0;
        self.suffix[self.hidden * width..].fill(0.0);
        self.suffix[self.hidden * width] = 1.0;
        for (k, node) in nodes.iter().enumerate() {
            self.prefix.copy_within(k * width..(k + 1) * width, (k + 1) * width);
            add_trial(&mut self.prefix[(k + 1) * width..(k + 2) * width], node.yes, node.no);
        }
        for (k, node) in nodes.iter().enumerate().rev() {
            self.suffix.copy_within((k + 1) * width..(k + 2) * width, k * width);
            add_trial(&mut self.suffix[k * width..(k + 1) * width], node.yes, node.no);
        }
    }

    fn votes(&self) -> &[f64] {
        &self.prefix[self.hidden * (self.hidden + 1)..]
    }

    fn tie(&self) -> f64 {
        if self.hidden.is_multiple_of(2) { 0.5 * self.votes()[self.hidden / 2] } else { 0.0 }
    }

    pub fn majority(&self) -> f64 {
        self.votes()[self.hidden / 2 + 1..].iter().sum::<f64>() + self.tie()
    }

    pub fn minority(&self) -> f64 {
        self.votes()[..self.hidden.div_ceil(2)].iter().sum::<f64>() + self.tie()
    }

    /// Probability that branch k decides.
    pub fn pivot(&self, k: usize) -> f64 {
        let width = self.hidden + 1;
        let others = |votes: usize| -> f64 {
            (0..=votes).map(|j| self.prefix[k * width + j] * self.suffix[(k + 1) * width + votes - j]).sum()
        };
        let half = self.hidden / 2;
        if self.hidden.is_multiple_of(2) { 0.5 * (others(half - 1) + others(half)) } else { others(half) }
    }
}

/// Beyond this a branch is as good as decided: Φ(−6.5) = 4e-11.
const DECIDED: f64 = 6.5;

/// Largest K for which a tensor rule is affordable, and good where there are kinks.
pub const MOST_TENSOR: usize = 4;

/// Trapezoid rule over multisets of nodes. Beyond |z| = 6.5 a branch is as good as decided, and what lies there is
/// lumped into the ends. The error falls as e^(−c/step), `finest` being the widest step that may be taken.
pub(in crate::feedforward) fn tensor(
    hidden: usize,
    spread: f64,
    finest: f64,
    f: &mut impl FnMut(&[Node]) -> f64,
) -> f64 {
    let edge = DECIDED.min(7.0 * spread);
    let half = (edge / f64::min(finest, 0.5 * spread)).ceil();
    let step = edge / half;
    let count = 2 * half as usize + 1;
    let nodes: Vec<Node> = (0..count).map(|i| Node::at((i as f64 - half) * step)).collect();
    let mass = |i: f64| step * density(i * step / spread) / spread;
    // The rule goes on beyond the edge, where nothing but the weights changes.
    let end = (9.0 * spread / step).ceil().max(half) as usize;
    let beyond: f64 = (half as usize + 1..=end).map(|i| mass(i as f64)).sum();
    let weights: Vec<f64> = (0..count)
        .map(|i| mass(i as f64 - half) + if i == 0 || i + 1 == count { beyond } else { 0.0 })
        .collect();
    let mut place = vec![0; hidden];
    let mut chosen = vec![nodes[0]; hidden];
    let mut sum = 0.0;
    loop {
        // Number of orders of the multiset, times the weights of its nodes.
        let (mut weight, mut run) = (1.0, 0.0);
        for k in 0..hidden {
            run = if k > 0 && place[k] == place[k - 1] { run + 1.0 } else { 1.0 };
            weight *= weights[place[k]] * (k + 1) as f64 / run;
            chosen[k] = nodes[place[k]];
        }
        if weight > 1e-18 {
            sum += weight * f(&chosen);
        }
        // The next multiset, places never falling.
        let Some(k) = (0..hidden).rev().find(|&k| place[k] + 1 < count) else { return sum };
        let next = place[k] + 1;
        place[k..].fill(next);
    }
}

/// 1−τ²⟨σ⟩² without cancellation: (1−τ⟨σ⟩)(1+τ⟨σ⟩) with the probabilities of both outcomes.
#[inline(always)]
pub(in crate::feedforward) fn information(tau: f64, up: f64, down: f64) -> f64 {
    let noise = 1.0 - tau;
    (noise + 2.0 * tau * up) * (noise + 2.0 * tau * down)
}

/// The mean of f(z) over z ~ N(0, spread²), smooth between `breaks` and constant where |z| is large.
pub(in crate::feedforward) fn panels(spread: f64, breaks: &[f64], mut f: impl FnMut(f64) -> f64) -> f64 {
    let edge = DECIDED.min(8.0 * spread);
    let longest = f64::min(1.0, spread);
    let mut sum = phi(-edge / spread) * (f(-edge) + f(edge));
    let mut start = -edge;
    while start < edge {
        let mut end = (start + longest).min(edge);
        for b in breaks {
            if *b > start + 1e-9 && *b < end {
                end = *b;
            }
        }
        let (middle, half) = (0.5 * (start + end), 0.5 * (end - start));
        for (x, w) in GAUSS_LEGENDRE {
            for z in [middle - half * x, middle + half * x] {
                sum += w * half * f(z) * density(z / spread) / spread;
            }
        }
        start = end;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tensor_rule_agrees_with_the_line() {
        for spread in [0.2, 1.0, 5.0, 40.0] {
            let one = tensor(1, spread, 0.4, &mut |nodes| nodes[0].density);
            let exact = density(0.0) / (1.0 + spread * spread).sqrt();
            assert!((one - exact).abs() < 1e-7, "spread {spread}: {one} {exact}");
            let total = tensor(4, spread, 0.65, &mut |_| 1.0);
            assert!((total - 1.0).abs() < 1e-9, "spread {spread}: {total}");
        }
    }
}
