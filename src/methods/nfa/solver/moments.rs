//! Posterior mean and variance of f(s): VL00 eqs. (21)–(31), for one input, with every intermediate number.
//! What learning runs is `hidden_pass.rs` and `reverse_pass.rs`, the same for eight inputs at a time with gradients; tests hold it to this.

use serde::{Deserialize, Serialize};

use super::network::Network;

crate::choice! {
    /// How the mean and variance of tanh y follow from those of y.
    #[derive(Serialize, Deserialize)]
    pub enum Moments {
        /// A Taylor series about the mean, VL00 eqs. (25) and (26).
        Taylor = "taylor" "Taylor series (paper)",
        /// Three points of Gauss and Hermite's rule (Honkela & Valpola 2004).
        GaussHermite = "gauss_hermite" "Gauss–Hermite, 3 points",
    }
}

/// The outer points of Gauss and Hermite's rule, in standard deviations; the third point is the mean.
pub const POINT: f64 = 1.732_050_807_568_877_2;
/// The weight of each outer point; the mean has 2/3.
pub const OUTER: f64 = 1.0 / 6.0;
/// The weight of the mean.
pub const CENTRE: f64 = 2.0 / 3.0;

/// Mean and variance of tanh y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Activation {
    /// ḡ, eq. (25).
    pub mean: f64,
    /// g̃, eq. (26).
    pub var: f64,
    /// What stands for g′ in (29) and (31): g′(ȳ), or √(g̃/ỹ).
    pub slope: f64,
}

impl Moments {
    /// Of y with mean `y` and variance `var`.
    pub fn activation(self, y: f64, var: f64) -> Activation {
        let g = libm::tanh(y);
        let slope = 1.0 - g * g;
        let taylor = Activation { mean: g - var * g * slope, var: slope * slope * var, slope };
        if self == Self::Taylor || var <= 0.0 {
            return taylor;
        }
        let reach = POINT * var.sqrt();
        let (up, down) = (libm::tanh(y + reach), libm::tanh(y - reach));
        let mean = CENTRE * g + OUTER * (up + down);
        let spread = |x: f64| (x - mean) * (x - mean);
        let spread = CENTRE * spread(g) + OUTER * (spread(up) + spread(down));
        Activation { mean, var: spread, slope: (spread / var).sqrt() }
    }
}

/// Means and variances on the way through a network.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Propagated {
    /// ȳ, (21); H.
    pub y_mean: Vec<f64>,
    /// ỹ, (22); H.
    pub y_var: Vec<f64>,
    /// ỹ*, (30): ỹ without what comes through the means of A; H.
    pub y_star: Vec<f64>,
    /// ḡ, (25); H.
    pub g_mean: Vec<f64>,
    /// g̃, (26); H.
    pub g_var: Vec<f64>,
    /// g̃*, (31); H.
    pub g_star: Vec<f64>,
    /// f̄, (27); m.
    pub f_mean: Vec<f64>,
    /// f̃, (28); m.
    pub f_var: Vec<f64>,
    /// ∂f/∂s, (29); m×n row by row.
    pub jacobian: Vec<f64>,
}

/// Through `network`, inputs of mean `s` and variance `s_var` (n each). Without `interference` the hidden units are taken for
/// independent: f̃ = b̃ + Σ B̄² g̃ + B̃ (ḡ² + g̃).
///
/// # Panics
/// If there is not one mean and one variance for each source.
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
        out.g_star[j] = slope[j] * slope[j] * out.y_star[j];
    }
    for k in 0..channels {
        for j in 0..hidden {
            let weight = second.get(k * hidden + j);
            let (mean, var) = (out.g_mean[j], out.g_var[j]);
            out.f_mean[k] += weight.mean * mean;
            let own = if interference { out.g_star[j] } else { var };
            out.f_var[k] += weight.mean * weight.mean * own + weight.var * (mean * mean + var);
            for i in 0..n {
                out.jacobian[k * n + i] += weight.mean * slope[j] * first.mean[j * n + i];
            }
        }
        if interference {
            let row = &out.jacobian[k * n..][..n];
            out.f_var[k] += row.iter().zip(s_var).map(|(slope, var)| slope * slope * var).sum::<f64>();
        }
    }
    out
}
