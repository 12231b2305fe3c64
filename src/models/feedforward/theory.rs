//! Bayes-optimal replica theory of the tree committee, which is the N → ∞ limit of the TAP equations: one order
//! parameter q = ⟨w⟩·⟨w⟩/N = ⟨w⟩·w₀/N for any K, α and β.

use std::f64::consts::FRAC_2_PI;

use super::average::{Ballot, MOST_TENSOR, Node, average, gauss, panels, tensor};
use super::channel::Channel;
use super::errors::opt_error;
use super::votes::{Votes, mean_output};
use crate::math::lanes::LANES;
use crate::math::quadrature::trapezoid;
use crate::math::special::{angle_over_pi, density, inverse_phi, phi};

/// Replica theory at one α.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Theory {
    /// Overlap of the posterior mean with itself and with the teacher.
    pub q: f64,
    /// Error of the Bayes prediction against the noiseless teacher.
    pub bayes: f64,
    /// Error of the committee with weights ⟨w⟩ against the noiseless teacher.
    pub opt: f64,
    /// Training error of the posterior mean on noisy labels; known for one branch.
    pub training: Option<f64>,
}

/// Steps of the one-dimensional quadrature: errors stay below 1e-12, see the test.
const STEPS: usize = 200;
/// Where φ²/(Φ(1−Φ)) has died out.
const EDGE: f64 = 9.5;
const TOLERANCE: f64 = 1e-13;

/// Solves q/(1−q) = α K ⟨g²⟩ from below by state evolution, starting at `q` in (0, 1).
pub fn solve(channel: &Channel, alpha: f64, q: f64) -> Theory {
    let one_branch = channel.hidden() == 1;
    if channel.contrast() == 0.0 {
        return Theory { q: 0.0, bayes: 0.5, opt: 0.5, training: one_branch.then_some(0.5) };
    }
    if alpha == 0.0 {
        // The limit from above: whatever tells anything at all fits a lonely example.
        return Theory { q: 0.0, bayes: 0.5, opt: 0.5, training: one_branch.then_some(0.0) };
    }
    // A quadrature in several dimensions is not exact to the last digit, so neither need the root be.
    let tolerance = if one_branch { TOLERANCE } else { 1e-9 };
    let next = |q: f64| {
        let x = alpha * channel.hidden() as f64 * mean_square_slope(channel, q);
        x / (1.0 + x)
    };
    let q = fixed_point(next, q, tolerance);
    let disagreement = angle_over_pi(q.sqrt());
    let opt = opt_error(&vec![disagreement; channel.hidden()]);
    Theory {
        q,
        bayes: if one_branch { disagreement } else { bayes_error(channel, q) },
        opt,
        training: one_branch.then(|| training_error(channel, q)),
    }
}

/// The limit K → ∞, where the votes sum up to a Gaussian: a perceptron's channel at the effective overlap
/// q_e = (2/π) arcsin q, so that q/(1−q) = α (dq_e/dq) ⟨g²⟩(q_e).
pub fn solve_large(channel: &Channel, alpha: f64) -> Theory {
    if channel.contrast() == 0.0 || alpha == 0.0 {
        return Theory { q: 0.0, bayes: 0.5, opt: 0.5, training: None };
    }
    let perceptron = channel.one_branch();
    let effective = |q: f64| FRAC_2_PI * libm::asin(q);
    let next = |q: f64| {
        let slope = FRAC_2_PI / ((1.0 - q) * (1.0 + q)).sqrt();
        let x = alpha * slope * mean_square_slope(&perceptron, effective(q));
        x / (1.0 + x)
    };
    let q = fixed_point(next, 0.5, TOLERANCE);
    Theory {
        q,
        bayes: angle_over_pi(effective(q).sqrt()),
        opt: angle_over_pi(effective(q.sqrt())),
        training: None,
    }
}

/// Iterates `next` from `q`; Aitken's extrapolation is taken where it stays inside (0, 1).
fn fixed_point(next: impl Fn(f64) -> f64, mut q: f64, tolerance: f64) -> f64 {
    for _ in 0..500 {
        let one = next(q);
        let two = next(one);
        let bend = two - 2.0 * one + q;
        let extrapolated = two - (two - one) * (two - one) / bend;
        let was = q;
        q = if extrapolated > 0.0 && extrapolated < 1.0 { extrapolated } else { two };
        if (q - was).abs() < tolerance * (1.0 - was) {
            break;
        }
    }
    q
}

