//! Bayes-optimal replica theory of the tree committee, which is the N → ∞ limit of the TAP equations: one order
//! parameter q = ⟨w⟩·⟨w⟩/N = ⟨w⟩·w₀/N for any K, α and β.

mod controls;
pub mod errors;
pub mod interpolation;
mod kink;
mod lattice;
pub mod tensor;

use std::f64::consts::FRAC_2_PI;

use self::errors::opt_error;
use self::kink::bayes_error;
use self::lattice::{Lattice, Means};
use self::tensor::{Ballot, MOST_TENSOR, Node, information, tensor};
use crate::feedforward::tap::likelihood::Likelihood;
use crate::feedforward::tap::votes::{Votes, mean_output};
use crate::math::lanes::LANES;
use crate::math::quadrature::trapezoid;
use crate::math::special::{angle_over_pi, density, phi};

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
pub struct Averages {
    likelihood: Likelihood,
    /// Where no tensor rule is affordable.
    lattice: Option<Lattice>,
}

impl Averages {
    /// Those of `likelihood`.
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

    /// `Self::information` at the overlap `q`, and the theory of whichever α has that overlap.
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
pub(in crate::feedforward) fn mean_square_slope(likelihood: &Likelihood, q: f64) -> f64 {
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
