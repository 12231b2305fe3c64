//! Solution of the mean field equations, SJ98 eqs. (8) and (9), by cyclic stepwise ascent of the bound (24) in `f64`. It is slow
//! and monotone, and the reference for the fast solver of [`super::inference`].

use super::model::{Network, Pattern, entropy};
use super::xi;
use crate::math::special::{sigmoid, softplus};

/// Largest magnitude of the logit of a mean.
const LIMIT: f64 = 40.0;

/// An ascent in progress: means and parameters ξ of all units.
#[derive(Clone, Debug)]
pub struct Ascent<'a> {
    network: &'a Network,
    pattern: &'a Pattern,
    /// Means μ of each layer; those of the visible layer are the pattern.
    pub mu: Vec<Vec<f64>>,
    /// Parameters ξ of each layer, always at their optimum, eq. (23).
    pub xi: Vec<Vec<f64>>,
    /// Means m and variances v of the inputs of each layer, eqs. (17) and (18).
    m: Vec<Vec<f64>>,
    v: Vec<Vec<f64>>,
}

impl<'a> Ascent<'a> {
    /// Starts with all hidden means at ½.
    pub fn new(network: &'a Network, pattern: &'a Pattern) -> Self {
        Self::from(network, pattern, |_, _| 0.5)
    }

    /// Starts with the hidden means `start(layer, unit)`.
    pub fn from(network: &'a Network, pattern: &'a Pattern, start: impl Fn(usize, usize) -> f64) -> Self {
        let last = network.layers.len() - 1;
        let mut mu: Vec<Vec<f64>> =
            (0..last).map(|l| (0..network.layers[l]).map(|k| start(l, k)).collect()).collect();
        mu.push(pattern.visible.clone());
        let empty: Vec<Vec<f64>> = network.layers.iter().map(|n| vec![0.0; *n]).collect();
        let mut ascent = Self { network, pattern, mu, xi: empty.clone(), m: empty.clone(), v: empty };
        for l in 0..=last {
            ascent.refresh(l);
        }
        ascent
    }

    /// Recomputes the inputs of layer `l` from the means above, and its ξ.
    fn refresh(&mut self, l: usize) {
        if l == 0 {
            self.m[0].clone_from(&self.network.biases[0]);
        } else {
            let above = &self.mu[l - 1];
            self.m[l] = self.network.inputs(l, above);
            let rows = self.network.weights[l - 1].chunks_exact(above.len());
            let variance =
                |row: &[f64]| row.iter().zip(above).map(|(j, mu)| j * j * mu * (1.0 - mu)).sum::<f64>();
            self.v[l] = rows.map(variance).collect();
        }
        for i in 0..self.m[l].len() {
            self.xi[l][i] = xi::optimum(self.m[l][i], self.v[l][i]);
        }
    }

    /// Returns true unless unit i of layer `l` is a missing visible unit.
    fn known(&self, l: usize, i: usize) -> bool {
        l + 1 < self.network.layers.len() || self.pattern.observed[i]
    }

    /// Returns the terms of eq. (24) that belong to unit i of layer `l`.
    fn term(&self, l: usize, i: usize) -> f64 {
        let (mu, m, v, xi) = (self.mu[l][i], self.m[l][i], self.v[l][i], self.xi[l][i]);
        let hidden = l + 1 < self.network.layers.len();
        mu * m - xi::bound(xi, m, v) + if hidden { entropy(mu) } else { 0.0 }
    }

    /// Returns the bound (24) on ln P(V), in nats.
    pub fn bound(&self) -> f64 {
        let all = (0..self.mu.len()).flat_map(|l| (0..self.mu[l].len()).map(move |i| (l, i)));
        all.filter(|(l, i)| self.known(*l, *i)).map(|(l, i)| self.term(l, i)).sum()
    }

    /// Updates every hidden unit once, upwards or downwards. Returns the largest change of a mean.
    pub fn pass(&mut self, upwards: bool) -> f64 {
        let hidden = self.network.layers.len() - 1;
        let mut change: f64 = 0.0;
        for step in 0..hidden {
            let l = if upwards { hidden - 1 - step } else { step };
            for k in 0..self.network.layers[l] {
                change = crate::math::max_or_nan(change, self.update(l, k));
            }
            self.refresh(l + 1);
        }
        change
    }

    /// Makes passes until no mean changes by more than `tolerance`, at most `max_passes`. Returns their number.
    pub fn solve(&mut self, tolerance: f64, max_passes: usize) -> usize {
        for passes in 1..=max_passes {
            if self.pass(passes % 2 == 1) <= tolerance {
                return passes;
            }
        }
        max_passes
    }

