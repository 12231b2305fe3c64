//! The posterior of a network of two weights, f(x) = v s(u x), by quadrature. Given u the posterior of v is Gaussian, so that one
//! integral over u is left; u = c sinh τ resolves a peak at the origin and a tail as wide as the prior.

use crate::math::lanes::{LANES, Lanes, each, exp};
use crate::math::owen::s_lanes;

/// Nodes in τ > 0.
const NODES: usize = 6000;
/// Standard deviations of the prior that are integrated over.
const WIDTHS: f64 = 12.0;
/// Places at which a contour is looked for, and pieces of each side of one.
const PLACES: usize = 512;
const PIECES: usize = 64;
/// Halvings of an interval in which a contour turns back.
const HALVINGS: usize = 40;
/// Nodes with less of the posterior's mass count for nothing.
const NO_MASS: f64 = 1e-18;

/// A value of |u| with what the posterior says there.
#[derive(Clone, Copy, Debug)]
struct Node {
    u: f64,
    /// Its share of the posterior's mass; first its logarithm.
    mass: f64,
    /// Mean and variance of v.
    mean: f64,
    var: f64,
}

/// Examples (x, t) of one input, with α and β.
#[derive(Clone, Debug)]
pub struct Plane {
    x: Vec<f64>,
    t: Vec<f64>,
    alpha: f64,
    beta: f64,
    nodes: Vec<Node>,
    ln_z: f64,
}

/// s(u x) for each x.
fn activations(u: f64, x: &[f64], to: &mut Vec<f64>) {
    to.clear();
    for eight in x.chunks(LANES) {
        let a: Lanes = each(|i| eight.get(i).map_or(0.0, |x| u * x));
        to.extend_from_slice(&s_lanes(a).0[..eight.len()]);
    }
}

impl Plane {
    /// The posterior given examples `x`, `t`.
    pub fn new(x: &[f64], t: &[f64], alpha: f64, beta: f64) -> Self {
        let widest = x.iter().fold(1e-3, |most: f64, x| most.max(x.abs()));
        // Fine where s begins to bend.
        let scale = 1e-2 / widest;
        let end = libm::asinh(WIDTHS / alpha.sqrt() / scale);
        let step = end / NODES as f64;
        let squares: f64 = t.iter().map(|t| t * t).sum();
        let mut s = Vec::new();
        let mut node = |i: usize| {
            let tau = step * i as f64;
            let u = scale * libm::sinh(tau);
            activations(u, x, &mut s);
            let a = alpha + beta * s.iter().map(|s| s * s).sum::<f64>();
            let b = beta * s.iter().zip(t).map(|(s, t)| s * t).sum::<f64>();
            // Both signs of u; u = 0 once.
            let both = if i == 0 { 0.0 } else { std::f64::consts::LN_2 };
            let ln_v = 0.5 * libm::log(std::f64::consts::TAU / a) + 0.5 * b * b / a;
            let ln_du = libm::log(scale * libm::cosh(tau) * step) + both;
            let ln = ln_v - 0.5 * alpha * u * u - 0.5 * beta * squares + ln_du;
            Node { u, mass: ln, mean: b / a, var: 1.0 / a }
        };
        let mut nodes: Vec<Node> = (0..=NODES).map(&mut node).collect();
        let most = nodes.iter().fold(f64::NEG_INFINITY, |most, node| most.max(node.mass));
        let ln_z = most + libm::log(nodes.iter().map(|node| exp(node.mass - most)).sum());
        for node in &mut nodes {
            node.mass = exp(node.mass - ln_z);
        }
        nodes.retain(|node| node.mass > NO_MASS);
        Self { x: x.to_vec(), t: t.to_vec(), alpha, beta, nodes, ln_z }
    }

    /// ln Z = ln ∫ exp(−β `E_D` − `E_W`) dw.
    pub fn ln_z(&self) -> f64 {
        self.ln_z
    }

    /// The posterior density at every pair of `u` and `v`: a row of u for each v.
    pub fn densities(&self, u: &[f64], v: &[f64]) -> Vec<f64> {
        let (mut s, mut columns) = (Vec::new(), Vec::with_capacity(u.len()));
        for u in u {
            activations(*u, &self.x, &mut s);
            let squares: f64 = s.iter().map(|s| s * s).sum();
            let products: f64 = s.iter().zip(&self.t).map(|(s, t)| s * t).sum();
            columns.push((squares, products, 0.5 * self.alpha * u * u));
        }
        let targets: f64 = self.t.iter().map(|t| t * t).sum();
        let density = |v: f64, (squares, products, prior): (f64, f64, f64)| {
            let error = 0.5 * (v * v * squares - 2.0 * v * products + targets);
            exp(-self.beta * error - prior - 0.5 * self.alpha * v * v - self.ln_z)
        };
        v.iter().flat_map(|v| columns.iter().map(|column| density(*v, *column))).collect()
    }