/// ⟨g_1²⟩ over labels and cavity means u ~ N(0, q)^K: (1/λ) ⟨(τ ∂⟨σ⟩/∂z_1)² / (1−τ²⟨σ⟩²)⟩ with λ = 1−q, z = u/√λ.
fn mean_square_slope(channel: &Channel, q: f64) -> f64 {
    let lambda = 1.0 - q;
    let spread = (q / lambda).sqrt();
    let tau = channel.contrast();
    if channel.hidden() == 1 {
        let edge = EDGE.min(EDGE * spread);
        return trapezoid(-edge, edge, STEPS, |z| {
            let slope = 2.0 * tau * density(z);
            density(z / spread) / spread * slope * slope / information(tau, phi(z), phi(-z))
        }) / lambda;
    }
    let mut ballot = Ballot::new(channel.hidden());
    average(channel.hidden(), spread, |nodes| {
        ballot.count(nodes);
        let squares: f64 = (0..nodes.len()).map(|k| (ballot.pivot(k) * nodes[k].density).powi(2)).sum();
        let slope = 4.0 * tau * tau * squares / nodes.len() as f64;
        if slope == 0.0 { 0.0 } else { slope / information(tau, ballot.majority(), ballot.minority()) }
    }) / lambda
}

/// 1−τ²⟨σ⟩² without cancellation: (1−τ⟨σ⟩)(1+τ⟨σ⟩) with the probabilities of both outcomes.
fn information(tau: f64, up: f64, down: f64) -> f64 {
    let noise = 1.0 - tau;
    (noise + 2.0 * tau * up) * (noise + 2.0 * tau * down)
}

/// ⟨(1−|⟨σ⟩|)/2⟩.
///
/// The kink at ⟨σ⟩ = 0 spoils any smooth rule. Given the other branches, the probability of a majority is linear in
/// Φ(z) of the last one and in that of the last but one: the last is integrated on each side of its root, the last but
/// one between the points where that root comes in from infinity, and for K = 3 the first one on each side of 0.
fn bayes_error(channel: &Channel, q: f64) -> f64 {
    let spread = (q / (1.0 - q)).sqrt();
    let hidden = channel.hidden();
    let mut ballot = Ballot::new(hidden);
    if hidden > MOST_TENSOR {
        return average(hidden, spread, |nodes| {
            ballot.count(nodes);
            ballot.majority().min(ballot.minority())
        });
    }
    let last = LastBranch::new(spread);
    let mut all = vec![Node::at(0.0); hidden];
    let mut given = |others: &[Node]| {
        all[..hidden - 2].copy_from_slice(others);
        let mut majority_if = |votes: [f64; 2]| {
            for (node, yes) in all[hidden - 2..].iter_mut().zip(votes) {
                *node = Node { yes, no: 1.0 - yes, density: 0.0 };
            }
            ballot.count(&all);
            ballot.majority()
        };
        let (none, one, both) = (majority_if([0.0, 0.0]), majority_if([1.0, 0.0]), majority_if([1.0, 1.0]));
        // With the last but one at p: between low(p) and high(p), as the last one votes.
        let root = |a: f64, b: f64| inverse_phi(((0.5 - a) / (b - a)).clamp(1e-15, 1.0 - 1e-15));
        let breaks =
            [if one > none { root(none, one) } else { 0.0 }, if both > one { root(one, both) } else { 0.0 }];
        panels(spread, &breaks, |z| {
            let p = phi(z);
            last.mean_minority(none + (one - none) * p, one + (both - one) * p)
        })
    };
    match hidden {
        2 => given(&[]),
        3 => panels(spread, &[0.0], |z| given(&[Node::at(z)])),
        _ => tensor(hidden - 2, spread, &mut given),
    }
}

/// Means over the field of the last branch, z ~ N(0, spread²).
struct LastBranch {
    /// ⟨|Φ(z) − Φ(at)|⟩ and its derivative by `at`, on a grid of `at`.
    distances: Vec<(f64, f64)>,
}

impl LastBranch {
    const EDGE: f64 = 8.5;
    const STEP: f64 = 0.05;

    fn new(spread: f64) -> Self {
        // By parts: ⟨(Φ(at)−Φ(z))₊⟩ = ∫_{−∞}^{at} F φ with F the distribution of z, and the mirror image above. So the
        // derivative is φ(at) (2F(at) − 1), and the value at −∞ is the mean of Φ(z), one half.
        let slope = |at: f64| density(at) * (1.0 - 2.0 * phi(-at / spread));
        let mut value = 0.5;
        let count = (2.0 * Self::EDGE / Self::STEP) as usize + 1;
        let distances = (0..count).map(|i| {
            let at = -Self::EDGE + Self::STEP * i as f64;
            if i > 0 {
                // F has the width of the spread, which may be less than a step.
                let fine = ((Self::STEP / spread).ceil() as usize).clamp(1, 64);
                let step = Self::STEP / fine as f64;
                value +=
                    (0..fine).map(|k| gauss(at - Self::STEP + step * k as f64, step, slope)).sum::<f64>();
            }
            (value, slope(at))
        });
        Self { distances: distances.collect() }
    }

    /// ⟨min(P, 1−P)⟩ for P = low + (high−low) Φ(z).
    fn mean_minority(&self, low: f64, high: f64) -> f64 {
        // The mean of Φ(z) is one half.
        let mean = 0.5 * (low + high);
        if high <= 0.5 {
            return mean;
        }
        if low >= 0.5 {
            return 1.0 - mean;
        }
        // min(P, 1−P) = ½ − |P−½|.
        0.5 - (high - low) * self.mean_distance((0.5 - low) / (high - low))
    }

