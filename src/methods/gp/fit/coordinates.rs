//! Setting that are fitted, as unbounded numbers: what L-BFGS moves.

use super::gradient::Gradient;
use crate::gp::solver::setting::Setting;

/// Bounds of σ², also where it is given (with ARD, of 1/(N w_i)).
pub const SIGMA2: (f64, f64) = (1e-3, 1e3);
/// Bounds of the noise variance v where it is fitted; given, it may be 0. The linear kernel has no size of its own, so that v may
/// be as large as σ² small.
pub const V: (f64, f64) = (1e-6, 1e3);
/// Bounds of κ where it is fitted; given, it may be 0.
pub const KAPPA: (f64, f64) = (1e-6, 0.45);

/// What is fitted of the covariance function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Nothing: the weights stay as they are.
    Fixed,
    /// One σ²; the relevances w_i σ² N stay as they are.
    Shared,
    /// A weight for every input: automatic relevance determination. σ² is then that of the mean weight, 1/(N w̄), so that the mean
    /// relevance is 1.
    PerInput,
}

/// Which hyperparameters are fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Free {
    /// Of the covariance function.
    pub scale: Scale,
    /// Whether v is.
    pub v: bool,
    /// Whether κ is.
    pub kappa: bool,
}

/// The map between fitted hyperparameters and unbounded numbers: each logarithm z ↦ u = c + d tanh((z−c)/d) between its bounds
/// c ± d, the identity far from them, so that a bound is neared softly. κ's logarithm is that of its odds up to ·45.
#[derive(Clone, Debug)]
pub struct Coordinates {
    /// What is not fitted stays as here.
    base: Setting,
    free: Free,
}

/// A bounded logarithm.
#[derive(Clone, Copy)]
struct Bounded {
    centre: f64,
    half: f64,
}

impl Bounded {
    fn between(low: f64, high: f64) -> Self {
        Self { centre: 0.5 * (low + high), half: 0.5 * (high - low) }
    }

    /// Of σ² whose logarithm is u; a weight's is −u.
    fn sigma2() -> Self {
        Self::between(libm::log(SIGMA2.0), libm::log(SIGMA2.1))
    }

    fn v() -> Self {
        Self::between(libm::log(V.0), libm::log(V.1))
    }

    /// Of ln [κ/(κ₁ − κ)] with κ₁ a little above the upper bound.
    fn kappa() -> Self {
        Self::between(odds(KAPPA.0), odds(KAPPA.1))
    }

    fn value(self, z: f64) -> f64 {
        self.centre + self.half * libm::tanh((z - self.centre) / self.half)
    }

    fn slope(self, u: f64) -> f64 {
        let t = (u - self.centre) / self.half;
        ((1.0 - t) * (1.0 + t)).max(0.0)
    }

    /// z of u; a start at a bound or beyond is taken a little inside, where there still is a slope.
    fn unbounded(self, u: f64) -> f64 {
        let t = ((u - self.centre) / self.half).clamp(-0.95, 0.95);
        self.centre + self.half * 0.5 * (libm::log1p(t) - libm::log1p(-t))
    }
}

/// Just above the largest κ, so that its odds are finite.
const KAPPA_END: f64 = 0.450_001;

fn odds(kappa: f64) -> f64 {
    libm::log(kappa / (KAPPA_END - kappa))
}

impl Coordinates {
    /// Of what is `free` of `base`.
    pub fn new(base: Setting, free: Free) -> Self {
        Self { base, free }
    }

    /// Inputs N.
    fn inputs(&self) -> f64 {
        self.base.kernel.weights.len() as f64
    }

    /// The numbers of `at`.
    pub fn of(&self, at: &Setting) -> Vec<f64> {
        let sigma2 = |w: f64| Bounded::sigma2().unbounded(-libm::log(w * self.inputs()));
        let mut z = match self.free.scale {
            Scale::Fixed => Vec::new(),
            Scale::Shared => vec![Bounded::sigma2().unbounded(libm::log(at.sigma2))],
            Scale::PerInput => at.kernel.weights.iter().map(|w| sigma2(*w)).collect(),
        };
        if self.free.v {
            z.push(Bounded::v().unbounded(libm::log(at.v.clamp(V.0, V.1))));
        }
        if self.free.kappa {
            z.push(Bounded::kappa().unbounded(odds(at.kappa.clamp(KAPPA.0, KAPPA.1))));
        }
        z
    }

    /// The hyperparameters of numbers `z`.
    pub fn at(&self, z: &[f64]) -> Setting {
        let mut at = self.base.clone();
        let mut z = z.iter().copied();
        let mut next = |bounded: Bounded| bounded.value(z.next().unwrap_or_default());
        match self.free.scale {
            Scale::Fixed => {}
            Scale::Shared => {
                at.sigma2 = libm::exp(next(Bounded::sigma2()));
                let ratio = self.base.sigma2 / at.sigma2;
                at.kernel.weights.iter_mut().for_each(|w| *w *= ratio);
            }
            Scale::PerInput => {
                let inputs = self.inputs();
                for w in &mut at.kernel.weights {
                    *w = libm::exp(-next(Bounded::sigma2())) / inputs;
                }
                at.sigma2 = 1.0 / at.kernel.weights.iter().sum::<f64>();
            }
        }
        if self.free.v {
            at.v = libm::exp(next(Bounded::v())).clamp(V.0, V.1);
        }
        if self.free.kappa {
            let odds = libm::exp(next(Bounded::kappa()));
            at.kappa = (KAPPA_END * odds / (1.0 + odds)).clamp(KAPPA.0, KAPPA.1);
        }
        at
    }