    /// Given u: mean and precision of v, and ln of the largest posterior density.
    fn ridge(&self, u: f64, s: &mut Vec<f64>) -> (f64, f64, f64) {
        activations(u, &self.x, s);
        let a = self.alpha + self.beta * s.iter().map(|s| s * s).sum::<f64>();
        let b = self.beta * s.iter().zip(&self.t).map(|(s, t)| s * t).sum::<f64>();
        let targets: f64 = self.t.iter().map(|t| t * t).sum();
        (b / a, a, 0.5 * b * b / a - 0.5 * self.beta * targets - 0.5 * self.alpha * u * u - self.ln_z)
    }

    /// Where the density is `level` and u between `from` and `to`: short pieces of line from (u, v) to (u, v), exact at their
    /// ends. Given u the density is Gaussian in v, so that no grid is needed.
    pub fn contour(&self, level: f64, (from, to): (f64, f64)) -> Vec<[(f64, f64); 2]> {
        let (ln_level, mut s) = (libm::log(level), Vec::new());
        let mut above = |u: f64| self.ridge(u, &mut s).2 > ln_level;
        let place = |i: usize| from + (to - from) * i as f64 / PLACES as f64;
        let mut turns = Vec::new();
        for i in 0..PLACES {
            let (mut low, mut high) = (place(i), place(i + 1));
            let inside = above(low);
            if i == 0 && inside {
                turns.push(low);
            }
            if above(high) != inside {
                for _ in 0..HALVINGS {
                    let middle = 0.5 * (low + high);
                    *(if above(middle) == inside { &mut low } else { &mut high }) = middle;
                }
                turns.push(if inside { low } else { high });
            }
        }
        if turns.len() % 2 == 1 {
            turns.push(to);
        }
        let mut pieces = Vec::new();
        for ends in turns.as_chunks::<2>().0 {
            // Dense at both ends, where v changes as the root of the distance from them.
            let at = |k: usize| {
                let share = 0.5 - 0.5 * libm::cos(std::f64::consts::PI * k as f64 / PIECES as f64);
                ends[0] + (ends[1] - ends[0]) * share
            };
            let sides = (0..=PIECES).map(|k| {
                let (mean, precision, ln) = self.ridge(at(k), &mut s);
                let half = (2.0 * (ln - ln_level).max(0.0) / precision).sqrt();
                (at(k), mean + half, mean - half)
            });
            let sides: Vec<(f64, f64, f64)> = sides.collect();
            pieces.extend(sides.windows(2).flat_map(|pair| {
                let ((u, upper, lower), (next, next_upper, next_lower)) = (pair[0], pair[1]);
                [[(u, upper), (next, next_upper)], [(u, lower), (next, next_lower)]]
            }));
        }
        pieces
    }

    /// Mean and variance of f at each of `at`.
    pub fn predictions(&self, at: &[f64]) -> Vec<(f64, f64)> {
        let (mut s, mut sums) = (Vec::new(), vec![(0.0, 0.0); at.len()]);
        for node in &self.nodes {
            activations(node.u, at, &mut s);
            let square = node.var + node.mean * node.mean;
            for ((mean, squares), s) in sums.iter_mut().zip(&s) {
                *mean += node.mass * node.mean * s;
                *squares += node.mass * square * s * s;
            }
        }
        sums.into_iter().map(|(mean, square)| (mean, (square - mean * mean).max(0.0))).collect()
    }

    /// Posterior means of |u|, and of v where u > 0; the posterior has the twin (−u, −v).
    pub fn means(&self) -> (f64, f64) {
        self.nodes.iter().fold((0.0, 0.0), |(u, v), node| (u + node.u * node.mass, v + node.mass * node.mean))
    }

    /// Below this |u| lies that share of the posterior's mass.
    pub fn quantile(&self, share: f64) -> f64 {
        let mut below = 0.0;
        let reached = self.nodes.iter().find(|node| {
            below += node.mass;
            below >= share
        });
        reached.or(self.nodes.last()).map_or(0.0, |node| node.u)
    }

    /// Between these lies nearly all of v where 0 < u < `most`: two standard deviations about its mean, weighed by u.
    pub fn outputs(&self, most: f64) -> (f64, f64) {
        let heaviest = self.nodes.iter().fold(0.0, |most: f64, node| most.max(node.mass));
        let ends =
            self.nodes.iter().filter(|node| node.u <= most && node.mass > 1e-2 * heaviest).map(|node| {
                let sd = node.var.sqrt();
                (node.mean - 2.0 * sd, node.mean + 2.0 * sd)
            });
        ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((-1.0, 1.0))
    }
}
