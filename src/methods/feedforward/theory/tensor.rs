//! Averages over the independent cavity fields z_k ~ N(0, spread²) of a few branches: tensor trapezoid rules over multisets of nodes
//! (all branches are alike), and one-dimensional rules for integrands with kinks.

use crate::math::binomial::add_trial;
use crate::math::quadrature::GAUSS_LEGENDRE;
use crate::math::special::{density, phi};

/// Vote probabilities of a branch at a node z of a quadrature.
#[derive(Clone, Copy, Debug)]
pub(in crate::feedforward) struct BranchNode {
    /// Φ(z).
    pub yes: f64,
    /// Φ(−z).
    pub no: f64,
    /// φ(z).
    pub density: f64,
}

impl BranchNode {
    /// Returns the node at field `z`.
    pub fn at(z: f64) -> Self {
        Self { yes: phi(z), no: phi(-z), density: density(z) }
    }
}

/// Vote counts of K ≤ [`MAX_TENSOR_HIDDEN`] branches at one point of a rule. `tap/votes.rs` and `lattice.rs` count eight points at
/// once; here points come one by one, and small minorities are needed without cancellation.
pub(in crate::feedforward) struct TensorVotes {
    hidden: usize,
    /// prefix[k·(K+1) + j]: probability of j votes among the first k branches.
    prefix: Vec<f64>,
    /// suffix[k·(K+1) + j]: probability of j votes among the branches from k on.
    suffix: Vec<f64>,
}

impl TensorVotes {
    /// Returns buffers for `hidden` branches.
    pub fn new(hidden: usize) -> Self {
        let size = (hidden + 1) * (hidden + 1);
        Self { hidden, prefix: vec![0.0; size], suffix: vec![0.0; size] }
    }

    /// Counts the votes at `nodes`, K.
    pub fn count(&mut self, nodes: &[BranchNode]) {
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

    /// Returns the probability of each number of votes, K+1.
    fn distribution(&self) -> &[f64] {
        &self.prefix[self.hidden * (self.hidden + 1)..]
    }

    /// Returns half the probability of a tie.
    fn half_tie(&self) -> f64 {
        if self.hidden.is_multiple_of(2) { 0.5 * self.distribution()[self.hidden / 2] } else { 0.0 }
    }

    /// Returns the probability of a majority, where a tie counts half.
    pub fn majority(&self) -> f64 {
        self.distribution()[self.hidden / 2 + 1..].iter().sum::<f64>() + self.half_tie()
    }

    /// Returns the probability of a minority, where a tie counts half, without cancellation.
    pub fn minority(&self) -> f64 {
        self.distribution()[..self.hidden.div_ceil(2)].iter().sum::<f64>() + self.half_tie()
    }

    /// Returns the probability that the vote of branch k decides.
    pub fn pivot(&self, k: usize) -> f64 {
        let width = self.hidden + 1;
        let others = |votes: usize| -> f64 {
            (0..=votes).map(|j| self.prefix[k * width + j] * self.suffix[(k + 1) * width + votes - j]).sum()
        };
        let half = self.hidden / 2;
        if self.hidden.is_multiple_of(2) { 0.5 * (others(half - 1) + others(half)) } else { others(half) }
    }
}

/// Field beyond which the vote of a branch counts as decided: Φ(−6.5) = 4e-11.
const DECIDED: f64 = 6.5;

/// Largest K of the tensor rules. Beyond it they take too many points.
pub const MAX_TENSOR_HIDDEN: usize = 4;

/// Returns the mean of f over `hidden` fields by a trapezoid rule over multisets of nodes. The weight beyond |z| = 6.5, where a vote
/// is decided, is added to the end nodes. The error decreases as e^(−c/step); `widest` is the largest step allowed.
pub(in crate::feedforward) fn tensor(
    hidden: usize,
    spread: f64,
    widest: f64,
    f: &mut impl FnMut(&[BranchNode]) -> f64,
) -> f64 {
    let edge = DECIDED.min(7.0 * spread);
    let half = (edge / f64::min(widest, 0.5 * spread)).ceil();
    let step = edge / half;
    let count = 2 * half as usize + 1;
    let nodes: Vec<BranchNode> = (0..count).map(|i| BranchNode::at((i as f64 - half) * step)).collect();
    let mass = |i: f64| step * density(i * step / spread) / spread;
    // Beyond the edge only the weights change.
    let end = (9.0 * spread / step).ceil().max(half) as usize;
    let beyond: f64 = (half as usize + 1..=end).map(|i| mass(i as f64)).sum();
    let weights: Vec<f64> = (0..count)
        .map(|i| mass(i as f64 - half) + if i == 0 || i + 1 == count { beyond } else { 0.0 })
        .collect();
    // Indices of the nodes of the multiset, ascending.
    let mut index = vec![0; hidden];
    let mut chosen = vec![nodes[0]; hidden];
    let mut sum = 0.0;
    loop {
        // Number of permutations of the multiset, times the weights of its nodes.
        let (mut weight, mut run) = (1.0, 0.0);
        for k in 0..hidden {
            run = if k > 0 && index[k] == index[k - 1] { run + 1.0 } else { 1.0 };
            weight *= weights[index[k]] * (k + 1) as f64 / run;
            chosen[k] = nodes[index[k]];
        }
        if weight > 1e-18 {
            sum += weight * f(&chosen);
        }
        // Next multiset.
        let Some(k) = (0..hidden).rev().find(|&k| index[k] + 1 < count) else { return sum };
        let next = index[k] + 1;
        index[k..].fill(next);
    }
}

/// Returns the variance 1−τ²⟨σ⟩² of a noisy label without cancellation: (1−τ⟨σ⟩)(1+τ⟨σ⟩) from the probabilities of both outputs.
#[inline(always)]
pub(in crate::feedforward) fn label_variance(tau: f64, up: f64, down: f64) -> f64 {
    let noise = 1.0 - tau;
    (noise + 2.0 * tau * up) * (noise + 2.0 * tau * down)
}

/// Returns the mean over z ~ N(0, spread²) of f(z), which is smooth between `breaks` and constant where |z| is large, by
/// Gauss–Legendre rules on panels.
pub(in crate::feedforward) fn panel_mean(spread: f64, breaks: &[f64], mut f: impl FnMut(f64) -> f64) -> f64 {
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
    fn tensor_rule_integrates_known_functions() {
        for spread in [0.2, 1.0, 5.0, 40.0] {
            let one = tensor(1, spread, 0.4, &mut |nodes| nodes[0].density);
            let exact = density(0.0) / (1.0 + spread * spread).sqrt();
            assert!((one - exact).abs() < 1e-7, "spread {spread}: {one} {exact}");
            let total = tensor(4, spread, 0.65, &mut |_| 1.0);
            assert!((total - 1.0).abs() < 1e-9, "spread {spread}: {total}");
        }
    }
}
