//! What the bound is a bound of, by enumeration: ln P(V) over all states of the hidden units, eq. (3), and the right-hand side of
//! eq. (6) for a factorial distribution over all states of each unit's parents.

use super::model::{Network, Pattern, entropy, sigmoid, softplus};
use crate::math::Budget;

/// Hidden units at most: a million states.
pub const MOST_HIDDEN: usize = 20;

/// ln P(V), layer by layer from the bottom: of each state of a layer the probability of what is visible below it.
#[derive(Debug)]
pub struct Enumeration<'a> {
    network: &'a Network,
    pattern: &'a Pattern,
    /// The layer whose states are being gone through, and the next of them; the layer above all is 0 with one empty state.
    layer: usize,
    state: usize,
    /// ln P(V | state of the layer below `layer`).
    below: Vec<f64>,
    found: Vec<f64>,
}

impl<'a> Enumeration<'a> {
    /// Begins; `None` if there are more than [`MOST_HIDDEN`] hidden units.
    pub fn new(network: &'a Network, pattern: &'a Pattern) -> Option<Self> {
        if network.hidden() > MOST_HIDDEN {
            return None;
        }
        let layer = network.layers.len() - 1;
        Some(Self { network, pattern, layer, state: 0, below: Vec::new(), found: Vec::new() })
    }

    /// Goes on for `budget`; ln P(V) when all states have been gone through.
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
                self.found.push(value);
                self.state += 1;
                if !budget.spend(work + (z.len() * parents) as u64) {
                    break;
                }
            }
            if self.state < 1 << parents {
                return None;
            }
            self.below = std::mem::take(&mut self.found);
            if self.layer == 0 {
                return Some(self.below[0]);
            }
            (self.layer, self.state) = (self.layer - 1, 0);
            if budget.is_spent() {
                return None;
            }
        }
    }

    /// ln Σ over the states s of a layer of P(s | inputs z)·P(V | s).
    fn marginal(&self, z: &[f64]) -> f64 {
        let base: f64 = z.iter().map(|z| softplus(*z)).sum();
        // Σ s_i z_i of every state: that without its lowest unit, and that unit.
        let mut linear = vec![0.0; self.below.len()];
        for s in 1..linear.len() {
            linear[s] = linear[s & (s - 1)] + z[s.trailing_zeros() as usize];
        }
        let terms = || linear.iter().zip(&self.below).map(|(a, b)| a + b);
        let most = terms().fold(f64::NEG_INFINITY, f64::max);
        most + libm::log(terms().map(|t| libm::exp(t - most)).sum()) - base
    }
}

/// The right-hand side of eq. (6) for the factorial distribution with means `mu` (by layer): a bound on ln P(V) whatever the means
/// are. `None` if a unit has more than [`MOST_HIDDEN`] parents.
pub fn factorial_bound(network: &Network, pattern: &Pattern, mu: &[Vec<f64>]) -> Option<f64> {
    let last = network.layers.len() - 1;
    if network.layers[..last].iter().any(|n| *n > MOST_HIDDEN) {
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

/// The largest difference of the two sides of eqs. (8) and (9), over all hidden units.
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
            worst = crate::math::max_or_nan(worst, (sigmoid(field) - mu[l][k]).abs());
        }
    }
    worst
}
