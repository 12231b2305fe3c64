//! Likelihood of a label, averaged over Gaussian internal fields, and its derivatives: OW96 eqs. (5) and (7), with the label kept
//! explicit.

use std::f64::consts::FRAC_1_SQRT_2;

use super::votes::{VoteCounter, ln_majority};
use crate::math::lanes::{Lanes, each, erfcx_lanes, exp, exp_lanes, map};
use crate::math::special::{INV_SQRT_2PI, ln_phi, phi};

/// Likelihood of a label that is flipped with probability 1/(1+e^β); β = ∞ is noise-free.
#[derive(Clone, Copy, Debug)]
pub struct Likelihood {
    hidden: usize,
    beta: f64,
    /// e^−β.
    floor: f64,
    /// 1 − e^−β.
    step: f64,
}

impl Likelihood {
    /// Returns the likelihood of a tree committee of `hidden` ≥ 1 branches (1 is the perceptron) at inverse temperature `beta` ≥ 0
    /// (∞ allowed).
    pub fn new(hidden: usize, beta: f64) -> Self {
        Self { hidden, beta, floor: exp(-beta), step: -libm::expm1(-beta) }
    }

    /// Returns the likelihood of a perceptron with the same noise.
    #[must_use]
    pub fn one_branch(&self) -> Self {
        Self { hidden: 1, ..*self }
    }

    /// Returns the number of branches K.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// Returns the probability 1/(1+e^β) that a label is flipped.
    pub fn flip_probability(&self) -> f64 {
        self.floor / (1.0 + self.floor)
    }

    /// Returns ln(1 + e^−β): ln⟨F⟩ minus the log probability of a label.
    pub fn ln_total(&self) -> f64 {
        libm::log1p(self.floor)
    }

    /// Returns the contrast τ = tanh(β/2) = 1 − 2·[`Self::flip_probability`].
    pub fn contrast(&self) -> f64 {
        self.step / (1.0 + self.floor)
    }

    /// Writes ∂ ln⟨F⟩/∂z_k of eight examples, the derivative in eq. (5), to `slopes` (K), from cavity fields `z` (K) and labels
    /// `y` = ±1. It is 0 where y = 0 (padding).
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub fn slopes(&self, z: &[Lanes], y: Lanes, slopes: &mut [Lanes], votes: &mut VoteCounter) {
        if self.hidden == 1 {
            slopes[0] = self.slope(z[0], y);
        } else {
            self.committee_slopes(z, y, slopes, votes);
        }
    }

    /// Returns the slope for K = 1. With t = yz: ⟨F⟩ = e^−β + (1−e^−β) Φ(t), divided by e^(−t²/2) where t < 0, so that neither
    /// tail cancels.
    #[inline(always)]
    fn slope(&self, z: Lanes, y: Lanes) -> Lanes {
        let t: Lanes = each(|i| y[i] * z[i]);
        let u = map(erfcx_lanes(map(t, |t| t.abs() * FRAC_1_SQRT_2)), |erfcx| 0.5 * erfcx);
        let e = exp_lanes(map(t, |t| if t < 0.0 { 0.5 * t * t - self.beta } else { -0.5 * t * t }));
        each(|i| {
            let below = t[i] < 0.0;
            let numerator = if below { 1.0 } else { e[i] };
            let body = self.floor + self.step * (1.0 - u[i] * e[i]);
            let denominator = if below { e[i] + self.step * u[i] } else { body };
            y[i] * (self.step * INV_SQRT_2PI) * numerator / denominator
        })
    }

    /// Returns the first two derivatives of ln⟨F⟩ by t = yz for K = 1.
    pub fn derivatives(&self, t: f64) -> [f64; 2] {
        let slope = self.step * INV_SQRT_2PI * exp(-0.5 * t * t - self.one_branch().ln_f(&[t], 1.0));
        [slope, -slope * (slope + t)]
    }

    /// Writes the slopes for K > 1: ∂ ln⟨F⟩/∂t_k = hazard(t_k) · P(k votes for the label and decides) / P(majority), times the
    /// fraction of ⟨F⟩ that is not noise.
    #[inline(always)]
    fn committee_slopes(&self, z: &[Lanes], y: Lanes, slopes: &mut [Lanes], votes: &mut VoteCounter) {
        votes.count(z, y, self.floor == 0.0);
        // Without noise that fraction is 1 even if P(majority) underflows; with noise it is 0 then.
        let majority = votes.majority();
        let decided: Lanes = each(|i| {
            let majority = majority[i];
            let whole =
                if self.floor == 0.0 { majority } else { (self.floor + self.step * majority) / self.step };
            y[i] / whole
        });
        for (k, slope) in slopes.iter_mut().enumerate() {
            let vote = votes.slope(k);
            *slope = each(|i| vote[i] * decided[i]);
        }
    }