    /// ⟨|Φ(z) − root|⟩, by cubic Hermite interpolation.
    fn mean_distance(&self, root: f64) -> f64 {
        let at = inverse_phi(root.clamp(1e-16, 1.0 - 1e-16)).clamp(-Self::EDGE, Self::EDGE - 1e-9);
        let place = (at + Self::EDGE) / Self::STEP;
        let i = (place as usize).min(self.distances.len() - 2);
        let t = place - i as f64;
        let ((a, da), (b, db)) = (self.distances[i], self.distances[i + 1]);
        let (da, db) = (da * Self::STEP, db * Self::STEP);
        let rest = 1.0 - t;
        rest * rest * ((1.0 + 2.0 * t) * a + t * da) + t * t * ((1.0 + 2.0 * rest) * b - rest * db)
    }
}

/// How often the posterior mean of one branch gets a training label wrong: its field is u + λ g(u, y), which grows
/// with u, so the errors lie below one root.
fn training_error(channel: &Channel, q: f64) -> f64 {
    let lambda = 1.0 - q;
    let trained = |z: f64| {
        let mut slope = [[0.0; LANES]];
        channel.slopes(&[[z; LANES]], [1.0; LANES], &mut slope, &mut Votes::new(1));
        z + slope[0][0]
    };
    let spread = (q / lambda).sqrt();
    let edge = -9.5 * spread;
    // By symmetry only y = +1 is needed: P(u, y) = N(u; 0, q) (1 + yτ⟨σ⟩)/2, twice.
    let (mut low, mut high) = (edge, 0.0);
    if trained(low) > 0.0 {
        return 0.0;
    }
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if trained(middle) > 0.0 { high = middle } else { low = middle }
    }
    let tau = channel.contrast();
    // The trapezoid rule is only of second order at a finite end: many steps.
    trapezoid(edge, low, 20 * STEPS, |z| density(z / spread) / spread * (1.0 + tau * mean_output(&[z])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quadrature_is_converged() {
        for (beta, q) in [(0.5, 0.01), (0.5, 0.5), (f64::INFINITY, 0.9), (f64::INFINITY, 0.9999), (5.0, 0.99)]
        {
            let channel = Channel::new(1, beta);
            let coarse = mean_square_slope(&channel, q);
            let lambda: f64 = 1.0 - q;
            let spread = (q / lambda).sqrt();
            let edge = EDGE.min(EDGE * spread);
            let tau = channel.contrast();
            let fine = trapezoid(-edge, edge, 16 * STEPS, |z| {
                density(z / spread) / spread * (2.0 * tau * density(z)).powi(2)
                    / information(tau, phi(z), phi(-z))
            }) / lambda;
            assert!((coarse / fine - 1.0).abs() < 1e-9, "β={beta} q={q}: {coarse} {fine}");
        }
    }

    #[test]
    fn the_kink_is_integrated_exactly() {
        // One branch with P = Φ(z): ⟨min(Φ, 1−Φ)⟩ = arctan(1/spread)/π.
        for spread in [0.1, 1.0, 7.0, 100.0] {
            let ours = LastBranch::new(spread).mean_minority(0.0, 1.0);
            let exact = libm::atan(1.0 / spread) / std::f64::consts::PI;
            assert!((ours - exact).abs() < 1e-9, "{spread}: {ours} {exact}");
        }
    }

    #[test]
    fn nothing_is_learnt_from_pure_noise_or_from_nothing() {
        for hidden in [1, 3] {
            assert_eq!(solve(&Channel::new(hidden, 0.0), 5.0, 0.5).bayes, 0.5);
            assert_eq!(solve(&Channel::new(hidden, 1.0), 0.0, 0.5).bayes, 0.5);
        }
    }

    #[test]
    fn the_start_does_not_matter_and_more_examples_help() {
        for beta in [0.1, 0.5, 3.0, f64::INFINITY] {
            let channel = Channel::new(1, beta);
            let mut last = 0.5;
            for alpha in [0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0] {
                let (a, b) = (solve(&channel, alpha, 0.01), solve(&channel, alpha, 0.99));
                assert!((a.q - b.q).abs() < 1e-10, "β={beta} α={alpha}");
                assert!(a.bayes < last);
                last = a.bayes;
            }
        }
    }

    #[test]
    fn a_noise_free_perceptron_fits_its_training_set() {
        assert_eq!(solve(&Channel::new(1, f64::INFINITY), 3.0, 0.5).training, Some(0.0));
    }

    #[test]
    fn many_branches_come_near_infinitely_many() {
        for beta in [1.0, f64::INFINITY] {
            let large = solve_large(&Channel::new(3, beta), 4.0);
            let gap = |hidden| {
                let theory = solve(&Channel::new(hidden, beta), 4.0, 0.5);
                (theory.bayes - large.bayes).abs().max((theory.opt - large.opt).abs())
            };
            let (few, many) = (gap(5), gap(61));
            assert!(many < 1e-2 && many < 0.4 * few, "β={beta}: {few} {many}");
        }
    }
}
