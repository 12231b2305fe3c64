//! Bayes-optimal replica theory of the tree committee, the limit N → ∞ of the TAP equations. For any K, α and β it has one order
//! parameter q = ⟨w⟩·⟨w⟩/N = ⟨w⟩·w₀/N, the solution of q/(1−q) = α K ⟨g₁²⟩.

mod controls;
pub mod errors;
pub mod interpolation;
mod kink;
mod lattice;
pub mod stability;
pub mod tensor;

use std::f64::consts::FRAC_2_PI;

use self::errors::opt_error;
use self::kink::bayes_error;
use self::lattice::{Lattice, LatticeMeans};
use self::tensor::{BranchNode, MAX_TENSOR_HIDDEN, TensorVotes, label_variance, tensor};
use crate::feedforward::tap::likelihood::Likelihood;
use crate::feedforward::tap::votes::{VoteCounter, mean_output};
use crate::math::lanes::LANES;
use crate::math::quadrature::trapezoid;
use crate::math::special::{angle_over_pi, density, phi};

/// Prediction of replica theory at one α.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReplicaPoint {
    /// Overlap q of the posterior mean with itself and with the teacher.
    pub q: f64,
    /// Error of the Bayes prediction against the noiseless teacher.
    pub bayes: f64,
    /// Error of the committee with weights ⟨w⟩ against the noiseless teacher.
    pub opt: f64,
    /// Training error of the posterior mean on noisy labels; only for K = 1.
    pub training: Option<f64>,
}

/// Steps of the one-dimensional quadrature, whose relative error is below 1e-9 (see the test).
const STEPS: usize = 200;
/// Field beyond which φ²/(Φ(1−Φ)) vanishes.
const EDGE: f64 = 9.5;
/// Tolerance of q, relative to 1 − q.
const TOLERANCE: f64 = 1e-13;
/// Largest number of steps of state evolution; about twelve are typical with Aitken extrapolation.
const MAX_ITERATIONS: usize = 500;

impl ReplicaPoint {
    /// The limit q → 0: nothing is learnt.
    const UNINFORMED: Self = Self { q: 0.0, bayes: 0.5, opt: 0.5, training: None };
    /// Result where state evolution does not converge; figures leave a gap.
    const UNSOLVED: Self = Self { q: f64::NAN, bayes: f64::NAN, opt: f64::NAN, training: None };
}

/// Solves q/(1−q) = α K ⟨g₁²⟩ by state evolution from `q` in (0, 1).
pub fn solve(likelihood: &Likelihood, alpha: f64, q: f64) -> ReplicaPoint {
    ReplicaTheory::new(*likelihood).solve(alpha, q)
}

/// Returns true if q, which is of order ατ², underflows.
fn vanishes(alpha: f64, tau: f64) -> bool {
    alpha * tau * tau < 1e-200
}

/// Replica theory of one likelihood, with the points of its averages.
pub struct ReplicaTheory {
    likelihood: Likelihood,
    /// For K > [`MAX_TENSOR_HIDDEN`].
    lattice: Option<Lattice>,
}

impl ReplicaTheory {
    /// Returns the theory of `likelihood`.
    pub fn new(likelihood: Likelihood) -> Self {
        let hidden = likelihood.hidden();
        Self { likelihood, lattice: (hidden > MAX_TENSOR_HIDDEN).then(|| Lattice::new(hidden)) }
    }

    /// Solves like [`solve`].
    pub fn solve(&self, alpha: f64, q: f64) -> ReplicaPoint {
        let tau = self.likelihood.contrast();
        if vanishes(alpha, tau) {
            // In the limit q → 0 the trained field is proportional to √α ξ + y, ξ ~ N(0, 1).
            let training = || match (tau, alpha) {
                (0.0, _) => 0.5,
                (_, 0.0) => 0.0,
                _ => phi(-1.0 / alpha.sqrt()),
            };
            let training = (self.likelihood.hidden() == 1).then(training);
            return ReplicaPoint { training, ..ReplicaPoint::UNINFORMED };
        }
        // No more than the accuracy of quadrature in several dimensions.
        let tolerance = if self.likelihood.hidden() == 1 { TOLERANCE } else { 1e-9 };
        let next = |q: f64| {
            let x = alpha * self.information(q);
            x / (1.0 + x)
        };
        fixed_point(next, q, tolerance).map_or(ReplicaPoint::UNSOLVED, |q| self.at(q).1)
    }

