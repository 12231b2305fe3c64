//! Averages over the cavity fields of a few branches, z_k ~ N(0, spread²) independent: tensor trapezoid rules (over
//! multisets of nodes, the branches being alike), and one-dimensional ones with kinks.

use crate::math::special::{density, phi};

/// One branch at one node of a quadrature.
#[derive(Clone, Copy, Debug)]
pub(in crate::models::feedforward) struct Node {
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

/// Counts the votes of K branches, like [`Votes`] but for one set of fields and with the minority too.
pub(in crate::models::feedforward) struct Ballot {
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
            add_vote(&mut self.prefix, k * width, (k + 1) * width, width, node);
        }
        for (k, node) in nodes.iter().enumerate().rev() {
            add_vote(&mut self.suffix, (k + 1) * width, k * width, width, node);
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

fn add_vote(counts: &mut [f64], from: usize, to: usize, width: usize, node: &Node) {
    for j in (0..width).rev() {
        let vote = if j == 0 { 0.0 } else { counts[from + j - 1] * node.yes };
        counts[to + j] = counts[from + j] * node.no + vote;
    }
}

/// Beyond this a branch is as good as decided: Φ(−6.5) = 4e-11.
const DECIDED: f64 = 6.5;

/// Largest K for which a tensor rule is affordable, and good where there are kinks.
pub(in crate::models::feedforward) const MOST_TENSOR: usize = 4;

/// Trapezoid rule over multisets of nodes. Beyond |z| = 6.5 a branch is as good as decided, and what lies there is
/// lumped into the ends. The error falls as e^(−c/step), `finest` being the widest step that may be taken.
pub(in crate::models::feedforward) fn tensor(
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
pub(in crate::models::feedforward) fn information(tau: f64, up: f64, down: f64) -> f64 {
    let noise = 1.0 - tau;
    (noise + 2.0 * tau * up) * (noise + 2.0 * tau * down)
}

/// ∫ f over [start, start + length] by Gauss–Legendre of order 8.
pub(in crate::models::feedforward) fn gauss(start: f64, length: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (middle, half) = (start + 0.5 * length, 0.5 * length);
    let pair = |(x, w): (f64, f64)| w * (f(middle - half * x) + f(middle + half * x));
    half * NODES.into_iter().map(pair).sum::<f64>()
}

/// Nodes and weights on [0, 1] of the symmetric rule of order 8.
const NODES: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
];

/// The mean of f(z) over z ~ N(0, spread²), smooth between `breaks` and constant where |z| is large.
pub(in crate::models::feedforward) fn panels(
    spread: f64,
    breaks: &[f64],
    mut f: impl FnMut(f64) -> f64,
) -> f64 {
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
        for (x, w) in NODES {
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
