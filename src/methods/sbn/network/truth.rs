//! Exact values by enumeration: ln P(V), eq. (3), over all states of the hidden units, and the right-hand side of eq. (6) for a
//! factorial distribution, over all states of the parents of each unit.

use super::model::{Network, Pattern, entropy};
use crate::math::Budget;
use crate::math::special::{sigmoid, softplus};

/// Maximum number of hidden units, for a million states.
pub const MAX_HIDDEN: usize = 20;

/// Computation of ln P(V) layer by layer from the bottom: for each state of a layer, the probability of V given this state.
#[derive(Debug)]
pub struct Enumeration<'a> {
    network: &'a Network,
    pattern: &'a Pattern,
    /// The current layer; the states of the layer above it are enumerated. Above the top layer there is one empty state.
    layer: usize,
    /// The next state of the layer above.
    state: usize,
    /// ln P(V | state) for each state of `layer`.
    below: Vec<f64>,
    /// ln P(V | state) for the states of the layer above so far.
    above: Vec<f64>,
}

impl<'a> Enumeration<'a> {
    /// Begins an enumeration; `None` if there are more than [`MAX_HIDDEN`] hidden units.
    pub fn new(network: &'a Network, pattern: &'a Pattern) -> Option<Self> {
        if network.hidden() > MAX_HIDDEN {
            return None;
        }
        let layer = network.layers.len() - 1;
        Some(Self { network, pattern, layer, state: 0, below: Vec::new(), above: Vec::new() })
    }

    /// Continues within `budget`. Returns ln P(V) once all states are enumerated.
    pub fn step(&mut self, budget: &mut Budget) -> Option<f64> {
        let last = self.network.layers.len() - 1;
        loop {
            let parents = if self.layer == 0 { 0 } else { self.network.layers[self.layer - 1] };
            while self.state < 1 << parents {
                let above: Vec<f64> = (0..parents).map(|k| ((self.state >> k) & 1) as f64).collect();
                let z = if self.layer == 0 {
                    self.network.biases[0].clone()
                } else {
                    self.network.inputs(self.layer, &above)
                };
                let (value, work) = if self.layer == last {
                    let known = (0..z.len()).filter(|i| self.pattern.observed[*i]);
                    let sum = known.map(|i| self.pattern.visible[i] * z[i] - softplus(z[i])).sum();
                    (sum, 20 * z.len() as u64)
                } else {
                    (self.marginal(&z), 40 * self.below.len() as u64)
                };
                self.above.push(value);
                self.state += 1;
                if !budget.spend(work + (z.len() * parents) as u64) {
                    break;
                }
            }
            if self.state < 1 << parents {
                return None;
            }
            self.below = std::mem::take(&mut self.above);
            if self.layer == 0 {
                return Some(self.below[0]);
            }
            (self.layer, self.state) = (self.layer - 1, 0);
            if budget.is_spent() {
                return None;
            }
        }
    }

    /// Returns ln Σ_s P(s | inputs z)·P(V | s) over the states s of the current layer.
    fn marginal(&self, z: &[f64]) -> f64 {
        let base: f64 = z.iter().map(|z| softplus(*z)).sum();
        // Σ s_i z_i of each state, from that of the state without its lowest unit.
        let mut linear = vec![0.0; self.below.len()];
        for s in 1..linear.len() {
            linear[s] = linear[s & (s - 1)] + z[s.trailing_zeros() as usize];
        }
        let terms = || linear.iter().zip(&self.below).map(|(a, b)| a + b);
        let largest = terms().fold(f64::NEG_INFINITY, f64::max);
        largest + libm::log(terms().map(|t| libm::exp(t - largest)).sum()) - base
    }
}

/// Returns the right-hand side of eq. (6) for the factorial distribution with means `mu`, by layer: a strict lower bound on ln
/// P(V) for any means. `None` if a unit has more than [`MAX_HIDDEN`] parents.
pub fn factorial_bound(network: &Network, pattern: &Pattern, mu: &[Vec<f64>]) -> Option<f64> {
    let last = network.layers.len() - 1;
    if network.layers[..last].iter().any(|n| *n > MAX_HIDDEN) {
        return None;
    }
    let mut sum = mu[..last].iter().flatten().map(|mu| entropy(*mu)).sum::<f64>();
    sum += mu[0].iter().zip(&network.biases[0]).map(|(mu, h)| mu * h - softplus(*h)).sum::<f64>();
    for l in 1..=last {
        let (above, n) = (&mu[l - 1], network.layers[l - 1]);
        let states = 1_usize << n;
        // Probability of each state of the parents.
        let mut weight = vec![1.0; states];
        for (s, w) in weight.iter_mut().enumerate() {
            *w = above
                .iter()
                .enumerate()
                .map(|(k, mu)| if s >> k & 1 == 1 { *mu } else { 1.0 - mu })
                .product();
        }
        let means = network.inputs(l, above);
        for i in (0..network.layers[l]).filter(|i| l < last || pattern.observed[*i]) {
            let (row, h) = (&network.weights[l - 1][i * n..(i + 1) * n], network.biases[l][i]);
            let mut z = vec![h; states];
            let mut mean = weight[0] * softplus(h);
            for s in 1..states {
                z[s] = z[s & (s - 1)] + row[s.trailing_zeros() as usize];
                mean += weight[s] * softplus(z[s]);
            }
            sum += mu[l][i] * means[i] - mean;
        }
    }
    Some(sum)
}

/// Returns the largest difference of the two sides of eqs. (8) and (9) over all units.
pub fn residual(network: &Network, pattern: &Pattern, mu: &[Vec<f64>], xi: &[Vec<f64>]) -> f64 {
    let last = network.layers.len() - 1;
    let (mut worst, mut fields) = (0.0_f64, Vec::new());
    for l in 0..=last {
        let m = if l == 0 { network.biases[0].clone() } else { network.inputs(l, &mu[l - 1]) };
        for i in (0..m.len()).filter(|i| l < last || pattern.observed[*i]) {
            let v: f64 = if l == 0 {
                0.0
            } else {
                let row = network.weights[l - 1][i * mu[l - 1].len()..].iter();
                row.zip(&mu[l - 1]).map(|(j, mu)| j * j * mu * (1.0 - mu)).sum()
            };
            // SJ98 eq. (9).
            worst = crate::math::max_or_nan(worst, (sigmoid(m[i] + (0.5 - xi[l][i]) * v) - xi[l][i]).abs());
        }
        fields.push(m);
    }
    for l in 0..last {
        let n = network.layers[l];
        for k in 0..n {
            let mut field = fields[l][k];
            for i in (0..network.layers[l + 1]).filter(|i| l + 1 < last || pattern.observed[*i]) {
                let (j, x) = (network.weights[l][i * n + k], xi[l + 1][i]);
                field += j * (mu[l + 1][i] - x) - 0.5 * (1.0 - 2.0 * mu[l][k]) * j * j * x * (1.0 - x);
            }
            // SJ98 eq. (8).
            worst = crate::math::max_or_nan(worst, (sigmoid(field) - mu[l][k]).abs());
        }
    }
    worst
}