    /// Returns K⟨g₁²⟩ at the overlap `q`, and the theory at the α that has this overlap.
    pub fn at(&self, q: f64) -> (f64, ReplicaPoint) {
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
        let theory = ReplicaPoint {
            q,
            bayes,
            opt: opt_error(&vec![disagreement; likelihood.hidden()]),
            training: (likelihood.hidden() == 1).then(|| training_error(likelihood, q)),
        };
        (information, theory)
    }

    /// Returns the α that gives the overlap `q`.
    pub fn alpha(&self, q: f64) -> f64 {
        q / (1.0 - q) / self.information(q)
    }

    /// Returns K⟨g₁²⟩, by which q/(1−q) grows per unit of α.
    fn information(&self, q: f64) -> f64 {
        match &self.lattice {
            Some(lattice) => {
                self.scaled(lattice.means((q / (1.0 - q)).sqrt(), self.likelihood.contrast()), q)
            }
            None => self.likelihood.hidden() as f64 * mean_square_slope(&self.likelihood, q),
        }
    }

    /// Returns K⟨g₁²⟩ from the averages of a lattice at the overlap `q`.
    fn scaled(&self, means: LatticeMeans, q: f64) -> f64 {
        self.likelihood.hidden() as f64 * self.likelihood.contrast().powi(2) * means.slope / (1.0 - q)
    }
}

/// Solves the limit K → ∞, where the sum of the votes is Gaussian: the likelihood is a perceptron's at the effective overlap
/// q_e = (2/π) arcsin q, so that q/(1−q) = α (dq_e/dq) ⟨g²⟩(q_e).
pub fn solve_large(likelihood: &Likelihood, alpha: f64) -> ReplicaPoint {
    if vanishes(alpha, likelihood.contrast()) {
        return ReplicaPoint::UNINFORMED;
    }
    let perceptron = likelihood.one_branch();
    let effective = |q: f64| FRAC_2_PI * libm::asin(q);
    let next = |q: f64| {
        let slope = FRAC_2_PI / ((1.0 - q) * (1.0 + q)).sqrt();
        let x = alpha * slope * mean_square_slope(&perceptron, effective(q));
        x / (1.0 + x)
    };
    let Some(q) = fixed_point(next, 0.5, TOLERANCE) else { return ReplicaPoint::UNSOLVED };
    ReplicaPoint {
        q,
        bayes: angle_over_pi(effective(q).sqrt()),
        opt: angle_over_pi(effective(q.sqrt())),
        training: None,
    }
}

