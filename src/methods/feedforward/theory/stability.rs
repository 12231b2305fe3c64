//! Stability of replica symmetry for the perceptron: the condition of de Almeida and Thouless (J. Phys. A 11, 983 (1978)),
//! α⟨(∂² ln F/∂z²)²⟩ < 1, for a teacher of the student's architecture and noise, and for random labels.

use serde::{Deserialize, Serialize};

use super::{ReplicaTheory, TOLERANCE, fixed_point};
use crate::feedforward::tap::likelihood::Likelihood;
use crate::math::quadrature::trapezoid;
use crate::math::special::density;

/// Steps of the quadrature.
const STEPS: usize = 1000;
/// Range of the field in standard deviations.
const RANGE_SDS: f64 = 9.0;

/// Distribution of the labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// Those of a perceptron with the student's noise.
    Matched,
    /// Fair coins.
    Random,
}

/// Replica-symmetric theory at one α.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplicaStability {
    /// Overlap q of the posterior mean with itself.
    pub q: f64,
    /// 1 − α⟨(∂² ln F/∂z²)²⟩: negative where replica symmetry is unstable.
    pub margin: f64,
}

/// Returns the theory of a perceptron with this `likelihood`; `None` if there is no solution.
pub fn solve(likelihood: &Likelihood, labels: Labels, alpha: f64) -> Option<ReplicaStability> {
    let q = match labels {
        Labels::Matched => ReplicaTheory::new(*likelihood).solve(alpha, 0.5).q,
        Labels::Random => {
            let next = |q: f64| {
                let x = alpha * average(likelihood, labels, q, |[first, _]| first * first);
                x / (1.0 + x)
            };
            fixed_point(next, 0.5, TOLERANCE)?
        }
    };
    let squares = average(likelihood, labels, q, |[_, second]| second * second);
    (q > 0.0 && squares.is_finite()).then_some(ReplicaStability { q, margin: 1.0 - alpha * squares })
}

/// Returns the average of a function of the derivatives of ln F over the cavity field z ~ N(0, q/(1−q)) and the label.
fn average(likelihood: &Likelihood, labels: Labels, q: f64, of: impl Fn([f64; 2]) -> f64) -> f64 {
    let spread = (q / (1.0 - q)).sqrt();
    // The labels are symmetric, so that t = yz replaces both.
    trapezoid(-RANGE_SDS, RANGE_SDS, STEPS, |u| {
        let t = spread * u;
        let label = match labels {
            // Twice the probability of the label +1 at the field t.
            Labels::Matched => 2.0 * libm::exp(likelihood.ln_f(&[t], 1.0) - likelihood.ln_total()),
            Labels::Random => 1.0,
        };
        density(u) * label * of(likelihood.derivatives(t))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For the matched student, q = α⟨(∂ ln F/∂z)²⟩, and replica symmetry is stable (Nishimori).
    #[test]
    fn a_matched_student_is_stable_and_has_the_overlap_of_the_theory() {
        for beta in [0.5, 3.0, f64::INFINITY] {
            let likelihood = Likelihood::new(1, beta);
            for alpha in [0.5, 2.0, 10.0] {
                let found = solve(&likelihood, Labels::Matched, alpha).unwrap();
                let squares = average(&likelihood, Labels::Matched, found.q, |[first, _]| first * first);
                let x = alpha * squares;
                assert!((x - found.q).abs() < 1e-6, "β={beta} α={alpha}: {found:?} {x}");
                assert!(found.margin > 0.0 && found.margin < 1.0, "β={beta} α={alpha}: {found:?}");
            }
        }
    }

    /// Without noise, random labels have a solution only below α = 2, where q → 1 (Gardner 1988).
    #[test]
    fn random_labels_reach_the_capacity() {
        let likelihood = Likelihood::new(1, f64::INFINITY);
        let q = |alpha| solve(&likelihood, Labels::Random, alpha).map(|found| found.q);
        assert!(q(1.0).unwrap() < q(1.5).unwrap() && q(1.9).unwrap() > 0.9);
        assert!(solve(&likelihood, Labels::Random, 1.0).unwrap().margin > 0.0);
        assert!(q(2.3).is_none_or(|q| q > 0.999_99));
    }

    /// With noise, replica symmetry is lost at α = 3.6 for β = 4, by a sum over a grid with another program.
    #[test]
    fn random_labels_lose_replica_symmetry() {
        let likelihood = Likelihood::new(1, 4.0);
        for (alpha, q, at) in [(2.0, 0.613, 0.543), (4.0, 0.743, 1.103), (8.0, 0.833, 2.089)] {
            let found = solve(&likelihood, Labels::Random, alpha).unwrap();
            assert!(
                (found.q - q).abs() < 6e-4 && (1.0 - found.margin - at).abs() < 6e-4,
                "{alpha}: {found:?}"
            );
        }
    }
}
