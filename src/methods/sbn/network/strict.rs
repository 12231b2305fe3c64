//! The strict lower bound on ln P(V) of Saul, Jaakkola and Jordan, J. Artif. Intell. Res. 4, 61 (1996), which makes no Gaussian
//! assumption.
//!
//! For a unit with input z = h + Σ_k J_k S_k and any ξ, ln(1 + eᶻ) = ξz + ln(e^{−ξz} + e^{(1−ξ)z}), and Jensen's inequality gives
//!
//! ⟨ln(1 + eᶻ)⟩ ≤ ξ⟨z⟩ + ln(⟨e^{−ξz}⟩ + ⟨e^{(1−ξ)z}⟩), with ⟨eᵗᶻ⟩ = eᵗʰ Π_k (1 − μ_k + μ_k e^{t J_k})
//!
//! for independent parents with means μ. Put into eq. (6) of SJ98 this is a bound for any μ and ξ.

use super::model::{Network, Pattern, entropy};
use crate::math::special::softplus;

/// Steps of a golden-section search: the interval shrinks to 10⁻⁸.
const STEPS: usize = 39;
/// (√5 − 1)/2.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Means and parameters of the strict bound, by layer.
#[derive(Clone, Debug)]
pub struct StrictBound<'a> {
    network: &'a Network,
    pattern: &'a Pattern,
    /// Means μ; those of the visible units are their states.
    pub mu: Vec<Vec<f64>>,
    /// Parameters ξ.
    xi: Vec<Vec<f64>>,
}

impl<'a> StrictBound<'a> {
    /// Returns the bound at the means `mu`, by layer, with the best ξ of every unit.
    pub fn new(network: &'a Network, pattern: &'a Pattern, mu: &[Vec<f64>]) -> Self {
        let xi = network.layers.iter().map(|n| vec![0.5; *n]).collect();
        let mut bound = Self { network, pattern, mu: mu.to_vec(), xi };
        (1..mu.len()).for_each(|l| bound.tighten(l));
        bound
    }

    /// Returns the bound on ln P(V), in nats.
    pub fn value(&self) -> f64 {
        let last = self.mu.len() - 1;
        let top = self.mu[0].iter().zip(&self.network.biases[0]).map(|(mu, h)| mu * h - softplus(*h));
        let mut sum = top.sum::<f64>() + self.mu[..last].iter().flatten().map(|mu| entropy(*mu)).sum::<f64>();
        for l in 1..=last {
            let means = self.network.inputs(l, &self.mu[l - 1]);
            for i in self.known(l) {
                sum += self.mu[l][i] * means[i] - self.log_partition(l, i, self.xi[l][i]);
            }
        }
        sum
    }

    /// Increases the bound by coordinate ascent in μ and ξ until a pass gains less than `tolerance` nats, at most `passes` times.
    /// Each step is accepted only if it raises the bound, which therefore never falls.
    pub fn ascend(&mut self, tolerance: f64, passes: usize) {
        let mut before = self.value();
        for _ in 0..passes {
            for l in (0..self.mu.len() - 1).rev() {
                for k in 0..self.network.layers[l] {
                    self.update(l, k);
                }
                self.tighten(l + 1);
                if l > 0 {
                    self.tighten(l);
                }
            }
            let now = self.value();
            if now - before < tolerance {
                break;
            }
            before = now;
        }
    }

    /// Iterates over the units of layer `l` that are not missing.
    fn known(&self, l: usize) -> impl Iterator<Item = usize> + use<'a> {
        let (last, pattern) = (self.network.layers.len() - 1, self.pattern);
        (0..self.network.layers[l]).filter(move |i| l < last || pattern.observed[*i])
    }

    /// Returns the weights to unit i of layer `l` ≥ 1.
    fn row(&self, l: usize, i: usize) -> &'a [f64] {
        let n = self.network.layers[l - 1];
        &self.network.weights[l - 1][i * n..(i + 1) * n]
    }

    /// Returns ln ⟨eᵗᶻ⟩ of unit i of layer `l` ≥ 1.
    fn ln_moment(&self, l: usize, i: usize, t: f64) -> f64 {
        let factors = self.row(l, i).iter().zip(&self.mu[l - 1]);
        t * self.network.biases[l][i] + factors.map(|(j, mu)| libm::log(factor(*mu, t * j))).sum::<f64>()
    }

    /// Returns the bound on ⟨ln(1 + eᶻ)⟩ of unit i of layer `l` ≥ 1 with parameter `xi`.
    fn log_partition(&self, l: usize, i: usize, xi: f64) -> f64 {
        let row = self.row(l, i).iter().zip(&self.mu[l - 1]);
        let mean = self.network.biases[l][i] + row.map(|(j, mu)| j * mu).sum::<f64>();
        let (a, b) = (self.ln_moment(l, i, -xi), self.ln_moment(l, i, 1.0 - xi));
        xi * mean + b + softplus(a - b)
    }

    /// Sets the best ξ of every unit of layer `l` ≥ 1; the bound is convex in ξ.
    fn tighten(&mut self, l: usize) {
        for i in self.known(l) {
            let objective = |xi: f64| -self.log_partition(l, i, xi);
            self.xi[l][i] = maximum(self.xi[l][i], objective);
        }
    }

    /// Moves the mean of unit k of hidden layer `l` to a maximum of the bound at fixed ξ. In μ the moments of each unit below are
    /// linear.
    fn update(&mut self, l: usize, k: usize) {
        let field =
            if l == 0 { self.network.biases[0][k] } else { self.network.inputs(l, &self.mu[l - 1])[k] };
        let old = self.mu[l][k];
        let mut slope = field;
        let below: Vec<(f64, f64, f64, f64)> = self
            .known(l + 1)
            .map(|i| {
                let (xi, j) = (self.xi[l + 1][i], self.row(l + 1, i)[k]);
                slope += j * (self.mu[l + 1][i] - xi);
                let rest = |t: f64| self.ln_moment(l + 1, i, t) - libm::log(factor(old, t * j));
                let (a, b) = (rest(-xi), rest(1.0 - xi));
                let largest = a.max(b);
                (libm::exp(a - largest), -xi * j, libm::exp(b - largest), (1.0 - xi) * j)
            })
            .collect();
        self.mu[l][k] = maximum(old, |mu| {
            let moment = |(a, s, b, t): &(f64, f64, f64, f64)| a * factor(mu, *s) + b * factor(mu, *t);
            entropy(mu) + slope * mu - below.iter().map(|unit| libm::log(moment(unit))).sum::<f64>()
        });
    }
}

/// Returns 1 − μ + μ eˣ.
fn factor(mu: f64, x: f64) -> f64 {
    1.0 + mu * libm::expm1(x)
}

/// Returns a maximum of `objective` on [0, 1] by golden-section search, or `before` if that is higher.
fn maximum(before: f64, objective: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    let inner = |low: f64, high: f64| [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    let [mut left, mut right] = inner(low, high);
    let (mut at_left, mut at_right) = (objective(left), objective(right));
    for _ in 0..STEPS {
        if at_left < at_right {
            low = left;
            (left, at_left) = (right, at_right);
            right = inner(low, high)[1];
            at_right = objective(right);
        } else {
            high = right;
            (right, at_right) = (left, at_left);
            left = inner(low, high)[0];
            at_left = objective(left);
        }
    }
    let found = 0.5 * (low + high);
    if objective(found) > objective(before) { found } else { before }
}
