//! Fast solution of the mean field equations, SJ98 eqs. (8) and (9), in `f32`: unit by unit within a layer, with passes alternately
//! upwards and downwards.
//!
//! A hidden unit takes one Newton step in x = logit μ towards the solution of (8), whose two sides differ by
//!
//! G = m_k + Σ_i [μ_i J − ½tξ²J² − s(J + (½ − ξ)J²t)] − x, t = 1 − 2μ_k, s = σ(m_i + (½ − ξ)v_i),
//!
//! over its children i. This is the derivative of (24) at the current ξ of the children. At the optimal ξ, s = ξ and G = 0 is (8).
//! Before a layer is updated, the ξ of its children take two [safe steps](super::xi::safe_step). The means m and variances v of the
//! inputs of the children are updated after each unit.

use super::packed::{Packed, blocks};
use crate::math::lanes::{LANES, SimdKernel, dispatch_simd, each};
use crate::math::single::{Singles, exp, map, sigmoid, sum, zip};

/// Stopping rule of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoppingRule {
    /// Change of a mean in a pass below which a solve has converged.
    pub tolerance: f32,
    /// Maximum number of passes, each upwards or downwards.
    pub passes: usize,
}

impl StoppingRule {
    /// Default rule of learning and classification.
    pub const DEFAULT: Self = Self { tolerance: 0.03, passes: 10 };
}

/// Result of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveResult {
    /// The bound (24) on ln P(V), in nats.
    pub bound: f64,
    /// Number of passes.
    pub passes: usize,
    /// True if the last pass changed all means by less than the tolerance.
    pub converged: bool,
}

/// Largest magnitude of the logit of a mean.
const MAX_LOGIT: f32 = 12.0;
/// Largest change of a logit in one step.
const MAX_STEP: f32 = 4.0;
/// Number of safe steps of ξ at the start of a solve.
const FIRST_STEPS: usize = 3;
/// Number of safe steps of ξ before a layer is updated, and at the end of a solve.
const STEPS: usize = 2;
/// Number of safe steps for the probabilities of the visible units.
const VISIBLE_STEPS: usize = 20;
/// Largest change of a mean for which s of the children is updated to first order; the error in s is below 10⁻⁴ for weights up to
/// 4.
const SMALL_CHANGE: f32 = 0.01;

/// Means and parameters ξ of all units for one pattern; reused for the next pattern.
#[derive(Clone, Debug)]
pub struct State {
    pub(super) layers: Vec<LayerState>,
    /// Weights to the visible units, 0 for missing units; used if there are any.
    masked: Vec<Singles>,
    /// True if no visible unit is missing.
    complete: bool,
}

/// State of a layer of units.
#[derive(Clone, Debug)]
pub(super) struct LayerState {
    pub(super) blocks: Vec<UnitBlock>,
    /// Logits x of the means; hidden layers only.
    x: Vec<f32>,
}

/// State of eight units of a layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnitBlock {
    /// Means μ; the states of visible units.
    pub(super) mu: Singles,
    /// Parameters ξ.
    pub(super) xi: Singles,
    /// Means m and variances v of the inputs, eqs. (17) and (18).
    m: Singles,
    v: Singles,
    /// s = σ(m + (½ − ξ)v).
    s: Singles,
    /// 1 for known units, 0 for missing units and for padding.
    pub(super) known: Singles,
}

impl State {
    /// Creates a state for networks of the shape of `network`.
    pub fn new(network: &Packed) -> Self {
        let last = network.layers.len() - 1;
        let layer = |(l, n): (usize, &usize)| {
            let half = [0.5; LANES];
            let block = |b: usize| {
                let known = each(|i| if b * LANES + i < *n { 1.0 } else { 0.0 });
                UnitBlock { mu: half, xi: half, m: half, v: half, s: half, known }
            };
            LayerState {
                blocks: (0..blocks(*n)).map(block).collect(),
                x: vec![0.0; if l < last { *n } else { 0 }],
            }
        };
        let layers = network.layers.iter().enumerate().map(layer).collect();
        Self { layers, masked: Vec::new(), complete: true }
    }

