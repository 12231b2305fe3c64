//! The posterior of a network of two weights, f(x) = v s(u x), by quadrature. Given u, the posterior of v is Gaussian; the remaining
//! integral over u uses the trapezoid rule in τ, u = c sinh τ, which resolves a peak at the origin and a tail as wide as the prior.

use super::density::{TwoWeightDensity, hidden_outputs};
use crate::math::lanes::exp;
use crate::math::random::Stream;

/// Number of quadrature nodes in τ > 0.
const NODES: usize = 6000;
/// Upper limit of the integral over u, in standard deviations of the prior.
const RANGE_SDS: f64 = 12.0;
/// Intervals of u in which the ends of a region are bracketed.
const BRACKETS: usize = 512;
/// Steps in u of each part of a region.
const REGION_STEPS: usize = 64;
/// Bisections of a bracket.
const BISECTIONS: usize = 40;
/// Posterior mass below which a node is dropped.
const NEGLIGIBLE_MASS: f64 = 1e-18;
/// Share of the heaviest node's mass below which a node has no effect on the range of v.
const NEGLIGIBLE_SHARE: f64 = 1e-2;
/// Stride between the nodes used to compute a level; the integrand is smooth.
const LEVEL_STRIDE: usize = 8;
/// Largest ratio of the highest density to a level, as a logarithm.
const LEVEL_RANGE: f64 = 40.0;
/// Bisections of the logarithm of a level.
const LEVEL_BISECTIONS: usize = 24;

/// A node |u| with the posterior of v given u.
#[derive(Clone, Copy, Debug)]
struct QuadratureNode {
    u: f64,
    /// Posterior mass of the node; during construction its unnormalised logarithm.
    mass: f64,
    /// Mean of v given u.
    mean: f64,
    /// Variance of v given u.
    var: f64,
}

/// Posterior of the weights (u, v) given examples (x, t) and fixed α and β.
#[derive(Clone, Debug)]
pub struct TwoWeightPosterior {
    density: TwoWeightDensity,
    nodes: Vec<QuadratureNode>,
}

impl TwoWeightPosterior {
    /// Integrates the posterior given examples `x`, `t`.
    pub fn new(x: &[f64], t: &[f64], alpha: f64, beta: f64) -> Self {
        let widest = x.iter().fold(1e-3, |most: f64, x| most.max(x.abs()));
        // c: fine nodes where s starts to be nonlinear.
        let scale = 1e-2 / widest;
        let end = libm::asinh(RANGE_SDS / alpha.sqrt() / scale);
        let step = end / NODES as f64;
        let squares: f64 = t.iter().map(|t| t * t).sum();
        let mut s = Vec::new();
        let mut node = |i: usize| {
            let tau = step * i as f64;
            let u = scale * libm::sinh(tau);
            hidden_outputs(u, x, &mut s);
            let a = alpha + beta * s.iter().map(|s| s * s).sum::<f64>();
            let b = beta * s.iter().zip(t).map(|(s, t)| s * t).sum::<f64>();
            // A node stands for u and −u, except u = 0.
            let both = if i == 0 { 0.0 } else { std::f64::consts::LN_2 };
            let ln_v = 0.5 * libm::log(std::f64::consts::TAU / a) + 0.5 * b * b / a;
            let ln_du = libm::log(scale * libm::cosh(tau) * step) + both;
            let ln = ln_v - 0.5 * alpha * u * u - 0.5 * beta * squares + ln_du;
            QuadratureNode { u, mass: ln, mean: b / a, var: 1.0 / a }
        };
        let mut nodes: Vec<QuadratureNode> = (0..=NODES).map(&mut node).collect();
        let most = nodes.iter().fold(f64::NEG_INFINITY, |most, node| most.max(node.mass));
        let ln_z = most + libm::log(nodes.iter().map(|node| exp(node.mass - most)).sum());
        for node in &mut nodes {
            node.mass = exp(node.mass - ln_z);
        }
        nodes.retain(|node| node.mass > NEGLIGIBLE_MASS);
        Self { density: TwoWeightDensity::new(x, t, alpha, beta, ln_z), nodes }
    }

    /// Returns ln Z = ln ∫ exp(−β `E_D` − `E_W`) dw, BB98 eq. (5).
    pub fn ln_z(&self) -> f64 {
        self.density.ln_z()
    }

    /// Returns the posterior density.
    pub fn density(&self) -> &TwoWeightDensity {
        &self.density
    }

    /// Returns the mode (u, v) with u ≥ 0.
    pub fn mode(&self) -> (f64, f64) {
        let mut s = Vec::new();
        let peaks = self
            .nodes
            .iter()
            .map(|node| (self.density.conditional(node.u, &mut s).ln_peak, (node.u, node.mean)));
        peaks.reduce(|best, one| if one.0 > best.0 { one } else { best }).map_or((0.0, 0.0), |(_, at)| at)
    }