    /// Returns y⟨σ⟩ of the tilted distribution, in [−1, 1]: y⟨σF⟩/⟨F⟩ with the averages of OW96 eq. (7), from the probability
    /// `majority` that the majority votes y. Exactly 1 without noise.
    pub(in crate::feedforward) fn tilted_agreement(&self, majority: f64) -> f64 {
        if self.floor == 0.0 {
            // Exact even if `majority` underflows.
            return 1.0;
        }
        (majority - self.floor * (1.0 - majority)) / (self.floor + self.step * majority)
    }

    /// Returns ln⟨F⟩ of OW96 eq. (7) at cavity fields `z` (K) and label `y` = ±1, without the factor 1/(1+e^−β).
    pub fn ln_f(&self, z: &[f64], y: f64) -> f64 {
        let ln_majority_for = |y: f64| if let [z] = z { ln_phi(y * z) } else { ln_majority(z, y) };
        let ln_majority = ln_majority_for(y);
        if self.floor == 0.0 {
            ln_majority
        } else if ln_majority > -1.0 {
            // ⟨F⟩ = 1 − (1−e^−β)(1−P), accurate where P is nearly 1.
            let minority = if let [z] = z { phi(-y * z) } else { exp(ln_majority_for(-y)) };
            libm::log1p(-self.step * minority)
        } else {
            let ratio = ln_majority + self.beta;
            if ratio > 0.0 {
                ln_majority + libm::log(self.step + exp(-ratio))
            } else {
                libm::log1p(self.step * exp(ratio)) - self.beta
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::lanes::LANES;

    fn slopes(likelihood: &Likelihood, z: &[f64], y: f64) -> Vec<f64> {
        let lanes: Vec<Lanes> = z.iter().map(|z| [*z; LANES]).collect();
        let mut out = vec![[0.0; LANES]; z.len()];
        likelihood.slopes(&lanes, [y; LANES], &mut out, &mut VoteCounter::new(z.len()));
        out.iter().map(|lanes| lanes[5]).collect()
    }

    #[test]
    fn slopes_are_derivatives_of_ln_f() {
        let cases = [
            vec![0.7],
            vec![-1.4],
            vec![0.3, -0.7],
            vec![0.5, -1.0, 2.0],
            vec![-5.0, -7.0, -6.0],
            vec![0.1, -0.2, 0.3, -3.4],
            vec![-2.0; 9],
            vec![-0.8; 101],
        ];
        for beta in [0.0, 0.5, 3.0, 40.0, f64::INFINITY] {
            for z in &cases {
                let likelihood = Likelihood::new(z.len(), beta);
                for y in [-1.0, 1.0] {
                    let exact = slopes(&likelihood, z, y);
                    for k in 0..z.len().min(3) {
                        let h = 1e-5;
                        let at = |d: f64| {
                            let mut z = z.clone();
                            z[k] += d;
                            likelihood.ln_f(&z, y)
                        };
                        let numeric = (at(h) - at(-h)) / (2.0 * h);
                        assert!(
                            (numeric - exact[k]).abs() < 3e-8 * (1.0 + exact[k].abs()),
                            "β={beta} {z:?} y={y}: {numeric} {}",
                            exact[k]
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn slopes_and_ln_f_are_finite_in_the_tails() {
        for beta in [0.0, 0.5, 50.0, 800.0, f64::INFINITY] {
            for hidden in [1, 2, 3, 5, 100, 101] {
                let likelihood = Likelihood::new(hidden, beta);
                for z in [-1e3, -60.0, -38.5, 38.5, 60.0, 1e3] {
                    let z: Vec<f64> = (0..hidden).map(|k| z * (1.0 - 0.001 * k as f64)).collect();
                    assert!(
                        slopes(&likelihood, &z, 1.0).iter().all(|g| g.is_finite() && *g >= 0.0),
                        "β={beta} K={hidden} {}",
                        z[0]
                    );
                    assert!(likelihood.ln_f(&z, 1.0).is_finite(), "β={beta} K={hidden} {}", z[0]);
                }
            }
        }
    }

    #[test]
    fn contrast_and_flip_probability() {
        let likelihood = Likelihood::new(1, 0.5);
        assert!((likelihood.contrast() - 0.25_f64.tanh()).abs() < 1e-15);
        assert!((likelihood.flip_probability() - 1.0 / (1.0 + 0.5_f64.exp())).abs() < 1e-15);
        assert_eq!(Likelihood::new(1, f64::INFINITY).contrast(), 1.0);
        assert_eq!(Likelihood::new(1, 0.0).contrast(), 0.0);
    }
}