    /// Sets the pattern: `unit(i)` is the state of visible unit i, `None` if it is missing.
    pub fn clamp(&mut self, network: &Packed, unit: impl Fn(usize) -> Option<bool>) {
        let last = network.layers.len() - 1;
        let bottom = &mut self.layers[last].blocks;
        self.complete = true;
        for i in 0..network.layers[last] {
            let (block, state) = (&mut bottom[i / LANES], unit(i));
            self.complete &= state.is_some();
            block.known[i % LANES] = if state.is_some() { 1.0 } else { 0.0 };
            block.mu[i % LANES] = if state == Some(true) { 1.0 } else { 0.0 };
        }
        if !self.complete {
            self.masked.clear();
            for column in network.columns[last - 1].chunks_exact(bottom.len()) {
                let known = column.iter().zip(&*bottom).map(|(j, block)| zip(*j, block.known, |j, k| j * k));
                self.masked.extend(known);
            }
        }
    }

    /// Solves the mean field equations from μ = ξ = ½.
    ///
    /// # Panics
    /// If the shape of `network` differs from that given to [`new`](Self::new).
    pub fn solve(&mut self, network: &Packed, rule: StoppingRule) -> SolveResult {
        dispatch_simd(SolveKernel { network, state: self, rule })
    }

    /// Returns the means μ of layer `l`.
    pub fn means(&self, network: &Packed, l: usize) -> Vec<f64> {
        self.layers[l].values(network.layers[l], |block| &block.mu)
    }

    /// Returns the parameters ξ of layer `l`, approximately the means of σ(z).
    pub fn xi(&self, network: &Packed, l: usize) -> Vec<f64> {
        self.layers[l].values(network.layers[l], |block| &block.xi)
    }

    /// Returns the approximate probability that each visible unit, known or missing, is 1 given the pattern: its ξ.
    pub fn filled(&self, network: &Packed) -> Vec<f64> {
        let last = network.layers.len() - 1;
        let mut bottom = self.layers[last].clone();
        bottom.gather(&network.columns[last - 1], &network.biases[last], &self.layers[last - 1]);
        safe_steps(&mut bottom, VISIBLE_STEPS);
        bottom.values(network.layers[last], |block| &block.xi)
    }
}

/// A solve of the mean field equations.
struct SolveKernel<'a> {
    network: &'a Packed,
    state: &'a mut State,
    rule: StoppingRule,
}

impl SimdKernel for SolveKernel<'_> {
    type Output = SolveResult;
    #[inline(always)]
    fn run(self) -> SolveResult {
        let Self { network, state, rule } = self;
        let State { layers, masked, complete } = state;
        let last = layers.len() - 1;
        let columns = |l: usize| -> &[Singles] {
            if l + 1 == last && !*complete { masked } else { &network.columns[l] }
        };
        for l in 0..=last {
            let (above, from) = layers.split_at_mut(l);
            let layer = &mut from[0];
            for block in &mut layer.blocks {
                if l < last {
                    block.mu = [0.5; LANES];
                }
                block.xi = [0.5; LANES];
            }
            layer.x.fill(0.0);
            match above.last() {
                None => layer.gather(&[], &network.biases[0], &NO_LAYER),
                Some(above) => layer.gather(columns(l - 1), &network.biases[l], above),
            }
            safe_steps(layer, FIRST_STEPS);
        }
        let (mut passes, mut converged) = (0, false);
        while passes < rule.passes && !converged {
            let mut change = 0.0_f32;
            for step in 0..last {
                let l = if passes % 2 == 0 { last - 1 - step } else { step };
                // The pass upwards has just updated the top layer.
                if passes % 2 == 1 && l == 0 && last > 1 {
                    continue;
                }
                let (upper, lower) = layers.split_at_mut(l + 1);
                let layer_change = update(columns(l), &mut upper[l], &mut lower[0]);
                change = if layer_change > change { layer_change } else { change };
            }
            passes += 1;
            converged = change < rule.tolerance;
        }
        let mut bound = 0.0;
        for (l, layer) in layers.iter_mut().enumerate() {
            safe_steps(layer, STEPS);
            bound += layer.bound(l < last);
        }
        SolveResult { bound, passes, converged }
    }
}

/// Placeholder for the layer above the top layer.
const NO_LAYER: LayerState = LayerState { blocks: Vec::new(), x: Vec::new() };