    /// The gradient by the numbers of `at`, from that by the hyperparameters there.
    pub fn gradient(&self, at: &Setting, gradient: &Gradient) -> Vec<f64> {
        let by_sigma2 = |sigma2: f64, by_w: f64| -by_w * Bounded::sigma2().slope(libm::log(sigma2));
        let mut z = match self.free.scale {
            Scale::Fixed => Vec::new(),
            Scale::Shared => vec![by_sigma2(at.sigma2, gradient.ln_weights.iter().sum())],
            Scale::PerInput => {
                let both = at.kernel.weights.iter().zip(&gradient.ln_weights);
                both.map(|(w, by_w)| by_sigma2(1.0 / (w * self.inputs()), *by_w)).collect()
            }
        };
        if self.free.v {
            z.push(gradient.v * at.v * Bounded::v().slope(libm::log(at.v)));
        }
        if self.free.kappa {
            let by_odds = at.kappa * (KAPPA_END - at.kappa) / KAPPA_END;
            z.push(gradient.kappa * by_odds * Bounded::kappa().slope(odds(at.kappa)));
        }
        z
    }

    /// Words for what is fitted and near a bound at `at`; none where nothing is.
    pub fn bounds_reached(&self, at: &Setting) -> Option<String> {
        // v and κ have no scale of their own below which they would be felt.
        let side = |value: f64, (low, high): (f64, f64)| {
            if value < if low < SIGMA2.0 { 3.0 } else { 1.1 } * low {
                Some(("smallest", low))
            } else {
                (value > high / 1.1).then_some(("largest", high))
            }
        };
        let mut words = Vec::new();
        let mut say = |name: &str, value: f64, bounds: (f64, f64)| {
            if let Some((which, bound)) = side(value, bounds) {
                words.push(format!("{name} is at the {which} that is allowed, {bound}"));
            }
        };
        match self.free.scale {
            Scale::Fixed => {}
            Scale::Shared => say("σ²", at.sigma2, SIGMA2),
            Scale::PerInput => {
                // Inputs of no relevance are what one looks for; a relevance without end is not.
                let least = 1.0 / (SIGMA2.0 * 1.1 * self.inputs());
                if at.kernel.weights.iter().any(|w| *w > least) {
                    say("the σ² of an input", SIGMA2.0, SIGMA2);
                }
            }
        }
        if self.free.v {
            say("v", at.v, V);
        }
        if self.free.kappa {
            say("κ", at.kappa, KAPPA);
        }
        (!words.is_empty()).then(|| words.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gp::solver::kernel::{Kernel, Kind};

    fn all(scale: Scale) -> Coordinates {
        let kernel = Kernel { kind: Kind::Rbf, weights: vec![0.2, 3.0] };
        let base = Setting { kernel, sigma2: 0.4, v: 0.02, kappa: 0.1 };
        Coordinates::new(base, Free { scale, v: true, kappa: true })
    }

    #[test]
    fn numbers_and_hyperparameters_are_each_others() {
        for scale in [Scale::Fixed, Scale::Shared, Scale::PerInput] {
            let coordinates = all(scale);
            let (base, again) = (&coordinates.base, coordinates.at(&coordinates.of(&coordinates.base)));
            let near = |a: f64, b: f64| (a - b).abs() < 1e-12 * b;
            let weights = again.kernel.weights.iter().zip(&base.kernel.weights);
            assert!(weights.into_iter().all(|(a, b)| near(*a, *b)), "{again:?}");
            let mean = if scale == Scale::PerInput { 1.0 / 3.2 } else { base.sigma2 };
            assert!(near(again.sigma2, mean), "{again:?}");
            assert!(near(again.v, base.v) && near(again.kappa, base.kappa), "{again:?}");
        }
    }

    #[test]
    fn the_gradient_is_that_of_the_map() {
        for scale in [Scale::Shared, Scale::PerInput] {
            let coordinates = all(scale);
            let z = coordinates.of(&coordinates.base);
            // Of Σ ln w_i (i + 1) + 3 v + 5 κ.
            let f = |at: &Setting| {
                libm::log(at.kernel.weights[0])
                    + 2.0 * libm::log(at.kernel.weights[1])
                    + 3.0 * at.v
                    + 5.0 * at.kappa
            };
            let by_hyper = Gradient { ln_weights: vec![1.0, 2.0], v: 3.0, kappa: 5.0 };
            let exact = coordinates.gradient(&coordinates.base, &by_hyper);
            for i in 0..z.len() {
                let moved = |step: f64| {
                    let mut z = z.clone();
                    z[i] += step;
                    f(&coordinates.at(&z))
                };
                let numeric = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                assert!((numeric - exact[i]).abs() < 1e-8, "{scale:?} {i}: {numeric} {}", exact[i]);
            }
        }
    }

    #[test]
    fn nothing_leaves_its_bounds() {
        let coordinates = all(Scale::PerInput);
        for far in [-1e300, -100.0, 100.0, 1e300] {
            let at = coordinates.at(&[far; 4]);
            let inside =
                |x: f64, (low, high): (f64, f64)| low * (1.0 - 1e-9) <= x && x <= high * (1.0 + 1e-9);
            assert!(at.kernel.weights.iter().all(|w| inside(0.5 / w, SIGMA2)), "{at:?}");
            assert!((V.0..=V.1).contains(&at.v) && (KAPPA.0..=KAPPA.1).contains(&at.kappa), "{at:?}");
            assert!(coordinates.bounds_reached(&at).is_some());
        }
    }
}
