//! A periodic covariance function: the RBF between points on circles (MacKay 1998; Rasmussen & Williams 2006 eq. (4.31)).

use std::f64::consts::PI;

use super::{CovarianceFunction, LowerTriangle, Term, sum_of_triples};

/// K(a, b) = exp(−½ Σ wᵢ (p/π)² sin²(π (aᵢ − bᵢ)/p)): stationary, with period p in every input. It is the RBF of the chords between
/// points on circles of circumference p, so a weight means the same as for the RBF if |aᵢ − bᵢ| is much smaller than p.
pub(super) struct Periodic;

/// Returns the signed chord between two points on a circle of circumference `period` that are `difference` apart along it.
fn chord(difference: f64, period: f64) -> f64 {
    period / PI * libm::sin(PI * difference / period)
}

impl CovarianceFunction for Periodic {
    fn covariance(&self, term: &Term, a: &[f64], b: &[f64]) -> f64 {
        let square = sum_of_triples(a, b, term.weights, |a, b, w| {
            let chord = chord(a - b, term.period);
            w * chord * chord
        });
        libm::exp(-0.5 * (term.scale * square))
    }

    /// Returns ∂K/∂w = −½ (p/π)² sin²(π (s − s′)/p) K; each pair counts twice.
    fn weight_gradient(
        &self,
        term: &Term,
        rows: &[Vec<f64>],
        k: &LowerTriangle,
        q: &LowerTriangle,
    ) -> Vec<f64> {
        let mut sums = vec![0.0; term.weights.len()];
        for (i, a) in rows.iter().enumerate() {
            for (j, b) in rows[..i].iter().enumerate() {
                let factor = -q(i, j) * k(i, j) * term.scale;
                for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
                    let chord = chord(a - b, term.period);
                    *sum += factor * chord * chord;
                }
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Kernel, KernelKind};
    use super::PI;

    #[test]
    fn the_periodic_covariance_is_the_rbf_between_points_on_circles() {
        let (weights, period) = (vec![0.5, 2.0], 1.7);
        let of = |kind, weights| Kernel { weights, ..Kernel::isotropic(kind, 1, 1.0).with_period(period) };
        let periodic = of(KernelKind::Periodic, weights.clone());
        let doubled = weights.iter().flat_map(|w| [*w, *w]).collect();
        let rbf = of(KernelKind::Rbf, doubled);
        let on_circles = |at: &[f64]| -> Vec<f64> {
            let circle = |x: &f64| {
                let angle = 2.0 * PI * x / period;
                [libm::cos(angle), libm::sin(angle)].map(|at| at * period / (2.0 * PI))
            };
            at.iter().flat_map(circle).collect()
        };
        for (a, b) in [([0.3, -1.2], [1.1, 0.4]), ([0.0, 0.0], [5.0, -3.3]), ([0.2, 0.2], [0.2, 0.2])] {
            let exact = rbf.covariance(&on_circles(&a), &on_circles(&b));
            assert!((periodic.covariance(&a, &b) - exact).abs() < 1e-14, "{a:?} {b:?}");
            let moved = [b[0] + period, b[1] - 3.0 * period];
            assert!((periodic.covariance(&a, &moved) - exact).abs() < 1e-13, "{a:?} {b:?}");
        }
    }

    #[test]
    fn the_periodic_covariance_with_a_long_period_is_the_rbf() {
        let of = |kind| Kernel::isotropic(kind, 1, 1.0 / 3.0).with_period(1e6).covariance(&[0.2], &[0.7]);
        assert!((of(KernelKind::Periodic) - of(KernelKind::Rbf)).abs() < 1e-11);
    }
}