    /// Returns the density that is exceeded in a region with the given share of the mass of both modes, such as 0.9.
    pub fn level(&self, share: f64) -> f64 {
        let mut s = Vec::new();
        let nodes = self.nodes.iter().step_by(LEVEL_STRIDE);
        let peaks: Vec<(f64, f64)> =
            nodes.map(|node| (node.mass, self.density.conditional(node.u, &mut s).ln_peak)).collect();
        let total: f64 = peaks.iter().map(|(mass, _)| mass).sum();
        let highest = peaks.iter().fold(f64::NEG_INFINITY, |highest, (_, ln)| highest.max(*ln));
        let (mut low, mut high) = (highest - LEVEL_RANGE, highest);
        for _ in 0..LEVEL_BISECTIONS {
            let middle = 0.5 * (low + high);
            // Given u, the density is Gaussian in v: it exceeds the level within √(2 ln(peak / level)) standard deviations.
            let above = |(mass, ln): &(f64, f64)| mass * libm::erf((ln - middle).max(0.0).sqrt());
            let above: f64 = peaks.iter().map(above).sum();
            *(if above > share * total { &mut low } else { &mut high }) = middle;
        }
        exp(0.5 * (low + high))
    }

    /// Returns the region between u = `from` and `to` where the density exceeds `level`: u with the exact interval of v. Parts of the
    /// region follow each other; between them the intervals have width 0.
    pub fn region(&self, level: f64, (from, to): (f64, f64)) -> Vec<(f64, f64, f64)> {
        let (ln_level, mut s) = (libm::log(level), Vec::new());
        let mut above = |u: f64| self.density.conditional(u, &mut s).ln_peak > ln_level;
        let grid = |i: usize| from + (to - from) * i as f64 / BRACKETS as f64;
        let mut ends = Vec::new();
        for i in 0..BRACKETS {
            let (mut low, mut high) = (grid(i), grid(i + 1));
            let inside = above(low);
            if i == 0 && inside {
                ends.push(low);
            }
            if above(high) != inside {
                for _ in 0..BISECTIONS {
                    let middle = 0.5 * (low + high);
                    *(if above(middle) == inside { &mut low } else { &mut high }) = middle;
                }
                // The end is outside the region, where the interval has width 0.
                ends.push(if inside { high } else { low });
            }
        }
        if ends.len() % 2 == 1 {
            ends.push(to);
        }
        let mut region = Vec::new();
        for [start, end] in ends.as_chunks::<2>().0 {
            // Chebyshev spacing: the border is vertical at its ends.
            let at = |k: usize| {
                let share = 0.5 - 0.5 * libm::cos(std::f64::consts::PI * k as f64 / REGION_STEPS as f64);
                start + (end - start) * share
            };
            region.extend((0..=REGION_STEPS).map(|k| {
                let (lower, upper) = self.density.conditional(at(k), &mut s).interval(ln_level);
                (at(k), lower, upper)
            }));
        }
        region
    }

    /// Draws (u, v) with u ≥ 0; the density is the same at (−u, −v).
    pub fn draw(&self, stream: &mut Stream) -> (f64, f64) {
        let (share, z, mut below) = (stream.uniform(), stream.normal(), 0.0);
        let node = self.nodes.iter().find(|node| {
            below += node.mass;
            below >= share
        });
        node.or(self.nodes.last()).map_or((0.0, 0.0), |node| (node.u, node.mean + node.var.sqrt() * z))
    }

    /// Returns mean and variance of f at each input of `at`.
    pub fn predictions(&self, at: &[f64]) -> Vec<(f64, f64)> {
        let (mut s, mut sums) = (Vec::new(), vec![(0.0, 0.0); at.len()]);
        for node in &self.nodes {
            hidden_outputs(node.u, at, &mut s);
            let square = node.var + node.mean * node.mean;
            for ((mean, squares), s) in sums.iter_mut().zip(&s) {
                *mean += node.mass * node.mean * s;
                *squares += node.mass * square * s * s;
            }
        }
        sums.into_iter().map(|(mean, square)| (mean, (square - mean * mean).max(0.0))).collect()
    }

    /// Returns the posterior means of u and v given u > 0; the density is the same at (−u, −v).
    pub fn means(&self) -> (f64, f64) {
        self.nodes.iter().fold((0.0, 0.0), |(u, v), node| (u + node.u * node.mass, v + node.mass * node.mean))
    }

    /// Returns the quantile of |u| at probability `share`.
    pub fn quantile(&self, share: f64) -> f64 {
        let mut below = 0.0;
        let reached = self.nodes.iter().find(|node| {
            below += node.mass;
            below >= share
        });
        reached.or(self.nodes.last()).map_or(0.0, |node| node.u)
    }

    /// Returns a range of v that holds nearly all of its mass for u between `from` and `to`: two standard deviations about the
    /// conditional means at nodes with non-negligible mass.
    pub fn output_weight_range(&self, (from, to): (f64, f64)) -> (f64, f64) {
        let heaviest = self.nodes.iter().fold(0.0, |most: f64, node| most.max(node.mass));
        let inside =
            |node: &&QuadratureNode| (from..=to).contains(&node.u) && node.mass > NEGLIGIBLE_SHARE * heaviest;
        let ends = self.nodes.iter().filter(inside).map(|node| {
            let sd = node.var.sqrt();
            (node.mean - 2.0 * sd, node.mean + 2.0 * sd)
        });
        ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((-1.0, 1.0))
    }
}
