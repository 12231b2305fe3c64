//! Bayes-optimal replica theory of the tree committee, which is the N → ∞ limit of the TAP equations: one order
//! parameter q = ⟨w⟩·⟨w⟩/N = ⟨w⟩·w₀/N for any K, α and β.

mod controls;
pub mod errors;
pub mod interpolation;
mod lattice;
pub mod tensor;

use std::f64::consts::FRAC_2_PI;

use self::errors::opt_error;
use self::lattice::{Lattice, Means};
use self::tensor::{Ballot, MOST_TENSOR, Node, gauss, information, panels, tensor};
use crate::math::lanes::LANES;
use crate::math::quadrature::trapezoid;
use crate::math::special::{angle_over_pi, density, inverse_phi, phi};
use crate::models::feedforward::tap::likelihood::Likelihood;
use crate::models::feedforward::tap::votes::{Votes, mean_output};

/// Replica theory at one α.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Replica {
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
/// State evolution ends after at most this many steps; with Aitken's extrapolation a dozen are usual.
const MOST_ITERATIONS: usize = 500;

impl Replica {
    /// Where state evolution does not converge: no numbers, which a figure shows as a gap.
    const UNSOLVED: Self = Self { q: f64::NAN, bayes: f64::NAN, opt: f64::NAN, training: None };
}

/// Solves q/(1−q) = α K ⟨g²⟩ from below by state evolution, starting at `q` in (0, 1).
pub fn solve(likelihood: &Likelihood, alpha: f64, q: f64) -> Replica {
    Averages::new(*likelihood).solve(alpha, q)
}

/// Whether so little is learnt that q, of the size of ατ², is no number any more.
fn vanishes(alpha: f64, tau: f64) -> bool {
    alpha * tau * tau < 1e-200
}

/// The averages of the theory of one likelihood, at any overlap.
pub(in crate::models::feedforward) struct Averages {
    likelihood: Likelihood,
    /// Where no tensor rule is affordable.
    lattice: Option<Lattice>,
}

impl Averages {
    pub fn new(likelihood: Likelihood) -> Self {
        let hidden = likelihood.hidden();
        Self { likelihood, lattice: (hidden > MOST_TENSOR).then(|| Lattice::new(hidden)) }
    }

    /// See [`solve`].
    pub fn solve(&self, alpha: f64, q: f64) -> Replica {
        let tau = self.likelihood.contrast();
        if vanishes(alpha, tau) {
            // Of hardly anything learnt the trained field is √α ξ + y, whatever its scale.
            let training = || match (tau, alpha) {
                (0.0, _) => 0.5,
                (_, 0.0) => 0.0,
                _ => phi(-1.0 / alpha.sqrt()),
            };
            return Replica {
                q: 0.0,
                bayes: 0.5,
                opt: 0.5,
                training: (self.likelihood.hidden() == 1).then(training),
            };
        }
        // A quadrature in several dimensions is not exact to the last digit, so neither need the root be.
        let tolerance = if self.likelihood.hidden() == 1 { TOLERANCE } else { 1e-9 };
        let next = |q: f64| {
            let x = alpha * self.information(q);
            x / (1.0 + x)
        };
        fixed_point(next, q, tolerance).map_or(Replica::UNSOLVED, |q| self.at(q).1)
    }

    /// [`Self::information`] at the overlap `q`, and the theory of whichever α has that overlap.
    pub fn at(&self, q: f64) -> (f64, Replica) {
        let likelihood = &self.likelihood;
        let disagreement = angle_over_pi(q.sqrt());
        let (information, bayes) = match &self.lattice {
            Some(lattice) => {
                let means = lattice.means((q / (1.0 - q)).sqrt(), likelihood.contrast());
                (self.scaled(means, q), means.minority)
            }
            None if likelihood.hidden() == 1 => (self.information(q), disagreement),
            None => (self.information(q), bayes_error(likelihood, q)),
        };
        let theory = Replica {
            q,
            bayes,
            opt: opt_error(&vec![disagreement; likelihood.hidden()]),
            training: (likelihood.hidden() == 1).then(|| training_error(likelihood, q)),
        };
        (information, theory)
    }

    /// The examples a weight that give the overlap `q`.
    pub fn alpha(&self, q: f64) -> f64 {
        q / (1.0 - q) / self.information(q)
    }

