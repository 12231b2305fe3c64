//! The transform between fitted hyperparameters and the unbounded coordinates of L-BFGS.

use super::bounds::LogBounds;
use super::gradient::HyperGradient;
use super::options::{FreeParameters, KAPPA, LengthScales, SIGMA2, V};
use crate::gp::solver::hyperparameters::Hyperparameters;

/// The transform between fitted hyperparameters and unbounded coordinates z. A logarithm u is bounded by u = c + d tanh((z−c)/d) with
/// bounds c ± d, which is the identity far from them. For κ, u is the logarithm of its odds up to 0.45.
#[derive(Clone, Debug)]
pub(super) struct ParameterTransform {
    /// The values of fixed hyperparameters.
    base: Hyperparameters,
    free: FreeParameters,
}

/// Returns the bounds of ln σ²; those of −ln(N w) are the same.
fn sigma2_bounds() -> LogBounds {
    LogBounds::of(SIGMA2)
}

/// Returns the bounds of ln v.
fn v_bounds() -> LogBounds {
    LogBounds::of(V)
}

/// Returns the bounds of ln [κ/(κ₁ − κ)] with κ₁ slightly above the upper bound.
fn kappa_bounds() -> LogBounds {
    LogBounds::between(log_odds(KAPPA.0), log_odds(KAPPA.1))
}

/// A hyperparameter within this factor of a bound has reached it.
const NEAR_BOUND: f64 = 1.1;
/// The same for the lower bounds of v and κ, near which they have no effect, so that the search stops at some distance.
const NEAR_NO_NOISE: f64 = 3.0;
/// κ₁, slightly above the largest κ, so that the odds are finite.
const KAPPA_END: f64 = 0.450_001;

/// Returns ln [κ/(κ₁ − κ)].
fn log_odds(kappa: f64) -> f64 {
    libm::log(kappa / (KAPPA_END - kappa))
}

impl ParameterTransform {
    /// Returns the transform of the `free` hyperparameters; all others are those of `base`.
    pub(super) fn new(base: Hyperparameters, free: FreeParameters) -> Self {
        Self { base, free }
    }

    /// Returns the number of inputs N.
    fn inputs(&self) -> f64 {
        self.base.kernel.weights.len() as f64
    }

    /// Returns the coordinates of `at`.
    pub(super) fn coordinates(&self, at: &Hyperparameters) -> Vec<f64> {
        let sigma2 = |w: f64| sigma2_bounds().unbounded(-libm::log(w * self.inputs()));
        let mut z = match self.free.length_scales {
            LengthScales::Fixed => Vec::new(),
            LengthScales::Shared => vec![sigma2_bounds().unbounded(libm::log(at.sigma2))],
            LengthScales::PerInput => at.kernel.weights.iter().map(|w| sigma2(*w)).collect(),
        };
        if self.free.v {
            z.push(v_bounds().unbounded(libm::log(at.v.clamp(V.0, V.1))));
        }
        if self.free.kappa {
            z.push(kappa_bounds().unbounded(log_odds(at.kappa.clamp(KAPPA.0, KAPPA.1))));
        }
        z
    }

    /// Returns the hyperparameters at coordinates `z`.
    pub(super) fn hyperparameters(&self, z: &[f64]) -> Hyperparameters {
        let mut at = self.base.clone();
        let mut z = z.iter().copied();
        let mut next = |bounded: LogBounds| bounded.value(z.next().unwrap_or_default());
        match self.free.length_scales {
            LengthScales::Fixed => {}
            LengthScales::Shared => {
                at.sigma2 = libm::exp(next(sigma2_bounds()));
                let ratio = self.base.sigma2 / at.sigma2;
                at.kernel.weights.iter_mut().for_each(|w| *w *= ratio);
            }
            LengthScales::PerInput => {
                let inputs = self.inputs();
                for w in &mut at.kernel.weights {
                    *w = libm::exp(-next(sigma2_bounds())) / inputs;
                }
                at.sigma2 = 1.0 / at.kernel.weights.iter().sum::<f64>();
            }
        }
        if self.free.v {
            at.v = libm::exp(next(v_bounds())).clamp(V.0, V.1);
        }
        if self.free.kappa {
            let odds = libm::exp(next(kappa_bounds()));
            at.kappa = (KAPPA_END * odds / (1.0 + odds)).clamp(KAPPA.0, KAPPA.1);
        }
        at
    }

    /// Returns the gradient with respect to the coordinates at `at`, from the `gradient` with respect to the hyperparameters.
    pub(super) fn gradient(&self, at: &Hyperparameters, gradient: &HyperGradient) -> Vec<f64> {
        let by_sigma2 = |sigma2: f64, by_w: f64| -by_w * sigma2_bounds().slope(libm::log(sigma2));
        let mut z = match self.free.length_scales {
            LengthScales::Fixed => Vec::new(),
            LengthScales::Shared => vec![by_sigma2(at.sigma2, gradient.ln_weights.iter().sum())],
            LengthScales::PerInput => {
                let both = at.kernel.weights.iter().zip(&gradient.ln_weights);
                both.map(|(w, by_w)| by_sigma2(1.0 / (w * self.inputs()), *by_w)).collect()
            }
        };
        if self.free.v {
            z.push(gradient.v * at.v * v_bounds().slope(libm::log(at.v)));
        }
        if self.free.kappa {
            let by_odds = at.kappa * (KAPPA_END - at.kappa) / KAPPA_END;
            z.push(gradient.kappa * by_odds * kappa_bounds().slope(log_odds(at.kappa)));
        }
        z
    }