impl LayerState {
    /// Returns a value of each of the first `n` units.
    fn values(&self, n: usize, of: impl Fn(&UnitBlock) -> &Singles) -> Vec<f64> {
        self.blocks.iter().flat_map(of).take(n).map(|value| f64::from(*value)).collect()
    }

    /// Returns the mean of unit k.
    #[inline(always)]
    pub(super) fn mu(&self, k: usize) -> f32 {
        self.blocks[k / LANES].mu[k % LANES]
    }

    /// Computes the inputs from the means of the layer above.
    #[inline(always)]
    fn gather(&mut self, columns: &[Singles], biases: &[Singles], above: &Self) {
        for (block, h) in self.blocks.iter_mut().zip(biases) {
            (block.m, block.v) = (*h, [0.0; LANES]);
        }
        for (k, column) in columns.chunks_exact(self.blocks.len()).enumerate() {
            let mu = above.mu(k);
            let variance = mu * (1.0 - mu);
            for (block, j) in self.blocks.iter_mut().zip(column) {
                block.m = zip(block.m, *j, |m, j| m + j * mu);
                block.v = zip(block.v, *j, |v, j| v + j * j * variance);
            }
        }
    }

    /// Returns the terms of eq. (24) that belong to the units of this layer.
    #[inline(always)]
    fn bound(&self, hidden: bool) -> f64 {
        let (mut linear, mut product) = ([0.0; LANES], [1.0; LANES]);
        for UnitBlock { mu, xi, m, v, known, .. } in &self.blocks {
            let a: Singles = each(|i| m[i] + (0.5 - xi[i]) * v[i]);
            let e = exp(map(a, |a| -a.abs()));
            for i in 0..LANES {
                let positive = if a[i] > 0.0 { a[i] } else { 0.0 };
                linear[i] += known[i] * (mu[i] * m[i] - 0.5 * xi[i] * xi[i] * v[i] - positive);
                product[i] *= 1.0 + known[i] * e[i];
            }
        }
        let mut total = f64::from(sum(linear)) - ln_product(&product);
        if hidden {
            // The entropy is ln(1 + eˣ) − μx.
            let (mut linear, mut product) = ([0.0; LANES], [1.0; LANES]);
            for (UnitBlock { mu, known, .. }, xs) in self.blocks.iter().zip(self.x.chunks(LANES)) {
                let mut x = [0.0; LANES];
                x[..xs.len()].copy_from_slice(xs);
                let e = exp(map(x, |x| -x.abs()));
                for i in 0..LANES {
                    linear[i] += if x[i] > 0.0 { x[i] } else { 0.0 } - mu[i] * x[i];
                    product[i] *= 1.0 + known[i] * e[i];
                }
            }
            total += f64::from(sum(linear)) + ln_product(&product);
        }
        total
    }
}

/// Returns the logarithm of the product of all lanes. Each lane is a product of one factor from 1 to 2 per block, at most about
/// twenty.
#[inline(always)]
fn ln_product(product: &Singles) -> f64 {
    libm::log(product.iter().map(|p| f64::from(*p)).product())
}

/// Makes safe steps of ξ for all units of a layer.
#[inline(always)]
fn safe_steps(layer: &mut LayerState, steps: usize) {
    for UnitBlock { xi, m, v, .. } in &mut layer.blocks {
        // ξ and s stay on the side of ½ given by the sign of m.
        let low = map(*m, |m| if m < 0.0 { 0.0 } else { 0.5 });
        let side = |x: Singles| {
            let x = zip(x, low, |x, low| if x < low { low } else { x });
            zip(x, low, |x, low| if x > low + 0.5 { low + 0.5 } else { x })
        };
        for _ in 0..steps {
            let before = side(*xi);
            let s = side(sigmoid(each(|i| m[i] + (0.5 - before[i]) * v[i])));
            let steepest = zip(s, before, |s, xi| {
                let (at_s, at_xi) = (s * (1.0 - s), xi * (1.0 - xi));
                if at_s > at_xi { at_s } else { at_xi }
            });
            *xi = each(|i| before[i] + (s[i] - before[i]) / (1.0 + v[i] * steepest[i]));
        }
    }
}