    /// K ⟨g_1²⟩, which is q/(1−q) for every example a weight.
    fn information(&self, q: f64) -> f64 {
        match &self.lattice {
            Some(lattice) => {
                self.scaled(lattice.means((q / (1.0 - q)).sqrt(), self.likelihood.contrast()), q)
            }
            None => self.likelihood.hidden() as f64 * mean_square_slope(&self.likelihood, q),
        }
    }

    fn scaled(&self, means: Means, q: f64) -> f64 {
        self.likelihood.hidden() as f64 * self.likelihood.contrast().powi(2) * means.slope / (1.0 - q)
    }
}

/// The limit K → ∞, where the votes sum up to a Gaussian: a perceptron's likelihood at the effective overlap
/// q_e = (2/π) arcsin q, so that q/(1−q) = α (dq_e/dq) ⟨g²⟩(q_e).
pub fn solve_large(likelihood: &Likelihood, alpha: f64) -> Replica {
    if vanishes(alpha, likelihood.contrast()) {
        return Replica { q: 0.0, bayes: 0.5, opt: 0.5, training: None };
    }
    let perceptron = likelihood.one_branch();
    let effective = |q: f64| FRAC_2_PI * libm::asin(q);
    let next = |q: f64| {
        let slope = FRAC_2_PI / ((1.0 - q) * (1.0 + q)).sqrt();
        let x = alpha * slope * mean_square_slope(&perceptron, effective(q));
        x / (1.0 + x)
    };
    let Some(q) = fixed_point(next, 0.5, TOLERANCE) else { return Replica::UNSOLVED };
    Replica {
        q,
        bayes: angle_over_pi(effective(q).sqrt()),
        opt: angle_over_pi(effective(q.sqrt())),
        training: None,
    }
}

/// Iterates `next` from `q`; Aitken's extrapolation is taken where it stays inside (0, 1). `None` if that does not converge.
fn fixed_point(next: impl Fn(f64) -> f64, mut q: f64, tolerance: f64) -> Option<f64> {
    for _ in 0..MOST_ITERATIONS {
        let one = next(q);
        let two = next(one);
        let bend = two - 2.0 * one + q;
        let extrapolated = two - (two - one) * (two - one) / bend;
        let was = q;
        q = if extrapolated > 0.0 && extrapolated < 1.0 { extrapolated } else { two };
        if (q - was).abs() < tolerance * (1.0 - was) {
            return Some(q);
        }
    }
    None
}

/// ⟨g_1²⟩ of up to [`MOST_TENSOR`] branches, over labels and cavity means u ~ N(0, q)^K: (1/λ) ⟨(τ ∂⟨σ⟩/∂z_1)² / (1−τ²⟨σ⟩²)⟩ with λ = 1−q, z = u/√λ.
pub(in crate::models::feedforward) fn mean_square_slope(likelihood: &Likelihood, q: f64) -> f64 {
    let lambda = 1.0 - q;
    let spread = (q / lambda).sqrt();
    let tau = likelihood.contrast();
    if likelihood.hidden() == 1 {
        let edge = EDGE.min(EDGE * spread);
        return trapezoid(-edge, edge, STEPS, |z| {
            let slope = 2.0 * tau * density(z);
            density(z / spread) / spread * slope * slope / information(tau, phi(z), phi(-z))
        }) / lambda;
    }
    let mut ballot = Ballot::new(likelihood.hidden());
    let finest = if likelihood.hidden() <= 3 { 0.4 } else { 0.65 };
    tensor(likelihood.hidden(), spread, finest, &mut |nodes: &[Node]| {
        ballot.count(nodes);
        let squares: f64 = (0..nodes.len()).map(|k| (ballot.pivot(k) * nodes[k].density).powi(2)).sum();
        let slope = 4.0 * tau * tau * squares / nodes.len() as f64;
        if slope == 0.0 { 0.0 } else { slope / information(tau, ballot.majority(), ballot.minority()) }
    }) / lambda
}

/// ⟨(1−|⟨σ⟩|)/2⟩ of two to [`MOST_TENSOR`] branches.
///
/// The kink at ⟨σ⟩ = 0 spoils any smooth rule. Given the other branches, the probability of a majority is linear in
/// Φ(z) of the last one and in that of the last but one: the last is integrated on each side of its root, the last but
/// one between the points where that root comes in from infinity, and for K = 3 the first one on each side of 0.
pub(in crate::models::feedforward) fn bayes_error(likelihood: &Likelihood, q: f64) -> f64 {
    let spread = (q / (1.0 - q)).sqrt();
    let hidden = likelihood.hidden();
    let mut ballot = Ballot::new(hidden);
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
        _ => tensor(hidden - 2, spread, 0.4, &mut given),
    }
}