    /// Returns a description of the fitted hyperparameters that are near a bound at `at`; `None` if there are none.
    pub(super) fn bounds_reached(&self, at: &Hyperparameters) -> Option<String> {
        let mut words = Vec::new();
        let mut check = |name: &str, value: f64, (low, high): (f64, f64), near_low: f64| {
            let reached = if value < near_low * low {
                Some(("smallest", low))
            } else {
                (value > high / NEAR_BOUND).then_some(("largest", high))
            };
            if let Some((which, bound)) = reached {
                words.push(format!("{name} is at the {which} that is allowed, {bound}"));
            }
        };
        match self.free.length_scales {
            LengthScales::Fixed => {}
            LengthScales::Shared => check("σ²", at.sigma2, SIGMA2, NEAR_BOUND),
            LengthScales::PerInput => {
                // A weight near 0 means an irrelevant input, which is a valid result; only large weights are reported.
                let least = 1.0 / (SIGMA2.0 * NEAR_BOUND * self.inputs());
                if at.kernel.weights.iter().any(|w| *w > least) {
                    check("the σ² of an input", SIGMA2.0, SIGMA2, NEAR_BOUND);
                }
            }
        }
        if self.free.v {
            check("v", at.v, V, NEAR_NO_NOISE);
        }
        if self.free.kappa {
            check("κ", at.kappa, KAPPA, NEAR_NO_NOISE);
        }
        (!words.is_empty()).then(|| words.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gp::solver::kernel::{Kernel, KernelKind};

    fn all_free(length_scales: LengthScales) -> ParameterTransform {
        let kernel = Kernel { weights: vec![0.2, 3.0], ..Kernel::isotropic(KernelKind::Rbf, 2, 1.0) };
        let base = Hyperparameters { kernel, sigma2: 0.4, v: 0.02, kappa: 0.1 };
        ParameterTransform::new(base, FreeParameters { length_scales, v: true, kappa: true })
    }

    #[test]
    fn the_transform_is_invertible() {
        for scale in [LengthScales::Fixed, LengthScales::Shared, LengthScales::PerInput] {
            let transform = all_free(scale);
            let (base, again) =
                (&transform.base, transform.hyperparameters(&transform.coordinates(&transform.base)));
            let near = |a: f64, b: f64| (a - b).abs() < 1e-12 * b;
            let weights = again.kernel.weights.iter().zip(&base.kernel.weights);
            assert!(weights.into_iter().all(|(a, b)| near(*a, *b)), "{again:?}");
            let mean = if scale == LengthScales::PerInput { 1.0 / 3.2 } else { base.sigma2 };
            assert!(near(again.sigma2, mean), "{again:?}");
            assert!(near(again.v, base.v) && near(again.kappa, base.kappa), "{again:?}");
        }
    }

    #[test]
    fn the_gradient_matches_finite_differences() {
        for scale in [LengthScales::Shared, LengthScales::PerInput] {
            let transform = all_free(scale);
            let z = transform.coordinates(&transform.base);
            // Σ (i + 1) ln w_i + 3 v + 5 κ.
            let f = |at: &Hyperparameters| {
                libm::log(at.kernel.weights[0])
                    + 2.0 * libm::log(at.kernel.weights[1])
                    + 3.0 * at.v
                    + 5.0 * at.kappa
            };
            let by_hyper = HyperGradient { ln_weights: vec![1.0, 2.0], v: 3.0, kappa: 5.0 };
            let exact = transform.gradient(&transform.base, &by_hyper);
            for i in 0..z.len() {
                let moved = |step: f64| {
                    let mut z = z.clone();
                    z[i] += step;
                    f(&transform.hyperparameters(&z))
                };
                let numeric = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                assert!((numeric - exact[i]).abs() < 1e-8, "{scale:?} {i}: {numeric} {}", exact[i]);
            }
        }
    }

    #[test]
    fn hyperparameters_stay_within_their_bounds() {
        let transform = all_free(LengthScales::PerInput);
        for far in [-1e300, -100.0, 100.0, 1e300] {
            let at = transform.hyperparameters(&[far; 4]);
            let inside =
                |x: f64, (low, high): (f64, f64)| low * (1.0 - 1e-9) <= x && x <= high * (1.0 + 1e-9);
            assert!(at.kernel.weights.iter().all(|w| inside(0.5 / w, SIGMA2)), "{at:?}");
            assert!((V.0..=V.1).contains(&at.v) && (KAPPA.0..=KAPPA.1).contains(&at.kappa), "{at:?}");
            assert!(transform.bounds_reached(&at).is_some());
        }
    }
}
