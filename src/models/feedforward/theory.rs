//! Bayes-optimal replica theory of the noisy perceptron, which is the N → ∞ limit of the TAP equations:
//! one order parameter q = ⟨w⟩·⟨w⟩/N = ⟨w⟩·w₀/N, any α and β.

use super::channel::{Channel, mean_output};
use crate::math::lanes::LANES;
use crate::math::quadrature::trapezoid;
use crate::math::special::{angle_over_pi, density, phi};

/// Replica theory at one α.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Theory {
    /// Overlap of the posterior mean with itself and with the teacher.
    pub q: f64,
    /// Prediction error against the noiseless teacher.
    pub clean: f64,
    /// Training error of the posterior mean, on noisy labels.
    pub training: f64,
}

/// Steps of the quadrature: errors stay below 1e-12, see the test.
const STEPS: usize = 200;
/// Where φ² /(Φ(1−Φ)) has died out.
const EDGE: f64 = 9.5;
const TOLERANCE: f64 = 1e-13;

/// Solves q/(1−q) = α ⟨g²⟩ from below, starting at `q` in (0, 1).
///
/// The iteration is state evolution; Aitken's extrapolation is taken where it stays inside (0, 1).
pub fn solve(channel: &Channel, alpha: f64, mut q: f64) -> Theory {
    if channel.contrast() == 0.0 {
        return Theory { q: 0.0, clean: 0.5, training: 0.5 };
    }
    if alpha == 0.0 {
        // The limit from above: whatever tells anything at all fits a lonely example.
        return Theory { q: 0.0, clean: 0.5, training: 0.0 };
    }
    let next = |q: f64| {
        let x = alpha * mean_square_slope(channel, q);
        x / (1.0 + x)
    };
    for _ in 0..500 {
        let one = next(q);
        let two = next(one);
        let bend = two - 2.0 * one + q;
        let extrapolated = two - (two - one) * (two - one) / bend;
        let was = q;
        q = if extrapolated > 0.0 && extrapolated < 1.0 { extrapolated } else { two };
        if (q - was).abs() < TOLERANCE * (1.0 - was) {
            break;
        }
    }
    Theory { q, clean: angle_over_pi(q.sqrt()), training: training_error(channel, q) }
}

/// ⟨g²⟩ over labels and cavity means u ~ N(0, q): (1/λ) E[(τ d⟨σ⟩/dz)² / (1−τ²⟨σ⟩²)] with λ = 1−q, z = u/√λ.
fn mean_square_slope(channel: &Channel, q: f64) -> f64 {
    let lambda = 1.0 - q;
    let spread = (q / lambda).sqrt();
    let edge = EDGE.min(EDGE * spread);
    let tau = channel.contrast();
    let integrand = |z: f64| {
        // 1−τ²⟨σ⟩² without cancellation: (1−τ⟨σ⟩)(1+τ⟨σ⟩) with 1−τ+2τΦ(∓z).
        let noise = 1.0 - tau;
        let information = (noise + 2.0 * tau * phi(z)) * (noise + 2.0 * tau * phi(-z));
        let slope = 2.0 * tau * density(z);
        density(z / spread) / spread * slope * slope / information
    };
    trapezoid(-edge, edge, STEPS, integrand) / lambda
}

/// How often the posterior mean gets a training label wrong: its field is u + λ g(u, y), which grows with u, so
/// the errors lie below one root.
fn training_error(channel: &Channel, q: f64) -> f64 {
    let lambda = 1.0 - q;
    let trained = |z: f64| z * lambda.sqrt() + lambda.sqrt() * channel.slope([z; LANES], [1.0; LANES])[0];
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
    trapezoid(edge, low, 20 * STEPS, |z| density(z / spread) / spread * (1.0 + tau * mean_output(z)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quadrature_is_converged() {
        for (beta, q) in [(0.5, 0.01), (0.5, 0.5), (f64::INFINITY, 0.9), (f64::INFINITY, 0.9999), (5.0, 0.99)]
        {
            let channel = Channel::new(beta);
            let coarse = mean_square_slope(&channel, q);
            let lambda: f64 = 1.0 - q;
            let spread = (q / lambda).sqrt();
            let edge = EDGE.min(EDGE * spread);
            let tau = channel.contrast();
            let fine = trapezoid(-edge, edge, 16 * STEPS, |z| {
                let s = mean_output(z);
                density(z / spread) / spread * (2.0 * tau * density(z)).powi(2)
                    / if s.abs() > 0.999_999 && tau == 1.0 {
                        4.0 * phi(z) * phi(-z)
                    } else {
                        1.0 - tau * tau * s * s
                    }
            }) / lambda;
            assert!((coarse / fine - 1.0).abs() < 1e-9, "β={beta} q={q}: {coarse} {fine}");
        }
    }

    #[test]
    fn nothing_is_learnt_from_pure_noise_or_from_nothing() {
        assert_eq!(solve(&Channel::new(0.0), 5.0, 0.5).clean, 0.5);
        assert_eq!(solve(&Channel::new(1.0), 0.0, 0.5).clean, 0.5);
    }

    #[test]
    fn the_start_does_not_matter_and_more_examples_help() {
        for beta in [0.1, 0.5, 3.0, f64::INFINITY] {
            let channel = Channel::new(beta);
            let mut last = 0.5;
            for alpha in [0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0] {
                let (a, b) = (solve(&channel, alpha, 0.01), solve(&channel, alpha, 0.99));
                assert!((a.q - b.q).abs() < 1e-10, "β={beta} α={alpha}");
                assert!(a.clean < last);
                last = a.clean;
            }
        }
    }

    #[test]
    fn a_noise_free_perceptron_fits_its_training_set() {
        assert_eq!(solve(&Channel::new(f64::INFINITY), 3.0, 0.5).training, 0.0);
    }
}