/// Iterates `next` from `q`, with Aitken extrapolation where it stays inside (0, 1). Returns `None` without convergence.
fn fixed_point(next: impl Fn(f64) -> f64, mut q: f64, tolerance: f64) -> Option<f64> {
    for _ in 0..MAX_ITERATIONS {
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

/// Returns ⟨g₁²⟩ over labels and cavity means u ~ N(0, q)^K, K ≤ [`MAX_TENSOR_HIDDEN`]:
/// (1/λ) ⟨(τ ∂⟨σ⟩/∂z₁)² / (1−τ²⟨σ⟩²)⟩ with λ = 1−q, z = u/√λ.
pub(in crate::feedforward) fn mean_square_slope(likelihood: &Likelihood, q: f64) -> f64 {
    let lambda = 1.0 - q;
    let spread = (q / lambda).sqrt();
    let tau = likelihood.contrast();
    if likelihood.hidden() == 1 {
        let edge = EDGE.min(EDGE * spread);
        return trapezoid(-edge, edge, STEPS, |z| {
            let slope = 2.0 * tau * density(z);
            density(z / spread) / spread * slope * slope / label_variance(tau, phi(z), phi(-z))
        }) / lambda;
    }
    let mut votes = TensorVotes::new(likelihood.hidden());
    let widest = if likelihood.hidden() <= 3 { 0.4 } else { 0.65 };
    tensor(likelihood.hidden(), spread, widest, &mut |nodes: &[BranchNode]| {
        votes.count(nodes);
        let squares: f64 = (0..nodes.len()).map(|k| (votes.pivot(k) * nodes[k].density).powi(2)).sum();
        let slope = 4.0 * tau * tau * squares / nodes.len() as f64;
        if slope == 0.0 { 0.0 } else { slope / label_variance(tau, votes.majority(), votes.minority()) }
    }) / lambda
}

/// Returns the training error of the posterior mean for K = 1. Its field u + λ g(u, y) increases with u, so that the errors lie
/// below one root.
fn training_error(likelihood: &Likelihood, q: f64) -> f64 {
    let lambda = 1.0 - q;
    let trained = |z: f64| {
        let mut slope = [[0.0; LANES]];
        likelihood.slopes(&[[z; LANES]], [1.0; LANES], &mut slope, &mut VoteCounter::new(1));
        z + slope[0][0]
    };
    let spread = (q / lambda).sqrt();
    let edge = -9.5 * spread;
    // P(u, y) = N(u; 0, q) (1 + yτ⟨σ⟩)/2. By symmetry: twice the part of y = +1.
    let (mut low, mut high) = (edge, 0.0);
    if trained(low) > 0.0 {
        return 0.0;
    }
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if trained(middle) > 0.0 { high = middle } else { low = middle }
    }
    let tau = likelihood.contrast();
    // At a finite end the trapezoid rule is of second order only, hence the many steps.
    trapezoid(edge, low, 20 * STEPS, |z| density(z / spread) / spread * (1.0 + tau * mean_output(&[z])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_point_is_none_without_convergence() {
        assert_eq!(fixed_point(|q| if q < 0.5 { 0.9 } else { 0.1 }, 0.3, TOLERANCE), None);
        let root = fixed_point(|q| 0.5 * (1.0 + q * q * q), 0.2, TOLERANCE).unwrap();
        assert!((root - 0.5 * (1.0 + root * root * root)).abs() < 1e-12);
    }

    #[test]
    fn quadrature_has_converged() {
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
                    / label_variance(tau, phi(z), phi(-z))
            }) / lambda;
            assert!((coarse / fine - 1.0).abs() < 1e-9, "β={beta} q={q}: {coarse} {fine}");
        }
    }

    #[test]
    fn error_is_one_half_for_pure_noise_and_without_examples() {
        for hidden in [1, 3] {
            assert_eq!(solve(&Likelihood::new(hidden, 0.0), 5.0, 0.5).bayes, 0.5);
            assert_eq!(solve(&Likelihood::new(hidden, 1.0), 0.0, 0.5).bayes, 0.5);
        }
    }

    #[test]
    fn tiny_beta_does_not_underflow() {
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
    fn solution_is_independent_of_the_start_and_error_falls_with_alpha() {
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
    fn noise_free_perceptron_has_no_training_error() {
        assert_eq!(solve(&Likelihood::new(1, f64::INFINITY), 3.0, 0.5).training, Some(0.0));
    }

    #[test]
    fn bayes_error_is_below_opt_error() {
        for hidden in [3, 5, 9, 51] {
            for (beta, alpha) in
                [(0.5, 1.0), (f64::INFINITY, 1.0), (f64::INFINITY, 10.0), (f64::INFINITY, 40.0)]
            {
                let ReplicaPoint { bayes, opt, .. } = solve(&Likelihood::new(hidden, beta), alpha, 0.5);
                assert!(bayes < opt, "K={hidden} β={beta} α={alpha}: {bayes} {opt}");
            }
        }
    }

    #[test]
    fn many_branches_approach_the_limit() {
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
