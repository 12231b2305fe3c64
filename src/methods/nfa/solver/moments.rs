//! Posterior mean and variance of f(s) for one input, VL00 eqs. (21)–(31), with all intermediate values.
//!
//! Learning uses `hidden_pass.rs` and `reverse_pass.rs`, which compute the same for eight inputs at a time, with gradients; tests
//! compare them with this module.

use serde::{Deserialize, Serialize};

use super::network::Network;

crate::choice! {
    /// Approximation of the mean and variance of tanh y, given those of y.
    #[derive(Serialize, Deserialize)]
    pub enum Moments {
        /// Taylor series about the mean, VL00 eqs. (25) and (26).
        Taylor = "taylor" "Taylor series",
        /// Three-point Gauss–Hermite quadrature (Honkela & Valpola 2004).
        GaussHermite = "gauss_hermite" "Gauss–Hermite, 3 points",
    }
}

/// Outer quadrature points, in standard deviations from the mean; the third point is the mean.
pub const POINT: f64 = 1.732_050_807_568_877_2;
/// Quadrature weight of each outer point.
pub const OUTER: f64 = 1.0 / 6.0;
/// Quadrature weight of the mean.
pub const CENTRE: f64 = 2.0 / 3.0;

/// Moments of tanh y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Activation {
    /// Mean ḡ, VL00 eq. (25).
    pub mean: f64,
    /// Variance g̃, VL00 eq. (26).
    pub var: f64,
    /// Slope in VL00 eqs. (29) and (31): g′(ȳ), or √(g̃/ỹ) with Gauss–Hermite quadrature.
    pub slope: f64,
}

impl Moments {
    /// Returns the moments of tanh y for y with mean `y` and variance `var`.
    pub fn activation(self, y: f64, var: f64) -> Activation {
        let g = libm::tanh(y);
        let slope = 1.0 - g * g;
        // VL00 eqs. (25), with g″ = −2 g g′, and (26).
        let taylor = Activation { mean: g - var * g * slope, var: slope * slope * var, slope };
        if self == Self::Taylor || var <= 0.0 {
            return taylor;
        }
        let distance = POINT * var.sqrt();
        let (up, down) = (libm::tanh(y + distance), libm::tanh(y - distance));
        let mean = CENTRE * g + OUTER * (up + down);
        let square = |x: f64| (x - mean) * (x - mean);
        let g_var = CENTRE * square(g) + OUTER * (square(up) + square(down));
        Activation { mean, var: g_var, slope: (g_var / var).sqrt() }
    }
}

/// Means and variances at all layers of a network.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Propagated {
    /// ȳ, VL00 eq. (21); H.
    pub y_mean: Vec<f64>,
    /// ỹ, VL00 eq. (22); H.
    pub y_var: Vec<f64>,
    /// ỹ*, VL00 eq. (30): ỹ without the contribution of the sources through the means of A; H.
    pub y_star: Vec<f64>,
    /// ḡ, VL00 eq. (25); H.
    pub g_mean: Vec<f64>,
    /// g̃, VL00 eq. (26); H.
    pub g_var: Vec<f64>,
    /// g̃*, VL00 eq. (31); H.
    pub g_star: Vec<f64>,
    /// f̄, VL00 eq. (27); m.
    pub f_mean: Vec<f64>,
    /// f̃, VL00 eq. (28); m.
    pub f_var: Vec<f64>,
    /// ∂f/∂s, VL00 eq. (29); m×n, row by row.
    pub jacobian: Vec<f64>,
}

/// Propagates an input with means `s` and variances `s_var` (n each) through `network`.
///
/// Without `interference` the hidden units are treated as independent: f̃ = b̃ + Σ B̄² g̃ + B̃ (ḡ² + g̃).
///
/// # Panics
/// If `s` or `s_var` does not have n elements.
pub fn propagate(
    network: &Network,
    moments: Moments,
    interference: bool,
    s: &[f64],
    s_var: &[f64],
) -> Propagated {
    let Network { sources: n, hidden, channels, first, first_bias, second, second_bias } = network;
    let (n, hidden, channels) = (*n, *hidden, *channels);
    assert!(s.len() == n && s_var.len() == n, "one mean and one variance for each source");
    let mut out = Propagated {
        y_mean: first_bias.mean.clone(),
        y_var: vec![0.0; hidden],
        y_star: first_bias.var.clone(),
        g_mean: vec![0.0; hidden],
        g_var: vec![0.0; hidden],
        g_star: vec![0.0; hidden],
        f_mean: second_bias.mean.clone(),
        f_var: second_bias.var.clone(),
        jacobian: vec![0.0; channels * n],
    };
    let mut slope = vec![0.0; hidden];
    for j in 0..hidden {
        // VL00 eqs. (21), (30), (22).
        let mut shared = 0.0;
        for i in 0..n {
            let weight = first.get(j * n + i);
            out.y_mean[j] += weight.mean * s[i];
            out.y_star[j] += weight.var * (s[i] * s[i] + s_var[i]);
            shared += weight.mean * weight.mean * s_var[i];
        }
        out.y_var[j] = out.y_star[j] + shared;
        let activation = moments.activation(out.y_mean[j], out.y_var[j]);
        (out.g_mean[j], out.g_var[j], slope[j]) = (activation.mean, activation.var, activation.slope);
        // VL00 eq. (31).
        out.g_star[j] = slope[j] * slope[j] * out.y_star[j];
    }
    for k in 0..channels {
        for j in 0..hidden {
            let weight = second.get(k * hidden + j);
            let (mean, var) = (out.g_mean[j], out.g_var[j]);
            // VL00 eqs. (27), (28), (29).
            out.f_mean[k] += weight.mean * mean;
            let unit_var = if interference { out.g_star[j] } else { var };
            out.f_var[k] += weight.mean * weight.mean * unit_var + weight.var * (mean * mean + var);
            for i in 0..n {
                out.jacobian[k * n + i] += weight.mean * slope[j] * first.mean[j * n + i];
            }
        }
        if interference {
            // VL00 eq. (28), first term.
            let row = &out.jacobian[k * n..][..n];
            out.f_var[k] += row.iter().zip(s_var).map(|(slope, var)| slope * slope * var).sum::<f64>();
        }
    }
    out
}