/// Makes one Newton step for each unit of `upper`, whose children are `lower`. Returns the largest change of a mean.
#[inline(always)]
fn update(columns: &[Singles], upper: &mut LayerState, lower: &mut LayerState) -> f32 {
    safe_steps(lower, STEPS);
    for UnitBlock { xi, m, v, s, .. } in &mut lower.blocks {
        *s = sigmoid(each(|i| m[i] + (0.5 - xi[i]) * v[i]));
    }
    let blocks = lower.blocks.len();
    let mut largest = 0.0_f32;
    // The change of one unit is applied to the inputs of its children while the next unit reads them.
    let mut before = ChangedUnit { column: &columns[..blocks], shift: 0.0, spread: 0.0 };
    for (k, column) in columns.chunks_exact(blocks).enumerate() {
        let mu = upper.mu(k);
        let t = 1.0 - 2.0 * mu;
        let sums = if before.shift.abs() <= SMALL_CHANGE {
            before.follow_and_sum::<false>(lower, column, t)
        } else {
            before.follow_and_sum::<true>(lower, column, t)
        };
        // Without the black box the compiler would arrange the loop for the sums over lanes that follow.
        let [first, squares, second] = std::hint::black_box(sums).map(sum);
        let UnitBlock { mu: means, m, .. } = &mut upper.blocks[k / LANES];
        let x = upper.x[k];
        let g = m[k % LANES] + first - 0.5 * t * squares - x;
        let slope = 1.0 - (squares + second) * mu * (1.0 - mu);
        let step = g / if slope > 0.5 { slope } else { 0.5 };
        let x = (x + step.clamp(-MAX_STEP, MAX_STEP)).clamp(-MAX_LOGIT, MAX_LOGIT);
        let new = sigmoid([x; LANES])[0];
        upper.x[k] = x;
        means[k % LANES] = new;
        before = ChangedUnit { column, shift: new - mu, spread: new * (1.0 - new) - mu * (1.0 - mu) };
        largest = if before.shift.abs() > largest { before.shift.abs() } else { largest };
    }
    for (child, j) in lower.blocks.iter_mut().zip(before.column) {
        child.m = zip(child.m, *j, |m, j| m + j * before.shift);
        child.v = zip(child.v, *j, |v, j| v + j * j * before.spread);
    }
    largest
}

/// A unit that has been updated.
struct ChangedUnit<'a> {
    /// Weights to the children.
    column: &'a [Singles],
    /// Change of its mean.
    shift: f32,
    /// Change of its variance.
    spread: f32,
}

impl ChangedUnit<'_> {
    /// Applies the change to the children, with s exact or to first order. Returns the sums over the children for the next unit,
    /// with weights `column`, of μJ − sw, of ξ²J² and of 2s(½ − ξ)J² − s(1 − s)w², where w = J + (½ − ξ)J²t.
    #[inline(always)]
    fn follow_and_sum<const EXACT: bool>(
        &self,
        lower: &mut LayerState,
        column: &[Singles],
        t: f32,
    ) -> [Singles; 3] {
        let Self { column: past, shift, spread } = *self;
        let mut sums = [[0.0; LANES]; 3];
        for ((child, j), past) in lower.blocks.iter_mut().zip(column).zip(past) {
            let UnitBlock { mu, xi, m, v, s, .. } = child;
            let more_m = map(*past, |j| j * shift);
            let more_v = map(*past, |j| j * j * spread);
            *m = zip(*m, more_m, |m, more| m + more);
            *v = zip(*v, more_v, |v, more| v + more);
            let half = map(*xi, |xi| 0.5 - xi);
            *s = if EXACT {
                sigmoid(each(|i| m[i] + half[i] * v[i]))
            } else {
                each(|i| s[i] + s[i] * (1.0 - s[i]) * (more_m[i] + half[i] * more_v[i]))
            };
            let square = map(*j, |j| j * j);
            let u = zip(square, half, |square, half| half * square);
            let w = zip(*j, u, |j, u| j + u * t);
            sums[0] = each(|i| sums[0][i] + (mu[i] * j[i] - s[i] * w[i]));
            sums[1] = each(|i| sums[1][i] + xi[i] * xi[i] * square[i]);
            sums[2] = each(|i| sums[2][i] + s[i] * (2.0 * u[i] - (1.0 - s[i]) * (w[i] * w[i])));
        }
        sums
    }
}