    /// Moves the mean of a hidden unit uphill to the nearest maximum of the bound, with the ξ of its children at their optima.
    /// Returns the change of the mean.
    fn update(&mut self, l: usize, k: usize) -> f64 {
        let before = self.mu[l][k];
        let x0 = if before <= 0.0 {
            -LIMIT
        } else if before >= 1.0 {
            LIMIT
        } else {
            libm::log(before / (1.0 - before)).clamp(-LIMIT, LIMIT)
        };
        let slope = self.slope(l, k, x0);
        let uphill = if slope > 0.0 { LIMIT } else { -LIMIT };
        // A bracket in which the slope changes its sign from uphill to downhill, as near to the start as possible.
        let (mut inner, mut outer) = (x0, x0);
        let mut width = 0.25_f64;
        loop {
            outer = if slope > 0.0 { (outer + width).min(uphill) } else { (outer - width).max(uphill) };
            if outer == uphill || (self.slope(l, k, outer) > 0.0) != (slope > 0.0) {
                break;
            }
            inner = outer;
            width *= 2.0;
        }
        for _ in 0..200 {
            let middle = f64::midpoint(inner, outer);
            if middle == inner || middle == outer {
                break;
            }
            if (self.slope(l, k, middle) > 0.0) == (slope > 0.0) {
                inner = middle;
            } else {
                outer = middle;
            }
        }
        let (start, end) = (self.local_bound(l, k, x0), self.local_bound(l, k, inner));
        // The bracket may contain a maximum that is lower than the start.
        let x = if end + 1e-13 * (1.0 + start.abs()) < start { x0 } else { inner };
        self.move_to(l, k, sigmoid(x));
        (self.mu[l][k] - before).abs()
    }

    /// Returns the mean and variance of the input of child i if unit k of layer `l` had the mean `mu`.
    fn child(&self, l: usize, k: usize, i: usize, mu: f64) -> (f64, f64) {
        let j = self.network.weights[l][i * self.network.layers[l] + k];
        let old = self.mu[l][k];
        let (m, v) = (self.m[l + 1][i], self.v[l + 1][i]);
        (m + j * (mu - old), (v + j * j * (mu * (1.0 - mu) - old * (1.0 - old))).max(0.0))
    }

    /// Returns the terms of eq. (24) that depend on the mean of unit k of layer `l`, at logit x, with the ξ of its children at
    /// their optima.
    fn local_bound(&self, l: usize, k: usize, x: f64) -> f64 {
        let mu = sigmoid(x);
        let mut bound = mu * self.m[l][k] + softplus(x) - mu * x;
        for i in (0..self.network.layers[l + 1]).filter(|i| self.known(l + 1, *i)) {
            let (m, v) = self.child(l, k, i, mu);
            bound += self.mu[l + 1][i] * m - xi::bound(xi::optimum(m, v), m, v);
        }
        bound
    }

    /// Returns the derivative of [`Self::local_bound`] with respect to the mean: the difference of the two sides of eq. (8), in
    /// logits.
    fn slope(&self, l: usize, k: usize, x: f64) -> f64 {
        let mu = sigmoid(x);
        let mut sum = self.m[l][k] - x;
        for i in (0..self.network.layers[l + 1]).filter(|i| self.known(l + 1, *i)) {
            let j = self.network.weights[l][i * self.network.layers[l] + k];
            let (m, v) = self.child(l, k, i, mu);
            let xi = xi::optimum(m, v);
            sum += j * (self.mu[l + 1][i] - xi) - 0.5 * (1.0 - 2.0 * mu) * j * j * xi * (1.0 - xi);
        }
        sum
    }

    /// Sets the mean of unit k of layer `l`, and updates the inputs and ξ of its children.
    fn move_to(&mut self, l: usize, k: usize, mu: f64) {
        for i in 0..self.network.layers[l + 1] {
            let (m, v) = self.child(l, k, i, mu);
            (self.m[l + 1][i], self.v[l + 1][i]) = (m, v);
        }
        self.mu[l][k] = mu;
        for i in 0..self.network.layers[l + 1] {
            self.xi[l + 1][i] = xi::optimum(self.m[l + 1][i], self.v[l + 1][i]);
        }
    }

    /// Returns the right-hand sides of eqs. (10) and (11), by layer, for a learning rate of 1.
    pub fn gradient(&self) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
        let zero = Network::zero(&self.network.layers);
        let (mut weights, mut biases) = (zero.weights, zero.biases);
        for l in 0..self.mu.len() {
            for i in (0..self.mu[l].len()).filter(|i| self.known(l, *i)) {
                let (mu, xi) = (self.mu[l][i], self.xi[l][i]);
                biases[l][i] = mu - xi; // SJ98 eq. (11)
                let Some(above) = l.checked_sub(1) else { continue };
                let n = self.network.layers[above];
                for k in 0..n {
                    let (j, mean) = (self.network.weights[above][i * n + k], self.mu[above][k]);
                    // SJ98 eq. (10).
                    weights[above][i * n + k] = (mu - xi) * mean - j * xi * (1.0 - xi) * mean * (1.0 - mean);
                }
            }
        }
        (weights, biases)
    }
}