/// Means over the field of the last branch, z ~ N(0, spread²).
struct LastBranch {
    /// ⟨|Φ(z) − root|⟩ and its derivative by y, on a grid of y = arsinh(x/width) with x = ln(root/(1−root)).
    distances: Vec<(f64, f64)>,
    /// Of the kink, in x.
    width: f64,
    edge: f64,
}

impl LastBranch {
    /// The grid's end in x.
    const EDGE: f64 = 36.0;
    const STEP: f64 = 0.025;

    fn new(spread: f64) -> Self {
        // By parts: ⟨(Φ(at)−Φ(z))₊⟩ = ∫_{−∞}^{at} F φ with F the distribution of z, and the mirror image above. So the
        // derivative by `at` is φ(at) (2F(at) − 1), and the value at −∞ is the mean of Φ(z), one half.
        let sign = |at: f64| 1.0 - 2.0 * phi(-at / spread);
        let slope = |at: f64| density(at) * sign(at);
        let (mut value, mut before) = (0.5, f64::NAN);
        let width = spread.min(1.0);
        let edge = libm::asinh(Self::EDGE / width);
        let count = (2.0 * edge / Self::STEP) as usize + 1;
        let distances = (0..count).map(|i| {
            let y = Self::STEP * i as f64 - edge;
            let x = width * libm::sinh(y);
            let (root, rest) = (1.0 / (1.0 + libm::exp(-x)), 1.0 / (1.0 + libm::exp(x)));
            let at = if x < 0.0 { inverse_phi(root) } else { -inverse_phi(rest) };
            if i > 0 {
                // F has the width of the spread, which may be less than a step.
                let fine = (((at - before) / spread).ceil() as usize).clamp(1, 64);
                let step = (at - before) / fine as f64;
                value += (0..fine).map(|k| gauss(before + step * k as f64, step, slope)).sum::<f64>();
            }
            before = at;
            (value, root * rest * sign(at) * width * libm::cosh(y))
        });
        Self { distances: distances.collect(), width, edge }
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
        let x = libm::log(root / (1.0 - root)).clamp(-Self::EDGE, Self::EDGE);
        let place = (libm::asinh(x / self.width) + self.edge) / Self::STEP;
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
fn training_error(likelihood: &Likelihood, q: f64) -> f64 {
    let lambda = 1.0 - q;
    let trained = |z: f64| {
        let mut slope = [[0.0; LANES]];
        likelihood.slopes(&[[z; LANES]], [1.0; LANES], &mut slope, &mut Votes::new(1));
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
    let tau = likelihood.contrast();
    // The trapezoid rule is only of second order at a finite end: many steps.
    trapezoid(edge, low, 20 * STEPS, |z| density(z / spread) / spread * (1.0 + tau * mean_output(&[z])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_iteration_without_a_fixed_point_says_so() {
        assert_eq!(fixed_point(|q| if q < 0.5 { 0.9 } else { 0.1 }, 0.3, TOLERANCE), None);
        let root = fixed_point(|q| 0.5 * (1.0 + q * q * q), 0.2, TOLERANCE).unwrap();
        assert!((root - 0.5 * (1.0 + root * root * root)).abs() < 1e-12);
    }

    #[test]
    fn the_quadrature_is_converged() {
        for (beta, q) in [(0.5, 0.01), (0.5, 0.5), (f64::INFINITY, 0.9), (f64::INFINITY, 0.9999), (5.0, 0.99)]
        {
            let likelihood = Likelihood::new(1, beta);
            let coarse = mean_square_slope(&likelihood, q);
            let lambda: f64 = 1.0 - q;
            let spread = (q / lambda).sqrt();
            let edge = EDGE.min(EDGE * spread);
            let tau = likelihood.contrast();
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
        for spread in [1e-6, 0.01, 0.1, 1.0, 7.0, 100.0] {
            let last = LastBranch::new(spread);
            let ours = last.mean_minority(0.0, 1.0);
            let exact = libm::atan(1.0 / spread) / std::f64::consts::PI;
            assert!((ours - exact).abs() < 1e-9, "{spread}: {ours} {exact}");
            // Away from the middle of the grid, and of its steps: the mean of |Φ(z) − root| by brute force.
            for root in [0.5 + 0.37 * spread.min(1.0), 0.5 - 0.113 * spread.min(1.0), 0.93] {
                let ours = last.mean_distance(root);
                let kink = inverse_phi(root) / spread;
                let distance = |z: f64| density(z) * (phi(spread * z) - root).abs();
                let (low, high) = (kink.clamp(-9.0, 9.0), 9.0);
                let exact = (0..4000).map(|i| {
                    let (below, above) = ((low + 9.0) / 4000.0, (high - low) / 4000.0);
                    gauss(-9.0 + below * f64::from(i), below, distance)
                        + gauss(low + above * f64::from(i), above, distance)
                });
                let exact: f64 = exact.sum();
                assert!(
                    (ours - exact).abs() < 3e-9 + 1e-7 * (exact - 0.5).abs().min(spread),
                    "{spread} {root}: {ours} {exact}"
                );
            }
        }
    }

    #[test]
    fn nothing_is_learnt_from_pure_noise_or_from_nothing() {
        for hidden in [1, 3] {
            assert_eq!(solve(&Likelihood::new(hidden, 0.0), 5.0, 0.5).bayes, 0.5);
            assert_eq!(solve(&Likelihood::new(hidden, 1.0), 0.0, 0.5).bayes, 0.5);
        }
    }

    #[test]
    fn hardly_anything_is_learnt_from_nearly_pure_noise() {
        for hidden in [1, 2, 3, 9] {
            for beta in [1e-300, 1e-120, 1e-90, 1e-9] {
                for alpha in [0.5, 4.0] {
                    let likelihood = Likelihood::new(hidden, beta);
                    let theory = solve(&likelihood, alpha, 0.5);
                    assert!((0.0..1e-15).contains(&theory.q), "K={hidden} β={beta}: {theory:?}");
                    assert!((theory.bayes - 0.5).abs() < 1e-6, "K={hidden} β={beta}: {theory:?}");
                    assert!((theory.opt - 0.5).abs() < 1e-6, "K={hidden} β={beta}: {theory:?}");
                    let training = phi(-1.0 / alpha.sqrt());
                    assert!(
                        theory.training.is_none_or(|t| (t - training).abs() < 1e-6),
                        "β={beta}: {theory:?}"
                    );
                    let large = solve_large(&likelihood, alpha);
                    assert!((large.bayes - 0.5).abs() < 1e-6, "β={beta}: {large:?}");
                }
            }
        }
    }

    #[test]
    fn the_start_does_not_matter_and_more_examples_help() {
        for beta in [0.1, 0.5, 3.0, f64::INFINITY] {
            let likelihood = Likelihood::new(1, beta);
            let mut last = 0.5;
            for alpha in [0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0] {
                let (a, b) = (solve(&likelihood, alpha, 0.01), solve(&likelihood, alpha, 0.99));
                assert!((a.q - b.q).abs() < 1e-10, "β={beta} α={alpha}");
                assert!(a.bayes < last);
                last = a.bayes;
            }
        }
    }

    #[test]
    fn a_noise_free_perceptron_fits_its_training_set() {
        assert_eq!(solve(&Likelihood::new(1, f64::INFINITY), 3.0, 0.5).training, Some(0.0));
    }

    #[test]
    fn bayes_beats_the_posterior_mean() {
        for hidden in [3, 5, 9, 51] {
            for (beta, alpha) in
                [(0.5, 1.0), (f64::INFINITY, 1.0), (f64::INFINITY, 10.0), (f64::INFINITY, 40.0)]
            {
                let Replica { bayes, opt, .. } = solve(&Likelihood::new(hidden, beta), alpha, 0.5);
                assert!(bayes < opt, "K={hidden} β={beta} α={alpha}: {bayes} {opt}");
            }
        }
    }

    #[test]
    fn many_branches_come_near_infinitely_many() {
        for beta in [1.0, f64::INFINITY] {
            let large = solve_large(&Likelihood::new(3, beta), 4.0);
            let gap = |hidden| {
                let theory = solve(&Likelihood::new(hidden, beta), 4.0, 0.5);
                (theory.bayes - large.bayes).abs().max((theory.opt - large.opt).abs())
            };
            let (few, many) = (gap(5), gap(61));
            assert!(many < 1e-2 && many < 0.4 * few, "β={beta}: {few} {many}");
        }
    }
}
